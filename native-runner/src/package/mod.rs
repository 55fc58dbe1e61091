//! KEM packages: where C sources come from and what is known of each instance before it is built.
//!
//! A package is a folder with a `kem.toml` ([`mod@file`]), which names the instances and their sources; [`load`]
//! makes instances of it. A tree in the layout of PQClean (`crypto_kem/<set>/META.yml`,
//! `crypto_kem/<set>/<implementation>/*.c` with an `api.h`, and `common/` with shared primitives) has a
//! `catalogue.toml` instead, which says which sets belong to which family; the [built-in one](registry) is
//! fetched through cargo.

pub mod api_header;
mod catalogue;
pub mod file;
mod find;
mod includes;
pub mod instance;
mod load;
mod meta;
mod patterns;
pub mod registry;
mod select;
pub mod tree;

pub use catalogue::{CATALOGUE_FILE, Catalogue};
pub use find::{BUILTIN, load_all};
pub use includes::is_cpp;
pub use instance::{Declared, DigestMode, Expected, Instance, KatForm, KatSpec};
pub use load::load_package;
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
    /// A `kem.toml` says something that cannot be.
    #[error("{0}")]
    Invalid(file::Problems),
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
