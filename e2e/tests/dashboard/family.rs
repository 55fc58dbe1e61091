//! The page of a family.

use anyhow::{Context, Result, ensure};
use e2e::{Stage, export};
use xtask::paths::Workspace;

#[tokio::test(flavor = "multi_thread")]
async fn kem_14_shows_twelve_instances_times_three_operations() -> Result<()> {
    let scene = Stage::new().open("family/kem-14/?sys=arm_1").await?;
    let page = &scene.page;
    for section in 1..=7 {
        ensure!(
            page.count(&format!("[data-section='{section}']")).await? == 1,
            "section {section} is missing"
        );
    }
    let performance: Vec<Vec<String>> = page
        .eval(
            "[...document.querySelectorAll('[data-section=\"4\"] table tr')]
                .filter(row => row.querySelector('[data-col=mean_cycles]') && row.closest('tbody'))
                .map(row => [row.dataset.instance, row.dataset.operation, row.querySelector('[data-col=mean_cycles]').innerText])",
        )
        .await?;
    ensure!(
        performance.len() == 36,
        "{} rows of performance instead of 36",
        performance.len()
    );
    let instances = export::instances(&Workspace::here().data(), "arm_1")?;
    let dtru: Vec<_> = instances
        .iter()
        .filter(|one| one.common.family == "kem-14")
        .collect();
    ensure!(dtru.len() == 12, "the export has {} instances", dtru.len());
    for row in &performance {
        let [instance, operation, shown] = row.as_slice() else {
            anyhow::bail!("{row:?}")
        };
        let one = dtru
            .iter()
            .find(|one| one.common.instance == *instance)
            .with_context(|| instance.clone())?;
        let value = one
            .cycles(operation)
            .with_context(|| format!("{instance} {operation}"))?;
        // The page prints with a unit: 241.9 k is 241900 to its last digit.
        let (number, unit) = shown.split_once(char::is_whitespace).unwrap_or((shown, ""));
        let scale = match unit.trim() {
            "k" => 1e3,
            "M" => 1e6,
            "G" => 1e9,
            _ => 1.0,
        };
        let number: f64 = number
            .replace(['\u{202f}', '\u{a0}'], "")
            .parse()
            .with_context(|| shown.clone())?;
        ensure!(
            (number * scale - value).abs() <= value * 1e-9,
            "{instance} {operation}: page {shown}, export {value}"
        );
    }
    ensure!(
        page.count("[data-testid=bars]").await? == 1,
        "the bars are missing"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_leads_to_its_instance_on_the_family_page_and_back() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1&q=DTRU-648").await?;
    let page = &scene.page;
    page.click("tr[data-family=kem-14] [data-col=instance] a")
        .await?;
    page.find("[data-testid=family-page]").await?;
    page.wait_ready().await?;
    let path: String = page.eval("location.pathname").await?;
    ensure!(path.ends_with("/family/kem-14/"), "path {path}");
    let anchored = "document.getElementById(decodeURIComponent(location.hash.slice(1)))";
    page.wait("the instance's place on the page", anchored)
        .await?;
    page.session().back().await?;
    page.find("[data-testid=overview-table]").await?;
    ensure!(
        page.query().await?.contains("q=DTRU-648"),
        "back lost the search"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deep_link_reloads() -> Result<()> {
    let scene = Stage::new().open("family/kem-14/?sys=arm_1#s4").await?;
    let page = &scene.page;
    page.session().refresh().await?;
    page.wait_ready().await?;
    ensure!(
        page.text("h1").await?.contains("DTRU"),
        "the reloaded page is not DTRU's"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn systems_stand_side_by_side() -> Result<()> {
    let scene = Stage::new().open("family/kem-14/?sys=arm_1,x86_1").await?;
    let systems: Vec<String> =
        scene.page.eval("[...document.querySelectorAll('[data-section=\"4\"] [data-system]')].map(e => e.dataset.system)").await?;
    ensure!(
        systems.contains(&"arm_1".to_owned()) && systems.contains(&"x86_1".to_owned()),
        "{systems:?}"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_family_is_said() -> Result<()> {
    let scene = Stage::new().open("families/").await?;
    let page = &scene.page;
    ensure!(
        page.count("[data-testid=families-table] tbody tr").await? > 30,
        "too few families"
    );
    page.eval::<Option<bool>>("history.pushState(null, '', 'family/kem-99/'), dispatchEvent(new PopStateEvent('popstate'))").await?;
    ensure!(
        page.text("[data-testid=unknown-family]")
            .await?
            .contains("kem-99"),
        "the message does not name the family"
    );
    scene.close().await
}
