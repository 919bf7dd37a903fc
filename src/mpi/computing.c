#include "mpi/computing.h"

static void *compute(void *context) {
    struct computing *c = context;
    c->status = nqi_run_job(c->solver, c->selection, &c->options, &c->totals);
    atomic_store(&c->over, true);
    return NULL;
}

bool computing_start(struct computing *computing) {
    atomic_init(&computing->over, false);
    return pthread_create(&computing->thread, NULL, compute, computing) == 0;
}

void computing_join(struct computing *computing) {
    pthread_join(computing->thread, NULL);
}
