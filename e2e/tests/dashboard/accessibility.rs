//! What assistive programs need: names, roles, states.

use anyhow::{Result, ensure};
use e2e::{Page, Stage};

/// Controls that are visible and have no accessible name.
const NAMELESS: &str = "[...document.querySelectorAll('a[href], button, input, select, summary, [role=button]')]
    .filter(e => e.checkVisibility())
    .filter(e => ![e.getAttribute('aria-label'), e.innerText, e.textContent, e.title, e.getAttribute('placeholder'),
        ...[...(e.labels || [])].map(l => l.innerText)].some(t => t && t.trim()))
    .map(e => e.outerHTML.slice(0, 120))";

/// Identifiers that more than one element has.
const TWICE: &str = "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, at, all) => all.indexOf(id) !== at)";

/// References to elements that do not exist.
const DANGLING: &str = "[...document.querySelectorAll('[aria-describedby], [aria-labelledby], [aria-controls], label[for]')]
    .flatMap(e => ['aria-describedby', 'aria-labelledby', 'aria-controls', 'for'].flatMap(
        name => (e.getAttribute(name) || '').split(/\\s+/).filter(Boolean)))
    .filter(id => !document.getElementById(id))";

async fn basics(page: &Page, place: &str) -> Result<()> {
    let nameless: Vec<String> = page.eval(NAMELESS).await?;
    ensure!(
        nameless.is_empty(),
        "{place}: controls without a name: {nameless:?}"
    );
    let twice: Vec<String> = page.eval(TWICE).await?;
    ensure!(
        twice.is_empty(),
        "{place}: identifiers that are used twice: {twice:?}"
    );
    let dangling: Vec<String> = page.eval(DANGLING).await?;
    ensure!(
        dangling.is_empty(),
        "{place}: references to nothing: {dangling:?}"
    );
    for (selector, what) in [("main", "main"), ("h1", "h1")] {
        let count = page.count(selector).await?;
        ensure!(count == 1, "{place}: {count} × {what}");
    }
    ensure!(
        page.eval::<bool>("Boolean(document.documentElement.lang && document.title)")
            .await?,
        "{place}: language, title"
    );
    let levels: Vec<u8> = page
        .eval("[...document.querySelectorAll('h1, h2, h3, h4')].filter(e => e.checkVisibility()).map(e => Number(e.tagName[1]))")
        .await?;
    ensure!(
        levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "{place}: headings skip a level: {levels:?}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_has_names_roles_and_headings() -> Result<()> {
    let scene = Stage::new().set().await?;
    for path in [
        "",
        "families/",
        "family/kem-14/?sys=arm_1,x86_1",
        "systems/",
    ] {
        scene.page.open(path).await?;
        basics(&scene.page, &format!("/{path}")).await?;
    }
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_announces_its_order() -> Result<()> {
    let scene = Stage::new().open("").await?;
    let page = &scene.page;
    let heads = page
        .count("[data-testid=overview-table] thead th[scope=col]")
        .await?;
    ensure!(heads >= 10, "{heads} heads");
    let states: Vec<Option<String>> = page
        .eval("[...document.querySelectorAll('[data-testid=overview-table] thead th')].map(th => th.getAttribute('aria-sort'))")
        .await?;
    ensure!(
        states.iter().all(|state| state.as_deref() == Some("none")),
        "unsorted: {states:?}"
    );
    page.click("button[data-sort=dec_cycles]").await?;
    page.wait(
        "one sorted head",
        "document.querySelectorAll('th[aria-sort=ascending]').length === 1",
    )
    .await?;
    ensure!(
        page.count("tbody th[scope=row]").await? == page.rows().await?.len(),
        "rows without a head"
    );
    ensure!(
        page.count("[data-testid=counts][role=status]").await? == 1,
        "the counts are not announced"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_theme_is_chosen_and_kept() -> Result<()> {
    let scene = Stage::new().open("").await?;
    let page = &scene.page;
    let background = "getComputedStyle(document.body).backgroundColor";
    let light: String = page.eval(background).await?;
    for _ in 0..3 {
        if page
            .eval::<bool>("document.documentElement.dataset.theme === 'dark'")
            .await?
        {
            break;
        }
        page.click_id("theme").await?;
    }
    page.wait(
        "dark colours",
        &format!("document.documentElement.dataset.theme === 'dark' && {background} !== '{light}'"),
    )
    .await?;
    page.session().refresh().await?;
    page.wait_ready().await?;
    ensure!(
        page.eval::<String>("document.documentElement.dataset.theme || ''")
            .await?
            == "dark",
        "the choice is lost"
    );
    scene.close().await
}
