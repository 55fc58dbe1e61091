//! Filters, search, systems.

use anyhow::{Result, ensure};
use e2e::{Page, Stage};

/// The number at the front of the counts.
async fn counted(page: &Page) -> Result<usize> {
    page.eval("Number.parseInt(document.querySelector('[data-testid=counts]').innerText)")
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn filter_256_shows_only_256_and_nist_category_5() -> Result<()> {
    let scene = Stage::new()
        .with_fixture()
        .open("?sys=arm_1,board_1")
        .await?;
    let page = &scene.page;
    let all = page.rows().await?;
    let is_256 = |text: &str| text.starts_with("256") || text == "cat 5";
    let expected = all
        .iter()
        .filter(|row| {
            row.cells
                .get("target_bits")
                .is_some_and(|text| is_256(text))
        })
        .count();
    ensure!(
        expected > 10 && expected < all.len(),
        "{expected} of {}",
        all.len()
    );
    page.click_id("filter-target-256").await?;
    page.wait_rows(expected).await?;
    let rows = page.rows().await?;
    for row in &rows {
        let text = row
            .cells
            .get("target_bits")
            .map(String::as_str)
            .unwrap_or_default();
        ensure!(is_256(text), "{:?} shows target {text}", row.key());
    }
    for instance in ["ML-KEM-1024", "HQC-256"] {
        let found = rows
            .iter()
            .any(|row| row.system == "board_1" && row.instance == instance);
        ensure!(found, "{instance} (category 5) is not shown with 256");
    }
    ensure!(
        counted(page).await? == expected,
        "the counts differ from the table"
    );
    ensure!(
        page.query().await?.contains("bits=256"),
        "the filter is not in the address"
    );
    page.click_id("reset").await?;
    page.wait_rows(all.len()).await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn search_narrows_and_says_when_nothing_fits() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1").await?;
    let page = &scene.page;
    let all = page.rows().await?.len();
    let search = page.find("[data-testid=search]").await?;
    search.send_keys("dtru").await?;
    page.wait_rows(12).await?;
    ensure!(
        page.rows().await?.iter().all(|row| row.family == "kem-14"),
        "another family than DTRU is shown"
    );
    search.send_keys(" no such thing").await?;
    page.find("[data-testid=empty]").await?;
    ensure!(counted(page).await? == 0, "the counts are not 0");
    page.click_id("reset").await?;
    page.wait_rows(all).await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legend_chip_filters_by_its_family() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1").await?;
    let page = &scene.page;
    let all = page.rows().await?.len();
    page.click_id("filter-family-kem-14").await?;
    page.wait_rows(12).await?;
    page.wait(
        "a pressed chip",
        "document.querySelector('[data-testid=filter-family-kem-14]').ariaPressed === 'true'",
    )
    .await?;
    page.click_id("filter-family-kem-14").await?;
    page.wait_rows(all).await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn systems_are_switched_and_shown_together() -> Result<()> {
    let scene = Stage::new().open("").await?;
    let page = &scene.page;
    let first = page.rows().await?;
    ensure!(
        first.iter().all(|row| row.system == "arm_1"),
        "the first view is not of arm_1 alone"
    );
    page.click_id("system-select").await?;
    page.click_id("system-x86_1").await?;
    page.wait("both systems", "new Set([...document.querySelectorAll('tr[data-row]')].map(r => r.dataset.system)).size === 2").await?;
    let both = page.rows().await?;
    ensure!(
        both.len() > first.len() && both.iter().all(|row| row.cells.contains_key("system")),
        "no column for the system"
    );
    page.click_id("system-arm_1").await?;
    page.wait(
        "x86_1 alone",
        "[...document.querySelectorAll('tr[data-row]')].every(r => r.dataset.system === 'x86_1')",
    )
    .await?;
    ensure!(
        page.query().await? == "?sys=x86_1",
        "address {}",
        page.query().await?
    );
    scene.close().await
}
