/* Structs of callers that were compiled with another version of the header: shorter or longer
 * than the library's own. */
#ifndef API_SIZED_H
#define API_SIZED_H

#include <nqueens/nqueens.h>

/* The bytes of a struct up to the end of its last member. Padding behind it has no defined
 * value, and may hold a member of a later version. */
#define SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)NULL)->last))

/* Reads a caller's options. given: NULL for the defaults. Members that the caller does not know
 * have their defaults. Returns NQ_OK, or NQ_BAD_OPTION with the reason in detail[0..size-1]: an
 * option that the library does not know is not zero. */
nq_status nqi_read_options(const nq_options *given, size_t given_size, nq_options *own,
                           char *detail, size_t size);

/* Writes the own_size bytes of a struct to a caller's struct: no more than the caller knows,
 * and zeros behind what the library knows. */
void nqi_write_sized(const void *own, size_t own_size, void *to, size_t to_size);

/* The same for an element of a caller's array. */
void nqi_write_element(const void *own, size_t own_size, void *array, size_t index,
                       size_t element_size);

#endif
