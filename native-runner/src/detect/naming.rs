//! What instances, variants and families are called: from folders, and from what headers say of themselves.

use super::survey::base_of;
use crate::csource::Macros;
use crate::package::file::rules;

/// Words in folders that say how an implementation is made, and what they are written as.
const TECHNIQUES: [(&str, &str); 22] = [
    ("avx512", "avx512"),
    ("avx2", "avx2"),
    ("avx", "avx"),
    ("sse", "sse"),
    ("neon", "neon"),
    ("sve2", "sve2"),
    ("sve", "sve"),
    ("aarch64", "aarch64"),
    ("arm64", "aarch64"),
    ("armv8", "aarch64"),
    ("armv8-a", "aarch64"),
    ("x86_64", "x86_64"),
    ("x86-64", "x86_64"),
    ("amd64", "x86_64"),
    ("x64", "x86_64"),
    ("asm", "asm"),
    ("assembly", "asm"),
    ("cpp", "cpp"),
    ("c++", "cpp"),
    ("portable", "portable"),
    ("generic", "generic"),
    ("clean", "clean"),
];

/// Techniques that only one instruction set has.
const ARCHITECTURES: [(&str, &str); 10] = [
    ("avx512", "x86_64"),
    ("avx2", "x86_64"),
    ("avx", "x86_64"),
    ("sse", "x86_64"),
    ("x86_64", "x86_64"),
    ("neon", "aarch64"),
    ("sve2", "aarch64"),
    ("sve", "aarch64"),
    ("aarch64", "aarch64"),
    ("armv8", "aarch64"),
];

/// What the folders of an implementation say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The variant, if a folder names one.
    pub variant: Option<String>,
    /// The instruction set that it needs, if the variant names one.
    pub architecture: Option<&'static str>,
    /// The folder that is called like an instance: the last one that says nothing else.
    pub instance: Option<String>,
}

/// Folders that say neither.
const STRUCTURE: [&str; 17] = [
    "implementation",
    "implementations",
    "src",
    "source",
    "sources",
    "code",
    "lib",
    "kem",
    "crypto_kem",
    "submission",
    "software",
    "c",
    "include",
    "inc",
    "round1",
    "package",
    "kems",
];

/// Reads the folders that lead to an implementation.
pub fn of_path(folder: &str) -> Path {
    let mut found = Path::default();
    let mut main: Option<&str> = None;
    let mut techniques: Vec<&str> = Vec::new();
    for part in folder.split('/').filter(|part| !part.is_empty()) {
        let lower = part.to_ascii_lowercase();
        if let Some(kind) = main_variant(&lower) {
            main = Some(kind);
            found.instance = None;
            continue;
        }
        let words: Vec<&str> = lower.split(['_', ' ']).collect();
        let technique = |word: &str| TECHNIQUES.iter().find(|(known, _)| *known == word);
        let named = technique(&lower).or_else(|| match words.as_slice() {
            [single] => technique(single),
            [first, second] if ["optimized", "implementation", "opt", "ref"].contains(second) => {
                technique(first)
            }
            _ => None,
        });
        match named {
            Some((_, name)) => techniques.push(name),
            None if STRUCTURE.contains(&lower.as_str()) => {}
            None => found.instance = Some(part.to_owned()),
        }
    }
    let words: Vec<&str> = main.into_iter().chain(techniques.iter().copied()).collect();
    found.architecture = ARCHITECTURES
        .iter()
        .find(|(technique, _)| techniques.contains(technique))
        .map(|(_, architecture)| *architecture);
    found.variant = (!words.is_empty()).then(|| words.join("-"));
    found
}

/// The kind of implementation that NICCS' and NIST's folders name.
fn main_variant(lower: &str) -> Option<&'static str> {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|b| lower.starts_with(b));
    if lower == "ref" || begins(&["reference"]) {
        Some("reference")
    } else if lower == "opt" || begins(&["optimized", "optimised", "optimization"]) {
        Some("optimized")
    } else if begins(&["additional", "alternative"]) {
        Some("additional")
    } else {
        None
    }
}

/// The name that a header of the interface gives an instance: `CRYPTO_ALGNAME`, also with a prefix, or the only
/// macro of that header that is a string that can be a name.
pub fn of_header(macros: &Macros, in_header: &dyn Fn(&str) -> bool) -> Option<String> {
    let algorithm = macros
        .iter()
        .find(|(name, _)| name.ends_with("CRYPTO_ALGNAME"));
    if let Some(name) = algorithm.and_then(|(name, _)| macros.string(name)) {
        return as_name(name);
    }
    let mut strings = macros
        .iter()
        .filter(|(name, _)| in_header(name))
        .filter_map(|(name, _)| as_name(macros.string(name)?));
    let first = strings.next()?;
    strings.all(|other| other == first).then_some(first)
}

/// A text as the name of an instance, spaces made hyphens; `None` if it can be none.
pub fn as_name(text: &str) -> Option<String> {
    let plain = text.trim().replace([' ', '/', '('], "-").replace(')', "");
    let name = plain.replace("__", "_");
    rules::name(&name).is_none().then_some(name)
}

/// The identifier of a family in a folder's name: `kem-14` of `KEM-14_DTRU`, else the whole name in small letters.
pub fn family_id(folder: &str) -> Option<String> {
    let lower = folder.to_lowercase();
    if let Some(number) = kem_number(&lower) {
        return Some(format!("kem-{number:02}"));
    }
    let slug: String = lower
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let words: Vec<&str> = slug.split('-').filter(|word| !word.is_empty()).collect();
    let id = words.join("-");
    rules::family_id(&id).is_none().then_some(id)
}

/// The number in `kem-14`, `kem_14`, `KEM14` as a word of its own.
fn kem_number(lower: &str) -> Option<u32> {
    let at = lower.find("kem")?;
    let before = lower[..at].chars().next_back();
    let rest = lower[at + 3..].trim_start_matches(['-', '_', ' ']);
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let ends = rest[digits.len()..]
        .chars()
        .next()
        .is_none_or(|c| !c.is_alphanumeric());
    let begins = before.is_none_or(|c| !c.is_alphanumeric());
    let short = digits.len() <= 2;
    if begins && ends && short {
        digits.parse().ok()
    } else {
        None
    }
}

/// The name of a family without its number: `DTRU` of `KEM-14_DTRU`.
pub fn family_name(folder: &str) -> String {
    let lower = folder.to_lowercase();
    let rest = match (kem_number(&lower), lower.find("kem")) {
        (Some(_), Some(at)) if lower.len() == folder.len() => {
            let behind = &folder[at + 3..];
            behind.trim_start_matches(|c: char| c.is_ascii_digit() || "-_ ".contains(c))
        }
        _ => folder,
    };
    let name = if rest.is_empty() { folder } else { rest };
    name.trim().to_owned()
}

/// What names of instances have in common in front of their numbers: `DTRU` of `DTRU-648` and `DTRU-1024`.
pub fn stem(names: &[&str]) -> Option<String> {
    let stem = |name: &str| {
        let end = name
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(name.len());
        name[..end].trim_end_matches(['-', '_', '.']).to_owned()
    };
    let first = stem(names.first()?);
    (!first.is_empty() && names.iter().all(|name| stem(name) == first)).then_some(first)
}

/// The security target in an instance's name, if it holds one number that can be one and no other number of three
/// digits or more.
pub fn target_bits(name: &str) -> Option<u16> {
    let numbers: Vec<&str> = name
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| digits.len() >= 3)
        .collect();
    match numbers.as_slice() {
        ["128"] => Some(128),
        ["256"] => Some(256),
        ["512"] => Some(512),
        _ => None,
    }
}

/// Whether a folder is called like a part of a package rather than like a package.
pub fn is_structure(folder: &str) -> bool {
    let lower = base_of(folder).to_ascii_lowercase();
    STRUCTURE.contains(&lower.as_str()) || main_variant(&lower).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(folder: &str) -> (Option<String>, Option<&'static str>, Option<String>) {
        let found = of_path(folder);
        (found.variant, found.architecture, found.instance)
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn folders_tell_variant_and_instance() {
        assert_eq!(
            path("Implementations/Reference_Implementation/DTRU-648"),
            (some("reference"), None, some("DTRU-648"))
        );
        assert_eq!(
            path("Implementations/Optimized_Implementation/AVX2/DTRU-648"),
            (some("optimized-avx2"), Some("x86_64"), some("DTRU-648"))
        );
        assert_eq!(
            path("Additional_Implementations/T-1/neon/src"),
            (some("additional-neon"), Some("aarch64"), some("T-1"))
        );
        assert_eq!(path("DTRU/ref"), (some("reference"), None, None));
        assert_eq!(
            path("ml-kem-768/clean"),
            (some("clean"), None, some("ml-kem-768"))
        );
        assert_eq!(path("src"), (None, None, None));
        assert_eq!(path(""), (None, None, None));
    }

    #[test]
    fn families_are_known_by_number_or_folder() {
        assert_eq!(family_id("KEM-14_DTRU"), some("kem-14"));
        assert_eq!(family_id("kem7"), some("kem-07"));
        assert_eq!(family_id("Toy KEM é"), some("toy-kem"));
        assert_eq!(family_id("BW-KEM"), some("bw-kem"));
        assert_eq!(family_id("é"), None);
        assert_eq!(family_id("raw"), None);
        assert_eq!(family_name("KEM-14_DTRU"), "DTRU");
        assert_eq!(family_name("kem-14"), "kem-14");
        assert_eq!(family_name("Toy KEM"), "Toy KEM");
        assert_eq!(stem(&["DTRU-648", "DTRU-1024"]), some("DTRU"));
        assert_eq!(stem(&["DTRU-648", "X-1"]), None);
    }

    #[test]
    fn a_target_is_read_only_where_nothing_else_can_be_meant() {
        assert_eq!(target_bits("HQC-128"), Some(128));
        assert_eq!(target_bits("NTRE-512-v2"), Some(512));
        assert_eq!(target_bits("CTL-257-512"), None);
        assert_eq!(target_bits("DTRU-648"), None);
        assert_eq!(target_bits("T-1280"), None);
    }

    #[test]
    fn headers_name_their_instance() {
        let mut macros = Macros::default();
        macros.define("KEM_NAME", "\"Toy 128\"");
        macros.define("OTHER", "\"x/y z\\n\"");
        assert_eq!(
            of_header(&macros, &|name| name == "KEM_NAME"),
            some("Toy-128")
        );
        assert_eq!(of_header(&macros, &|_| false), None);
        macros.define("CRYPTO_ALGNAME", "\"Kyber768\"");
        assert_eq!(of_header(&macros, &|_| false), some("Kyber768"));
        assert_eq!(as_name("../x"), None);
    }
}
