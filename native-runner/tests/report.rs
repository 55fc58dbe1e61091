//! `report`: pages, tables and pictures from the published data of the repository.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, texts};
use kemscope_schema::FamilyRecord;
use native_runner::import::page;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PAGES: [&str; 5] = ["kem-12", "kem-13", "kem-14", "kem-27", "kem-37"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn report(arguments: &[&str]) -> (i32, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_native-runner"));
    program
        .current_dir(repository())
        .arg("report")
        .args(arguments);
    texts(&program.output().unwrap())
}

fn good(arguments: &[&str]) -> String {
    let (code, stdout, stderr) = report(arguments);
    assert_eq!(code, 0, "{arguments:?}: {stderr}");
    stdout
}

fn published(system: &str, family: &str) -> FamilyRecord {
    let path = repository().join(format!("data/{system}/{family}.json"));
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The record without what a report adds of its own: sentences, digests of files, and what only the summary
/// of the field knows.
fn bare(mut record: FamilyRecord) -> FamilyRecord {
    record.source.sha256 = None;
    let scripts = record.notes.scripts.take();
    record.notes = kemscope_schema::SectionNotes {
        scripts,
        ..Default::default()
    };
    for instance in &mut record.instances {
        instance.target_bits = None;
    }
    record
}

#[test]
fn a_page_in_markdown_is_read_back_as_the_record_that_it_was_made_from() {
    for family in PAGES {
        let record = published("arm_1", family);
        let text = good(&[family, "--system", "arm_1", "--format", "md"]);
        let mut read = page::read("report.md", &text)
            .unwrap_or_else(|e| panic!("{e}"))
            .record;
        if record.basic.is_none() {
            // The report fills an empty first section with what the record knows.
            assert_eq!(
                read.basic.as_ref().unwrap().parameter_sets.len(),
                record.instances.len()
            );
            read.basic = None;
        }
        assert_eq!(bare(read), bare(record), "{family}");
    }
}

/// Checks that every element that is opened is closed, in order.
fn balanced(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        let name = tag
            .trim_start_matches('/')
            .split([' ', '\n'])
            .next()
            .unwrap();
        let single = tag.ends_with('/') || tag.starts_with(['!', '?']) || name == "meta";
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !single {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn html_stands_alone_and_its_tables_have_heads() {
    let folder = tempfile::tempdir().unwrap();
    let figures = folder.path().join("figures");
    let text = good(&[
        "kem-14",
        "--system",
        "arm_1",
        "--format",
        "html",
        "--figures",
        figures.to_str().unwrap(),
    ]);
    balanced(&text);
    assert!(text.contains("<html lang=\"en\">") && text.contains("prefers-color-scheme: dark"));
    assert!(text.contains("@media print"));
    let addresses = text.replace("http://www.w3.org/2000/svg", "");
    for outside in ["src=", "http://", "<script", "<link", "@import", "url("] {
        assert!(!addresses.contains(outside), "{outside}");
    }
    assert!(text.contains("<th scope=\"col\" class=\"number\">mean cycles</th>"));
    assert!(text.contains(
        "<th scope=\"row\"><code>DTRU-648</code></th><td>enc</td><td class=\"number\">129.9 k</td>"
    ));
    assert_eq!(
        text.matches("<caption>").count(),
        text.matches("<table>").count()
    );
    // The pictures are within, and beside it as files.
    assert_eq!(text.matches("<figure>").count(), 2);
    for kind in ["size-speed", "operations"] {
        let svg = fs::read_to_string(figures.join(format!("arm_1-kem-14-{kind}.svg"))).unwrap();
        balanced(&svg);
        assert!(svg.contains("<title>") && svg.contains("<desc>"));
        assert!(text.contains(&svg[svg.find("<svg").unwrap()..]));
    }
}

fn available(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[test]
fn latex_compiles() {
    if !available("kpsewhich", &["siunitx.sty"]) || !available("pdflatex", &["--version"]) {
        eprintln!("skipped: no pdflatex with siunitx here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, arguments: &[&str]| {
        let file = folder.path().join(format!("{name}.tex"));
        let mut all = arguments.to_vec();
        all.extend(["--format", "latex", "-o", file.to_str().unwrap()]);
        good(&all);
        let mut tex = Command::new("pdflatex");
        tex.args(["-interaction=nonstopmode", "-halt-on-error"])
            .arg(&file);
        let (code, stdout, _) = texts(&tex.current_dir(folder.path()).output().unwrap());
        assert_eq!(code, 0, "{name}: {stdout}");
        assert!(folder.path().join(format!("{name}.pdf")).exists());
    };
    for family in PAGES {
        of(family, &[family, "--system", "arm_1"]);
    }
    of("board", &["hqc", "--data", "e2e/fixtures/data"]);
    of("overview", &["--overview"]);
}

#[test]
fn the_table_has_the_chosen_instances_in_each_form() {
    let latex = good(&[
        "--overview",
        "--system",
        "arm_1",
        "--family",
        "kem-27",
        "--target",
        "128",
        "--format",
        "latex",
    ]);
    let row = latex
        .lines()
        .find(|line| line.contains("NTRE-{}128"))
        .unwrap();
    assert_eq!(
        row,
        "kem-{}27 NTRE Key Encapsulation Mechanism & NTRE-{}128 & 128 & PASS & \\qty{972}{\\byte} & \\qty{1976}{\\byte} & \\qty{972}{\\byte} & \\qty{109.4}{\\kcycle} & \\qty{82.1}{\\kcycle} & \\qty{73.4}{\\kcycle} & \\qty{40.6}{\\micro\\second} & \\qty{30.5}{\\micro\\second} & \\qty{27.2}{\\micro\\second} & \\qty{65}{\\percent} \\\\"
    );
    assert!(latex.contains("\\toprule") && latex.contains("\\bottomrule"));
    let markdown = good(&["--overview", "--family", "kem-27", "--target", "512"]);
    assert!(
        markdown.contains("| **system** | **family** | **instance** | **target** |"),
        "{markdown}"
    );
    assert!(markdown.contains("| arm_1 | kem-27 NTRE Key Encapsulation Mechanism | `NTRE-512` | 512 | PASS | 3456 | 6944 | 3456 | 374.5 k | 339.0 k | 326.6 k | 139 µs | 126 µs | 121 µs | 66% |"), "{markdown}");
    assert!(markdown.contains("| x86_1 | "), "{markdown}");
    assert!(markdown.contains(" †: derived from cycles"), "{markdown}");
    let text = good(&[
        "--overview",
        "--system",
        "arm_1",
        "--target",
        "128",
        "--format",
        "csv",
    ]);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|h| h == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(rows.len() > 20 && rows.iter().all(|row| &row[at("target_bits")] == "128"));
    let ntre = rows
        .iter()
        .find(|row| &row[at("instance")] == "NTRE-128")
        .unwrap();
    assert_eq!(
        (&ntre[at("enc_cycles")], &ntre[at("enc_cycle_source")]),
        ("82100", "perf")
    );
    assert_eq!(
        (&ntre[at("enc_seconds")], &ntre[at("enc_symmetric_share")]),
        ("0.0000305", "0.65")
    );
    // Nothing is derived in the form for programs.
    let field = rows
        .iter()
        .find(|row| &row[at("family")] == "kem-02")
        .unwrap();
    assert_eq!(&field[at("enc_seconds")], "");
}

#[test]
fn doubtful_figures_are_marked() {
    for form in ["md", "html", "latex"] {
        let text = good(&["hqc", "--data", "e2e/fixtures/data", "--format", form]);
        assert!(text.contains("(tsc)"), "{form}");
        assert!(text.contains("host not fit to measure"), "{form}");
        assert!(text.contains("reference cycles of the"), "{form}");
    }
    let mismatch = good(&["kem-29", "--system", "arm_1"]);
    let record = published("arm_1", "kem-29");
    for instance in record.instances.iter().filter(|i| !i.kat.status.is_well()) {
        assert!(mismatch.contains(&format!(
            "- ⚠ {}: KAT {}",
            instance.name, instance.kat.status
        )));
    }
}

#[test]
fn a_measured_family_says_what_went_wrong() {
    let bench = Bench::new(&["honest", "crash", "broken"]);
    let run = bench.quick_run(&[]).output().unwrap();
    let directory = bench.run_directory();
    let manifest = directory.join("manifest.json");
    let mut value: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    value["environment"]["emulated"] = true.into();
    fs::write(&manifest, value.to_string()).unwrap();
    let data = bench.runs().parent().unwrap().join("data");
    let mut publish = bench.program();
    publish
        .arg("publish")
        .arg(&directory)
        .arg("--data")
        .arg(&data)
        .args(["--force-emulated", "local"]);
    assert_eq!(texts(&publish.output().unwrap()).0, 1, "{:?}", texts(&run));
    let text = good(&["toy", "--data", data.to_str().unwrap()]);
    for told in [
        "the processor is emulated",
        "operations were measured quickly",
        "- ⚠ broken: KAT BUILDFAIL: ",
        "- ⚠ crash ",
        "⚠ quick, emulated |",
        "measured by native-runner, run local-",
        "| emulated processor | yes |",
        "| `raw/local-",
    ] {
        assert!(text.contains(told), "{told} is not in\n{text}");
    }
    let table = good(&["--overview", "--data", data.to_str().unwrap()]);
    assert!(
        table.contains("⚠ BUILDFAIL") && table.contains("⚠ quick, emulated"),
        "{table}"
    );
}

#[test]
fn pictures_are_found_from_where_the_report_is() {
    let folder = tempfile::tempdir().unwrap();
    let (page, figures) = (
        folder.path().join("reports/x/page.md"),
        folder.path().join("reports/pictures"),
    );
    good(&[
        "kem-27",
        "--system",
        "arm_1",
        "--figures",
        figures.to_str().unwrap(),
        "-o",
        page.to_str().unwrap(),
    ]);
    let text = fs::read_to_string(&page).unwrap();
    assert!(
        text.contains("](<../pictures/arm_1-kem-27-size-speed.svg>)"),
        "{text}"
    );
    assert!(
        page.parent()
            .unwrap()
            .join("../pictures/arm_1-kem-27-operations.svg")
            .exists()
    );
    if available("rsvg-convert", &["--version"]) {
        for file in fs::read_dir(&figures).unwrap() {
            let path = file.unwrap().path();
            assert!(
                available("rsvg-convert", &[path.to_str().unwrap()]),
                "{path:?}"
            );
        }
    } else {
        eprintln!("skipped: no rsvg-convert here to read the pictures");
    }
}

#[test]
fn bad_input_is_told() {
    for (arguments, told) in [
        (
            &["kem-99", "--system", "arm_1"][..],
            "no family kem-99; there are kem-01",
        ),
        (
            &["kem-14"],
            "kem-14 is on several systems; name one by --system: arm_1, x86_1",
        ),
        (&["kem-14", "--system", "moon"], "no system moon"),
        (
            &["kem-14", "--system", "arm_1", "--format", "csv"],
            "export --family kem-14",
        ),
        (
            &["--overview", "--target", "1"],
            "128, 256, 512 or other was expected",
        ),
        (&["--overview", "--family", "none"], "no instance is left"),
        (&["kem-14", "--overview"], "cannot be used with"),
        (&[], "required"),
    ] {
        let (code, _, stderr) = report(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
    }
}
