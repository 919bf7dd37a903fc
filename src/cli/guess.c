#include "cli/guess.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 31 }; /* no name is longer */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The optimal string alignment: d[i][j] is the distance of the first i letters from the first
 * j. */
static size_t distance_of(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++)
        for (size_t j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            bool other = strncasecmp(a + i - 1, b + j - 1, 1) != 0;
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + other);
            if (i > 1 && j > 1 && strncasecmp(a + i - 1, b + j - 2, 1) == 0 &&
                strncasecmp(a + i - 2, b + j - 1, 1) == 0)
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a_length][b_length];
}

void guess_try(struct guess *guess, const char *word, size_t word_length, const char *name,
               size_t length) {
    if (word_length == 0 || word_length > LONGEST || length > LONGEST)
        return;
    size_t distance = distance_of(word, word_length, name, length);
    if (distance <= (word_length < 3 ? 1 : word_length / 3) &&
        (guess->name == NULL || distance < guess->distance))
        *guess = (struct guess){name, length, distance};
}

int find_word(const char *list, const char *word, struct guess *guess) {
    *guess = (struct guess){0};
    for (int index = 0; *list != '\0'; index++) {
        size_t length = strcspn(list, " ");
        if (length == strlen(word) && memcmp(list, word, length) == 0)
            return index;
        guess_try(guess, word, strlen(word), list, length);
        list += length + (list[length] == ' ');
    }
    return -1;
}

const char *guess_text(const struct guess *guess, const char *lead, char *text, size_t size) {
    text[0] = '\0';
    if (guess->name != NULL)
        snprintf(text, size, "; did you mean '%s%.*s'?", lead, (int)guess->length, guess->name);
    return text;
}
