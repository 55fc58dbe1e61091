//! What can be told of instances only when all of them are seen: names that clash, and tests.

use super::instance::Draft;
use super::kat::{Tests, Wanted};
use super::note::Notes;
use super::survey::Survey;

/// Gives instances that would have the same name and variant other ones.
pub fn names(drafts: &mut [Draft], notes: &mut Notes) {
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
pub fn test(
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
    if draft.entry.settings.kat.expected.is_some() {
        return;
    }
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
    let about = format!("{name}/{}", draft.entry.settings.variant());
    notes.unknown(&about, unknown);
}
