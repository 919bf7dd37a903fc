/* The parts of the bash completions that come from the tables. */
#include "writers.h"

#include <stdio.h>

void bash_short_names(void) {
    for (int id = 0; id < OPTIONS; id++)
        if (option_rows[id].short_name != 0)
            printf("        -%c) word=--%s ;;\n", option_rows[id].short_name,
                   option_rows[id].long_name);
}

void bash_with_value(void) {
    put_with_value(" | ");
}

static void put_values(int id) {
    printf("    --%s)\n        offered='%s'\n", option_rows[id].long_name,
           option_rows[id].values);
    for (int command = 0; command < COMMANDS; command++)
        if (takes(id, command) && option_values(id, command) != option_rows[id].values)
            printf("        [[ $command != %s ]] || offered='%s'\n", commands[command].name,
                   option_values(id, command));
    puts("        ;;");
}

void bash_values(void) {
    for (int id = 0; id < OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        if (row->values != NULL)
            put_values(id);
        else if (takes_file(row))
            printf("    --%s) kind='file' ;;\n", row->long_name);
    }
}

/* command: COMMANDS, for all options, while none is named. action: ACTIONS, for all of the
 * command's. */
static void put_options(int command, int action) {
    const char *before = "options='";
    for (int id = 0; id < OPTIONS; id++)
        if (command == COMMANDS ||
            (action == ACTIONS ? takes(id, command)
                               : (actions_that_take(id, command) >> action & 1) != 0)) {
            printf("%s--%s", before, option_rows[id].long_name);
            before = " ";
        }
    puts("'");
}

static void put_all_options(int command) {
    fputs("        ", stdout);
    put_options(command, ACTIONS);
    for (int action = 0; command != COMMANDS && action < ACTIONS; action++)
        if ((int)action_rows[action].command == command) {
            printf("        [[ $action != %s ]] || ", action_rows[action].name);
            put_options(command, action);
        }
}

static void put_arguments(int command) {
    if (has_words(command)) {
        fputs("        [[ $arguments -gt 0 ]] || offered='", stdout);
        put_words(command);
        puts("'");
    }
    if (takes_files(command))
        puts(has_words(command) ? "        [[ $arguments -eq 0 ]] || kind='file'"
                                : "        kind='file'");
}

void bash_commands(void) {
    const char *before = "    '')\n        offered='";
    for (int id = 0; id < COMMANDS; id++) {
        printf("%s%s", before, commands[id].name);
        before = " ";
    }
    puts("'");
    put_all_options(COMMANDS);
    puts("        ;;");
    for (int id = 0; id < COMMANDS; id++) {
        printf("    %s%s)\n", commands[id].name, id == NUMBER_COMMAND ? " | [0-9]* | -" : "");
        put_all_options(id);
        put_arguments(id);
        puts("        ;;");
    }
}
