/* `nqueens check [FILE]`: is this placement a solution? */
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/solutions/placement.h"

static int print_json(const struct placement *placement, bool valid, const nq_attack *attack) {
    json_t *document = json_pack("{s:i, s:b}", "n", placement->n, "valid", valid);
    nq_class class_of;
    if (valid) {
        nq_status status = nq_classify(placement->n, placement->columns, &class_of);
        if (status != NQ_OK) {
            json_decref(document);
            return say_failure(status, nq_status_text(status));
        }
        json_object_update_new(
            document, json_pack("{s:i, s:b, s:b}", "class_size", class_of.size, "half_turn",
                                class_of.half_turn, "quarter_turn", class_of.quarter_turn));
    } else {
        json_object_update_new(document, json_pack("{s:[ii], s:[ii]}", "rows", attack->row[0],
                                                   attack->row[1], "columns", attack->column[0],
                                                   attack->column[1]));
    }
    return output_json(document);
}

int run_check(const struct call *call) {
    if (call->argument_count > 1)
        return usage_error("check: '%.60s': one placement at a time", call->arguments[1]);
    struct placement placement;
    int code = placement_read(call->argument_count == 1 ? call->arguments[0] : "-", NQ_MAX_SIDE,
                              &placement);
    if (code != EXIT_DONE)
        return code;
    nq_attack attack;
    nq_status status = nq_check(placement.n, placement.columns, &attack);
    if (status != NQ_OK && status != NQ_ATTACK) {
        code = say_failure(status, nq_status_text(status));
    } else if (call->json) {
        code = print_json(&placement, status == NQ_OK, &attack);
    } else if (status == NQ_OK) {
        puts("valid");
    } else {
        char text[160];
        attack_text(&attack, text, sizeof text);
        puts(text);
    }
    placement_free(&placement);
    return code == EXIT_DONE ? exit_code_of(status) : code;
}
