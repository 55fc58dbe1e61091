//! Choosing instances by the names that a command line gives.

use super::{Instance, PackageError};

/// Which instances a command works on; empty lists mean all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// `NAME`, `FAMILY/NAME` or `FAMILY/NAME/IMPLEMENTATION`.
    pub instances: Vec<String>,
    /// Identifiers of families.
    pub families: Vec<String>,
}

/// The chosen instances, in catalogue order. Names are compared without regard to case.
pub fn select(all: Vec<Instance>, selection: &Selection) -> Result<Vec<Instance>, PackageError> {
    for family in &selection.families {
        if !all.iter().any(|i| i.family.id.eq_ignore_ascii_case(family)) {
            let known = distinct(all.iter().map(|i| i.family.id.clone()));
            let message = format!("no family `{family}`; there are {known}");
            return Err(PackageError::Selection(message));
        }
    }
    let in_family = |instance: &Instance| {
        selection.families.is_empty()
            || selection
                .families
                .iter()
                .any(|f| f.eq_ignore_ascii_case(&instance.family.id))
    };
    let candidates: Vec<Instance> = all.into_iter().filter(in_family).collect();
    if selection.instances.is_empty() {
        return Ok(candidates);
    }
    let mut chosen = vec![false; candidates.len()];
    for name in &selection.instances {
        for index in find(&candidates, name)? {
            chosen[index] = true;
        }
    }
    Ok(candidates
        .into_iter()
        .zip(chosen)
        .filter_map(|(instance, chosen)| chosen.then_some(instance))
        .collect())
}

/// The implementations of the one instance that a name means.
fn find(candidates: &[Instance], name: &str) -> Result<Vec<usize>, PackageError> {
    let matches: Vec<usize> = (0..candidates.len())
        .filter(|&i| {
            let instance = &candidates[i];
            instance.name.eq_ignore_ascii_case(name)
                || instance.qualified_name().eq_ignore_ascii_case(name)
                || instance.full_name().eq_ignore_ascii_case(name)
        })
        .collect();
    let names = distinct(matches.iter().map(|&i| candidates[i].qualified_name()));
    match matches.first() {
        None => {
            let known = distinct(candidates.iter().map(|i| i.name.clone()));
            let message = format!("no instance `{name}`; there are {known}");
            Err(PackageError::Selection(message))
        }
        Some(&first) if names != candidates[first].qualified_name() => {
            let message = format!("`{name}` is not unique: say which of {names}");
            Err(PackageError::Selection(message))
        }
        Some(_) => Ok(matches),
    }
}

fn distinct(names: impl Iterator<Item = String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kemscope_schema::Family;

    fn instance(family: &str, name: &str) -> Instance {
        Instance {
            family: Family {
                id: family.to_owned(),
                name: family.to_owned(),
                category: None,
            },
            name: name.to_owned(),
            implementation: "clean".to_owned(),
            language: "C".to_owned(),
            source: String::new(),
            root: "".into(),
            include: vec![],
            defines: vec![],
            flags: vec![],
            libraries: vec![],
            architectures: vec![],
            sources: vec![],
            inputs: vec![],
            abi: crate::abi::Abi::Nist,
            declared: Default::default(),
            defect: None,
        }
    }

    fn chosen(instances: &[&str], families: &[&str]) -> Result<Vec<String>, String> {
        let all = vec![
            instance("hqc", "HQC-128"),
            instance("kem-21", "HQC-128"),
            instance("ml-kem", "ML-KEM-768"),
        ];
        let own = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
        let selection = Selection {
            instances: own(instances),
            families: own(families),
        };
        select(all, &selection)
            .map(|found| found.iter().map(Instance::qualified_name).collect())
            .map_err(|e| e.to_string())
    }

    #[test]
    fn names_and_qualified_names_select() {
        assert_eq!(chosen(&["ml-kem-768"], &[]).unwrap(), ["ml-kem/ML-KEM-768"]);
        assert_eq!(chosen(&["hqc/HQC-128"], &[]).unwrap(), ["hqc/HQC-128"]);
        assert_eq!(
            chosen(&["HQC-128"], &["kem-21"]).unwrap(),
            ["kem-21/HQC-128"]
        );
        assert_eq!(chosen(&[], &[]).unwrap().len(), 3);
    }

    #[test]
    fn implementations_are_told_apart() {
        let other = Instance {
            implementation: "fast".to_owned(),
            ..instance("hqc", "HQC-128")
        };
        let all = vec![instance("hqc", "HQC-128"), other];
        let by_name = |name: &str| {
            let selection = Selection {
                instances: vec![name.to_owned()],
                families: vec![],
            };
            select(all.clone(), &selection)
        };
        let names = |found: Vec<Instance>| -> Vec<String> {
            found.iter().map(Instance::full_name).collect()
        };
        let both = ["hqc/HQC-128/clean", "hqc/HQC-128/fast"];
        assert_eq!(names(by_name("HQC-128").unwrap()), both);
        assert_eq!(names(by_name("hqc/hqc-128/FAST").unwrap()), both[1..]);
    }

    #[test]
    fn doubtful_names_are_refused_with_the_choices() {
        let message = chosen(&["HQC-128"], &[]).unwrap_err();
        assert!(message.contains("hqc/HQC-128, kem-21/HQC-128"), "{message}");
        let message = chosen(&["FOO"], &[]).unwrap_err();
        assert!(
            message.contains("no instance `FOO`; there are HQC-128, ML-KEM-768"),
            "{message}"
        );
        let message = chosen(&[], &["foo"]).unwrap_err();
        assert!(message.contains("no family `foo`"), "{message}");
    }
}
