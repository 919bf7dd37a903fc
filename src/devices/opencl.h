/* SPDX-License-Identifier: MIT */
/* The interface to OpenCL. The program also runs on machines without OpenCL, because OpenCL's
 * loader is opened only when a device is asked for, and its functions are called through struct
 * opencl. */
#ifndef DEVICES_OPENCL_H
#define DEVICES_OPENCL_H

#include "core/failure.h"

#include <nqueens.h>

/* Describes the first `capacity` devices of this machine, in the order of their numbers, and
 * sets *count to the number of all devices. Returns NQ_NO_DEVICE if there is no device or no
 * loader, or if this build is without OpenCL. */
nq_status nqi_devices_list(nq_device *devices, size_t capacity, size_t *count,
                           struct failure *failure);

/* Stores the numbers of the devices that a list names: "all", or numbers such as "0,2-3".
 * Returns NQ_NO_DEVICE if there are no devices, or NQ_BAD_OPTION if the list has another form,
 * names a device that does not exist, or names a device twice. */
nq_status nqi_devices_numbers(const char *list, int numbers[NQ_MAX_DEVICES], int *count,
                              struct failure *failure);

#ifdef HAVE_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/* The functions of OpenCL 1.2 that the library calls, without their prefix `cl`. */
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
    cl_device_id device[NQ_MAX_DEVICES]; /* [number] */
};

/* Opens the loader and finds the devices, at the first call of a process. Fails with
 * NQ_NO_DEVICE. */
nq_status nqi_opencl_open(const struct opencl **cl, struct failure *failure);

/* Describes the device with this number. */
void nqi_device_describe(const struct opencl *cl, int number, nq_device *device);

/* Returns what an error of OpenCL means, or where to look its number up. */
const char *nqi_opencl_error(cl_int error);
#endif

#endif
