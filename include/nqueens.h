/* SPDX-License-Identifier: MIT */
/* nqueens.h: the public interface of libnqueens, and its manual.
 *
 * In how many ways can n queens stand on an n x n board, none attacking another? The library
 * counts them on all cores, keeps the results of long counts in files, and lists, constructs,
 * checks and classifies solutions.
 *
 *     nq_options options = NQ_OPTIONS_INIT;
 *     nq_result result = NQ_RESULT_INIT;
 *     options.threads = 4;
 *     if (nq_count_solutions(16, &options, &result) != NQ_OK)
 *         fprintf(stderr, "%s\n", nq_error_message());
 *
 * Words:
 *   method   a way to count: "search" walks to every solution; "colours" counts the placements
 *            on black and on white squares apart
 *   unit     a part of a count that one thread solves
 *   kernel   the innermost loop of a method, written for one instruction set, or for devices
 *   device   a GPU or another processor that OpenCL finds
 *   ledger   a file that keeps the result of every finished unit
 *   shard    one of several sets of the units, for counts on several machines
 *   PU       processing unit: a hardware thread of a core, numbered by the operating system
 *
 * Errors. A function that can fail returns an nq_status; nq_error_message() then names the
 * wrong value and the accepted range. Pointers are not NULL unless a comment allows it. The
 * library never prints, never exits, touches no signals, and leaves the caller's CPU mask as it
 * was. It has no environment variables of its own; those of OpenMP, hwloc and OpenCL have their
 * effect. A process that writes ledgers should ignore SIGXFSZ, which ends it if the ledger
 * outgrows the limit on file sizes (`ulimit -f`).
 *
 * Growth. Later versions with the same soname may add functions, statuses, and members at the
 * end of structs whose first member is `size`. Set it with the struct's initialiser: the
 * library reads and writes no more than that, so programs compiled with this header keep
 * working. Options that a program does not know have their defaults. If the program is newer
 * than the library, unknown options must be zero (else NQ_BAD_OPTION), and unknown results are
 * set to zero. A size below that of version 1.0 is refused, with NQ_BAD_OPTION. Structs without
 * a size never grow.
 *
 * Threads. Every function may be called from several threads at the same time, each with
 * results of its own. One exception: an nq_list is used by one thread at a time.
 *
 * nq_count_solutions() starts threads through OpenMP. They outlive the call, so the shared
 * library stays in memory after dlclose(). In a child of fork() a thread that had begun a count
 * cannot count; a new thread can. If another thread used devices at the fork, their locks may
 * stay locked in the child, which then has to execute a new program. A ledger that was in use
 * at the fork stays closed to other writers until the child, too, has ended or executed a new
 * program.
 *
 * If the system refuses a thread, or memory runs out inside libgomp, libgomp prints a message
 * and exits the process; inside hwloc, the process may crash or never return. All other
 * allocations that fail end in NQ_NO_MEMORY or NQ_NO_TOPOLOGY.
 *
 * OpenCL is opened by the first call that asks for devices, and stays open. Its drivers start
 * threads of their own; after fork() most drivers do not work in the child. */
#ifndef NQUEENS_NQUEENS_H
#define NQUEENS_NQUEENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NQ_API /* nothing, for tools that do not know attributes, such as SWIG */
#define NQ_API __attribute__((visibility("default")))
#endif

/* A struct of which all members are zero but its size. */
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

/* The version of this header. The major one changes with the library's soname. */
#define NQ_VERSION_MAJOR 1
#define NQ_VERSION_MINOR 0
#define NQ_VERSION_PATCH 0
#define NQ_VERSION       "1.0.0"

/* nq_version() returns the version of the library: "major.minor.patch" of a release. Between
 * releases the commit follows, as in "1.0.0+58a76fe", and ".dirty" if files differed;
 * "+unknown" if the build could not tell. */
NQ_API const char *nq_version(void);

enum {
    NQ_MAX_N = 28,            /* the largest board counted or listed; the smallest is 0 */
    NQ_MAX_KNOWN_N = 27,      /* the largest board whose total is published */
    NQ_MAX_SIDE = 1000000000, /* the largest board of a placement */
    NQ_MAX_THREADS = 4096,
    NQ_MAX_DEVICES = 64, /* of one machine */
    NQ_MAX_SHARDS = 1000000
};

/* ==== Status ============================================================================= */

typedef enum nq_status {
    NQ_OK = 0,
    NQ_BAD_N = 1,      /* n is out of range */
    NQ_BAD_OPTION = 2, /* an option is out of range, unknown, or conflicts with another one */
    NQ_NO_KERNEL = 3,  /* the requested kernel cannot run on this CPU, or the method lacks it */
    NQ_NO_PU = 4,      /* a PU of bind_list does not exist or is not allowed to this process */
    NQ_NO_MEMORY = 5,  /* memory ran out */
    NQ_NO_TOPOLOGY = 6,     /* hwloc could not read the machine's topology */
    NQ_OVERFLOW = 7,        /* a sum is too large for its unit or board: no total is given */
    NQ_LOST_UNIT = 8,       /* not every unit was solved exactly once: no total is given */
    NQ_MISMATCH = 9,        /* the count differs from the known total */
    NQ_CANCELLED = 10,      /* the progress callback returned false */
    NQ_LEDGER_IO = 11,      /* a ledger cannot be opened, read or written, or was deleted */
    NQ_LEDGER_BUSY = 12,    /* another process writes to the ledger */
    NQ_LEDGER_DAMAGED = 13, /* the file is not a ledger that this version knows */
    NQ_LEDGER_OTHER = 14,   /* the ledger, or a line of it, belongs to another n or method */
    NQ_DISAGREE = 15,       /* two results for the same unit differ */
    NQ_NO_SOLUTION = 16,    /* boards of this size have no solution, or a list no other one */
    NQ_NO_PLACEMENT = 17,   /* the numbers are not a placement of n queens, one in each row */
    NQ_ATTACK = 18,         /* two queens of a placement attack each other */
    NQ_INTERNAL = 19,       /* a fault of the library itself: no total is given */
    NQ_NO_DEVICE = 20,      /* OpenCL finds no device, is not installed, or not built in */
    NQ_DEVICE = 21          /* a device failed, or refused the kernel */
} nq_status;

/* nq_status_text() returns a short English description of a status, a static string. The result
 * is never NULL, not even for a value that is no status. */
NQ_API const char *nq_status_text(nq_status status);

/* nq_error_message() says what was wrong in the calling thread's last call of a function that
 * returns an nq_status. It is empty only if that call returned NQ_OK or if there was none. It
 * is one line: control characters, and bytes that are not UTF-8, appear as \xNN. The result is
 * never NULL, and valid until the thread's next such call. */
NQ_API const char *nq_error_message(void);

/* ==== Counting =========================================================================== */

/* nq_job is what is counted: a board, and how it is cut into units. Jobs of empty boards with
 * equal members have the same units, on every machine. */
typedef struct nq_job {
    int n;
    int version; /* of the method's units */
    char method[16];
    uint64_t units; /* of the board */
} nq_job;

typedef struct nq_progress {
    size_t size;        /* of this struct as the library knows it: no more of it may be read */
    const nq_job *job;  /* valid during the call, like the struct itself; without units for a
                           search */
    const char *kernel; /* that counts; a static string */
    int threads, pus;   /* threads that count, and PUs on which they may run at the same time;
                           0: other processes count, too */
    uint64_t units_done, units; /* of the board, or of the shard; recorded ones included */
    double share;               /* finished share of the expected work, 0..1; recorded units
                                   included */
    uint64_t work;              /* work of this call so far; UINT64_MAX: that or more */
    const char *work_name; /* what work counts: "nodes" or "completions", as in nq_result */
    double seconds;        /* since the call began, or the list was opened */
    double remaining;      /* expected seconds to go; negative: not known yet */
    const char *phase;     /* "compiling for device 0" (before the units are known),
                              "counting", "listing solutions" or "counting classes"; valid
                              during the call */
    const char *warning;   /* such as "device 1 is left out: it has no compiler", several joined
                              by "; ", why results of a ledger wait in memory, or which of
                              its lines are left out; NULL if there is none. It may change
                              from call to call, and is valid during the call */
} nq_progress;

/* nq_progress_fn is a callback that learns how far a count or a search is, and can stop it: it
 * returns true to continue, false to stop. context: nq_options.progress_context. The callback
 * must return: if it leaves by longjmp() or by a C++ exception, the behaviour is undefined.
 *
 * Counts: the first call comes before the first unit is solved. Threads of the count make the
 * calls, never two at once. No call follows one that returned false. A count without a ledger
 * then drops the units under way and ends within a fraction of a second. With a ledger, units
 * under way have half a second to finish, and the disk, if it fails, two seconds to take the
 * results; else the count returns NQ_LEDGER_IO.
 *
 * Searches, by nq_list_next() and nq_count_classes(): the thread that called makes the calls.
 * The first one comes after progress_seconds, so a short search makes none. Once the callback
 * has returned false, the search ends at once.
 */
typedef bool (*nq_progress_fn)(const nq_progress *progress, void *context);

typedef enum nq_bind {
    NQ_BIND_AUTO = 0, /* one thread on each core; if the user set OMP_PROC_BIND, OMP_PLACES or
                         GOMP_CPU_AFFINITY, OpenMP places the threads */
    NQ_BIND_NONE = 1, /* the operating system places the threads */
    NQ_BIND_LIST = 2  /* one thread on each PU of bind_list, in that order */
} nq_bind;

/* nq_options says how a count is made. NQ_OPTIONS_INIT, or all members but `size` zero: the
 * defaults. Names are those of the command line. Strings are used until the call returns. */
typedef struct nq_options {
    size_t size; /* sizeof(nq_options) */
    /* Number of threads, 1..NQ_MAX_THREADS. 0: OMP_NUM_THREADS if set, else one for each place
     * that bind, smt and OMP_PLACES allow, within the CPU quota. */
    int threads;
    nq_bind bind;          /* where the threads run */
    const char *bind_list; /* PU numbers for NQ_BIND_LIST, such as "0,2,4-7" */
    bool smt;              /* once every core has a thread, use the other PUs of the cores; not
                              with NQ_BIND_LIST, nor with NQ_BIND_NONE and threads */
    /* "search" or "colours". NULL or "auto": search for a board that is not empty, else
     * colours. */
    const char *method;
    /* The board, if it is not empty: n lines of n squares, `Q` or a chess piece for a queen
     * that stands there, `.` for a free square, `*` for one that no queen may take. Blanks
     * and commas are skipped, and so are lines that begin with a `#`. What is counted is the
     * ways to complete it, by method search. No ledger may be given. NULL, or a board whose
     * squares are all free: the empty board. */
    const char *board;
    /* Path of a ledger. A new file is created; an existing ledger of the same n is continued,
     * and determines the method where that option is not given. A ledger has one writer at a
     * time (a second one ends with NQ_LEDGER_BUSY) and any number of readers. While the file
     * cannot be written, as on a full disk, finished units wait in memory; after ten minutes
     * the count ends with NQ_LEDGER_IO. Lines of the file that are not intact are left out, and
     * the progress warns of them. NULL: no ledger. */
    const char *ledger;
    /* Count only the units of one shard, 1 <= shard <= shards <= NQ_MAX_SHARDS. Of a board with
     * fewer units, the last shards are empty and count 0. 0 and 0: all units. */
    int shard, shards;
    /* One of nq_machine.kernels, or "opencl" for devices. NULL or "auto": the fastest that this
     * CPU runs. */
    const char *kernel;
    /* A callback, its context, and the least time in seconds between two calls of it (0 or
     * less: 0.1). NULL: none. */
    nq_progress_fn progress;
    void *progress_context;
    double progress_seconds;
    /* Count on devices, by method colours and kernel "opencl": "all", or numbers of
     * nq_list_devices() such as "0,2-3". "all" leaves out devices that cannot count
     * (nq_progress.warning, nq_result.devices), if another one can. Two threads feed each
     * device, so threads, bind and smt must not be given, nor a board. Each device first passes
     * a test, and a CPU kernel counts a part of its results again: NQ_DISAGREE, if they differ.
     * NULL: device 0 for kernel "opencl", else none. */
    const char *device;
} nq_options;

#define NQ_OPTIONS_INIT NQ_INIT(nq_options)

typedef enum nq_verdict {
    NQ_UNVERIFIED = 0, /* no total is known for this board, or the count is incomplete */
    NQ_VERIFIED = 1,   /* the count equals the known total */
    NQ_WRONG = 2       /* the count differs from the known total */
} nq_verdict;

typedef struct nq_result {
    size_t size;        /* sizeof(nq_result) */
    nq_job job;         /* what was counted; only n, if the count failed before it was cut */
    const char *kernel; /* that counted, a static string; NULL likewise */
    uint64_t devices;   /* that counted: bit i is that of device i; 0: CPUs did, or other
                           processes, too */
    nq_verdict verdict;
    uint64_t solutions; /* the count if complete, else what the finished units contribute to it;
                           0 unless the status is NQ_OK or NQ_MISMATCH */
    uint64_t work;      /* work done, recorded units included; UINT64_MAX: that or more */
    const char *work_name; /* what work counts: "nodes" (partial placements that search visited
                              below those that its units start from) or "completions" (of
                              placements on a quarter of the squares, found by colours) */
    uint64_t units, units_done; /* of the board; of the shard if there is no ledger */
    uint64_t units_recorded;    /* those of units_done that the ledger held before */
    double seconds;             /* wall-clock time of the call */
    double plan_seconds;        /* its part before the first unit: to read the ledger, look at
                                   the machine and cut the board into units */
    double seconds_recorded;    /* wall-clock time of earlier runs in the ledger, added up */
    bool complete;              /* all units of the board are counted, not only a shard's */
    int threads;                /* threads that counted */
    int threads_bound;          /* number of threads that the library bound to one PU */
} nq_result;

#define NQ_RESULT_INIT NQ_INIT(nq_result)

/* nq_count_solutions() counts the placements of n mutually non-attacking queens on an n x n
 * board (OEIS A000170). A complete count is compared with the known total, if there is one.
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults. result: filled in on failure too, as far as
 * the count came.
 *
 * Returns NQ_OK, even for a shard, or another status of those above, among them NQ_CANCELLED:
 * the callback stopped the count, and a ledger holds the finished units; NQ_MISMATCH: the total
 * is wrong, so the machine or the program is broken. */
NQ_API nq_status nq_count_solutions(int n, const nq_options *options, nq_result *result);

/* nq_known_total() and nq_known_fundamental() store the published number of all solutions for
 * n = 0..27 (https://oeis.org/A000170) or of classes for n = 1..27 (https://oeis.org/A002562)
 * and return true, or return false if none is published. The library uses them for checks only:
 * no count is answered from them. */
NQ_API bool nq_known_total(int n, uint64_t *number);
NQ_API bool nq_known_fundamental(int n, uint64_t *number);

typedef struct nq_device {
    char name[64], driver[64]; /* of the device, and its driver's version; cut to 63 bytes */
    uint64_t local_memory;     /* bytes, for a work-group */
    int compute_units;
} nq_device;

/* nq_list_devices() stores the devices that OpenCL finds, at most `capacity`, in the order of
 * their numbers, from 0, and in *count how many there are, 0..NQ_MAX_DEVICES. devices: may be
 * NULL if capacity is 0. Returns NQ_OK; NQ_NO_DEVICE: there is none, and nq_error_message()
 * says why. */
NQ_API nq_status nq_list_devices(nq_device *devices, size_t capacity, size_t *count);

/* ==== Solutions ========================================================================== */

/* A placement has one queen in each row. columns[0..n-1] are the columns, 1 to n, of the queens
 * in rows 1 to n. A solution is a placement in which no queen attacks another. A class is a set
 * of solutions that the square's eight symmetries (turns and reflections) make of each other.
 *
 * nq_list is a list of solutions in lexicographic order of their columns. */
typedef struct nq_list nq_list;

/* nq_list_open() starts a list of the solutions for n = 0..NQ_MAX_N. fundamental: true
 * for only the first solution of each class. options: board (not with fundamental), for a list
 * of the ways to complete it, and the progress callback decide; NULL for the defaults. *list:
 * the new list, to be released with nq_list_close(); NULL on failure. Returns NQ_OK, NQ_BAD_N,
 * NQ_BAD_OPTION or NQ_NO_MEMORY. */
NQ_API nq_status nq_list_open(int n, bool fundamental, const nq_options *options,
                              nq_list **list);

/* nq_list_next() stores the next solution in columns[0..n-1]. On boards of more than some 20
 * rows it may search for hours. Returns NQ_OK; NQ_NO_SOLUTION: the list is at its end, and
 * stays there; NQ_CANCELLED: the callback stopped the search, which goes on from there at the
 * next call. */
NQ_API nq_status nq_list_next(nq_list *list, int *columns);

/* nq_list_close() releases a list, which need not be at its end. list: NULL does nothing. */
NQ_API void nq_list_close(nq_list *list);

/* nq_construct_solution() stores one solution in columns[0..n-1], by the explicit formulas of
 * Hoffman, Loessi and Moore (1969). n: 1, or 4..NQ_MAX_SIDE. Returns NQ_OK; NQ_NO_SOLUTION: n
 * is 2 or 3; NQ_BAD_N. */
NQ_API nq_status nq_construct_solution(int n, int *columns);

typedef struct nq_attack {
    int row[2], column[2]; /* of two queens, from 1; row[0] < row[1] */
} nq_attack;

/* nq_check_placement() tells whether a placement is a solution, in time proportional to n and
 * with 2 n bits of memory. n: 0..NQ_MAX_SIDE. columns: any numbers. attack: may be NULL.
 * Returns NQ_OK: the placement is a solution; NQ_ATTACK: it is not, and *attack is the first
 * attacking pair, by the row of its upper queen, then by the row of its lower queen;
 * NQ_NO_PLACEMENT: a column is not in 1..n; NQ_BAD_N; NQ_NO_MEMORY. */
NQ_API nq_status nq_check_placement(int n, const int *columns, nq_attack *attack);

typedef struct nq_class {
    int size;          /* solutions in the class: 8, 4, 2, or 1 (n = 0 and 1 only) */
    bool half_turn;    /* a half turn leaves the solution as it is */
    bool quarter_turn; /* a quarter turn leaves the solution as it is */
    bool first;        /* the solution is the first of its class in lexicographic order */
} nq_class;

/* nq_classify_solution() finds the class of a solution, in time proportional to n.
 * n: 0..NQ_MAX_SIDE. columns: a solution; attacks along diagonals are not checked. Returns
 * NQ_OK; NQ_NO_PLACEMENT: a column is not in 1..n or has two queens; NQ_BAD_N; NQ_NO_MEMORY. */
NQ_API nq_status nq_classify_solution(int n, const int *columns, nq_class *class_of);

/* nq_classes is how many classes and how many symmetric solutions there are for n. */
typedef struct nq_classes {
    uint64_t fundamental;  /* classes: A002562 */
    uint64_t half_turn;    /* solutions that a half turn leaves as they are: A032522 */
    uint64_t quarter_turn; /* solutions that a quarter turn leaves as they are: A033148 */
    nq_verdict verdict;    /* of the three together; NQ_VERIFIED only if all three are known */
} nq_classes;

/* nq_count_classes() counts the classes of the solutions for n, given the number of solutions.
 * It counts the few symmetric solutions by searches of their own, in the calling thread: 0.01 s
 * for n = 20, 0.7 s for 24, about a minute for 28. For n > 1 there are
 * (solutions + half_turn + 2 quarter_turn) / 8 classes, by Burnside's lemma.
 *
 * n: 0..NQ_MAX_N. solutions: of a complete count. options: the progress callback decides; NULL
 * for the defaults. Returns NQ_OK; NQ_BAD_N; NQ_BAD_OPTION; NQ_CANCELLED: the callback stopped
 * the search, and *classes is empty; NQ_MISMATCH: this number of solutions is impossible, or a
 * number differs from the known one. */
NQ_API nq_status nq_count_classes(int n, uint64_t solutions, const nq_options *options,
                                  nq_classes *classes);

/* ==== This machine and this build ======================================================== */

typedef struct nq_place {
    int pu;      /* the operating system's number; -1: the thread would not be bound, and all
                    members are -1 */
    int core;    /* hwloc's logical number; the PU's number if hwloc sees no cores */
    int cache;   /* the last-level cache, numbered from 0 in hwloc's order */
    int package; /* hwloc's logical number; 0 if hwloc sees no packages */
} nq_place;

/* nq_machine is the machine as this process may use it, and the build of the library. */
typedef struct nq_machine {
    size_t size;                      /* sizeof(nq_machine) */
    const char *build;                /* the library's compiler and optimisation */
    int packages, caches, cores, pus; /* that this process may use; caches: last-level caches */
    double quota;                     /* CPUs that the cgroup allows; 0: no limit */
    int threads;                      /* threads that a count would use */
    bool omp_places;                  /* OpenMP places the threads: see NQ_BIND_AUTO */
    char cpu[96];                     /* name of the CPU; empty: unknown */
    char features[160];               /* names of the instruction sets that matter here */
    char kernels[64];                 /* those that this CPU runs, the fastest last, such as
                                         "scalar64 avx2" */
} nq_machine;

#define NQ_MACHINE_INIT NQ_INIT(nq_machine)

/* nq_describe_machine() describes the machine, and where a count would run its threads. If
 * hwloc describes another machine (HWLOC_XMLFILE, HWLOC_SYNTHETIC), so does
 * nq_describe_machine(), and nq_count_solutions() would bind no thread.
 *
 * options: threads, bind, bind_list and smt decide, and are not for devices; NULL for the
 * defaults.
 * places[0..capacity-1]: where a count with these options would run its threads; may be NULL if
 * capacity is 0. Returns NQ_OK, NQ_BAD_OPTION, NQ_NO_PU, NQ_NO_MEMORY or NQ_NO_TOPOLOGY. */
NQ_API nq_status nq_describe_machine(const nq_options *options, nq_machine *machine,
                                     nq_place *places, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
