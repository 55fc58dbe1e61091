//! The view in the address: links, reload, back and forward.

use anyhow::{Result, ensure};
use e2e::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_view_survives_reload_back_and_forward() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1").await?;
    let page = &scene.page;
    let all = page.rows().await?.len();
    page.click_id("filter-target-128").await?;
    page.wait(
        "the filter in the address",
        "location.search.includes('bits=128')",
    )
    .await?;
    let filtered = page.rows().await?;
    page.click("button[data-sort=enc_cycles]").await?;
    page.wait(
        "the order in the address",
        "location.search.includes('sort=enc')",
    )
    .await?;
    let sorted = page.rows().await?;
    ensure!(
        filtered.len() < all && sorted.len() == filtered.len() && sorted != filtered,
        "the steps changed nothing"
    );
    let query = page.query().await?;

    page.session().refresh().await?;
    page.wait_ready().await?;
    ensure!(
        page.rows().await? == sorted,
        "the reloaded page shows other rows"
    );
    ensure!(page.query().await? == query, "reload changed the address");

    page.session().back().await?;
    page.wait("the order is undone", "!location.search.includes('sort=')")
        .await?;
    page.wait_rows(filtered.len()).await?;
    ensure!(page.rows().await? == filtered, "back shows other rows");
    page.session().back().await?;
    page.wait_rows(all).await?;
    page.session().forward().await?;
    page.session().forward().await?;
    page.wait_query(&query).await?;
    page.wait_rows(sorted.len()).await?;
    ensure!(page.rows().await? == sorted, "forward shows other rows");
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_restores_axes_units_and_filters() -> Result<()> {
    let scene = Stage::new()
        .open("?sys=x86_1&bits=256&basis=lattice&q=a&sort=-dec&x=pk&y=sum&scale=lin&units=time")
        .await?;
    let page = &scene.page;
    ensure!(
        page.eval::<String>("document.querySelector('[data-testid=axis-size]').value")
            .await?
            == "pk",
        "size axis"
    );
    ensure!(
        page.eval::<String>("document.querySelector('[data-testid=axis-speed]').value")
            .await?
            == "sum",
        "speed axis"
    );
    ensure!(
        page.eval::<String>("document.querySelector('[data-testid=search]').value")
            .await?
            == "a",
        "search"
    );
    for (id, pressed) in [
        ("scale-log", "false"),
        ("units-time", "true"),
        ("filter-target-256", "true"),
    ] {
        let state =
            format!("document.querySelector('[data-testid={id}]').getAttribute('aria-pressed')");
        ensure!(
            page.eval::<String>(&state).await? == pressed,
            "{id} is not {pressed}"
        );
    }
    ensure!(
        page.count("button[data-sort=dec_seconds]").await? == 1,
        "the table shows no times"
    );
    ensure!(
        page.rows().await?.iter().all(|row| row.system == "x86_1"),
        "another system is shown"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_link_names_wrongly_is_left_aside_and_said() -> Result<()> {
    let scene = Stage::new()
        .open("?sys=mainframe&bits=257&sort=beauty&bits2=%zz")
        .await?;
    let page = &scene.page;
    let note = page.text("[data-testid=ignored]").await?;
    for part in ["sys=mainframe", "bits=257", "sort=beauty", "bits2="] {
        ensure!(note.contains(part), "{part} is not in: {note}");
    }
    ensure!(
        page.rows().await?.len() > 100,
        "the rest of the page is not usable"
    );
    scene.close().await
}
