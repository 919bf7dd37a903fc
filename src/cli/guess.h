/* The name that the user may have meant by a mistyped word. */
#ifndef CLI_GUESS_H
#define CLI_GUESS_H

#include <stddef.h>

struct guess {
    const char *name; /* name[0..length-1]: the nearest one so far; NULL: none is near */
    size_t length, distance;
};

/* Takes a name if it is nearer to word[0..word_length-1] than those before: if fewer letters
 * were added, left out, changed or swapped. At most a third of the word's may be wrong, or one.
 */
void guess_try(struct guess *guess, const char *word, size_t word_length, const char *name,
               size_t length);

/* Returns the index of a word in a list, in which spaces separate words, or -1 and a guess. */
int find_word(const char *list, const char *word, struct guess *guess);

/* "; did you mean 'NAME'?", or nothing. lead: stands before the name, such as "--". */
const char *guess_text(const struct guess *guess, const char *lead, char *text, size_t size);

#endif
