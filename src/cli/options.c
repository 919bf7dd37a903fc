/* SPDX-License-Identifier: MIT */
/* Defines the options that several commands have. To add one: define it here, declare it in
 * options.h, and put its address into `.options` of each command that takes it. The help,
 * the manual and the completions follow. */
#include "cli/options.h"

#include "cli/number.h"
#include "cli/say.h"
#include "core/isa.h"
#include "core/text.h"
#include "methods/methods.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct given given = {.count = NQ_OPTIONS_INIT};

bool read_list(const char *value) {
    return isdigit((unsigned char)*value) != 0;
}

static bool read_threads(const char *value) {
    return read_number(value, 1, NQ_MAX_THREADS, &given.count.threads);
}

static bool read_bind_list(const char *value) {
    given.count.bind = NQ_BIND_LIST;
    return read_list(value);
}

static bool read_stop_after(const char *value) {
    return read_time(value, 1, &given.stop_after);
}

/* Returns the kernels that this CPU can run, for messages and completions. The parser also
 * accepts the other kernels in `words`, because the library's message about such a kernel says
 * more than the parser's would. */
static const char *kernel_words(void) {
    static char words[96];
    snprintf(words, sizeof words, "auto");
    nqi_kernel_names(nqi_default_method()->kernels, words, sizeof words);
    text_add(words, sizeof words, "%s", DEVICE_KERNEL_WORDS);
    return words;
}

const struct option_spec option_threads =
    OPTION('t', "threads", "N",
           "number of threads, 1 to 4096 (default: one per core, at most the CPU quota)",
           .expected = "a whole number from 1 to 4096", .read = read_threads);

const struct option_spec option_device =
    OPTION(0, "device", "LIST",
           "count on devices (GPUs): all, or their numbers, counted from 0 in the order of "
           "'nqueens info', such as 0,2-3",
           .words = "all", .expected = "all, or numbers such as 0,2-3",
           .text = &given.count.device, .read = read_list);

const struct option_spec option_kernel = OPTION(
    0, "kernel", "NAME",
    "auto, a kernel that 'nqueens info' lists, or" DEVICE_KERNEL_WORDS " (default: auto)",
    .words = "auto" KERNEL_WORDS DEVICE_KERNEL_WORDS, .words_here = RUN(kernel_words),
    .text = &given.count.kernel, .expert = true);

const struct option_spec option_method = OPTION(
    0, "method", "NAME",
    "auto" METHODS_LISTED
    " (default: auto, which is" DEFAULT_METHOD(METHOD_WORD) " unless there is a given board)",
    .words = "auto" METHOD_WORDS, .text = &given.count.method, .expert = true);

const struct option_spec option_bind =
    OPTION(0, "bind", "HOW",
           "bind threads to PUs: auto, none, or a list of PUs such as 0,2,4-7 (default: auto)",
           .words = "auto none", .expected = "auto, none, or PUs such as 0,2,4-7",
           .text = &given.count.bind_list, .word = (int *)&given.count.bind,
           .read = read_bind_list, .expert = true);

const struct option_spec option_smt =
    OPTION(0, "smt", NULL, "use all hardware threads of a core", .flag = &given.count.smt,
           .expert = true);

const struct option_spec option_for =
    OPTION(0, "for", "TIME", "stop after TIME, such as 90 (seconds), 1h30m or 2-00:00:00",
           .expected = TIME_EXPECTED("seconds"), .read = read_stop_after);

const struct option_spec option_progress = OPTION(
    0, "progress", "HOW",
    "show progress: auto (a bar on a terminal, elsewhere a line a minute), always (a bar), "
    "never, or json (an object on each line) (default: auto); SIGUSR1 asks for a line",
    .words = PROGRESS_WORDS, .word = &given.progress, .conflicts = "quiet");

const struct option_spec option_time =
    OPTION(0, "time", NULL, "write the time taken and the work done to stderr",
           .flag = &given.time, .conflicts = "quiet");

const struct option_spec option_quiet =
    OPTION('q', "quiet", NULL, "write only errors to stderr", .flag = &given.quiet);

const struct option_spec option_json =
    OPTION(0, "json", NULL, "print JSON on stdout", .flag = &given.json);

const struct option_spec option_json_lines =
    OPTION(0, "json", NULL, "print JSON on stdout, with one document on each line",
           .flag = &given.json);

const struct option_spec option_format =
    OPTION(0, "format", "HOW", "text, or csv for a spreadsheet (default: text)",
           .words = FORMAT_WORDS, .word = &given.format, .conflicts = "json");

const struct option_spec option_board =
    OPTION(0, "board", "FILE",
           "complete the board in FILE, which has N lines of Q (a queen), . (a free square) "
           "and * (a blocked one); '-' means stdin",
           .expected = "the name of a file", .text = &given.board, .suffices = true);

const struct option_spec option_fundamental =
    OPTION(0, "fundamental", NULL, "count turns and reflections of a solution as one solution",
           .flag = &given.fundamental, .conflicts = "board shard",
           .why = ", since only all solutions of an empty board can be sorted into classes");

const struct option_spec option_help = {
    .letter = 'h', .name = "help", .help = "show this help, or the help of a command"};

const struct option_spec option_version = {
    .letter = 'V', .name = "version", .help = "show the version"};

const struct option_spec *command_option(const struct command *command, const char *name) {
    const struct option_spec *const *spec = command->options;
    while (*spec != NULL && strcmp((*spec)->name, name) != 0)
        spec++;
    return *spec;
}

const char *option_words(const struct option_spec *spec) {
    return spec->words_here != NULL ? spec->words_here() : spec->words;
}

enum format format_given(void) {
    return given.json ? FORMAT_JSON : (enum format)given.format;
}
