//! What is known of families and systems before any figure is read: names, bases, environments.

use anyhow::{Context, Result};
use kemscope_schema::{Category, Family, System};

/// Names and bases of the families (the same form as the published list).
const FAMILIES: &str = include_str!("../catalog/families.csv");
/// The published systems with their environments.
const SYSTEMS: &str = include_str!("../catalog/systems.json");

/// The families that are known.
///
/// # Errors
/// Only if the built-in list is damaged.
pub fn families() -> Result<Vec<Family>> {
    let mut reader = csv::Reader::from_reader(FAMILIES.as_bytes());
    let mut families = Vec::new();
    for record in reader.records() {
        let record = record.context("the built-in list of families is damaged")?;
        let id = record.get(0).unwrap_or_default();
        families.push(Family {
            id: id.to_owned(),
            name: record.get(1).unwrap_or(id).to_owned(),
            category: record.get(2).and_then(Category::from_name),
        });
    }
    Ok(families)
}

/// The family of an identifier, if it is known.
///
/// # Errors
/// Only if the built-in list is damaged.
pub fn family(id: &str) -> Result<Option<Family>> {
    Ok(families()?.into_iter().find(|family| family.id == id))
}

/// The published system of an identifier, if it is known.
///
/// # Errors
/// Only if the built-in list is damaged.
pub fn system(id: &str) -> Result<Option<System>> {
    let systems: Vec<System> =
        serde_json::from_str(SYSTEMS).context("the built-in list of systems is damaged")?;
    Ok(systems.into_iter().find(|system| system.id == id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kemscope_schema::Validate;

    #[test]
    fn the_built_in_lists_are_sound() {
        for id in ["arm_1", "x86_1"] {
            assert_eq!(system(id).unwrap().unwrap().problems(), []);
        }
        assert!(system("local").unwrap().is_none());
        let dtru = family("kem-14").unwrap().unwrap();
        assert_eq!(dtru.name, "DTRU");
        assert_eq!(dtru.category, Some(Category::Lattice));
        assert_eq!(
            family("kem-31").unwrap().unwrap().category,
            Some(Category::Isogeny)
        );
        assert!(family("kem-99").unwrap().is_none());
    }
}
