//! Designed states: loading, empty, failed.

use crate::state::dashboard::Dashboard;
use leptos::prelude::*;

/// Rows of the right height while figures are on their way.
#[component]
pub fn Skeleton(
    /// How many rows.
    rows: usize,
) -> impl IntoView {
    view! {
        <div role="status" aria-label="Loading" data-testid="loading">
            {(0..rows).map(|_| view! { <div class="skeleton"></div> }).collect::<Vec<_>>()}
        </div>
    }
    .into_any()
}

/// What failed and why, with a way to try again.
#[component]
pub fn Failed(
    /// Names file and reason.
    message: String,
    /// What still works.
    #[prop(optional, into)]
    rest: String,
) -> impl IntoView {
    let dashboard = expect_context::<Dashboard>();
    view! {
        <div class="notice bad" role="alert" data-testid="error">
            <p><strong class="status-bad">"⚠ Not readable: "</strong>{message}</p>
            <p>
                {rest}
                " "
                <button class="link" data-testid="retry" on:click=move |_| dashboard.store.retry()>"Try again"</button>
            </p>
        </div>
    }
    .into_any()
}
