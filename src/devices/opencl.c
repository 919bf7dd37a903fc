/* SPDX-License-Identifier: MIT */
/* Opens OpenCL's loader, looks its functions up, and numbers the devices of all platforms. In a
 * build without OpenCL's headers, there are no devices, and an error says why. */
#include "devices/opencl.h"

#include "core/arrays.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

#ifndef HAVE_OPENCL
nq_status nqi_devices_list(nq_device *devices, size_t capacity, size_t *count,
                           struct failure *failure) {
    (void)devices, (void)capacity;
    *count = 0;
    return nqi_fail(
        failure, NQ_NO_DEVICE,
        "this build is without OpenCL: install its headers (Debian: opencl-c-headers), "
        "delete the build folder, and build again");
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>

static struct opencl opencl;
static struct failure opencl_failure; /* says why there is no device */

/* Opens the loader, and never closes it, because drivers start threads. If a tool that traces
 * calls or simulates a device was preloaded, the process has OpenCL's functions already. Then
 * these functions are taken. */
static bool opencl_load(void) {
    void *loader = dlopen(NULL, RTLD_NOW);
    if (loader == NULL || dlsym(loader, "clGetPlatformIDs") == NULL)
        loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
#define OPENCL_FIND(name)                                                                      \
    if (loader != NULL) {                                                                      \
        void *found = dlsym(loader, "cl" #name);                                               \
        memcpy(&opencl.name, &found, sizeof found);                                            \
        loader = found != NULL ? loader : NULL;                                                \
    }
    OPENCL_CALLS(OPENCL_FIND)
    if (loader != NULL)
        return true;
    const char *why = dlerror();
    nqi_fail(&opencl_failure, NQ_NO_DEVICE,
             "OpenCL cannot be loaded: %.150s; install its loader (Debian: ocl-icd-libopencl1) "
             "and the device's driver",
             why != NULL ? why : "unknown");
    return false;
}

/* Finds the devices, platform by platform, up to NQ_MAX_DEVICES. */
static void opencl_find_devices(void) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    /* The loader reports an error if there is no driver. */
    if (opencl.GetPlatformIDs(LENGTH(platforms), platforms, &count) != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && i < LENGTH(platforms); i++) {
        const cl_uint room = NQ_MAX_DEVICES - opencl.devices;
        cl_uint more = 0;
        if (room > 0 &&
            opencl.GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, room,
                                opencl.device + opencl.devices, &more) == CL_SUCCESS)
            opencl.devices += more < room ? more : room;
    }
    struct rlimit memory = {.rlim_cur = RLIM_INFINITY};
    getrlimit(RLIMIT_AS, &memory);
    if (opencl.devices == 0) /* perhaps because the loader skips a driver that lacks memory */
        nqi_fail(&opencl_failure, NQ_NO_DEVICE,
                 "OpenCL finds no device: %sinstall its driver (Debian: nvidia-opencl-icd, "
                 "mesa-opencl-icd, intel-opencl-icd, or for the CPU pocl-opencl-icd)",
                 memory.rlim_cur != RLIM_INFINITY ? "allow more memory by 'ulimit -v', or "
                                                  : "");
}

static void opencl_start(void) {
    if (opencl_load())
        opencl_find_devices();
}

nq_status nqi_opencl_open(const struct opencl **cl, struct failure *failure) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, opencl_start);
    *cl = &opencl;
    return opencl.devices > 0 ? NQ_OK
                              : nqi_fail(failure, NQ_NO_DEVICE, "%s", opencl_failure.text);
}

/* Gets a text about a device, cut to the length of a member of nq_device. OpenCL does not cut:
 * it fails if a text is longer than the array. */
static void device_get_text(const struct opencl *cl, cl_device_id id, cl_device_info what,
                            char text[sizeof((nq_device *)0)->name]) {
    char whole[1024] = "";
    cl->GetDeviceInfo(id, what, sizeof whole - 1, whole, NULL);
    snprintf(text, sizeof((nq_device *)0)->name, "%.63s", whole);
}

void nqi_device_describe(const struct opencl *cl, int number, nq_device *device) {
    const cl_device_id id = cl->device[number];
    cl_ulong local = 0;
    cl_uint units = 0;
    *device = (nq_device){.name = ""};
    device_get_text(cl, id, CL_DEVICE_NAME, device->name);
    device_get_text(cl, id, CL_DRIVER_VERSION, device->driver);
    cl->GetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    cl->GetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    device->local_memory = local;
    device->compute_units = (int)units;
}

nq_status nqi_devices_list(nq_device *devices, size_t capacity, size_t *count,
                           struct failure *failure) {
    const struct opencl *cl;
    const nq_status status = nqi_opencl_open(&cl, failure);
    *count = cl->devices;
    for (size_t i = 0; i < *count && i < capacity; i++)
        nqi_device_describe(cl, (int)i, &devices[i]);
    return status;
}

const char *nqi_opencl_error(cl_int error) {
    static const struct {
        cl_int error;
        const char *text;
    } texts[] = {{CL_DEVICE_NOT_AVAILABLE, "device not available"},
                 {CL_COMPILER_NOT_AVAILABLE, "compiler not available"},
                 {CL_MEM_OBJECT_ALLOCATION_FAILURE, "out of device memory"},
                 {CL_OUT_OF_RESOURCES, "out of resources"},
                 {CL_OUT_OF_HOST_MEMORY, "out of host memory"},
                 {CL_BUILD_PROGRAM_FAILURE, "its compiler refuses the program"},
                 {CL_INVALID_WORK_GROUP_SIZE, "work-group too large"}};
    for (size_t i = 0; i < LENGTH(texts); i++)
        if (texts[i].error == error)
            return texts[i].text;
    return "see CL/cl.h";
}
#endif

nq_status nqi_devices_numbers(const char *list, int numbers[NQ_MAX_DEVICES], int *count,
                              struct failure *failure) {
    size_t devices;
    bool taken[NQ_MAX_DEVICES] = {false};
    char every[16];
    const nq_status status = nqi_devices_list(NULL, 0, &devices, failure);
    *count = 0;
    if (devices == 0)
        return status;
    const int last_device = (int)devices - 1;
    snprintf(every, sizeof every, "0-%d", last_device);
    for (const char *rest = strcmp(list, "all") == 0 ? every : list; rest != NULL;) {
        int first, last;
        if (!nqi_text_range(&rest, &first, &last))
            return nqi_fail(failure, NQ_BAD_OPTION,
                            "device '%.60s': expected all, or numbers such as 0,2-3", list);
        if (last > last_device)
            return nqi_fail(failure, NQ_BAD_OPTION,
                            "device '%.60s': the last device is number %d", list, last_device);
        for (int number = first; number <= last; number++) {
            if (taken[number])
                return nqi_fail(failure, NQ_BAD_OPTION, "device '%.60s' names %d twice", list,
                                number);
            taken[number] = true;
            numbers[(*count)++] = number;
        }
    }
    return NQ_OK;
}
