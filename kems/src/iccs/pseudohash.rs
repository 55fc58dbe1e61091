//! `pseudohash`: longer digests made from SM3 and HMAC-SM3 under a fixed key.

use std::sync::LazyLock;

use super::bits::Bits;
use super::sm3::{DIGEST_BYTES, Sm3, sm3};

/// Digest length of [`pseudohash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PseudohashLength {
    /// 512 bits, two SM3 digests.
    Bits512,
    /// 768 bits, three SM3 digests.
    Bits768,
    /// 1024 bits, four SM3 digests.
    Bits1024,
}

impl PseudohashLength {
    /// The length with so many bits; `None` for a number that the C function refuses.
    pub fn from_bits(bits: u64) -> Option<Self> {
        match bits {
            512 => Some(Self::Bits512),
            768 => Some(Self::Bits768),
            1024 => Some(Self::Bits1024),
            _ => None,
        }
    }

    /// Bytes of the digest.
    pub fn bytes(self) -> usize {
        match self {
            Self::Bits512 => 64,
            Self::Bits768 => 96,
            Self::Bits1024 => 128,
        }
    }
}

/// HMAC-SM3 under the fixed key: the states after the inner and the outer padded key.
struct Mac {
    inner: Sm3,
    outer: Sm3,
}

/// The key never changes, so that its two blocks are compressed once for the whole program.
static MAC: LazyLock<Mac> = LazyLock::new(|| {
    let key = [sm3(b"3.14159265358979"), sm3(b"2.71828182845904")].concat();
    let padded = |pad: u8| {
        let block: Vec<u8> = key.iter().map(|byte| byte ^ pad).collect();
        Sm3::new().chain(block.as_slice())
    };
    Mac {
        inner: padded(0x36),
        outer: padded(0x5c),
    }
});

type Block = [u8; DIGEST_BYTES];

/// HMAC-SM3 under the fixed key of [`pseudohash`].
pub fn mac<'a>(message: impl Into<Bits<'a>>) -> Block {
    mac_of(|inner| inner.chain(message))
}

fn mac_of(message: impl FnOnce(Sm3) -> Sm3) -> Block {
    let inner = message(MAC.inner.clone()).finish();
    MAC.outer.clone().chain(&inner).finish()
}

/// The part that all lengths share: (h1, h2). `tag` is the length's two bytes, which keep the lengths apart.
fn first_two(tag: [u8; 2], message: Bits<'_>) -> (Block, Block) {
    let k1 = mac_of(|inner| inner.chain(&tag).chain(message));
    let h1 = Sm3::new().chain(message).chain(&tag).finish();
    let h2 = Sm3::new().chain(&k1).chain(&h1).finish();
    (h1, h2)
}

/// The third block. Mind the order: the digest stands first here, the MAC first in the second and fourth.
fn third(h1: &Block, h2: &Block) -> Block {
    Sm3::new().chain(h2).chain(&mac(h1)).finish()
}

/// 512 bits of digest.
pub fn pseudohash512<'a>(message: impl Into<Bits<'a>>) -> [u8; 64] {
    let (h1, h2) = first_two([2, 0], message.into());
    joined([h1, h2])
}

/// 768 bits of digest.
pub fn pseudohash768<'a>(message: impl Into<Bits<'a>>) -> [u8; 96] {
    let (h1, h2) = first_two([3, 0], message.into());
    joined([h1, h2, third(&h1, &h2)])
}

/// 1024 bits of digest.
pub fn pseudohash1024<'a>(message: impl Into<Bits<'a>>) -> [u8; 128] {
    let (h1, h2) = first_two([4, 0], message.into());
    let h3 = third(&h1, &h2);
    let (k3, k4) = (mac(&h2), mac(&h3));
    let h4 = Sm3::new().chain(&k3).chain(&h3).chain(&k4).finish();
    joined([h1, h2, h3, h4])
}

/// A digest of a length chosen at run time. The three lengths give unrelated values.
pub fn pseudohash<'a>(length: PseudohashLength, message: impl Into<Bits<'a>>) -> Vec<u8> {
    match length {
        PseudohashLength::Bits512 => pseudohash512(message).to_vec(),
        PseudohashLength::Bits768 => pseudohash768(message).to_vec(),
        PseudohashLength::Bits1024 => pseudohash1024(message).to_vec(),
    }
}

fn joined<const BLOCKS: usize, const BYTES: usize>(blocks: [Block; BLOCKS]) -> [u8; BYTES] {
    const { assert!(BYTES == BLOCKS * DIGEST_BYTES) };
    let mut digest = [0; BYTES];
    for (to, from) in digest.chunks_exact_mut(DIGEST_BYTES).zip(blocks) {
        to.copy_from_slice(&from);
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iccs::testing::{every_byte, hex, sha256};
    use PseudohashLength::{Bits512, Bits768, Bits1024};

    #[test]
    fn the_mac_is_hmac_with_the_fixed_key() {
        assert_eq!(
            hex(&mac(b"abc")),
            "eb355042bdc3185c6d3e8b2290255f36945356f5649f495440652a1232310b9c"
        );
    }

    #[test]
    fn digests_of_the_empty_message() {
        assert_eq!(
            hex(&pseudohash(Bits512, b"")),
            "958f69c7d26f0f69d6d674fc4b8ad58ca6f29a0037adf88884428e5d04c67be6\
             833de1b616ff5c892224e5de7258d68a787a228edec5203d8cfb274022765541"
        );
        assert_eq!(
            hex(&pseudohash(Bits768, b"")),
            "5ac839fa52adca78d8d156654416a2a577ba36343c70ea5b414ec1986a1ec8bb\
             5d5909059dc1761ebafc257f25284929dc1f1b721e9f556a2c5e818ac75b2b3c\
             4d7b845b308b4a7af4965a4c65b37c6a8ced2739c4a521d6265fbe2ab7944651"
        );
        assert_eq!(
            hex(&pseudohash(Bits1024, b"")),
            "22bbf8cc348748e1c19331d7333faa629e93be74635bf47c3d12e2d258b6270b\
             22c80e33b4140fab326cc796708290c46045f5bd7c3e577be70a789bc9b8a014\
             5e5915ec533dbc5726af1f73f5ed9120f248008f3348371ff36f7f8f665dda19\
             e42ee995689f73b6a2ec0ccfd333f8a094dbfdd535e22424b4d37ea5ec7786c2"
        );
    }

    #[test]
    fn digests_of_abc() {
        assert_eq!(
            hex(&pseudohash(Bits512, b"abc")),
            "9ae35811886caf801bfc6089ffb7c0a0fbeb8ebd14a5261f28474d7a5814970a\
             865ef8ace55461c19e953e9d36a560994b126366bbb2942eb6818523e82f1e95"
        );
        assert_eq!(
            hex(&pseudohash(Bits768, b"abc")),
            "679c6d5b28ba35b92ce4e944db29e36b8ad3a008fa75a6eca2ffd4a400f4e35d\
             2c503806d66cc94d12af7eb0b21580db8e5258c18ef38936fba3372bde4e37a3\
             57f3d3dd9f6a6456094173cc0ebfd661dbb0a2a7c0f1638f75082cbbfcd34b0f"
        );
        assert_eq!(
            hex(&pseudohash(Bits1024, b"abc")),
            "7710420aa9c2dbae8520c0408bd6d65402f3db9b6737590f086693651ad27975\
             6c280980b925e2e7d2bdc76fb9b67fc55a438752faf8137250ed127a6945860f\
             d289156c58c72a27d661a8431519562c625d2cf7288fc643549d9c02f8ac5f15\
             7805edc50d92908fbb4ca255bdb1436c21ea963fa5f278efec64361775a5415c"
        );
    }

    #[test]
    fn digests_of_a_message_that_ends_inside_a_byte() {
        let every = every_byte();
        let message = Bits::new(&every, 2045).unwrap();
        let digest = |length| sha256(&pseudohash(length, message));
        assert_eq!(
            digest(Bits512),
            "e7e8db84edeb445bf6dadf744ff3e57b8286ff7637c1e9bea7393cb668495166"
        );
        assert_eq!(
            digest(Bits768),
            "a48d5a913c8d40b801035216818a0a8cad206f16bffdac7238e6e01135c39b90"
        );
        assert_eq!(
            digest(Bits1024),
            "abcc7098f579a18cb663caaaf9777a0f42562c0d110062c9f4ba583e7d743e94"
        );
    }

    #[test]
    fn lengths_by_their_bits() {
        for length in [Bits512, Bits768, Bits1024] {
            let bits = length.bytes() as u64 * 8;
            assert_eq!(PseudohashLength::from_bits(bits), Some(length));
        }
        assert_eq!(PseudohashLength::from_bits(256), None);
    }
}
