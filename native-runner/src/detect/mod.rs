//! What an unpacked package holds: instances, their sources, and how sure that is.
//!
//! Everything is read as text. Makefiles are hints, nothing is executed. What is found becomes a `kem.toml`
//! with comments on what was guessed and from what, and notes on what a person has to settle.

mod description;
mod duplicates;
mod facts;
mod instance;
mod interface;
mod kat;
mod layout;
mod makefile;
mod meta;
mod naming;
mod note;
mod parameters;
mod patterns;
pub mod pqclean;
mod preprocessed;
mod roles;
mod selection;
mod sets;
mod settle;
mod survey;
mod technique;
#[cfg(test)]
mod tests;

pub use description::{is_untouched, kem_toml, sealed};
pub use layout::packages;
pub use note::{Note, NoteKind};

use crate::catalog;
use crate::package::PackageError;
use crate::package::file::{Entry, InstanceRemarks, PackageFile, Remarks, Settings};
use crate::package::tree::Root;
use instance::Draft;
use interface::{Place, places};
use kemscope_schema::Category;
use note::Notes;
use std::path::Path;
use survey::Survey;

/// A description of a package that was made by looking at it.
#[derive(Debug)]
pub struct Detected {
    /// The description; without instances if none was found.
    pub file: PackageFile,
    /// Comments on it.
    pub remarks: Remarks,
    /// What a person should know.
    pub notes: Vec<Note>,
}

/// Looks at the package in a folder.
///
/// # Errors
/// If its files cannot be read.
pub fn detect(folder: &Path) -> Result<Detected, PackageError> {
    let survey = Survey::of(Root::of(folder)?)?;
    let mut notes = Notes::default();
    for refused in &survey.tree.refused {
        notes.left_out(&refused.name, refused.why.clone());
    }
    let places = places(&survey);
    if places.is_empty() {
        notes.unknown("", nothing_found(&survey));
    }
    let family = family(&survey, &places, &mut notes);
    let mut drafts: Vec<Draft> = Vec::new();
    for place in &places {
        let found = instance::drafts(&survey, &places, place, &family.name, &mut notes);
        drafts.extend(found);
    }
    settle::names(&mut drafts, &mut notes);
    let tests = kat::Tests::of(&survey);
    for number in 0..drafts.len() {
        settle::test(&mut drafts, number, &survey, &tests, &mut notes);
    }
    let portable = ["reference", "clean", "portable"];
    drafts.sort_by_cached_key(|draft| {
        let variant = draft.entry.settings.variant();
        let first = !portable.contains(&variant);
        (natural(&draft.entry.name.text), first, variant.to_owned())
    });
    let (instances, about): (Vec<Entry>, Vec<InstanceRemarks>) = drafts
        .into_iter()
        .map(|draft| (draft.entry, draft.remarks))
        .unzip();
    let mut remarks = family.remarks;
    remarks.instances = about;
    let file = PackageFile {
        id: family.id,
        name: family.name,
        category: family.category,
        source: Some(family.source),
        defaults: Settings::default(),
        instances,
    };
    Ok(Detected {
        file,
        remarks,
        notes: notes.sorted(),
    })
}

fn nothing_found(survey: &Survey) -> String {
    let wanted =
        "kem_keygen (NGCC), crypto_kem_keypair (NIST) or <PREFIX>_crypto_kem_keypair (PQClean)";
    match interface::is_declared(survey) {
        true => format!("the package declares a KEM, but no source in it defines {wanted}"),
        false => format!("no source defines {wanted}: is this an unpacked KEM package?"),
    }
}

/// The family of a package.
struct FamilyDraft {
    id: String,
    name: String,
    category: Option<Category>,
    source: String,
    remarks: Remarks,
}

fn family(survey: &Survey, places: &[Place], notes: &mut Notes) -> FamilyDraft {
    let folder = layout::name(survey.root.path());
    let mut remarks = Remarks::default();
    let names = instance::likely_names(places);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let known = known_family(&folder, naming::stem(&names).as_deref());
    let about_id = "identifier of the family in the data sets";
    if let Some(family) = known {
        let text = format!("{about_id}; known under this number or name");
        remarks.package.insert("id", vec![text]);
        return FamilyDraft {
            source: folder,
            id: family.id,
            name: family.name,
            category: family.category,
            remarks,
        };
    }
    let id = naming::family_id(&folder).unwrap_or_else(|| {
        notes.unknown(
            "",
            "the folder's name gives no identifier for the family: set id",
        );
        "unnamed".to_owned()
    });
    let name = naming::family_name(&folder);
    let guessed = format!("{about_id}; guessed from the folder's name");
    remarks.package.insert("id", vec![guessed]);
    notes.guess(
        "",
        format!("family {id}, called {name}, after the folder's name"),
    );
    remarks.package.insert(
        "category",
        vec!["category is not known; lattice, code, isogeny or pre-quantum".to_owned()],
    );
    FamilyDraft {
        source: folder,
        id,
        name,
        category: None,
        remarks,
    }
}

/// The family of the built-in list that a folder's name or the instances' names mean.
fn known_family(folder: &str, stem: Option<&str>) -> Option<kemscope_schema::Family> {
    let families = catalog::families().ok()?;
    let id = naming::family_id(folder);
    let name = naming::family_name(folder);
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let by_id = families.iter().find(|f| Some(&f.id) == id.as_ref());
    let by_name = || families.iter().find(|f| same(&f.name, &name));
    let by_stem = || {
        families
            .iter()
            .find(|f| stem.is_some_and(|stem| same(&f.name, stem)))
    };
    by_id.or_else(by_name).or_else(by_stem).cloned()
}

/// Orders names as people do: numbers in them by their size.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (word, behind) = rest.split_at(words);
        let digits = behind
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(behind.len());
        let (number, behind) = behind.split_at(digits);
        parts.push((word.to_lowercase(), number.parse().unwrap_or(0)));
        rest = behind;
    }
    parts
}
