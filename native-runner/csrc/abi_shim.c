/*
 * Compiled into every library beside a package's own sources. It exports the sizes that the package's
 * api.h declares, and stands in for the randombytes of the operating system: the measuring process
 * sets where randomness comes from, so that every run sees the same bytes.
 *
 * KEMSCOPE_NAMESPACE is the prefix of the names in api.h.
 */
#include <stddef.h>
#include <stdint.h>

#include "api.h"

#define PASTE_EVALUATED(a, b) a##_##b
#define PASTE(a, b) PASTE_EVALUATED(a, b)
#define NAMESPACED(name) PASTE(KEMSCOPE_NAMESPACE, name)

/* public key, secret key, ciphertext, shared secret */
extern const uint64_t kemscope_sizes[4];
const uint64_t kemscope_sizes[4] = {
    NAMESPACED(CRYPTO_PUBLICKEYBYTES),
    NAMESPACED(CRYPTO_SECRETKEYBYTES),
    NAMESPACED(CRYPTO_CIPHERTEXTBYTES),
    NAMESPACED(CRYPTO_BYTES),
};

typedef void (*kemscope_fill)(uint8_t *output, size_t length);

static kemscope_fill fill_random;

void kemscope_set_random(kemscope_fill fill);
void kemscope_set_random(kemscope_fill fill) {
    fill_random = fill;
}

/* PQClean's randombytes.h gives the function this name. */
int PQCLEAN_randombytes(uint8_t *output, size_t length);
int PQCLEAN_randombytes(uint8_t *output, size_t length) {
    if (!fill_random) {
        return -1;
    }
    fill_random(output, length);
    return 0;
}
