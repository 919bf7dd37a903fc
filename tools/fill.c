/* Fills in a template of the manual.
 *
 *     fill TEMPLATE VERSION DATE [COMMAND] >FILE
 *
 * @NAME@ is replaced by text made from the tables of commands and options, @VERSION@ and @DATE@
 * by the arguments. COMMAND: that the page of the manual is about. A line that holds only a
 * mark is replaced as a whole.
 */
#include "writers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *page_version, *page_date;
int page_command;

static void put_version(void) {
    fputs(page_version, stdout);
}

static void put_date(void) {
    fputs(page_date, stdout);
}

static const struct mark {
    const char *name;
    void (*write)(void);
} marks[] = {
    {"@VERSION@", put_version},       {"@DATE@", put_date},
    {"@MAN_COMMANDS@", man_commands}, {"@MAN_HEAD@", man_head},
    {"@MAN_OPTIONS@", man_options},   {"@MAN_EXAMPLES@", man_examples},
};

static const struct mark *mark_at(const char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(text, marks[i].name, strlen(marks[i].name)) == 0)
            return &marks[i];
    size_t length = strspn(text + 1, letters);
    if (length > 0 && text[1 + length] == '@') {
        /* An unknown mark must not reach users. */
        fprintf(stderr, "fill: unknown mark '%.*s'\n", (int)length + 2, text);
        exit(EXIT_FAILURE);
    }
    return NULL;
}

/* Finds the first mark in a text. *found: where it stands. NULL: none. */
static const struct mark *find_mark(const char *text, const char **found) {
    const struct mark *mark = NULL;
    for (text = strchr(text, '@'); text != NULL && mark == NULL; text = strchr(text + 1, '@')) {
        mark = mark_at(text);
        *found = text;
    }
    return mark;
}

static void fill(const char *line) {
    const struct mark *mark;
    const char *found, *start = line;
    while ((mark = find_mark(line, &found)) != NULL) {
        const char *next = found + strlen(mark->name);
        bool alone = line == start && strcmp(next, "\n") == 0 &&
                     strspn(line, " ") == (size_t)(found - line);
        if (!alone)
            printf("%.*s", (int)(found - line), line);
        mark->write();
        line = alone ? next + 1 : next;
    }
    fputs(line, stdout);
}

int main(int argc, char **argv) {
    if (argc > 4)
        while (page_command < COMMANDS && strcmp(argv[4], commands[page_command].name) != 0)
            page_command++;
    if (argc < 4 || argc > 5 || page_command == COMMANDS) {
        fprintf(stderr, "usage: fill TEMPLATE VERSION DATE [COMMAND]\n");
        return EXIT_FAILURE;
    }
    page_version = argv[2];
    page_date = argv[3];
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    char line[1024];
    while (fgets(line, sizeof line, file) != NULL)
        fill(line);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed || fflush(stdout) != 0 || ferror(stdout) != 0) {
        fprintf(stderr, "fill: cannot read '%s', or cannot write\n", argv[1]);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
