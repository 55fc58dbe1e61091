//! Which rows are shown.

use super::row::Row;
use kemscope_schema::{Category, KatStatus, TargetGroup};

/// The filters of the overview. Choices within one group widen (or), groups narrow (and); an empty
/// group does not filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Security targets.
    pub targets: Vec<TargetGroup>,
    /// Family identifiers.
    pub families: Vec<String>,
    /// Mathematical bases.
    pub categories: Vec<Category>,
    /// Outcomes of the known-answer test.
    pub kats: Vec<KatStatus>,
    /// Variants of the implementation.
    pub implementations: Vec<String>,
    /// Free text: every word must occur.
    pub search: String,
}

/// One of the filter groups, for counts that leave a group's own choice aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Security targets.
    Target,
    /// Families.
    Family,
    /// Mathematical bases.
    Category,
    /// Known-answer tests.
    Kat,
    /// Implementations.
    Implementation,
}

/// Adds the item, or takes it away where it is.
pub fn toggle<T: PartialEq>(items: &mut Vec<T>, item: T) {
    match items.iter().position(|i| *i == item) {
        Some(at) => drop(items.remove(at)),
        None => items.push(item),
    }
}

impl Filter {
    /// Whether nothing is filtered.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether a row passes.
    pub fn matches(&self, row: &Row) -> bool {
        self.matches_but(row, None)
    }

    /// Whether a row passes all groups but one: what that group's choices would show.
    pub fn matches_but(&self, row: &Row, but: Option<Group>) -> bool {
        fn any<T: PartialEq>(chosen: &[T], skip: bool, has: impl Fn(&T) -> bool) -> bool {
            skip || chosen.is_empty() || chosen.iter().any(has)
        }
        any(&self.targets, but == Some(Group::Target), |t| {
            *t == row.data.target_group()
        }) && any(&self.families, but == Some(Group::Family), |f| {
            *f == row.data.family
        }) && any(&self.categories, but == Some(Group::Category), |c| {
            Some(*c) == row.category
        }) && any(&self.kats, but == Some(Group::Kat), |k| *k == row.data.kat)
            && any(
                &self.implementations,
                but == Some(Group::Implementation),
                |i| *i == row.data.implementation,
            )
            && self
                .search
                .split_whitespace()
                .all(|word| row.haystack.contains(&word.to_ascii_lowercase()))
    }

    /// Indices of the rows that pass, in their order.
    pub fn apply(&self, rows: &[Row]) -> Vec<u32> {
        (0u32..)
            .zip(rows)
            .filter(|(_, row)| self.matches(row))
            .map(|(index, _)| index)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::row::tests::row;

    #[test]
    fn groups_narrow_and_choices_widen() {
        let rows = [
            row("kem-01", "A-128", Some(128)),
            row("kem-02", "B-256", Some(256)),
            row("kem-02", "B-384", None),
        ];
        let mut filter = Filter {
            targets: vec![TargetGroup::Bits128, TargetGroup::Bits256],
            ..Filter::default()
        };
        assert_eq!(filter.apply(&rows), [0, 1]);
        filter.families.push("kem-02".to_owned());
        assert_eq!(filter.apply(&rows), [1]);
        filter.targets.clear();
        filter.search = " b- 384".to_owned();
        assert_eq!(filter.apply(&rows), [2]);
        assert!(filter.matches_but(&rows[2], Some(Group::Family)));
    }

    #[test]
    fn toggling_twice_changes_nothing() {
        let mut items = vec![1, 2];
        toggle(&mut items, 3);
        assert_eq!(items, [1, 2, 3]);
        toggle(&mut items, 3);
        assert_eq!(items, [1, 2]);
    }
}
