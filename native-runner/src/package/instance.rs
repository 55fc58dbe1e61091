//! One instance of a package, ready to be built.

use kemscope_schema::run::{Generator, RunInstance};
use kemscope_schema::{Family, Sizes};
use std::path::PathBuf;

/// One parameter set in one implementation: its sources and what its package declares of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The family it belongs to.
    pub family: Family,
    /// Name of the parameter set. Unique only together with family and implementation.
    pub name: String,
    /// Variant of the implementation, for example `clean`.
    pub implementation: String,
    /// Where the source comes from: package and version.
    pub source: String,
    /// Folder of the implementation, first on the include path.
    pub directory: PathBuf,
    /// Folder of shared primitives, second on the include path.
    pub common: PathBuf,
    /// C and assembler files to compile, in a fixed order.
    pub sources: Vec<PathBuf>,
    /// Every file that the result may depend on: all below `directory`, and what they include of the
    /// rest of the package, in a fixed order.
    pub inputs: Vec<PathBuf>,
    /// Prefix of the interface's names, without the last underscore: `PQCLEAN_MLKEM768_CLEAN`.
    pub namespace: String,
    /// What the package's metadata declare.
    pub declared: Declared,
}

/// What a package's metadata declare of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Sizes of keys, ciphertext and shared secret.
    pub sizes: Sizes,
    /// Claimed NIST category, 1 to 5.
    pub nist_category: Option<u8>,
    /// The known-answer test, if there is one.
    pub kat: Option<KatSpec>,
}

/// The known-answer test of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KatSpec {
    /// Expected SHA-256 of the generated text, 64 lower-case hex digits.
    pub sha256: String,
    /// The generator that the text was made with.
    pub generator: Generator,
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

    /// The generator of its known-answer test; NIST's where there is no test.
    pub fn kat_generator(&self) -> Generator {
        self.declared
            .kat
            .as_ref()
            .map_or(Generator::NistCtrDrbg, |kat| kat.generator)
    }

    /// The instance as a run's manifest lists it.
    pub fn to_run_instance(&self) -> RunInstance {
        RunInstance {
            family: self.family.clone(),
            name: self.name.clone(),
            implementation: self.implementation.clone(),
            language: "C".to_owned(),
            source: self.source.clone(),
            target_bits: None,
            nist_category: self.declared.nist_category,
        }
    }
}
