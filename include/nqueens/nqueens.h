/* nqueens: in how many ways can n queens stand on an n x n board, none attacking another?
 *
 * The library counts; it never prints, exits, touches signals, or leaves the caller's CPU
 * mask changed. Every function is safe to call from several threads at once. nq_count,
 * nq_estimate_count and nq_ledger_audit start threads through OpenMP. Do not call them in a
 * child forked from a process that has already called one: the OpenMP runtime does not survive
 * that; exec a fresh program instead. And where the system refuses to start as
 * many threads as asked for, that runtime (libgomp) says so and exits: ask for no more than the
 * process may have.
 */
#ifndef NQUEENS_NQUEENS_H
#define NQUEENS_NQUEENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NQ_API __attribute__((visibility("default")))

/* Boards are 0 x 0 to 28 x 28: the count for 28 is expected to fit in 64 bits, that for 29 is
 * not. Totals are published up to 27. */
enum { NQ_MAX_N = 28, NQ_MAX_KNOWN_N = 27 };

/* More threads than this are refused: a slip of the keyboard, not a machine. */
enum { NQ_MAX_THREADS = 4096 };

/* More parts than this are refused: no cluster has as many machines. Of small boards some parts
 * are empty. */
enum { NQ_MAX_SHARDS = 4096 };

typedef enum nq_status {
    NQ_OK = 0,
    NQ_BAD_N,          /* n is outside 0..NQ_MAX_N */
    NQ_BAD_OPTION,     /* an option is out of range, unknown, or does not go with another */
    NQ_NO_KERNEL,      /* the kernel asked for cannot run on this CPU or is not in this build */
    NQ_NO_PU,          /* a PU of the bind list does not exist or is not allowed */
    NQ_NO_MEMORY,      /* memory ran out */
    NQ_NO_TOPOLOGY,    /* hwloc could not read the machine's topology */
    NQ_OVERFLOW,       /* a sum outgrew 64 bits: no total is given */
    NQ_LOST_UNIT,      /* not every unit was solved exactly once: no total is given */
    NQ_MISMATCH,       /* the count differs from the known total */
    NQ_CANCELLED,      /* the progress callback said stop */
    NQ_LEDGER_IO,      /* a ledger cannot be opened, read or written */
    NQ_LEDGER_BUSY,    /* another process writes to the ledger, or reads and keeps us from it */
    NQ_LEDGER_DAMAGED, /* the file is not a ledger that this version knows, or it is damaged */
    NQ_LEDGER_OTHER,   /* the ledger is of another n, method, plan or depth */
    NQ_DISAGREE,       /* two results for the same unit differ */
    NQ_NO_SOLUTION,    /* boards of this size have no solution */
    NQ_NO_PLACEMENT,   /* these numbers are no placement of n queens, one in each row */
    NQ_ATTACK          /* two queens of a placement attack each other */
} nq_status;

/* A sentence for a status, for people; never NULL, also for values that are no status. */
NQ_API const char *nq_status_text(nq_status status);

/* The library's version, "major.minor.patch". */
NQ_API const char *nq_version(void);

/* The compiler and the flags that built the library, in a few words. */
NQ_API const char *nq_build(void);

typedef enum nq_bind {
    NQ_BIND_AUTO = 0, /* one thread a core, unless the user set OMP_PROC_BIND or OMP_PLACES */
    NQ_BIND_NONE,     /* leave placement to the operating system */
    NQ_BIND_LIST      /* to the PUs of bind_list, in that order */
} nq_bind;

struct nq_progress;
/* Called now and then during a count, from one of its threads, never from two at once, and not
 * again once it has returned false, which stops the count within a fraction of a second: units
 * under way are dropped. Where results are kept, in a ledger or an audit, they have a second to
 * finish, and those who read the ledger two seconds to make way. A short count may end without
 * a call. It must return: no longjmp, no exception. */
typedef bool (*nq_progress_fn)(const struct nq_progress *progress, void *context);

/* How a count is to be made. Zero-initialised, it means the defaults. Strings are borrowed for
 * the call; names are those of the command line ("search", "cross", "scalar64", ...). Later
 * versions may add members at the end, and then raise the library's soname. */
typedef struct nq_options {
    int threads;  /* 1..NQ_MAX_THREADS; 0: OMP_NUM_THREADS if set, else one for each place that
                     bind, smt and the user's OMP_PLACES leave, within the CPU quota */
    nq_bind bind; /* where threads run */
    const char *bind_list; /* for NQ_BIND_LIST: operating-system PU numbers, "0,2,4-7" */
    bool smt;              /* use the hardware threads of a core too, after all cores */
    const char *method;    /* NULL or "auto": chosen */
    const char *plan;      /* NULL or "auto": the method's default */
    int depth;             /* plan "rows": rows expanded into units, 2 or 3; 0: chosen by n */
    const char *ledger;    /* a file that keeps the result of every unit: a new one, or one
                              of the same n, which is carried on; method, plan and depth that
                              are not given are then the ledger's. NULL: none */
    int shard, shards;     /* count only the shard-th of so many parts of the units, 1 <= shard
                              <= shards <= NQ_MAX_SHARDS; 0, 0: all */
    const char *kernel;    /* NULL or "auto": the one that the environment variable
                              NQUEENS_KERNEL names, or else the fastest this CPU runs */
    uint64_t memory;       /* bytes that the tables of method "join" may take; 0: half of what
                              the machine, or the cgroup, allows. Without room it lists halves
                              by search */
    nq_progress_fn progress; /* NULL: none */
    void *progress_context;
    double progress_seconds; /* least time between two calls; 0 or less: 0.1 */
} nq_options;

typedef struct nq_progress {
    int n;
    uint64_t units_done, units; /* of the count, or of the shard; recorded ones included */
    double share;               /* of the expected work, 0..1; recorded units included */
    uint64_t work;              /* done so far by this call */
    const char *work_name;      /* what that is: "nodes", "pairs" */
    double seconds;             /* since the call began */
    double remaining;           /* seconds to go by expected work; negative: not yet known */
} nq_progress;

typedef enum nq_verdict {
    NQ_UNVERIFIED = 0, /* no total is known for this n, or the count is incomplete */
    NQ_VERIFIED,       /* the count equals the known total */
    NQ_WRONG           /* the count differs from the known total */
} nq_verdict;

typedef struct nq_result {
    int n;
    uint64_t solutions; /* the count, if complete; else the share of the units done. 0 unless
                           the status is NQ_OK or NQ_MISMATCH */
    bool complete;      /* all units of the board are in it, not those of a shard alone */
    nq_verdict verdict;
    uint64_t work;         /* that was done, recorded units included */
    const char *work_name; /* what that is: "nodes", the states that search visited below those
                              that units start from, or "pairs", of halves that join decided */
    uint64_t units, units_done; /* of the board, or of the shard where there is no ledger */
    uint64_t units_recorded;    /* of those done, taken over from the ledger */
    double seconds;             /* wall-clock, planning included */
    double plan_seconds;        /* of these, before the first unit: the ledger read, the machine
                                   looked at, the board cut into units */
    double seconds_recorded;    /* of the earlier runs that the ledger knows of, added up */
    int threads;                /* that computed */
    int threads_bound;          /* of these, bound to one PU by us */
    int depth;                  /* rows expanded; 0 where the plan has none */
    const char *method, *plan, *kernel; /* what was used; static strings; NULL when the count
                                           failed before they were chosen */
    char detail[512]; /* on failure: what was wrong, with the value and the accepted range;
                         never empty then */
} nq_result;

/* Counts the placements of n mutually non-attacking queens on an n x n board (OEIS A000170).
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults. result: not NULL; always filled in as far as
 * the count came. The total is compared with the known one where there is one: NQ_MISMATCH then
 * means that the machine or the program is broken. Any nq_status may be returned. */
NQ_API nq_status nq_count(int n, const nq_options *options, nq_result *result);

/* What a count would do: names as in nq_result. */
typedef struct nq_choice {
    const char *method, *plan, *kernel;
    int depth;
    uint64_t units;         /* of the board */
    uint64_t memory;        /* bytes of tables that all threads share */
    uint64_t memory_thread; /* bytes that each thread comes to need besides, about */
} nq_choice;

/* Checks n and options as nq_count would, and says what it would do; counts nothing. The ledger
 * is not opened, so that what a count would take from it is not known here. The board is cut
 * into units to do so, which takes a few seconds and some hundred megabytes for the largest.
 * choice: may be NULL; detail[0..size-1] gets what was wrong, as nq_result's; it may be NULL
 * when size is 0. */
NQ_API nq_status nq_choose(int n, const nq_options *options, nq_choice *choice, char *detail,
                           size_t size);

/* What a count would take on this machine. */
typedef struct nq_estimate {
    int n;
    const char *method, *plan, *kernel; /* as in nq_result */
    int depth, threads;
    uint64_t units;
    int cores;             /* of these threads, those that do not wait for each other */
    double seconds;        /* wall-clock of the whole count, with so many threads */
    double thread_seconds; /* that all units take, added up over the threads */
    double error;          /* relative: two standard errors of the sampling; for a board that
                              was not measured itself also what the growth may differ by. The
                              machine's own ups and downs come on top */
    int extrapolated_from; /* the largest board measured; 0: this one */
    double unit_seconds;   /* the mean over all units */
    double longest_unit_seconds;        /* of those measured, the mean at least; negative: no
                                           unit of this board was */
    double plan_seconds, table_seconds; /* of `seconds`, before the first unit */
    uint64_t memory, memory_thread;     /* as in nq_choice */
    uint64_t units_measured;
    double calibration_seconds; /* that measuring took */
    char detail[512];           /* on failure, as in nq_result */
} nq_estimate;

/* Estimates the time and the memory that nq_count would take, from a sample of the units that
 * it takes `budget` seconds to measure, tables apart; 0 or less: 10. Up to n = 24 units of the
 * board itself are measured, beyond it those of three smaller ones of the same parity, by the
 * same method, with tables or without as the board would be. options:
 * as for nq_count, without ledger and shards. Returns what nq_count may. */
NQ_API nq_status nq_estimate_count(int n, const nq_options *options, double budget,
                                   nq_estimate *estimate);

/* What a ledger holds. */
typedef struct nq_ledger_info {
    int n;
    char method[16], plan[16];
    int plan_version, depth;
    bool current; /* this version makes the same units: it can carry on, weigh and audit them */
    uint64_t units, units_done;
    uint64_t solutions; /* of the units done, weighted; 0 if not current */
    nq_verdict verdict; /* when all are done */
    uint64_t work;
    const char *work_name; /* "nodes", "pairs"; "work" where the method is not known here */
    double share;          /* of the expected work, 0..1; by number of units if not current */
    double seconds;        /* wall-clock, added up over the runs */
    double thread_seconds; /* that threads spent on the units done */
    double remaining;      /* seconds to go at the pace so far; negative: not known */
    int runs;              /* processes that wrote to it */
    int runs_open;    /* of these, at work still, or killed and not yet found out: 0 or 1 */
    int runs_killed;  /* of these, killed before they could say that they ended */
    size_t hosts;     /* that have done units; there may be more than the caller has room for */
    char detail[512]; /* on failure, as in nq_result */
} nq_ledger_info;

/* What one host has done of it. */
typedef struct nq_ledger_host {
    char name[65];
    uint64_t units;
    double thread_seconds;
    int64_t last; /* when it finished its last unit: seconds since 1970, by its own clock */
} nq_ledger_host;

/* Reads a ledger and checks every row. hosts[0..capacity-1]: those that did most of it first;
 * may be NULL when capacity is 0. A ledger that is being written may be read. NQ_OK,
 * NQ_NO_MEMORY, NQ_OVERFLOW, NQ_LEDGER_IO (also when nothing is in it yet), NQ_LEDGER_BUSY,
 * NQ_LEDGER_DAMAGED, or NQ_MISMATCH: it is complete and its total is wrong. file, info: not
 * NULL. */
NQ_API nq_status nq_ledger_show(const char *file, nq_ledger_info *info, nq_ledger_host *hosts,
                                size_t capacity);

/* Joins ledgers of the same job into a new one. A unit may be in several of them as long as
 * they agree on it. files: 1 or more; output: no such file may exist yet; it is written in one
 * transaction, so that it is complete or, should the process be killed, empty. info: what the
 * output holds; not NULL. Statuses as nq_ledger_show, or NQ_LEDGER_OTHER: they are not all of
 * one job; NQ_DISAGREE: two differ on a unit, which detail names. */
NQ_API nq_status nq_ledger_merge(const char *const *files, size_t count, const char *output,
                                 nq_ledger_info *info);

/* A unit of which an audit came to something else than what was recorded. */
typedef struct nq_difference {
    uint64_t unit;
    uint64_t recorded_solutions, recorded_work;
    uint64_t solutions, work;
    char recorded_kernel[16];
    const char *kernel;
} nq_difference;

enum { NQ_MAX_DIFFERENCES = 16 };

typedef struct nq_audit {
    int n;
    uint64_t units_recorded; /* in the ledger */
    uint64_t units_chosen;   /* at random, to be counted again */
    uint64_t units_audited;  /* of these, done */
    uint64_t same_kernel;    /* of those chosen, by the kernel that counted them before: only
                                where no other one runs here, or the options name it */
    uint64_t differences;    /* the first NQ_MAX_DIFFERENCES of them: */
    nq_difference difference[NQ_MAX_DIFFERENCES];
    double seconds;
    char detail[512];
} nq_audit;

/* Counts a random share (0 < share <= 1; at least one unit) of a ledger's units again, each
 * with the fastest kernel here that is not the one that counted it, and compares solutions and
 * work. options: threads, bind, smt, progress, memory, and kernel to say with which (the
 * environment variable does not); the others are ignored. NQ_OK; NQ_DISAGREE: some differ; or
 * as nq_count and nq_ledger_show. */
NQ_API nq_status nq_ledger_audit(const char *file, double share, const nq_options *options,
                                 nq_audit *audit);

/* Known numbers, for checking only: nothing is ever answered from them.
 * Each stores the number for n and returns true, or returns false where none is published.
 *
 * nq_known_total: A000170, n = 0..27, all solutions. https://oeis.org/A000170
 * nq_known_fundamental: A002562, n = 1..27, solutions that differ under the square's eight
 * symmetries. https://oeis.org/A002562
 * nq_known_half_turn: A032522, n = 1..32, solutions that a half turn leaves as they are.
 * https://oeis.org/A032522
 * nq_known_quarter_turn: A033148, n = 1..63, solutions that a quarter turn leaves as they are.
 * https://oeis.org/A033148 */
NQ_API bool nq_known_total(int n, uint64_t *number);
NQ_API bool nq_known_fundamental(int n, uint64_t *number);
NQ_API bool nq_known_half_turn(int n, uint64_t *number);
NQ_API bool nq_known_quarter_turn(int n, uint64_t *number);

/* Placements. One queen stands in each row, and columns[0..n-1] are those of the queens in rows
 * 1 to n, from 1 to n. A solution is a placement in which no queen attacks another. */

/* The largest board for which a placement can be constructed, checked and classified. */
enum { NQ_MAX_SIDE = 1000000000 };

/* The solutions for one n, one after the other, in lexicographic order of their columns. */
typedef struct nq_list nq_list;

/* Starts a list. n: 0..NQ_MAX_N. fundamental: only the first solution of each class under the
 * square's eight symmetries. NQ_OK, NQ_BAD_N or NQ_NO_MEMORY; *list is NULL unless NQ_OK. It
 * takes some 100 KB, whatever n. */
NQ_API nq_status nq_list_open(int n, bool fundamental, nq_list **list);

/* Starts a list of only those solutions that have their first queens in columns[0..rows-1], of
 * rows 1 to `rows`: so a list can be made in parts, by several threads, whose order is that of
 * their beginnings. rows: 0..n. Where two of these queens attack each other there is no such
 * solution. Statuses as nq_list_open, or NQ_NO_PLACEMENT: a column is not in 1..n, or `rows` is
 * not in 0..n. */
NQ_API nq_status nq_list_open_part(int n, bool fundamental, const int *columns, int rows,
                                   nq_list **list);

/* Stores the next solution in columns[0..n-1], or returns false when there are no more; called
 * again, it returns false again. */
NQ_API bool nq_list_next(nq_list *list, int *columns);

/* Ends a list, at any time; NULL does nothing. */
NQ_API void nq_list_close(nq_list *list);

/* Stores a solution in columns[0..n-1], by an explicit formula. n: 1, or 4..NQ_MAX_SIDE.
 * NQ_OK; NQ_NO_SOLUTION: n is 2 or 3; NQ_BAD_N. */
NQ_API nq_status nq_construct(int n, int *columns);

/* Two queens that attack each other. */
typedef struct nq_attack {
    int row[2], column[2]; /* from 1; row[0] < row[1] */
} nq_attack;

/* Whether a placement is a solution, in time proportional to n. n: 0..NQ_MAX_SIDE. NQ_OK: it
 * is one; NQ_ATTACK: it is none, and *attack, which may be NULL, gets the first attacking pair
 * by its upper row, then by its lower; NQ_NO_PLACEMENT: a column is not in 1..n; NQ_BAD_N;
 * NQ_NO_MEMORY: there is no room for 5 n bits. */
NQ_API nq_status nq_check(int n, const int *columns, nq_attack *attack);

/* Solutions that the square's eight symmetries (turns and reflections) make of each other. */
typedef struct nq_class {
    int size;          /* solutions in it: 8, 4, 2, or 1 (n = 0 and 1 only) */
    bool half_turn;    /* a half turn leaves each of them as it is */
    bool quarter_turn; /* so does a quarter turn */
    bool first;        /* this solution comes first of them in lexicographic order */
} nq_class;

/* The class of a solution, in time proportional to n. n: 0..NQ_MAX_SIDE. columns: a solution;
 * only that no column has two queens is checked. NQ_OK, NQ_NO_PLACEMENT, NQ_BAD_N or
 * NQ_NO_MEMORY. */
NQ_API nq_status nq_classify(int n, const int *columns, nq_class *class_of);

/* How many solutions there are up to symmetry, and how many have some. */
typedef struct nq_classes {
    uint64_t fundamental;  /* classes: A002562 */
    uint64_t half_turn;    /* solutions that a half turn leaves as they are: A032522 */
    uint64_t quarter_turn; /* of these, those that a quarter turn does: A033148 */
    nq_verdict verdict;    /* of all three together, where all three are known */
    char detail[512];      /* on failure, as in nq_result */
} nq_classes;

/* Counts the classes of the solutions for n, given how many solutions there are: symmetric ones
 * are few, and are counted by searches of their own (n = 20: 0.01 s, 24: 0.7 s, 28: a minute).
 * By Burnside's lemma there are (solutions + half_turn + 2 quarter_turn) / 8 classes for n > 1.
 * n: 0..NQ_MAX_N. solutions: of a complete count. classes: not NULL. NQ_OK; NQ_BAD_N;
 * NQ_MISMATCH: no such number of solutions is possible, or a number differs from the known one.
 */
NQ_API nq_status nq_count_classes(int n, uint64_t solutions, nq_classes *classes);

/* The kernels of this build, slowest first: index 0, 1, ... until it returns false. */
typedef struct nq_kernel_info {
    const char *name;
    bool runs_here; /* the CPU and the operating system support it */
} nq_kernel_info;
NQ_API bool nq_kernel(size_t index, nq_kernel_info *info);

/* The plans of method "search", the default one first: index 0, 1, ... until it returns false.
 */
typedef struct nq_plan_info {
    const char *name;
    int min_depth, max_depth; /* rows that nq_options.depth may ask to expand; 0, 0: none */
} nq_plan_info;
NQ_API bool nq_plan(size_t index, nq_plan_info *info);

/* Where the threads of a count would run. */
typedef struct nq_place {
    int pu;      /* the operating system's number; -1: the thread would not be bound, and all
                    else is -1, too */
    int core;    /* hwloc's logical number; the PU's where hwloc sees no cores */
    int cache;   /* the last-level cache, numbered from 0 in hwloc's order */
    int package; /* hwloc's logical number; 0 where it sees no packages */
} nq_place;

typedef struct nq_machine {
    int packages, caches, cores, pus; /* that this process may use; caches: last-level ones */
    double quota;                     /* CPUs that the cgroup allows; 0: no limit */
    int threads;                      /* that a count would use */
    bool omp_places;                  /* placement left to OMP_PROC_BIND or OMP_PLACES */
    char cpu[96];                     /* the CPU's name; empty: unknown */
    char features[160];               /* its instruction sets that matter here, by name */
    char detail[512];                 /* on failure, as in nq_result */
} nq_machine;

/* Describes the machine as this process may use it, and fills in places[0..capacity-1] for the
 * threads that nq_count with these options would start. machine: not NULL; places: may be NULL
 * when capacity is 0. Where hwloc describes another machine (HWLOC_XMLFILE, HWLOC_SYNTHETIC),
 * so do they, and nq_count would bind nothing. NQ_OK, NQ_BAD_OPTION, NQ_NO_PU, NQ_NO_MEMORY or
 * NQ_NO_TOPOLOGY. */
NQ_API nq_status nq_describe(const nq_options *options, nq_machine *machine, nq_place *places,
                             size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
