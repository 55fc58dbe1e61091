//! The modes of a canonical digest, as manifests write them.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// What of a text counts for its canonical digest: `strict`, `nolen`, each also with `:N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CanonicalMode {
    /// `nolen`: lines that state a length are left out.
    pub without_lengths: bool,
    /// `:N`: only the first N records, all of them where `None`.
    pub records: Option<NonZeroU64>,
}

impl fmt::Display for CanonicalMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.without_lengths {
            "nolen"
        } else {
            "strict"
        })?;
        match self.records {
            Some(records) => write!(f, ":{records}"),
            None => Ok(()),
        }
    }
}

impl FromStr for CanonicalMode {
    type Err = ModeError;

    fn from_str(text: &str) -> Result<Self, ModeError> {
        let error = || ModeError(text.to_owned());
        let (name, count) = match text.split_once(':') {
            Some((name, count)) => (name, Some(count)),
            None => (text, None),
        };
        let without_lengths = match name {
            "strict" => false,
            "nolen" => true,
            _ => return Err(error()),
        };
        let records = match count {
            // A sign would be read as well.
            Some(count) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(count.parse().map_err(|_| error())?)
            }
            Some(_) => return Err(error()),
            None => None,
        };
        Ok(Self {
            without_lengths,
            records,
        })
    }
}

/// No mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeError(String);

impl fmt::Display for ModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no mode: write `strict` or `nolen`, for the first N records `strict:N` or `nolen:N` (N at least 1)",
            self.0
        )
    }
}

impl std::error::Error for ModeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_read_and_write() {
        for text in ["strict", "nolen", "strict:2", "nolen:10"] {
            assert_eq!(text.parse::<CanonicalMode>().unwrap().to_string(), text);
        }
        assert_eq!("strict".parse(), Ok(CanonicalMode::default()));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "Strict",
            "strict:",
            "strict:0",
            "strict:+1",
            "nolen:-1",
            "loose",
            "strict:1:2",
            "nolen: 1",
            "strict:99999999999999999999",
        ] {
            let error = text.parse::<CanonicalMode>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }
}
