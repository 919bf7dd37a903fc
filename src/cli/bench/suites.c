#include "cli/bench/suites.h"

#include "api/choose.h"
#include "cli/bench/process.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "text/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the baseline: the textbook recursion at the same n, or at the largest that takes it
 * about a second. */
static int add_textbook(const struct bench *bench, struct trials *trials) {
    enum { ONE_SECOND_N = 15 };
    static const nq_options none = NQ_OPTIONS_INIT;
    struct trial *trial =
        trials_add(trials, bench->n < ONE_SECOND_N ? bench->n : ONE_SECOND_N, &none);
    if (trial == NULL)
        return out_of_memory();
    trial->textbook = true;
    snprintf(trial->label, sizeof trial->label, "textbook %d", trial->n);
    snprintf(trial->name, sizeof trial->name, "textbook/n:%d", trial->n);
    return EXIT_DONE;
}

static int add(const struct bench *bench, struct trials *trials, const nq_options *options,
               const char *label) {
    struct trial *trial = trials_add(trials, bench->n, options);
    if (trial == NULL)
        return out_of_memory();
    snprintf(trial->label, sizeof trial->label, "%s", label);
    snprintf(trial->name, sizeof trial->name, "%s/%s/n:%d", bench->suite, label, bench->n);
    return EXIT_DONE;
}

static int make_kernels(const struct bench *bench, struct trials *trials) {
    int code = add_textbook(bench, trials);
    const char *method = bench->call->options.method;
    if (method == NULL || strcmp(method, "auto") == 0)
        method = "search"; /* it runs its kernels on the most CPUs */
    struct kernel_info kernel;
    for (size_t i = 0; code == EXIT_DONE && nqi_kernel_info_at(method, i, &kernel); i++) {
        nq_options options = bench->call->options;
        options.kernel = kernel.name;
        if (kernel.runs_here)
            code = add(bench, trials, &options, kernel.name);
    }
    return code;
}

static int make_plans(const struct bench *bench, struct trials *trials) {
    int code = add_textbook(bench, trials);
    struct plan_info plan;
    for (size_t i = 0; nqi_plan_info_at("search", i, &plan); i++)
        for (int depth = plan.min_depth; code == EXIT_DONE && depth <= plan.max_depth;
             depth++) {
            nq_options options = bench->call->options;
            char label[32];
            options.method = "search";
            options.plan = plan.name;
            options.depth = depth;
            if (depth > 0)
                snprintf(label, sizeof label, "%s %d", plan.name, depth);
            else
                snprintf(label, sizeof label, "%s", plan.name);
            code = add(bench, trials, &options, label);
        }
    return code;
}

/* A kernel may run one method and not another: says so before anything is measured. */
static int try_method(const struct bench *bench, const nq_options *options) {
    struct settings settings;
    nq_status status = nqi_choose_settings(0, options, &settings);
    return status == NQ_OK ? EXIT_DONE : say_options_failure(bench->call, status);
}

static int make_methods(const struct bench *bench, struct trials *trials) {
    int code = add_textbook(bench, trials);
    struct method_info method;
    for (size_t i = 0; code == EXIT_DONE && nqi_method_info_at(i, &method); i++) {
        nq_options options = bench->call->options;
        options.method = method.name;
        code = try_method(bench, &options);
        if (code == EXIT_DONE)
            code = add(bench, trials, &options, method.name);
    }
    return code;
}

static int make_versus(const struct bench *bench, struct trials *trials) {
    const struct call *call = bench->call;
    if (call->peer_count == 0)
        return usage_error("bench versus: give the other program: --peer 'COMMAND {n}'");
    int code = add(bench, trials, &call->options, "nqueens");
    if (code == EXIT_DONE)
        trials->trial[0].whole_process = true;
    for (int i = 0; code == EXIT_DONE && i < call->peer_count; i++) {
        char label[16];
        snprintf(label, sizeof label, "peer-%d", i + 1);
        code = add(bench, trials, &call->options, label);
        if (code != EXIT_DONE)
            break;
        struct trial *trial = &trials->trial[trials->count - 1];
        trial->options.threads = 0; /* the peer's choice */
        nqi_escape_text(call->peers[i], trial->label, sizeof trial->label);
        if (strstr(call->peers[i], "{n}") == NULL)
            return usage_error("--peer: '%.60s': expected {n} in place of the board's size",
                               call->peers[i]);
        trial->command = command_for(call->peers[i], bench->n);
        if (trial->command == NULL)
            return out_of_memory();
    }
    return code;
}

int make_trials(enum action_id suite, const struct bench *bench, struct trials *trials) {
    static int (*const make[ACTIONS])(const struct bench *bench, struct trials *trials) = {
        [ACTION_bench_kernels] = make_kernels, [ACTION_bench_plans] = make_plans,
        [ACTION_bench_methods] = make_methods, [ACTION_bench_scaling] = make_scaling,
        [ACTION_bench_versus] = make_versus,
    };
    return make[suite](bench, trials);
}
