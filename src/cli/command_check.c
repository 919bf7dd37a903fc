/* SPDX-License-Identifier: MIT */
/* `nqueens check [FILE]`: are these placements, one a line, solutions? */
#include "cli/output.h"
#include "cli/placement_file.h"
#include "solutions/placement.h"

/* attack: NULL for a solution. */
static int check_print_json(const struct placement_file *file, const nq_attack *attack) {
    json_t *document;
    if (attack == NULL) {
        nq_class class_of;
        nq_status status = nq_classify_solution(file->n, file->columns, &class_of);
        if (status != NQ_OK)
            return say_failure(status);
        document = json_pack("{s:i, s:b, s:i, s:b, s:b}", "n", file->n, "valid", true,
                             "class_size", class_of.size, "half_turn", class_of.half_turn,
                             "quarter_turn", class_of.quarter_turn);
    } else {
        document = json_pack("{s:i, s:b, s:[ii], s:[ii]}", "n", file->n, "valid", false, "rows",
                             attack->row[0], attack->row[1], "columns", attack->column[0],
                             attack->column[1]);
        uint64_t pairs;
        if (nqi_count_attacks(file->n, file->columns, NULL, &pairs) == NQ_OK)
            json_object_set_new(document, "attacking_pairs", json_count(pairs));
    }
    return output_json_line(document);
}

/* Prints the verdict, unless the exit code is all that is wanted. */
static int check_one(const struct call *call, const struct placement_file *file) {
    nq_attack attack;
    nq_status status = nq_check_placement(file->n, file->columns, &attack);
    if (status != NQ_OK && status != NQ_ATTACK)
        return say_failure(status);
    int code = exit_code_of(status);
    if (is_given(call, OPTION_quiet))
        return code;
    if (is_given(call, OPTION_json)) {
        int printed = check_print_json(file, status == NQ_OK ? NULL : &attack);
        return printed != EXIT_DONE ? printed : code;
    }
    char text[160] = "valid";
    if (status == NQ_ATTACK)
        attack_text(file->n, file->columns, &attack, text, sizeof text);
    puts(text);
    return ferror(stdout) == 0 ? code : EXIT_SYSTEM;
}

int run_check(const struct call *call) {
    if (is_given(call, OPTION_json) && is_given(call, OPTION_quiet))
        return usage_error("'--json' does not go with '--quiet'");
    const char *name = call->argument_count == 1 ? call->arguments[0] : "-";
    struct placement_file file;
    int worst = EXIT_DONE, code = placement_open(call, name, NQ_MAX_SIDE, &file);
    if (code != EXIT_DONE)
        return code;
    while ((code = placement_next(&file)) == EXIT_DONE && file.n > 0) {
        code = check_one(call, &file);
        if (code == EXIT_WRONG)
            worst = code;
        else if (code != EXIT_DONE)
            break;
    }
    placement_close(&file);
    return code != EXIT_DONE ? code : worst;
}
