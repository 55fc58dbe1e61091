//! Section 1: basic information.

use super::items;
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{FamilyRecord, LinkedText};

/// The items of the section.
pub fn basic(record: &FamilyRecord) -> Tag {
    let Some(basic) = &record.basic else {
        return words("p", "muted", "The source gives nothing here.");
    };
    let sets = (!basic.parameter_sets.is_empty()).then(|| LinkedText {
        text: basic.parameter_sets.join(", "),
        href: None,
    });
    let pairs = [
        ("Category", basic.category.as_ref()),
        ("Algorithm", basic.algorithm.as_ref()),
        (
            "Implementation versions measured",
            basic.implementation_versions.as_ref(),
        ),
        ("Parameter sets", sets.as_ref()),
        ("Security evaluation", basic.security_evaluation.as_ref()),
        ("Measurement method", basic.measurement_method.as_ref()),
        ("Submission", basic.submission.as_ref()),
    ];
    items(
        pairs
            .into_iter()
            .filter_map(|(label, text)| Some((label.to_owned(), linked(text?)))),
    )
}

/// Only web addresses become links: the text comes from a file.
fn linked(text: &LinkedText) -> Tag {
    match text
        .href
        .as_deref()
        .filter(|href| href.starts_with("https://") || href.starts_with("http://"))
    {
        Some(href) => el("a")
            .attr("href", href)
            .attr("rel", "external noopener noreferrer")
            .text(&text.text),
        None => el("span").text(&text.text),
    }
}
