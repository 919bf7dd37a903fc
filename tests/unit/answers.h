/* SPDX-License-Identifier: MIT */
/* A heartbeat that counts its calls, and may answer one of them with no. */
#ifndef TESTS_ANSWERS_H
#define TESTS_ANSWERS_H

#include "core/method.h"

struct answers {
    uint64_t calls;
    uint64_t no_at; /* the call that is answered with no; 0: none */
    uint64_t work;  /* reported so far */
    bool backwards; /* the work went back */
};

static inline bool answer(void *context, uint64_t work) {
    struct answers *answers = context;
    answers->backwards = answers->backwards || work < answers->work;
    answers->work = work;
    return ++answers->calls != answers->no_at;
}

#define HEARTBEAT(answers) (&(struct heartbeat){.go_on = answer, .context = (answers)})

#endif
