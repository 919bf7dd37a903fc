/* SPDX-License-Identifier: MIT */
/* nqi_escape_text makes text from outside harmless to a terminal. */
#include "core/arrays.h"
#include "core/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Expects that a text is escaped in this way, and that to escape the result changes nothing. */
static void expect(const char *text, const char *expected) {
    char escaped[256], twice[256];
    cr_expect_str_eq(nqi_escape_text(text, escaped, sizeof escaped), expected);
    cr_expect_str_eq(nqi_escape_text(escaped, twice, sizeof twice), expected);
}

Test(escape, every_control_character_is_escaped) {
    for (int code = 1; code < 0xa0; code++) {
        char expected[24];
        if (code < 0x20 || code >= 0x7f) { /* a single byte from 0x80 on is not UTF-8 */
            const char text[] = {'a', (char)code, 'z', '\0'};
            snprintf(expected, sizeof expected, "a\\x%02xz", (unsigned)code);
            expect(text, expected);
        }
        if (code >= 0x80) { /* the same characters as UTF-8 */
            const char text[] = {'a', '\xc2', (char)code, 'z', '\0'};
            snprintf(expected, sizeof expected, "a\\xc2\\x%02xz", (unsigned)code);
            expect(text, expected);
        }
    }
}

Test(escape, text_stays_unless_it_is_invisible_or_no_utf8) {
    static const char *const texts[][2] = {
        /* Text stays as it is. */
        {"", ""},
        {" plain: 'text' ~\\x", " plain: 'text' ~\\x"},
        {"é ß Ω 漢字 \U0001f451 \ufffd \U0010ffff", "é ß Ω 漢字 \U0001f451 \ufffd \U0010ffff"},
        /* Characters that cannot be seen are escaped. */
        {"1\u00a03", "1\\xc2\\xa03"},
        {"\u00ad\u200b\u202e", "\\xc2\\xad\\xe2\\x80\\x8b\\xe2\\x80\\xae"},
        {"\ufeff8", "\\xef\\xbb\\xbf8"},
        /* Bytes that are not UTF-8 are escaped, because a lenient reader would take some of
         * them for a control character or the end. */
        {"\xff", "\\xff"},
        {"\xc0\x80", "\\xc0\\x80"},
        {"\xe0\x82\x9b", "\\xe0\\x82\\x9b"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xf0\x80\x82\x9b", "\\xf0\\x80\\x82\\x9b"},
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        /* Characters without their last bytes are escaped, too. */
        {"\xe2\x82", "\\xe2\\x82"},
        {"\xf0\x9f\x91é", "\\xf0\\x9f\\x91é"}};
    for (size_t i = 0; i < LENGTH(texts); i++)
        expect(texts[i][0], texts[i][1]);
}

/* Each of `cuts` is the longest text that fits into some number of bytes. */
Test(escape, cuts_at_whole_characters) {
    static const char *const cuts[] = {"", "a", "a\\x1b", "a\\x1bé", "a\\x1bé漢", "a\\x1bé漢b"};
    size_t cut = 0;
    for (size_t size = 1; size < 14; size++) {
        char escaped[32];
        memset(escaped, '#', sizeof escaped);
        cut += cut + 1 < LENGTH(cuts) && strlen(cuts[cut + 1]) < size;
        cr_expect_eq(nqi_escape_text("a\033é漢b", escaped, size), escaped);
        cr_expect_eq(escaped[size], '#', "writes beyond %zu bytes", size);
        cr_expect_str_eq(escaped, cuts[cut], "%zu bytes", size);
    }
    nqi_escape_text("a", NULL, 0);
}
