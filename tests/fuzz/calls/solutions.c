/* SPDX-License-Identifier: MIT */
#include "calls.h"
#include "faults.h"

#include <stdlib.h>
#include <string.h>

bool step_list(const uint8_t *a) {
    struct request r;
    nq_list *list;
    const bool fundamental = a[1] % 2 != 0;
    const uint8_t own[6] = {a[0], 0, 0, 0, a[4], a[5]};
    int columns[TOP], read = 0;
    request_make(own, NULL, &r);
    if (fundamental && r.options.known.board != NULL)
        r.must |= BIT(NQ_BAD_OPTION);
    SAY("nq_list_open(%d, %s, ", r.n, fundamental ? "true" : "false");
    request_say_options(&r);
    SAY(", &list);");
    const nq_status status = nq_list_open(r.n, fundamental, &r.options.known, &list);
    if (!judge(status, r.must, fault_statuses(), "nq_list_open") ||
        !HOLDS((list != NULL) == (status == NQ_OK)))
        return false;
    bool right = true;
    const int most = a[2] % 2 == 0 ? MOST + 1 : a[2];
    for (int i = 0; i < r.truth->count && read < most && right && list != NULL; i++) {
        const int *expected = r.truth->columns[i];
        if (fundamental && !truth_symmetry(r.n, expected).first)
            continue;
        read++;
        right = judge(nq_list_next(list, columns), 0, 0, "nq_list_next") &&
                HOLDS(memcmp(columns, expected, (size_t)r.n * sizeof *columns) == 0);
    }
    if (read < most && right && list != NULL)
        for (int i = 0; i < 2; i++)
            right &= judge(nq_list_next(list, columns), BIT(NQ_NO_SOLUTION), 0, "nq_list_next");
    nq_list_close(list);
    return right;
}

static bool check_placement(int n, const int *columns) {
    nq_attack attack = {0}, first = {0};
    bool inside = true;
    for (int i = 0; i < n; i++)
        inside &= columns[i] >= 1 && columns[i] <= n;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && first.row[0] == 0; j++)
            if (columns[i] == columns[j] || abs(columns[i] - columns[j]) == j - i)
                first = (nq_attack){{i + 1, j + 1}, {columns[i], columns[j]}};
    SAY("nq_check_placement(%d, (int[]){", n);
    for (int i = 0; i < n; i++)
        SAY("%d,", columns[i]);
    SAY("}, &attack);");
    const nq_status status = nq_check_placement(n, columns, &attack);
    return judge(status,
                 !inside             ? BIT(NQ_NO_PLACEMENT)
                 : first.row[0] != 0 ? BIT(NQ_ATTACK)
                                     : 0,
                 fault_statuses(), "nq_check_placement") &&
           (status != NQ_ATTACK || HOLDS(memcmp(&attack, &first, sizeof first) == 0));
}

bool step_placement(const uint8_t *a) {
    const int n = a[0] % (TOP + 1);
    const struct truth *truth = &truths[n];
    int columns[TOP];
    uint64_t seed = a[1];
    for (int i = 0; i < n; i++)
        columns[i] = a[2] < 16 ? a[2] - 4 : 1 + (int)(random_next(&seed) % (uint64_t)n);
    if (!check_placement(n, columns))
        return false;
    SAY("nq_construct_solution(%d, columns);", n);
    const nq_status status = nq_construct_solution(n, columns);
    if (!judge(status,
               n == 0             ? BIT(NQ_BAD_N)
               : n == 2 || n == 3 ? BIT(NQ_NO_SOLUTION)
                                  : 0,
               fault_statuses(), "nq_construct_solution"))
        return false;
    if (status == NQ_OK && !check_placement(n, columns))
        return false;
    if (truth->count == 0)
        return true;
    if (status != NQ_OK || a[3] != 0)
        memcpy(columns, truth->columns[a[3] * truth->count / 256], sizeof columns);
    const struct symmetry expected = truth_symmetry(n, columns);
    nq_class got = {0};
    SAY("nq_classify_solution(%d, columns, &class_of);", n);
    const nq_status classified = nq_classify_solution(n, columns, &got);
    return judge(classified, 0, fault_statuses(), "nq_classify_solution") &&
           (classified != NQ_OK ||
            (HOLDS(got.size == expected.size) && HOLDS(got.first == expected.first) &&
             HOLDS(got.half_turn == expected.half_turn) &&
             HOLDS(got.quarter_turn == expected.quarter_turn)));
}

bool step_classes(const uint8_t *a) {
    const int n = a[0] % (TOP + 1);
    const uint64_t solutions = (uint64_t)truths[n].count + a[1];
    uint64_t classes = 0, half = 0, quarter = 0, known = 0;
    nq_classes got;
    for (int i = 0; i < truths[n].count; i++) {
        const struct symmetry one = truth_symmetry(n, truths[n].columns[i]);
        classes += one.first;
        half += one.half_turn;
        quarter += one.quarter_turn;
    }
    SAY("nq_count_classes(%d, %d, NULL, &classes);", n, (int)solutions);
    const nq_status status = nq_count_classes(n, solutions, NULL, &got);
    return judge(status, a[1] != 0 ? BIT(NQ_MISMATCH) : 0, fault_statuses(),
                 "nq_count_classes") &&
           HOLDS(nq_known_total(n, &known) && known == (uint64_t)truths[n].count) &&
           HOLDS(!nq_known_total(NQ_MAX_KNOWN_N + 1 + a[2], &known)) &&
           HOLDS(n == 0 || (nq_known_fundamental(n, &known) && known == classes)) &&
           HOLDS(got.half_turn == half && got.quarter_turn == quarter) &&
           HOLDS(status != NQ_OK || (got.fundamental == classes && got.verdict != NQ_WRONG));
}
