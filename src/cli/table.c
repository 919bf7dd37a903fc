/* `nqueens table`: the known totals. Nothing is counted. */
#include "cli/message.h"
#include "cli/output.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const total_source = "https://oeis.org/A000170";
static const char *const fundamental_source = "https://oeis.org/A002562";

static int print_json(void) {
    json_t *rows = json_array();
    for (int n = 0; n <= NQ_MAX_KNOWN_N; n++) {
        uint64_t number;
        json_t *row = json_pack("{s:i}", "n", n);
        if (nq_known_total(n, &number))
            json_object_set_new(row, "A000170", json_count(number));
        if (nq_known_fundamental(n, &number))
            json_object_set_new(row, "A002562", json_count(number));
        json_array_append_new(rows, row);
    }
    return output_json(json_pack("{s:{s:s, s:s}, s:o}", "sources", "A000170", total_source,
                                 "A002562", fundamental_source, "totals", rows));
}

int run_table(const struct call *call) {
    if (call->argument_count > 0)
        return usage_error("table: '%.60s': takes no arguments", call->arguments[0]);
    if (call->json)
        return print_json();
    printf("# Known totals; they check counts and never answer one.\n"
           "# A000170: all placements, %s\n"
           "# A002562: placements that differ under the square's symmetries, %s\n"
           "# n            A000170            A002562\n",
           total_source, fundamental_source);
    for (int n = 0; n <= NQ_MAX_KNOWN_N; n++) {
        uint64_t total, fundamental;
        nq_known_total(n, &total);
        printf("%3d %18" PRIu64, n, total);
        if (nq_known_fundamental(n, &fundamental))
            printf(" %18" PRIu64, fundamental);
        else
            printf(" %18s", "-"); /* the sequence starts at 1 */
        putchar('\n');
    }
    return EXIT_DONE;
}
