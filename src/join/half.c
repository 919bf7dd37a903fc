#include "join/half.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A queen's diagonal to the lower left meets row h in column col - (h - row), its diagonal to
 * the lower right in column col + (h - row), if these are on the board. For odd n, row h is the
 * middle row, as near to a queen of the lower half as to its image in the upper half. For even
 * n, row h belongs to the lower half and is one row nearer to a lower queen than to its image;
 * to make up for that, field two is numbered from column 1 (`even`). */
void nqi_half_board_init(struct half_board *board, int n) {
    *board = (struct half_board){.n = n, .rows = n / 2};
    int even = 1 - n % 2;
    nqi_subsets_init(&board->rows_on_left, board->rows);
    for (int row = 0; row < board->rows; row++)
        for (int col = 0; col < n; col++) {
            int left = col - (board->rows - row), right = col + (board->rows - row);
            if (left >= 0)
                board->queen[row][col] |= UINT64_C(1) << left;
            if (right < n)
                board->queen[row][col] |= UINT64_C(1) << (n + right - even);
        }
}

uint64_t nqi_half_through(const struct half_board *board, int col) {
    return UINT64_C(1) << col | UINT64_C(1) << (board->n + col);
}

/* From so many bytes on, a list is in huge pages where the system has them. Matchers move lists
 * of large boards in so many streams that the processor often has to look up small pages
 * (docs/tried.md). Such memory is not filled with zeros: what is never written takes none. */
enum { HUGE_PAGE = 2 << 20, FIRST_HUGE = 4 * HUGE_PAGE };

/* Allocates memory for so many signatures, aligned to 64. NULL: out of memory. */
static uint64_t *half_list_allocate(size_t count) {
    const size_t bytes = count * sizeof(uint64_t);
    if (bytes < FIRST_HUGE) {
        uint64_t *signatures = aligned_alloc(64, bytes);
        return signatures == NULL ? NULL : memset(signatures, 0, bytes);
    }
    const size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uint64_t *signatures = aligned_alloc(HUGE_PAGE, whole);
#ifdef MADV_HUGEPAGE
    if (signatures != NULL)
        (void)madvise(signatures, whole, MADV_HUGEPAGE); /* small pages do, too */
#endif
    return signatures;
}

/* Moves the signatures so far to a list's new memory: gigabytes, for large boards. What has
 * been moved is given back at once, so that the list never takes twice its size. False: the
 * heartbeat said stop, and the list is empty. */
static bool half_list_move(struct half_list *list, uint64_t *grown,
                           const struct heartbeat *heartbeat) {
    _Static_assert(STEPS_PER_BEAT * sizeof(uint64_t) == HUGE_PAGE,
                   "whole pages are given back");
    const bool huge = list->room * sizeof *grown >= FIRST_HUGE;
    for (size_t begin = 0; begin < list->count; begin += STEPS_PER_BEAT) {
        const size_t rest = list->count - begin;
        if (begin > 0 && !heartbeat_go_on(heartbeat, 0)) {
            list->count = 0;
            return false;
        }
        memcpy(grown + begin, list->signature + begin,
               (rest < STEPS_PER_BEAT ? rest : STEPS_PER_BEAT) * sizeof *grown);
        if (huge && rest >= STEPS_PER_BEAT)
            (void)madvise(list->signature + begin, HUGE_PAGE, MADV_DONTNEED);
    }
    return true;
}

nq_status nqi_half_list_reserve(struct half_list *list, size_t count,
                                const struct heartbeat *heartbeat) {
    if (count <= list->room)
        return NQ_OK;
    /* By a quarter at least, so that lists that grow one by one are seldom moved. */
    size_t room = list->room + list->room / 4;
    room = room > count ? room : count;
    room = (room + 7) / 8 * 8;
    if (list->count == 0)
        nqi_half_list_free_large(list);
    uint64_t *grown = half_list_allocate(room + HALF_SLACK);
    if (grown == NULL)
        return NQ_NO_MEMORY;
    if (!half_list_move(list, grown, heartbeat)) {
        free(grown);
        return NQ_CANCELLED;
    }
    free(list->signature);
    list->signature = grown;
    list->room = room;
    return NQ_OK;
}

void nqi_half_list_free_large(struct half_list *list) {
    if (list->room * sizeof *list->signature >= FIRST_HUGE)
        nqi_half_list_free(list);
}

void nqi_half_list_free(struct half_list *list) {
    free(list->signature);
    *list = (struct half_list){0};
}
