//! One instance of a package, ready to be built.

use crate::abi::Abi;
use kemscope_kems::iccs::CanonicalMode;
use kemscope_schema::run::{Generator, RunInstance};
use kemscope_schema::{DigestOrigin, Family, Sizes};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One parameter set in one implementation: its sources and what its package declares of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The family it belongs to.
    pub family: Family,
    /// Name of the parameter set. Unique only together with family and implementation.
    pub name: String,
    /// Variant of the implementation, for example `clean` or `reference`.
    pub implementation: String,
    /// Programming language of the sources: `C`, `C++`, with `and assembler` where there is some.
    pub language: String,
    /// Where the source comes from: package and version.
    pub source: String,
    /// Folder of the package: inputs are named relative to it, and nothing outside it is compiled.
    pub root: PathBuf,
    /// Folders on the include path, in order.
    pub include: Vec<PathBuf>,
    /// Preprocessor macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Further compiler flags, after those of the flag set.
    pub flags: Vec<String>,
    /// Further libraries to link, as for `-l`.
    pub libraries: Vec<String>,
    /// C, C++ and assembler files to compile, in a fixed order.
    pub sources: Vec<PathBuf>,
    /// Every file that the result may depend on, sources among them, in a fixed order.
    pub inputs: Vec<PathBuf>,
    /// Instruction sets that it can be built for, as compilers name them; empty for all.
    pub architectures: Vec<String>,
    /// How its functions are called.
    pub abi: Abi,
    /// What the package's metadata declare.
    pub declared: Declared,
    /// What is wrong with the files that it is described by, in a sentence: then it cannot be built.
    pub defect: Option<String>,
}

/// What a package's metadata declare of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Sizes of keys, ciphertext and shared secret, where they are declared.
    pub sizes: Sizes,
    /// Security target in bits: 128, 256, 512; for schemes that claim one.
    pub target_bits: Option<u16>,
    /// Claimed NIST category, 1 to 5.
    pub nist_category: Option<u8>,
    /// The known-answer test, if there is one.
    pub kat: Option<KatSpec>,
}

/// The known-answer test of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KatSpec {
    /// Which text is generated.
    pub form: KatForm,
    /// The generator that the text is made with.
    pub generator: Generator,
    /// What the text is compared with.
    pub expected: Expected,
}

/// The text of a known-answer test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KatForm {
    /// The first entry of NIST's text, lines `count` to `ss`, as PQClean hashes it.
    PqcleanFirst,
    /// NIST's whole response text (`PQCkemKAT_*.rsp`), as many entries as are expected.
    Nist,
    /// The official text of the NGCC driver (`KAT_KEM_*.txt`), ten records.
    Iccs,
}

/// What a text is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A digest.
    Digest {
        /// SHA-256, 64 lower-case hex digits.
        sha256: String,
        /// How the text is brought into the form that was hashed.
        mode: DigestMode,
        /// Who computed it.
        origin: DigestOrigin,
    },
    /// A text that comes with the package; it may hold fewer records than are generated.
    File(PathBuf),
}

/// The form of a text that a digest is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestMode {
    /// The bytes as they are.
    Raw,
    /// The canonical form of the public manifests: `strict`, `nolen`, with `:N` for the first N records.
    Canonical(CanonicalMode),
}

impl Instance {
    /// `family/name`, unique within a run.
    pub fn qualified_name(&self) -> String {
        format!("{}/{}", self.family.id, self.name)
    }

    /// `family/name/implementation`, unique within a catalogue.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.qualified_name(), self.implementation)
    }

    /// The generator of its known-answer test; where there is no test, that of its interface.
    pub fn kat_generator(&self) -> Generator {
        match &self.declared.kat {
            Some(kat) => kat.generator,
            None => self.abi.generator(),
        }
    }

    /// Whether it can be built for an instruction set.
    pub fn is_for(&self, architecture: &str) -> bool {
        self.architectures.is_empty() || self.architectures.iter().any(|own| own == architecture)
    }

    /// A file of the package as it is named in records: relative to the package, with `/`.
    pub fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// The instance as a run's manifest lists it.
    pub fn to_run_instance(&self) -> RunInstance {
        RunInstance {
            family: self.family.clone(),
            name: self.name.clone(),
            implementation: self.implementation.clone(),
            language: self.language.clone(),
            source: self.source.clone(),
            target_bits: self.declared.target_bits,
            nist_category: self.declared.nist_category,
        }
    }
}
