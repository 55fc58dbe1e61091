//! Sources as a person would list them: `folder/*.c` where all but a few are meant, names where not.

use super::survey::{Survey, folder_of};
use std::collections::{BTreeMap, BTreeSet};

/// Lists for a `kem.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    /// Names and patterns.
    pub sources: Vec<String>,
    /// Names that the patterns match and that are not meant.
    pub exclude: Vec<String>,
}

/// Names of sources of one folder and extension.
#[derive(Default)]
struct Group<'a> {
    meant: Vec<&'a str>,
    other: Vec<&'a str>,
}

/// Lists that mean exactly the given sources.
pub fn lists(survey: &Survey, chosen: &BTreeSet<usize>) -> Lists {
    // By folder and extension: which are meant and which are not.
    let mut groups: BTreeMap<(&str, &str), Group<'_>> = BTreeMap::new();
    for (number, source) in survey.sources.iter().enumerate() {
        if !source.is_compiled() {
            continue;
        }
        let key = (source.file.folder(), source.file.extension());
        let group = groups.entry(key).or_default();
        match chosen.contains(&number) {
            true => group.meant.push(&source.file.name),
            false => group.other.push(&source.file.name),
        }
    }
    let mut lists = Lists::default();
    for ((folder, extension), Group { meant, other }) in groups {
        let pattern = match folder {
            "" => format!("*.{extension}"),
            folder => format!("{}/*.{extension}", glob::Pattern::escape(folder)),
        };
        // A link that leads nowhere or out of the package would be met by the pattern and refused.
        let met = |name: &str| {
            folder_of(name) == folder && name.rsplit_once('.').is_some_and(|(_, e)| e == extension)
        };
        let spoilt = survey.tree.refused.iter().any(|refused| met(&refused.name));
        if meant.len() > 1 && other.len() < meant.len() && !spoilt {
            lists.sources.push(pattern);
            lists.exclude.extend(other.into_iter().map(str::to_owned));
        } else {
            lists.sources.extend(meant.into_iter().map(str::to_owned));
        }
    }
    lists
}
