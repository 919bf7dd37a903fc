/* SPDX-License-Identifier: MIT */
/* Devices that fail. DEVICE_FAULT="WHAT N TIME" says what fails, for which board, and at which
 * time, counted from 1:
 *
 *     build    the device's program cannot be built
 *     signal   SIGTERM comes, and the device's program cannot be built. This is what happens
 *              with PoCL, whose compiler deletes its files after a signal
 *     event    a launch fails, which is seen when its event is queried
 *     full     sums are cleared, but the first one becomes 2^64 - 1
 *     carry    sums are cleared, but that of the spot check becomes 2^32 - 1
 *     read     sums cannot be read
 *     sum      sums are read, with a solution too many for the last unit
 *     drawn    sums are read, with a solution too many for the spot check
 *
 * In three faults TIME has another meaning, and in two of them N has none:
 *
 *     launch   after TIME reads of sums for board N, each launch for this board fails
 *     local    each device has TIME bytes of local memory
 *     basic    PoCL's device "basic" has TIME bytes of local memory
 */
#include "devices/opencl.h"

#ifdef HAVE_OPENCL
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct opencl faulty;
static const struct opencl *right;
static char fault[16];
static int fault_n, fault_time, n;
static atomic_int times, reads;

/* Counts a step that may fail in this way. Returns whether it fails. */
static bool fails(const char *what) {
    return strcmp(what, fault) == 0 && n == fault_n &&
           atomic_fetch_add(&times, 1) + 1 == fault_time;
}

static cl_int build(cl_program program, cl_uint count, const cl_device_id *devices,
                    const char *options, void (*told)(cl_program, void *), void *context) {
    n = atoi(strstr(options, "-DN=") + strlen("-DN="));
    const bool signalled = fails("signal");
    if (signalled)
        raise(SIGTERM);
    return signalled || fails("build")
               ? CL_BUILD_PROGRAM_FAILURE
               : right->BuildProgram(program, count, devices, options, told, context);
}

static cl_int build_info(cl_program program, cl_device_id device, cl_program_build_info what,
                         size_t size, void *value, size_t *needed) {
    static const char log[] =
        "colours.cl:1: warning: odd\ncolours.cl:2: error: too hard\nmore\n";
    (void)program, (void)device, (void)what;
    if (needed != NULL)
        *needed = sizeof log;
    if (size >= sizeof log)
        memcpy(value, log, sizeof log);
    return CL_SUCCESS;
}

static cl_int launch(cl_command_queue commands, cl_kernel kernel, cl_uint dimensions,
                     const size_t *offset, const size_t *global, const size_t *local,
                     cl_uint count, const cl_event *events, cl_event *event) {
    return strcmp(fault, "launch") == 0 && n == fault_n && reads >= fault_time
               ? CL_OUT_OF_RESOURCES
               : right->EnqueueNDRangeKernel(commands, kernel, dimensions, offset, global,
                                             local, count, events, event);
}

static cl_int event_info(cl_event event, cl_event_info what, size_t size, void *value,
                         size_t *needed) {
    const cl_int error = right->GetEventInfo(event, what, size, value, needed);
    if (fails("event"))
        *(cl_int *)value = CL_DEVICE_NOT_AVAILABLE;
    return error;
}

static cl_int write_sums(cl_command_queue commands, cl_mem buffer, cl_bool blocking,
                         size_t offset, size_t size, const void *from, cl_uint count,
                         const cl_event *events, cl_event *event) {
    static const cl_ulong cleared[2], full[2] = {CL_ULONG_MAX}, carry[2] = {CL_UINT_MAX};
    const cl_int error = right->EnqueueWriteBuffer(commands, buffer, blocking, offset, size,
                                                   from, count, events, event);
    if (size < sizeof cleared || memcmp(from, cleared, sizeof cleared) != 0)
        return error;
    if (fails("full"))
        return right->EnqueueWriteBuffer(commands, buffer, blocking, offset, sizeof full, full,
                                         count, events, event);
    if (fails("carry"))
        return right->EnqueueWriteBuffer(commands, buffer, blocking,
                                         offset + size - sizeof carry, sizeof carry, carry,
                                         count, events, event);
    return error;
}

static cl_int read_sums(cl_command_queue commands, cl_mem buffer, cl_bool blocking,
                        size_t offset, size_t size, void *to, cl_uint count,
                        const cl_event *events, cl_event *event) {
    const cl_int error = right->EnqueueReadBuffer(commands, buffer, blocking, offset, size, to,
                                                  count, events, event);
    /* The sums are pairs of solutions and work. The spot check's pair comes last, and the last
     * unit's before it. */
    cl_ulong *sums = to;
    reads += n == fault_n;
    sums[size / sizeof *sums - 4] += fails("sum");
    sums[size / sizeof *sums - 2] += fails("drawn");
    return fails("read") ? CL_OUT_OF_RESOURCES : error;
}

static cl_int device_info(cl_device_id device, cl_device_info what, size_t size, void *value,
                          size_t *needed) {
    const cl_int error = right->GetDeviceInfo(device, what, size, value, needed);
    char name[1024] = "";
    if (strcmp(fault, "basic") == 0)
        right->GetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    const bool is_basic = strncmp(name, "basic", 5) == 0 ||
                          strncmp(name, "cpu-minimal", 11) == 0; /* from version 4 on */
    if ((strcmp(fault, "local") == 0 || is_basic) && what == CL_DEVICE_LOCAL_MEM_SIZE)
        *(cl_ulong *)value = (cl_ulong)fault_time;
    return error;
}

nq_status __real_nqi_opencl_open(const struct opencl **opencl, struct failure *failure);
nq_status __wrap_nqi_opencl_open(const struct opencl **opencl, struct failure *failure);

nq_status __wrap_nqi_opencl_open(const struct opencl **opencl, struct failure *failure) {
    const char *text = getenv("DEVICE_FAULT");
    const nq_status status = __real_nqi_opencl_open(&right, failure);
    *opencl = right;
    if (status != NQ_OK || text == NULL ||
        sscanf(text, "%15s %d %d", fault, &fault_n, &fault_time) != 3)
        return status;
    faulty = *right;
    faulty.BuildProgram = build;
    faulty.EnqueueNDRangeKernel = launch;
    faulty.GetEventInfo = event_info;
    faulty.EnqueueWriteBuffer = write_sums;
    faulty.EnqueueReadBuffer = read_sums;
    faulty.GetDeviceInfo = device_info;
    if (strcmp(fault, "build") == 0)
        faulty.GetProgramBuildInfo = build_info;
    *opencl = &faulty;
    return status;
}
#endif
