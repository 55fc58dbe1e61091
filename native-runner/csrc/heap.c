/*
 * Counts what a call takes from the heap. Loaded before the C library (LD_PRELOAD) into a measuring process
 * that times nothing: all of the process's allocations pass through here, those that the C library makes for its
 * callers (strdup) and those of C++ (operator new calls malloc) too. They are counted only between begin and end.
 *
 * Counted are bytes as requested, not as the allocator rounds them: they are the same with every C library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The numbers of a window; the measuring process knows this layout. */
struct kemscope_heap {
    uint64_t peak_bytes;
    uint64_t allocations;
    uint64_t requested_bytes;
    uint64_t kept_bytes;
    /* Not zero where the table was too small for all blocks: the other numbers are worth nothing then. */
    uint64_t overflow;
};

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);
static void *(*next_memalign)(size_t, size_t);

static atomic_int counting;
static struct kemscope_heap numbers;

/* The blocks that are allocated in the window, by address: open addressing with linear probing. */
#define SLOTS ((size_t)1 << 16)
#define MOST (SLOTS / 4 * 3)
static struct {
    uintptr_t address;
    size_t bytes;
} blocks[SLOTS];
static size_t used;
static atomic_flag lock = ATOMIC_FLAG_INIT;

/* dlsym may ask for memory itself before it has found who gives it: a little from here, never given back. */
static _Alignas(16) unsigned char early[8192];
static size_t early_used;

static void *early_memory(size_t bytes) {
    size_t begin = early_used;
    if (bytes > sizeof early - 16 - begin) {
        return NULL;
    }
    early_used = (begin + bytes + 15) & ~(size_t)15;
    return early + begin;
}

static int is_early(const void *block) {
    uintptr_t address = (uintptr_t)block;
    return address >= (uintptr_t)early && address < (uintptr_t)early + sizeof early;
}

static void *next(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

/* Runs while the process has one thread. */
static void find_next(void) {
    static int looking;
    if (looking) {
        return;
    }
    looking = 1;
    next_calloc = (void *(*)(size_t, size_t))next("calloc");
    next_realloc = (void *(*)(void *, size_t))next("realloc");
    next_free = (void (*)(void *))next("free");
    next_posix_memalign = (int (*)(void **, size_t, size_t))next("posix_memalign");
    next_aligned_alloc = (void *(*)(size_t, size_t))next("aligned_alloc");
    next_memalign = (void *(*)(size_t, size_t))next("memalign");
    next_malloc = (void *(*)(size_t))next("malloc");
}

/* At the latest before main: later there may be threads. */
__attribute__((constructor)) static void start(void) {
    if (!next_malloc) {
        find_next();
    }
}

static void take(void) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
}

static void give(void) {
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

static size_t place(uintptr_t address) {
    return (size_t)((address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (SLOTS - 1);
}

static void insert(const void *block, size_t bytes) {
    size_t at = place((uintptr_t)block);
    if (used >= MOST) {
        numbers.overflow = 1;
        return;
    }
    while (blocks[at].address) {
        at = (at + 1) & (SLOTS - 1);
    }
    blocks[at].address = (uintptr_t)block;
    blocks[at].bytes = bytes;
    used++;
}

/* Bytes of a block; takes it out. Blocks from before the window are not known and have none. */
static size_t take_out(const void *block) {
    size_t at = place((uintptr_t)block);
    while (blocks[at].address && blocks[at].address != (uintptr_t)block) {
        at = (at + 1) & (SLOTS - 1);
    }
    if (!blocks[at].address) {
        return 0;
    }
    size_t bytes = blocks[at].bytes;
    /* Those that probing had moved behind it move up, so that they are found again. */
    size_t hole = at, from = at;
    for (;;) {
        from = (from + 1) & (SLOTS - 1);
        if (!blocks[from].address) {
            break;
        }
        size_t home = place(blocks[from].address);
        if (((from - home) & (SLOTS - 1)) >= ((from - hole) & (SLOTS - 1))) {
            blocks[hole] = blocks[from];
            hole = from;
        }
    }
    blocks[hole].address = 0;
    used--;
    return bytes;
}

static void add(const void *block, size_t bytes) {
    insert(block, bytes);
    numbers.allocations++;
    numbers.requested_bytes += bytes;
    numbers.kept_bytes += bytes;
    if (numbers.kept_bytes > numbers.peak_bytes) {
        numbers.peak_bytes = numbers.kept_bytes;
    }
}

static int is_counting(void) {
    return atomic_load_explicit(&counting, memory_order_relaxed);
}

static void *count(void *block, size_t bytes) {
    if (block) {
        take();
        add(block, bytes);
        give();
    }
    return block;
}

EXPORT void *malloc(size_t bytes) {
    if (!next_malloc) {
        find_next();
        if (!next_malloc) {
            return early_memory(bytes);
        }
    }
    if (!is_counting()) {
        return next_malloc(bytes);
    }
    return count(next_malloc(bytes), bytes);
}

EXPORT void *calloc(size_t number, size_t bytes) {
    if (!next_calloc) {
        find_next();
        if (!next_calloc) {
            /* Fresh static memory is zero. Only small numbers come here. */
            return early_memory(number * bytes);
        }
    }
    if (!is_counting()) {
        return next_calloc(number, bytes);
    }
    return count(next_calloc(number, bytes), number * bytes);
}

EXPORT void free(void *block) {
    if (!block || is_early(block)) {
        return;
    }
    if (is_counting()) {
        take();
        numbers.kept_bytes -= take_out(block);
        give();
    }
    if (next_free) {
        next_free(block);
    }
}

EXPORT void *realloc(void *block, size_t bytes) {
    if (is_early(block)) {
        void *moved = malloc(bytes);
        if (moved) {
            size_t rest = (size_t)(early + sizeof early - (unsigned char *)block);
            memcpy(moved, block, bytes < rest ? bytes : rest);
        }
        return moved;
    }
    if (!next_realloc) {
        find_next();
        if (!next_realloc) {
            return NULL;
        }
    }
    if (!is_counting()) {
        return next_realloc(block, bytes);
    }
    /* Out before the call: behind it another thread may have got the same address. */
    take();
    size_t before = block ? take_out(block) : 0;
    give();
    void *moved = next_realloc(block, bytes);
    take();
    if (moved) {
        numbers.kept_bytes -= before;
        add(moved, bytes);
    } else if (bytes && before) {
        /* It failed, and the block is still there. */
        insert(block, before);
    } else {
        numbers.kept_bytes -= before;
    }
    give();
    return moved;
}

EXPORT void *reallocarray(void *block, size_t number, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(number, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, all);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes) {
    int code = next_posix_memalign ? next_posix_memalign(block, alignment, bytes) : ENOMEM;
    if (code == 0 && is_counting()) {
        count(*block, bytes);
    }
    return code;
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
    void *block = next_aligned_alloc ? next_aligned_alloc(alignment, bytes) : NULL;
    return is_counting() ? count(block, bytes) : block;
}

EXPORT void *memalign(size_t alignment, size_t bytes) {
    void *block = next_memalign ? next_memalign(alignment, bytes) : NULL;
    return is_counting() ? count(block, bytes) : block;
}

EXPORT void *valloc(size_t bytes) {
    return memalign(4096, bytes);
}

EXPORT void kemscope_heap_begin(void);
EXPORT void kemscope_heap_begin(void) {
    take();
    memset(&numbers, 0, sizeof numbers);
    memset(blocks, 0, sizeof blocks);
    used = 0;
    give();
    atomic_store(&counting, 1);
}

EXPORT void kemscope_heap_end(struct kemscope_heap *result);
EXPORT void kemscope_heap_end(struct kemscope_heap *result) {
    atomic_store(&counting, 0);
    take();
    *result = numbers;
    give();
}
