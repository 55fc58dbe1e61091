//! `kem.toml`: what a person (or `native-runner add`) says about a package.
//!
//! The types here hold what stands in the file; [`PackageFile::parse`] and [`PackageFile::to_toml`]
//! are each other's inverse. What the names and paths lead to on disk is `resolve`'s business.

mod flags;
mod merge;
mod parse;
mod problem;
mod reader;
pub mod rules;
#[cfg(test)]
mod tests;
mod writer;

pub use problem::{Problem, Problems};
pub use writer::{InstanceRemarks, Remarks};

use super::instance::{DigestMode, KatForm};
use kemscope_schema::run::Generator;
use kemscope_schema::{Category, DigestOrigin, Sizes};

/// Name of the file in the folder of a package.
pub const PACKAGE_FILE: &str = "kem.toml";

/// A text with the line of the file that it stands in. Equal texts are equal wherever they stand.
#[derive(Clone, Debug)]
pub struct Located {
    /// The text.
    pub text: String,
    /// Its line, from 1; 0 where it comes from no file.
    pub line: usize,
}

impl PartialEq for Located {
    fn eq(&self, other: &Located) -> bool {
        self.text == other.text
    }
}

impl From<String> for Located {
    fn from(text: String) -> Located {
        Located { text, line: 0 }
    }
}

/// A whole `kem.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageFile {
    /// Identifier of the family: a folder's and a URL's name.
    pub id: String,
    /// Name of the scheme.
    pub name: String,
    /// Mathematical basis.
    pub category: Option<Category>,
    /// Where the sources come from and which version they are, as records name it.
    pub source: Option<String>,
    /// What holds for every instance.
    pub defaults: Settings,
    /// The instances, in the order in which they are worked on.
    pub instances: Vec<Entry>,
}

/// One `[[instance]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name of the parameter set.
    pub name: Located,
    /// What is said of it.
    pub settings: Settings,
}

/// What can be said of an instance, or in `[defaults]` of all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Name of the implementation: `reference`, `optimized-avx2`.
    pub variant: Option<String>,
    /// Its interface.
    pub abi: Option<AbiName>,
    /// The prefix of the interface's names (`pqclean` only).
    pub namespace: Option<String>,
    /// Security target in bits: 128, 256 or 512.
    pub target_bits: Option<u16>,
    /// Claimed NIST category, 1 to 5.
    pub nist_category: Option<u8>,
    /// Instruction sets that it can be built for; empty for all.
    pub architectures: Vec<String>,
    /// Paths or patterns of the sources to compile.
    pub sources: Vec<Located>,
    /// Paths or patterns of files that the patterns of `sources` match and that are not to be compiled.
    pub exclude: Vec<Located>,
    /// Folders on the include path, in order.
    pub include: Vec<Located>,
    /// Preprocessor macros.
    pub defines: Vec<String>,
    /// Further compiler flags.
    pub flags: Vec<String>,
    /// Further libraries of the system.
    pub libraries: Vec<String>,
    /// The known-answer test.
    pub kat: KatEntry,
    /// Declared sizes.
    pub sizes: Sizes,
}

/// The word for an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbiName {
    /// NGCC.
    Iccs,
    /// NIST.
    Nist,
    /// NIST with a prefix.
    Pqclean,
}

impl AbiName {
    /// All interfaces.
    pub const ALL: [AbiName; 3] = [AbiName::Iccs, AbiName::Nist, AbiName::Pqclean];

    /// The word in the file.
    pub fn name(self) -> &'static str {
        match self {
            AbiName::Iccs => "iccs",
            AbiName::Nist => "nist",
            AbiName::Pqclean => "pqclean",
        }
    }
}

/// What is said of a known-answer test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KatEntry {
    /// Which text is generated; by default that of the interface.
    pub form: Option<KatForm>,
    /// The generator; by default that of the interface.
    pub generator: Option<Generator>,
    /// What the text is compared with.
    pub expected: Option<KatSource>,
}

/// What the text of a known-answer test is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum KatSource {
    /// There is nothing to compare with, and that is known.
    None,
    /// A text in the package.
    File(Located),
    /// A digest.
    Digest {
        /// SHA-256, 64 lower-case hex digits.
        sha256: String,
        /// Form of the text that was hashed; by default `strict` for the NGCC text, `raw` for the others.
        mode: Option<DigestMode>,
        /// Who computed it.
        origin: DigestOrigin,
    },
    /// A line of a manifest in the package.
    Manifest {
        /// The manifest.
        file: Located,
        /// The path that the line names; by default that of the file `KAT_KEM_<instance>.txt`.
        entry: Option<Located>,
        /// Who computed it.
        origin: DigestOrigin,
    },
}
