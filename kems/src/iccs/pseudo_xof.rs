//! `pseudoXOF`: SM3 in counter mode.

use super::bits::{Bits, TooShort, bytes_for, clear_unused, output_part};
use super::sm3::{DIGEST_BYTES, Sm3};

/// pseudoXOF of one message: output block i (from 1) is SM3(message ‖ i as four big-endian bytes).
///
/// The state after the message is kept, so that a block costs what its last one or two compressions cost,
/// however long the message is.
#[derive(Clone)]
pub struct PseudoXof {
    absorbed: Sm3,
}

impl PseudoXof {
    /// Absorbs the message.
    pub fn new<'a>(message: impl Into<Bits<'a>>) -> Self {
        Self {
            absorbed: Sm3::new().chain(message),
        }
    }

    /// Output block `counter`; the output begins with block 1.
    pub fn block(&self, counter: u32) -> [u8; DIGEST_BYTES] {
        self.absorbed.clone().chain(&counter.to_be_bytes()).finish()
    }

    /// Fills the buffer with the first bytes of the output.
    pub fn fill(&self, output: &mut [u8]) {
        let mut counter: u32 = 0;
        for part in output.chunks_mut(DIGEST_BYTES) {
            counter = counter.wrapping_add(1);
            part.copy_from_slice(&self.block(counter)[..part.len()]);
        }
    }

    /// Writes the first `bits` bits of the output into the buffer; unused low bits of the last byte become
    /// zero, bytes behind it stay as they are.
    ///
    /// # Errors
    ///
    /// When the buffer is too short; nothing is written then.
    pub fn fill_bits(&self, output: &mut [u8], bits: u64) -> Result<(), TooShort> {
        let output = output_part(output, bits)?;
        self.fill(output);
        clear_unused(output, bits);
        Ok(())
    }
}

/// The first `bits` bits of pseudoXOF of a message, in as many bytes as hold them.
///
/// # Panics
///
/// When the machine has no memory for so long an output.
pub fn pseudo_xof<'a>(bits: u64, message: impl Into<Bits<'a>>) -> Vec<u8> {
    // No buffer can have more than usize::MAX bytes: the allocation fails as for any other length too large.
    let mut output = vec![0; bytes_for(bits).unwrap_or(usize::MAX)];
    PseudoXof::new(message).fill(&mut output);
    clear_unused(&mut output, bits);
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iccs::testing::{hex, sha256};
    use proptest::prelude::*;

    #[test]
    fn outputs_of_the_specification() {
        assert_eq!(
            hex(&pseudo_xof(512, b"abc")),
            "fe1ea80dac6f100c33537bd24619ec7c72a1e8b1ffeaefb1eb52a37791fdaf61\
             9db16c0ac7bebb47238c6cc925ff66af7936e278e12d2664502bb38b03fd41cb"
        );
        assert_eq!(
            hex(&pseudo_xof(300, b"abc")),
            "fe1ea80dac6f100c33537bd24619ec7c72a1e8b1ffeaefb1eb52a37791fdaf61\
             9db16c0ac7b0"
        );
        assert_eq!(
            hex(&pseudo_xof(264, Bits::new(b"abc", 21).unwrap())),
            "92eb8a47c43ac9d818ef2d906213a4900618ccd5cc773acf9e987c3e4641b68c16"
        );
        assert_eq!(hex(&pseudo_xof(13, b"")), "88c0");
        assert_eq!(
            sha256(&pseudo_xof(80_000, b"abc")),
            "1ce59767eeb8a9d2b10925919ec5234c61b81c96c32a1da60b6dad5e29788134"
        );
        assert!(pseudo_xof(0, b"abc").is_empty());
    }

    #[test]
    fn a_short_buffer_is_left_alone() {
        let mut output = [7; 2];
        assert!(PseudoXof::new(b"abc").fill_bits(&mut output, 17).is_err());
        assert_eq!(output, [7; 2]);
    }

    proptest! {
        /// A shorter output is a prefix of a longer one, the bits of its last byte apart.
        #[test]
        fn shorter_outputs_are_prefixes(
            message in prop::collection::vec(any::<u8>(), 0..150),
            bits in 0_u64..1500,
        ) {
            let long = pseudo_xof(1500, message.as_slice());
            let mut expected = long[..bits.div_ceil(8) as usize].to_vec();
            clear_unused(&mut expected, bits);
            prop_assert_eq!(&pseudo_xof(bits, message.as_slice()), &expected);
            let mut buffer = [0xaa; 200];
            PseudoXof::new(message.as_slice()).fill_bits(&mut buffer, bits).unwrap();
            prop_assert_eq!(&buffer[..expected.len()], expected.as_slice());
            prop_assert!(buffer[expected.len()..].iter().all(|byte| *byte == 0xaa));
        }
    }
}
