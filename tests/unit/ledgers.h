/* Ledgers in a folder of the test's own: to look into, to falsify, and to hold in another
 * process. */
#ifndef UNIT_LEDGERS_H
#define UNIT_LEDGERS_H

#include "ledger/job.h"

#include <sys/types.h>

/* The folder, under $TMPDIR or /tmp: for a suite's .init and .fini. */
void folder_make(void);
void folder_remove(void);
const char *folder(void);

/* The path of a file in the folder; the text lasts for 32 more calls. */
const char *in_folder(const char *name);
int files_in_folder(void);
bool there_is(const char *file);

/* A file's bytes; the caller frees them. */
struct bytes {
    unsigned char *byte;
    size_t count;
};
struct bytes bytes_of(const char *file);
void write_bytes(const char *file, const void *bytes, size_t count);
void copy_file(const char *from, const char *to);
/* Whether the file still has these bytes; frees them. */
bool unchanged(const char *file, struct bytes before);

/* Statements as anybody may run them on a file; ask_sql: the number that one yields. */
void run_sql(const char *file, const char *sql);
int64_t ask_sql(const char *file, const char *sql);

/* Gives a column of a ledger's row another value, and the row the checksum that goes with it:
 * what is wrong then is the value alone. */
void falsify(const char *file, enum table_id table, int64_t id, int column, int64_t number);
void falsify_text(const char *file, enum table_id table, int64_t id, int column,
                  const char *text);

/* Ledgers of a job made up for the test, of n = 9. What is wrong goes to `detail`. */
extern char detail[512];
extern const struct job made_up_job;
struct ledger *open_ok(const char *file, enum ledger_use use);
nq_status add_unit(struct ledger *ledger, int64_t id);
nq_status commit(struct ledger *ledger);
/* Gives it the job, and units 0, 3 and 6: with 5 solutions and 7 nodes for each of their id. */
void fill(struct ledger *ledger);
/* A file so filled; how many rows there are in a table. */
const char *make_ledger(const char *name);
int rows_in(struct ledger *ledger, enum table_id table);
/* Opening is refused with that status, and the detail names the file and says why. */
void expect_not_opened(const char *file, enum ledger_use use, nq_status expected,
                       const char *why);

/* A process of its own that opens a ledger to write it, does something to it, and holds it. It
 * must not compute. Start it while this process has no ledger open. */
struct holder {
    pid_t process;
    int tell, hear;
};
struct holder hold(const char *file, void (*act)(struct ledger *ledger));
/* Has it commit; whether that was done within so many milliseconds (0: look only). */
void holder_commit(const struct holder *holder);
bool holder_committed(const struct holder *holder, int milliseconds);
/* It closes the ledger and ends; it is killed. */
void holder_end(struct holder *holder);
void holder_kill(struct holder *holder);

#endif
