//! Parameter sets that one set of sources has, chosen by macros on the compiler's command line.

use super::makefile::Makefile;
use super::preprocessed;
use super::selection::Selection;
use super::survey::Survey;
use crate::csource::{Macros, without_comments};
use std::collections::{BTreeMap, BTreeSet};

/// Macros that choose between parameter sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The definitions, one for each parameter set: `TOY_K=2`, or `TOY128` where it is the name that counts.
    pub choices: Vec<String>,
    /// The file whose conditions ask for them.
    pub file: String,
}

impl Selector {
    /// What it is called in notes.
    pub fn describe(&self) -> String {
        format!("{} in {}", self.choices.join(", "), self.file)
    }
}

/// Beginnings and parts of macros that say something of the platform or of debugging.
const OTHER: [&str; 16] = [
    "WIN", "APPLE", "DEBUG", "BENCH", "TEST", "VERBOSE", "KAT", "PROFILE", "AVX", "NEON", "SSE",
    "ARM", "X86", "ENDIAN", "OPENSSL", "MSC",
];

/// The selectors in the headers and sources of an implementation.
pub fn selectors(survey: &Survey, selection: &Selection) -> Vec<Selector> {
    let mut values: BTreeMap<String, (BTreeSet<u64>, String)> = BTreeMap::new();
    let mut chains: Vec<(Vec<String>, String)> = Vec::new();
    let mut fixed: BTreeSet<String> = BTreeSet::new();
    for &number in &selection.reached {
        let Some(source) = survey.sources.get(number) else {
            continue;
        };
        let name = &source.file.name;
        let conditions = Conditions::of(&source.text);
        for (name_of_macro, value) in conditions.values {
            let entry = values
                .entry(name_of_macro)
                .or_insert_with(|| (BTreeSet::new(), name.clone()));
            entry.0.insert(value);
        }
        let known = |chain: &Vec<String>| chains.iter().any(|(other, _)| other == chain);
        let new: Vec<Vec<String>> = conditions
            .chains
            .into_iter()
            .filter(|c| !known(c))
            .collect();
        chains.extend(new.into_iter().map(|chain| (chain, name.clone())));
        fixed.extend(conditions.fixed);
    }
    let mut found: Vec<Selector> = Vec::new();
    for (name, (numbers, file)) in values {
        if numbers.len() > 1 && !fixed.contains(&name) && chooses(&name) {
            let choices = numbers.iter().map(|number| format!("{name}={number}"));
            found.push(Selector {
                choices: choices.collect(),
                file,
            });
        }
    }
    for (chain, file) in chains {
        let free = chain
            .iter()
            .all(|name| !fixed.contains(name) && chooses(name));
        if chain.len() > 1 && free {
            found.push(Selector {
                choices: chain,
                file,
            });
        }
    }
    found
}

/// Whether a macro may choose a parameter set.
fn chooses(name: &str) -> bool {
    !name.starts_with('_') && !OTHER.iter().any(|part| name.contains(part)) && !name.ends_with("_H")
}

/// What the conditions of a text ask for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Conditions {
    /// Comparisons of a macro with a number.
    values: Vec<(String, u64)>,
    /// Chains of `#if defined(A) … #elif defined(B) …`.
    chains: Vec<Vec<String>>,
    /// Macros that are defined whatever the command line says.
    fixed: BTreeSet<String>,
}

impl Conditions {
    fn of(text: &str) -> Conditions {
        let plain = without_comments(text);
        let mut found = Conditions::default();
        let mut open: Vec<Vec<String>> = Vec::new();
        let mut guard: Option<String> = None;
        for line in plain.lines() {
            let Some(directive) = line.trim_start().strip_prefix('#') else {
                continue;
            };
            let directive = directive.trim();
            let (word, operand) = directive
                .split_once(|c: char| c.is_whitespace() || c == '(' || c == '!')
                .map_or((directive, ""), |(word, _)| {
                    (word, directive[word.len()..].trim())
                });
            match word {
                "if" | "ifdef" => {
                    open.push(Vec::new());
                    found.condition(word, operand, open.last_mut());
                }
                "elif" => found.condition(word, operand, open.last_mut()),
                "ifndef" => open.push(Vec::new()),
                "endif" => {
                    let chain = open.pop().unwrap_or_default();
                    if chain.len() > 1 && !found.chains.contains(&chain) {
                        found.chains.push(chain);
                    }
                }
                "define" => {
                    let name = operand.split_whitespace().next().unwrap_or_default();
                    // `#ifndef X / #define X 3` is a default and leaves the choice.
                    if guard.as_deref() != Some(name) {
                        found.fixed.insert(name.to_owned());
                    }
                }
                _ => {}
            }
            guard = (word == "ifndef").then(|| operand.to_owned());
            if word == "if" {
                let name = operand.strip_prefix("!defined").map(plain_name);
                guard = name.filter(|name| !name.is_empty());
            }
        }
        found
    }

    fn condition(&mut self, word: &str, operand: &str, chain: Option<&mut Vec<String>>) {
        if word == "ifdef" {
            chain
                .into_iter()
                .for_each(|chain| chain.push(plain_name(operand)));
            return;
        }
        for part in operand.split("||").flat_map(|part| part.split("&&")) {
            let part = part.trim().trim_matches(['(', ')']).trim();
            if let Some((name, number)) = part.split_once("==") {
                let name = plain_name(name);
                let number = number.trim().trim_end_matches(['u', 'U', 'l', 'L']);
                if let (false, Ok(number)) = (name.is_empty(), number.parse()) {
                    self.values.push((name, number));
                }
            }
        }
        let single = operand.strip_prefix("defined").map(plain_name);
        if let (Some(name), Some(chain)) = (single, chain)
            && !name.is_empty()
            && !operand.contains(['&', '|'])
        {
            chain.push(name);
        }
    }
}

/// A name without parentheses and spaces around it; empty if it is none.
fn plain_name(text: &str) -> String {
    let name = text.trim().trim_matches(['(', ')']).trim();
    let fine = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match fine && begins {
        true => name.to_owned(),
        false => String::new(),
    }
}

/// The choices of a selector that give a parameter set: those at which no `#error` stops the compiler.
pub fn possible(survey: &Survey, selection: &Selection, selector: &Selector) -> Vec<String> {
    let works = |choice: &&String| {
        let macros = macros(survey, selection, std::slice::from_ref(*choice));
        macros.error().is_none()
    };
    selector.choices.iter().filter(works).cloned().collect()
}

/// What all macros of the headers come to with the given definitions.
pub fn macros(survey: &Survey, selection: &Selection, defines: &[String]) -> Macros {
    let mut macros = preprocessed::predefined();
    macros.add_defines(defines);
    for &number in &selection.reached {
        let header = survey
            .sources
            .get(number)
            .is_some_and(|source| !source.is_compiled());
        if header {
            preprocessed::read(survey, number, &selection.include, &mut macros);
        }
    }
    macros
}

/// The choices that a Makefile names: nearest Makefile first, in its order.
pub fn named(selector: &Selector, makefiles: &[Makefile]) -> Option<(Vec<String>, String)> {
    makefiles.iter().find_map(|makefile| {
        let written = makefile.defines.iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        });
        let known: Vec<String> = written.filter(|d| selector.choices.contains(d)).collect();
        (!known.is_empty()).then(|| (known, makefile.name.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_chains_and_defaults() {
        let text = "#ifndef PARAMS_H\n#define PARAMS_H\n#ifndef TOY_K\n#define TOY_K 3 // default\n#endif\n\
                    #if   (TOY_K == 2)\n#define ETA 3\n#elif (TOY_K == 3) || TOY_K == 4u\n#define ETA 2\n#endif\n\
                    #if defined(TOY128)\n#define N 1\n#elif defined TOY256\n#define N 2\n#else\n#error \"x\"\n#endif\n\
                    #ifdef __AVX2__\n#endif\n#if ETA == 2\n#endif\n#if ETA == 3\n#endif\n#if !defined(Q)\n#define Q 1\n#endif\n";
        let found = Conditions::of(text);
        let toy = |value| ("TOY_K".to_owned(), value);
        assert_eq!(found.values[..3], [toy(2), toy(3), toy(4)]);
        assert_eq!(found.chains, [["TOY128", "TOY256"]]);
        assert!(!found.fixed.contains("TOY_K") && !found.fixed.contains("Q"));
        assert!(found.fixed.contains("ETA") && found.fixed.contains("N"));
    }

    #[test]
    fn platforms_choose_no_parameters() {
        assert!(chooses("TOY_K") && chooses("PARAM"));
        assert!(!chooses("__AVX2__") && !chooses("USE_NEON") && !chooses("DEBUG_LEVEL"));
    }
}
