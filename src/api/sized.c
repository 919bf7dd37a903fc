#include "api/sized.h"

#include <stdio.h>
#include <string.h>

nq_status nqi_read_options(const nq_options *given, size_t given_size, nq_options *own,
                           char *detail, size_t size) {
    *own = (nq_options){0};
    if (given == NULL)
        return NQ_OK;
    memcpy(own, given, given_size < sizeof *own ? given_size : sizeof *own);
    for (size_t i = sizeof *own; i < given_size; i++)
        if (((const unsigned char *)given)[i] != 0) {
            snprintf(detail, size,
                     "the option at byte %zu of %zu is not zero, but version %s of the library "
                     "knows only the options of the first %zu bytes",
                     i, given_size, NQ_VERSION, sizeof *own);
            return NQ_BAD_OPTION;
        }
    return NQ_OK;
}

void nqi_write_sized(const void *own, size_t own_size, void *to, size_t to_size) {
    size_t known = own_size < to_size ? own_size : to_size;
    memcpy(to, own, known);
    memset((char *)to + known, 0, to_size - known);
}

void nqi_write_element(const void *own, size_t own_size, void *array, size_t index,
                       size_t element_size) {
    nqi_write_sized(own, own_size, (char *)array + index * element_size, element_size);
}
