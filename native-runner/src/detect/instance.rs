//! From an implementation that was found to the `[[instance]]` that describes it.

use super::facts::{self, Facts};
use super::interface::{Interface, Place};
use super::kat::{Tests, Wanted};
use super::makefile::{self, Makefile};
use super::naming;
use super::note::Notes;
use super::parameters::{self, Selector};
use super::patterns;
use super::selection::{self, Selection};
use super::survey::Survey;
use super::technique;
use crate::package::file::{Entry, InstanceRemarks, Located, Settings};
use std::collections::BTreeSet;

/// An instance as far as it is known.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What goes into the file.
    pub entry: Entry,
    /// Comments on it.
    pub remarks: InstanceRemarks,
    folder: String,
    folder_name: Option<String>,
    interface: Interface,
    secret_key_bytes: Option<u64>,
}

/// Names that implementations have by their folders: for guessing the family.
pub fn likely_names(places: &[Place]) -> Vec<String> {
    let names = places
        .iter()
        .filter_map(|place| naming::of_path(&place.folder).instance);
    names.collect()
}

/// The instances of one implementation: one, or one for each parameter set that macros choose.
pub fn drafts(
    survey: &Survey,
    places: &[Place],
    place: &Place,
    family: &str,
    notes: &mut Notes,
) -> Vec<Draft> {
    let path = naming::of_path(&place.folder);
    let makefiles = makefile::of_folder(survey, &place.folder);
    let about = match (&path.instance, place.folder.is_empty()) {
        (Some(name), _) => name.clone(),
        (None, true) => family.to_owned(),
        (None, false) => place.folder.clone(),
    };
    let chosen = selection::select(survey, places, place, &makefiles, &about, notes);
    for (&number, why) in &chosen.left_out {
        notes.left_out(&survey.sources[number].file.name, why.to_string());
    }
    if chosen.sources.is_empty() {
        notes.unknown(
            &about,
            "all its sources look like drivers or tests: nothing is left to compile",
        );
        return Vec::new();
    }
    let drafter = Drafter {
        survey,
        place,
        path,
        makefiles,
        about,
        family,
        chosen,
    };
    let sets = drafter.parameter_sets(notes);
    let facts: Vec<Facts> = sets.iter().map(|set| drafter.facts(&set.defines)).collect();
    let names = drafter.names(&sets, &facts);
    sets.iter()
        .zip(facts)
        .zip(names)
        .map(|((set, facts), name)| drafter.draft(set, facts, name, notes))
        .collect()
}

struct Drafter<'a> {
    survey: &'a Survey,
    place: &'a Place,
    path: naming::Path,
    makefiles: Vec<Makefile>,
    about: String,
    family: &'a str,
    chosen: Selection,
}

/// The definitions of one parameter set.
#[derive(Clone, Debug, Default)]
struct ParameterSet {
    defines: Vec<String>,
    /// What tells it from others of the same sources; `None` if there are none.
    suffix: Option<String>,
    remark: Option<String>,
}

/// A name, and where it is from.
struct Name {
    text: String,
    remark: Option<String>,
}

impl Drafter<'_> {
    fn facts(&self, defines: &[String]) -> Facts {
        let keygen = self.place.interface.keygen();
        Facts::of(self.survey, &self.chosen, defines, &keygen)
    }

    /// The definitions that choose parameter sets; one set without any where there is no choice.
    fn parameter_sets(&self, notes: &mut Notes) -> Vec<ParameterSet> {
        let mut fixed = ParameterSet::default();
        let mut open: Vec<(Selector, Vec<String>, String)> = Vec::new();
        for selector in parameters::selectors(self.survey, &self.chosen) {
            let mut choices = parameters::possible(self.survey, &self.chosen, &selector);
            if choices.is_empty() {
                choices = selector.choices.clone();
            }
            if !self.matters(&choices) {
                continue;
            }
            let mut from = format!("the conditions in {}", selector.file);
            if let Some((named, makefile)) = parameters::named(&selector, &self.makefiles) {
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
                    notes.guess(&self.about, format!("defines {one}, from {from}"));
                }
                _ => open.push((selector, choices, from)),
            }
        }
        match open.as_slice() {
            [] => vec![fixed],
            [(_, choices, from)] => {
                let listed = choices.join(", ");
                let text = format!("parameter sets {listed}, from {from}");
                notes.guess(&self.about, text);
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
                    &self.about,
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
            let macros =
                parameters::macros(self.survey, &self.chosen, std::slice::from_ref(choice));
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
        let name = self.path.instance.as_deref()?;
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

    /// The names of the parameter sets.
    fn names(&self, sets: &[ParameterSet], facts: &[Facts]) -> Vec<Name> {
        let folder = self.path.instance.as_deref().and_then(naming::as_name);
        let base = || {
            let family = naming::as_name(self.family);
            folder
                .clone()
                .or(family)
                .unwrap_or_else(|| "unnamed".to_owned())
        };
        let headers: BTreeSet<&String> = facts.iter().filter_map(|f| f.name.as_ref()).collect();
        let all_named = headers.len() == sets.len();
        let name = |(set, facts): (&ParameterSet, &Facts)| match (&facts.name, &set.suffix) {
            (Some(header), _) if all_named => Name {
                text: header.clone(),
                remark: match &folder {
                    Some(folder) if folder != header && set.suffix.is_none() => {
                        Some(format!("as its header says; the folder is called {folder}"))
                    }
                    _ => None,
                },
            },
            (_, Some(suffix)) => Name {
                text: format!("{}-{suffix}", base()),
                remark: Some("guessed from the definition that chooses it".to_owned()),
            },
            (_, None) => Name {
                text: base(),
                remark: folder
                    .is_none()
                    .then(|| "guessed from the package's name".to_owned()),
            },
        };
        sets.iter().zip(facts).map(name).collect()
    }

    fn draft(&self, set: &ParameterSet, facts: Facts, name: Name, notes: &mut Notes) -> Draft {
        let mut remarks = InstanceRemarks::default();
        let mut settings = Settings {
            abi: Some(self.place.interface.abi()),
            namespace: self.place.interface.namespace().map(str::to_owned),
            defines: set.defines.clone(),
            ..Settings::default()
        };
        if let Some(remark) = name.remark {
            remarks.keys.insert("name", vec![remark]);
        }
        if let Some(remark) = &set.remark {
            remarks.keys.insert("defines", vec![remark.clone()]);
        }
        settings.variant = Some(self.path.variant.clone().unwrap_or_else(|| {
            let text = "no folder names the variant";
            remarks.keys.insert("variant", vec![text.to_owned()]);
            "reference".to_owned()
        }));
        self.list_sources(&mut settings, &mut remarks);
        technique::describe(
            &technique::Context {
                survey: self.survey,
                chosen: &self.chosen,
                makefiles: &self.makefiles,
                architecture: self.path.architecture,
                variant: self.path.variant.as_deref().unwrap_or_default(),
                about: &name.text,
            },
            &mut settings,
            &mut remarks,
            notes,
        );
        self.security(&name.text, &facts, &mut settings, &mut remarks, notes);
        if let Some(renamed) = facts.renamed {
            notes.unknown(
                &name.text,
                format!(
                    "{renamed} is a macro: the library's functions have other names, which the runner does not find"
                ),
            );
        }
        Draft {
            entry: Entry {
                name: name.text.into(),
                settings,
            },
            remarks,
            folder: self.place.folder.clone(),
            folder_name: self.path.instance.as_deref().and_then(naming::as_name),
            interface: self.place.interface.clone(),
            secret_key_bytes: facts.secret_key_bytes,
        }
    }

    fn list_sources(&self, settings: &mut Settings, remarks: &mut InstanceRemarks) {
        let lists = patterns::lists(self.survey, &self.chosen.sources);
        for name in &lists.exclude {
            let number = self.survey.number(name);
            let why = number.and_then(|number| self.chosen.left_out.get(&number));
            let why = why.map_or("is not needed".to_owned(), ToString::to_string);
            remarks.items.insert(name.clone(), why);
        }
        let shared = self.chosen.shared.iter();
        for (number, needed) in shared.filter(|(number, _)| self.chosen.sources.contains(number)) {
            let file = &self.survey.sources[*number].file;
            if lists.sources.contains(&file.name) {
                remarks
                    .items
                    .insert(file.name.clone(), format!("shared; has {needed}"));
            }
        }
        let located = |list: Vec<String>| list.into_iter().map(Located::from).collect();
        settings.sources = located(lists.sources);
        settings.exclude = located(lists.exclude);
        let mut include = self.chosen.include.clone();
        if self.place.interface.needs_api_header() {
            include.extend(facts::api_header(self.survey, &self.chosen));
        }
        if include.is_empty() {
            include.push(self.place.folder.clone());
        }
        let mut seen = BTreeSet::new();
        include.retain(|folder| seen.insert(folder.clone()));
        let named = |folder: String| {
            if folder.is_empty() {
                ".".to_owned()
            } else {
                folder
            }
        };
        settings.include = located(include.into_iter().map(named).collect());
    }

    fn security(
        &self,
        name: &str,
        facts: &Facts,
        settings: &mut Settings,
        remarks: &mut InstanceRemarks,
        notes: &mut Notes,
    ) {
        if self.place.interface != Interface::Iccs {
            match &facts.nist_category {
                Some((category, from)) => {
                    settings.nist_category = Some(*category);
                    remarks
                        .keys
                        .insert("nist_category", vec![format!("stated by {from}")]);
                }
                None => {
                    let text = "nist_category (1 to 5) is not stated by the package";
                    remarks.keys.insert("nist_category", vec![text.to_owned()]);
                    notes.unknown(name, "the claimed NIST category: set nist_category");
                }
            }
            return;
        }
        let from_name = naming::target_bits(name);
        match (&facts.target_bits, from_name) {
            (Some((bits, from)), _) => {
                settings.target_bits = Some(*bits);
                remarks
                    .keys
                    .insert("target_bits", vec![format!("stated by {from}")]);
            }
            (None, Some(bits)) => {
                settings.target_bits = Some(bits);
                let text = "guessed from the name";
                remarks.keys.insert("target_bits", vec![text.to_owned()]);
                notes.guess(name, format!("security target {bits} bits, from its name"));
            }
            (None, None) => {
                let text = "target_bits (128, 256 or 512) is not stated by the package";
                remarks.keys.insert("target_bits", vec![text.to_owned()]);
                notes.unknown(name, "the security target: set target_bits");
            }
        }
    }
}

/// What tells a parameter set from others: the value of its definition, or the name that is defined.
fn suffix(choice: &str) -> String {
    let text = choice.split_once('=').map_or(choice, |(_, value)| value);
    text.to_owned()
}

/// Gives instances that would have the same name and variant other ones.
pub fn settle_names(drafts: &mut [Draft], notes: &mut Notes) {
    let key = |draft: &Draft| {
        let name = draft.entry.name.text.to_lowercase();
        (name, draft.entry.settings.variant().to_lowercase())
    };
    // Headers that were copied with their names: the folders know better.
    let clashing: Vec<usize> = (0..drafts.len())
        .filter(|&number| {
            let same = |other: &&Draft| key(other) == key(&drafts[number]);
            drafts.iter().filter(same).count() > 1
        })
        .collect();
    for number in clashing {
        let draft = &mut drafts[number];
        let name = draft.entry.name.text.clone();
        if let Some(folder) = draft.folder_name.clone().filter(|folder| *folder != name) {
            let text =
                format!("as its folder; its header says {name}, as that of another instance does");
            draft.remarks.keys.insert("name", vec![text.clone()]);
            notes.guess(&folder, format!("called {text}"));
            draft.entry.name = folder.into();
        }
    }
    let mut seen: Vec<((String, String), String)> = Vec::new();
    for draft in drafts {
        let first = seen.iter().find(|(other, _)| *other == key(draft));
        let Some((_, first)) = first.cloned() else {
            seen.push((key(draft), draft.folder.clone()));
            continue;
        };
        let variant = draft.entry.settings.variant().to_owned();
        let name = draft.entry.name.text.clone();
        let free = (2..).find(|number| {
            let wanted = (
                name.to_lowercase(),
                format!("{variant}-{number}").to_lowercase(),
            );
            !seen.iter().any(|(other, _)| *other == wanted)
        });
        let new = format!("{variant}-{}", free.unwrap_or(2));
        let text = format!(
            "{} is {variant} of {name} as {first} is: called {new}; keep one, or give it a name that tells them apart",
            shown(&draft.folder)
        );
        notes.unknown(&name, text.clone());
        draft.remarks.keys.insert("variant", vec![text]);
        draft.entry.settings.variant = Some(new);
        seen.push((key(draft), draft.folder.clone()));
    }
}

fn shown(folder: &str) -> &str {
    if folder.is_empty() {
        "the package's folder"
    } else {
        folder
    }
}

/// Finds the known-answer test of one of the instances.
pub fn find_test(
    drafts: &mut [Draft],
    number: usize,
    survey: &Survey,
    tests: &Tests,
    notes: &mut Notes,
) {
    let alone = drafts.len() == 1;
    let Some(draft) = drafts.get_mut(number) else {
        return;
    };
    let name = draft.entry.name.text.clone();
    let found = tests.of_instance(
        survey,
        &Wanted {
            name: &name,
            also: draft.folder_name.as_deref(),
            folder: &draft.folder,
            interface: &draft.interface,
            secret_key_bytes: draft.secret_key_bytes,
            alone,
        },
    );
    let unknown = match found {
        Ok(Some(found)) => {
            draft.entry.settings.kat = found.entry;
            draft.remarks.keys.insert("kat", vec![found.remark]);
            return;
        }
        Ok(None) => "no known-answer test: neither a text nor a manifest has its name".to_owned(),
        Err(why) => format!("its known-answer test: {why}"),
    };
    draft.remarks.keys.insert("kat", vec![unknown.clone()]);
    notes.unknown(&name, unknown);
}
