/*
 * Compiled into every library of the NIST interface beside a package's own sources. It exports the sizes that
 * the package's api.h declares, and stands in for the randombytes of the operating system: the measuring
 * process sets where randomness comes from, so that every run sees the same bytes.
 *
 * KEMSCOPE_NAMESPACE is the prefix of the names in api.h; without it they have none. KEMSCOPE_SUPPLY_… is set
 * for each function that the package does not bring.
 */
#include <stddef.h>
#include <stdint.h>

#include "api.h"

#ifdef KEMSCOPE_NAMESPACE
#define PASTE_EVALUATED(a, b) a##_##b
#define PASTE(a, b) PASTE_EVALUATED(a, b)
#define NAMESPACED(name) PASTE(KEMSCOPE_NAMESPACE, name)
#else
#define NAMESPACED(name) name
#endif

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

#ifdef KEMSCOPE_SUPPLY_PQCLEAN_randombytes
/* PQClean's randombytes.h gives the function this name. */
int PQCLEAN_randombytes(uint8_t *output, size_t length);
int PQCLEAN_randombytes(uint8_t *output, size_t length) {
    if (!fill_random) {
        return -1;
    }
    fill_random(output, length);
    return 0;
}
#endif

#ifdef KEMSCOPE_SUPPLY_randombytes
int randombytes(unsigned char *output, unsigned long long length);
int randombytes(unsigned char *output, unsigned long long length) {
    if (!fill_random) {
        return -1;
    }
    fill_random(output, (size_t)length);
    return 0;
}
#endif
