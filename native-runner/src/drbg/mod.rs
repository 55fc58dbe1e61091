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

/// A seeded generator.
pub enum Drbg {
    /// AES-256 CTR_DRBG of the NIST known-answer tests.
    Nist(CtrDrbg),
    /// SHAKE-256 generator of HQC's known-answer tests.
    Hqc(HqcShake),
}

impl Drbg {
    /// A generator of the given kind, seeded.
    pub fn new(generator: Generator, seed: &[u8; SEED_BYTES]) -> Drbg {
        match generator {
            Generator::NistCtrDrbg => Drbg::Nist(CtrDrbg::new(seed)),
            Generator::HqcShake => Drbg::Hqc(HqcShake::new(seed)),
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

static CURRENT: Mutex<Option<Drbg>> = Mutex::new(None);

/// Seeds the generator that serves this process's library.
pub fn seed(generator: Generator, seed: &[u8; SEED_BYTES]) {
    let mut current = CURRENT.lock().unwrap_or_else(|e| e.into_inner());
    *current = Some(Drbg::new(generator, seed));
}

/// Fills a buffer from the generator that serves this process's library; zeros before seeding.
pub fn fill(out: &mut [u8]) {
    let mut current = CURRENT.lock().unwrap_or_else(|e| e.into_inner());
    match current.as_mut() {
        Some(drbg) => drbg.fill(out),
        None => out.fill(0),
    }
}
