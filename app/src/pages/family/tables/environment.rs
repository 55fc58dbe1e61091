//! Section 2: assessment environment, from the record or, where it has none, from the system's file.

use crate::state::dashboard::Dashboard;
use crate::state::store::{Load, system_path};
use kemscope_schema::{CycleSource, Environment};
use leptos::prelude::*;

/// The items of an environment, its source of cycles and what was found unfit.
pub fn items(environment: &Environment) -> AnyView {
    let yes = |value: Option<bool>| value.map(|value| if value { "yes" } else { "no" }.to_owned());
    let source = environment
        .cycle_source
        .map(|source: CycleSource| format!("{}: {}", source.name(), source.explanation()));
    let rows: Vec<AnyView> = environment
        .items()
        .into_iter()
        .map(|item| (item.item, item.value))
        .chain(
            [
                ("cycle source", source),
                ("virtualised", yes(environment.virtualised)),
                ("emulated", yes(environment.emulated)),
            ]
            .into_iter()
            .filter_map(|(item, value)| Some((item.to_owned(), value?))),
        )
        .map(|(item, value)| view! { <div><dt>{item}</dt><dd>{value}</dd></div> }.into_any())
        .collect();
    let findings: Vec<AnyView> = environment
        .findings
        .iter()
        .map(|finding| {
            view! {
                <li>
                    <strong class="status-warn">"⚠ "{finding.check.clone()}</strong>
                    ": "{finding.message.clone()}
                    {(!finding.remedy.is_empty()).then(|| view! { <span class="muted">" "{finding.remedy.clone()}</span> })}
                </li>
            }
            .into_any()
        })
        .collect();
    let unfit = (!findings.is_empty()).then(|| {
        view! {
            <p>"Found when the host was checked; the figures are to be read with that in mind:"</p>
            <ul class="findings">{findings}</ul>
        }
    });
    view! { <dl class="items">{rows}</dl>{unfit} }.into_any()
}

/// The environment of a record, or of its system.
#[component]
pub fn EnvironmentTable(system: String, own: Option<Environment>) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    if let Some(own) = own {
        return items(&own);
    }
    let path = system_path(&system);
    (move || match dashboard.store.systems.read().get(&path) {
        Some(Load::Ready(system)) => items(&system.environment),
        Some(Load::Failed(message)) => {
            view! { <p class="status-bad">"⚠ "{message.clone()}</p> }.into_any()
        }
        _ => view! { <p class="muted">"Loading …"</p> }.into_any(),
    })
    .into_any()
}
