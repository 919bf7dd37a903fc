/* SPDX-License-Identifier: MIT */
/* Reads and writes structs of callers that were compiled with another version of the header. */
#include "core/sized.h"

#include <string.h>

/* nq_options must end without padding. A later version could place an option in the padding,
 * and this version would then ignore that option instead of refusing it. */
_Static_assert(sizeof(nq_options) == offsetof(nq_options, device) + sizeof(char *), "padding");

nq_status nqi_check_size(size_t given, size_t least, const char *initialiser,
                         struct failure *failure) {
    if (given >= least)
        return NQ_OK;
    return nqi_fail(failure, NQ_BAD_OPTION,
                    "size %zu of a struct: expected %zu or more, as %s sets it", given, least,
                    initialiser);
}

nq_status nqi_read_options(const nq_options *given, nq_options *own, struct failure *failure) {
    *own = (nq_options)NQ_OPTIONS_INIT;
    if (given == NULL)
        return NQ_OK;
    nq_status status = nqi_check_size(given->size, sizeof *given, "NQ_OPTIONS_INIT", failure);
    if (status != NQ_OK)
        return status;
    /* Callers that were compiled before a member was appended have less than `own`. */
    memcpy(own, given, given->size < sizeof *own ? given->size : sizeof *own);
    own->size = sizeof *own;
    for (size_t i = sizeof *own; i < given->size; i++)
        if (((const unsigned char *)given)[i] != 0)
            return nqi_fail(
                failure, NQ_BAD_OPTION,
                "the option at byte %zu of %zu is not zero, but version %s of the library "
                "knows only the options of the first %zu bytes",
                i, given->size, nq_version(), sizeof *own);
    return NQ_OK;
}

void nqi_write_sized(const void *own, size_t own_size, void *to) {
    size_t size, known;
    memcpy(&size, to, sizeof size);
    known = own_size < size ? own_size : size;
    memcpy(to, own, known);
    memset((char *)to + known, 0, size - known);
    memcpy(to, &size, sizeof size);
}
