//! Section 1: basic information.

use kemscope_schema::{FamilyRecord, LinkedText};
use leptos::prelude::*;

/// The items of the section.
pub fn basic(record: &FamilyRecord) -> AnyView {
    let Some(basic) = &record.basic else {
        return view! { <p class="muted">"The source gives nothing here."</p> }.into_any();
    };
    let sets = (!basic.parameter_sets.is_empty()).then(|| LinkedText {
        text: basic.parameter_sets.join(", "),
        href: None,
    });
    let items = [
        ("Category", basic.category.clone()),
        ("Algorithm", basic.algorithm.clone()),
        (
            "Implementation versions measured",
            basic.implementation_versions.clone(),
        ),
        ("Parameter sets", sets),
        ("Security evaluation", basic.security_evaluation.clone()),
        ("Measurement method", basic.measurement_method.clone()),
        ("Submission", basic.submission.clone()),
    ];
    let items: Vec<AnyView> = items
        .into_iter()
        .filter_map(|(label, text)| {
            let text = text?;
            // Only web addresses become links: the text comes from a file.
            let href = text
                .href
                .filter(|href| href.starts_with("https://") || href.starts_with("http://"));
            let words = match href {
                Some(href) => {
                    view! { <a href=href rel="external noopener noreferrer">{text.text}</a> }
                        .into_any()
                }
                None => text.text.into_any(),
            };
            Some(view! { <div><dt>{label}</dt><dd>{words}</dd></div> }.into_any())
        })
        .collect();
    view! { <dl class="items">{items}</dl> }.into_any()
}
