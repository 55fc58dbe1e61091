//! The generator that candidates draw their randomness from: a hash DRBG over SM3 with 440-bit state.
//!
//! Its state has the layout of the C struct `DRNG_ctx`: three arrays of 55 bytes, V, C and the reseed counter,
//! big-endian, without padding. [`seed`] and [`draw`] work on such bytes wherever they lie, for example in the
//! global `drng_algorithm` of a loaded library; [`Drng`] owns them.
//!
//! Every call of [`draw`] advances the state once, whatever it draws: two calls of 32 bytes are not one of 64.

use super::bits::{TooShort, clear_unused, output_part};
use super::sm3::{DIGEST_BYTES, Sm3, sm3};

/// Bytes of each of the three integers of the state.
const INTEGER_BYTES: usize = 55;

/// Bytes of the state.
pub const STATE_BYTES: usize = 3 * INTEGER_BYTES;

/// The state as it lies in a C `DRNG_ctx`: V, C, reseed counter.
pub type State = [u8; STATE_BYTES];

/// An integer modulo 2^440, big-endian.
type Integer = [u8; INTEGER_BYTES];

/// Seeds the generator: `init_random_number`. The seed may have any length.
pub fn seed(state: &mut State, seed: &[u8]) {
    let v = derive(&[seed]);
    let c = derive(&[&[0], &v]);
    let mut counter = [0; INTEGER_BYTES];
    counter[INTEGER_BYTES - 1] = 1;
    write(state, &[v, c, counter]);
}

/// Draws `bits` bits into the buffer: `get_random_number`. Unused low bits of the last byte become zero, bytes
/// behind it stay as they are.
///
/// # Errors
///
/// When the buffer is too short; then nothing is written and the state stays as it was.
pub fn draw(state: &mut State, output: &mut [u8], bits: u64) -> Result<(), TooShort> {
    draw_into(state, output_part(output, bits)?, bits);
    Ok(())
}

/// [`draw`] into a buffer of just so many bytes as hold the bits.
fn draw_into(state: &mut State, output: &mut [u8], bits: u64) {
    let [mut v, c, mut counter] = read(state);

    let mut hashed = v;
    for part in output.chunks_mut(DIGEST_BYTES) {
        part.copy_from_slice(&sm3(&hashed)[..part.len()]);
        add(&mut hashed, &[1]);
    }
    clear_unused(output, bits);

    let h = Sm3::new().chain(&[3]).chain(&v).finish();
    add(&mut v, &h);
    add(&mut v, &c);
    add(&mut v, &counter);
    add(&mut counter, &[1]);
    write(state, &[v, c, counter]);
}

/// df of the specification: 440 bits from a string, given in parts.
fn derive(parts: &[&[u8]]) -> Integer {
    let mut derived = [0; INTEGER_BYTES];
    for (part, counter) in derived.chunks_mut(DIGEST_BYTES).zip(1_u8..) {
        // The number of bits to derive, 440, stands behind the counter.
        let mut hash = Sm3::new().chain(&[counter]).chain(&440_u32.to_be_bytes());
        for piece in parts {
            hash.update(*piece);
        }
        part.copy_from_slice(&hash.finish()[..part.len()]);
    }
    derived
}

/// Adds a big-endian number of at most 55 bytes, modulo 2^440.
fn add(sum: &mut Integer, number: &[u8]) {
    let mut carry = 0_u16;
    let digits = number.iter().rev().copied().chain(std::iter::repeat(0));
    for (place, digit) in sum.iter_mut().rev().zip(digits) {
        let total = u16::from(*place) + u16::from(digit) + carry;
        // The low byte stays, the rest is carried.
        *place = total as u8;
        carry = total >> 8;
    }
}

fn read(state: &State) -> [Integer; 3] {
    let mut integers = [[0; INTEGER_BYTES]; 3];
    for (integer, bytes) in integers.iter_mut().zip(state.chunks_exact(INTEGER_BYTES)) {
        integer.copy_from_slice(bytes);
    }
    integers
}

fn write(state: &mut State, integers: &[Integer; 3]) {
    for (bytes, integer) in state.chunks_exact_mut(INTEGER_BYTES).zip(integers) {
        bytes.copy_from_slice(integer);
    }
}

/// A generator with a state of its own.
#[derive(Clone, PartialEq, Eq)]
pub struct Drng {
    state: State,
}

impl Drng {
    /// A generator seeded with bytes, of any number.
    pub fn new(seed: &[u8]) -> Self {
        let mut state = [0; STATE_BYTES];
        self::seed(&mut state, seed);
        Self { state }
    }

    /// The generator in the given state.
    pub fn from_state(state: State) -> Self {
        Self { state }
    }

    /// The state, as a C `DRNG_ctx` holds it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Seeds the generator anew.
    pub fn init(&mut self, seed: &[u8]) {
        self::seed(&mut self.state, seed);
    }

    /// Fills the buffer, in one call of the generator.
    pub fn fill(&mut self, output: &mut [u8]) {
        let bits = output.len() as u64 * 8;
        draw_into(&mut self.state, output, bits);
    }

    /// Draws `bits` bits, as [`draw`] does.
    ///
    /// # Errors
    ///
    /// When the buffer is too short; the state stays as it was.
    pub fn fill_bits(&mut self, output: &mut [u8], bits: u64) -> Result<(), TooShort> {
        draw(&mut self.state, output, bits)
    }
}

/// The state is a secret wherever keys are: it is not printed.
impl std::fmt::Debug for Drng {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Drng { .. }")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iccs::testing::{hex, sha256};
    use proptest::prelude::*;

    fn drawn(drng: &mut Drng, bits: u64) -> String {
        let mut output = vec![0xff; bits.div_ceil(8) as usize];
        drng.fill_bits(&mut output, bits).unwrap();
        hex(&output)
    }

    fn part(drng: &Drng, index: usize) -> String {
        hex(&drng.state()[index * 55..][..55])
    }

    #[test]
    fn the_seed_generator() {
        let mut drng = Drng::new(&b"seed".repeat(16));
        assert_eq!(
            part(&drng, 0),
            "ca876fb92f7e49ed96704c96822e466dba0ed05ac8893fb3f82dbadfa86b797c\
             859e6b1408a6b677b2f768ef9ac7ec32f99ebdf428603e"
        );
        assert_eq!(
            part(&drng, 1),
            "0766634074bc87eabe8dff1fe5bb219340ae044ddd3e4c99a7f9729f708aa42d\
             817837de5f6e2f6c523d52a98b1e573a23ddfb466047fa"
        );
        assert_eq!(
            drawn(&mut drng, 512),
            "927f06b594798a4ddfaa4f03f92aaaf04e1d453f6ed1de19b86d3aade048a654\
             83df4754049b5cd3f586406cf2c64875c51edb576df342b5a970f40eabc15d3c"
        );
        assert_eq!(
            part(&drng, 0),
            "d1edd2f9a43ad1d854fe4bb667e96800fabcd4a8a5c78cdc50d8d8c45ddebf0e\
             2ee9b44bb767071cc8ffc9465e8d49e733b2923b1c3d08"
        );
        assert_eq!(
            drawn(&mut drng, 512),
            "58561187cbbf6cdc0ecfb2d25965f936be05aa961542d0e23e4adfa8b6d0e3fd\
             c043ed72ac1c28f03cf831fbb6a8bc6db9ee0475520ee8578b1970e407ee0352"
        );
        let mut again = Drng::new(&b"seed".repeat(16));
        let mut seeds = [0; 640];
        seeds.chunks_mut(64).for_each(|seed| again.fill(seed));
        assert_eq!(
            sha256(&seeds),
            "817b754a4c817c473585ed32dda33f2dfb554e53a9a38b1026d0362df0648a93"
        );
    }

    #[test]
    fn calls_of_several_lengths() {
        let seed: Vec<u8> = (0..48).collect();
        let mut drng = Drng::new(&seed);
        assert_eq!(
            part(&drng, 0),
            "47b2cbe865bacc7802223eed76c3d651915f10580e4487fe1c2d4c3e7a34abff\
             224fe790a0d00e7191f68d4a1a70637eee4bab4f30798a"
        );
        assert_eq!(
            part(&drng, 1),
            "8c09e06b711e08ea131be23d8649802169be2c9c393468c1e0eb20e9893733d6\
             ba2d9bd7a5500b5a1bfb010568d49f44ba136251269750"
        );
        assert_eq!(drawn(&mut drng, 13), "b568");
        assert_eq!(drawn(&mut drng, 0), "");
        assert_eq!(
            drawn(&mut drng, 256),
            "0cd47bfc22401cc2380d3a36f852cdfe7d0f80064d92cd5aacfe873e62cb42bb"
        );
        assert_eq!(
            drawn(&mut drng, 1000),
            "054e05326475cb6b6f3d9b9fb5ba239a4dbe6be7b303d7d6d7b8c7c903f28f1a\
             48afd7a9b6c51a197841989a7744121192c661fc628ef977b70487b0d524fac5\
             07b37351832a53b5a084b519b426ff3688e14a17d0f59115dd40f17cc26a9449\
             8c605c0058753249e80fad21ba5a037fa3d05871217eed674882d784c9"
        );
        assert_eq!(drawn(&mut drng, 8), "bd");
        assert_eq!(
            part(&drng, 0),
            "03e42e019b50f90a61adaa21163356f8a215ef652c4a96d4095de8763aec273a\
             79c84569a98eba0740f73d48af72b6bc696141edd8069e"
        );
        assert_eq!(part(&drng, 2), format!("{:0>110}", "6"));
    }

    #[test]
    fn an_empty_seed() {
        assert_eq!(
            drawn(&mut Drng::new(b""), 256),
            "fcadf1dbf3e2e9349584522373c9d1e331d11e06fb72404b17453e1961601ed4"
        );
    }

    #[test]
    fn a_short_buffer_advances_nothing() {
        let mut drng = Drng::new(b"x");
        let before = drng.clone();
        assert!(drng.fill_bits(&mut [0; 3], 25).is_err());
        assert!(drng == before);
    }

    #[test]
    fn sums_wrap_at_440_bits() {
        let mut sum = [0xff; 55];
        add(&mut sum, &[1]);
        assert_eq!(sum, [0; 55]);
        add(&mut sum, &[1, 0]);
        assert_eq!(sum[53..], [1, 0]);
        // V + i is hashed across that edge as well.
        let mut state = [0xff; STATE_BYTES];
        let mut output = [0; 64];
        draw(&mut state, &mut output, 512).unwrap();
        assert_eq!(output[..32], sm3(&[0xff; 55]));
        assert_eq!(output[32..], sm3(&[0; 55]));
    }

    proptest! {
        /// Operating on foreign bytes and owning them is the same, and a state taken out continues the same.
        #[test]
        fn a_state_can_be_carried_over(seed in prop::collection::vec(any::<u8>(), 0..100),
                                       calls in prop::collection::vec(0_u64..700, 1..6)) {
            let mut foreign = [0x5a; STATE_BYTES];
            super::seed(&mut foreign, &seed);
            let mut own = Drng::new(&seed);
            for bits in calls {
                let mut theirs = [0; 100];
                draw(&mut foreign, &mut theirs, bits).unwrap();
                let mut ours = [0; 100];
                own = Drng::from_state(*own.state());
                own.fill_bits(&mut ours, bits).unwrap();
                prop_assert_eq!(theirs, ours);
                prop_assert_eq!(&foreign, own.state());
            }
        }
    }
}
