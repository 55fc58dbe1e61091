/* Found only by packages that bring no drng.h of their own: the NGCC generator. */
#ifndef KEMSCOPE_DRNG_H
#define KEMSCOPE_DRNG_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    unsigned char V[55];
    unsigned char C[55];
    unsigned char reseed_counter[55];
} DRNG_ctx;

extern DRNG_ctx drng_algorithm;

int init_random_number(DRNG_ctx *drng, const unsigned char *seed, unsigned long long seed_len_bytes);
int get_random_number(DRNG_ctx *drng, unsigned char *random_number, unsigned long long random_number_len_bits);

#ifdef __cplusplus
}
#endif

#endif
