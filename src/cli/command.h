/* SPDX-License-Identifier: MIT */
/* Describes commands and their options as data. The parser, the help, the manual and the
 * shell completions are all made from these descriptions.
 *
 * To add a command: write a file in src/commands/ that ends in a `struct command`; declare and
 * list it in src/program/commands.c; add the file to `command_sources` in src/meson.build; and
 * add `.COMMAND NAME` to man/nqueens.1.in. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

struct described {
    const char *name, *help;
};

/* An option. These members say which values it takes:
 *   `flag`                no value; the variable becomes true
 *   `number`              a whole number in least..most
 *   `words`               one of these words; `word`, unless it is NULL, gets the word's index
 *   `read`                a value that this function accepts
 *   `words` and `read`    one of the words, or another value that the function accepts
 *   `text` without these  any value that is not empty
 * If `text` is not NULL, it also gets the value as it was typed, except for a flag. A variable
 * keeps its default if the option is not given. */
struct option_spec {
    char letter;          /* the short name, such as 't' for -t; 0 if there is none */
    const char *name;     /* the long name, without dashes */
    const char *argument; /* names the value in the help; NULL for a flag. If it contains FILE,
                             shells complete file names */
    const char *help;
    const char *words;               /* separated by spaces; NULL if the value is no word */
    const char *(*words_here)(void); /* returns the words that this machine supports, for
                                        completions and messages; NULL if it supports all */
    const char *expected; /* describes the allowed values in the message that refuses another
                             one; if it is NULL, the message has `words` or the limits */
    uint64_t least, most; /* the limits of `number` */
    bool *flag;
    const char **text;
    uint64_t *number;
    int *word;
    bool (*read)(const char *value); /* returns false to refuse the value */
    const char *conflicts; /* names of options that it cannot be combined with, separated by
                              spaces. The command finds conflicts that depend on values;
                              nqi_options_check() finds those between the library's options */
    const char *why; /* ends the message about a conflict, such as ", since a ledger records one
                        count"; may be NULL */
    bool expert;     /* the help shows it after the others */
    bool suffices;   /* with this option, the first command needs no arguments */
};

/* Initializes an option. The last arguments set its other members, such as .flag = &quiet. */
#define OPTION(letter_of, name_of, argument_of, help_of, ...)                                  \
    {                                                                                          \
        .letter = letter_of, .name = name_of, .argument = argument_of, .help = help_of,        \
        __VA_ARGS__                                                                            \
    }

enum { MAX_OPTIONS = 24 }; /* the most options of a command, and the NULL after them */

struct command {
    const char *name; /* one word or two, such as "ledger show" */
    /* The arguments, as the help shows them. If the text is empty, the command takes none; if
     * it contains "...", any number; otherwise at most one. If it begins with FILE, one is
     * required. If it contains FILE, shells complete file names. */
    const char *arguments;
    const char *heading; /* heads its group in the list of commands; the commands of a group
                            are consecutive */
    const char *help, *about; /* a line for the list; a sentence or two for its own help */
    struct described argument[3], example[5];       /* end with an element without a name */
    const struct option_spec *options[MAX_OPTIONS]; /* in the help's order, and then NULL */
    int (*run)(int count, char **arguments); /* gets the words after the command's name, and
                                                returns an exit code */
    const char *also; /* other words that users may try, separated by spaces. The message that
                         refuses one suggests this command */
    const char *if_number; /* what to do instead, for a user who gives a number in place of
                              FILE, unless a file has that name */
};

/* tools/manual.c describes the commands and never runs one, so it is built without the
 * functions that run them. */
#ifdef DESCRIPTIONS_ONLY
#define RUN(function) NULL
#else
#define RUN(function) (function)
#endif

/* A program and its commands. The first command runs if the first argument does not begin
 * with a letter. */
struct program {
    const char *name, *usage; /* usage: lines, the first of which begins with "Usage: " */
    const char *about; /* precedes the list of commands in the help; NULL for a program with a
                          single command, whose help it shows instead */
    const char *notes; /* follows the list of commands */
    const char *more;  /* follows the help of a command */
    const char *hint;  /* says what to type, for a user who gave nothing to do */
    const char *elsewhere; /* where to find other commands, for a program with a single one;
                              else NULL */
    const struct command *const *commands;   /* ends with NULL */
    const struct option_spec *const *common; /* the options that its help shows, and NULL */
};

/* The running program. main() sets it before it calls anything else. */
extern const struct program *program;

/* Parses the command line and runs the command, or writes what is wrong to stderr. Returns
 * an exit code. */
int program_run(int argc, char **argv);

#endif
