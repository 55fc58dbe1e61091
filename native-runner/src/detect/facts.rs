//! What headers state of an instance: its name, its security target, its sizes.

use super::parameters;
use super::selection::Selection;
use super::survey::{Survey, folder_of};
use crate::csource::Macros;

/// What is stated of an instance with certain definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The name in the header of the interface.
    pub name: Option<String>,
    /// The security target in bits, and the macro that states it.
    pub target_bits: Option<(u16, String)>,
    /// The claimed NIST category, and the macro that states it.
    pub nist_category: Option<(u8, String)>,
    /// Bytes of the secret key (`CRYPTO_SECRETKEYBYTES`).
    pub secret_key_bytes: Option<u64>,
    /// Where the interface's functions are renamed by macros, and the macro.
    pub renamed: Option<String>,
}

impl Facts {
    /// Of an implementation with certain definitions.
    pub fn of(survey: &Survey, selection: &Selection, defines: &[String], keygen: &str) -> Facts {
        let macros = parameters::macros(survey, selection, defines);
        let headers = interface_headers(survey, selection);
        let in_header = |name: &str| {
            let defines = |number: &usize| {
                let text = &survey.sources[*number].text;
                text.lines().any(|line| defined_name(line) == Some(name))
            };
            headers.iter().any(defines)
        };
        Facts {
            name: super::naming::of_header(&macros, &in_header),
            target_bits: stated(&macros, &TARGET_WORDS, &[128, 256, 512]),
            nist_category: stated(&macros, &CATEGORY_WORDS, &[1, 2, 3, 4, 5]),
            secret_key_bytes: macros
                .iter()
                .find(|(name, _)| name.ends_with("CRYPTO_SECRETKEYBYTES"))
                .and_then(|(name, _)| u64::try_from(macros.number(name)?).ok()),
            renamed: macros.is_defined(keygen).then(|| keygen.to_owned()),
        }
    }
}

/// Parts of the names of macros that state a security target.
const TARGET_WORDS: [&str; 4] = ["SECURITY", "TARGET_BITS", "SEC_LEVEL", "SECLEVEL"];
/// Parts of the names of macros that state a category.
const CATEGORY_WORDS: [&str; 3] = ["NIST_LEVEL", "NIST_CATEGORY", "SECURITY_CATEGORY"];

/// The value that the macros of such names have, if it is one of the allowed ones and they agree.
fn stated<T: TryFrom<i128> + PartialEq + Copy>(
    macros: &Macros,
    words: &[&str],
    allowed: &[i128],
) -> Option<(T, String)> {
    let mut found: Option<(T, String)> = None;
    for (name, _) in macros.iter() {
        if !words.iter().any(|word| name.contains(word)) {
            continue;
        }
        let Some(value) = macros.number(name).filter(|value| allowed.contains(value)) else {
            continue;
        };
        let value = T::try_from(value).ok()?;
        match &found {
            Some((other, _)) if *other != value => return None,
            Some(_) => {}
            None => found = Some((value, name.to_owned())),
        }
    }
    found
}

/// The headers that belong to an interface: those of the organisers' names.
fn interface_headers(survey: &Survey, selection: &Selection) -> Vec<usize> {
    let is = |number: &usize| {
        let base = survey.sources[*number].file.base().to_ascii_lowercase();
        base == "api.h" || base.starts_with("kem_algorithminstance")
    };
    selection.reached.iter().copied().filter(is).collect()
}

/// The header that the runner's own addition includes, if it is reached or lies beside a source.
pub fn api_header(survey: &Survey, selection: &Selection) -> Option<String> {
    let mut reached = selection.reached.iter();
    let is = |number: &&usize| survey.sources[**number].file.base() == "api.h";
    if let Some(&number) = reached.find(is) {
        return Some(survey.sources[number].file.name.clone());
    }
    let beside = selection.sources.iter().map(|&number| {
        let folder = folder_of(&survey.sources[number].file.name);
        super::survey::join(folder, "api.h")
    });
    beside
        .flatten()
        .find(|name| survey.tree.get(name).is_some())
}

fn defined_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    rest.strip_prefix("define")?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_stated_only_if_all_agree() {
        let mut macros = Macros::default();
        macros.define("TOY_SECURITY_BITS", "(64 * 2)");
        macros.define("SECURITY_LEVEL", "3");
        let stated = || super::stated::<u16>(&macros, &TARGET_WORDS, &[128, 256, 512]);
        assert_eq!(stated(), Some((128, "TOY_SECURITY_BITS".to_owned())));
        macros.define("SEC_LEVEL", "256");
        assert_eq!(
            super::stated::<u16>(&macros, &TARGET_WORDS, &[128, 256, 512]),
            None
        );
    }
}
