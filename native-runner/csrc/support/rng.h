/* Found only by packages that bring no rng.h of their own: NIST's randomness. */
#ifndef KEMSCOPE_RNG_H
#define KEMSCOPE_RNG_H

#ifdef __cplusplus
extern "C" {
#endif

int randombytes(unsigned char *x, unsigned long long xlen);

#ifdef __cplusplus
}
#endif

#endif
