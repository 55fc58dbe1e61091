/*
 * Compiled into every library of the NGCC interface beside a package's own sources. It defines the generator's
 * global state, which by that interface is the caller's, seeds it through the package's own generator, and
 * passes helpers that the package does not bring on to the measuring process.
 *
 * KEMSCOPE_SUPPLY_… is set for each object that the package does not define.
 */
#include <stdint.h>

typedef unsigned long long length_t;

/* Three arrays of 55 bytes: V, C and the reseed counter. */
#define DRNG_BYTES 165

#ifdef KEMSCOPE_SUPPLY_drng_algorithm
unsigned char drng_algorithm[DRNG_BYTES];
#else
extern unsigned char drng_algorithm[DRNG_BYTES];
#endif

struct kemscope_helpers {
    int (*sm3hash)(int, const unsigned char *, length_t, unsigned char *);
    int (*pseudohash)(int, const unsigned char *, length_t, unsigned char *);
    int (*pseudoXOF)(length_t, const unsigned char *, length_t, unsigned char *);
    int (*init_random_number)(unsigned char *, const unsigned char *, length_t);
    int (*get_random_number)(unsigned char *, unsigned char *, length_t);
};

static struct kemscope_helpers helpers;

void kemscope_set_helpers(const struct kemscope_helpers *given);
void kemscope_set_helpers(const struct kemscope_helpers *given) {
    helpers = *given;
}

int init_random_number(unsigned char *drng, const unsigned char *seed, length_t seed_len_bytes);

int kemscope_seed(const unsigned char *seed, length_t seed_len_bytes);
int kemscope_seed(const unsigned char *seed, length_t seed_len_bytes) {
    return init_random_number(drng_algorithm, seed, seed_len_bytes);
}

#ifdef KEMSCOPE_SUPPLY_sm3hash
int sm3hash(int digest_len_bits, const unsigned char *msg, length_t msg_len_bits, unsigned char *digest);
int sm3hash(int digest_len_bits, const unsigned char *msg, length_t msg_len_bits, unsigned char *digest) {
    return helpers.sm3hash(digest_len_bits, msg, msg_len_bits, digest);
}
#endif

#ifdef KEMSCOPE_SUPPLY_pseudohash
int pseudohash(int digest_len_bits, const unsigned char *msg, length_t msg_len_bits, unsigned char *digest);
int pseudohash(int digest_len_bits, const unsigned char *msg, length_t msg_len_bits, unsigned char *digest) {
    return helpers.pseudohash(digest_len_bits, msg, msg_len_bits, digest);
}
#endif

#ifdef KEMSCOPE_SUPPLY_pseudoXOF
int pseudoXOF(length_t output_len_bits, const unsigned char *msg, length_t msg_len_bits, unsigned char *output);
int pseudoXOF(length_t output_len_bits, const unsigned char *msg, length_t msg_len_bits, unsigned char *output) {
    return helpers.pseudoXOF(output_len_bits, msg, msg_len_bits, output);
}
#endif

#ifdef KEMSCOPE_SUPPLY_init_random_number
int init_random_number(unsigned char *drng, const unsigned char *seed, length_t seed_len_bytes) {
    return helpers.init_random_number(drng, seed, seed_len_bytes);
}
#endif

#ifdef KEMSCOPE_SUPPLY_get_random_number
int get_random_number(unsigned char *drng, unsigned char *random_number, length_t random_number_len_bits);
int get_random_number(unsigned char *drng, unsigned char *random_number, length_t random_number_len_bits) {
    return helpers.get_random_number(drng, random_number, random_number_len_bits);
}
#endif
