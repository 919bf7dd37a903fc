#include "cli/json.h"

#include "core/failure.h"

#include <errno.h>
#include <inttypes.h>
#include <nqueens.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool incomplete;

json_t *json_count(uint64_t count) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    return json_string(digits);
}

json_t *json_text(const char *text) {
    errno = 0;
    json_t *string = json_string(text);
    if (string != NULL || errno == ENOMEM)
        return string;
    size_t size = 4 * strlen(text) + 1;
    char *escaped = malloc(size);
    if (escaped == NULL)
        return NULL;
    string = json_string(nqi_escape_text(text, escaped, size));
    free(escaped);
    return string;
}

void json_add_item(json_t *array, json_t *item) {
    incomplete |= json_array_append_new(array, item) != 0;
}

void json_add_member(json_t *object, const char *name, json_t *value) {
    incomplete |= json_object_set_new(object, name, value) != 0;
}

void json_add_members(json_t *object, json_t *members) {
    incomplete |= json_object_update_new(object, members) != 0;
}

bool json_is_whole(void) {
    return !incomplete;
}
