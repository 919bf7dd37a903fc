/* SPDX-License-Identifier: MIT */
/* What a command and its options are: values, each in the command's own file. The parser, the
 * help, the manual and the completions are made of them. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

struct described {
    const char *name, *help;
};

/* An option. Where its value goes:
 *   `flag` alone: an option without a value;
 *   `number` alone: a whole number;
 *   `words`, of which the place goes to `word`, if that is set; or `read`, for a value that is
 *   none of the words; or both;
 *   `text`: any value as it stands, beside `words` and `read`, or alone.
 * Variables keep their defaults where the option is not given. */
struct option_row {
    char letter;          /* such as 't' for -t; 0: none */
    const char *name;     /* without the dashes */
    const char *argument; /* the value's name in the help; shells complete files for FILE; NULL:
                             a flag */
    const char *help;
    const char *words; /* that the value may be, with spaces between; NULL: other values */
    const char *(*words_here)(void); /* those of them that this machine takes; NULL: all */
    const char *expected; /* what a refused value should have been; NULL: words or limits */
    uint64_t least, most; /* of a number */
    bool *flag;           /* becomes true */
    const char **text;    /* gets the value as it stands */
    uint64_t *number;     /* gets a whole number in least..most */
    int *word;            /* gets the place of the value in `words` */
    bool (*read)(const char *value); /* reads a value that is none of `words`; false: it is
                                        refused */
    const char *conflicts; /* names of options that it does not go with, with spaces between;
                              rules for values are checked by the command, and those that the
                              library has by nqi_options_check() */
    const char *why;       /* said then, as ": only a whole count has classes"; NULL: nothing */
    bool expert;           /* is shown in the help below the others */
    bool suffices;         /* if it is given, the first command needs no arguments */
};

/* A row, whose last arguments are its other members, such as .flag = &quiet. */
#define OPTION(letter_of, name_of, argument_of, help_of, ...)                                  \
    {                                                                                          \
        .letter = letter_of, .name = name_of, .argument = argument_of, .help = help_of,        \
        __VA_ARGS__                                                                            \
    }

enum { MAX_OPTIONS = 24 }; /* of a command */

struct command {
    const char *name;      /* one word, or two, such as "ledger show" */
    const char *arguments; /* in the help: "": none; one; or with "..." several. Shells complete
                              files for FILE, commands for COMMAND */
    const char *heading;   /* of the help: the commands before and after it may share it */
    const char *help, *about;                 /* a line; a sentence or two */
    struct described argument[3], example[5]; /* the last one has no name */
    const struct option_row
        *options[MAX_OPTIONS];               /* in the order of the help; NULL behind them */
    int (*run)(int count, char **arguments); /* those behind the name. Returns an exit code */
    const char *also;      /* words that users may try for the name, with spaces between */
    const char *if_number; /* said of a number in the place of FILE, if no file has that name */
};

/* The program that describes commands, but runs none, has no code of theirs: tools/manual.c. */
#ifdef DESCRIPTIONS_ONLY
#define RUN(function) NULL
#else
#define RUN(function) (function)
#endif

/* A program: its commands, of which the first one is meant where arguments begin with no name.
 */
struct program {
    const char *name, *usage; /* "Usage: ..." and newlines */
    const char *about; /* in the help, above the list of commands; NULL: there is one alone */
    const char *notes; /* below the list */
    const char *more;  /* below the help of a command */
    const char *hint;  /* what to give, said of a call that gives nothing to do */
    const char *elsewhere; /* said of an unknown command if there is one alone */
    const struct command *const *commands;  /* NULL behind them */
    const struct option_row *const *common; /* options that the help shows; NULL behind them */
};

/* The one that runs: main() says which, before all else. */
extern const struct program *program;

/* Parses the command line and runs the command, or says on stderr what is wrong. Returns an
 * exit code. */
int program_run(int argc, char **argv);

#endif
