//! The order of the overview against the order computed from the runner's CSV.

use anyhow::{Context, Result, ensure};
use e2e::export::{self, Instance};
use e2e::{Page, Stage, TableRow};
use std::cmp::Ordering;
use std::collections::HashMap;
use thirtyfour::Key as Press;
use xtask::paths::Workspace;

type Key = (String, String, String, String);
type Value = fn(&Instance) -> Option<f64>;

const IN_CYCLES: [(&str, Value); 8] = [
    ("target_bits", |i| i.common.target_bits.map(f64::from)),
    ("public_key_bytes", |i| i.common.public_key_bytes),
    ("ciphertext_bytes", |i| i.common.ciphertext_bytes),
    ("pk_ct_bytes", |i| {
        Some(i.common.public_key_bytes? + i.common.ciphertext_bytes?)
    }),
    ("keygen_cycles", |i| i.cycles("keygen")),
    ("enc_cycles", |i| i.cycles("enc")),
    ("dec_cycles", |i| i.cycles("dec")),
    ("symmetric_share", |i| {
        i.operations
            .values()
            .filter_map(|line| line.hash_share)
            .max_by(f64::total_cmp)
    }),
];

/// What the export says of each instance of a system.
fn exported(system: &str) -> Result<HashMap<Key, Instance>> {
    let instances = export::instances(&Workspace::here().data(), system)?;
    Ok(instances
        .into_iter()
        .map(|instance| (instance.key(), instance))
        .collect())
}

/// Unknown comes last in both directions.
fn compare(a: Option<f64>, b: Option<f64>, descending: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if descending => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

fn keys(rows: &[TableRow]) -> Vec<Key> {
    rows.iter().map(TableRow::key).collect()
}

/// Sorts by a column in both directions and compares with the order of `values`; equal ones keep the order of `start`.
async fn check(
    page: &Page,
    column: &str,
    start: &[Key],
    value: impl Fn(&Key) -> Option<f64>,
) -> Result<()> {
    let head = format!("button[data-sort={column}]");
    for (descending, word) in [(false, "ascending"), (true, "descending")] {
        page.click(&head).await?;
        let state = format!(
            "document.querySelector('{head}').closest('th').getAttribute('aria-sort') === '{word}'"
        );
        page.wait(&format!("{column} {word}"), &state).await?;
        let mut expected = start.to_vec();
        expected.sort_by(|a, b| compare(value(a), value(b), descending));
        let shown = keys(&page.rows().await?);
        let wrong = expected.iter().zip(&shown).position(|(a, b)| a != b);
        ensure!(
            expected.len() == shown.len() && wrong.is_none(),
            "{column} {word}: {} rows, expected {}; first difference at {wrong:?}: {:?}",
            shown.len(),
            expected.len(),
            wrong.map(|at| (shown.get(at), expected.get(at)))
        );
    }
    Ok(())
}

async fn all_columns(system: &str) -> Result<()> {
    let known = exported(system)?;
    let scene = Stage::new().open(&format!("?sys={system}")).await?;
    let start = keys(&scene.page.rows().await?);
    ensure!(
        start.len() == known.len(),
        "{} rows, the export has {} instances",
        start.len(),
        known.len()
    );
    for key in &start {
        known
            .get(key)
            .with_context(|| format!("{key:?} is not in the export"))?;
    }
    for (column, value) in IN_CYCLES {
        let unknown = known
            .values()
            .filter(|instance| value(instance).is_none())
            .count();
        ensure!(
            unknown < known.len(),
            "{column}: the export knows no value, the test would prove nothing"
        );
        // arm_1 has instances that failed to build: unknown values must come last for them.
        ensure!(
            unknown > 0 || system != "arm_1" || !column.ends_with("_cycles"),
            "{column}: every value is known, the test would not show where unknown ones go"
        );
        check(&scene.page, column, &start, |key| {
            known.get(key).and_then(value)
        })
        .await?;
    }
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_numeric_column_of_arm_1_sorts_as_the_export_says() -> Result<()> {
    all_columns("arm_1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_numeric_column_of_x86_1_sorts_as_the_export_says() -> Result<()> {
    all_columns("x86_1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn times_sort_too_measured_or_derived_from_the_fixed_clock() -> Result<()> {
    const CLOCK: f64 = 2.71e9;
    let known = exported("arm_1")?;
    let scene = Stage::new().open("?sys=arm_1&units=time").await?;
    let start = keys(&scene.page.rows().await?);
    for operation in ["keygen", "enc", "dec"] {
        let value = |key: &Key| {
            let line = known.get(key)?.operations.get(operation)?;
            line.mean_seconds
                .or_else(|| Some(line.mean_cycles? / CLOCK))
        };
        check(&scene.page, &format!("{operation}_seconds"), &start, value).await?;
    }
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn shift_click_adds_a_second_key() -> Result<()> {
    let known = exported("arm_1")?;
    let scene = Stage::new().open("?sys=arm_1").await?;
    let page = &scene.page;
    let start = keys(&page.rows().await?);
    page.click("button[data-sort=target_bits]").await?;
    let second = page.find("button[data-sort=public_key_bytes]").await?;
    let chain = page
        .session()
        .action_chain()
        .key_down(Press::Shift)
        .click_element(&second)
        .key_up(Press::Shift);
    chain.perform().await?;
    page.wait("two keys", "location.search.includes('sort=bits,pk')")
        .await?;
    let mut expected = start;
    let value = |key: &Key, column: Value| known.get(key).and_then(column);
    let [bits, pk] = [IN_CYCLES[0].1, IN_CYCLES[1].1];
    expected.sort_by(|a, b| {
        compare(value(a, bits), value(b, bits), false)
            .then_with(|| compare(value(a, pk), value(b, pk), false))
    });
    ensure!(
        keys(&page.rows().await?) == expected,
        "the order by target and public key differs"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_alone_sorts() -> Result<()> {
    let scene = Stage::new().open("?sys=arm_1").await?;
    let page = &scene.page;
    // From the top of the page by Tab alone to a head of the table.
    let reached = "document.activeElement?.dataset.sort === 'dec_cycles'";
    for _ in 0..200 {
        if page.eval::<bool>(reached).await? {
            break;
        }
        page.session()
            .action_chain()
            .send_keys(Press::Tab)
            .perform()
            .await?;
    }
    ensure!(
        page.eval::<bool>(reached).await?,
        "Tab does not lead to the head of dec"
    );
    ensure!(
        page.eval::<bool>("document.activeElement.matches(':focus-visible')")
            .await?,
        "the focus is not visible"
    );
    for word in ["ascending", "descending"] {
        page.session()
            .action_chain()
            .send_keys(Press::Enter)
            .perform()
            .await?;
        let state =
            format!("document.activeElement.closest('th').getAttribute('aria-sort') === '{word}'");
        page.wait(word, &state).await?;
    }
    let known = exported("arm_1")?;
    let shown = keys(&page.rows().await?);
    let values: Vec<f64> = shown
        .iter()
        .filter_map(|key| known.get(key)?.cycles("dec"))
        .collect();
    ensure!(
        values.len() > 100 && values.is_sorted_by(|a, b| a >= b),
        "dec is not in descending order"
    );
    // The arrows move between cells, Enter opens the family.
    page.session()
        .action_chain()
        .send_keys(Press::Tab)
        .perform()
        .await?;
    for _ in 0..20 {
        if page
            .eval::<bool>("document.activeElement.matches('td, tbody th')")
            .await?
        {
            break;
        }
        page.session()
            .action_chain()
            .send_keys(Press::Tab)
            .perform()
            .await?;
    }
    let place = "document.activeElement.closest('tr').rowIndex";
    let row: usize = page.eval(place).await?;
    let (arrow, next) = if row < shown.len() {
        (Press::Down, row + 1)
    } else {
        (Press::Up, row - 1)
    };
    page.session()
        .action_chain()
        .send_keys(arrow)
        .perform()
        .await?;
    page.wait("the next row", &format!("{place} === {next}"))
        .await?;
    page.session()
        .action_chain()
        .send_keys(Press::Enter)
        .perform()
        .await?;
    page.find("[data-testid=family-page]").await?;
    scene.close().await
}
