/* How honest are estimates of real boards? Reads from the ledger of a whole count what each
 * unit took, estimates the sum many times, as `nqueens estimate` would, and compares with the
 * sum.
 *
 *     simulate-estimates LEDGER DRAWS|ERROR%...
 *
 * DRAWS: estimates of so many draws. ERROR%: estimates that end when the interval is so narrow.
 * A line for each, with all units in the frame. If there are many, another one with a part of
 * them, as for boards whose units are not listed.
 */
#include "ledger/job.h"
#include "measure/sample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { ESTIMATES = 1000 };

struct board {
    const struct partition *partition;
    double *seconds; /* [unit] */
    double total;
    uint64_t recorded;
};

static nq_status read_unit(void *context, const struct row *row) {
    struct board *board = context;
    const double seconds = 1e-9 * (double)row->value[UNIT_NANOSECONDS].number;
    board->seconds[row->value[UNIT_ID].number] = seconds;
    board->total += seconds;
    board->recorded++;
    return NQ_OK;
}

static double cost(void *context, uint64_t id) {
    const struct board *board = context;
    return (double)board->partition->units[id].cost;
}

/* Draws more units, and looks up their times. */
static void measure(const struct board *board, struct sample *sample, uint64_t draws) {
    for (; draws > 0; draws--) {
        const uint64_t position = nqi_sample_draw(sample), unit = sample->unit[position];
        if (sample->hits[position] == 1)
            nqi_sample_add(sample, unit, board->seconds[unit]);
    }
}

/* Estimates with so many draws, or, if there is an error to aim at, until it is reached. */
static struct sample_total estimate(const struct board *board, uint64_t frame, uint64_t draws,
                                    double error) {
    struct sample_random random;
    struct sample sample;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random ||
        !nqi_sample_begin(board->partition->unit_count, frame, cost, (void *)board, &random,
                          &sample))
        exit(2);
    measure(board, &sample, draws);
    struct sample_total total = nqi_sample_total(&sample);
    const struct sample_aim aim = {.seconds = 1e9, .error = error, .threads = INT32_MAX};
    struct sample_total endless = total;
    for (uint64_t more; error > 0; total = endless) {
        endless.seconds = HUGE_VAL; /* never worth measuring all units */
        more = nqi_sample_more(&sample, &endless, &aim, 1);
        if (more == 0)
            break;
        measure(board, &sample, more);
        endless = nqi_sample_total(&sample);
    }
    nqi_sample_end(&sample);
    return total;
}

static void print_line(const struct board *board, uint64_t frame, const char *size) {
    const bool aims = strchr(size, '%') != NULL;
    const double error = aims ? strtod(size, NULL) / 100 : 0;
    const uint64_t draws = aims ? 4 : strtoull(size, NULL, 10);
    double sum = 0, squares = 0, interval = 0;
    int inside = 0;
    for (int i = 0; i < ESTIMATES; i++) {
        const struct sample_total total = estimate(board, frame, draws, error);
        const double off = total.seconds / board->total - 1;
        sum += off;
        squares += off * off;
        interval += total.error;
        inside += fabs(total.seconds - board->total) <= total.error * total.seconds;
    }
    printf("| %d | %" PRIu64 " of %" PRIu64
           " | %s | %+.2f ± %.2f %% | %.2f %% | %.2f %% | %.1f %% |\n",
           board->partition->n, frame, board->partition->unit_count, size,
           100 * sum / ESTIMATES, 100 * sqrt(squares) / ESTIMATES,
           100 * sqrt(squares / ESTIMATES), 100 * interval / ESTIMATES,
           100.0 * inside / ESTIMATES);
    fflush(stdout);
}

int main(int count, char **arguments) {
    struct failure failure = {0};
    struct ledger *ledger = NULL;
    struct partition *partition = NULL;
    if (count < 3) {
        fprintf(stderr, "usage: simulate-estimates LEDGER DRAWS|ERROR%%...\n");
        return 2;
    }
    nq_status status = nqi_ledger_open(arguments[1], LEDGER_READ, &ledger, &failure);
    if (status == NQ_OK)
        status = nqi_ledger_partition(ledger, &partition);
    struct board board = {.partition = partition};
    if (status == NQ_OK) {
        board.seconds = calloc(partition->unit_count + 1, sizeof *board.seconds);
        status = board.seconds == NULL
                     ? NQ_NO_MEMORY
                     : nqi_ledger_each(ledger, TABLE_UNIT, read_unit, &board, &failure);
    }
    if (status != NQ_OK || partition->units == NULL ||
        board.recorded != partition->unit_count) {
        fprintf(stderr, "simulate-estimates: %s: %s\n", arguments[1],
                status != NQ_OK ? nq_status_text(status) : "not the whole of a board");
        return 1;
    }
    puts("| n | frame | draws | mean off | root mean square off | interval, ± | inside |\n"
         "| --- | --- | --- | --- | --- | --- | --- |");
    for (int i = 2; i < count; i++) {
        print_line(&board, partition->unit_count, arguments[i]);
        if (partition->unit_count > SAMPLE_FRAME)
            print_line(&board, SAMPLE_FRAME, arguments[i]);
    }
    free(board.seconds);
    partition_close(partition);
    nqi_ledger_close(ledger);
    return 0;
}
