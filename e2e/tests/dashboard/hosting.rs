//! Where and in what the dashboard runs: below a path, without WebAssembly, without JavaScript.

use anyhow::{Result, ensure};
use e2e::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn it_works_below_a_path() -> Result<()> {
    let scene = Stage::new().under("/some/deep/path/").open("").await?;
    let page = &scene.page;
    ensure!(page.rows().await?.len() > 100, "no rows");
    page.click_id("nav-families").await?;
    page.wait(
        "the families' address",
        "location.pathname === '/some/deep/path/families/'",
    )
    .await?;
    page.click("[data-testid=families-table] tr[data-family=kem-14] a")
        .await?;
    page.wait(
        "the family's address",
        "location.pathname === '/some/deep/path/family/kem-14/'",
    )
    .await?;
    page.find("[data-section='4']").await?;
    page.session().refresh().await?;
    page.wait_ready().await?;
    ensure!(
        page.text("h1").await?.contains("DTRU"),
        "the reloaded page is not DTRU's"
    );
    page.click_id("nav-systems").await?;
    page.find("[data-testid=systems-page]").await?;
    page.session().back().await?;
    page.find("[data-testid=family-page]").await?;
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_opens_by_its_address() -> Result<()> {
    let scene = Stage::new().set().await?;
    for (path, hook) in [
        ("", "overview-table"),
        ("index.html", "overview-table"),
        ("families/", "families-table"),
        ("systems/", "systems-page"),
        ("family/kem-14/", "family-page"),
    ] {
        scene.page.open(path).await?;
        scene.page.find(&format!("[data-testid={hook}]")).await?;
    }
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_does_not_exist_is_said() -> Result<()> {
    let scene = Stage::new().set().await?;
    scene.page.go("no/such/page").await?;
    ensure!(
        scene.page.text("h1").await?.contains("no such page"),
        "no message"
    );
    scene.close_after_faults().await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_webassembly_gets_a_sentence() -> Result<()> {
    let scene = Stage::new().set().await?;
    scene
        .page
        .before_load("delete globalThis.WebAssembly")
        .await?;
    scene.page.go("").await?;
    let text = scene.page.text("#boot-text").await?;
    ensure!(
        text.contains("does not run WebAssembly"),
        "the page says: {text}"
    );
    // The start script itself fails here, and the console may say so: the usual final check does not apply.
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn without_javascript_the_page_says_what_it_needs() -> Result<()> {
    let scene = Stage::new()
        .flag("--blink-settings=scriptEnabled=false")
        .set()
        .await?;
    scene.page.go("").await?;
    let source = scene.page.session().source().await?;
    ensure!(
        source.contains("<noscript>") && source.contains("needs JavaScript"),
        "no sentence for it"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_narrow_window_has_no_sideways_scrolling() -> Result<()> {
    let scene = Stage::new().set().await?;
    scene.page.resize(390, 844).await?;
    for path in ["", "families/", "family/kem-14/", "systems/"] {
        scene.page.open(path).await?;
        let (page, window): (f64, f64) = scene
            .page
            .eval("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            .await?;
        ensure!(
            page <= window,
            "/{path}: the page is {page} px wide in a window of {window} px"
        );
    }
    scene.close().await
}
