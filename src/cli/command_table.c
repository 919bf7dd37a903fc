/* SPDX-License-Identifier: MIT */
/* `nqueens table`: the known numbers. Nothing is counted. */
#include "cli/output.h"
#include "core/known.h"

#include <inttypes.h>
#include <stdio.h>

static const struct sequence {
    const char *name, *source, *meaning;
    bool (*known)(int n, uint64_t *number);
} sequences[] = {
    {"A000170", "https://oeis.org/A000170", "all solutions", nq_known_total},
    {"A002562", "https://oeis.org/A002562",
     "classes of solutions under the square's symmetries", nq_known_fundamental},
    {"A032522", "https://oeis.org/A032522", "solutions unchanged by a half turn",
     nqi_known_half_turn},
    {"A033148", "https://oeis.org/A033148", "solutions unchanged by a quarter turn",
     nqi_known_quarter_turn},
};
enum { SEQUENCES = sizeof sequences / sizeof *sequences };

/* How many of the sequences have a number for n. */
static int table_known_at(int n) {
    int known = 0;
    for (int i = 0; i < SEQUENCES; i++) {
        uint64_t number;
        known += sequences[i].known(n, &number);
    }
    return known;
}

static int table_print_json(void) {
    json_t *sources = json_object(), *rows = json_array();
    for (int i = 0; i < SEQUENCES; i++)
        json_object_set_new(sources, sequences[i].name, json_string(sequences[i].source));
    for (int n = 0; table_known_at(n) > 0; n++) {
        json_t *row = json_pack("{s:i}", "n", n);
        uint64_t number;
        for (int i = 0; i < SEQUENCES; i++)
            if (sequences[i].known(n, &number))
                json_object_set_new(row, sequences[i].name, json_count(number));
        json_array_append_new(rows, row);
    }
    return output_json(json_pack("{s:o, s:o}", "sources", sources, "totals", rows));
}

int run_table(const struct call *call) {
    if (is_given(call, OPTION_json))
        return table_print_json();
    puts("# Known numbers: counts are checked against them, and never answered from them.");
    for (int i = 0; i < SEQUENCES; i++)
        printf("# %s: %s, %s\n", sequences[i].name, sequences[i].meaning, sequences[i].source);
    printf("  n");
    for (int i = 0; i < SEQUENCES; i++)
        printf(" %18s", sequences[i].name);
    for (int n = 0; table_known_at(n) > 0; n++) {
        printf("\n%3d", n);
        for (int i = 0; i < SEQUENCES; i++) {
            uint64_t number;
            if (sequences[i].known(n, &number))
                printf(" %18" PRIu64, number);
            else
                printf(" %18s", "-");
        }
    }
    putchar('\n');
    return EXIT_DONE;
}
