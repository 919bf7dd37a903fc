/* `nqueens bench kernels|plans|methods|scaling|versus N` */
#include "cli/bench/export.h"
#include "cli/bench/report.h"
#include "cli/buffer.h"
#include "cli/counting.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/signals.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int by_number(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

/* Sorts the numbers of threads and drops repeated ones. */
static void sort_threads(struct bench *bench) {
    size_t kept = 0;
    qsort(bench->threads, bench->thread_count, sizeof *bench->threads, by_number);
    for (size_t i = 0; i < bench->thread_count; i++)
        if (i == 0 || bench->threads[i] != bench->threads[kept - 1])
            bench->threads[kept++] = bench->threads[i];
    bench->thread_count = kept;
}

/* "1,2,4-8" */
static bool read_threads(const char *text, struct bench *bench) {
    char word[16];
    for (const char *next = text; next != NULL;) {
        size_t length = strcspn(next, ",");
        if (length >= sizeof word)
            return false;
        memcpy(word, next, length);
        word[length] = '\0';
        next = next[length] == ',' ? next + length + 1 : NULL;
        int first, last;
        char *dash = strchr(word, '-');
        if (dash != NULL)
            *dash++ = '\0';
        if (!read_number(word, 1, NQ_MAX_THREADS, &first) ||
            !read_number(dash != NULL ? dash : word, first, NQ_MAX_THREADS, &last))
            return false;
        for (; first <= last; first++) {
            if (bench->thread_count == MAX_LISTED_THREADS)
                return false;
            bench->threads[bench->thread_count++] = first;
        }
    }
    sort_threads(bench);
    return true;
}

/* Parses the call into `bench`. The call is run_bench's own copy and gets the threads. */
static int parse_call(struct call *call, struct bench *bench) {
    bench->call = call;
    bench->suite = action_rows[call->action].name;
    if (call->argument_count != 2)
        return usage_error("bench %s: expected one N, a whole number from 0 to %d",
                           bench->suite, NQ_MAX_N);
    if (!read_number(call->arguments[1], 0, NQ_MAX_N, &bench->n))
        return usage_error("N: '%.60s': expected a whole number from 0 to %d",
                           call->arguments[1], NQ_MAX_N);
    bool several = call->action == ACTION_bench_scaling;
    if (call->thread_list != NULL &&
        (!read_threads(call->thread_list, bench) || (!several && bench->thread_count > 1)))
        return usage_error("--threads: '%.60s': expected %s", call->thread_list,
                           several ? "up to 256 numbers from 1 to 4096, such as 1,2,4-8"
                                   : "a whole number from 1 to 4096");
    if (bench->thread_count > 0 && !several)
        call->options.threads = bench->threads[0];
    return try_options(call); /* before anything is printed */
}

/* Finds all PUs that a count may use, cores first. */
static int describe_machine(struct bench *bench) {
    nq_options options = bench->call->options;
    options.threads = 0;
    options.smt = options.bind == NQ_BIND_AUTO;
    bench->machine = (nq_machine)NQ_MACHINE_INIT;
    bench->places = calloc(NQ_MAX_THREADS, sizeof *bench->places);
    if (bench->places == NULL)
        return out_of_memory();
    nq_status status =
        nq_describe_machine(&options, &bench->machine, bench->places, NQ_MAX_THREADS);
    if (status == NQ_OK && options.smt && bench->machine.pus > bench->machine.threads) {
        options.threads = bench->machine.pus; /* more than the CPU quota allows at a time */
        status = nq_describe_machine(&options, &bench->machine, bench->places, NQ_MAX_THREADS);
    }
    return status == NQ_OK ? EXIT_DONE : say_failure(status);
}

static int cannot_write(const char *file) {
    message("'%.100s': cannot be written: %s", file, strerror(errno));
    return EXIT_SYSTEM;
}

/* Checks that the output can be written, before anything is measured. Leaves no new file. */
static int check_output(const struct call *call) {
    if (call->output == NULL)
        return EXIT_DONE;
    FILE *stream = fopen(call->output, "ax"); /* x: fails if it exists */
    bool is_new = stream != NULL;
    if (!is_new && errno == EEXIST)
        stream = fopen(call->output, "a");
    if (stream == NULL)
        return cannot_write(call->output);
    bool fine = fclose(stream) == 0 && (!is_new || unlink(call->output) == 0);
    return fine ? EXIT_DONE : cannot_write(call->output);
}

/* .csv and .md: tables; any other name: JSON. */
static int write_file(const char *file, const struct bench *bench,
                      const struct conditions *conditions, const struct trials *trials,
                      const json_t *document) {
    const char *end = strrchr(file, '.');
    struct buffer buffer;
    bool whole = buffer_open(&buffer);
    if (whole && end != NULL && strcasecmp(end, ".csv") == 0)
        export_csv(trials, buffer.stream);
    else if (whole && end != NULL && strcasecmp(end, ".md") == 0)
        export_markdown(bench, conditions, trials, buffer.stream);
    else if (whole)
        whole =
            json_dumpf(document, buffer.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    whole = whole && buffer_close(&buffer);
    int code = whole ? buffer_save(&buffer, file) : out_of_memory();
    buffer_free(&buffer);
    return code;
}

static int report(const struct bench *bench, const struct conditions *conditions,
                  const struct trials *trials) {
    const struct call *call = bench->call;
    int code = EXIT_DONE;
    if (!call->quiet)
        conditions_say(conditions);
    if (!call->json)
        report_table(bench, trials);
    if (!call->json && call->output == NULL)
        return code;
    json_t *document = report_json(bench, conditions, trials);
    if (document == NULL)
        return out_of_memory();
    if (call->output != NULL)
        code = write_file(call->output, bench, conditions, trials, document);
    if (!call->json) {
        json_decref(document);
        return code;
    }
    int printed = output_json(document); /* even if the file could not be written */
    return code != EXIT_DONE ? code : printed;
}

int run_bench(const struct call *given) {
    struct call call = *given;
    struct bench bench = {0};
    int code = parse_call(&call, &bench);
    if (code != EXIT_DONE)
        return code;
    code = check_output(&call);
    if (code != EXIT_DONE)
        return code;
    signals_catch();
    struct conditions conditions = {0};
    struct trials trials = {.repeat = call.repeat};
    code = describe_machine(&bench);
    if (code == EXIT_DONE && !conditions_look(&bench, &conditions))
        code = out_of_memory();
    if (code == EXIT_DONE)
        code = make_trials(call.action, &bench, &trials);
    if (code == EXIT_DONE)
        code = trials_run(&trials, &call);
    if (code == EXIT_DONE) {
        conditions_judge(&conditions, &trials);
        code = json_is_whole() ? report(&bench, &conditions, &trials) : out_of_memory();
    }
    conditions_free(&conditions);
    trials_free(&trials);
    free(bench.places);
    return code;
}
