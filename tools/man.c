/* The parts of the manual that come from the tables, in mdoc macros. */
#include "writers.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Whether a '-' is a hyphen within a word. Any other one is typed by users and stays as it is.
 */
static bool is_hyphen(const char *text, size_t i) {
    return i > 0 && isalpha((unsigned char)text[i - 1]) && isalpha((unsigned char)text[i + 1]);
}

/* Writes text[0..length-1] so that roff shows it as it is. */
static void put(const char *text, size_t length) {
    if (length > 0 && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '\'')
            fputs("\\(aq", stdout);
        else if (text[i] == '-' && !is_hyphen(text, i))
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

/* Writes each sentence on a line of its own, as roff expects. */
static void put_all(const char *text) {
    for (const char *end; (end = strstr(text, ". ")) != NULL; text = end + 2) {
        put(text, (size_t)(end + 1 - text));
        putchar('\n');
    }
    put(text, strlen(text));
}

/* Writes arguments[0..length-1] on a line of macros. "[FILE]" may be left out, as in "[A [B]]";
 * upper case stands for a value; all else is typed as it stands. */
static void put_arguments(const char *arguments, size_t length) {
    for (const char *end = arguments + length; arguments < end;) {
        const size_t word = strcspn(arguments, " ]"), more = strspn(arguments + word, " ]");
        const bool is_optional = *arguments == '[', is_flag = *arguments == '-' && word > 1;
        const char *text = arguments + is_optional + is_flag;
        fputs(is_optional ? " Op" : "", stdout);
        fputs(is_flag ? " Fl " : isupper((unsigned char)*text) ? " Ar " : " Cm ", stdout);
        put(text, word - is_flag - is_optional);
        arguments += word + more;
    }
}

void man_commands(void) {
    for (int group = 0; group < GROUPS; group++) {
        printf(".Ss %s\n.Bl -tag -width Ds\n", group_titles[group]);
        for (int id = 0; id < COMMANDS; id++) {
            if ((int)commands[id].group != group)
                continue;
            printf(".It Cm %s", commands[id].name);
            size_t length;
            for (const char *others, *next = commands[id].arguments; next != NULL;
                 next = others) {
                others = other_arguments(next, &length);
                put_arguments(next, length);
                fputs(others != NULL ? " |" : "", stdout);
            }
            putchar('\n');
            put_all(commands[id].help);
            if (id != COMMAND_help)
                printf(":\n.Xr nqueens-%s 1", commands[id].name);
            putchar('\n');
        }
        puts(".El");
    }
}

/* A synopsis for each alternative: "N | -" are two. */
static void put_synopsis(const char *name, const char *action, const char *arguments) {
    for (const char *others; arguments != NULL; arguments = others) {
        size_t length;
        others = other_arguments(arguments, &length);
        printf(".Nm nqueens%s%s%s%s", *name != '\0' ? " Cm " : "", name,
               *action != '\0' ? " " : "", action);
        put_arguments(arguments, length);
        puts("\n.Op Ar option ...");
    }
}

static void put_row(const char *name, const char *help) {
    fputs(".It", stdout);
    put_arguments(name, strlen(name));
    putchar('\n');
    put_all(help);
    putchar('\n');
}

static void put_arguments_list(void) {
    puts(".Bl -tag -width Ds");
    for (int id = 0; id < ACTIONS; id++)
        if ((int)action_rows[id].command == page_command)
            put_row(action_rows[id].name, action_rows[id].help);
    for (size_t i = 0; i < argument_rows_count; i++)
        if ((int)argument_rows[i].command == page_command)
            put_row(argument_rows[i].name, argument_rows[i].help);
    puts(".El");
}

static bool has_arguments(void) {
    bool any = actions_of(page_command) != 0;
    for (size_t i = 0; i < argument_rows_count; i++)
        any = any || (int)argument_rows[i].command == page_command;
    return any;
}

void man_head(void) {
    const struct command *row = &commands[page_command];
    printf(".Dd %s\n.Dt NQUEENS-", page_date);
    for (const char *c = row->name; *c != '\0'; c++)
        putchar(toupper((unsigned char)*c));
    printf(" 1\n.Os \"nqueens %s\"\n.Sh NAME\n.Nm nqueens\\-%s\n.Nd ", page_version, row->name);
    put(row->help, strlen(row->help));
    puts("\n.Sh SYNOPSIS");
    if (page_command == NUMBER_COMMAND)
        put_synopsis("", "", "N...");
    if (actions_of(page_command) == 0)
        put_synopsis(row->name, "", row->arguments);
    for (int id = 0; id < ACTIONS; id++)
        if ((int)action_rows[id].command == page_command)
            put_synopsis(row->name, action_rows[id].name, action_rows[id].arguments);
    puts(".Sh DESCRIPTION");
    put_all(row->about);
    putchar('\n');
    if (has_arguments())
        put_arguments_list();
}

static void put_option(int id) {
    const struct option_row *row = &option_rows[id];
    fputs(".It", stdout);
    if (row->short_name != 0)
        printf(" Fl %c ,", row->short_name);
    printf(" Fl \\-%s", row->long_name);
    if (row->argument != NULL) {
        fputs(" Ar ", stdout);
        put_all(row->argument);
    }
    putchar('\n');
    put_all(option_help(id, page_command));
    putchar('\n');
}

/* "Options of kernels and scaling:" */
static void put_heading(unsigned of) {
    puts(".Pp\nOptions of");
    for (int action = 0; action < ACTIONS; action++)
        if ((of >> action & 1) != 0) {
            int left = __builtin_popcount(of >> action >> 1);
            printf(".Cm %s%s\n", action_rows[action].name,
                   left == 0   ? " :"
                   : left == 1 ? "\nand"
                               : " ,");
        }
}

void man_options(void) {
    unsigned sets[OPTIONS];
    int count = option_sets(page_command, sets);
    puts(".Sh OPTIONS");
    for (int i = 0; i < count; i++) {
        if (sets[i] != actions_of(page_command))
            put_heading(sets[i]);
        puts(".Bl -tag -width Ds");
        for (int id = 0; id < OPTIONS; id++)
            if (is_in_set(id, page_command, sets[i]))
                put_option(id);
        puts(".El");
    }
}

void man_examples(void) {
    const char *before = "";
    puts(".Sh EXAMPLES");
    for (size_t i = 0; i < example_rows_count; i++) {
        if ((int)example_rows[i].command != page_command)
            continue;
        fputs(before, stdout);
        before = ".Pp\n";
        putchar(toupper((unsigned char)example_rows[i].help[0]));
        put_all(example_rows[i].help + 1);
        puts(":\n.Bd -literal -offset indent");
        fputs("$ ", stdout);
        put(example_rows[i].call, strlen(example_rows[i].call));
        puts("\n.Ed");
    }
}
