/* SPDX-License-Identifier: MIT */
#include "calls.h"
#include "faults.h"

#include <string.h>

static void request_board(struct request *r, uint8_t a) {
    uint64_t seed = a;
    char *at = r->board;
    for (int i = 0; i < r->n * r->n; i++) {
        const int dice = (int)(random_next(&seed) % 40);
        r->squares[i] = dice < 2 ? 'Q' : dice < 8 ? '*' : '.';
        r->has_board |= r->squares[i] != '.';
        *at++ = r->squares[i];
        if ((i + 1) % r->n == 0)
            *at++ = '\n';
    }
    if (a >= 240) {
        *at = a % 2 == 0 ? '.' : 'z';
        r->must |= BIT(NQ_BAD_OPTION);
    }
    r->options.known.board = r->board;
    truth_find(r->n, r->squares, &r->of_board);
    r->truth = &r->of_board;
}

static void request_kernel(struct request *r, uint8_t a) {
    static char words[sizeof machine.kernels];
    const char *word[8];
    int count = 0;
    if (words[0] == '\0')
        for (char *at = strcpy(words, machine.kernels); (at = strchr(at, ' ')) != NULL;)
            *at++ = '\0';
    for (const char *at = words; count == 0 || at < words + strlen(machine.kernels);
         at += strlen(at) + 1)
        word[count++] = at;
    if (a / 4 % 8 >= 4)
        r->options.known.kernel = word[a / 4 % 4 % count];
    if (a >= 240 && a < 248) {
        r->options.known.kernel = "scalar63";
        r->must |= BIT(NQ_NO_KERNEL);
    }
}

static void request_threads(struct request *r, uint8_t a) {
    nq_options *o = &r->options.known;
    if (a >= 250) {
        o->threads = a % 2 == 0 ? -1 : NQ_MAX_THREADS + 1;
        r->must |= BIT(NQ_BAD_OPTION);
        return;
    }
    o->threads = a % 4;
    o->bind = a / 4 % 4 == 3 ? NQ_BIND_LIST : a / 4 % 4;
    o->smt = (a & 16) != 0;
    snprintf(r->pus, sizeof r->pus, a / 4 % 4 == 3 ? "%d-" : "%d", first_pu);
    o->bind_list = o->bind == NQ_BIND_LIST ? r->pus : NULL;
    if (a / 4 % 4 == 3 ||
        (o->smt && (o->bind == NQ_BIND_LIST || (o->bind == NQ_BIND_NONE && o->threads != 0))))
        r->must |= BIT(NQ_BAD_OPTION);
}

static void request_size(struct request *r, uint8_t a) {
    if ((a & 32) == 0)
        return;
    r->options.known.size = a % 3 == 0 ? sizeof(nq_options) - 8 : sizeof r->options;
    r->options.later[a % 8] = a % 3 == 2;
    if (a % 3 != 1)
        r->must |= BIT(NQ_BAD_OPTION);
}

void request_make(const uint8_t *a, const char *ledger, struct request *r) {
    static const char *const methods[] = {NULL, "search", "colours", "auto"};
    *r = (struct request){.n = a[0] >= 250 ? a[0] % 2 == 0 ? -1 : NQ_MAX_N + 1
                                           : a[0] % (TOP + 1),
                          .options.known = NQ_OPTIONS_INIT};
    nq_options *o = &r->options.known;
    o->ledger = ledger;
    o->method = a[1] >= 248 ? "colour" : methods[a[1] % 4];
    r->must |= r->n < 0 || r->n > NQ_MAX_N ? BIT(NQ_BAD_N) : 0;
    r->must |= a[1] >= 248 ? BIT(NQ_BAD_OPTION) : 0;
    r->truth = &truths[r->n < 0 || r->n > TOP ? 0 : r->n];
    request_kernel(r, a[1]);
    request_threads(r, a[2]);
    if (a[3] >= 128) {
        o->shards = 1 + a[3] % 5;
        o->shard = a[3] >= 250 ? o->shards + 1 : 1 + a[3] / 5 % o->shards;
        r->must |= a[3] >= 250 ? BIT(NQ_BAD_OPTION) : 0;
    }
    request_size(r, a[4]);
    if (a[4] >= 64) {
        o->progress = watch;
        o->progress_context = &r->watch;
        o->progress_seconds = 1e-9;
        r->watch.stop_at = a[4] >= 128 ? 1 + a[4] % 16 : 0;
        r->may |= a[4] >= 128 ? BIT(NQ_CANCELLED) : 0;
    }
    /* On a board of one square a queen stands where it must: it counts as empty. */
    if (ledger == NULL && a[5] % 2 != 0 && r->n > 1 && r->n <= 6)
        request_board(r, a[5]);
    if (r->has_board && o->method != NULL && strcmp(o->method, "colours") == 0)
        r->must |= BIT(NQ_BAD_OPTION);
}

void request_say_options(const struct request *r) {
    const nq_options *o = &r->options.known;
#define TEXT(name)   (o->name != NULL ? SAY(", ." #name " = \"%s\"", o->name) : 0)
#define NUMBER(name) (o->name != 0 ? SAY(", ." #name " = %d", (int)o->name) : 0)
    SAY("&(nq_options){.size = %zu", o->size);
    TEXT(method), TEXT(kernel), NUMBER(threads), NUMBER(bind), TEXT(bind_list), NUMBER(smt);
    NUMBER(shard), NUMBER(shards), TEXT(ledger);
    if (o->board != NULL) {
        SAY(", .board = \"");
        for (const char *at = o->board; *at != '\0'; at++)
            SAY(*at == '\n' ? "\\n" : "%c", *at);
        SAY("\"");
    }
    if (o->progress != NULL)
        SAY(", WATCHED_BY(&(struct watch){.stop_at = %d})", r->watch.stop_at);
    SAY("}");
}

void request_say(const struct request *r) {
    SAY("nq_count_solutions(%d, ", r->n);
    request_say_options(r);
    SAY(", &result);");
}

bool judge(nq_status status, unsigned must, unsigned may, const char *call) {
    const unsigned allowed = must != 0 ? must | may : BIT(NQ_OK) | may;
    SAY(" /* %d %s */\n", (int)status, nq_error_message());
    return ((allowed >> status & 1) != 0 ||
            wrong("%s returned %d (%s), which is not in the set %#x", call, (int)status,
                  nq_error_message(), allowed)) &&
           HOLDS((status == NQ_OK) == (nq_error_message()[0] == '\0'));
}

bool request_run(struct request *r, const char *method) {
    const nq_options *o = &r->options.known;
    const nq_result *got = &r->result;
    if (o->method != NULL && strcmp(o->method, "auto") != 0)
        method = o->method;
    else if (r->has_board)
        method = "search";
    if (o->kernel != NULL && strcmp(method, "search") == 0)
        r->may |= BIT(NQ_NO_KERNEL);
    request_say(r);
    r->result = (nq_result)NQ_RESULT_INIT;
    r->watch.calls = 0;
    r->status = nq_count_solutions(r->n, o, &r->result);
    const unsigned may = r->may | fault_statuses();
    if (!judge(r->status, r->must, may, "nq_count_solutions") || !HOLDS(!r->watch.wrong))
        return false;
    if (r->status != NQ_OK)
        return HOLDS(!got->complete) && HOLDS(got->solutions == 0);
    static uint64_t work[TOP + 1][2];
    uint64_t *all = &work[r->n][strcmp(method, "search") == 0];
    const uint64_t solutions = (uint64_t)r->truth->count;
    if (!HOLDS(got->job.n == r->n) || !HOLDS(strcmp(got->job.method, method) == 0) ||
        !HOLDS(got->solutions <= solutions) || !HOLDS(got->units_done <= got->units) ||
        !HOLDS(got->complete == (got->units_done == got->job.units)) ||
        !HOLDS(o->shard > 0 || got->complete) ||
        !HOLDS(!got->complete || got->solutions == solutions) ||
        !HOLDS(got->verdict ==
               (got->complete && !r->has_board ? NQ_VERIFIED : NQ_UNVERIFIED)) ||
        !HOLDS(o->threads == 0 || got->threads == o->threads || got->threads == 0) ||
        !HOLDS(o->ledger != NULL || got->units_done == got->units))
        return false;
    if (!got->complete || r->has_board)
        return true;
    *all = *all == 0 ? got->work : *all;
    return HOLDS(*all == got->work);
}

/* A shard: all shards are counted, and make the whole. */
bool step_count(const uint8_t *a) {
    struct request r;
    uint64_t solutions = 0, units = 0;
    int counted = 0;
    request_make(a, NULL, &r);
    const int shards = r.must == 0 ? r.options.known.shards : 0;
    for (int shard = 1; shard <= (shards > 0 ? shards : 1); shard++) {
        r.options.known.shard = shards > 0 ? shard : r.options.known.shard;
        if (!request_run(&r, "colours"))
            return false;
        counted += r.status == NQ_OK;
        solutions += r.result.solutions;
        units += r.result.units_done;
    }
    return counted < shards || shards == 0 ||
           (HOLDS(solutions == (uint64_t)r.truth->count) && HOLDS(units == r.result.job.units));
}

bool step_machine(const uint8_t *a) {
    const uint8_t own[6] = {0, 0, a[2], 0, a[4] & 63};
    struct request r;
    nq_place places[4];
    nq_machine got = NQ_MACHINE_INIT;
    request_make(own, NULL, &r);
    if (a[5] % 8 == 7) {
        got.size--;
        r.must |= BIT(NQ_BAD_OPTION);
    }
    SAY("nq_describe_machine(&options, &machine, places, 4);");
    const nq_options *o = &r.options.known;
    const nq_status status = nq_describe_machine(o, &got, places, 4);
    if (!judge(status, r.must, fault_statuses(), "nq_describe_machine") || status != NQ_OK)
        return shared->problem[0] == '\0';
    return HOLDS(o->threads == 0 || got.threads == o->threads) && HOLDS(got.threads >= 1) &&
           HOLDS(strcmp(got.kernels, machine.kernels) == 0) && HOLDS(got.pus == machine.pus) &&
           HOLDS((places[0].pu < 0) == (o->bind == NQ_BIND_NONE)) &&
           HOLDS(o->bind != NQ_BIND_LIST || places[0].pu == first_pu);
}
