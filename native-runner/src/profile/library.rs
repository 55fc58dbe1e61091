//! The profiled library of an instance: linked once more, with wrappers around the symmetric primitives.

use super::graph::Graph;
use super::primitives::Primitives;
use super::sight::{self, Wrap};
use crate::abi::Abi;
use crate::build::flags::{self, GUIDE};
use crate::build::{Build, BuildError, Builder, Relink};
use crate::package::Instance;
use kemscope_schema::Operation;
use kemscope_schema::run::{BuildResult, Unseen};
use std::fmt::Write;

/// What counts the calls, but for the wrappers themselves.
const RECORDER: &str = include_str!("../../csrc/profile.c");

/// Name of the source that is made of it.
const SOURCE: &str = "kemscope_profile.c";

/// Behind a package's own flags. Without optimisation every call in the source is a call in the object; with each
/// function in a section of its own every call from one to another is a relocation.
const FOR_LOOKING: [&str; 5] = [
    "-O0",
    "-fno-lto",
    "-ffunction-sections",
    "-fdata-sections",
    "-w",
];

/// Behind a package's own flags: optimisation across files would see through the wrappers.
const FOR_PROFILING: [&str; 1] = ["-fno-lto"];

/// A profiled library and what its wrappers are.
pub struct Prepared {
    /// The symbols with wrappers, in the order of their numbers.
    pub wraps: Vec<Wrap>,
    /// What wrappers do not see, by operation.
    unseen: Vec<(Operation, Vec<Unseen>)>,
    /// The library.
    pub build: Build,
}

impl Prepared {
    /// Flags that the library was built with beside those of the flag set and the package.
    pub fn more_flags(&self) -> impl Iterator<Item = String> {
        FOR_PROFILING.iter().map(|&flag| flag.to_owned())
    }

    /// What wrappers do not see of an operation.
    pub fn unseen(&self, operation: Operation) -> &[Unseen] {
        let found = self.unseen.iter().find(|(of, _)| *of == operation);
        found.map_or(&[], |(_, unseen)| unseen)
    }
}

/// Builds the profiled library of an instance as the timed one was built. A message where that cannot be: the
/// compiler's.
///
/// # Errors
/// If files cannot be written, or the compiler not be started.
pub fn prepare(
    builder: &Builder,
    instance: &Instance,
    timed: &BuildResult,
) -> Result<Result<Prepared, String>, BuildError> {
    let set = flags::labelled(&timed.flag_set).unwrap_or(GUIDE);
    let objects = match builder.compile(&with_flags(instance, &FOR_LOOKING), &set)? {
        Ok(objects) => objects,
        Err(message) => return Ok(Err(message)),
    };
    let mut graph = Graph::default();
    for object in &objects {
        if let Err(message) = graph.add(object) {
            return Ok(Err(message));
        }
    }
    let primitives = primitives(&instance.abi);
    let wraps = sight::wraps(&graph, primitives);
    let unseen = Operation::ALL.map(|operation| {
        let entry = instance.abi.symbol(function(&instance.abi, operation));
        (operation, sight::unseen(&graph, &entry, primitives))
    });
    let profiled = with_flags(instance, &FOR_PROFILING);
    let build = builder.build_variant(&profiled, &set, None, &relink(&wraps))?;
    Ok(Ok(Prepared {
        wraps,
        unseen: unseen.into(),
        build,
    }))
}

fn with_flags(instance: &Instance, more: &[&str]) -> Instance {
    let mut instance = instance.clone();
    instance.flags.extend(more.iter().map(|&f| f.to_owned()));
    instance
}

fn primitives(abi: &Abi) -> Primitives {
    match abi {
        Abi::Iccs => Primitives::Iccs,
        Abi::Nist | Abi::Pqclean { .. } => Primitives::Nist,
    }
}

/// The interface's function that does an operation, without prefix.
fn function(abi: &Abi, operation: Operation) -> &'static str {
    match (abi, operation) {
        (Abi::Iccs, Operation::Keygen) => "kem_keygen",
        (Abi::Iccs, Operation::Enc) => "kem_enc",
        (Abi::Iccs, Operation::Dec) => "kem_dec",
        (_, Operation::Keygen) => "crypto_kem_keypair",
        (_, Operation::Enc) => "crypto_kem_enc",
        (_, Operation::Dec) => "crypto_kem_dec",
    }
}

/// The wrappers' source and how to link it.
fn relink(wraps: &[Wrap]) -> Relink {
    // A C array has one element at least.
    let mut source = format!("#define KEMSCOPE_FUNCTIONS {}\n", wraps.len().max(1));
    source.push_str(RECORDER);
    for (number, wrap) in wraps.iter().enumerate() {
        let (symbol, primitive) = (&wrap.symbol, &wrap.primitive);
        // Writing to a string cannot fail.
        let _ = writeln!(
            source,
            "WRAP({number}, {symbol}, {}, {})",
            primitive.in_bits, primitive.out_bits
        );
    }
    Relink {
        sources: vec![(SOURCE.to_owned(), source)],
        link_flags: wraps
            .iter()
            .map(|wrap| format!("-Wl,--wrap={}", wrap.symbol))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_per_wrapper_and_a_flag_for_the_linker() {
        let wrap = |symbol: &str| Wrap {
            symbol: symbol.to_owned(),
            primitive: Primitives::Nist.of_symbol(symbol).unwrap(),
        };
        let relink = relink(&[wrap("PQCLEAN_randombytes"), wrap("OQS_SHA3_sha3_256")]);
        let (_, source) = &relink.sources[0];
        assert!(source.starts_with("#define KEMSCOPE_FUNCTIONS 2\n"));
        assert!(source.ends_with(
            "\nWRAP(0, PQCLEAN_randombytes, 0, 8 * b)\nWRAP(1, OQS_SHA3_sha3_256, 8 * c, 256)\n"
        ));
        assert_eq!(
            relink.link_flags,
            [
                "-Wl,--wrap=PQCLEAN_randombytes",
                "-Wl,--wrap=OQS_SHA3_sha3_256"
            ]
        );
    }

    #[test]
    fn a_library_without_primitives_has_wrappers_all_the_same() {
        let relink = super::relink(&[]);
        assert!(
            relink.sources[0]
                .1
                .starts_with("#define KEMSCOPE_FUNCTIONS 1\n")
        );
        assert!(relink.link_flags.is_empty());
    }
}
