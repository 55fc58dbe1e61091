//! Files that are broken, missing, of another version or late: a message that names them, and the rest stays usable.

use anyhow::{Context, Result, ensure};
use e2e::{Scene, Stage};
use xtask::server::Fault;

async fn messages(scene: &Scene) -> Result<String> {
    scene.page.find("[data-testid=error]").await?;
    scene.page.eval("[...document.querySelectorAll('[data-testid=error]')].map(e => e.innerText).join('\\n')").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_family_file_costs_that_family_alone() -> Result<()> {
    let scene = Stage::new().set().await?;
    scene.site.faults.set(
        "data/arm_1/kem-14.json",
        Fault::body("{\"schema_version\": 1, \"system\": \"arm_1\"}"),
    );
    let page = &scene.page;
    page.open("family/kem-14/?sys=arm_1").await?;
    let message = messages(&scene).await?;
    ensure!(
        message.contains("arm_1/kem-14.json") && message.contains("family"),
        "message: {message}"
    );
    // The overview still has its rows, and another family its page.
    page.open("?sys=arm_1").await?;
    ensure!(
        page.rows()
            .await?
            .iter()
            .filter(|row| row.family == "kem-14")
            .count()
            == 12,
        "rows are missing"
    );
    page.open("family/kem-06/?sys=arm_1").await?;
    ensure!(
        page.count("[data-section]").await? == 7 && page.count("[data-testid=error]").await? == 0,
        "kem-06 suffers"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mended_file_is_read_on_retry() -> Result<()> {
    let scene = Stage::new().set().await?;
    let page = &scene.page;
    scene
        .site
        .faults
        .set("data/arm_1/kem-14.json", Fault::status(503));
    page.open("family/kem-14/?sys=arm_1").await?;
    let message = messages(&scene).await?;
    ensure!(
        message.contains("kem-14.json") && message.contains("503"),
        "message: {message}"
    );
    scene.site.faults.clear("data/arm_1/kem-14.json");
    page.click_id("retry").await?;
    page.find("[data-section='4']").await?;
    let console = scene.close_after_faults().await?;
    ensure!(
        console.iter().all(|line| line.contains("kem-14.json")),
        "{console:?}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_summary_costs_that_system_alone() -> Result<()> {
    let scene = Stage::new().set().await?;
    let page = &scene.page;
    scene.site.faults.set(
        "data/arm_1/summary.json",
        Fault::body("{\"schema_version\": 1, \"system\": \"arm_1\", \"families\": 7"),
    );
    page.open("?sys=arm_1,x86_1").await?;
    let message = messages(&scene).await?;
    ensure!(
        message.contains("data/arm_1/summary.json") && message.contains("line 1"),
        "message: {message}"
    );
    let rows = page.rows().await?;
    ensure!(
        rows.len() > 100 && rows.iter().all(|row| row.system == "x86_1"),
        "x86_1 is not usable"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_is_not_json_is_named() -> Result<()> {
    let scene = Stage::new().set().await?;
    scene.site.faults.set(
        "data/index.json",
        Fault::body("<html>a proxy's page</html>"),
    );
    scene.page.open("").await?;
    let message = messages(&scene).await?;
    ensure!(
        message.contains("data/index.json") && message.contains("not valid JSON"),
        "message: {message}"
    );
    scene.site.faults.clear("data/index.json");
    scene.page.click_id("retry").await?;
    scene.page.find("tr[data-row]").await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_major_version_is_named() -> Result<()> {
    let scene = Stage::new().set().await?;
    scene.site.faults.set(
        "data/arm_1/summary.json",
        Fault::body("{\"schema_version\": 2, \"rows\": \"of another kind\"}"),
    );
    scene.page.open("?sys=arm_1,x86_1").await?;
    let message = messages(&scene).await?;
    ensure!(
        message.contains("schema_version is 2") && message.contains("summary.json"),
        "message: {message}"
    );
    ensure!(scene.page.rows().await?.len() > 100, "x86_1 is not usable");
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_breaks_the_contract_is_named() -> Result<()> {
    let scene = Stage::new().set().await?;
    let text = std::fs::read_to_string(
        xtask::paths::Workspace::here()
            .data()
            .join("arm_1/summary.json"),
    )?;
    // The first figure of a row: the cycles of the first key generation.
    let rows = text.find("\"rows\"").context("the summary has no rows")?;
    let at = text[rows..]
        .find("\"value\": ")
        .context("the rows have no figure")?
        + rows
        + 9;
    scene.site.faults.set(
        "data/arm_1/summary.json",
        Fault::body(format!("{}-{}", &text[..at], &text[at..])),
    );
    scene.page.open("?sys=arm_1,x86_1").await?;
    let message = messages(&scene).await?;
    ensure!(
        message.contains("data/arm_1/summary.json")
            && message.contains(".keygen.mean_cycles: -")
            && message.contains("is not a finite number of at least 0"),
        "message: {message}"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_does_not_wait_for_the_chart_library() -> Result<()> {
    let scene = Stage::new().set().await?;
    let page = &scene.page;
    page.go("").await?;
    let charts: String = page
        .eval("document.querySelector('meta[name=kemscope-charts]').content")
        .await?;
    let (held, gate) = Fault::held();
    scene.site.faults.set(&charts, held);
    page.session().refresh().await?;
    page.find("tr[data-row]").await?;
    ensure!(
        page.eval::<bool>("!window.echarts").await?,
        "the library came although it was held back"
    );
    page.click_id("filter-target-128").await?;
    page.wait("a filtered table", "location.search.includes('bits=128')")
        .await?;
    gate.open();
    page.wait("the chart", &format!("{} > 10", crate::plot::POINTS))
        .await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_chart_library_the_table_is_complete() -> Result<()> {
    let scene = Stage::new().set().await?;
    let page = &scene.page;
    page.go("").await?;
    let charts: String = page
        .eval("document.querySelector('meta[name=kemscope-charts]').content")
        .await?;
    scene.site.faults.set(&charts, Fault::status(404));
    page.open("").await?;
    ensure!(page.rows().await?.len() > 100, "the table is not complete");
    page.wait(
        "a message",
        "document.querySelector('[data-testid=scatter]').innerText.includes('chart library')",
    )
    .await?;
    scene.close_after_faults().await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn loading_is_drawn() -> Result<()> {
    let scene = Stage::new().set().await?;
    let (held, gate) = Fault::held();
    scene.site.faults.set("data/arm_1/summary.json", held);
    scene.page.go("").await?;
    scene.page.find("[data-testid=loading]").await?;
    gate.open();
    scene.page.wait_ready().await?;
    ensure!(
        scene.page.count("[data-testid=loading]").await? == 0,
        "the skeleton stays"
    );
    scene.close().await
}
