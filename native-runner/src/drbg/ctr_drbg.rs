//! CTR_DRBG with AES-256, no derivation function (NIST SP 800-90A, 10.2.1), as in the `rng.c` that
//! the NIST known-answer tests are made with.

use super::SEED_BYTES;
use aes::Aes256;
use aes::cipher::{Block, BlockCipherEncrypt, KeyInit};

const BLOCK_BYTES: usize = 16;
/// Blocks encrypted at once; the AES instructions of current cores work on several in parallel.
const BATCH: usize = 8;

/// State of the generator: key and counter.
pub struct CtrDrbg {
    cipher: Aes256,
    counter: u128,
}

impl CtrDrbg {
    /// Instantiates from 48 bytes of entropy, without personalization string.
    pub fn new(entropy: &[u8; SEED_BYTES]) -> CtrDrbg {
        let mut drbg = CtrDrbg {
            cipher: Aes256::new(&[0u8; 32].into()),
            counter: 0,
        };
        drbg.update(Some(entropy));
        drbg
    }

    /// Generates bytes and steps the state; one request is one call of `randombytes`.
    pub fn fill(&mut self, out: &mut [u8]) {
        self.key_stream(out);
        self.update(None);
    }

    fn update(&mut self, provided: Option<&[u8; SEED_BYTES]>) {
        let mut material = [0u8; SEED_BYTES];
        self.key_stream(&mut material);
        if let Some(provided) = provided {
            for (byte, extra) in material.iter_mut().zip(provided) {
                *byte ^= extra;
            }
        }
        let mut key = [0u8; 32];
        key.copy_from_slice(&material[..32]);
        let mut counter = [0u8; BLOCK_BYTES];
        counter.copy_from_slice(&material[32..]);
        self.cipher = Aes256::new(&key.into());
        self.counter = u128::from_be_bytes(counter);
    }

    /// The encrypted counter, incremented before each block.
    fn key_stream(&mut self, out: &mut [u8]) {
        for chunk in out.chunks_mut(BATCH * BLOCK_BYTES) {
            let count = chunk.len().div_ceil(BLOCK_BYTES);
            let mut blocks = [Block::<Aes256>::default(); BATCH];
            for block in &mut blocks[..count] {
                self.counter = self.counter.wrapping_add(1);
                *block = self.counter.to_be_bytes().into();
            }
            self.cipher.encrypt_blocks(&mut blocks[..count]);
            for (target, block) in chunk.chunks_mut(BLOCK_BYTES).zip(&blocks) {
                target.copy_from_slice(&block[..target.len()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::counting_seed;
    use super::*;
    use crate::hex;

    #[test]
    fn first_seed_of_every_nist_known_answer_file() {
        let mut seed = [0u8; 48];
        CtrDrbg::new(&counting_seed()).fill(&mut seed);
        assert_eq!(
            hex::upper(&seed),
            "061550234D158C5EC95595FE04EF7A25767F2E24CC2BC479D09D86DC9ABCFDE7056A8C266F9EF97ED08541DBD2E1FFA1"
        );
    }

    #[test]
    fn second_request_continues_the_known_answer_file() {
        let mut drbg = CtrDrbg::new(&counting_seed());
        let mut seed = [0u8; 48];
        drbg.fill(&mut seed);
        drbg.fill(&mut seed);
        assert_eq!(
            hex::upper(&seed),
            "D81C4D8D734FCBFBEADE3D3F8A039FAA2A2C9957E835AD55B22E75BF57BB556AC81ADDE6AEEB4A5A875C3BFCADFA958F"
        );
    }

    #[test]
    fn long_and_ragged_requests_are_one_stream_of_blocks() {
        let mut long = [0u8; 300];
        CtrDrbg::new(&counting_seed()).fill(&mut long);
        let mut short = [0u8; 37];
        CtrDrbg::new(&counting_seed()).fill(&mut short);
        assert_eq!(long[..37], short);
    }
}
