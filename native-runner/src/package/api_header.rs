//! The namespace that an implementation's `api.h` declares.

use super::PackageError;
use std::path::Path;

/// The function whose prefix is the namespace.
const KEYPAIR: &str = "_crypto_kem_keypair";

/// The prefix of the interface's names in an `api.h`: `PQCLEAN_MLKEM768_CLEAN` where it declares
/// `PQCLEAN_MLKEM768_CLEAN_crypto_kem_keypair`. `path` is named in errors.
pub fn namespace(path: &Path, header: &str) -> Result<String, PackageError> {
    header
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .find_map(|word| word.strip_suffix(KEYPAIR))
        .filter(|prefix| !prefix.is_empty())
        .map(str::to_owned)
        .ok_or_else(|| {
            let message =
                format!("declares no function <NAMESPACE>{KEYPAIR} (PQClean's interface)");
            PackageError::malformed(path, message)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_prefix_of_keypair() {
        let header = "int PQCLEAN_X_CLEAN_crypto_kem_keypair(uint8_t *pk, uint8_t *sk);";
        let found = namespace(Path::new("api.h"), header).unwrap();
        assert_eq!(found, "PQCLEAN_X_CLEAN");
    }

    #[test]
    fn a_header_without_prefix_is_refused() {
        let error = namespace(Path::new("api.h"), "int crypto_kem_keypair(void);").unwrap_err();
        assert!(error.to_string().contains("api.h"), "{error}");
    }
}
