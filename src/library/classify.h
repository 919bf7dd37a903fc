/* The class of a solution under the square's eight symmetries. */
#ifndef LIBRARY_CLASSIFY_H
#define LIBRARY_CLASSIFY_H

#include <nqueens.h>

/* Finds the class of a solution; the arguments are those of nq_classify_solution(). Returns
 * NQ_OK, NQ_NO_MEMORY, or NQ_NO_PLACEMENT: *row, from 0, is the first whose column is not
 * in 1..n or has a queen already. */
nq_status nqi_classify(int n, const int *columns, nq_class *class_of, int *row);

#endif
