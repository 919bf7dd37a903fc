/* SPDX-License-Identifier: MIT */
/* Counts with every method and kernel, unit by unit, and writes TAP. Its sources are
 * compiled again for it: see meson.build. */
#include "colours/colours.h"
#include "colours/completer.h"
#include "engine/methods.h"
#include "implementations.h"
#include "tap.h"

#include <inttypes.h>

enum { LARGEST = 14 };

/* Adds up all units of a job. */
static uint64_t count(int n, const nq_options *options) {
    struct failure failure = {0};
    struct partition *partition;
    struct solver *solver;
    uint64_t sum = 0;
    const nq_status opened = nqi_solver_open(n, options, &partition, &solver, &failure);
    EXPECT(opened == NQ_OK, "n = %d, %s: %s", n, options->kernel, failure.text);
    if (opened != NQ_OK)
        return 0;
    void *worker = solver->call->worker_new(solver);
    for (uint64_t id = 0; id < partition->job.units; id++) {
        struct unit_result result;
        EXPECT(solver->call->solve(solver, worker, id, NULL, &result) == NQ_OK,
               "n = %d, unit %" PRIu64, n, id);
        sum += partition->units[id].weight * result.solutions;
    }
    solver->call->worker_free(worker);
    solver_close(solver);
    partition_close(partition);
    return sum;
}

struct first_list *__real_nqi_first_list_new(const struct colour *colour, uint32_t rows,
                                             const struct column_ranks *ranks);
struct first_list *__wrap_nqi_first_list_new(const struct colour *colour, uint32_t rows,
                                             const struct column_ranks *ranks);
static unsigned lists_made;

struct first_list *__wrap_nqi_first_list_new(const struct colour *colour, uint32_t rows,
                                             const struct column_ranks *ranks) {
    lists_made++;
    return __real_nqi_first_list_new(colour, rows, ranks);
}

/* Threads of the largest boards shed lists; here one does so before each X. */
static void shed_lists(int n, const struct implementation *kernel) {
    struct partition *partition = nqi_colours_partition(n, nqi_colours_plans[0]);
    const struct colours_unit *unit = ((struct colours_partition *)partition)->unit;
    struct solver *solver = nqi_colours_solver(partition, kernel, n - 1, 0),
                  *plain = nqi_colours_plain_solver(partition, NULL);
    void *worker = solver->call->worker_new(solver);
    for (uint64_t id = 0; id < partition->job.units; id++) {
        struct unit_result found, expected;
        const unsigned before = lists_made;
        EXPECT(solver->call->solve(solver, worker, id, NULL, &found) == NQ_OK &&
                   plain->call->solve(plain, NULL, id, NULL, &expected) == NQ_OK &&
                   found.solutions == expected.solutions,
               "n = %d, %s, unit %" PRIu64, n, kernel->name, id);
        EXPECT(lists_made - before <= 1 + unit[id].sets,
               "n = %d, unit %" PRIu64 ": its shared list was made again", n, id);
    }
    solver->call->worker_free(worker);
    solver_close(plain);
    solver_close(solver);
    partition_close(partition);
}

int main(void) {
    const struct method *method;
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++) {
        for (const struct implementation *kernel = NULL;
             (kernel = implementation_after(method->kernels, kernel)) != NULL;) {
            for (int n = 0; n <= LARGEST; n++) {
                const nq_options options = {.method = method->name, .kernel = kernel->name};
                uint64_t known;
                const uint64_t sum = count(n, &options);
                EXPECT(nq_known_total(n, &known) && sum == known,
                       "n = %d, %s: %" PRIu64 " solutions", n, kernel->name, sum);
            }
            char name[64];
            snprintf(name, sizeof name, "%s with %s, n = 0 to %d", method->name, kernel->name,
                     LARGEST);
            end_case(name);
        }
    }
    for (const struct implementation *kernel = NULL;
         (kernel = implementation_after(nqi_completer_list, kernel)) != NULL;)
        for (int n = 13; n <= 14; n++)
            shed_lists(n, kernel);
    end_case("colours sheds all lists but the unit's shared one, n = 13 and 14");
    return end_cases();
}
