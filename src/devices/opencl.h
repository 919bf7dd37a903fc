/* SPDX-License-Identifier: MIT */
/* OpenCL, whose loader is opened when a device is asked for: the program runs without it. */
#ifndef DEVICES_OPENCL_H
#define DEVICES_OPENCL_H

#include "core/failure.h"

#include <nqueens.h>

/* Fills in the devices of this machine, in the order of their numbers, at most `capacity`.
 * *count: of all. NQ_NO_DEVICE: there is none, no loader, or this build is without OpenCL. */
nq_status nqi_devices_list(nq_device *devices, size_t capacity, size_t *count,
                           struct failure *failure);

/* Stores the numbers of the devices that a list names: "all", or numbers such as "0,2-3".
 * NQ_NO_DEVICE; NQ_BAD_OPTION: it names a device that is not there, or one twice. */
nq_status nqi_devices_numbers(const char *list, int numbers[NQ_MAX_DEVICES], int *count,
                              struct failure *failure);

#ifdef HAVE_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/* The functions of OpenCL 1.2 that the program calls, without their prefix. */
#define OPENCL_CALLS(CALL)                                                                     \
    CALL(GetPlatformIDs)                                                                       \
    CALL(GetDeviceIDs)                                                                         \
    CALL(GetDeviceInfo)                                                                        \
    CALL(CreateContext)                                                                        \
    CALL(ReleaseContext)                                                                       \
    CALL(CreateCommandQueue)                                                                   \
    CALL(ReleaseCommandQueue)                                                                  \
    CALL(CreateProgramWithSource)                                                              \
    CALL(BuildProgram)                                                                         \
    CALL(GetProgramBuildInfo)                                                                  \
    CALL(ReleaseProgram)                                                                       \
    CALL(CreateKernel)                                                                         \
    CALL(SetKernelArg)                                                                         \
    CALL(ReleaseKernel)                                                                        \
    CALL(CreateBuffer)                                                                         \
    CALL(ReleaseMemObject)                                                                     \
    CALL(EnqueueWriteBuffer)                                                                   \
    CALL(EnqueueReadBuffer)                                                                    \
    CALL(EnqueueNDRangeKernel)                                                                 \
    CALL(Flush)                                                                                \
    CALL(Finish)                                                                               \
    CALL(GetEventInfo)                                                                         \
    CALL(ReleaseEvent)

struct opencl {
#define OPENCL_MEMBER(name) __typeof__(&cl##name) name;
    OPENCL_CALLS(OPENCL_MEMBER)
    cl_uint devices;
    cl_device_id device[NQ_MAX_DEVICES]; /* in the order of their numbers */
};

/* Opens the loader and finds the devices, once a process. NQ_NO_DEVICE. */
nq_status nqi_opencl_open(const struct opencl **cl, struct failure *failure);

void nqi_device_describe(const struct opencl *cl, int number, nq_device *device);

/* Returns the name of an error of OpenCL. */
const char *nqi_opencl_error(cl_int error);
#endif

#endif
