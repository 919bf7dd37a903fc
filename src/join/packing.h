/* Packing: moves some bits of a word to its low end, in order and without gaps. */
#ifndef JOIN_PACKING_H
#define JOIN_PACKING_H

#include <stdint.h>

/* Of `packed` without an instruction of its own: a compiler makes better loops of a known
 * number of steps. */
enum { USUAL_STEPS = 4, MOST_STEPS = 6 };

#ifdef __BMI2__
#include <immintrin.h>

struct packing {
    uint64_t bits;
};

static inline struct packing packing_of(uint64_t bits) {
    return (struct packing){bits};
}

static inline int packing_steps(const struct packing *packing) {
    (void)packing;
    return 0;
}

static inline uint64_t packed(uint64_t word, const struct packing *packing, int steps) {
    (void)steps;
    return _pext_u64(word, packing->bits);
}

#else
/* Each bit goes to the right by the number of gaps below it: by 1, 2, 4, 8, 16 and 32. */
struct packing {
    uint64_t bits;
    uint64_t move[MOST_STEPS]; /* [i]: the bits that step i moves by 2^i */
    int steps;                 /* that move a bit */
};

/* Warren's compress: the parity of the number of gaps below a bit is the lowest digit of that
 * number, and with every second gap alone the parity is the next digit. */
static inline struct packing packing_of(uint64_t bits) {
    struct packing packing = {.bits = bits};
    uint64_t moving = bits, gaps = ~bits << 1; /* a place higher: a bit looks below itself */
    for (int i = 0; i < MOST_STEPS; i++) {
        uint64_t odd = gaps;
        for (int width = 1; width < 64; width *= 2)
            odd ^= odd << width;
        packing.move[i] = odd & moving;
        moving = (moving ^ packing.move[i]) | packing.move[i] >> (1 << i);
        gaps &= ~odd;
        packing.steps = packing.move[i] != 0 ? i + 1 : packing.steps;
    }
    return packing;
}

static inline int packing_steps(const struct packing *packing) {
    return packing->steps;
}

static inline __attribute__((always_inline)) uint64_t
packed(uint64_t word, const struct packing *packing, int steps) {
    word &= packing->bits;
    for (int i = 0; i < steps; i++) {
        const uint64_t moving = word & packing->move[i];
        word = (word ^ moving) + (moving >> (1 << i)); /* NEON shifts and adds at once */
    }
    return word;
}
#endif

#endif
