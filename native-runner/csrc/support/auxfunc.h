/* Found only by packages that bring no auxfunc.h of their own: the NGCC helper functions. Lengths in bits. */
#ifndef KEMSCOPE_AUXFUNC_H
#define KEMSCOPE_AUXFUNC_H

#ifdef __cplusplus
extern "C" {
#endif

int sm3hash(int digest_len_bits, const unsigned char *msg, unsigned long long msg_len_bits, unsigned char *digest);
int pseudohash(int digest_len_bits, const unsigned char *msg, unsigned long long msg_len_bits, unsigned char *digest);
int pseudoXOF(unsigned long long output_len_bits, const unsigned char *msg, unsigned long long msg_len_bits,
              unsigned char *output);

#ifdef __cplusplus
}
#endif

#endif
