/*
 * Compiled into the profiled variant of a library. Calls of the symmetric primitives come here (the linker's
 * --wrap), are passed on, and are counted and timed by function and lengths.
 *
 * The runner puts the number of functions before this text, and behind it one line
 *     WRAP(number, symbol, bits in, bits out)
 * for each of them, the lengths as expressions of the arguments a to f. Arguments and results are passed on as
 * they lie in registers: packages declare the same function with several types.
 *
 * A call within another one is part of that one. Not made for threads, as the KEM interfaces are not.
 */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#if UINTPTR_MAX < UINT64_MAX
#error "profiles need a 64-bit processor: wrappers pass arguments on in 64-bit registers"
#endif

typedef uintptr_t word;

#if defined(__x86_64__)
#define TICK_SOURCE "tsc"
static inline uint64_t ticks(void) {
    uint32_t low, high;
    /* What comes before has to be done before the clock is read. */
    __asm__ __volatile__("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
    return ((uint64_t)high << 32) | low;
}
#elif defined(__aarch64__)
#define TICK_SOURCE "cntvct_el0"
static inline uint64_t ticks(void) {
    uint64_t count;
    __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
}
#else
#define TICK_SOURCE "clock_gettime"
static inline uint64_t ticks(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif

/* Different combinations of function and lengths that are kept apart. */
#define ROWS 1024u
/* Places for them: some stay free, so that every search ends. */
#define PLACES 2048u

struct kemscope_row {
    uint64_t function;
    uint64_t in_bits;
    uint64_t out_bits;
    uint64_t calls;
    uint64_t ticks;
};

static struct kemscope_row table[PLACES];
static unsigned used;
/* By function, what found no room. */
static struct kemscope_row lost[KEMSCOPE_FUNCTIONS];
static int recording;
static int inside;

static void record(uint64_t function, uint64_t in_bits, uint64_t out_bits, uint64_t spent) {
    uint64_t mixed = (function * 31 + in_bits) * 0x9e3779b97f4a7c15u + out_bits * 0xc2b2ae3d27d4eb4fu;
    unsigned place = (unsigned)(mixed >> 40) % PLACES;
    struct kemscope_row *row = &table[place];
    while (row->calls && (row->function != function || row->in_bits != in_bits || row->out_bits != out_bits)) {
        place = (place + 1) % PLACES;
        row = &table[place];
    }
    if (!row->calls) {
        if (used == ROWS) {
            row = &lost[function];
            in_bits = UINT64_MAX;
            out_bits = UINT64_MAX;
        } else {
            used++;
        }
        row->function = function;
        row->in_bits = in_bits;
        row->out_bits = out_bits;
    }
    row->calls++;
    row->ticks += spent;
}

extern const char kemscope_tick_source[];
const char kemscope_tick_source[] = TICK_SOURCE;

uint64_t kemscope_ticks(void);
uint64_t kemscope_ticks(void) {
    return ticks();
}

/* Reads the clock again and again: the ticks from one reading to the next in all, and the fewest above none. */
void kemscope_tick_cost(uint64_t readings, uint64_t *sum, uint64_t *least);
void kemscope_tick_cost(uint64_t readings, uint64_t *sum, uint64_t *least) {
    *sum = 0;
    *least = UINT64_MAX;
    while (readings--) {
        uint64_t begin = ticks();
        uint64_t spent = ticks() - begin;
        *sum += spent;
        if (spent && spent < *least) {
            *least = spent;
        }
    }
}

/* Starts or stops recording. */
void kemscope_profile_record(int on);
void kemscope_profile_record(int on) {
    recording = on;
}

/* Copies the rows, at most `room`, and tells how many there are. */
size_t kemscope_profile_rows(struct kemscope_row *rows, size_t room);
size_t kemscope_profile_rows(struct kemscope_row *rows, size_t room) {
    size_t count = 0;
    size_t i;
    for (i = 0; i < PLACES + KEMSCOPE_FUNCTIONS; i++) {
        const struct kemscope_row *row = i < PLACES ? &table[i] : &lost[i - PLACES];
        if (!row->calls) {
            continue;
        }
        if (count < room) {
            rows[count] = *row;
        }
        count++;
    }
    return count;
}

/* The real function is weak: a library need not have every one. */
#define WRAP(number, name, in_bits, out_bits)                                            \
    word __real_##name(word, word, word, word, word, word) __attribute__((weak));        \
    word __wrap_##name(word a, word b, word c, word d, word e, word f);                  \
    word __wrap_##name(word a, word b, word c, word d, word e, word f) {                 \
        word result;                                                                     \
        uint64_t begin;                                                                  \
        if (!recording || inside) {                                                      \
            return __real_##name(a, b, c, d, e, f);                                      \
        }                                                                                \
        inside = 1;                                                                      \
        begin = ticks();                                                                 \
        result = __real_##name(a, b, c, d, e, f);                                        \
        record(number, in_bits, out_bits, ticks() - begin);                              \
        inside = 0;                                                                      \
        return result;                                                                   \
    }
