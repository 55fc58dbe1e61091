//! Section 7: index of the raw evidence.

use kemscope_schema::{Evidence, FamilyRecord, Provenance};
use leptos::prelude::*;

fn digest(evidence: &Evidence) -> (String, String) {
    match (&evidence.sha256, &evidence.sha256_prefix) {
        (Some(full), _) => (
            full.chars().take(16).collect::<String>() + "…",
            full.clone(),
        ),
        (None, Some(prefix)) => (
            format!("{prefix}…"),
            "only these digits are printed in the source".to_owned(),
        ),
        (None, None) => (String::new(), String::new()),
    }
}

/// One row per file. Files of measured systems lie beside this page and are linked.
pub fn evidence(record: &FamilyRecord) -> AnyView {
    let own = record.provenance == Provenance::Measured;
    let rows: Vec<AnyView> = record
        .instances
        .iter()
        .flat_map(|instance| {
            instance
                .evidence
                .iter()
                .map(move |evidence| (instance, evidence))
        })
        .map(|(instance, evidence)| {
            let (short, full) = digest(evidence);
            let path = evidence.path.clone();
            let file = if own {
                let href = format!("data/{}/{path}", record.system);
                view! { <a href=href rel="external"><code>{path}</code></a> }.into_any()
            } else {
                view! { <code>{path}</code> }.into_any()
            };
            view! {
                <tr data-system=record.system.clone() data-instance=instance.name.clone()>
                    <td class="mono">{instance.name.clone()}</td>
                    <td>{evidence.kind.label()}</td>
                    <td class="mono" title=full>{short}</td>
                    <td>{file}</td>
                </tr>
            }
            .into_any()
        })
        .collect();
    let scripts = record
        .notes
        .scripts
        .clone()
        .map(|scripts| view! { <p class="muted">{scripts}</p> });
    if rows.is_empty() {
        return view! { <p class="muted">"No evidence files."</p>{scripts} }.into_any();
    }
    view! {
        <div class="table-wrap evidence">
            <table class="plain" aria-label="Evidence">
                <thead><tr><th scope="col">"instance"</th><th scope="col">"item"</th><th scope="col">"SHA-256"</th><th scope="col">"file"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {scripts}
    }
    .into_any()
}
