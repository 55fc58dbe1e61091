//! From files to data sets and back to tables, through the program itself.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use kemscope_schema::{csv, format, parse};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FAMILIES: [&str; 5] = ["kem-12", "kem-13", "kem-14", "kem-27", "kem-37"];

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(path)
}

fn runner(data: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_native-runner"))
        .args(arguments)
        .arg("--data")
        .arg(data)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn page(family: &str) -> String {
    fixture(&format!("pages/{family}.txt"))
        .display()
        .to_string()
}

fn import_pages(data: &Path) {
    let pages: Vec<String> = FAMILIES.map(page).to_vec();
    let mut arguments = vec!["import", "page"];
    arguments.extend(pages.iter().map(String::as_str));
    let output = runner(data, &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn import_field(data: &Path, system: &str) -> Output {
    let file = fixture(&format!("field/kem_field_{system}.csv"))
        .display()
        .to_string();
    runner(data, &["import", "field", &file, "--system", system])
}

fn export(data: &Path, arguments: &[&str]) -> Vec<csv::CsvRow> {
    let mut all = vec!["export", "--format", "csv"];
    all.extend(arguments);
    let output = runner(data, &all);
    assert!(output.status.success(), "{}", text(&output.stderr));
    csv::read(&text(&output.stdout)).unwrap()
}

/// The row of section 4, 5, 6 or the shares that begins with instance (and operation), its other cells
/// split at white space.
fn printed(family: &str, heading: &str, start: &str) -> Vec<String> {
    let page = std::fs::read_to_string(page(family))
        .unwrap()
        .replace('`', "")
        .replace('\t', " ");
    let row = page
        .lines()
        .skip_while(|line| *line != heading)
        .find_map(|line| line.strip_prefix(&format!("{start} ")))
        .unwrap();
    row.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn export_prints_75_rows_whose_every_figure_equals_the_pages() {
    let data = tempfile::tempdir().unwrap();
    import_pages(data.path());
    assert!(import_field(data.path(), "arm_1").status.success());
    let rows: Vec<csv::CsvRow> = export(data.path(), &["--system", "arm_1"])
        .into_iter()
        .filter(|row| FAMILIES.contains(&row.family.as_str()))
        .collect();
    assert_eq!(rows.len(), 75);
    for row in &rows {
        let key = format!("{} {}", row.instance, row.operation);
        let speed = printed(&row.family, "4. Performance", &key);
        // cycles, unit, time, unit, ops/s, time, unit, n, (trials, ×, iterations)
        let number = |value: Option<f64>| value.unwrap();
        assert_eq!(
            format::cycles(number(row.mean_cycles)),
            speed[..2].join(" "),
            "{key}"
        );
        assert_eq!(
            format::seconds(number(row.mean_seconds)),
            speed[2..4].join(" "),
            "{key}"
        );
        assert_eq!(
            format::ops_per_second(number(row.ops_per_second)),
            speed[4],
            "{key}"
        );
        assert_eq!(
            format::seconds(number(row.median_trial_seconds)),
            speed[5..7].join(" "),
            "{key}"
        );
        assert_eq!(row.calls.unwrap().to_string(), speed[7], "{key}");
        assert_eq!(format!("({}", row.trials.unwrap()), speed[8], "{key}");
        assert_eq!(format!("{})", row.iterations.unwrap()), speed[10], "{key}");
        let memory = printed(&row.family, "5. Resource consumption", &key);
        assert_eq!(row.elf_load_bytes.unwrap().to_string(), memory[0]);
        assert_eq!(
            (row.baseline_rss_bytes.unwrap() / 1024).to_string(),
            memory[1]
        );
        assert_eq!((row.peak_rss_bytes.unwrap() / 1024).to_string(), memory[3]);
        let sizes = printed(
            &row.family,
            "6. Transmission and storage overhead",
            &row.instance,
        );
        let bytes = [
            row.public_key_bytes,
            row.secret_key_bytes,
            row.ciphertext_bytes,
            row.shared_secret_bytes,
        ];
        assert_eq!(
            bytes.map(|b| b.unwrap().to_string()).to_vec(),
            sizes,
            "{key}"
        );
        let shares = printed(&row.family, "Symmetric primitives", &key);
        assert_eq!(format::share(row.hash_share.unwrap()), shares[0], "{key}");
        assert_eq!(format::share(row.drng_share.unwrap()), shares[1], "{key}");
        let calls: Vec<String> = row
            .primitive_calls
            .iter()
            .map(|(name, n)| format!("{name} {}", format::calls_per_operation(*n)))
            .collect();
        assert_eq!(calls.join(", "), shares[2..].join(" "), "{key}");
        assert_eq!(row.kat.label(), "PASS");
    }
    let bits = |name: &str| {
        rows.iter()
            .find(|r| r.instance == name)
            .unwrap()
            .target_bits
    };
    assert_eq!(bits("DTRU-648"), Some(128));
    assert_eq!(bits("DTRU-768"), None);
    assert_eq!(bits("CTL-3329-2048"), Some(512));
}

#[test]
fn pages_and_field_can_be_imported_in_any_order() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import_pages(first.path());
    import_field(first.path(), "arm_1");
    import_field(second.path(), "arm_1");
    import_pages(second.path());
    let file = |data: &Path, name: &str| std::fs::read_to_string(data.join(name)).unwrap();
    for name in [
        "index.json",
        "arm_1/system.json",
        "arm_1/kem-14.json",
        "arm_1/summary.json",
    ] {
        assert_eq!(
            file(first.path(), name),
            file(second.path(), name),
            "{name}"
        );
    }
    // Importing again changes nothing.
    let before = file(first.path(), "index.json");
    import_pages(first.path());
    assert_eq!(file(first.path(), "index.json"), before);
}

#[test]
fn the_committed_data_sets_are_those_of_the_sources() {
    let data = tempfile::tempdir().unwrap();
    import_pages(data.path());
    import_field(data.path(), "arm_1");
    import_field(data.path(), "x86_1");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    let index = std::fs::read_to_string(data.path().join("index.json")).unwrap();
    assert_eq!(
        index,
        std::fs::read_to_string(committed.join("index.json")).unwrap()
    );
    for system in ["arm_1", "x86_1"] {
        let output = runner(&committed, &["verify", "--system", system]);
        assert!(output.status.success(), "{}", text(&output.stdout));
    }
}

#[test]
fn instances_that_failed_to_build_still_show() {
    let data = tempfile::tempdir().unwrap();
    assert!(import_field(data.path(), "arm_1").status.success());
    let rows = export(data.path(), &["--family", "kem-01"]);
    assert_eq!(rows.len(), 9);
    assert!(
        rows.iter()
            .all(|r| r.kat.label() == "BUILDFAIL" && r.mean_cycles.is_none())
    );
    assert_eq!(rows[0].public_key_bytes, Some(656));
}

#[test]
fn a_disagreement_with_a_page_is_told_and_the_page_wins() {
    let data = tempfile::tempdir().unwrap();
    import_pages(data.path());
    let table = std::fs::read_to_string(fixture("field/kem_field_arm_1.csv")).unwrap();
    let changed = data.path().join("changed.csv");
    std::fs::write(&changed, table.replace("241900,0.0", "242000,0.0")).unwrap();
    let output = runner(
        data.path(),
        &[
            "import",
            "field",
            changed.to_str().unwrap(),
            "--system",
            "arm_1",
        ],
    );
    let line = "kem-14 DTRU-648 keygen: cycles 241900 on the page, 242000 in the table";
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nothing was written"));
    assert!(text(&output.stderr).contains(line));
    let changed = changed.to_str().unwrap();
    let arguments = [
        "import",
        "field",
        changed,
        "--system",
        "arm_1",
        "--page-wins",
    ];
    let output = runner(data.path(), &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr).trim(), format!("warning: {line}"));
    let row = &export(data.path(), &["--family", "kem-14"])[0];
    assert_eq!(row.mean_cycles, Some(241_900.0));
}

#[test]
fn nothing_is_written_when_one_page_of_several_is_damaged() {
    let data = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(page("kem-13")).unwrap();
    let cut = data.path().join("cut.txt");
    std::fs::write(&cut, &good[..good.len() / 2]).unwrap();
    let into = data.path().join("data");
    let output = runner(
        &into,
        &["import", "page", &page("kem-14"), cut.to_str().unwrap()],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("cut.txt"),
        "{}",
        text(&output.stderr)
    );
    assert!(!into.exists());
    let twice = runner(&into, &["import", "page", &page("kem-14"), &page("kem-14")]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(text(&twice.stderr).contains("a second page of kem-14 on arm_1"));
    let latin = data.path().join("latin.txt");
    std::fs::write(&latin, b"kem-1 X \xb7 \xb5s").unwrap();
    let encoding = runner(&into, &["import", "page", latin.to_str().unwrap()]);
    assert!(text(&encoding.stderr).contains("line 1: byte 0xb7 at offset 8 is not UTF-8"));
    assert!(!into.exists());
}

#[test]
fn raw_records_are_computed_again_from_their_trials() {
    let data = tempfile::tempdir().unwrap();
    let record = fixture("records/harness_record_schema2.json")
        .display()
        .to_string();
    let profile = fixture("records/harness_profile_schema2.json")
        .display()
        .to_string();
    let output = runner(
        data.path(),
        &["import", "record", &record, &profile, "--system", "vivo"],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows = export(data.path(), &["--system", "vivo"]);
    let enc = &rows[1];
    assert_eq!(enc.mean_cycles, Some(129_617.09189018334));
    assert_eq!(enc.mean_seconds, Some(4.8095691682470874e-05));
    assert_eq!(enc.calls, Some(22_146));
    assert_eq!(enc.hash_share, Some(0.29556072627978114));
    assert_eq!(enc.drng_share, Some(0.03271876847274728));
    assert_eq!(enc.public_key_bytes, Some(972));
    assert_eq!(
        parse::seconds(&format::seconds(enc.mean_seconds.unwrap()))
            .unwrap()
            .value,
        48.1e-6
    );

    let damaged = data.path().join("damaged.json");
    let original = std::fs::read_to_string(fixture("records/harness_record_schema2.json")).unwrap();
    for (from, to, expected) in [
        (
            "\"seconds\": 0.532514375",
            "\"seconds\": 0.542514375",
            "mean_seconds is 0.000048095691682470874, its trials give",
        ),
        (
            "\"schema\": 2",
            "\"schema\": 3",
            "schema 3 where 2 was expected",
        ),
        (
            "\"status\": \"complete\"",
            "\"status\": \"timeout\"",
            "status “timeout” where “complete” was expected",
        ),
        ("\"trials\": [", "\"trails\": [", "missing field `trials`"),
        (
            "\"kat\": \"PASS\"",
            "\"kat\": \"SURE\"",
            "“SURE” where a status like PASS was expected",
        ),
    ] {
        std::fs::write(&damaged, original.replace(from, to)).unwrap();
        let output = runner(
            data.path(),
            &[
                "import",
                "record",
                damaged.to_str().unwrap(),
                "--system",
                "other",
            ],
        );
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(expected),
            "{}",
            text(&output.stderr)
        );
    }
    assert!(!data.path().join("other").exists());
}

#[test]
fn wrong_names_are_answered_with_the_right_ones() {
    let data = tempfile::tempdir().unwrap();
    let empty = runner(data.path(), &["export"]);
    assert_eq!(empty.status.code(), Some(2));
    assert!(
        text(&empty.stderr).contains("no data sets in"),
        "{}",
        text(&empty.stderr)
    );
    import_pages(data.path());
    let system = runner(data.path(), &["export", "--system", "arm1"]);
    assert!(text(&system.stderr).contains("no system arm1"));
    assert!(text(&system.stderr).contains("there are arm_1"));
    let family = runner(data.path(), &["export", "--family", "kem14"]);
    assert!(text(&family.stderr).contains("no family kem14; there are kem-12, kem-13"));
    let unknown = runner(
        data.path(),
        &["import", "field", &page("kem-14"), "--system", "../x"],
    );
    assert!(text(&unknown.stderr).contains("“../x” is not the identifier of a system"));
}
