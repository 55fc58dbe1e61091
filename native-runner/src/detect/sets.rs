//! The parameter sets of one set of sources: one, or one for each choice of macros.

use super::makefile::Makefile;
use super::note::Notes;
use super::parameters::{self, Selector};
use super::selection::Selection;
use super::survey::Survey;
use std::collections::BTreeSet;

/// The definitions of one parameter set.
#[derive(Clone, Debug, Default)]
pub struct ParameterSet {
    /// Macros, as on a command line.
    pub defines: Vec<String>,
    /// What tells it from others of the same sources; `None` if there are none.
    pub suffix: Option<String>,
    /// Where it is from.
    pub remark: Option<String>,
}

/// What is known of an implementation.
pub struct Context<'a> {
    /// The package.
    pub survey: &'a Survey,
    /// Its sources.
    pub chosen: &'a Selection,
    /// Makefiles that speak of it, nearest first.
    pub makefiles: &'a [Makefile],
    /// What its folder is called, if that may be the name of an instance.
    pub folder: Option<&'a str>,
    /// What it is called in notes.
    pub about: &'a str,
}

impl Context<'_> {
    /// The definitions that choose parameter sets; one set without any where there is no choice.
    pub fn parameter_sets(&self, notes: &mut Notes) -> Vec<ParameterSet> {
        let mut fixed = ParameterSet::default();
        let mut open: Vec<(Selector, Vec<String>, String)> = Vec::new();
        for selector in parameters::selectors(self.survey, self.chosen) {
            let mut choices = parameters::possible(self.survey, self.chosen, &selector);
            if choices.is_empty() {
                choices = selector.choices.clone();
            }
            if !self.matters(&choices) {
                continue;
            }
            let mut from = format!("the conditions in {}", selector.file);
            if let Some((named, makefile)) = parameters::named(&selector, self.makefiles) {
                choices = named;
                from = makefile;
            } else if let Some(choice) = self.choice_in_name(&choices) {
                from = format!("the folder's name and the conditions in {}", selector.file);
                choices = vec![choice];
            }
            match choices.as_slice() {
                [one] => {
                    fixed.defines.push(one.clone());
                    fixed.remark = Some(format!("guessed from {from}"));
                    notes.guess(self.about, format!("defines {one}, from {from}"));
                }
                _ => open.push((selector, choices, from)),
            }
        }
        match open.as_slice() {
            [] => vec![fixed],
            [(_, choices, from)] => {
                let listed = choices.join(", ");
                let text = format!("parameter sets {listed}, from {from}");
                notes.guess(self.about, text);
                let set = |choice: &String| ParameterSet {
                    defines: [fixed.defines.as_slice(), std::slice::from_ref(choice)].concat(),
                    suffix: Some(suffix(choice)),
                    remark: Some(format!("guessed from {from}")),
                };
                choices.iter().map(set).collect()
            }
            several => {
                let listed: Vec<String> = several.iter().map(|(s, _, _)| s.describe()).collect();
                notes.unknown(
                    self.about,
                    format!(
                        "which macros choose its parameter sets: {}; write an [[instance]] with its defines for each",
                        listed.join("; ")
                    ),
                );
                vec![fixed]
            }
        }
    }

    /// Whether the choices give different macros at all.
    fn matters(&self, choices: &[String]) -> bool {
        let own: BTreeSet<&str> = choices
            .iter()
            .map(|choice| choice.split('=').next().unwrap_or(choice))
            .collect();
        let texts = |choice: &String| {
            let macros = parameters::macros(self.survey, self.chosen, std::slice::from_ref(choice));
            let rest = macros.iter().filter(|(name, _)| !own.contains(name));
            rest.map(|(name, text)| (name.to_owned(), text.to_owned()))
                .collect::<Vec<_>>()
        };
        let mut all = choices.iter().map(texts);
        let first = all.next();
        all.any(|other| Some(other) != first)
    }

    /// The one choice whose value stands in the folder's name.
    fn choice_in_name(&self, choices: &[String]) -> Option<String> {
        let name = self.folder?;
        let numbers: Vec<&str> = name
            .split(|c: char| !c.is_ascii_digit())
            .filter(|number| !number.is_empty())
            .collect();
        let mut fitting = choices.iter().filter(|choice| {
            let value: String = choice.chars().filter(char::is_ascii_digit).collect();
            numbers.contains(&choice.split_once('=').map_or(value.as_str(), |(_, v)| v))
        });
        let first = fitting.next()?;
        fitting.next().is_none().then(|| first.clone())
    }
}

/// What tells a parameter set from others: the value of its definition, or the name that is defined.
fn suffix(choice: &str) -> String {
    let text = choice.split_once('=').map_or(choice, |(_, value)| value);
    text.to_owned()
}
