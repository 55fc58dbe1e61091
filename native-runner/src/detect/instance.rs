//! From an implementation that was found to the `[[instance]]` that describes it.

use super::facts::{self, Facts};
use super::interface::{Interface, Place};
use super::makefile::{self, Makefile};
use super::meta;
use super::naming;
use super::note::Notes;
use super::patterns;
use super::selection::{self, Selection};
use super::sets::{self, ParameterSet};
use super::survey::{Survey, folder_of};
use super::technique;
use crate::package::api_header;
use crate::package::file::{Entry, InstanceRemarks, Located, Settings};
use std::collections::BTreeSet;

/// An instance as far as it is known.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What goes into the file.
    pub entry: Entry,
    /// Comments on it.
    pub remarks: InstanceRemarks,
    /// Its folder.
    pub folder: String,
    /// What its folder is called, if that may be its name.
    pub folder_name: Option<String>,
    /// Its interface.
    pub interface: Interface,
    /// Bytes of its secret key, where they are stated.
    pub secret_key_bytes: Option<u64>,
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
    let context = sets::Context {
        survey,
        chosen: &chosen,
        makefiles: &makefiles,
        folder: path.instance.as_deref(),
        about: &about,
    };
    let sets = context.parameter_sets(notes);
    let drafter = Drafter {
        survey,
        interface: interface(survey, &chosen, &place.interface),
        place,
        path,
        makefiles,
        family,
        chosen,
    };
    let facts: Vec<Facts> = sets.iter().map(|set| drafter.facts(&set.defines)).collect();
    let names = drafter.names(&sets, &facts);
    sets.iter()
        .zip(facts)
        .zip(names)
        .map(|((set, facts), name)| drafter.draft(set, facts, name, notes))
        .collect()
}

/// The interface that a library has in the end: names without a prefix may be macros for those with one, which
/// `api.h` declares.
fn interface(survey: &Survey, chosen: &Selection, written: &Interface) -> Interface {
    let declared = || {
        let header = facts::api_header(survey, chosen)?;
        let source = survey.sources.get(survey.number(&header)?)?;
        api_header::namespace(&source.file.path, &source.text).ok()
    };
    match written {
        Interface::Nist => declared().map_or(Interface::Nist, Interface::Pqclean),
        other => other.clone(),
    }
}

struct Drafter<'a> {
    survey: &'a Survey,
    place: &'a Place,
    interface: Interface,
    path: naming::Path,
    makefiles: Vec<Makefile>,
    family: &'a str,
    chosen: Selection,
}

/// An instance as it is called: in notes, and by its name alone.
struct Subject<'a> {
    about: &'a str,
    name: &'a str,
}

/// A name, and where it is from.
struct Name {
    text: String,
    remark: Option<String>,
}

impl Drafter<'_> {
    fn facts(&self, defines: &[String]) -> Facts {
        let keygen = self.interface.keygen();
        Facts::of(self.survey, &self.chosen, defines, &keygen)
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
            abi: Some(self.interface.abi()),
            namespace: self.interface.namespace().map(str::to_owned),
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
        let about = format!("{}/{}", name.text, settings.variant());
        self.list_sources(&mut settings, &mut remarks);
        if self.interface.needs_api_header()
            && facts::api_header(self.survey, &self.chosen).is_none()
        {
            let text = "there is no api.h, from which the runner takes the sizes: write one";
            notes.unknown(&about, text);
        }
        technique::describe(
            &technique::Context {
                survey: self.survey,
                chosen: &self.chosen,
                makefiles: &self.makefiles,
                architecture: self.path.architecture,
                variant: self.path.variant.as_deref().unwrap_or_default(),
                about: &about,
            },
            &mut settings,
            &mut remarks,
            notes,
        );
        let subject = Subject {
            about: &about,
            name: &name.text,
        };
        self.security(&subject, &facts, &mut settings, &mut remarks, notes);
        if let Some(renamed) = facts.renamed {
            notes.unknown(
                &about,
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
            interface: self.interface.clone(),
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
        if self.interface.needs_api_header() {
            let header = facts::api_header(self.survey, &self.chosen);
            include.extend(header.map(|header| folder_of(&header).to_owned()));
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
        subject: &Subject<'_>,
        facts: &Facts,
        settings: &mut Settings,
        remarks: &mut InstanceRemarks,
        notes: &mut Notes,
    ) {
        let about = subject.about;
        if let Some((file, meta)) = meta::of(self.survey, &self.place.folder, &self.interface) {
            meta::fill(&file, &meta, settings, remarks);
            return;
        }
        if self.interface != Interface::Iccs {
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
                    notes.unknown(about, "the claimed NIST category: set nist_category");
                }
            }
            return;
        }
        let from_name = naming::target_bits(subject.name);
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
                notes.guess(about, format!("security target {bits} bits, from its name"));
            }
            (None, None) => {
                let text = "target_bits (128, 256 or 512) is not stated by the package";
                remarks.keys.insert("target_bits", vec![text.to_owned()]);
                notes.unknown(about, "the security target: set target_bits");
            }
        }
    }
}
