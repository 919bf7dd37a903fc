/* SPDX-License-Identifier: MIT */
/* The number of elements of an array. */
#ifndef UNIT_LENGTH_H
#define UNIT_LENGTH_H

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#endif
