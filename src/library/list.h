/* Lists of the solutions that begin with given queens. */
#ifndef LIBRARY_LIST_H
#define LIBRARY_LIST_H

#include <nqueens.h>

/* Starts a list of the solutions for n whose queens in rows 1 to `rows` stand in
 * columns[0..rows-1]; like nq_list_open() otherwise. The parts in lexicographic order of their
 * first queens make the whole list.
 *
 * rows: 0..n. columns: each 1..n; may be NULL if rows is 0. If two of these queens attack each
 * other, the list is empty.
 *
 * Returns what nq_list_open() returns, or NQ_NO_PLACEMENT: `rows` or a column is out of range.
 */
nq_status nqi_list_open_part(int n, bool fundamental, const int *columns, int rows,
                             nq_list **list);

#endif
