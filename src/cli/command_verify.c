/* SPDX-License-Identifier: MIT */
/* `nqueens verify`: counts every n of a range and compares with the known totals; with
 * --minutes again and again. `nqueens table`: the known numbers, of which nothing is counted.
 */
#include "cli/monitor.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "core/known.h"
#include "measure/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Counts the solutions and classes for n, and prints the result, even a wrong one: the reader
 * wants to see which counts are wrong. */
static int verify_one(const struct call *call, int n, struct table *table) {
    nq_result result = NQ_RESULT_INIT;
    nq_classes classes;
    int code = count_classes(call, n, &result, &classes);
    if ((code != EXIT_DONE && code != EXIT_WRONG) || result.kernel == NULL) /* nothing counts */
        return code;
    const bool counted = result.complete && result.verdict != NQ_WRONG;
    if (!counted) /* including a count that failed its own checks */
        result.verdict = NQ_WRONG;
    json_t *row = json_result(call, &result, counted ? &classes : NULL);
    if (code == EXIT_WRONG && !is_given(call, OPTION_json)) /* so that nobody misses it */
        json_object_set_new(row, "verdict", json_string("WRONG"));
    return table_row(table, row) == EXIT_DONE && fflush(stdout) == 0 ? code : EXIT_SYSTEM;
}

/* The output of a burn-in. */
struct burn_in_output {
    const struct call *call;
    struct table table;
    double seconds;   /* to go on for */
    double next;      /* seconds into the burn-in of the next line */
    double next_json; /* of --progress json */
    bool said;        /* what was wrong first */
    int failure;      /* exit code of an output that failed */
};

static void verify_write_burn_in(struct burn_in_output *output, const struct burn_in *b) {
    if (b->first[0] != '\0' && !output->said)
        message("%s", b->first);
    output->said = b->first[0] != '\0';
    output->failure = table_row(
        &output->table, json_pack("{s:f, s:o, s:o, s:o}", "minutes", b->seconds / 60, "counts",
                                  json_count(b->counts), "wrong", json_count(b->wrong),
                                  "units_compared", json_count(b->units)));
    if (fflush(stdout) != 0)
        output->failure = EXIT_SYSTEM;
}

/* With --progress json: as cli/monitor.c does for counts. */
static void verify_put_burn_in_json(const struct burn_in_output *output,
                                    const struct burn_in *b, bool done) {
    const double left = done ? 0 : fmax(output->seconds - b->seconds, 0);
    if (output->call->number[OPTION_progress] == PROGRESS_JSON)
        fprintf(stderr,
                "{\"phase\": \"burn-in\", \"counts\": \"%" PRIu64 "\", \"wrong\": \"%" PRIu64
                "\", \"units_compared\": \"%" PRIu64 "\", \"share\": %.6f, \"seconds\": %.3f, "
                "\"seconds_left\": %.3f, \"done\": %s}\n",
                b->counts, b->wrong, b->units, 1 - left / output->seconds, b->seconds, left,
                done ? "true" : "false");
}

/* Writes a line a minute, and at once when the first wrong count is seen. */
static bool verify_report_burn_in(void *context, const struct burn_in *so_far) {
    struct burn_in_output *output = context;
    say_warning(output->call, so_far->warning);
    if (so_far->seconds >= output->next_json) {
        verify_put_burn_in_json(output, so_far, false);
        output->next_json = so_far->seconds + 1;
    }
    const bool ends = so_far->seconds >= output->seconds; /* with a line of its own */
    if ((so_far->seconds >= output->next && !ends) || (so_far->wrong > 0 && !output->said)) {
        verify_write_burn_in(output, so_far);
        output->next = so_far->seconds + 60;
    }
    return signals_caught() == 0 && output->failure == EXIT_DONE;
}

static int verify_burn_in(const struct call *call, int first, int last) {
    static const struct column columns[] = {
        {"minutes", .width = 9, .format = "%.1f"},
        {"counts", .width = 12},
        {"wrong", .width = 8},
        {"units compared", .width = 18, .key = "units_compared"}};
    const double seconds = 60 * call->minutes;
    struct burn_in_output output = {
        .call = call, .table = table_of(call, columns, 4), .seconds = seconds, .next = 60};
    const struct burn_in_request request = {.first = first,
                                            .last = last,
                                            .seconds = seconds,
                                            .report = verify_report_burn_in,
                                            .context = &output};
    struct burn_in result;
    struct failure failure = {0};
    const nq_status status = nqi_burn_in(&request, &call->options, &result, &failure);
    if (status != NQ_OK && status != NQ_CANCELLED && status != NQ_MISMATCH)
        return say_options_failure(call, status, &failure);
    if (status == NQ_OK)
        verify_put_burn_in_json(&output, &result, true);
    if (output.failure == EXIT_DONE)
        verify_write_burn_in(&output, &result);
    const int interrupted = say_interrupted();
    if (status == NQ_MISMATCH)
        return EXIT_WRONG;
    if (interrupted != EXIT_DONE || output.failure != EXIT_DONE)
        return interrupted != EXIT_DONE ? interrupted : output.failure;
    if (result.counts > 0)
        return EXIT_DONE;
    return usage_error("--minutes: '%g': too short to count one board: nothing is verified",
                       call->minutes);
}

int run_verify(const struct call *call) {
    int first = (int)call->number[OPTION_from], last = (int)call->number[OPTION_to];
    if (call->argument_count == 1 && (is_given(call, OPTION_from) || is_given(call, OPTION_to)))
        return usage_error("'--from' and '--to' do not go with a range, here '%.60s'",
                           call->arguments[0]);
    if (call->argument_count == 1 &&
        !read_range(call->arguments[0], 0, NQ_MAX_KNOWN_N, &first, &last))
        return usage_error("verify: '%.60s': expected a range such as 4..17, of whole numbers "
                           "from 0 to %d",
                           call->arguments[0], NQ_MAX_KNOWN_N);
    if (first > last)
        return usage_error("verify: --from %d is above --to %d", first, last);
    signals_catch();
    if (is_given(call, OPTION_minutes))
        return verify_burn_in(call, first, last);
    static const struct column columns[] = {{"n", .width = 2},
                                            {"solutions", .width = 20},
                                            {"classes", .width = 18, .key = "fundamental"},
                                            {"seconds", .width = 10, .format = "%.3f"},
                                            {"verdict", .width = -8}};
    struct table table = table_of(call, columns, 5);
    int worst = EXIT_DONE, code = EXIT_DONE;
    for (int n = first; n <= last && (code == EXIT_DONE || code == EXIT_WRONG); n++) {
        code = n > first ? say_interrupted() : EXIT_DONE;
        if (code == EXIT_DONE)
            code = verify_one(call, n, &table);
        if (worst != EXIT_WRONG) /* nothing is worse */
            worst = code;
    }
    return worst;
}

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

/* The numbers that are known for n; none has only "n". */
static json_t *table_known_at(int n) {
    json_t *row = json_pack("{s:i}", "n", n);
    uint64_t number;
    for (int i = 0; i < SEQUENCES; i++)
        if (sequences[i].known(n, &number))
            json_object_set_new(row, sequences[i].name, json_count(number));
    return row;
}

static json_t *table_document(void) {
    json_t *sources = json_object(), *rows = json_array(), *row;
    for (int i = 0; i < SEQUENCES; i++)
        json_object_set_new(sources, sequences[i].name, json_string(sequences[i].source));
    for (int n = 0; json_object_size(row = table_known_at(n)) > 1; n++)
        json_array_append_new(rows, row);
    json_decref(row);
    return json_pack("{s:o, s:o}", "sources", sources, "totals", rows);
}

int run_table(const struct call *call) {
    json_t *document = table_document(), *row;
    if (is_given(call, OPTION_json))
        return output_document(document, true);
    struct column columns[1 + SEQUENCES] = {{"n", .width = 3}};
    struct table table = table_of(call, columns, 1 + SEQUENCES);
    for (int i = 0; i < SEQUENCES; i++)
        columns[1 + i] = (struct column){sequences[i].name, .width = 18};
    if (table.form == TABLE_TEXT)
        puts("# Known numbers: counts are checked against them, and never answered from them.");
    for (int i = 0; i < SEQUENCES && table.form == TABLE_TEXT; i++)
        printf("# %s: %s, %s\n", sequences[i].name, sequences[i].meaning, sequences[i].source);
    size_t n;
    json_array_foreach(json_object_get(document, "totals"), n, row)
        table_row(&table, json_incref(row));
    json_decref(document);
    return EXIT_DONE;
}
