/* SPDX-License-Identifier: MIT */
/* X added up on a device, by OpenCL: its program is colours.cl. */
#ifndef DEVICES_DEVICE_H
#define DEVICES_DEVICE_H

#include "colours/board.h"
#include "core/method.h"
#include "devices/opencl.h"

/* Programs for a board, at most. */
enum { MAX_PROGRAMS = 2 };

/* A device, with the programs for a board. */
struct device {
    const struct opencl *cl;
    const struct colours_board *board;
    cl_device_id id;
    nq_device description;
    char label[80];                                               /* in messages */
    char kernel[sizeof "opencl " + sizeof((nq_device *)0)->name]; /* as ledgers call it */
    cl_context context;
    cl_program program[MAX_PROGRAMS];
};

/* Compiles the programs for the board, in a thread of its own: some compilers take more than a
 * minute. The heartbeat is called meanwhile; once it has said stop, the call ends as soon as
 * the compiler does, with NQ_CANCELLED. NQ_DEVICE: `failure` says why. Release with
 * nqi_device_close, even after a failure. */
nq_status nqi_device_open(int number, const struct colours_board *board,
                          const struct heartbeat *heartbeat, struct device *device,
                          struct failure *failure);
void nqi_device_close(struct device *device);

/* Returns whether the program takes an X: each colour needs a few rows of its second class. */
bool nqi_device_takes(const struct colours_board *board, struct x x);

/* A queue of X for a device, used by one thread. */
struct device_queue;

/* NQ_DEVICE; NQ_NO_MEMORY. Release with nqi_device_queue_free, even after a failure. */
nq_status nqi_device_queue_new(const struct device *device, struct device_queue **queue,
                               struct failure *failure);
void nqi_device_queue_free(struct device_queue *queue); /* NULL allowed */

/* Sets the sums of slots 0..slots-1 to 0. */
nq_status nqi_device_clear(struct device_queue *queue, size_t slots, struct failure *failure);

/* Appends an X, whose solutions and completions are to be added to a slot. NQ_NO_MEMORY. */
nq_status nqi_device_append(struct device_queue *queue, struct x x, size_t slot);

/* Starts to add up the X that were appended since the last launch; there must be some, all with
 * `odd` odd rows. */
nq_status nqi_device_launch(struct device_queue *queue, int odd, struct failure *failure);

/* Returns whether the last launch has ended. */
nq_status nqi_device_ended(struct device_queue *queue, bool *ended, struct failure *failure);

/* Waits for the last launch and reads the sums. NQ_OVERFLOW: one outgrew 64 bits. */
nq_status nqi_device_read(struct device_queue *queue, size_t slots, struct unit_result *sums,
                          struct failure *failure);

#endif
