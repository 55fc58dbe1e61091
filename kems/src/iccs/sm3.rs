//! SM3 (GB/T 32905-2016) of messages of any bit length.

use ::sm3::Sm3Core;
use ::sm3::digest::array::Array;
use ::sm3::digest::block_api::UpdateCore;
use ::sm3::digest::common::hazmat::SerializableState;

use super::bits::Bits;

/// Bytes of a block.
const BLOCK: usize = 64;
/// Where the length stands in the last block.
const LENGTH_AT: usize = BLOCK - 8;

/// Bytes of an SM3 digest.
pub const DIGEST_BYTES: usize = 32;

/// SM3, fed piece by piece. A piece may end at any bit; the next one follows at the next bit.
///
/// The compression function is the `sm3` crate's; block, padding and length are kept here because the
/// crate's own front knows only whole bytes.
#[derive(Clone)]
pub struct Sm3 {
    chain: Sm3Core,
    /// The block that is being filled. Below the last bit written, its byte has zeros; what stands behind
    /// that byte is meaningless.
    block: [u8; BLOCK],
    /// Bits absorbed, modulo 2^64 as in the padding.
    bits: u64,
}

impl Default for Sm3 {
    fn default() -> Self {
        Self::new()
    }
}

impl Sm3 {
    /// SM3 of the empty message, to be continued.
    pub fn new() -> Self {
        Self {
            chain: Sm3Core::default(),
            block: [0; BLOCK],
            bits: 0,
        }
    }

    /// Appends bits to the message.
    pub fn update<'a>(&mut self, message: impl Into<Bits<'a>>) {
        let (whole, rest) = message.into().split();
        if self.bits.is_multiple_of(8) {
            self.append_bytes(whole);
        } else {
            for byte in whole {
                self.append_bits(*byte, 8);
            }
        }
        if let Some((byte, count)) = rest {
            self.append_bits(byte, count);
        }
    }

    /// [`Self::update`], for building a message in one expression.
    #[must_use]
    pub fn chain<'a>(mut self, message: impl Into<Bits<'a>>) -> Self {
        self.update(message);
        self
    }

    /// The digest of what was appended.
    pub fn finish(mut self) -> [u8; DIGEST_BYTES] {
        let length = self.bits;
        self.append_bits(0x80, 1);
        // What follows the appended bit in its byte is zero already.
        let mut from = self.position() + usize::from(!self.bits.is_multiple_of(8));
        if from > LENGTH_AT {
            self.block[from..].fill(0);
            self.compress();
            from = 0;
        }
        self.block[from..LENGTH_AT].fill(0);
        self.block[LENGTH_AT..].copy_from_slice(&length.to_be_bytes());
        self.compress();
        self.chaining_value()
    }

    /// The byte of the block that the next bit goes to.
    fn position(&self) -> usize {
        // Less than 64, so that the conversion loses nothing.
        (self.bits / 8 % BLOCK as u64) as usize
    }

    /// Appends whole bytes where the message ends on a byte.
    fn append_bytes(&mut self, mut bytes: &[u8]) {
        let position = self.position();
        self.bits = self.bits.wrapping_add(bytes.len() as u64 * 8);
        if position > 0 {
            let (head, tail) = bytes.split_at(bytes.len().min(BLOCK - position));
            self.block[position..position + head.len()].copy_from_slice(head);
            bytes = tail;
            if position + head.len() < BLOCK {
                return;
            }
            self.compress();
        }
        let (blocks, tail) = Array::slice_as_chunks(bytes);
        self.chain.update_blocks(blocks);
        self.block[..tail.len()].copy_from_slice(tail);
    }

    /// Appends the `count` (1 to 8) most significant bits of a byte whose other bits are zero.
    fn append_bits(&mut self, byte: u8, count: u32) {
        let position = self.position();
        let taken = (self.bits % 8) as u32;
        if taken == 0 {
            self.block[position] = byte;
        } else {
            self.block[position] |= byte >> taken;
        }
        self.bits = self.bits.wrapping_add(u64::from(count));
        if taken + count < 8 {
            return;
        }
        let next = (position + 1) % BLOCK;
        if next == 0 {
            self.compress();
        }
        if taken + count > 8 {
            self.block[next] = byte << (8 - taken);
        }
    }

    fn compress(&mut self) {
        self.chain.update_blocks(&[Array(self.block)]);
    }

    /// The eight words of the state, big-endian. The crate gives the state out as little-endian words with
    /// the number of blocks behind them.
    fn chaining_value(&self) -> [u8; DIGEST_BYTES] {
        let state = self.chain.serialize();
        let mut digest = [0; DIGEST_BYTES];
        for (to, from) in digest.chunks_exact_mut(4).zip(state.chunks_exact(4)) {
            to.copy_from_slice(from);
            to.reverse();
        }
        digest
    }
}

/// SM3 of one message.
pub fn sm3<'a>(message: impl Into<Bits<'a>>) -> [u8; DIGEST_BYTES] {
    Sm3::new().chain(message).finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iccs::testing::{every_byte, hex};
    use proptest::prelude::*;

    fn first_bits(bytes: &[u8], bits: u64) -> String {
        hex(&sm3(Bits::new(bytes, bits).unwrap()))
    }

    #[test]
    fn digests_of_whole_bytes() {
        assert_eq!(
            hex(&sm3(b"")),
            "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"
        );
        assert_eq!(
            hex(&sm3(b"abc")),
            "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
        );
        assert_eq!(
            hex(&sm3("abcd".repeat(16).as_bytes())),
            "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"
        );
    }

    #[test]
    fn digests_of_bits() {
        assert_eq!(
            first_bits(&[0x80], 1),
            "985ffe9568be96328729b1c16631e9328d356432413d7556a646b9eefe479b9e"
        );
        assert_eq!(
            first_bits(&[0xff], 5),
            "b1c86e0faa4602a1f6cc63df1e304a177bc1c958c28c567369024204afba0e87"
        );
        let every = every_byte();
        assert_eq!(
            first_bits(&every, 447),
            "1cb34f202cc66fc04509125c3e66b0e13c39b22acb3a93f9894fb04d53f70350"
        );
        assert_eq!(
            first_bits(&every, 448),
            "62f7363b15f4de76dd925c493b9d6d00d4ba0ef2a1f334c1d0f13b293aeb40d1"
        );
        assert_eq!(
            first_bits(&every, 2047),
            "2b159ad81cd14cecde2064cabdfba4b608379c57b2142d17b0e9e372f009f49c"
        );
    }

    /// The bits, one by one.
    fn each_bit(bytes: &[u8], bits: u64) -> Vec<bool> {
        (0..bits)
            .map(|i| bytes[(i / 8) as usize] & (0x80 >> (i % 8)) != 0)
            .collect()
    }

    fn packed(bits: &[bool]) -> Vec<u8> {
        bits.chunks(8)
            .map(|chunk| {
                chunk
                    .iter()
                    .enumerate()
                    .fold(0, |byte, (i, bit)| byte | (u8::from(*bit) << (7 - i)))
            })
            .collect()
    }

    proptest! {
        /// However a message is cut, at bits or at bytes, its digest is that of the whole.
        #[test]
        fn pieces_make_the_whole(pieces in prop::collection::vec(
            (prop::collection::vec(any::<u8>(), 0..150), 0_u64..8), 0..8)) {
            let mut state = Sm3::new();
            let mut whole = Vec::new();
            for (bytes, less) in &pieces {
                let bits = (bytes.len() as u64 * 8).saturating_sub(*less);
                state.update(Bits::new(bytes, bits).unwrap());
                whole.extend(each_bit(bytes, bits));
            }
            let message = packed(&whole);
            let expected = sm3(Bits::new(&message, whole.len() as u64).unwrap());
            prop_assert_eq!(state.finish(), expected);
        }

        /// On whole bytes it is the library's own hash.
        #[test]
        fn whole_bytes_agree_with_the_library(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            use ::sm3::Digest;
            let theirs: [u8; 32] = ::sm3::Sm3::digest(&bytes).into();
            prop_assert_eq!(sm3(bytes.as_slice()), theirs);
        }
    }
}
