//! The five buffers of a KEM, each between guards, and the lengths that the library reports.

use super::guarded::Guarded;

/// Buffers of a KEM.
pub struct Buffers {
    /// Public key.
    pub public_key: Guarded,
    /// Secret key.
    pub secret_key: Guarded,
    /// Ciphertext.
    pub ciphertext: Guarded,
    /// Shared secret of encapsulation.
    pub secret_enc: Guarded,
    /// Shared secret of decapsulation.
    pub secret_dec: Guarded,
    /// How much of each is in use, in bytes.
    pub lengths: Lengths,
}

/// Lengths in use, in bytes; the declared sizes where the interface reports none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Of the public key.
    pub public_key: u64,
    /// Of the secret key.
    pub secret_key: u64,
    /// Of the ciphertext.
    pub ciphertext: u64,
    /// Of the shared secret of encapsulation.
    pub secret_enc: u64,
    /// Of the shared secret of decapsulation.
    pub secret_dec: u64,
}

impl Buffers {
    /// Zeroed buffers of the sizes of public key, secret key, ciphertext and shared secret.
    pub fn new(sizes: [usize; 4]) -> Result<Buffers, String> {
        let [pk, sk, ct, ss] = sizes;
        let [public_key, secret_key, ciphertext, secret] = sizes.map(|size| size as u64);
        Ok(Buffers {
            public_key: Guarded::new("public key", pk)?,
            secret_key: Guarded::new("secret key", sk)?,
            ciphertext: Guarded::new("ciphertext", ct)?,
            secret_enc: Guarded::new("shared secret", ss)?,
            secret_dec: Guarded::new("decapsulated shared secret", ss)?,
            lengths: Lengths {
                public_key,
                secret_key,
                ciphertext,
                secret_enc: secret,
                secret_dec: secret,
            },
        })
    }

    /// Whether nobody wrote outside any buffer, or claims to have.
    pub fn check(&self) -> Result<(), String> {
        for (buffer, length) in self.all() {
            buffer.check()?;
            if length > buffer.bytes().len() as u64 {
                return Err(format!(
                    "reports a length of {length} bytes for the {} buffer of {} bytes",
                    buffer.name(),
                    buffer.bytes().len()
                ));
            }
        }
        Ok(())
    }

    /// Whether both sides have the same secret.
    pub fn secrets_agree(&self) -> bool {
        let secret = |buffer, length| used(buffer, length);
        secret(&self.secret_enc, self.lengths.secret_enc)
            == secret(&self.secret_dec, self.lengths.secret_dec)
    }

    fn all(&self) -> [(&Guarded, u64); 5] {
        let lengths = &self.lengths;
        [
            (&self.public_key, lengths.public_key),
            (&self.secret_key, lengths.secret_key),
            (&self.ciphertext, lengths.ciphertext),
            (&self.secret_enc, lengths.secret_enc),
            (&self.secret_dec, lengths.secret_dec),
        ]
    }
}

/// The part of a buffer that is in use.
pub fn used(buffer: &Guarded, length: u64) -> &[u8] {
    let bytes = buffer.bytes();
    let length = usize::try_from(length).unwrap_or(bytes.len());
    &bytes[..length.min(bytes.len())]
}
