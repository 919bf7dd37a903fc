#include "cli/solutions/listing.h"

#include "solutions/list.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* TEXT_LIMIT: bytes of text after which a part waits for its turn, checked after every
 * CHECK_INTERVAL solutions of at most SOLUTION_SIZE bytes each. PARTS_AHEAD: parts per thread
 * that may be taken but not yet written. */
enum { TEXT_LIMIT = 1 << 20, CHECK_INTERVAL = 64, SOLUTION_SIZE = 2048, PARTS_AHEAD = 4 };
enum { TEXT_SIZE = TEXT_LIMIT + CHECK_INTERVAL * SOLUTION_SIZE + 1 };

/* One thread lists smaller boards: that takes a few milliseconds, as long as reading the
 * machine's topology. */
enum { SMALL_N = 12 };

struct part {
    char *text; /* TEXT_SIZE bytes, kept for later parts; NULL: none yet */
    size_t size;
    bool ended;
};

/* The lock protects all members but `listing`. */
struct lister {
    const struct listing *listing;
    int rows;              /* first rows, whose queens make a part */
    int columns[NQ_MAX_N]; /* of the part taken last */
    pthread_mutex_t lock;
    pthread_cond_t moved;    /* `written` or `over` changed */
    uint64_t taken, written; /* parts */
    bool all_taken;
    struct part *part; /* ring buffer: the k-th part is part[k % slots] */
    uint64_t slots;
    bool writing; /* a thread writes ended parts */
    bool started; /* something was written */
    bool over;    /* give_up was called */
    int error;    /* errno of the write that failed */
    nq_status status;
};

/* Rows that cut the list into parts of some thousand solutions (measured: docs/solutions.md).
 */
static int rows_of(int n) {
    return (n - 8) / 2;
}

/* Whether no queen above attacks the queen of a row. */
static bool is_free(const int *columns, int row) {
    for (int above = 0; above < row; above++) {
        int apart = abs(columns[row] - columns[above]);
        if (apart == 0 || apart == row - above)
            return false;
    }
    return true;
}

/* Steps to the next part. Returns false if there is none. */
static bool next_part(struct lister *lister) {
    int *columns = lister->columns, n = lister->listing->n;
    if (lister->rows == 0)
        return lister->taken == 0;
    int row = lister->taken == 0 ? 0 : lister->rows - 1;
    for (;;) {
        if (++columns[row] > n) {
            columns[row] = 0;
            if (row-- == 0)
                return false;
        } else if (is_free(columns, row) && ++row == lister->rows) {
            return true;
        }
    }
}

/* Waits for a free slot and takes the next part. Returns false if there is none, or after
 * give_up. */
static bool take_part(struct lister *lister, uint64_t *number, int *columns) {
    pthread_mutex_lock(&lister->lock);
    while (!lister->over && lister->taken - lister->written == lister->slots)
        pthread_cond_wait(&lister->moved, &lister->lock);
    bool taken = !lister->over && !lister->all_taken && next_part(lister);
    lister->all_taken = !taken;
    if (taken) {
        *number = lister->taken++;
        for (int row = 0; row < lister->rows; row++)
            columns[row] = lister->columns[row];
    }
    pthread_mutex_unlock(&lister->lock);
    return taken;
}

/* Ends the list: memory ran out, or stdout failed. Called with the lock held. */
static void give_up(struct lister *lister, nq_status status) {
    if (!lister->over)
        lister->status = status;
    lister->over = true;
    pthread_cond_broadcast(&lister->moved);
}

/* Writes a part's text. Called with the lock held, and releases it meanwhile: no other thread
 * writes, since it is this part's turn, and `writing` is set or the part has not ended. */
static void write_text(struct lister *lister, struct part *part) {
    size_t skipped = lister->listing->separated && !lister->started && part->size > 0 ? 1 : 0;
    lister->started = lister->started || part->size > 0;
    pthread_mutex_unlock(&lister->lock);
    bool written =
        fwrite(part->text + skipped, 1, part->size - skipped, stdout) == part->size - skipped;
    int error = errno;
    pthread_mutex_lock(&lister->lock);
    if (!written) {
        lister->error = error;
        give_up(lister, NQ_OK);
    }
}

/* Waits for the turn of a part whose buffer is full, and writes the buffer. Returns false after
 * give_up. */
static bool write_early(struct lister *lister, uint64_t number, struct part *part) {
    pthread_mutex_lock(&lister->lock);
    while (!lister->over && (lister->written != number || lister->writing))
        pthread_cond_wait(&lister->moved, &lister->lock);
    if (!lister->over)
        write_text(lister, part);
    bool go_on = !lister->over;
    pthread_mutex_unlock(&lister->lock);
    return go_on;
}

/* Marks a part as ended, and writes all ended parts whose turn it is. */
static void end_part(struct lister *lister, struct part *ended) {
    pthread_mutex_lock(&lister->lock);
    ended->ended = true;
    if (!lister->writing) {
        lister->writing = true;
        struct part *part;
        while (part = &lister->part[lister->written % lister->slots], part->ended) {
            if (!lister->over)
                write_text(lister, part);
            part->ended = false;
            lister->written++;
            pthread_cond_broadcast(&lister->moved);
        }
        lister->writing = false;
        pthread_cond_broadcast(&lister->moved);
    }
    pthread_mutex_unlock(&lister->lock);
}

/* Fills a part's buffer with up to *remaining solutions. *more: it was full before the last. */
static nq_status fill(const struct listing *listing, nq_list *list, struct part *part,
                      uint64_t *remaining, bool *more) {
    if (part->text == NULL)
        part->text = malloc(TEXT_SIZE);
    /* A buffer of fixed size: a stream that cannot grow in memory does not say so. */
    FILE *stream = part->text != NULL ? fmemopen(part->text, TEXT_SIZE, "w") : NULL;
    if (stream == NULL)
        return NQ_NO_MEMORY;
    int columns[NQ_MAX_N];
    *more = false;
    for (int listed = 0; !*more && *remaining > 0 && nq_list_next(list, columns); listed++) {
        listing->print(listing, columns, stream);
        --*remaining;
        *more = listed % CHECK_INTERVAL == CHECK_INTERVAL - 1 && ftello(stream) >= TEXT_LIMIT;
    }
    off_t size = ftello(stream);
    bool failed = size < 0 || ferror(stream) != 0;
    part->size = (size_t)size;
    return fclose(stream) != 0 || failed ? NQ_NO_MEMORY : NQ_OK;
}

static nq_status list_part(struct lister *lister, uint64_t number, const int *columns) {
    const struct listing *listing = lister->listing;
    struct part *part = &lister->part[number % lister->slots];
    nq_list *list;
    nq_status status =
        nqi_list_open_part(listing->n, listing->fundamental, columns, lister->rows, &list);
    uint64_t remaining = listing->limit;
    for (bool more = true; status == NQ_OK && more;) {
        status = fill(listing, list, part, &remaining, &more);
        more = status == NQ_OK && more && write_early(lister, number, part);
    }
    nq_list_close(list);
    return status;
}

static void *list_parts(void *context) {
    struct lister *lister = context;
    uint64_t number;
    int columns[NQ_MAX_N];
    while (take_part(lister, &number, columns)) {
        nq_status status = list_part(lister, number, columns);
        if (status == NQ_OK) {
            end_part(lister, &lister->part[number % lister->slots]);
        } else {
            pthread_mutex_lock(&lister->lock);
            give_up(lister, status);
            pthread_mutex_unlock(&lister->lock);
        }
    }
    return NULL;
}

/* The number of threads to use; 1 if the machine's topology cannot be read. */
static int choose_threads(const struct listing *listing) {
    nq_machine machine = NQ_MACHINE_INIT;
    if (listing->limit < UINT64_MAX || listing->n < SMALL_N)
        return 1;
    if (listing->threads > 0)
        return listing->threads;
    return nq_describe_machine(NULL, &machine, NULL, 0) == NQ_OK ? machine.threads : 1;
}

/* Runs up to `threads` threads, this one among them; fewer if the system refuses more. */
static void run_threads(struct lister *lister, int threads) {
    pthread_t *others = calloc((size_t)threads, sizeof *others);
    int started = 0;
    while (others != NULL && started < threads - 1 &&
           pthread_create(&others[started], NULL, list_parts, lister) == 0)
        started++;
    list_parts(lister);
    while (started > 0)
        pthread_join(others[--started], NULL);
    free(others);
}

nq_status listing_write(const struct listing *listing, bool *any) {
    struct lister lister = {.listing = listing,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .moved = PTHREAD_COND_INITIALIZER};
    int threads = choose_threads(listing);
    lister.rows = threads == 1 ? 0 : rows_of(listing->n);
    lister.slots = (uint64_t)threads * PARTS_AHEAD;
    lister.part = calloc(lister.slots, sizeof *lister.part);
    if (lister.part == NULL)
        return NQ_NO_MEMORY;
    run_threads(&lister, threads);
    for (uint64_t i = 0; i < lister.slots; i++)
        free(lister.part[i].text);
    free(lister.part);
    *any = lister.started;
    errno = lister.error; /* this thread's: output_close reads it */
    return lister.status;
}
