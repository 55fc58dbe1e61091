//! What an implementation asks of compiler, processor and system: flags, macros and libraries.

use super::makefile::Makefile;
use super::note::Notes;
use super::selection::Selection;
use super::survey::Survey;
use crate::csource::without_comments;
use crate::package::file::{InstanceRemarks, Settings, rules};

/// What is known of an implementation.
pub struct Context<'a> {
    /// The package.
    pub survey: &'a Survey,
    /// Its sources.
    pub chosen: &'a Selection,
    /// Makefiles that speak of it, nearest first.
    pub makefiles: &'a [Makefile],
    /// The instruction set that its folder names.
    pub architecture: Option<&'static str>,
    /// Its variant as its folder names it.
    pub variant: &'a str,
    /// What it is called in notes.
    pub about: &'a str,
}

/// Headers of the system that need a library, and the library.
const LIBRARIES: [(&str, &str); 6] = [
    ("gmp.h", "gmp"),
    ("mpfr.h", "mpfr"),
    ("openssl/", "crypto"),
    ("NTL/", "ntl"),
    ("flint/", "flint"),
    ("m4ri/", "m4ri"),
];

/// Macros of Makefiles that say nothing of the KEM.
const UNINTERESTING: [&str; 5] = [
    "NDEBUG",
    "_GNU_SOURCE",
    "DEBUG",
    "_POSIX_C_SOURCE",
    "_DEFAULT_SOURCE",
];

/// Fills in flags, macros, libraries and instruction sets.
pub fn describe(
    context: &Context<'_>,
    settings: &mut Settings,
    remarks: &mut InstanceRemarks,
    notes: &mut Notes,
) {
    defines(context, settings, remarks, notes);
    machine(context, settings, remarks, notes);
    libraries(context, settings, remarks, notes);
}

/// Macros that a Makefile defines and the sources ask for.
fn defines(
    context: &Context<'_>,
    settings: &mut Settings,
    remarks: &mut InstanceRemarks,
    notes: &mut Notes,
) {
    let taken: Vec<String> = settings
        .defines
        .iter()
        .map(|define| define.split('=').next().unwrap_or(define).to_owned())
        .collect();
    let texts: Vec<String> = context
        .chosen
        .reached
        .iter()
        .map(|&number| without_comments(&context.survey.sources[number].text))
        .collect();
    let asked_for = |name: &str| texts.iter().any(|text| has_word(text, name));
    for makefile in context.makefiles {
        for (name, value) in &makefile.defines {
            let several = makefile.defines.iter().filter(|(n, _)| n == name).count() > 1;
            let known = taken.contains(name)
                || settings
                    .defines
                    .iter()
                    .any(|d| d.split('=').next() == Some(name));
            if known || UNINTERESTING.contains(&name.as_str()) || !asked_for(name) {
                continue;
            }
            if several {
                notes.unknown(
                    context.about,
                    format!(
                        "{} defines {name} in several ways: set defines",
                        makefile.name
                    ),
                );
                continue;
            }
            let define = match value {
                Some(value) => format!("{name}={value}"),
                None => name.clone(),
            };
            if rules::define(&define).is_none() {
                notes.guess(
                    context.about,
                    format!("defines {define}, as {} does", makefile.name),
                );
                let text = format!("{define} as in {}", makefile.name);
                remarks.keys.entry("defines").or_default().push(text);
                settings.defines.push(define);
            }
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    })
}

/// Flags that choose instructions, and the instruction sets that have them.
fn machine(
    context: &Context<'_>,
    settings: &mut Settings,
    remarks: &mut InstanceRemarks,
    notes: &mut Notes,
) {
    let mut architecture = context.architecture;
    if let Some(makefile) = context.makefiles.iter().find(|m| !m.machine.is_empty()) {
        for flag in &makefile.machine {
            if flag.ends_with("=native") {
                // It would make the library fit for the machine that builds it alone.
                notes.guess(
                    context.about,
                    format!(
                        "{flag} of {} is left out: it differs from machine to machine",
                        makefile.name
                    ),
                );
            } else if rules::flag(flag).is_none() {
                settings.flags.push(flag.clone());
                architecture = architecture.or(architecture_of(flag));
            }
        }
        if !settings.flags.is_empty() {
            let text = format!("as in {}", makefile.name);
            notes.guess(
                context.about,
                format!("flags {} {text}", settings.flags.join(" ")),
            );
            remarks.keys.insert("flags", vec![text]);
        }
    }
    let has = |word: &str| context.variant.split('-').any(|part| part == word);
    if settings.flags.is_empty() && architecture == Some("x86_64") {
        let wanted = [
            ("avx512", "-mavx512f"),
            ("avx2", "-mavx2"),
            ("avx", "-mavx"),
        ];
        if let Some((word, flag)) = wanted.into_iter().find(|(word, _)| has(word)) {
            settings.flags.push(flag.to_owned());
            let text = format!("guessed from the folder's name ({word}); no Makefile says more");
            notes.guess(context.about, format!("flag {flag} {text}"));
            remarks.keys.insert("flags", vec![text]);
        }
    }
    settings.architectures = architecture.into_iter().map(str::to_owned).collect();
}

fn architecture_of(flag: &str) -> Option<&'static str> {
    let begins = |list: &[&str]| list.iter().any(|beginning| flag.starts_with(beginning));
    let x86 = [
        "-mavx",
        "-msse",
        "-mssse",
        "-maes",
        "-mbmi",
        "-mpclmul",
        "-mpopcnt",
        "-mfma",
        "-march=x86",
        "-march=haswell",
    ];
    let arm = ["-march=armv8", "-march=armv9", "-mcpu=cortex"];
    match () {
        () if begins(&x86) => Some("x86_64"),
        () if begins(&arm) => Some("aarch64"),
        () => None,
    }
}

/// Libraries whose headers the sources include.
fn libraries(
    context: &Context<'_>,
    settings: &mut Settings,
    remarks: &mut InstanceRemarks,
    notes: &mut Notes,
) {
    for (header, library) in LIBRARIES {
        let includes = |name: &&String| {
            name.as_str() == header || header.ends_with('/') && name.starts_with(header)
        };
        if let Some(found) = context.chosen.system.iter().find(includes) {
            settings.libraries.push(library.to_owned());
            let text = format!("for <{found}>");
            notes.guess(context.about, format!("library {library}, {text}"));
            remarks.keys.entry("libraries").or_default().push(text);
        }
    }
    for makefile in context.makefiles {
        for library in &makefile.libraries {
            let ordinary =
                ["m", "c", "gcc", "pthread", "crypto", "ssl", "stdc++"].contains(&library.as_str());
            if !ordinary && !settings.libraries.contains(library) {
                notes.guess(
                    context.about,
                    format!(
                        "library {library} of {} is left out: no header asks for it",
                        makefile.name
                    ),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert!(has_word("#if TOY_K == 2", "TOY_K"));
        assert!(!has_word("TOY_KEM MY_TOY_K", "TOY_K"));
        assert!(has_word("é TOY_K é", "TOY_K"));
    }
}
