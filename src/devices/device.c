/* SPDX-License-Identifier: MIT */
/* The host's side of colours.cl: compiles it with the parameters of a board, fills the arrays
 * of X and D that it reads, and launches it. The structs of these arrays are declared in both
 * files, and must have the same members. */
#include "devices/device.h"

#include "core/arrays.h"
#include "core/sets.h"
#include "machine/clock.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Woverlength-strings"
static const char device_source[] = {
#include "colours.cl.inc"
};

enum {
    MIN_ROWS = 3, /* least number of rows to fill on an even half: the program's last three */
    GROUPS = 32   /* work-groups launched for each compute unit: more than it holds at once */
};

/* The structs of colours.cl, which says what their members are. */
struct device_rows {
    cl_ulong first, second;
    cl_uint first_count, second_count;
};
struct device_x {
    struct device_rows minority, majority;
    cl_uint key, weight;
    cl_uint flip;
    cl_uint slot;
};
struct device_d {
    cl_uint set, key, weight;
};

struct buffer {
    cl_mem memory; /* NULL before the first use */
    size_t room;   /* bytes */
};

struct device_queue {
    const struct device *device;
    cl_command_queue commands;
    cl_kernel kernel[MAX_PROGRAMS];
    cl_event launched; /* the last launch, or NULL */
    cl_int error; /* of the first call that failed; nothing is written or launched after it */
    struct buffer xs, ds, counter, sums;
    cl_uint ds_count;
    int ds_size;        /* size of each D in `ds`; -1 if there are none yet */
    struct device_x *x; /* the X appended since the last launch */
    size_t count, room;
};

static nq_status device_failed(const struct device *device, const char *call, cl_int error,
                               struct failure *failure) {
    return nqi_fail(failure, NQ_DEVICE, "%s: %s: %s (OpenCL error %d)", device->label, call,
                    nqi_opencl_error(error), error);
}

/* Large boards have two programs, with different options. If one colour has many more queens
 * than the other, most states die early, and many more states lead to each completion. Program
 * 1 counts such X, program 0 all others. Returns the program for the X with `odd` odd rows. */
enum { UNBALANCED = 8, UNBALANCED_FROM_N = 25 };
static int device_program_for(const struct colours_board *board, int odd) {
    const int black = 2 * odd + board->n % 2;
    return board->n >= UNBALANCED_FROM_N && abs(board->n - 2 * black) >= UNBALANCED;
}

/* Returns the number of programs for the board. */
static int device_programs(const struct colours_board *board) {
    return board->n >= UNBALANCED_FROM_N ? 2 : 1;
}

/* Returns the deepest stack that an item needs for the X of a program: the largest number of
 * rows in which states wait. No states wait in the last four rows, nor in rows whose placements
 * are listed beforehand. These are the first rows of the odd half; the list surely has room for
 * the placements on them. */
static int device_depth(const struct colours_board *board, int program, int room) {
    int depth = 0;
    for (int odd = 0; odd <= colours_most_rows(board); odd++)
        for (int white = 0; white < 2 && device_program_for(board, odd) == program; white++) {
            const int even = odd + board->n % 2, first = white ? board->evens - even : odd,
                      rows = first + (white ? board->odds - odd : even) - MIN_ROWS - 1;
            int listed = 0, most = 1;
            while (listed < first && listed < rows && most * (first - listed) <= room)
                most *= first - listed++;
            if (even >= MIN_ROWS && board->odds - odd >= MIN_ROWS && rows - listed > depth)
                depth = rows - listed;
        }
    return depth;
}

/* The options with which a program is compiled; colours.cl explains them. */
struct program_options {
    int group, room, walks, ends, depth;
};

/* Returns the fastest options (docs/tried.md) with which a program needs at most 32 KiB of
 * local memory, or 48 KiB if n > 26. In a small group fewer items wait for the last one at a
 * barrier. A compute unit holds few groups where their tables are large, and then only larger
 * groups keep it busy. */
static struct program_options device_options(const struct colours_board *board, int program) {
    const int n = board->n, small_room = n > 21 ? 256 : n > 18 ? 128 : 64;
    struct program_options options = {32, small_room, 1, 2, 0};
    if (program == 1)
        options = (struct program_options){64, n > 26 ? 240 : 320, 2, 1, 0};
    else if (n > 24)
        options = (struct program_options){64, n > 26 ? 512 : 384, 1, 2, 0};
    options.depth = device_depth(board, program, options.room);
    return options;
}

/* Returns the bytes of local memory that a program takes: its rows, its lookup table and its
 * list of first placements, and after these either a second list or the items' stacks. */
static size_t device_local_bytes(const struct colours_board *board,
                                 struct program_options options) {
    const int list = 3 * options.room, stacks = 3 * (options.depth + 1) * options.group,
              entries = board->evens > 0 ? 1 << (board->evens - 1) : 1;
    return sizeof(cl_uint4) * 20 +
           sizeof(cl_uint) * (size_t)(entries + list + (list > stacks ? list : stacks) + 2);
}

/* Fails with what the compiler says: the first line of its log that has the word "error" or, if
 * no line has it, the log's first line. */
static nq_status device_refused(const struct device *device, cl_program program, cl_int error,
                                struct failure *failure) {
    const struct opencl *cl = device->cl;
    size_t length = 0;
    cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    char *log = calloc(length + 1, 1);
    if (log == NULL)
        return NQ_NO_MEMORY;
    cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, length, log, NULL);
    const char *line = strstr(log, "error");
    if (line == NULL)
        line = log;
    while (line > log && line[-1] != '\n')
        line--;
    log[line - log + (ptrdiff_t)strcspn(line, "\n")] = '\0';
    const nq_status status = nqi_fail(failure, NQ_DEVICE, "%s: %s: %.200s", device->label,
                                      nqi_opencl_error(error), line);
    free(log);
    return status;
}

/* Compiles a program. */
static nq_status device_build(struct device *device, int program, struct failure *failure) {
    const struct opencl *cl = device->cl;
    const char *text = device_source;
    const size_t length = sizeof device_source - 1;
    const struct program_options options = device_options(device->board, program);
    const size_t bytes = device_local_bytes(device->board, options);
    char arguments[160];
    cl_int error;
    cl_program *built = &device->program[program];
    if (bytes > device->description.local_memory)
        return nqi_fail(failure, NQ_DEVICE,
                        "%s has %" PRIu64 " bytes of local memory, but n = %d needs %zu",
                        device->label, device->description.local_memory, device->board->n,
                        bytes);
    *built = cl->CreateProgramWithSource(device->context, 1, &text, &length, &error);
    if (error != CL_SUCCESS)
        return device_failed(device, "program", error, failure);
    snprintf(arguments, sizeof arguments,
             "-cl-std=CL1.2 -DN=%d -DGROUP=%d -DROOM=%d -DDEPTH=%d -DWALKS=%d -DENDS=%d",
             /* Boards below 6 have no X for a device, nor does colours.cl compile for them. */
             device->board->n < 6 ? 6 : device->board->n, options.group, options.room,
             options.depth, options.walks, options.ends);
    error = cl->BuildProgram(*built, 1, &device->id, arguments, NULL, NULL);
    return error == CL_SUCCESS ? NQ_OK : device_refused(device, *built, error, failure);
}

void nqi_device_close(struct device *device) {
    for (int i = 0; i < MAX_PROGRAMS; i++)
        if (device->program[i] != NULL)
            device->cl->ReleaseProgram(device->program[i]);
    if (device->context != NULL)
        device->cl->ReleaseContext(device->context);
    *device = (struct device){0};
}

bool nqi_device_takes(const struct colours_board *board, struct x x) {
    return __builtin_popcount(x.even) >= MIN_ROWS &&
           board->odds - __builtin_popcount(x.odd) >= MIN_ROWS;
}

/* These two functions return a row, or a set of columns, of the odd half with the numbers that
 * the program on the device gives them. It numbers the lines of both halves in the same
 * direction: row r of the odd half lies between the rows r - 1 and r of the even half, and
 * likewise for columns. colours.cl says which diagonals queens then attack. */
static int device_first_row(const struct colours_board *board, int line, int parity) {
    return board->n % 2 == 0 ? board->odds - 1 - line : line + parity;
}
static uint32_t device_first_columns(const struct colours_board *board, uint32_t columns) {
    return board->n % 2 == 0 ? mirrored_bits(columns, board->odds) : columns << 1;
}

/* Returns the rows of a set in the order in which they are filled, in four bits each. parity:
 * the parity of these rows. filled: the rows that are filled before them. first: whether the
 * rows are those of the odd half. */
static cl_ulong device_in_order(const struct colours_board *board, uint32_t set, int parity,
                                uint32_t filled, bool first) {
    uint8_t line[COLOURS_LINES];
    const int count = nqi_order_lines(board, set, parity, filled, line);
    cl_ulong packed = 0;
    for (int i = 0; i < count; i++)
        packed |= (cl_ulong)(first ? device_first_row(board, line[i], parity) : line[i])
                  << 4 * i;
    return packed;
}

/* Returns the rows of one colour of X. */
static struct device_rows device_rows_of(const struct colours_board *board, struct x x,
                                         bool white) {
    const struct x rows = colours_rows(board, x, white);
    const uint32_t first = white ? rows.even : rows.odd, second = white ? rows.odd : rows.even;
    return (struct device_rows){.first = device_in_order(board, first, !white, 0, true),
                                .second = device_in_order(board, second, white, first, false),
                                .first_count = (cl_uint)__builtin_popcount(first),
                                .second_count = (cl_uint)__builtin_popcount(second)};
}

nq_status nqi_device_append(struct device_queue *queue, struct x x, size_t slot) {
    const struct colours_board *board = queue->device->board;
    struct device_x *grown =
        nqi_array_grow(queue->x, queue->count, &queue->room, sizeof *queue->x);
    if (grown == NULL)
        return NQ_NO_MEMORY;
    queue->x = grown;
    const bool black_is_minority = colours_black_is_minority(board, x);
    const uint32_t columns = device_first_columns(board, low_bits(board->odds));
    grown[queue->count++] =
        (struct device_x){.minority = device_rows_of(board, x, !black_is_minority),
                          .majority = device_rows_of(board, x, black_is_minority),
                          .key = colours_key(board, x),
                          .weight = (cl_uint)nqi_colours_x_weight(board, x),
                          .flip = black_is_minority ? 0 : columns,
                          .slot = (cl_uint)slot};
    return NQ_OK;
}

/* Returns NQ_OK, or fails with the error of the first call that failed; the message names the
 * step `call`. */
static nq_status queue_status(const struct device_queue *queue, const char *call,
                              struct failure *failure) {
    return queue->error == CL_SUCCESS
               ? NQ_OK
               : device_failed(queue->device, call, queue->error, failure);
}

nq_status nqi_device_queue_new(const struct device *device, struct device_queue **out,
                               struct failure *failure) {
    const struct opencl *cl = device->cl;
    struct device_queue *queue = calloc(1, sizeof *queue);
    *out = queue;
    if (queue == NULL)
        return NQ_NO_MEMORY;
    queue->device = device;
    queue->ds_size = -1;
    queue->commands = cl->CreateCommandQueue(device->context, device->id, 0, &queue->error);
    for (int i = 0; i < device_programs(device->board) && queue->error == CL_SUCCESS; i++)
        queue->kernel[i] = cl->CreateKernel(device->program[i], "colours", &queue->error);
    return queue_status(queue, "queue", failure);
}

void nqi_device_queue_free(struct device_queue *queue) {
    if (queue == NULL)
        return;
    const struct opencl *cl = queue->device->cl;
    const cl_mem buffers[] = {queue->xs.memory, queue->ds.memory, queue->counter.memory,
                              queue->sums.memory};
    if (queue->commands != NULL)
        cl->Finish(queue->commands);
    if (queue->launched != NULL)
        cl->ReleaseEvent(queue->launched);
    for (size_t i = 0; i < LENGTH(buffers); i++)
        if (buffers[i] != NULL)
            cl->ReleaseMemObject(buffers[i]);
    for (int i = 0; i < MAX_PROGRAMS; i++)
        if (queue->kernel[i] != NULL)
            cl->ReleaseKernel(queue->kernel[i]);
    if (queue->commands != NULL)
        cl->ReleaseCommandQueue(queue->commands);
    free(queue->x);
    free(queue);
}

/* Writes to a buffer, which is made larger if necessary, and waits until all is written. */
static void queue_write(struct device_queue *queue, struct buffer *buffer, const void *from,
                        size_t size) {
    const struct opencl *cl = queue->device->cl;
    if (queue->error == CL_SUCCESS && size > buffer->room) {
        if (buffer->memory != NULL)
            cl->ReleaseMemObject(buffer->memory);
        buffer->room = 2 * size;
        buffer->memory = cl->CreateBuffer(queue->device->context, CL_MEM_READ_WRITE,
                                          buffer->room, NULL, &queue->error);
    }
    if (queue->error == CL_SUCCESS)
        queue->error = cl->EnqueueWriteBuffer(queue->commands, buffer->memory, CL_TRUE, 0, size,
                                              from, 0, NULL, NULL);
}

nq_status nqi_device_clear(struct device_queue *queue, size_t slots, struct failure *failure) {
    const size_t size = slots * 2 * sizeof(cl_ulong);
    void *zeros = calloc(1, size);
    if (zeros == NULL)
        return NQ_NO_MEMORY;
    queue_write(queue, &queue->sums, zeros, size);
    free(zeros);
    return queue_status(queue, "sums", failure);
}

/* Sends all D of one size. The program skips those whose key is less than that of the X. */
static void queue_send_ds(struct device_queue *queue, int size) {
    const struct colours_board *board = queue->device->board;
    struct device_d *ds = malloc(sizeof *ds << board->odds);
    uint32_t set = low_bits(size);
    if (ds == NULL) {
        queue->error = CL_OUT_OF_HOST_MEMORY;
        return;
    }
    queue->ds_size = size;
    queue->ds_count = 0;
    do {
        const uint32_t image = mirrored_bits(set, board->odds);
        const bool odd = board->n % 2 == 1;
        if (!odd || set <= image) /* the lesser of D and its mirror image counts for both */
            ds[queue->ds_count++] =
                (struct device_d){.set = device_first_columns(board, set),
                                  .key = colours_least_image(board, set, size),
                                  .weight = odd && set != image ? 2 : 1};
    } while (next_subset(&set, board->odds));
    queue_write(queue, &queue->ds, ds, queue->ds_count * sizeof *ds);
    free(ds);
}

/* Launches a program for `pairs` pairs of an X and a D, which were written to the buffers. */
static void queue_launch(struct device_queue *queue, int program, cl_uint pairs) {
    const struct device *device = queue->device;
    const struct opencl *cl = device->cl;
    const cl_kernel kernel = queue->kernel[program];
    const struct {
        const void *value;
        size_t size;
    } arguments[] = {
        {&queue->xs.memory, sizeof(cl_mem)},      {&queue->ds.memory, sizeof(cl_mem)},
        {&queue->ds_count, sizeof(cl_uint)},      {&pairs, sizeof pairs},
        {&queue->counter.memory, sizeof(cl_mem)}, {&queue->sums.memory, sizeof(cl_mem)}};
    for (cl_uint i = 0; i < LENGTH(arguments) && queue->error == CL_SUCCESS; i++)
        queue->error = cl->SetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
    const size_t local = (size_t)device_options(device->board, program).group,
                 global = local * GROUPS * (size_t)device->description.compute_units;
    if (queue->launched != NULL)
        cl->ReleaseEvent(queue->launched);
    queue->launched = NULL;
    if (queue->error == CL_SUCCESS)
        queue->error = cl->EnqueueNDRangeKernel(queue->commands, kernel, 1, NULL, &global,
                                                &local, 0, NULL, &queue->launched);
    if (queue->error == CL_SUCCESS)
        queue->error = cl->Flush(queue->commands);
}

nq_status nqi_device_launch(struct device_queue *queue, int odd, struct failure *failure) {
    const cl_uint zero = 0;
    /* The number of pairs must be below 2^31. Otherwise the counter on the device might wrap
     * around: a work-group adds 1 for each pair that it takes, and once more when no pair is
     * left. */
    cl_uint pairs = 0;
    if (odd != queue->ds_size)
        queue_send_ds(queue, odd);
    queue_write(queue, &queue->xs, queue->x, queue->count * sizeof *queue->x);
    queue_write(queue, &queue->counter, &zero, sizeof zero);
    if (queue->error == CL_SUCCESS &&
        (__builtin_mul_overflow(queue->count, queue->ds_count, &pairs) || pairs >> 31 != 0))
        queue->error = CL_OUT_OF_RESOURCES;
    if (queue->error == CL_SUCCESS)
        queue_launch(queue, device_program_for(queue->device->board, odd), pairs);
    queue->count = 0;
    return queue_status(queue, "launch", failure);
}

/* Launches each program once, for no pairs, and waits. Drivers such as PoCL compile most of a
 * program at its first launch, and this time must not be taken for the time of counting. */
static nq_status device_start(struct device *device, struct failure *failure) {
    const cl_uint zero = 0;
    struct device_queue *queue;
    nq_status status = nqi_device_queue_new(device, &queue, failure);
    if (status == NQ_OK) {
        struct buffer *const buffers[] = {&queue->xs, &queue->ds, &queue->counter,
                                          &queue->sums};
        for (size_t i = 0; i < LENGTH(buffers); i++)
            queue_write(queue, buffers[i], &zero, sizeof zero);
        for (int i = 0; i < device_programs(device->board); i++)
            queue_launch(queue, i, 0);
        if (queue->error == CL_SUCCESS)
            queue->error = device->cl->Finish(queue->commands);
        status = queue_status(queue, "launch", failure);
    }
    nqi_device_queue_free(queue);
    return status;
}

/* What the thread that compiles a device's programs is given, and what it returns. */
struct compilation {
    struct device *device;
    struct failure *failure;
    nq_status status;
    atomic_bool ended;
};

/* The function of that thread: compiles and starts the programs. */
static void *device_compile(void *data) {
    struct compilation *compilation = data;
    struct device *device = compilation->device;
    nq_status status = NQ_OK;
    for (int i = 0; i < device_programs(device->board) && status == NQ_OK; i++)
        status = device_build(device, i, compilation->failure);
    if (status == NQ_OK)
        status = device_start(device, compilation->failure);
    compilation->status = status;
    atomic_store(&compilation->ended, true);
    return NULL;
}

/* Compiles in another thread, and calls the heartbeat while this thread waits. Only the end of
 * the process can stop a compiler. */
static nq_status device_compile_watched(struct device *device,
                                        const struct heartbeat *heartbeat,
                                        struct failure *failure) {
    struct compilation compilation = {.device = device, .failure = failure};
    pthread_t thread;
    bool go_on = true;
    if (pthread_create(&thread, NULL, device_compile, &compilation) != 0)
        return NQ_NO_MEMORY;
    while (!atomic_load(&compilation.ended)) {
        go_on = go_on && heartbeat_go_on(heartbeat, 0);
        nqi_pause_for(1e-3);
    }
    pthread_join(thread, NULL);
    return compilation.status == NQ_OK && !go_on ? NQ_CANCELLED : compilation.status;
}

nq_status nqi_device_open(int number, const struct colours_board *board,
                          const struct heartbeat *heartbeat, struct device *device,
                          struct failure *failure) {
    const struct opencl *cl;
    cl_int error;
    nq_status status = nqi_opencl_open(&cl, failure);
    *device = (struct device){.cl = cl, .board = board};
    if (status != NQ_OK)
        return status;
    device->id = cl->device[number];
    nqi_device_describe(cl, number, &device->description);
    snprintf(device->label, sizeof device->label, "device %d (%.60s)", number,
             device->description.name);
    snprintf(device->kernel, sizeof device->kernel, "opencl %s", device->description.name);
    device->context = cl->CreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        return device_failed(device, "context", error, failure);
    return device_compile_watched(device, heartbeat, failure);
}

nq_status nqi_device_ended(struct device_queue *queue, bool *ended, struct failure *failure) {
    cl_int state = CL_COMPLETE;
    queue->error = queue->device->cl->GetEventInfo(
        queue->launched, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    *ended = state == CL_COMPLETE;
    if (queue->error == CL_SUCCESS && state < 0) /* the launch itself failed */
        queue->error = state;
    return queue_status(queue, "count", failure);
}

nq_status nqi_device_read(struct device_queue *queue, size_t slots, struct unit_result *sums,
                          struct failure *failure) {
    _Static_assert(sizeof(struct unit_result) == 2 * sizeof(cl_ulong), "read as they are");
    queue->error =
        queue->device->cl->EnqueueReadBuffer(queue->commands, queue->sums.memory, CL_TRUE, 0,
                                             slots * sizeof *sums, sums, 0, NULL, NULL);
    for (size_t i = 0; i < slots && queue->error == CL_SUCCESS; i++)
        if (sums[i].work >> 63 != 0)
            return nqi_fail(failure, NQ_OVERFLOW, "%s: %s", queue->device->label,
                            nq_status_text(NQ_OVERFLOW));
    return queue_status(queue, "read", failure);
}
