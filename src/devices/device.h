/* SPDX-License-Identifier: MIT */
/* Counts X on a device by OpenCL. A thread queues X, launches the program (colours.cl) for
 * them, and reads what they contribute from numbered slots. device_solver.c decides which X go
 * to which device, and when. */
#ifndef DEVICES_DEVICE_H
#define DEVICES_DEVICE_H

#include "colours/board.h"
#include "core/method.h"
#include "devices/opencl.h"

/* The largest number of programs for a board. */
enum { MAX_PROGRAMS = 2 };

/* A device, with the programs compiled for one board. */
struct device {
    const struct opencl *cl;
    const struct colours_board *board;
    cl_device_id id;
    nq_device description;
    char label[80];                                               /* the device in messages */
    char kernel[sizeof "opencl " + sizeof((nq_device *)0)->name]; /* as in ledgers */
    cl_context context;
    cl_program program[MAX_PROGRAMS];
};

/* Opens the device with this number, and compiles the programs for the board. Some compilers
 * take more than a minute. So another thread runs the compiler, and the heartbeat is called
 * meanwhile. A compiler cannot be stopped: if the heartbeat returns false, the call returns
 * NQ_CANCELLED, but only when the compiler has ended. Fails with NQ_DEVICE or NQ_NO_DEVICE,
 * which `failure` explains, or with NQ_NO_MEMORY. Release the device with nqi_device_close(),
 * even after a failure. */
nq_status nqi_device_open(int number, const struct colours_board *board,
                          const struct heartbeat *heartbeat, struct device *device,
                          struct failure *failure);
void nqi_device_close(struct device *device);

/* Returns whether the program can count an X. The program needs a few queens of each colour on
 * the even half. */
bool nqi_device_takes(const struct colours_board *board, struct x x);

/* A queue of X for a device. Each thread that serves the device has its own. */
struct device_queue;

/* Makes a queue. Fails with NQ_DEVICE or NQ_NO_MEMORY. Release *queue with
 * nqi_device_queue_free(), even after a failure. */
nq_status nqi_device_queue_new(const struct device *device, struct device_queue **queue,
                               struct failure *failure);
void nqi_device_queue_free(struct device_queue *queue); /* NULL allowed */

/* Sets the sums of slots 0..slots-1 to 0. Call it before X are launched for these slots. */
nq_status nqi_device_clear(struct device_queue *queue, size_t slots, struct failure *failure);

/* Appends an X for the next launch, which will add its solutions and completions to the slot.
 * Fails with NQ_NO_MEMORY. */
nq_status nqi_device_append(struct device_queue *queue, struct x x, size_t slot);

/* Starts to count the X that were appended since the last launch, and does not wait for the
 * result. There must be at least one, and all must have `odd` odd rows. */
nq_status nqi_device_launch(struct device_queue *queue, int odd, struct failure *failure);

/* Sets *ended to whether the last launch has ended. Fails if the launch failed. */
nq_status nqi_device_ended(struct device_queue *queue, bool *ended, struct failure *failure);

/* Waits for the last launch, and reads the sums of slots 0..slots-1. Fails with NQ_OVERFLOW if
 * a sum may have outgrown 64 bits. */
nq_status nqi_device_read(struct device_queue *queue, size_t slots, struct unit_result *sums,
                          struct failure *failure);

#endif
