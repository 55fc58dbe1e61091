//! Section 2: assessment environment.

use super::items;
use crate::ui::node::{Tag, el, words};
use kemscope_schema::Environment;

/// The items of an environment, its source of cycles and what was found unfit.
pub fn environment(environment: &Environment) -> Vec<Tag> {
    let yes = |value: Option<bool>| value.map(|value| if value { "yes" } else { "no" }.to_owned());
    let source = environment
        .cycle_source
        .map(|source| format!("{}: {}", source.name(), source.explanation()));
    let own = environment
        .items()
        .into_iter()
        .map(|item| (item.item, Some(item.value)));
    let more = [
        ("cycle source".to_owned(), source),
        ("virtualised".to_owned(), yes(environment.virtualised)),
        ("emulated".to_owned(), yes(environment.emulated)),
    ];
    let mut tags =
        vec![items(own.chain(more).filter_map(|(item, value)| {
            Some((item, el("span").text(&value?)))
        }))];
    if !environment.findings.is_empty() {
        tags.push(el("p").text(
            "Found when the host was checked; the figures are to be read with that in mind:",
        ));
        let findings = environment.findings.iter().map(|finding| {
            el("li")
                .child(words(
                    "strong",
                    "status-warn",
                    &format!("⚠ {}", finding.check),
                ))
                .text(&format!(": {} ", finding.message))
                .child(words("span", "muted", &finding.remedy))
        });
        tags.push(el("ul").class("findings").children(findings));
    }
    tags
}
