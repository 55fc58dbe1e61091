//! KEM packages: where C sources come from and what is known of each instance before it is built.
//!
//! A package tree has the layout of PQClean: `crypto_kem/<set>/META.yml`,
//! `crypto_kem/<set>/<implementation>/*.c` with an `api.h`, and `common/` with shared primitives. A
//! [`catalogue`] says which sets belong to which family; the [built-in one](registry) is fetched
//! through cargo, others come from folders with a `catalogue.toml`.

mod api_header;
mod catalogue;
mod includes;
mod instance;
mod meta;
pub mod registry;
mod select;

pub use catalogue::{CATALOGUE_FILE, Catalogue, load_folder};
pub use includes::is_cpp;
pub use instance::{Declared, DigestMode, Expected, Instance, KatForm, KatSpec};
pub use meta::Meta;
pub use select::{Selection, select};

/// Errors of finding and reading packages. All are bad input: nothing was built or measured.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// A file could not be read.
    #[error("{path}: {cause}")]
    Read {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A file says something else than expected.
    #[error("{path}: {message}")]
    Malformed {
        /// The file.
        path: std::path::PathBuf,
        /// What was expected and what was found.
        message: String,
    },
    /// Cargo could not provide the sources.
    #[error("{0}")]
    Fetch(String),
    /// The names on the command line do not name what there is.
    #[error("{0}")]
    Selection(String),
}

impl PackageError {
    pub(crate) fn malformed(path: &std::path::Path, message: impl Into<String>) -> PackageError {
        PackageError::Malformed {
            path: path.to_owned(),
            message: message.into(),
        }
    }

    pub(crate) fn read(path: &std::path::Path, cause: std::io::Error) -> PackageError {
        PackageError::Read {
            path: path.to_owned(),
            cause,
        }
    }
}
