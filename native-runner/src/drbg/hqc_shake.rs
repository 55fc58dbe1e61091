//! The SHAKE-256 generator that HQC's known-answer tests are made with (`shake_prng.c` of the
//! submission of 2023-04-30).

use super::SEED_BYTES;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// Domain byte absorbed after the entropy.
const PRNG_DOMAIN: u8 = 1;

/// State of the generator: one endless SHAKE-256 output.
pub struct HqcShake {
    stream: sha3::Shake256Reader,
}

impl HqcShake {
    /// Absorbs 48 bytes of entropy and the domain byte.
    pub fn new(entropy: &[u8; SEED_BYTES]) -> HqcShake {
        let mut shake = Shake256::default();
        shake.update(entropy);
        shake.update(&[PRNG_DOMAIN]);
        HqcShake {
            stream: shake.finalize_xof(),
        }
    }

    /// Squeezes the next bytes.
    pub fn fill(&mut self, out: &mut [u8]) {
        self.stream.read(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_continue_one_stream() {
        let seed = super::super::counting_seed();
        let mut whole = [0u8; 200];
        HqcShake::new(&seed).fill(&mut whole);
        let mut parts = [0u8; 200];
        let mut generator = HqcShake::new(&seed);
        generator.fill(&mut parts[..7]);
        generator.fill(&mut parts[7..]);
        assert_eq!(whole, parts);
    }
}
