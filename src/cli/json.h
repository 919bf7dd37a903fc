/* Parts of JSON documents. An item or member that cannot be made or added, because memory ran
 * out, is remembered here: who prints a document asks once, at its end. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A count as a JSON string: as a number it would be too large for most readers. */
json_t *json_count(uint64_t count);

/* A text from outside, such as a file's name, as a JSON string. A text that is not UTF-8 is
 * escaped (nqi_escape_text). */
json_t *json_text(const char *text);

/* These take the reference to what they add, which may be NULL: it could not be made. */
void json_add_item(json_t *array, json_t *item);
void json_add_member(json_t *object, const char *name, json_t *value);

/* Adds the members of another object. */
void json_add_members(json_t *object, json_t *members);

/* Whether nothing was left out of any document so far. */
bool json_is_whole(void);

#endif
