//! The deterministic generators behind a library's `randombytes`.
//!
//! They live in the process that loads the library: the C side calls back through a function
//! pointer that the process sets after loading.

mod ctr_drbg;
mod hqc_shake;

pub use ctr_drbg::CtrDrbg;
pub use hqc_shake::HqcShake;

use kemscope_schema::run::Generator;
use std::sync::Mutex;

/// Length of a seed in bytes.
pub const SEED_BYTES: usize = 48;

/// A seeded generator behind `randombytes`.
pub enum Drbg {
    /// AES-256 CTR_DRBG of the NIST known-answer tests.
    Nist(CtrDrbg),
    /// SHAKE-256 generator of HQC's known-answer tests.
    Hqc(HqcShake),
}

impl Drbg {
    /// A generator of the given kind, seeded.
    ///
    /// # Errors
    /// If the seed has another length than 48 bytes, or the generator belongs to another interface.
    pub fn new(generator: Generator, seed: &[u8]) -> Result<Drbg, String> {
        let seed: &[u8; SEED_BYTES] = seed
            .try_into()
            .map_err(|_| format!("a seed of {} bytes where {SEED_BYTES} are due", seed.len()))?;
        match generator {
            Generator::NistCtrDrbg => Ok(Drbg::Nist(CtrDrbg::new(seed))),
            Generator::HqcShake => Ok(Drbg::Hqc(HqcShake::new(seed))),
            Generator::IccsSm3 => {
                Err("the generator of the NGCC interface does not serve randombytes".to_owned())
            }
        }
    }

    /// Fills a buffer.
    pub fn fill(&mut self, out: &mut [u8]) {
        match self {
            Drbg::Nist(drbg) => drbg.fill(out),
            Drbg::Hqc(drbg) => drbg.fill(out),
        }
    }
}

/// The seed of timings and of the first known-answer entropy: the bytes 00 to 2f.
pub fn counting_seed() -> [u8; SEED_BYTES] {
    std::array::from_fn(|i| i as u8)
}

/// The seed of a trial: the bytes 00 to 2f, with the trial's number added to the last eight of them as a number in
/// big-endian order. Number 0 gives the seed of the published method.
pub fn trial_seed(number: u64) -> [u8; SEED_BYTES] {
    let mut seed = counting_seed();
    if let Some(last) = seed.last_chunk_mut::<8>() {
        *last = u64::from_be_bytes(*last).wrapping_add(number).to_be_bytes();
    }
    seed
}

static CURRENT: Mutex<Option<Drbg>> = Mutex::new(None);

/// Seeds the generator that serves this process's library.
///
/// # Errors
/// As [`Drbg::new`].
pub fn seed(generator: Generator, seed: &[u8]) -> Result<(), String> {
    let drbg = Drbg::new(generator, seed)?;
    let mut current = CURRENT.lock().unwrap_or_else(|e| e.into_inner());
    *current = Some(drbg);
    Ok(())
}

/// Fills a buffer from the generator that serves this process's library; zeros before seeding.
pub fn fill(out: &mut [u8]) {
    let mut current = CURRENT.lock().unwrap_or_else(|e| e.into_inner());
    match current.as_mut() {
        Some(drbg) => drbg.fill(out),
        None => out.fill(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trial_has_its_own_seed_and_the_first_the_published_one() {
        assert_eq!(trial_seed(0), counting_seed());
        let seed = trial_seed(0xd2);
        assert_eq!(seed[..46], counting_seed()[..46]);
        assert_eq!(seed[46..], [0x2f, 0x01]);
        assert_ne!(trial_seed(1), trial_seed(2));
    }
}
