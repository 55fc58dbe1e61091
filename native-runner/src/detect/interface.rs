//! Which interface a package implements, and where.

use super::roles;
use super::survey::{Kind, Survey, base_of, folder_of, lies_in};
use crate::csource::Symbols;
use crate::package::file::AbiName;
use std::collections::BTreeMap;

/// An interface, by the name of its key generation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interface {
    /// NGCC: `kem_keygen`.
    Iccs,
    /// NIST: `crypto_kem_keypair`.
    Nist,
    /// PQClean: `<NAMESPACE>_crypto_kem_keypair`.
    Pqclean(String),
}

const NGCC: &str = "kem_keygen";
const NIST: &str = "crypto_kem_keypair";

impl Interface {
    /// The interface whose key generation is defined.
    fn of(symbols: &Symbols) -> Option<Interface> {
        if symbols.defines(NGCC) {
            return Some(Interface::Iccs);
        }
        if symbols.defines(NIST) {
            return Some(Interface::Nist);
        }
        symbols.defined.iter().find_map(|name| {
            let namespace = name.strip_suffix(NIST)?.strip_suffix('_')?;
            Some(Interface::Pqclean(namespace.to_owned())).filter(|_| !namespace.is_empty())
        })
    }

    /// Whether a source defines its key generation.
    pub fn is_defined_by(&self, symbols: &Symbols) -> bool {
        Interface::of(symbols).as_ref() == Some(self)
    }

    /// The word in `kem.toml`.
    pub fn abi(&self) -> AbiName {
        match self {
            Interface::Iccs => AbiName::Iccs,
            Interface::Nist => AbiName::Nist,
            Interface::Pqclean(_) => AbiName::Pqclean,
        }
    }

    /// The namespace of its names, if they have one.
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Interface::Pqclean(namespace) => Some(namespace),
            Interface::Iccs | Interface::Nist => None,
        }
    }

    /// The name of its key generation.
    pub fn keygen(&self) -> String {
        match self {
            Interface::Iccs => NGCC.to_owned(),
            Interface::Nist => NIST.to_owned(),
            Interface::Pqclean(namespace) => format!("{namespace}_{NIST}"),
        }
    }

    /// Headers that the runner brings where a package has none of the name.
    pub fn supplied_headers(&self) -> &'static [&'static str] {
        &["auxfunc.h", "drng.h", "randombytes.h", "rng.h"]
    }

    /// Functions and objects that the runner brings where a package does not.
    pub fn supplies(&self, name: &str) -> bool {
        let names: &[&str] = match self {
            Interface::Iccs => &[
                "drng_algorithm",
                "sm3hash",
                "pseudohash",
                "pseudoXOF",
                "init_random_number",
                "get_random_number",
            ],
            Interface::Nist => &["randombytes"],
            Interface::Pqclean(_) => &["PQCLEAN_randombytes", "randombytes"],
        };
        names.contains(&name)
    }
}

/// A folder with one implementation of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder; empty for the package's own.
    pub folder: String,
    /// The interface.
    pub interface: Interface,
    /// The sources that define its key generation: one, or it is not clear which.
    pub anchors: Vec<usize>,
}

/// Folders that hold the parts of an implementation and say nothing of which it is.
const PARTS: [&str; 8] = [
    "src", "source", "sources", "code", "lib", "include", "inc", "kem",
];

/// All implementations of a package.
pub fn places(survey: &Survey) -> Vec<Place> {
    let mut anchors: Vec<(usize, Interface, String)> = Vec::new();
    for (number, source) in survey.sources.iter().enumerate() {
        let folder = source.file.folder();
        let tests = folder.split('/').any(roles::is_test_folder);
        if source.kind == Kind::Code
            && !tests
            && let Some(interface) = Interface::of(&source.symbols)
        {
            anchors.push((number, interface, folder.to_owned()));
        }
    }
    let folders: Vec<String> = anchors
        .iter()
        .map(|(_, _, folder)| folder.clone())
        .collect();
    let mut found: BTreeMap<(String, Interface), Vec<usize>> = BTreeMap::new();
    for (number, interface, folder) in anchors {
        let whole = whole_folder(&folder, &folders);
        found.entry((whole, interface)).or_default().push(number);
    }
    let place = |((folder, interface), anchors)| Place {
        folder,
        interface,
        anchors,
    };
    found.into_iter().map(place).collect()
}

/// The folder of the whole implementation that has a source in `folder`: above `src` and the like, unless there
/// are other implementations.
fn whole_folder(folder: &str, all: &[String]) -> String {
    let mut whole = folder;
    while !whole.is_empty() && PARTS.contains(&base_of(whole).to_ascii_lowercase().as_str()) {
        let above = folder_of(whole);
        let alone = all
            .iter()
            .all(|other| !lies_in(other, above) || lies_in(other, whole));
        if !alone {
            break;
        }
        whole = above;
    }
    whole.to_owned()
}

/// Whether a text declares an interface without defining it: headers of a package whose sources are missing.
pub fn is_declared(survey: &Survey) -> bool {
    let names = [NGCC, NIST];
    survey
        .sources
        .iter()
        .any(|source| source.kind == Kind::Header && names.iter().any(|n| source.text.contains(n)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_generation_tells_the_interface() {
        let of = |text: &str| Interface::of(&Symbols::of(text));
        assert_eq!(of("int kem_keygen(void) {}"), Some(Interface::Iccs));
        assert_eq!(of("int crypto_kem_keypair(void) {}"), Some(Interface::Nist));
        assert_eq!(
            of("int PQCLEAN_X_CLEAN_crypto_kem_keypair(void) {}"),
            Some(Interface::Pqclean("PQCLEAN_X_CLEAN".to_owned()))
        );
        assert_eq!(of("int kem_keygen(void);"), None);
        assert_eq!(of("static int crypto_kem_keypair(void) {}"), None);
    }

    #[test]
    fn parts_of_an_implementation_are_one_folder() {
        let all = |list: &[&str]| list.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            whole_folder("R/T-1/src", &all(&["R/T-1/src", "R/T-2/src"])),
            "R/T-1"
        );
        assert_eq!(whole_folder("src", &all(&["src"])), "");
        assert_eq!(whole_folder("p/src", &all(&["p/src", "p/avx2"])), "p/src");
        assert_eq!(whole_folder("p/ref", &all(&["p/ref"])), "p/ref");
    }
}
