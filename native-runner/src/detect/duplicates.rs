//! Names that two sources of an implementation define: only one of the sources can be meant.

use super::makefile::Makefile;
use super::note::Notes;
use super::preprocessed::{predefined, read};
use super::roles::LeftOut;
use super::selection::Selection;
use super::survey::{Kind, Survey};
use crate::csource::Symbols;
use std::collections::BTreeMap;

/// Takes out what a Makefile does not list of sources that define the same, and tells of those that no Makefile
/// decides. `about` is what the implementation is called in notes.
pub fn settle(
    survey: &Survey,
    chosen: &mut Selection,
    makefiles: &[Makefile],
    about: &str,
    notes: &mut Notes,
) {
    let file = |number: usize| &survey.sources[number].file;
    for (name, first, second) in found(survey, chosen) {
        let still = |number: &usize| chosen.sources.contains(number);
        if !(still(&first) && still(&second)) {
            continue;
        }
        let listed =
            |number: usize, makefile: &Makefile| makefile.sources.contains(file(number).base());
        let decides = |makefile: &&Makefile| listed(first, makefile) != listed(second, makefile);
        let (one, other) = (&file(first).name, &file(second).name);
        let Some(makefile) = makefiles.iter().find(decides) else {
            notes.unknown(
                about,
                format!("{one} and {other} both define {name}: put the one that is not meant into exclude"),
            );
            continue;
        };
        let (kept, gone) = match listed(first, makefile) {
            true => (one, second),
            false => (other, first),
        };
        let why = LeftOut::Makefile {
            other: kept.clone(),
            makefile: makefile.name.clone(),
        };
        chosen.sources.remove(&gone);
        chosen.shared.remove(&gone);
        chosen.left_out.insert(gone, why);
    }
}

/// Names that two sources define, under the conditions that hold here; each pair of sources once.
fn found(survey: &Survey, chosen: &Selection) -> Vec<(String, usize, usize)> {
    let mut definers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &number in &chosen.sources {
        for name in &survey.sources[number].symbols.defined {
            definers.entry(name).or_default().push(number);
        }
    }
    let mut found: Vec<(String, usize, usize)> = Vec::new();
    for (name, numbers) in definers {
        // Looked into only where it matters: what the preprocessor leaves of each.
        let mut really = numbers
            .iter()
            .filter(|&&number| numbers.len() > 1 && active(survey, chosen, number).defines(name));
        if let (Some(&first), Some(&second)) = (really.next(), really.next())
            && !found.iter().any(|(_, a, b)| (*a, *b) == (first, second))
        {
            found.push((name.to_owned(), first, second));
        }
    }
    found
}

fn active(survey: &Survey, chosen: &Selection, number: usize) -> Symbols {
    let source = &survey.sources[number];
    if source.kind == Kind::Assembler {
        return source.symbols.clone();
    }
    let mut macros = predefined();
    Symbols::of(&read(survey, number, &chosen.include, &mut macros))
}
