/* SPDX-License-Identifier: MIT */
/* nqueens.h: the public interface of libnqueens, and its manual.
 *
 * In how many ways can n queens stand on an n x n board so that none attacks another? The
 * library counts them on all cores of a machine, or on its GPUs, and keeps the results of long
 * counts in files. It also lists, constructs, checks and classifies solutions.
 *
 * This program prints 14772512, the number of solutions for n = 16:
 *
 *     #include <inttypes.h>
 *     #include <nqueens.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         nq_options options = NQ_OPTIONS_INIT;
 *         nq_result result = NQ_RESULT_INIT;
 *         options.threads = 4;
 *         if (nq_count_solutions(16, &options, &result) != NQ_OK) {
 *             fprintf(stderr, "%s\n", nq_error_message());
 *             return 1;
 *         }
 *         printf("%" PRIu64 "\n", result.solutions);
 *         return 0;
 *     }
 *
 * Compile it with `cc count.c $(pkg-config --cflags --libs nqueens)`.
 *
 * ---- Words ------------------------------------------------------------------------------
 *
 *   method   a way to count. "search" walks to every solution. "colours" counts the placements
 *            on black squares and those on white squares separately, which is much faster
 *   unit     a part of a count that one thread solves. Each unit has a number, and its result
 *            is the same on every machine
 *   work     the steps that a method took: "nodes" or "completions" (see nq_result.work_name)
 *   kernel   the innermost loop of a method, written for one instruction set, or for devices
 *   device   a GPU or another processor that OpenCL finds
 *   ledger   a file that keeps the result of every finished unit
 *   shard    one of several sets into which the units are dealt, so that several machines can
 *            each count one
 *   PU       processing unit: a hardware thread of a core. PUs have the numbers that the
 *            operating system gives them
 *
 * ---- Errors -----------------------------------------------------------------------------
 *
 * A function that can fail returns an nq_status. nq_error_message() then returns a sentence
 * that names the wrong value and the accepted range.
 *
 * The library never prints and never exits. The exceptions come from libraries that it uses. If
 * the system refuses to start a thread, or memory runs out inside libgomp, libgomp prints a
 * message and ends the process. If memory runs out inside hwloc, the process may crash, or the
 * call may never return. All other failed allocations end in NQ_NO_MEMORY or NQ_NO_TOPOLOGY.
 *
 * The library changes no signal handlers. A process that writes ledgers should ignore SIGXFSZ,
 * because that signal ends it when a ledger outgrows the limit on file sizes (`ulimit -f`).
 *
 * ---- Pointers and strings ---------------------------------------------------------------
 *
 * Pass no NULL, unless a comment here allows it. When a call ends, the library forgets the
 * pointers that it was given. There is one exception: a list keeps its progress callback and
 * the callback's context. Strings that the library returns belong to it and must not be freed.
 * They are static, and so valid until the process ends, unless a comment says otherwise.
 *
 * ---- Sizes of structs -------------------------------------------------------------------
 *
 * Some structs begin with a member `size`. Set it with the struct's initialiser, such as
 * NQ_RESULT_INIT. Later versions with the same soname may append members to these structs. The
 * library reads and writes no more than `size` bytes, so a program keeps working without being
 * compiled again:
 *
 *   - If the library is newer than the program, options that the program lacks have their
 *     defaults.
 *   - If the program is newer than the library, options that the library lacks must be zero
 *     (else NQ_BAD_OPTION), and results that it lacks are set to zero.
 *
 * A size that is smaller than in version 1.0 is refused with NQ_BAD_OPTION. Structs without a
 * `size` never change. Later versions may also add functions and statuses.
 *
 * ---- Threads ----------------------------------------------------------------------------
 *
 * Several threads may call any functions at the same time, each with results of its own. Only
 * an nq_list must not be used by two threads at once.
 *
 * nq_count_solutions() starts threads through OpenMP. They outlive the call, so the shared
 * library stays in memory after dlclose(). The calling thread counts, too; it gets its CPU mask
 * back when the call ends.
 *
 * ---- fork() -----------------------------------------------------------------------------
 *
 * After fork(), if the forking thread has ever begun a count, the child must count in a new
 * thread, because OpenMP's threads exist only in the parent.
 *
 * If another thread was using devices at the fork, their locks may stay locked in the child.
 * Most drivers of devices do not work in the child at all. So the child should execute a new
 * program before it uses devices.
 *
 * A ledger that was in use at the fork stays closed to other writers until the parent's count
 * has returned, and the child has ended or executed a new program.
 *
 * ---- Environment ------------------------------------------------------------------------
 *
 * The library has no environment variables of its own. Those of OpenMP, hwloc and OpenCL have
 * their usual effect. OpenCL is opened by the first call that asks for devices, and stays open;
 * its drivers start threads of their own. */
#ifndef NQUEENS_NQUEENS_H
#define NQUEENS_NQUEENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NQ_API /* define it as nothing for tools that do not know attributes, such as SWIG */
#define NQ_API __attribute__((visibility("default")))
#endif

/* NQ_INIT makes a struct whose `size` is set and whose other members are zero. Use it through
 * the initialisers below: NQ_OPTIONS_INIT, NQ_RESULT_INIT and NQ_MACHINE_INIT. */
#ifdef __cplusplus
#define NQ_INIT(type)                                                                          \
    [] {                                                                                       \
        type nq_made{};                                                                        \
        nq_made.size = sizeof(type);                                                           \
        return nq_made;                                                                        \
    }()
#else
#define NQ_INIT(type)                                                                          \
    { .size = sizeof(type) }
#endif

/* ==== Versions and limits ================================================================ */

/* These macros are the version of this header. NQ_VERSION_MAJOR changes with the library's
 * soname. */
#define NQ_VERSION_MAJOR 1
#define NQ_VERSION_MINOR 0
#define NQ_VERSION_PATCH 0
#define NQ_VERSION       "1.0.0"

/* nq_version() returns the version of the library: "major.minor.patch" if it is a release.
 * Between releases the commit follows, as in "1.0.0+58a76fe", and ".dirty" if files had been
 * changed since that commit. If the build could not tell the commit, "+unknown" follows. */
NQ_API const char *nq_version(void);

enum {
    NQ_MAX_N = 28,            /* the largest n that can be counted or listed; the least is 0 */
    NQ_MAX_KNOWN_N = 27,      /* the largest n whose number of solutions is published */
    NQ_MAX_SIDE = 1000000000, /* the largest n of a placement to construct, check or classify */
    NQ_MAX_THREADS = 4096,    /* the most threads of one count */
    NQ_MAX_DEVICES = 64,      /* the most devices of one machine */
    NQ_MAX_SHARDS = 1000000   /* the most shards of one count */
};

/* ==== Errors ============================================================================= */

typedef enum nq_status {
    NQ_OK = 0,
    NQ_BAD_N = 1,        /* n is out of range */
    NQ_BAD_OPTION = 2,   /* an option is out of range, unknown, or in conflict with another */
    NQ_NO_KERNEL = 3,    /* this CPU cannot run the kernel, or the method lacks it */
    NQ_NO_PU = 4,        /* a PU of bind_list does not exist or is not allowed */
    NQ_NO_MEMORY = 5,    /* memory ran out */
    NQ_NO_TOPOLOGY = 6,  /* hwloc could not read the machine's topology */
    NQ_OVERFLOW = 7,     /* a sum is too large to be right, so no total is given */
    NQ_LOST_UNIT = 8,    /* a unit was missed, or counted twice, so no total is given */
    NQ_MISMATCH = 9,     /* a number differs from the known one, or is impossible */
    NQ_CANCELLED = 10,   /* the progress callback returned false */
    NQ_LEDGER_IO = 11,   /* a ledger cannot be opened, read or written, or was deleted */
    NQ_LEDGER_BUSY = 12, /* another process writes to the ledger */
    NQ_LEDGER_DAMAGED = 13, /* the file is not a ledger that this version knows */
    NQ_LEDGER_OTHER = 14,   /* the ledger, or a line of it, belongs to another n or method */
    NQ_DISAGREE = 15,       /* two results of the same unit differ */
    NQ_NO_SOLUTION = 16,    /* there is no solution for this n, or no further one in a list */
    NQ_NO_PLACEMENT = 17,   /* the numbers are not a placement of n queens, one in each row */
    NQ_ATTACK = 18,         /* two queens of a placement attack each other */
    NQ_INTERNAL = 19,       /* the library has a fault, so no total is given */
    NQ_NO_DEVICE = 20,      /* OpenCL is not built in, is not installed, or finds no device */
    NQ_DEVICE = 21          /* a device failed, or refused the kernel */
} nq_status;

/* nq_status_text() returns a short English description of a status. A value that is no status
 * has a description, too. */
NQ_API const char *nq_status_text(nq_status status);

/* nq_error_message() returns a sentence about what was wrong in the calling thread's last call
 * of a function that returns an nq_status. If that call returned NQ_OK, or if there was no such
 * call, the sentence is empty. It is one line of text: control characters, and bytes that are
 * not UTF-8, are shown as \xNN. The string is valid until the thread's next such call. */
NQ_API const char *nq_error_message(void);

/* ==== Counting: jobs ===================================================================== */

/* nq_job identifies a count: the board, and its division into units. For empty boards, equal
 * members mean equal units on every machine. */
typedef struct nq_job {
    int n;           /* rows and columns of the board */
    int version;     /* number of the rules by which the method divides a board into units */
    char method[16]; /* name of the method */
    uint64_t units;  /* number of units of the whole board */
} nq_job;

/* ==== Counting: progress ================================================================= */

/* nq_progress describes how far a count or a search is. The library passes it to the progress
 * callback. The struct, and what it points to, are valid only during that call. */
typedef struct nq_progress {
    /* Size of the library's struct, in bytes. A callback that was compiled with a later header
     * must not read beyond it. */
    size_t size;
    /* The count. For a search of nq_list_next() or nq_count_classes() it has no units and no
     * version. */
    const nq_job *job;
    /* Name of the kernel that counts. */
    const char *kernel;
    /* Threads that count, and PUs on which they can run at the same time. Both are 0 while a
     * device is being prepared, and in the program nqueens-mpi, in which several processes
     * count together. */
    int threads, pus;
    /* Finished units, and all units of the board, or of the shard. Both numbers include units
     * that the ledger held before. */
    uint64_t units_done, units;
    /* Finished share of the expected time, from 0 to 1. Units that the ledger held before count
     * as finished. */
    double share;
    /* Work that this call has done so far. UINT64_MAX means that much or more. */
    uint64_t work;
    /* What `work` counts: "nodes" or "completions", as in nq_result. */
    const char *work_name;
    /* Seconds since the call began. For a list: since it was opened. */
    double seconds;
    /* Expected seconds until the end. It is negative while they are unknown. */
    double remaining;
    /* What is being done: "compiling for device 0" (before the first unit), "counting",
     * "listing solutions" or "counting classes". */
    const char *phase;
    /* NULL, or one or more warnings joined by "; ". They say which devices are left out, such
     * as "device 1 is left out: it has no compiler", why results cannot be written to the
     * ledger yet, or which of its lines were left out. They may change from call to call. */
    const char *warning;
} nq_progress;

/* nq_progress_fn is the type of a progress callback. It returns true to continue, or false to
 * stop. context is nq_options.progress_context. The callback must return: if it leaves by
 * longjmp() or by a C++ exception, the behaviour is undefined.
 *
 * In a count, the first call comes before the first unit is solved. Any of the count's threads
 * may make the calls, but never two at once. Once the callback has returned false, it is not
 * called again, and the count returns NQ_CANCELLED unless all units have finished. Without a
 * ledger, units under way are dropped, and the count ends within a fraction of a second. With a
 * ledger, units under way have half a second to finish. If their results cannot be written, the
 * library tries again for two seconds, and then returns NQ_LEDGER_IO.
 *
 * In a search of nq_list_next() or nq_count_classes(), the calling thread makes the calls. The
 * first one comes after progress_seconds, so a short search makes none. Once the callback has
 * returned false, the search stops at once. */
typedef bool (*nq_progress_fn)(const nq_progress *progress, void *context);

/* ==== Counting: options ================================================================== */

typedef enum nq_bind {
    /* The library binds each thread to one PU. The first threads get a core each, until no core
     * is left; further threads get the cores' other PUs. But if the user set OMP_PROC_BIND,
     * OMP_PLACES or GOMP_CPU_AFFINITY, OpenMP places the threads. */
    NQ_BIND_AUTO = 0,
    /* The operating system places the threads. */
    NQ_BIND_NONE = 1,
    /* The library binds the threads to the PUs of bind_list, one after another in its order. */
    NQ_BIND_LIST = 2
} nq_bind;

/* nq_options says how to count. NQ_OPTIONS_INIT sets all options to their defaults: zero or
 * NULL. They have the names of the program's options. Strings must stay unchanged until the
 * call returns. */
typedef struct nq_options {
    /* sizeof(nq_options), as NQ_OPTIONS_INIT sets it. */
    size_t size;

    /* Number of threads, from 1 to NQ_MAX_THREADS. By default (0) it is OMP_NUM_THREADS if that
     * is set. Otherwise there is one thread per core (per PU if `smt` is set, per listed PU
     * with NQ_BIND_LIST, or as OpenMP decides if it places the threads), but no more than the
     * CPU quota of the cgroup allows. */
    int threads;
    /* Where the threads run. */
    nq_bind bind;
    /* PU numbers for NQ_BIND_LIST, such as "0,2,4-7"; otherwise ignored. */
    const char *bind_list;
    /* Makes the default of `threads` one per PU, rather than one per core. It cannot be
     * combined with NQ_BIND_LIST, nor with NQ_BIND_NONE if `threads` is given. */
    bool smt;

    /* "search" or "colours". The default (NULL or "auto") is search for a board that is not
     * empty, and else colours. */
    const char *method;

    /* A board to complete, as text: n lines of n squares. `Q` or a chess queen is a queen that
     * stands on the square, `.` is a free square, and `*` is a square that no queen may take.
     * Blanks and commas are skipped, and so are lines that begin with a `#`. The count is the
     * number of ways to complete the board. Only method search counts it, on CPUs and without a
     * ledger. NULL (the default), or a board whose squares are all free, is the empty board. */
    const char *board;

    /* Path of a ledger, or NULL (the default) for none. If the file does not exist, it is
     * created. If it is a ledger of this n, the count continues it, and takes its method unless
     * the option `method` names one. A ledger has one writer at a time, and any number of
     * readers; a second writer gets NQ_LEDGER_BUSY.
     *
     * While the file cannot be written, because the disk is full for example, finished units
     * wait in memory; after ten minutes the count ends with NQ_LEDGER_IO. Damaged lines of the
     * file are left out, and nq_progress.warning says so. */
    const char *ledger;

    /* Count only the units of one shard: 1 <= shard <= shards <= NQ_MAX_SHARDS. If the board
     * has fewer units than shards, the last shards are empty, and count 0. By default (both 0)
     * all units are counted. */
    int shard, shards;

    /* One of the names in nq_machine.kernels, or "opencl" for devices. The default (NULL or
     * "auto") is the fastest kernel of the method that this CPU runs. */
    const char *kernel;

    /* A progress callback, or NULL (the default) for none. */
    nq_progress_fn progress;
    /* The callback's second argument. The library does not look at it. */
    void *progress_context;
    /* Least time between two calls of the callback, in seconds. 0 or less means 0.1. */
    double progress_seconds;

    /* Devices that count, by method colours and kernel "opencl": "all", or numbers of
     * nq_list_devices() such as "0,2-3". The default (NULL) is none, or device 0 if `kernel` is
     * "opencl". "all" leaves out devices that cannot count, provided that another one can;
     * nq_progress.warning says which, and nq_result.devices has those that counted.
     *
     * Each device gets two threads of its own, so this option cannot be combined with threads,
     * bind or smt, nor with a board. A device must first pass a test, and a CPU counts part of
     * its results again; if they differ, the count ends with NQ_DISAGREE. */
    const char *device;
} nq_options;

#define NQ_OPTIONS_INIT NQ_INIT(nq_options)

/* ==== Counting: results ================================================================== */

typedef enum nq_verdict {
    NQ_UNVERIFIED = 0, /* no number is known for this board, or the count is incomplete */
    NQ_VERIFIED = 1,   /* the result equals the known number */
    NQ_WRONG = 2       /* the result differs from the known number, or is impossible */
} nq_verdict;

typedef struct nq_result {
    /* sizeof(nq_result), as NQ_RESULT_INIT sets it. */
    size_t size;
    /* What was counted. If the count failed while it was being prepared, only n is set. */
    nq_job job;
    /* Name of the kernel that counted. NULL if the count failed while it was being prepared. */
    const char *kernel;
    /* Devices that counted: bit i is set for device i. It is 0 if CPUs counted, and always in
     * the program nqueens-mpi, in which several processes count together. */
    uint64_t devices;
    /* How the count compares with the known number of solutions. */
    nq_verdict verdict;
    /* The number of solutions, if `complete` is set; else what the finished units contribute to
     * it. It is 0 unless the status is NQ_OK or NQ_MISMATCH. */
    uint64_t solutions;
    /* Work done, including that of units which the ledger held before. UINT64_MAX means that
     * much or more. */
    uint64_t work;
    /* What `work` counts, or NULL if `kernel` is. Method search counts "nodes": the partial
     * placements that it visited below those from which its units start. Method colours counts
     * "completions": the placements it found of all queens of one colour. It finds them by
     * adding queens to placements on one half of this colour's squares. */
    const char *work_name;
    /* Number of units, and how many of them are done. With a ledger these are units of the
     * whole board, even if only a shard was counted; without one, units of the shard. */
    uint64_t units, units_done;
    /* Units among units_done that the ledger held before. */
    uint64_t units_recorded;
    /* Seconds that the call took, by the wall clock. */
    double seconds;
    /* The part of `seconds` before the first unit: the time to read the ledger, to look at the
     * machine and to divide the board into units. */
    double plan_seconds;
    /* Seconds that earlier runs in the ledger took, added up. */
    double seconds_recorded;
    /* All units of the board are counted, not only those of a shard. */
    bool complete;
    /* Number of threads that counted. */
    int threads;
    /* Number of threads that the library bound to one PU each. */
    int threads_bound;
} nq_result;

#define NQ_RESULT_INIT NQ_INIT(nq_result)

/* nq_count_solutions() counts the ways to place n queens on an n x n board so that none attacks
 * another (https://oeis.org/A000170). It compares a complete count of an empty board with the
 * known number, if there is one.
 *
 * n: from 0 to NQ_MAX_N.
 * options: NULL means the defaults.
 * result: receives the result. After a failure it says how far the count came.
 *
 * Returns NQ_OK, also if a shard was counted, or any status up to NQ_DISAGREE, NQ_INTERNAL,
 * NQ_NO_DEVICE or NQ_DEVICE. Two of these need an explanation:
 *   NQ_CANCELLED: the callback stopped the count. The ledger, if there is one, holds all
 *   finished units, and another call with the same options continues.
 *   NQ_MISMATCH: the total is wrong, so the machine or the program is broken. */
NQ_API nq_status nq_count_solutions(int n, const nq_options *options, nq_result *result);

/* nq_known_total() stores the published number of solutions, for n from 0 to 27
 * (https://oeis.org/A000170). nq_known_fundamental() stores the published number of classes of
 * solutions, for n from 1 to 27 (https://oeis.org/A002562). Both return true, or return false
 * and store nothing if no number is published for n. The library only checks counts with these
 * numbers; it never answers from them. */
NQ_API bool nq_known_total(int n, uint64_t *number);
NQ_API bool nq_known_fundamental(int n, uint64_t *number);

/* ==== Counting: devices ================================================================== */

typedef struct nq_device {
    /* Name of the device and version of its driver, each cut to 63 bytes. */
    char name[64], driver[64];
    /* Local memory of a work-group, in bytes. */
    uint64_t local_memory;
    /* Number of compute units, as OpenCL reports it. */
    int compute_units;
} nq_device;

/* nq_list_devices() describes the devices that OpenCL finds, in the order of their numbers,
 * which begin with 0.
 *
 * devices[0..capacity-1]: receives the first devices. NULL is allowed if capacity is 0.
 * count: receives the number of devices, which may exceed capacity but not NQ_MAX_DEVICES.
 *
 * Returns NQ_OK, or NQ_NO_DEVICE if there is none; nq_error_message() then says why. */
NQ_API nq_status nq_list_devices(nq_device *devices, size_t capacity, size_t *count);

/* ==== Lists of solutions ================================================================= */

/* A placement has one queen in each row. columns[0..n-1] are the columns of the queens in rows
 * 1 to n; columns are numbered from 1 to n. A solution is a placement in which no queen attacks
 * another. A class has all solutions that the square's eight symmetries (turns and
 * reflections) make out of one of them.
 *
 * nq_list is a list of solutions in lexicographic order of their columns. A list searches for
 * each solution when it is asked for, so it needs little memory. */
typedef struct nq_list nq_list;

/* nq_list_open() opens a list of the solutions for n.
 *
 * n: from 0 to NQ_MAX_N.
 * fundamental: if true, the list has only the first solution of each class.
 * options: only board, progress, progress_context and progress_seconds matter. If a board is
 * given, the list has the ways to complete it; this cannot be combined with fundamental. The
 * callback and its context must stay usable until the list is closed. NULL means the defaults.
 * list: receives the new list, or NULL after a failure. The caller must close the list with
 * nq_list_close().
 *
 * Returns NQ_OK, NQ_BAD_N, NQ_BAD_OPTION or NQ_NO_MEMORY. */
NQ_API nq_status nq_list_open(int n, bool fundamental, const nq_options *options,
                              nq_list **list);

/* nq_list_next() stores the next solution in columns[0..n-1]. If n exceeds 20 or so, it may
 * search for hours.
 *
 * Returns NQ_OK. At the end of the list, this and every later call return NQ_NO_SOLUTION. If
 * the callback stopped the search, the function returns NQ_CANCELLED; the next call continues
 * that search. Unless it returns NQ_OK, columns has no meaning. */
NQ_API nq_status nq_list_next(nq_list *list, int *columns);

/* nq_list_close() releases a list, which may have solutions left. It ignores NULL. */
NQ_API void nq_list_close(nq_list *list);

/* ==== Single solutions =================================================================== */

/* nq_construct_solution() stores one solution in columns[0..n-1]. It uses the explicit formulas
 * of Hoffman, Loessi and Moore (1969), so it takes time proportional to n.
 *
 * n: 1, or from 4 to NQ_MAX_SIDE.
 *
 * Returns NQ_OK, NQ_BAD_N, or NQ_NO_SOLUTION if n is 2 or 3. */
NQ_API nq_status nq_construct_solution(int n, int *columns);

/* nq_attack names two queens that attack each other, the upper one first: row[0] < row[1]. Rows
 * and columns are numbered from 1. */
typedef struct nq_attack {
    int row[2], column[2];
} nq_attack;

/* nq_check_placement() tells whether a placement is a solution. It takes time proportional to n
 * and 2 n bits of memory.
 *
 * n: from 0 to NQ_MAX_SIDE.
 * columns[0..n-1]: any numbers.
 * attack: NULL is allowed. If the status is NQ_ATTACK, it receives the first attacking pair:
 * the one whose upper queen is in the uppermost row. If there are several such pairs, it is the
 * one whose lower queen is in the uppermost row.
 *
 * Returns NQ_OK if the placement is a solution, NQ_ATTACK if two queens attack each other,
 * NQ_NO_PLACEMENT if a column is not in 1..n, NQ_BAD_N or NQ_NO_MEMORY. */
NQ_API nq_status nq_check_placement(int n, const int *columns, nq_attack *attack);

/* nq_class describes the class of a solution. */
typedef struct nq_class {
    int size;          /* solutions in the class: 8, 4, 2, or 1 (only for n = 0 and 1) */
    bool half_turn;    /* a half turn leaves the solution as it is */
    bool quarter_turn; /* a quarter turn leaves the solution as it is */
    bool first;        /* the solution is the first of its class in lexicographic order */
} nq_class;

/* nq_classify_solution() finds the class of a solution, in time proportional to n.
 *
 * n: from 0 to NQ_MAX_SIDE.
 * columns[0..n-1]: a solution. Attacks along diagonals are not noticed.
 * class_of: receives the class.
 *
 * Returns NQ_OK, NQ_NO_PLACEMENT if a column is not in 1..n or has two queens, NQ_BAD_N or
 * NQ_NO_MEMORY. */
NQ_API nq_status nq_classify_solution(int n, const int *columns, nq_class *class_of);

/* ==== Numbers of classes ================================================================= */

/* nq_classes has the numbers of classes and of symmetric solutions for one n. */
typedef struct nq_classes {
    uint64_t fundamental;  /* classes (https://oeis.org/A002562) */
    uint64_t half_turn;    /* solutions that a half turn leaves as they are (A032522) */
    uint64_t quarter_turn; /* solutions that a quarter turn leaves as they are (A033148) */
    nq_verdict verdict;    /* NQ_VERIFIED only if all three numbers are known, and right */
} nq_classes;

/* nq_count_classes() computes the number of classes from the number of solutions. By Burnside's
 * lemma there are (solutions + half_turn + 2 quarter_turn) / 8 classes for n > 1. The function
 * counts the few symmetric solutions by short searches in the calling thread, which take 0.01 s
 * for n = 20, 0.7 s for n = 24, and about a minute for n = 28.
 *
 * n: from 0 to NQ_MAX_N.
 * solutions: the number of all solutions for n, as nq_count_solutions() finds it.
 * options: only progress, progress_context and progress_seconds matter. NULL means the
 * defaults.
 * classes: receives the numbers.
 *
 * Returns NQ_OK, NQ_BAD_N or NQ_BAD_OPTION. If the callback stopped the search, the function
 * returns NQ_CANCELLED, and all numbers are 0. If no board of size n can have this number of
 * solutions, or one of the numbers differs from the known one, it returns NQ_MISMATCH. */
NQ_API nq_status nq_count_classes(int n, uint64_t solutions, const nq_options *options,
                                  nq_classes *classes);

/* ==== This machine and this build ======================================================== */

/* nq_place is the PU to which a thread would be bound, and where this PU is. If the thread
 * would not be bound, all members are -1. */
typedef struct nq_place {
    int pu;      /* the operating system's number of the PU */
    int core;    /* hwloc's logical number of the core; the PU's if hwloc sees no cores */
    int cache;   /* the last-level cache, numbered from 0 in hwloc's order */
    int package; /* hwloc's logical number of the package; 0 if hwloc sees no packages */
} nq_place;

/* nq_machine describes the machine as far as this process may use it, and the build of the
 * library. */
typedef struct nq_machine {
    /* sizeof(nq_machine), as NQ_MACHINE_INIT sets it. */
    size_t size;
    /* Compiler and optimisation with which the library was built. */
    const char *build;
    /* Numbers of packages, last-level caches, cores and PUs that this process may use. */
    int packages, caches, cores, pus;
    /* CPUs that the cgroup allows, such as 1.5. 0 means no limit. */
    double quota;
    /* Number of threads that a count with these options would start. */
    int threads;
    /* OpenMP places the threads: see NQ_BIND_AUTO. */
    bool omp_places;
    /* Name of the CPU, or "" if it is unknown. */
    char cpu[96];
    /* Instruction sets of the CPU that matter here, separated by spaces. */
    char features[160];
    /* Kernels that this CPU runs, the fastest last, such as "scalar64 avx2". */
    char kernels[64];
} nq_machine;

#define NQ_MACHINE_INIT NQ_INIT(nq_machine)

/* nq_describe_machine() describes the machine, and tells where a count would run its threads.
 * If hwloc describes another machine (HWLOC_XMLFILE, HWLOC_SYNTHETIC), so does this function;
 * nq_count_solutions() would then bind no thread.
 *
 * options: threads, bind, bind_list and smt have the effect that they have in a count on CPUs.
 * Options that conflict are refused, as in a count. NULL means the defaults.
 * machine: receives the description.
 * places[0..capacity-1]: receives the places of the first threads. Elements beyond the number
 * of threads stay as they are. NULL is allowed if capacity is 0.
 *
 * Returns NQ_OK, NQ_BAD_OPTION, NQ_NO_PU, NQ_NO_MEMORY or NQ_NO_TOPOLOGY. */
NQ_API nq_status nq_describe_machine(const nq_options *options, nq_machine *machine,
                                     nq_place *places, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
