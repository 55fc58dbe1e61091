//! Two families with an instance of one name: `HQC-128` in kem-26 on x86_1 and in hqc on the fixture's board.

use anyhow::{Result, ensure};
use e2e::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn instances_of_one_name_stay_apart_in_the_table() -> Result<()> {
    let scene = Stage::new()
        .with_fixture()
        .open("?sys=x86_1,board_1&q=HQC-128")
        .await?;
    let page = &scene.page;
    let rows = page.rows().await?;
    let named: Vec<_> = rows
        .iter()
        .filter(|row| row.instance == "HQC-128")
        .collect();
    let families: Vec<&str> = named.iter().map(|row| row.family.as_str()).collect();
    ensure!(
        families.contains(&"kem-26") && families.contains(&"hqc") && named.len() == 2,
        "{families:?}"
    );
    let bytes = |family: &str| {
        named
            .iter()
            .find(|row| row.family == family)
            .and_then(|row| row.cells.get("public_key_bytes"))
            .map(|text| {
                text.chars()
                    .filter(char::is_ascii_digit)
                    .collect::<String>()
            })
    };
    ensure!(
        bytes("kem-26").as_deref() == Some("3713") && bytes("hqc").as_deref() == Some("2249"),
        "public keys"
    );
    // A filter of one family must not let the other's instance through.
    page.click_id("filter-family-hqc").await?;
    page.wait(
        "hqc alone",
        "[...document.querySelectorAll('tr[data-row]')].every(r => r.dataset.family === 'hqc')",
    )
    .await?;
    ensure!(
        page.rows()
            .await?
            .iter()
            .any(|row| row.instance == "HQC-128"),
        "its own instance is gone"
    );
    scene.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_name_leads_to_its_own_family() -> Result<()> {
    for (family, title, key) in [("hqc", "HQC", "2249"), ("kem-26", "NSS-HQC", "3713")] {
        let scene = Stage::new()
            .with_fixture()
            .open("?sys=x86_1,board_1&q=HQC-128")
            .await?;
        let page = &scene.page;
        page.click(&format!(
            "tr[data-family='{family}'][data-instance='HQC-128'] [data-col=instance] a"
        ))
        .await?;
        page.find(&format!(
            "[data-testid=family-page][data-family='{family}']"
        ))
        .await?;
        page.wait_ready().await?;
        let head = page.text("h1").await?;
        ensure!(
            head.contains(family) && head.contains(title),
            "title {head}"
        );
        let sizes: String = page.eval("document.querySelector('[data-section=\"6\"]').innerText.replace(/[^0-9\\n]/g, '')").await?;
        let other = if key == "2249" { "3713" } else { "2249" };
        ensure!(
            sizes.contains(key) && !sizes.contains(other),
            "sizes of {family}: {sizes}"
        );
        scene.close().await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn both_have_their_own_point() -> Result<()> {
    let scene = Stage::new()
        .with_fixture()
        .open("?sys=x86_1,board_1&q=HQC-128")
        .await?;
    scene.page.wait_rows(2).await?;
    scene
        .page
        .wait(
            "a point for each",
            &format!("{} === 2", crate::plot::POINTS),
        )
        .await?;
    scene.close().await
}
