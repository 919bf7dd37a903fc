/* SHA-256, with the examples of FIPS 180-4 and longer ones: every length around a block's, in
 * pieces of every size. */
#include "ledger/sha256.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_hash(const void *bytes, size_t size, const char *expected) {
    struct sha256 hash;
    char text[SHA256_TEXT];
    nqi_sha256_begin(&hash);
    nqi_sha256_add(&hash, bytes, size);
    nqi_sha256_text(&hash, text);
    cr_expect_str_eq(text, expected);
}

Test(sha256, of_published_examples) {
    static char million[1000000];
    memset(million, 'a', sizeof million);
    expect_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_hash(million, sizeof million,
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

Test(sha256, in_pieces_is_that_of_the_whole) {
    char bytes[200], whole[SHA256_TEXT], text[SHA256_TEXT];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 37 + 5);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        struct sha256 hash;
        nqi_sha256_begin(&hash);
        nqi_sha256_add(&hash, bytes, size);
        nqi_sha256_text(&hash, whole);
        for (size_t piece = 1; piece <= 130; piece++) {
            nqi_sha256_begin(&hash);
            for (size_t at = 0; at < size; at += piece) {
                nqi_sha256_add(&hash, bytes + at, size - at < piece ? size - at : piece);
                nqi_sha256_text(&hash, text); /* more bytes may follow */
            }
            nqi_sha256_text(&hash, text);
            cr_assert_str_eq(text, whole, "%zu bytes, %zu at a time", size, piece);
        }
    }
}
