//! The view: everything that a link restores, and its form in the URL.

use super::axes::{Axes, SizeAxis, SpeedAxis};
use super::column::{Column, Units};
use super::filter::Filter;
use super::query::{self, decode, encode};
use super::sort::SortKey;
use kemscope_schema::{Category, KatStatus, TargetGroup};

/// Everything that a link restores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Systems shown; empty for the first of the index.
    pub systems: Vec<String>,
    /// What is filtered.
    pub filter: Filter,
    /// Sort keys, at most two; empty for the order of the data.
    pub sort: Vec<SortKey>,
    /// The plot's axes.
    pub axes: Axes,
    /// Cycles or time.
    pub units: Units,
}

/// A parameter of a URL that was not understood and is left aside.
pub type Ignored = String;

/// Reads list items by name; unknown ones are reported.
fn named<T>(
    key: &str,
    value: &str,
    ignored: &mut Vec<Ignored>,
    read: impl Fn(&str) -> Option<T>,
) -> Vec<T> {
    query::list(value)
        .into_iter()
        .filter_map(|item| {
            let found = read(&item);
            if found.is_none() {
                ignored.push(format!("{key}={item}"));
            }
            found
        })
        .collect()
}

fn sort_key(item: &str) -> Option<SortKey> {
    let (name, descending) = item
        .strip_prefix('-')
        .map_or((item, false), |name| (name, true));
    Column::from_name(name).map(|column| SortKey { column, descending })
}

fn identifier(item: &str) -> Option<String> {
    kemscope_schema::identifier::is_identifier(item).then(|| item.to_owned())
}

impl View {
    /// Reads a query string. What it does not name has its default; what it names wrongly is left
    /// aside and reported, so that an old or mistyped link still opens.
    pub fn from_query(text: &str) -> (View, Vec<Ignored>) {
        let mut view = View::default();
        let mut ignored = Vec::new();
        for (key, value) in query::pairs(text) {
            let one = decode(value);
            let mut known = true;
            match key {
                "sys" => view.systems = named(key, value, &mut ignored, identifier),
                "bits" => {
                    view.filter.targets = named(key, value, &mut ignored, TargetGroup::from_name)
                }
                "fam" => view.filter.families = named(key, value, &mut ignored, identifier),
                "basis" => {
                    view.filter.categories = named(key, value, &mut ignored, Category::from_name)
                }
                "kat" => view.filter.kats = named(key, value, &mut ignored, KatStatus::from_word),
                "impl" => view.filter.implementations = query::list(value),
                "q" => view.filter.search = one.clone(),
                "sort" => {
                    view.sort = named(key, value, &mut ignored, sort_key);
                    for key in view.sort.drain(2.min(view.sort.len())..) {
                        ignored.push(format!("sort={}", key.name()));
                    }
                }
                "x" => match SizeAxis::ALL.into_iter().find(|axis| axis.name() == one) {
                    Some(axis) => view.axes.size = axis,
                    None => known = false,
                },
                "y" => match SpeedAxis::ALL.into_iter().find(|axis| axis.name() == one) {
                    Some(axis) => view.axes.speed = axis,
                    None => known = false,
                },
                "scale" if one == "lin" || one == "log" => view.axes.log = one == "log",
                "plot" if one == "families" || one == "all" => {
                    view.axes.multiples = one == "families"
                }
                "units" if one == "time" || one == "cycles" => {
                    view.units = if one == "time" {
                        Units::Time
                    } else {
                        Units::Cycles
                    };
                }
                // Links that were passed on carry such marks; they say nothing of the view.
                _ if key.starts_with("utm_") => {}
                _ => known = false,
            }
            if !known {
                ignored.push(format!("{key}={one}"));
            }
        }
        (view, ignored)
    }

    /// The query string of the view, without `?`; empty for the default view.
    pub fn to_query(&self) -> String {
        let mut out = String::new();
        let mut put = |key: &str, value: String| {
            if !value.is_empty() {
                if !out.is_empty() {
                    out.push('&');
                }
                out.push_str(key);
                out.push('=');
                out.push_str(&value);
            }
        };
        let default = Axes::default();
        put("sys", query::join(&self.systems));
        put(
            "bits",
            query::join(self.filter.targets.iter().map(|t| t.name())),
        );
        put("fam", query::join(&self.filter.families));
        put(
            "basis",
            query::join(self.filter.categories.iter().map(|c| c.name())),
        );
        put(
            "kat",
            query::join(self.filter.kats.iter().map(|k| k.name())),
        );
        put("impl", query::join(&self.filter.implementations));
        put("q", encode(&self.filter.search));
        put("sort", query::join(self.sort.iter().map(|key| key.name())));
        if self.axes.size != default.size {
            put("x", self.axes.size.name().to_owned());
        }
        if self.axes.speed != default.speed {
            put("y", self.axes.speed.name().to_owned());
        }
        if !self.axes.log {
            put("scale", "lin".to_owned());
        }
        if self.axes.multiples {
            put("plot", "families".to_owned());
        }
        if self.units == Units::Time {
            put("units", "time".to_owned());
        }
        out
    }

    /// The part of the view that pages other than the overview share: systems and units.
    pub fn shared(&self) -> View {
        View {
            systems: self.systems.clone(),
            units: self.units,
            ..View::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};

    #[test]
    fn the_default_view_is_an_empty_query() {
        assert_eq!(View::default().to_query(), "");
        assert_eq!(View::from_query("?"), (View::default(), vec![]));
    }

    #[test]
    fn a_link_reads_well() {
        let text = "sys=arm_1,x86_1&bits=256&q=hqc+128&sort=-dec,pk&y=sum&scale=lin&units=time";
        let (view, ignored) = View::from_query(text);
        assert!(ignored.is_empty());
        assert_eq!(view.to_query(), text);
    }

    #[test]
    fn a_third_sort_key_is_named_and_marks_of_campaigns_are_not() {
        let (view, ignored) = View::from_query("sort=pk,-dec,-ct&utm_source=mail");
        assert_eq!(view.to_query(), "sort=pk,-dec");
        assert_eq!(ignored, ["sort=-ct"]);
    }

    #[test]
    fn what_is_not_understood_is_left_aside() {
        let (view, ignored) =
            View::from_query("?bits=256,1024&x=area&colour=red&sort=-speed&sys=../etc");
        assert_eq!(
            view,
            View {
                filter: Filter {
                    targets: vec![TargetGroup::Bits256],
                    ..Filter::default()
                },
                ..View::default()
            }
        );
        assert_eq!(
            ignored,
            [
                "bits=1024",
                "x=area",
                "colour=red",
                "sort=-speed",
                "sys=../etc"
            ]
        );
    }

    fn identifiers() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[a-z][a-z0-9_-]{0,12}", 0..4)
    }

    fn views() -> impl Strategy<Value = View> {
        let filter = (
            subsequence(TargetGroup::ALL.to_vec(), 0..=4),
            identifiers(),
            subsequence(Category::ALL.to_vec(), 0..=4),
            subsequence(KatStatus::ALL.to_vec(), 0..=10),
            // Names of implementations are free text, but for empty ones and their separator.
            proptest::collection::vec("[^,]{1,12}", 0..3),
            ".*",
        )
            .prop_map(
                |(targets, families, categories, kats, implementations, search)| Filter {
                    targets,
                    families,
                    categories,
                    kats,
                    implementations,
                    search,
                },
            );
        let axes = (
            select(SizeAxis::ALL.to_vec()),
            select(SpeedAxis::ALL.to_vec()),
            any::<bool>(),
            any::<bool>(),
        )
            .prop_map(|(size, speed, log, multiples)| Axes {
                size,
                speed,
                log,
                multiples,
            });
        let key = (select(Column::ALL.to_vec()), any::<bool>())
            .prop_map(|(column, descending)| SortKey { column, descending });
        let units = prop_oneof![Just(Units::Cycles), Just(Units::Time)];
        (
            identifiers(),
            filter,
            proptest::collection::vec(key, 0..3),
            axes,
            units,
        )
            .prop_map(|(systems, filter, sort, axes, units)| View {
                systems,
                filter,
                sort,
                axes,
                units,
            })
    }

    proptest! {
        #[test]
        fn every_view_comes_back(view in views()) {
            prop_assert_eq!(View::from_query(&view.to_query()), (view, vec![]));
        }

        #[test]
        fn no_query_is_too_odd(text in ".*") {
            View::from_query(&text);
        }
    }
}
