//! Sources as the preprocessor of this machine's compiler would leave them.

use super::survey::Survey;
use crate::csource::{Include, Macros};

/// Takes a source into `macros` as the preprocessor would; the answer is what is left of it.
pub fn read(survey: &Survey, number: usize, include: &[String], macros: &mut Macros) -> String {
    let Some(source) = survey.sources.get(number) else {
        return String::new();
    };
    let mut open = |name: &str| {
        let wanted = Include {
            name: Some(name.to_owned()),
            quoted: true,
            line: 0,
        };
        let found = survey.resolve(&wanted, &source.file.name, include)?;
        Some(survey.sources.get(survey.number(&found)?)?.text.clone())
    };
    macros.read(&source.text, &mut open)
}

/// What the compiler of this machine defines by itself, as far as sources ask for it.
pub fn predefined() -> Macros {
    let mut macros = Macros::default();
    let machine = match std::env::consts::ARCH {
        "aarch64" => "__aarch64__",
        _ => "__x86_64__",
    };
    for name in ["__GNUC__", "__linux__", "__unix__", "__STDC__", machine] {
        macros.define(name, "1");
    }
    macros.define("__STDC_VERSION__", "199901L");
    macros
}
