/* nqueens.h: the public interface of libnqueens.
 *
 * In how many ways can n queens stand on an n x n board, none attacking another? The library
 * counts them on all cores, keeps the results of long counts in files, and lists, constructs,
 * checks and classifies solutions.
 *
 * Words:
 *   method   a way to count: "search" walks to every solution; "join" counts the pairs of half
 *            boards that fit (meet in the middle)
 *   unit     a part of a count that one thread solves; n, method, plan and depth fix the units
 *   plan     a way to cut a board into units
 *   kernel   the innermost loop of a method, written for one instruction set
 *   ledger   a file that keeps the result of every finished unit
 *   shard    one of several parts of the units, for counts on several machines
 *   PU       processing unit: a hardware thread of a core, numbered by the operating system
 *
 * Errors. A function that can fail returns an nq_status. After a failure, nq_error_message()
 * says in the same thread what was wrong, with the wrong value and the accepted range. Pointers
 * are not NULL unless a comment allows it. The library never prints, never exits, touches no
 * signals, and leaves the caller's CPU mask as it was. It has no environment variables of its
 * own; those of OpenMP and hwloc have their effect. A process that writes ledgers should ignore
 * SIGXFSZ, which ends it if the ledger outgrows the limit on file sizes (`ulimit -f`); ignored,
 * the call returns NQ_LEDGER_IO, and the ledger stays whole.
 *
 * Options. nq_count_solutions() takes all options, and so do the functions that tell what it
 * would do: nq_choose_settings(), nq_choose_method() and nq_describe_machine(). The others
 * refuse options that have no effect there, with NQ_BAD_OPTION.
 *
 * Growth. Later versions with the same soname may add functions, statuses, and members at the
 * end of structs. Programs compiled with this header keep working: the functions that take
 * structs are inline, and pass the sizes of the program's structs to the library, which reads
 * and writes no more than that. Options that a program does not know have their defaults. If a
 * program is newer than the library, the library fills members that it does not know with
 * zeros, and refuses options that it does not know unless they are zero. nq_attack never grows,
 * and nq_progress never beyond 512 bytes. Other languages call the functions whose names end in
 * _sized, with the sizes in bytes.
 *
 * Threads. Every function may be called from several threads at the same time, each with
 * results of its own. One exception: an nq_list is used by one thread at a time.
 *
 * nq_count_solutions(), nq_estimate_count() and nq_ledger_audit() start threads through OpenMP.
 * Do not call them in a child forked from a process that has already called one of them: the
 * OpenMP runtime does not survive fork(). Execute a new program instead. If the system refuses
 * to start the requested number of threads, the runtime (libgomp) prints a message and exits
 * the process: request no more threads than the process may have. If memory runs out inside the
 * runtime, it does the same; inside hwloc, the process may crash or never return. All other
 * allocations that fail end in NQ_NO_MEMORY, NQ_NO_TOPOLOGY or NQ_LEDGER_IO.
 */
#ifndef NQUEENS_NQUEENS_H
#define NQUEENS_NQUEENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NQ_API    __attribute__((visibility("default")))
#define NQ_INLINE static inline

/* ==== Version ============================================================================ */

/* The version of this header. The major version changes with the library's soname. */
#define NQ_VERSION_MAJOR 1
#define NQ_VERSION_MINOR 0
#define NQ_VERSION_PATCH 0
#define NQ_VERSION       "1.0.0"

/* nq_version() returns the version of the library, "major.minor.patch". */
NQ_API const char *nq_version(void);

/* nq_build() returns the compiler and the flags that built the library, in a few words. */
NQ_API const char *nq_build(void);

/* ==== Limits ============================================================================= */

/* NQ_MAX_N is the largest board that can be counted or listed; the smallest is 0. The count for
 * 28 is expected to fit in 64 bits, the count for 29 is not. NQ_MAX_KNOWN_N is the largest
 * board whose total is published. */
enum { NQ_MAX_N = 28, NQ_MAX_KNOWN_N = 27 };

/* NQ_MAX_THREADS is the largest number of threads; a larger one is taken for a typing error. */
enum { NQ_MAX_THREADS = 4096 };

/* NQ_MAX_SHARDS is the largest number of shards. Of a board with fewer units than shards, shard
 * I is empty if there are fewer than I units: it counts 0. */
enum { NQ_MAX_SHARDS = 1000000 };

/* ==== Status ============================================================================= */

/* nq_status tells whether a call succeeded, and if not, why. */
typedef enum nq_status {
    NQ_OK = 0,
    NQ_BAD_N = 1,      /* n is out of range */
    NQ_BAD_OPTION = 2, /* an option is out of range, unknown, or conflicts with another one */
    NQ_NO_KERNEL = 3,  /* the requested kernel cannot run on this CPU, or the method lacks it */
    NQ_NO_PU = 4,      /* a PU of bind_list does not exist or is not allowed to this process */
    NQ_NO_MEMORY = 5,  /* memory ran out */
    NQ_NO_TOPOLOGY = 6,     /* hwloc could not read the machine's topology */
    NQ_OVERFLOW = 7,        /* a sum outgrew 64 bits: no total is given */
    NQ_LOST_UNIT = 8,       /* not every unit was solved exactly once: no total is given */
    NQ_MISMATCH = 9,        /* the count differs from the known total */
    NQ_CANCELLED = 10,      /* the progress callback returned false */
    NQ_LEDGER_IO = 11,      /* a ledger cannot be opened, read or written */
    NQ_LEDGER_BUSY = 12,    /* another process writes to the ledger, or holds a read lock that
                               blocks this write */
    NQ_LEDGER_DAMAGED = 13, /* the file is damaged, or not a ledger that this version knows */
    NQ_LEDGER_OTHER = 14,   /* the ledger belongs to another n, method, plan or depth */
    NQ_DISAGREE = 15,       /* two results for the same unit differ */
    NQ_NO_SOLUTION = 16,    /* boards of this size have no solution */
    NQ_NO_PLACEMENT = 17,   /* the numbers are not a placement of n queens, one in each row */
    NQ_ATTACK = 18,         /* two queens of a placement attack each other */
    NQ_INTERNAL = 19        /* a fault of the library itself: no total is given */
} nq_status;

/* nq_status_text() returns a short English description of a status, a static string. The result
 * is never NULL, not even for a value that is no status. */
NQ_API const char *nq_status_text(nq_status status);

/* nq_error_message() says what was wrong in the calling thread's last call of a function that
 * returns an nq_status, with the wrong value and the accepted range. It is empty if that call
 * returned NQ_OK or if there was none, and never empty otherwise. Values in it are escaped as
 * by nq_escape_text(). The result is never NULL, and valid until the thread's next such call.
 */
NQ_API const char *nq_error_message(void);

/* nq_escape_text() makes a text from outside, such as the names in a ledger, fit to be shown:
 * on one line, and without power over a terminal. Each byte of a control character (C0, DEL,
 * C1), and each that is not UTF-8, becomes \xNN, with the byte's number in hexadecimal. All
 * else stays as it is, so that a text that is escaped twice is as if escaped once.
 *
 * escaped[0..size-1]: gets the text, cut before the first character that does not fit.
 * 4 strlen(text) + 1 bytes are always enough.
 *
 * Returns `escaped`. */
NQ_API char *nq_escape_text(const char *text, char *escaped, size_t size);

/* ==== Options ============================================================================ */

typedef enum nq_bind {
    NQ_BIND_AUTO = 0, /* one thread on each core; if the user set OMP_PROC_BIND or OMP_PLACES,
                         OpenMP places the threads */
    NQ_BIND_NONE = 1, /* the operating system places the threads */
    NQ_BIND_LIST = 2  /* one thread on each PU of bind_list, in that order */
} nq_bind;

typedef enum nq_tables {
    NQ_TABLES_AUTO = 0, /* tables where they are faster and fit into memory_limit */
    NQ_TABLES_NONE = 1  /* no tables */
} nq_tables;

struct nq_progress;

/* nq_progress_fn is a callback that learns how far a count is, and can stop it: it returns true
 * to continue, false to stop. progress: valid during the call. context:
 * nq_options.progress_context.
 *
 * Threads: threads of the count make the calls, never two at once. No call follows one that
 * returned false. A short count may end without a call. The callback must return. If it leaves
 * by longjmp() or by a C++ exception, the behaviour is undefined: the library's threads, locks
 * and memory stay as they are at that moment, and the process may end. A callback in C++
 * catches all exceptions, returns false, and leaves the rest to the caller of the count.
 *
 * Once the callback has returned false, a count without a ledger drops the units under way and
 * ends within a fraction of a second. With a ledger, and in nq_ledger_audit() and
 * nq_estimate_count(), units under way have one second to finish. A count then waits two
 * seconds for other processes that hold read locks on the ledger. If they keep them, it returns
 * NQ_LEDGER_BUSY, and the results that are not in the ledger are lost: the next run counts
 * these units again. */
typedef bool (*nq_progress_fn)(const struct nq_progress *progress, void *context);

/* nq_options says how a count is made. All members zero: the defaults. Names are those of the
 * command line. Strings are used until the call returns. */
typedef struct nq_options {
    /* Number of threads, 1..NQ_MAX_THREADS. 0: OMP_NUM_THREADS if set, else one for each place
     * that bind, smt and OMP_PLACES allow, within the CPU quota. */
    int threads;

    /* Where the threads run. */
    nq_bind bind;

    /* PU numbers for NQ_BIND_LIST, such as "0,2,4-7". */
    const char *bind_list;

    /* true: once every core has a thread, use the other hardware threads of the cores, too. */
    bool smt;

    /* The name of a method, see nq_method_at(). NULL or "auto": by plan or depth if one is
     * given; for shards by n alone, so that all machines choose the same; else by n, kernel and
     * memory, among the methods that have the kernel here. */
    const char *method;

    /* The name of a plan of the method, see nq_plan_at(). NULL or "auto": the method's first.
     */
    const char *plan;

    /* For plan "rows": number of rows that are expanded into units, 2 or 3. 0: chosen by n. */
    int depth;

    /* Path of a ledger. A new file is created; an existing ledger of the same n is continued,
     * and determines method, plan and depth where these options are not given. A ledger has one
     * writer at a time. While another process holds a read lock on it, finished units wait in
     * memory, for as long as that takes; nq_progress tells. NULL: no ledger. */
    const char *ledger;

    /* Count only the units of one shard, 1 <= shard <= shards <= NQ_MAX_SHARDS. 0 and 0: all
     * units. */
    int shard, shards;

    /* The name of a kernel of the method, see nq_kernel_at(). NULL or "auto": the fastest that
     * this CPU runs. */
    const char *kernel;

    /* Whether method "join" keeps placements on quarters of the board in tables, up to n = 21.
     * Without tables each thread makes them again for each set of columns. */
    nq_tables tables;

    /* Most bytes that tables and threads may take: if they would take more, there are no
     * tables, or fewer threads; if there is no room for one, NQ_NO_MEMORY. A thread of method
     * "join" takes 0.2 GB for n = 24 and less than 1 GB up to 28; less than 64 MiB is not
     * counted. 0: seven eighths of the machine's memory or of the cgroup's limit, whichever is
     * less. */
    uint64_t memory_limit;

    /* NULL: no progress callback. */
    nq_progress_fn progress;

    /* Passed to `progress`. */
    void *progress_context;

    /* Least time in seconds between two calls of `progress`; 0 or less: 0.1. */
    double progress_seconds;
} nq_options;

/* nq_progress is what a progress callback learns. */
typedef struct nq_progress {
    int n;
    uint64_t units_done, units; /* of the board, or of the shard; recorded ones included */
    double share;               /* finished share of the expected work, 0..1; recorded units
                                   included */
    uint64_t work;              /* work of this call so far; UINT64_MAX: that or more */
    const char *work_name;      /* what work counts: "nodes" or "pairs", as in nq_result */
    double seconds;             /* since the call began */
    double remaining;           /* expected seconds to go; negative: not known yet */
    const char *phase;          /* what the call is doing: "counting", or, while another process
                                   has locked the ledger, "waiting for the ledger"; of an
                                   estimate, "making tables" or "measuring"; valid during the
                                   call */
} nq_progress;

/* ==== Counting =========================================================================== */

typedef enum nq_verdict {
    NQ_UNVERIFIED = 0, /* no total is known for this n, or the count is incomplete */
    NQ_VERIFIED = 1,   /* the count equals the known total */
    NQ_WRONG = 2       /* the count differs from the known total */
} nq_verdict;

/* nq_result is what nq_count_solutions() found. */
typedef struct nq_result {
    int n;
    uint64_t solutions; /* the count if complete, else what the finished units contribute to it;
                           0 unless the status is NQ_OK or NQ_MISMATCH */
    bool complete;      /* all units of the board are counted, not only those of a shard */
    nq_verdict verdict;
    uint64_t work;         /* work done, recorded units included; UINT64_MAX: that or more */
    const char *work_name; /* what work counts: "nodes" (partial placements that search visited
                              below those that its units start from) or "pairs" (of half boards,
                              decided by join) */
    uint64_t units, units_done; /* of the board; of the shard if there is no ledger */
    uint64_t units_recorded;    /* those of units_done that the ledger held before */
    double seconds;             /* wall-clock time of the call */
    double plan_seconds;        /* its part before the first unit: to read the ledger, look at
                                   the machine and cut the board into units */
    double seconds_recorded;    /* wall-clock time of earlier runs in the ledger, added up */
    int threads;                /* threads that counted */
    int threads_bound;          /* those of them that the library bound to one PU */
    int depth;                  /* rows expanded; 0 if the plan has none */
    const char *method, *plan, *kernel; /* those used, static strings; NULL if the count failed
                                           before they were chosen */
} nq_result;

/* nq_count_solutions() counts the placements of n mutually non-attacking queens on an n x n
 * board (OEIS A000170). A complete count is compared with the known total, if there is one.
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults. result: filled in on failure too, as far as
 * the count came.
 *
 * Returns NQ_OK, even for a shard, or
 *   NQ_BAD_N, NQ_BAD_OPTION, NQ_NO_KERNEL, NQ_NO_PU: n or an option cannot be used;
 *   NQ_NO_MEMORY, NQ_NO_TOPOLOGY;
 *   NQ_CANCELLED: the progress callback stopped the count; a ledger holds the finished units;
 *   NQ_LEDGER_IO, NQ_LEDGER_BUSY, NQ_LEDGER_DAMAGED, NQ_LEDGER_OTHER: see nq_status;
 *   NQ_OVERFLOW, NQ_LOST_UNIT, NQ_INTERNAL: the sum cannot be trusted, and no total is given;
 *   NQ_MISMATCH: the total is wrong, so the machine or the program is broken.
 *
 * Threads: nq_count_solutions() starts OpenMP threads. Several calls at the same time are
 * allowed, calls in a forked child are not; see the top of this file. */
NQ_INLINE nq_status nq_count_solutions(int n, const nq_options *options, nq_result *result);

/* nq_settings is what a count would use. Names are as in nq_result. */
typedef struct nq_settings {
    const char *method, *plan, *kernel;
    int depth;
    uint64_t units;        /* of the board */
    uint64_t table_bytes;  /* most bytes of the tables, which all threads share */
    uint64_t thread_bytes; /* what each thread needs besides, approximately */
} nq_settings;

/* nq_choose_settings() checks n and options as nq_count_solutions() would, and tells what
 * nq_count_solutions() would use. It counts nothing, and does not open the ledger: options that
 * a count would take from an existing ledger are not known here. It cuts the board into units,
 * which takes a few seconds and some hundred megabytes for the largest boards.
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults.
 *
 * Returns NQ_OK, NQ_BAD_N, NQ_BAD_OPTION, NQ_NO_KERNEL, NQ_NO_PU, NQ_NO_MEMORY or
 * NQ_NO_TOPOLOGY, each as nq_count_solutions() would. */
NQ_INLINE nq_status nq_choose_settings(int n, const nq_options *options, nq_settings *settings);

/* nq_method_choice is the method that a count would use, and why. */
typedef struct nq_method_choice {
    const char *method, *kernel;
    uint64_t table_bytes;  /* as in nq_settings */
    uint64_t memory_limit; /* bytes that tables and threads may take, by the options or by
                              default */
    uint64_t thread_bytes; /* as in nq_settings; 0: search */
    int most_threads;      /* threads that the memory is enough for; 0: any number */
} nq_method_choice;

/* nq_choose_method() tells which method and kernel nq_count_solutions() would use for n. The
 * options method, plan, depth, kernel, tables, memory_limit and shards decide. Unlike
 * nq_choose_settings() it checks only method, kernel and tables, and is quick for every n.
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults.
 *
 * Returns NQ_OK, NQ_BAD_N, NQ_BAD_OPTION or NQ_NO_KERNEL, each as nq_count_solutions() would.
 */
NQ_INLINE nq_status nq_choose_method(int n, const nq_options *options,
                                     nq_method_choice *choice);

/* ==== Estimating ========================================================================= */

/* nq_estimate is what a count would take on this machine. Times are in seconds. */
typedef struct nq_estimate {
    int n;
    const char *method, *plan, *kernel; /* as in nq_result */
    int depth, threads;
    uint64_t units;
    int cores;             /* threads that can run at the same time, by PUs and CPU quota */
    double seconds;        /* wall-clock time of the whole count */
    double thread_seconds; /* time of all units, added up over the threads */
    /* Half the width of the 95 % confidence interval, relative to thread_seconds: of 100
     * estimates, 95 are off by no more. 0: all units were measured. If the machine is slower or
     * faster later, that comes on top. */
    double error;
    double unit_seconds;                /* mean over all units */
    double longest_unit_seconds;        /* of the units measured, at least the mean */
    double plan_seconds, table_seconds; /* parts of `seconds` before the first unit */
    uint64_t table_bytes, thread_bytes; /* as in nq_settings */
    uint64_t units_measured;
    double calibration_seconds; /* time that measuring took */
} nq_estimate;

/* nq_estimate_count() estimates the time and the memory that nq_count_solutions() would take,
 * from a sample of units that it measures. Units of method `search` take hours on large
 * boards: it is refused from n = 25 on, or if its units take too long. The sample is a random
 * one, so that two estimates differ. It is unbiased for a number of draws fixed beforehand (a
 * Hansen-Hurwitz estimator); to end by the time makes it a little too large, to end by the
 * error a little too small, both by less than the interval. The interval keeps its promise from
 * some 32 units on; with fewer, it is too narrow more often.
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults; ledger, shard and shards are refused. budget:
 * seconds to measure for, in addition to the time for tables. 0 or less: 10; from n = 25 on,
 * until the error is at most 0.1, but at most 300; from n = 27 on 0.15 and 600. Units under way
 * are measured to their end, and there are at least four draws, and as many as threads, which
 * takes minutes for n = 27 and 28 whatever the budget. Progress is reported as that of the
 * call: its share is that of the time to measure for.
 *
 * Returns NQ_OK; NQ_BAD_N, NQ_BAD_OPTION (also if units take too long to be measured),
 * NQ_NO_KERNEL, NQ_NO_PU, NQ_NO_MEMORY, NQ_NO_TOPOLOGY, NQ_CANCELLED, NQ_OVERFLOW, NQ_LOST_UNIT
 * or NQ_INTERNAL, each as nq_count_solutions() would.
 *
 * Threads: as nq_count_solutions(). */
NQ_INLINE nq_status nq_estimate_count(int n, const nq_options *options, double budget,
                                      nq_estimate *estimate);

/* ==== Ledgers ============================================================================ */

/* Threads: over all threads and processes, a ledger has any number of readers and one writer at
 * a time: a second nq_count_solutions() returns NQ_LEDGER_BUSY. nq_ledger_show(),
 * nq_ledger_audit() and, of its inputs, nq_ledger_merge() are readers, also
 * while nq_count_solutions() writes. */

/* nq_ledger_info is what a ledger holds. */
typedef struct nq_ledger_info {
    int n;
    char method[16], plan[16];
    int plan_version, depth;
    bool current; /* this version of the library makes the same units, and so can continue, add
                     up and audit them */
    uint64_t units, units_done;
    uint64_t solutions; /* what the finished units contribute to the count; 0 if not current */
    nq_verdict verdict; /* once all units are finished */
    uint64_t work;      /* UINT64_MAX: that or more */
    const char *work_name; /* "nodes" or "pairs", as in nq_result; "work" if not current */
    double share;          /* finished share of the expected work, 0..1; if not current, of the
                              number of units */
    double seconds;        /* wall-clock time of all runs, added up */
    double thread_seconds; /* time that threads spent on the finished units */
    double remaining;      /* expected seconds to go at the pace so far; negative: not known */
    int runs;              /* processes that wrote to the ledger */
    int runs_open;         /* still running, or killed and not yet marked as killed: 0 or 1 */
    int runs_killed;       /* killed before they could mark themselves as ended */
    size_t hosts;          /* that solved units; may be more than the caller's array holds */
} nq_ledger_info;

/* nq_ledger_host is what one host contributed to a ledger. */
typedef struct nq_ledger_host {
    char name[65];
    uint64_t units;
    double thread_seconds;
    int64_t last; /* when its last unit was finished: seconds since 1970, by the host's clock */
} nq_ledger_host;

/* nq_ledger_show() reads a ledger and checks every row.
 *
 * info: what the ledger holds. hosts[0..capacity-1]: the hosts, those with the most units
 * first; may be NULL if capacity is 0.
 *
 * Returns NQ_OK, or
 *   NQ_LEDGER_IO: the file cannot be read, or holds nothing yet;
 *   NQ_LEDGER_BUSY: another process kept the file locked;
 *   NQ_LEDGER_DAMAGED: the file is damaged, or not a ledger that this version knows;
 *   NQ_MISMATCH: the ledger is complete and its total is wrong;
 *   NQ_OVERFLOW: the sum of solutions outgrew 64 bits;
 *   NQ_NO_MEMORY. */
NQ_INLINE nq_status nq_ledger_show(const char *file, nq_ledger_info *info,
                                   nq_ledger_host *hosts, size_t capacity);

/* nq_ledger_merge() joins ledgers of the same job (n, method, plan, version of the plan, depth)
 * into a new one. A unit may be in several ledgers if they agree on its result.
 *
 * files[0..count-1]: the ledgers, one or more. output: the new file, which must not exist; it
 * is written in one transaction, so if the process is killed it is complete or empty. Units are
 * sorted in SQLite's temporary files; memory does not grow with their number. info: what the
 * output holds; NULL: the output is not read anew.
 *
 * Returns what nq_ledger_show() returns for the inputs and for the output, or
 *   NQ_LEDGER_IO: also if output exists, or if no input holds anything;
 *   NQ_LEDGER_DAMAGED: also if a temporary file did not keep what was written to it;
 *   NQ_LEDGER_OTHER: the ledgers do not belong to one job;
 *   NQ_DISAGREE: two ledgers differ on a unit; nq_error_message() names the unit and both
 *   results;
 *   NQ_INTERNAL.
 * NQ_MISMATCH and NQ_OVERFLOW concern the output, which is written all the same. */
NQ_INLINE nq_status nq_ledger_merge(const char *const *files, size_t count, const char *output,
                                    nq_ledger_info *info);

/* nq_difference is a unit for which an audit came to a different result from the ledger's.
 * Solutions are those of the unit itself, without the weight that symmetry gives it. */
typedef struct nq_difference {
    uint64_t unit;
    uint64_t recorded_solutions, recorded_work;
    uint64_t solutions, work;
    char recorded_kernel[16];
    const char *kernel;
} nq_difference;

/* nq_audit is what an audit found. */
typedef struct nq_audit {
    int n;
    uint64_t units_recorded; /* units in the ledger */
    uint64_t units_chosen;   /* units to count again, chosen at random */
    uint64_t units_audited;  /* those of units_chosen that were counted again */
    uint64_t same_kernel;    /* those of units_chosen given to the kernel that counted them
                                before: no other one runs here, or the options name it */
    uint64_t differences;    /* units that differ; may be more than the caller's array holds */
    double seconds;
} nq_audit;

/* nq_ledger_audit() counts a random share of a ledger's units again, and compares solutions and
 * work. Each unit is given to the fastest kernel here other than the one that counted it.
 *
 * share: above 0, at most 1; at least one unit is counted. options: NULL for the defaults;
 * kernel counts all units with that kernel; method, plan, depth, ledger, shard and shards are
 * refused. differences[0..capacity-1]: the first units that differ; may be NULL if capacity is
 * 0.
 *
 * Returns NQ_OK, or
 *   NQ_DISAGREE: a unit differs, whatever else went wrong;
 *   NQ_BAD_OPTION: also if share is out of range;
 *   NQ_LEDGER_IO, NQ_LEDGER_BUSY, NQ_LEDGER_DAMAGED: as nq_ledger_show();
 *   NQ_LEDGER_OTHER: this version makes other units than the ledger's;
 *   NQ_NO_KERNEL, NQ_NO_PU, NQ_NO_MEMORY, NQ_NO_TOPOLOGY, NQ_CANCELLED, NQ_OVERFLOW,
 *   NQ_LOST_UNIT, NQ_INTERNAL: as nq_count_solutions().
 *
 * Threads: as nq_count_solutions(). */
NQ_INLINE nq_status nq_ledger_audit(const char *file, double share, const nq_options *options,
                                    nq_audit *audit, nq_difference *differences,
                                    size_t capacity);

/* ==== Solutions ========================================================================== */

/* A placement has one queen in each row. columns[0..n-1] are the columns, 1 to n, of the queens
 * in rows 1 to n. A solution is a placement in which no queen attacks another. A class is a set
 * of solutions that the square's eight symmetries (turns and reflections) make of each other.
 */

/* NQ_MAX_SIDE is the largest board for nq_construct_solution(), nq_check_placement(),
 * nq_count_attacks() and nq_classify_solution(). */
enum { NQ_MAX_SIDE = 1000000000 };

/* nq_list is a list of solutions in lexicographic order of their columns.
 *
 * Threads: one thread at a time uses a list; different lists may be used at the same time. */
typedef struct nq_list nq_list;

/* nq_list_open() starts a list of the solutions for n.
 *
 * n: 0..NQ_MAX_N. fundamental: true for only the first solution of each class. *list: the new
 * list, to be released with nq_list_close(); NULL on failure. A list takes about 100 KB,
 * whatever n.
 *
 * Returns NQ_OK, NQ_BAD_N or NQ_NO_MEMORY. */
NQ_API nq_status nq_list_open(int n, bool fundamental, nq_list **list);

/* nq_list_next() stores the next solution in columns[0..n-1] and returns true. At the end of
 * the list it returns false, and does so again on later calls. */
NQ_API bool nq_list_next(nq_list *list, int *columns);

/* nq_list_close() releases a list, which need not be at its end. list: NULL does nothing. */
NQ_API void nq_list_close(nq_list *list);

/* nq_construct_solution() stores one solution in columns[0..n-1], by the explicit formulas of
 * Hoffman, Loessi and Moore (1969).
 *
 * n: 1, or 4..NQ_MAX_SIDE.
 *
 * Returns NQ_OK; NQ_NO_SOLUTION: n is 2 or 3; NQ_BAD_N: n is out of range. */
NQ_API nq_status nq_construct_solution(int n, int *columns);

/* nq_attack names two queens that attack each other. It never grows. */
typedef struct nq_attack {
    int row[2], column[2]; /* from 1; row[0] < row[1] */
} nq_attack;

/* nq_check_placement() tells whether a placement is a solution, in time proportional to n and
 * with 5 n bits of memory.
 *
 * n: 0..NQ_MAX_SIDE. columns: any numbers. attack: may be NULL.
 *
 * Returns NQ_OK: the placement is a solution; or
 *   NQ_ATTACK: it is not, and *attack is the first attacking pair, by the row of its upper
 *   queen, then by the row of its lower queen;
 *   NQ_NO_PLACEMENT: a column is not in 1..n;
 *   NQ_BAD_N; NQ_NO_MEMORY. */
NQ_API nq_status nq_check_placement(int n, const int *columns, nq_attack *attack);

/* nq_count_attacks() counts the pairs of queens that attack each other: those that share a
 * column or a diagonal, even if another queen stands between them. It takes time proportional
 * to n and 8 n bytes of memory.
 *
 * n: 0..NQ_MAX_SIDE. columns: any numbers. attacked[0..n-1]: whether the queen in each row is
 * one of a pair; may be NULL. *pairs: the number of pairs; 0 for a solution, and on failure.
 *
 * Returns NQ_OK, whatever the number; NQ_NO_PLACEMENT: a column is not in 1..n; NQ_BAD_N;
 * NQ_NO_MEMORY. */
NQ_API nq_status nq_count_attacks(int n, const int *columns, bool *attacked, uint64_t *pairs);

/* nq_class is the class of a solution. */
typedef struct nq_class {
    int size;          /* solutions in the class: 8, 4, 2, or 1 (n = 0 and 1 only) */
    bool half_turn;    /* a half turn leaves the solution as it is */
    bool quarter_turn; /* a quarter turn leaves the solution as it is */
    bool first;        /* the solution is the first of its class in lexicographic order */
} nq_class;

/* nq_classify_solution() finds the class of a solution, in time proportional to n.
 *
 * n: 0..NQ_MAX_SIDE. columns: a solution; attacks along diagonals are not checked.
 *
 * Returns NQ_OK; NQ_NO_PLACEMENT: a column is not in 1..n or has two queens; NQ_BAD_N;
 * NQ_NO_MEMORY. */
NQ_INLINE nq_status nq_classify_solution(int n, const int *columns, nq_class *class_of);

/* nq_classes is how many classes and how many symmetric solutions there are for n. */
typedef struct nq_classes {
    uint64_t fundamental;  /* classes: A002562 */
    uint64_t half_turn;    /* solutions that a half turn leaves as they are: A032522 */
    uint64_t quarter_turn; /* solutions that a quarter turn leaves as they are: A033148 */
    nq_verdict verdict;    /* of the three together; NQ_VERIFIED only if all three are known */
} nq_classes;

/* nq_count_classes() counts the classes of the solutions for n, given the number of solutions.
 * It counts the few symmetric solutions by searches of their own, in the calling thread, and
 * has no progress callback. On one core of a Zen 5 that takes 0.01 s for n = 20, 0.7 s for 24,
 * about a minute for 28. For n > 1 there are (solutions + half_turn + 2 quarter_turn) / 8
 * classes, by Burnside's lemma.
 *
 * n: 0..NQ_MAX_N. solutions: of a complete count.
 *
 * Returns NQ_OK; NQ_BAD_N; NQ_MISMATCH: this number of solutions is impossible, or a number
 * differs from the known one. */
NQ_INLINE nq_status nq_count_classes(int n, uint64_t solutions, nq_classes *classes);

/* ==== Known numbers ====================================================================== */

/* The functions below store a published number for n and return true, or return false if none
 * is published. The library uses them for checks only: no count is answered from them. */

/* nq_known_total() gives the number of all solutions for n = 0..27: https://oeis.org/A000170 */
NQ_API bool nq_known_total(int n, uint64_t *number);

/* nq_known_fundamental() gives the number of classes for n = 1..27: https://oeis.org/A002562 */
NQ_API bool nq_known_fundamental(int n, uint64_t *number);

/* nq_known_half_turn() gives the number of solutions that a half turn leaves as they are, for
 * n = 1..32: https://oeis.org/A032522 */
NQ_API bool nq_known_half_turn(int n, uint64_t *number);

/* nq_known_quarter_turn() gives the number of solutions that a quarter turn leaves as they are,
 * for n = 1..63: https://oeis.org/A033148 */
NQ_API bool nq_known_quarter_turn(int n, uint64_t *number);

/* ==== This machine and this build ======================================================== */

/* nq_place is where a thread of a count would run. */
typedef struct nq_place {
    int pu;      /* the operating system's number; -1: the thread would not be bound, and all
                    members are -1 */
    int core;    /* hwloc's logical number; the PU's number if hwloc sees no cores */
    int cache;   /* the last-level cache, numbered from 0 in hwloc's order */
    int package; /* hwloc's logical number; 0 if hwloc sees no packages */
} nq_place;

/* nq_machine is the machine as this process may use it. */
typedef struct nq_machine {
    int packages, caches, cores, pus; /* that this process may use; caches: last-level caches */
    double quota;                     /* CPUs that the cgroup allows; 0: no limit */
    int threads;                      /* threads that a count would use */
    bool omp_places;                  /* OMP_PROC_BIND or OMP_PLACES places the threads */
    char cpu[96];                     /* name of the CPU; empty: unknown */
    char features[160];               /* names of the instruction sets that matter here */
} nq_machine;

/* nq_describe_machine() describes the machine, and where a count would run its threads. If
 * hwloc describes another machine (HWLOC_XMLFILE, HWLOC_SYNTHETIC), so does
 * nq_describe_machine(), and nq_count_solutions() would bind no thread.
 *
 * options: threads, bind, bind_list and smt decide; NULL for the defaults.
 * places[0..capacity-1]: where nq_count_solutions() with these options would run its threads;
 * may be NULL if capacity is 0.
 *
 * Returns NQ_OK, NQ_BAD_OPTION, NQ_NO_PU, NQ_NO_MEMORY or NQ_NO_TOPOLOGY. */
NQ_INLINE nq_status nq_describe_machine(const nq_options *options, nq_machine *machine,
                                        nq_place *places, size_t capacity);

/* nq_method_info is a method: a value of nq_options.method. */
typedef struct nq_method_info {
    const char *name;
    const char *work; /* what its work counts, as nq_result.work_name */
} nq_method_info;

/* nq_method_at() stores the method at index 0, 1, ... and returns true, or returns false past
 * the last method. */
NQ_INLINE bool nq_method_at(size_t index, nq_method_info *info);

/* nq_kernel_info is a kernel of a method: a value of nq_options.kernel. */
typedef struct nq_kernel_info {
    const char *name;
    bool runs_here; /* the CPU and the operating system support the kernel */
} nq_kernel_info;

/* nq_kernel_at() stores the kernel at index 0, 1, ... of a method in this build, the slowest
 * first, and returns true. It returns false past the last kernel, and if there is no such
 * method.
 */
NQ_INLINE bool nq_kernel_at(const char *method, size_t index, nq_kernel_info *info);

/* nq_plan_info is a plan of a method: a value of nq_options.plan. */
typedef struct nq_plan_info {
    const char *name;
    int min_depth, max_depth; /* range of nq_options.depth; 0, 0: the plan takes no depth */
} nq_plan_info;

/* nq_plan_at() stores the plan at index 0, 1, ... of a method, the default one first, and
 * returns true. It returns false past the last plan, and if there is no such method. */
NQ_INLINE bool nq_plan_at(const char *method, size_t index, nq_plan_info *info);

/* ==== Sizes ============================================================================== */

/* What the library exports for the inline functions above. A size is that of one struct in
 * bytes, even where the struct is an element of an array; see "Growth" at the top. */
NQ_API nq_status nq_count_solutions_sized(int n, const nq_options *options, size_t options_size,
                                          nq_result *result, size_t result_size);
NQ_INLINE nq_status nq_count_solutions(int n, const nq_options *options, nq_result *result) {
    return nq_count_solutions_sized(n, options, sizeof *options, result, sizeof *result);
}

NQ_API nq_status nq_choose_settings_sized(int n, const nq_options *options, size_t options_size,
                                          nq_settings *settings, size_t settings_size);
NQ_INLINE nq_status nq_choose_settings(int n, const nq_options *options,
                                       nq_settings *settings) {
    return nq_choose_settings_sized(n, options, sizeof *options, settings, sizeof *settings);
}

NQ_API nq_status nq_choose_method_sized(int n, const nq_options *options, size_t options_size,
                                        nq_method_choice *choice, size_t choice_size);
NQ_INLINE nq_status nq_choose_method(int n, const nq_options *options,
                                     nq_method_choice *choice) {
    return nq_choose_method_sized(n, options, sizeof *options, choice, sizeof *choice);
}

NQ_API nq_status nq_estimate_count_sized(int n, const nq_options *options, size_t options_size,
                                         double budget, nq_estimate *estimate,
                                         size_t estimate_size);
NQ_INLINE nq_status nq_estimate_count(int n, const nq_options *options, double budget,
                                      nq_estimate *estimate) {
    return nq_estimate_count_sized(n, options, sizeof *options, budget, estimate,
                                   sizeof *estimate);
}

NQ_API nq_status nq_ledger_show_sized(const char *file, nq_ledger_info *info, size_t info_size,
                                      nq_ledger_host *hosts, size_t hosts_size,
                                      size_t capacity);
NQ_INLINE nq_status nq_ledger_show(const char *file, nq_ledger_info *info,
                                   nq_ledger_host *hosts, size_t capacity) {
    return nq_ledger_show_sized(file, info, sizeof *info, hosts, sizeof *hosts, capacity);
}

NQ_API nq_status nq_ledger_merge_sized(const char *const *files, size_t count,
                                       const char *output, nq_ledger_info *info,
                                       size_t info_size);
NQ_INLINE nq_status nq_ledger_merge(const char *const *files, size_t count, const char *output,
                                    nq_ledger_info *info) {
    return nq_ledger_merge_sized(files, count, output, info, sizeof *info);
}

NQ_API nq_status nq_ledger_audit_sized(const char *file, double share,
                                       const nq_options *options, size_t options_size,
                                       nq_audit *audit, size_t audit_size,
                                       nq_difference *differences, size_t differences_size,
                                       size_t capacity);
NQ_INLINE nq_status nq_ledger_audit(const char *file, double share, const nq_options *options,
                                    nq_audit *audit, nq_difference *differences,
                                    size_t capacity) {
    return nq_ledger_audit_sized(file, share, options, sizeof *options, audit, sizeof *audit,
                                 differences, sizeof *differences, capacity);
}

NQ_API nq_status nq_classify_solution_sized(int n, const int *columns, nq_class *class_of,
                                            size_t class_of_size);
NQ_INLINE nq_status nq_classify_solution(int n, const int *columns, nq_class *class_of) {
    return nq_classify_solution_sized(n, columns, class_of, sizeof *class_of);
}

NQ_API nq_status nq_count_classes_sized(int n, uint64_t solutions, nq_classes *classes,
                                        size_t classes_size);
NQ_INLINE nq_status nq_count_classes(int n, uint64_t solutions, nq_classes *classes) {
    return nq_count_classes_sized(n, solutions, classes, sizeof *classes);
}

NQ_API nq_status nq_describe_machine_sized(const nq_options *options, size_t options_size,
                                           nq_machine *machine, size_t machine_size,
                                           nq_place *places, size_t places_size,
                                           size_t capacity);
NQ_INLINE nq_status nq_describe_machine(const nq_options *options, nq_machine *machine,
                                        nq_place *places, size_t capacity) {
    return nq_describe_machine_sized(options, sizeof *options, machine, sizeof *machine, places,
                                     sizeof *places, capacity);
}

NQ_API bool nq_method_at_sized(size_t index, nq_method_info *info, size_t info_size);
NQ_INLINE bool nq_method_at(size_t index, nq_method_info *info) {
    return nq_method_at_sized(index, info, sizeof *info);
}

NQ_API bool nq_kernel_at_sized(const char *method, size_t index, nq_kernel_info *info,
                               size_t info_size);
NQ_INLINE bool nq_kernel_at(const char *method, size_t index, nq_kernel_info *info) {
    return nq_kernel_at_sized(method, index, info, sizeof *info);
}

NQ_API bool nq_plan_at_sized(const char *method, size_t index, nq_plan_info *info,
                             size_t info_size);
NQ_INLINE bool nq_plan_at(const char *method, size_t index, nq_plan_info *info) {
    return nq_plan_at_sized(method, index, info, sizeof *info);
}

#ifdef __cplusplus
}
#endif

#endif
