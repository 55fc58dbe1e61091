//! Which sources an implementation consists of: those of its own folder without drivers and tests, and of the
//! sources that several share those that it needs.

use super::duplicates;
use super::interface::{Interface, Place};
use super::makefile::Makefile;
use super::note::Notes;
use super::roles::{LeftOut, left_out};
use super::survey::{Source, Survey, folder_of, lies_in, nearness};
use crate::csource::{Include, Symbols};
use std::collections::{BTreeMap, BTreeSet};

/// What an implementation consists of.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Numbers of the sources to compile.
    pub sources: BTreeSet<usize>,
    /// Sources of its folder that are not compiled.
    pub left_out: BTreeMap<usize, LeftOut>,
    /// Sources from outside its folder, and the name that is needed of each.
    pub shared: BTreeMap<usize, String>,
    /// Folders for the include path, in order.
    pub include: Vec<String>,
    /// Numbers of all sources and headers that go into it.
    pub reached: BTreeSet<usize>,
    /// Names of headers of the system that it includes.
    pub system: BTreeSet<String>,
}

/// Headers that every C library has: one of the same name in a package is not meant by `<…>`.
const STANDARD: [&str; 12] = [
    "assert.h",
    "errno.h",
    "inttypes.h",
    "limits.h",
    "math.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
];

/// Chooses the sources of an implementation. `about` is what it is called in notes.
pub fn select(
    survey: &Survey,
    places: &[Place],
    place: &Place,
    makefiles: &[Makefile],
    about: &str,
    notes: &mut Notes,
) -> Selection {
    let mut selector = Selector {
        survey,
        places,
        place,
        about,
        notes,
        chosen: Selection::default(),
    };
    selector.own();
    selector.follow();
    let mut chosen = selector.chosen;
    duplicates::settle(survey, &mut chosen, makefiles, about, notes);
    chosen
}

struct Selector<'a> {
    survey: &'a Survey,
    places: &'a [Place],
    place: &'a Place,
    about: &'a str,
    notes: &'a mut Notes,
    chosen: Selection,
}

impl Selector<'_> {
    fn source(&self, number: usize) -> &Source {
        &self.survey.sources[number]
    }

    fn name(&self, number: usize) -> &str {
        &self.survey.sources[number].file.name
    }

    /// Whether a file belongs to this implementation by the folder that it lies in.
    fn is_own(&self, name: &str) -> bool {
        let nested = |other: &Place| {
            other.folder != self.place.folder
                && lies_in(&other.folder, &self.place.folder)
                && lies_in(name, &other.folder)
        };
        lies_in(name, &self.place.folder) && !self.places.iter().any(nested)
    }

    /// Whether a file belongs to another implementation.
    fn is_of_another(&self, name: &str) -> bool {
        let holds = |other: &Place| {
            other.folder != self.place.folder
                && !lies_in(&self.place.folder, &other.folder)
                && lies_in(name, &other.folder)
        };
        self.places.iter().any(holds)
    }

    /// The sources of the own folder.
    fn own(&mut self) {
        let (survey, folder) = (self.survey, self.place.folder.clone());
        for (number, source) in survey.sources.iter().enumerate() {
            if !source.is_compiled() || !self.is_own(&source.file.name) {
                continue;
            }
            match left_out(source, &self.place.interface, &folder) {
                Some(why) => {
                    self.chosen.left_out.insert(number, why);
                }
                None => {
                    self.chosen.sources.insert(number);
                }
            }
        }
        let included: Vec<(usize, String)> = self
            .chosen
            .sources
            .iter()
            .flat_map(|&by| survey.sources[by].includes.iter().map(move |i| (by, i)))
            .filter_map(|(by, include)| {
                let by = &survey.sources[by].file.name;
                let found = survey.resolve(include, by, &[])?;
                Some((survey.number(&found)?, by.clone()))
            })
            .collect();
        for (number, by) in included {
            if self.chosen.sources.len() > 1 && self.chosen.sources.remove(&number) {
                self.chosen.left_out.insert(number, LeftOut::Included(by));
            }
        }
    }

    /// Follows includes and missing names until nothing new comes up.
    fn follow(&mut self) {
        let mut queue: Vec<usize> = self.chosen.sources.iter().copied().collect();
        loop {
            while let Some(number) = queue.pop() {
                if self.chosen.reached.insert(number) {
                    queue.extend(self.included(number));
                }
            }
            let Some(number) = self.missing() else {
                return;
            };
            self.chosen.sources.insert(number);
            queue.push(number);
        }
    }

    /// What a file includes, with the folders for it put on the include path.
    fn included(&mut self, number: usize) -> Vec<usize> {
        let survey = self.survey;
        let from = &survey.sources[number].file.name;
        let mut found = Vec::new();
        for include in &survey.sources[number].includes {
            let resolved = survey
                .resolve(include, from, &self.chosen.include)
                .or_else(|| self.search(include, from));
            match resolved {
                Some(name) => found.extend(survey.number(&name)),
                None => self.note_absent(include, from),
            }
        }
        found
    }

    /// Looks for an included file in the whole package, and puts its folder on the include path.
    fn search(&mut self, include: &Include, from: &str) -> Option<String> {
        let name = include.name.as_deref()?;
        if !include.quoted && STANDARD.contains(&name) {
            return None;
        }
        let mut candidates: Vec<&str> = self
            .survey
            .elsewhere(name)
            .into_iter()
            .map(|file| file.name.as_str())
            .collect();
        if self.place.interface.supplied_headers().contains(&name) {
            // What the runner brings is not borrowed from another implementation.
            candidates.retain(|file| !self.is_of_another(file));
        }
        candidates.sort_by_key(|file| self.distance(file));
        let best = (*candidates.first()?).to_owned();
        let folder = best.strip_suffix(name).unwrap_or_default();
        let folder = folder.trim_end_matches('/').to_owned();
        if let Some(second) = candidates.get(1)
            && self.distance(second) == self.distance(&best)
        {
            self.notes.guess(
                self.about,
                format!("{from} includes {name}, which is {best} or {second}: the first was taken"),
            );
        }
        if !self.chosen.include.contains(&folder) {
            self.chosen.include.push(folder);
        }
        Some(best)
    }

    /// Orders files by how likely they are meant: the own ones, then those of nobody else, then the nearest.
    fn distance(&self, name: &str) -> (bool, bool, std::cmp::Reverse<usize>) {
        let near = nearness(folder_of(name), &self.place.folder);
        (
            !self.is_own(name),
            self.is_of_another(name),
            std::cmp::Reverse(near),
        )
    }

    fn note_absent(&mut self, include: &Include, from: &str) {
        match &include.name {
            None => self.notes.guess(
                self.about,
                format!(
                    "{from} includes a file whose name is a macro (line {}): its folder may be missing in include",
                    include.line
                ),
            ),
            Some(name) if include.quoted => {
                let supplied = self.place.interface.supplied_headers();
                if !supplied.contains(&name.as_str()) {
                    self.notes.unknown(
                        self.about,
                        format!(
                            "{from} includes \"{name}\" (line {}), which the package does not have",
                            include.line
                        ),
                    );
                }
            }
            Some(name) => {
                self.chosen.system.insert(name.clone());
            }
        }
    }

    /// A source that defines a name which is used and not defined yet.
    fn missing(&mut self) -> Option<usize> {
        let survey = self.survey;
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for &number in &self.chosen.reached {
            let symbols = &survey.sources[number].symbols;
            let lists = [&symbols.macros, &symbols.local];
            let lists = lists
                .into_iter()
                .filter(|_| !survey.sources[number].is_compiled());
            known.extend(lists.flatten().map(String::as_str));
            known.extend(symbols.defined.iter().map(String::as_str));
        }
        let wanted: BTreeSet<&str> = self
            .chosen
            .reached
            .iter()
            .flat_map(|&number| survey.sources[number].symbols.wanted())
            .map(String::as_str)
            .filter(|name| !known.contains(name))
            .collect();
        for name in wanted {
            let mut definers: Vec<usize> = survey.definers(name).to_vec();
            definers.retain(|&number| self.may_be_shared(number, name));
            definers.sort_by_key(|&number| self.distance(self.name(number)));
            if let Some(&number) = definers.first() {
                self.note_choice(name, number, definers.get(1).copied());
                self.chosen.shared.insert(number, name.to_owned());
                return Some(number);
            }
            if let Some(number) = self.needed_after_all(name) {
                return Some(number);
            }
        }
        None
    }

    /// Whether a source from elsewhere in the package may be what defines a name.
    fn may_be_shared(&self, number: usize, name: &str) -> bool {
        let source = self.source(number);
        let interface = &self.place.interface;
        let file = &source.file.name;
        let there = |&other: &usize| {
            // Also under another name.
            other == number || self.source(other).file.real == source.file.real
        };
        let no_part = self.is_own(file)
            || defines_an_interface(&source.symbols)
            || left_out(source, interface, "").is_some()
            // What the runner brings is not borrowed from another implementation.
            || (interface.supplies(name) && self.is_of_another(file));
        !no_part && !self.chosen.sources.iter().any(there)
    }

    fn note_choice(&mut self, name: &str, number: usize, second: Option<usize>) {
        let best = self.name(number).to_owned();
        if self.is_of_another(&best) {
            let text = format!(
                "{name} comes from {best}, which lies in the folder of another implementation"
            );
            self.notes.guess(self.about, text);
        }
        if let Some(second) = second
            && self.distance(self.name(second)) == self.distance(&best)
            && self.source(second).text != self.source(number).text
        {
            let text = format!(
                "{name} is defined by {best} and by {}: the first was taken",
                self.name(second)
            );
            self.notes.guess(self.about, text);
        }
    }

    /// A source of the own folder that was left out and is needed nevertheless.
    fn needed_after_all(&mut self, name: &str) -> Option<usize> {
        let survey = self.survey;
        let defines = |number: &&usize| survey.sources[**number].symbols.defines(name);
        let number = *self.chosen.left_out.keys().find(defines)?;
        let file = self.name(number).to_owned();
        match self.chosen.left_out.get(&number)? {
            LeftOut::Included(_) | LeftOut::Makefile { .. } => None,
            LeftOut::Randomness => {
                if !self.place.interface.supplies(name) {
                    self.notes.unknown(
                        self.about,
                        format!(
                            "{file} is left out because it defines randombytes, but it also defines {name}, which is \
                             needed: move that into a file of its own"
                        ),
                    );
                }
                None
            }
            why => {
                let why = why.to_string();
                self.chosen.left_out.remove(&number);
                self.notes.guess(
                    self.about,
                    format!("{file} {why}, but {name} is needed from it: it is compiled"),
                );
                Some(number)
            }
        }
    }
}

fn defines_an_interface(symbols: &Symbols) -> bool {
    let ends = |name: &String| name == "kem_keygen" || name.ends_with("crypto_kem_keypair");
    symbols.defined.iter().any(ends)
}

impl Interface {
    /// Whether `api.h` has to be found by what the runner adds to a library.
    pub fn needs_api_header(&self) -> bool {
        *self != Interface::Iccs
    }
}
