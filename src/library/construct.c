/* Constructs a solution for every board that has one, by an explicit formula.
 *
 * E. J. Hoffman, J. C. Loessi, R. C. Moore, "Constructions for the solution of the m queens
 * problem", Mathematics Magazine 42 (1969), pages 66 to 72. For even n, with rows and columns
 * from 1 and j = 1..n/2:
 *
 *   n mod 6 != 2   queens at (j, 2j) and (n/2 + j, 2j - 1)
 *   n mod 6 == 2   queens at (j, 1 + k) and (n + 1 - j, n - k), k = (2j + n/2 - 3) mod n
 *
 * Neither has a queen on the main diagonal. So for odd n the solution for n - 1 and a queen in
 * the corner (n, n) are a solution; n mod 6 == 3 thus takes the second form.
 */
#include "core/failure.h"

nq_status nq_construct_solution(int n, int *columns) {
    if (n < 1 || n > NQ_MAX_SIDE)
        return nqi_fail_call(NQ_BAD_N, "n = %d: expected 1, or 4 to %d", n, NQ_MAX_SIDE);
    if (n == 2 || n == 3)
        return nqi_fail_call(NQ_NO_SOLUTION, "n = %d: boards of this size have no solution", n);
    int even = n & ~1, half = even / 2;
    for (int j = 1; j <= half; j++)
        if (even % 6 != 2) {
            columns[j - 1] = 2 * j;
            columns[half + j - 1] = 2 * j - 1;
        } else {
            int k = (2 * j + half - 3) % even;
            columns[j - 1] = 1 + k;
            columns[even - j] = even - k;
        }
    if (n > even)
        columns[n - 1] = n;
    return nqi_end_call(NQ_OK, NULL);
}
