/* Found only by packages that bring no randombytes.h of their own: NIST's randomness. */
#ifndef KEMSCOPE_RANDOMBYTES_H
#define KEMSCOPE_RANDOMBYTES_H

#ifdef __cplusplus
extern "C" {
#endif

int randombytes(unsigned char *x, unsigned long long xlen);

#ifdef __cplusplus
}
#endif

#endif
