/* The text export of a ledger: the units and their results, for others to check.
 *
 *     nqueens ledger export 1
 *     n 8
 *     method search
 *     plan cross
 *     plan_version 2
 *     depth 0
 *     units 12
 *     recorded 12
 *     solutions 92
 *     unit weight solutions work kernel
 *     0 8 3 57 avx512
 *     ...
 *     sha256 9b0e2fd6...
 *
 * docs/ledger.md describes it. Both directions take the same memory for any number of units.
 */
#ifndef LEDGER_EXPORT_H
#define LEDGER_EXPORT_H

#include "ledger/ledger.h"

enum { EXPORT_FORMAT = 1 };

/* What stands above the units. */
struct export_head {
    struct ledger_job job;
    uint64_t recorded, solutions; /* solutions: weighted */
};

struct export_unit {
    uint64_t id, weight, solutions, work; /* solutions: unweighted */
    char kernel[MAX_TEXT + 1];            /* printable ASCII without spaces */
};

/* Writes an export to a file descriptor. After nqi_export_begin, call nqi_export_end, even
 * after a failure. The texts of the job must be printable ASCII without spaces. Statuses are
 * NQ_OK, NQ_NO_MEMORY and NQ_LEDGER_IO (detail[0..size-1] says why). */
struct exporter;
nq_status nqi_export_begin(int descriptor, const struct export_head *head,
                           struct exporter **exporter, char *detail, size_t size);
nq_status nqi_export_unit(struct exporter *exporter, const struct export_unit *unit,
                          char *detail, size_t size);
/* Writes the last line if status is NQ_OK. Releases the exporter, which may be NULL. */
nq_status nqi_export_end(struct exporter *exporter, nq_status status, char *detail,
                         size_t size);

/* Receives what nqi_export_read reads; a status other than NQ_OK ends the reading, which
 * returns it. After a failure that is the export's, detail is empty, and what[0..size-1] says
 * what is wrong with the unit or the head. */
struct export_visit {
    nq_status (*head)(void *context, const struct export_head *head, char *what, size_t size);
    nq_status (*unit)(void *context, const struct export_unit *unit, char *what, size_t size);
    void *context;
};

/* Reads and checks an export: its form, that ids rise within the job's range, the number of the
 * units and the sum of their solutions, and the checksum. Returns NQ_OK, or, with the file, the
 * line and the reason in detail[0..size-1],
 *   NQ_LEDGER_IO: the file cannot be read;
 *   NQ_LEDGER_DAMAGED: it is damaged, cut short, or not an export that this version knows;
 *   NQ_OVERFLOW: the sum of solutions exceeds 64 bits;
 *   or NQ_NO_MEMORY, or a status of the visit. */
nq_status nqi_export_read(const char *file, const struct export_visit *visit, char *detail,
                          size_t size);

#endif
