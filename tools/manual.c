/* SPDX-License-Identifier: MIT */
/* Writes the manual pages, so that they say the same as `nqueens help`.
 *
 * Copies a template from stdin to stdout. Replaces the lines ".COMMAND NAME", ".OPTIONS" and
 * ".EXAMPLES" by what the structs of the commands and options say. */
#include "cli/command.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct program nqueens;

/* Writes text[0..length-1], with roff's special characters escaped. */
static void put(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '\'')
            fputs("\\(aq", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

/* Writes each sentence on a line of its own, as roff expects. */
static void put_text(const char *text) {
    for (const char *end; (end = strstr(text, ". ")) != NULL; text = end + 2) {
        put(text, (size_t)(end + 1 - text));
        putchar('\n');
    }
    put(text, strlen(text));
    putchar('\n');
}

static void put_argument(const struct described *entry) {
    fputs(".It Ar ", stdout);
    put(entry->name, strlen(entry->name));
    putchar('\n');
    put_text(entry->help);
}

static void put_command(const struct command *command) {
    printf(".Ss nqueens %s%s", command->name, command->arguments[0] != '\0' ? " " : "");
    put(command->arguments, strlen(command->arguments));
    putchar('\n');
    put_text(command->about);
    if (command->argument->name == NULL)
        return;
    puts(".Bl -tag -width Ds");
    for (const struct described *entry = command->argument; entry->name != NULL; entry++)
        put_argument(entry);
    puts(".El");
}

/* Writes the names of the commands, from `command` on, that have an option of this name with
 * this help; and then the help. */
static void put_help(const struct command *const *command, const struct option_spec *spec) {
    const char *before = ".Cm ";
    for (; *command != NULL; command++) {
        const struct option_spec *own = command_option(*command, spec->name);
        if (own == NULL || strcmp(own->help, spec->help) != 0)
            continue;
        printf("%s%s", before, (*command)->name);
        before = " , ";
    }
    puts(" :");
    put_text(spec->help);
}

static void put_option_line(const struct option_spec *spec) {
    fputs(".It", stdout);
    if (spec->letter != 0)
        printf(" Fl %c ,", spec->letter);
    fputs(" Fl \\-", stdout);
    put(spec->name, strlen(spec->name));
    printf("%s%s\n", spec->argument != NULL ? " Ar " : "",
           spec->argument != NULL ? spec->argument : "");
}

/* Returns whether a command before `end` has an option of this name. If `same` is true, the
 * option must have the same help, too. */
static bool is_put(const struct command *const *end, const struct option_spec *spec,
                   bool same) {
    for (const struct command *const *command = nqueens.commands; command != end; command++) {
        const struct option_spec *own = command_option(*command, spec->name);
        if (own != NULL && (!same || strcmp(own->help, spec->help) == 0))
            return true;
    }
    return false;
}

/* Writes each option once. If several commands have options of the same name with different
 * help, each help follows, after the names of its commands. expert: true writes the options for
 * experts, false the others. */
static void put_options(bool expert) {
    for (const struct command *const *first = nqueens.commands; *first != NULL; first++)
        for (size_t i = 0; (*first)->options[i] != NULL; i++) {
            const struct option_spec *spec = (*first)->options[i];
            if (spec->expert != expert || is_put(first, spec, false))
                continue;
            put_option_line(spec);
            put_help(first, spec);
            for (const struct command *const *other = first + 1; *other != NULL; other++) {
                const struct option_spec *own = command_option(*other, spec->name);
                if (own == NULL || is_put(other, own, true))
                    continue;
                if (spec->argument != NULL && strcmp(spec->argument, own->argument) != 0)
                    put_option_line(own);
                else
                    puts(".br");
                put_help(other, own);
            }
        }
}

static void put_examples(void) {
    for (const struct command *const *command = nqueens.commands; *command != NULL; command++)
        for (const struct described *example = (*command)->example; example->name != NULL;
             example++) {
            fputs(".It Cm \"", stdout);
            put(example->name, strlen(example->name));
            puts("\"");
            put_text(example->help);
        }
}

int main(void) {
    char line[1024], name[32];
    while (fgets(line, sizeof line, stdin) != NULL) {
        const struct command *const *command = nqueens.commands;
        if (sscanf(line, ".COMMAND %31[^\n]", name) == 1) {
            while (*command != NULL && strcmp(name, (*command)->name) != 0)
                command++;
            if (*command == NULL) {
                fprintf(stderr, "manual: unknown command '%s'\n", name);
                return EXIT_FAILURE;
            }
            put_command(*command);
        } else if (strcmp(line, ".OPTIONS\n") == 0) {
            put_options(false);
            put_options(true);
            put_option_line(&option_help);
            put_text(option_help.help);
            put_option_line(&option_version);
            put_text(option_version.help);
        } else if (strcmp(line, ".EXAMPLES\n") == 0) {
            put_examples();
        } else {
            fputs(line, stdout);
        }
    }
    return ferror(stdin) != 0 || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
