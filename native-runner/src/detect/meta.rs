//! `META.yml` of PQClean, where a package brings one.

use super::interface::Interface;
use super::survey::{Survey, folder_of, join};
use crate::package::file::{InstanceRemarks, KatEntry, KatSource, Settings};
use crate::package::{Declared, Expected, Meta};
use kemscope_schema::run::Generator;

/// The metadata of the set that an implementation in a folder belongs to, and their file.
pub fn of(survey: &Survey, folder: &str, interface: &Interface) -> Option<(String, Declared)> {
    interface.namespace()?;
    let names = [folder, folder_of(folder)].map(|folder| join(folder, "META.yml"));
    let file = names
        .into_iter()
        .flatten()
        .find_map(|name| survey.tree.get(&name))?;
    let text = std::fs::read_to_string(&file.path).ok()?;
    let meta = Meta::parse(&file.path, &text).ok()?;
    let declared = meta.declared(&file.path).ok()?;
    Some((file.name.clone(), declared))
}

/// Takes over what the metadata declare.
pub fn fill(
    file: &str,
    declared: &Declared,
    settings: &mut Settings,
    remarks: &mut InstanceRemarks,
) {
    let from = || vec![format!("as {file} says")];
    settings.nist_category = declared.nist_category;
    settings.sizes = declared.sizes;
    remarks.keys.insert("nist_category", from());
    remarks.keys.insert("sizes", from());
    let Some(kat) = &declared.kat else {
        return;
    };
    if let Expected::Digest { sha256, origin, .. } = &kat.expected {
        settings.kat = KatEntry {
            form: None,
            generator: Some(kat.generator).filter(|g| *g != Generator::NistCtrDrbg),
            expected: Some(KatSource::Digest {
                sha256: sha256.clone(),
                mode: None,
                origin: *origin,
            }),
        };
        remarks.keys.insert("kat", from());
    }
}
