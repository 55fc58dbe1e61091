//! Addresses of the dashboard's pages, relative to its base.

use crate::model::query::encode;

/// A family's page.
pub fn family(family: &str, query: &str) -> String {
    format!("family/{}/{query}", encode(family))
}

/// A place on a family's page.
pub fn family_at(family_id: &str, query: &str, place: &str) -> String {
    format!("{}#{}", family(family_id, query), encode(place))
}

/// Identifier of an instance's element on its family's page.
pub fn instance_anchor(system: &str, instance: &str, implementation: &str) -> String {
    format!("{system}.{instance}.{implementation}")
}
