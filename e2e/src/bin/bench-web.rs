//! What the first view costs: bytes per file, time until it is ready, time from a filter click to the painted result.

use anyhow::{Context, Result};
use e2e::bytes::{self, FileBytes};
use e2e::chromium::{Chromium, Options};
use e2e::{Page, Site, site, trace};
use std::process::ExitCode;

/// Budgets in bytes of brotli; a kilobyte is 1000 bytes.
const FIRST_VIEW: usize = 200_000;
const CHART_LIBRARY: usize = 175_000;

/// Fresh loads, each in a browser of its own.
const LOADS: usize = 5;

/// Clicks on a filter.
const CLICKS: usize = 50;

/// Notes the moment at which the page says that it is ready.
const NOTE_READY: &str = "new MutationObserver((_, observer) => {
    if (document.body && document.body.dataset.ready === 'true') {
        window.readyAt = performance.now();
        observer.disconnect();
    }
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-ready'] });";

/// Milliseconds from the click to the second frame after it: the first one paints the result.
const CLICK: &str = "const done = arguments[arguments.length - 1];
    const button = document.querySelector('[data-testid=filter-target-256]');
    requestAnimationFrame(() => {
        const start = performance.now();
        button.click();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
    });";

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let site = Site::as_built().await?;
    let mut ready = Vec::new();
    for _ in 1..LOADS {
        let (chromium, page) = load(&site).await?;
        ready.push(page.eval::<f64>("window.readyAt").await?);
        chromium.quit().await?;
    }
    let (chromium, page) = load(&site).await?;
    ready.push(page.eval::<f64>("window.readyAt").await?);
    let requests = trace::requests(&chromium.session).await?;
    let files = bytes::files(&requests, &site.url(), &site::dist()?)?;
    let mut clicks = Vec::new();
    for _ in 0..CLICKS {
        let answer = chromium.session.execute_async(CLICK, Vec::new()).await?;
        clicks.push(answer.json().as_f64().context("the click was not timed")?);
    }
    chromium.quit().await?;

    let (charts, first): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|file| bytes::is_chart_library(&file.path));
    let fits =
        table("First view", &first, FIRST_VIEW) & table("Chart library", &charts, CHART_LIBRARY);
    println!(
        "ready after {:.0} ms (median of {LOADS} fresh loads)",
        quantile(&mut ready, 0.5)
    );
    println!(
        "filter click to painted result {:.1} ms (median), {:.1} ms (95th percentile) of {CLICKS}",
        quantile(&mut clicks, 0.5),
        quantile(&mut clicks, 0.95)
    );
    Ok(if fits {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Opens the first page in a fresh browser.
async fn load(site: &Site) -> Result<(Chromium, Page)> {
    let chromium = Chromium::start(&Options::default()).await?;
    let page = Page::new(chromium.session.clone(), site.url());
    page.before_load(NOTE_READY).await?;
    page.open("").await?;
    page.wait("the moment to be noted", "window.readyAt > 0")
        .await?;
    Ok((chromium, page))
}

/// Prints files and their sum; whether it is within the budget.
fn table(title: &str, files: &[FileBytes], budget: usize) -> bool {
    println!("{title:<52} {:>9} {:>9}", "bytes", "brotli");
    for file in files {
        println!("  {:<50} {:>9} {:>9}", file.path, file.plain, file.brotli);
    }
    let plain: usize = files.iter().map(|file| file.plain).sum();
    let brotli: usize = files.iter().map(|file| file.brotli).sum();
    let percent = 100.0 * brotli as f64 / budget as f64;
    println!("  {:<50} {plain:>9} {brotli:>9}", "sum");
    let verdict = if brotli <= budget { "within" } else { "OVER" };
    println!("  {percent:.0} % of the budget of {budget} bytes: {verdict}\n");
    brotli <= budget
}

/// The smallest value that at least this part of the values does not exceed.
fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (part * values.len() as f64).ceil() as usize;
    values
        .get(at.saturating_sub(1))
        .copied()
        .unwrap_or(f64::NAN)
}
