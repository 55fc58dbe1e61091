//! The scatter against the table.

use anyhow::{Result, ensure};
use e2e::{Page, Stage};

/// How many symbols the chart draws.
pub const POINTS: &str = "(() => {
    const place = document.querySelector('[data-testid=scatter] [_echarts_instance_]');
    const chart = place && window.echarts && window.echarts.getInstanceByDom(place);
    // Symbols of series are marked so by the library; axes and labels are not.
    return chart ? chart.getZr().storage.getDisplayList(true).filter(shape => '__isEmptyBrush' in shape).length : 0;
})()";

/// How many rows of the table know both sizes and the cycles of decapsulation.
const KNOWN: &str = "[...document.querySelectorAll('tr[data-row]')].filter(row =>
    ['pk_ct_bytes', 'dec_cycles'].every(name => /[0-9]/.test(row.querySelector(`[data-col=${name}]`).textContent))).length";

async fn agree(page: &Page, least: usize) -> Result<()> {
    page.wait(
        "as many points as rows with both figures",
        &format!("{POINTS} === {KNOWN}"),
    )
    .await?;
    let points: usize = page.eval(POINTS).await?;
    ensure!(points >= least, "only {points} points");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_with_both_figures_has_a_point() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1").await?;
    let page = &scene.page;
    agree(page, 100).await?;
    let unknown: usize = page
        .eval(&format!(
            "document.querySelectorAll('tr[data-row]').length - {KNOWN}"
        ))
        .await?;
    ensure!(
        unknown > 0,
        "every row has both figures, the test would prove little"
    );
    page.click_id("filter-target-512").await?;
    page.wait("a filter", "location.search.includes('bits=512')")
        .await?;
    agree(page, 5).await?;
    page.click_id("filter-target-512").await?;
    page.click_id("filter-family-kem-14").await?;
    page.wait_rows(12).await?;
    agree(page, 12).await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_a_point_picks_its_row() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1&q=DTRU-648").await?;
    let page = &scene.page;
    agree(page, 1).await?;
    let rows = page.rows().await?;
    ensure!(!rows.is_empty(), "no row");
    // Where the first symbol is, in coordinates of the window.
    let at: (f64, f64) = page
        .eval(
            "(() => {
                const place = document.querySelector('[data-testid=scatter] [_echarts_instance_]');
                const chart = window.echarts.getInstanceByDom(place);
                const symbol = chart.getZr().storage.getDisplayList(true).find(shape => '__isEmptyBrush' in shape);
                const [x, y] = symbol.transformCoordToGlobal(0, 0);
                const box = place.getBoundingClientRect();
                return [box.left + x, box.top + y];
            })()",
        )
        .await?;
    page.session()
        .action_chain()
        .move_to(at.0 as i64, at.1 as i64)
        .click()
        .perform()
        .await?;
    page.find("[data-testid=picked]").await?;
    page.wait(
        "a picked row",
        "document.querySelector('tr[data-row].picked')",
    )
    .await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn axes_change_and_small_multiples_replace_the_plot() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1").await?;
    let page = &scene.page;
    page.click("[data-testid=axis-size] option[value=pk]")
        .await?;
    page.wait(
        "the axis in the address",
        "location.search.includes('x=pk')",
    )
    .await?;
    page.click_id("scale-log").await?;
    page.wait(
        "the scale in the address",
        "location.search.includes('scale=lin')",
    )
    .await?;
    page.click_id("plot-families").await?;
    page.find("[data-testid=multiples]").await?;
    ensure!(
        page.count("[data-testid=multiples] svg").await? > 30,
        "too few small plots"
    );
    scene.close().await
}
