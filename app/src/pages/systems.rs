//! Systems and method: the machines, how the figures were obtained, and where they come from.

use super::family::environment_items;
use super::overview::Notes;
use crate::browser::dom;
use crate::state::dashboard::Dashboard;
use crate::state::store::{Load, system_path};
use crate::ui::states::{Failed, Skeleton};
use kemscope_schema::{CycleSource, Provenance, SystemEntry};
use leptos::prelude::*;

/// The page.
#[component]
pub fn Systems() -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    dom::set_ready(false);
    let entries = Memo::new(move |_| dashboard.entries());
    Effect::new(move |_| {
        for entry in entries.read().iter() {
            dashboard.store.want_system(&entry.id);
        }
    });
    Effect::new(move |_| {
        let systems = dashboard.store.systems.read();
        let entries = entries.read();
        let index_failed = matches!(*dashboard.store.index.read(), Load::Failed(_));
        let settled = |entry: &SystemEntry| {
            !matches!(
                systems.get(&system_path(&entry.id)),
                None | Some(Load::Loading)
            )
        };
        if index_failed || (!entries.is_empty() && entries.iter().all(settled)) {
            dom::next_frame(|| dom::set_ready(true));
        }
    });
    view! {
        <div class="page prose" data-testid="systems-page">
            <div class="page-head"><h1>"Systems & method"</h1></div>
            <Notes/>
            <For each=move || entries.get() key=|entry| entry.id.clone() let:entry>
                <SystemPanel entry/>
            </For>
            <Method/>
        </div>
    }
    .into_any()
}

#[component]
fn SystemPanel(entry: SystemEntry) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    let path = system_path(&entry.id);
    let origin = match entry.provenance {
        Provenance::Measured => {
            "measured by KEMscope's own runner; the raw trials are kept beside the figures"
        }
        Provenance::Imported => "imported: independent measurements published at ngcc.dev",
    };
    let families = entry.families.len();
    view! {
        <section class="panel" aria-label=entry.id.clone() data-system=entry.id.clone()>
            <h2><span class="mono">{entry.id.clone()}</span>" "{entry.label.clone()}</h2>
            <p class="muted">{format!("{} · {families} families · {origin}", entry.architecture)}</p>
            {move || match dashboard.store.systems.read().get(&path) {
                Some(Load::Ready(system)) => environment_items(&system.environment),
                Some(Load::Failed(message)) => view! { <Failed message=message.clone() rest="The other systems are not affected."/> }.into_any(),
                _ => view! { <Skeleton rows=6/> }.into_any(),
            }}
        </section>
    }
    .into_any()
}

/// The method in words, the sources of cycles, and the origin of the figures.
#[component]
fn Method() -> impl IntoView {
    let sources: Vec<AnyView> = [CycleSource::Perf, CycleSource::Tsc, CycleSource::Estimated]
        .into_iter()
        .map(|source| {
            view! { <div><dt>{source.name()}</dt><dd>{source.explanation()}</dd></div> }.into_any()
        })
        .collect();
    view! {
        <section class="panel" aria-label="Method">
            <h2>"How the figures are obtained"</h2>
            <p>
                "The random generator is seeded with the bytes 00 to 2f. One call calibrates the plan; then five trials follow, each in a fresh process with a fresh address layout, pinned to one core, of a fixed number of calls: 0.5 to 1 second per trial, at least 100 calls in all, at most 20 000 per trial, fewer where five minutes would not do. Warm-up calls precede where an operation is short."
            </p>
            <p>
                "The mean is over all calls of all trials; the median of the five trial means stands beside it. A trial below 95 % of the fixed clock is repeated up to twice. Honest decapsulation is checked before timing. Memory is that of the trial's process: resident set before and at its peak, and the library's loadable segments."
            </p>
            <p>
                "The quick profile, which "<code>"cargo xtask up"</code>" uses for this machine, takes five trials of about 50 ms instead: a first impression, and every such figure says so."
            </p>
            <p>
                "The symmetric share is the part of an operation spent in the placeholder hash functions (sm3hash, pseudohash, pseudoXOF), measured with link-time wrappers on the same inputs; nested calls count once, the generator counts apart. The overview shows the largest share among the three operations."
            </p>
        </section>
        <section class="panel" aria-label="Cycles">
            <h2>"What counted the cycles"</h2>
            <dl class="items">{sources}</dl>
            <p>
                "Times that no one measured are derived from core cycles where the clock was fixed, and say so; reference cycles are never converted. Virtual machines often have no hardware counter and no fixed clock: the runner then says what it found, and every record carries it."
            </p>
        </section>
        <section class="panel" aria-label="Origin">
            <h2>"Where the figures come from"</h2>
            <p>
                "arm_1 and x86_1 are independent measurements of the candidates of the NGCC competition, round 1, published at ngcc.dev. They are not self-assessments of the submitters, and not results of NICCS. Five families have full report pages on arm_1; of the rest, mean cycles, sizes, symmetric shares and test outcomes are published. Each figure is kept with its printed precision."
            </p>
            <p>
                "Systems named local were measured on the machine that built this page, from the PQClean sources of ML-KEM, HQC and Classic McEliece. "
                <code>"native-runner verify"</code>
                " recomputes their statistics from the raw trials."
            </p>
            <p>
                "Where two families have an instance of one name, they stay apart by their family; an implementation is named wherever there is more than one."
            </p>
        </section>
    }
    .into_any()
}
