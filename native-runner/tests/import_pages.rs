//! Report pages in, the same pages out: the five published pages and their forms.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod pages;

use kemscope_schema::FamilyRecord;
use native_runner::page::{self, Section};
use pages::{MARKDOWN, PAGES, page_text, read};

/// The rows of a section as bare words: what stands between the table's head and the next heading,
/// ticks and tabs off. Deliberately knows nothing of the importer's own parsing.
fn printed_rows(text: &str, section: Section) -> Vec<String> {
    let headings: Vec<&str> = Section::ALL.iter().map(|s| s.heading()).collect();
    let own = text
        .lines()
        .skip_while(|line| *line != section.heading())
        .skip(1)
        .take_while(|line| !headings.contains(line));
    let rows = own
        .map(|line| {
            let bare = line.replace('`', "").replace('\t', " ");
            bare.split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .filter(|line| !line.is_empty() && !line.starts_with("Scripts:"));
    match section {
        Section::Basic => rows.collect(),
        _ => rows
            .skip_while(|line| !line.starts_with("instance ") && line != "item value")
            .skip(1)
            .collect(),
    }
}

#[test]
fn each_page_is_given_back_figure_by_figure_in_order() {
    let (mut instances, mut operations, mut evidence) = (0, 0, 0);
    for (id, text) in PAGES {
        let record = read(text);
        assert_eq!(record.family.id, id);
        for section in Section::ALL {
            let rendered: Vec<String> = page::rows(&record, section)
                .into_iter()
                .map(|row| {
                    let separator = if section == Section::Basic { ": " } else { " " };
                    row.cells.join(separator)
                })
                .collect();
            assert_eq!(rendered, printed_rows(text, section), "{id} {section:?}");
        }
        instances += record.instances.len();
        operations += record
            .instances
            .iter()
            .map(|i| i.operations.len())
            .sum::<usize>();
        evidence += record
            .instances
            .iter()
            .map(|i| i.evidence.len())
            .sum::<usize>();
    }
    assert_eq!((instances, operations, evidence), (25, 75, 175));
}

#[test]
fn sentences_and_basic_information_are_kept() {
    let ctl = read(page_text("kem-12"));
    assert_eq!(ctl.basic, None);
    assert_eq!(
        ctl.survey_verdict.as_deref(),
        Some("ICCS-only — sha3.c shim has no permutation and is unused")
    );
    assert!(
        ctl.notes
            .introduction
            .unwrap()
            .starts_with("Independent measurement")
    );
    assert!(
        ctl.notes
            .scripts
            .unwrap()
            .starts_with("Scripts: performance/campaign.py")
    );
    let dkem = read(page_text("kem-13"));
    let basic = dkem.basic.unwrap();
    assert_eq!(basic.parameter_sets, ["DKEM-128", "DKEM-256", "DKEM-512"]);
    assert_eq!(basic.submission.unwrap().text, "NICCS page");
}

/// The record without what depends on the file's form: its digest, and addresses that only Markdown keeps.
fn formless(mut record: FamilyRecord) -> FamilyRecord {
    record.source.sha256 = None;
    if let Some(basic) = &mut record.basic {
        for text in [
            &mut basic.security_evaluation,
            &mut basic.measurement_method,
            &mut basic.submission,
        ] {
            text.as_mut().unwrap().href = None;
        }
    }
    record
}

#[test]
fn tabs_spaces_and_markdown_say_the_same() {
    let tabs = read(page_text("kem-27"));
    let spaces = read(&page_text("kem-27").replace('`', "").replace('\t', " "));
    let markdown = read(MARKDOWN);
    assert_eq!(
        markdown
            .basic
            .as_ref()
            .unwrap()
            .security_evaluation
            .as_ref()
            .unwrap()
            .href
            .as_deref(),
        Some("https://ngcc.dev/reports/kem-27.html")
    );
    let crlf = read(&page_text("kem-27").replace('\n', "\r\n"));
    let tabs = formless(tabs);
    assert_eq!(tabs, formless(spaces));
    assert_eq!(tabs, formless(markdown));
    assert_eq!(tabs, formless(crlf));
}

#[test]
fn odd_cells_of_the_field_are_read_in_both_forms() {
    let odd = page_text("kem-27")
        .replace(
            "`NTRE-128`\tguide\tPASS",
            "`NTRE-128`\tguide\t⚠ KAT MISMATCH",
        )
        .replace(
            "109.4 k\t40.6 µs\t2.46e+04\t40.6 µs\t62665 (5 × 12533)",
            "110 n=85\t40.6 ns\t2.46e+07\t1.5 s\tn=85",
        )
        .replace("82.1 k\t30.5 µs\t3.28e+04\t30.4 µs", "–\t–\t–\t–")
        .replace("`NTRE-128`\tenc\t65%\t6.8%", "`NTRE-128`\tenc\t??%\t–")
        .replace(
            "`NTRE-256`\tdec\t136.9 k\t50.8 µs\t1.97e+04",
            "`NTRE-256`\tdec\t950\t351 ns\t2.85e+06",
        );
    for text in [odd.clone(), odd.replace('`', "").replace('\t', " ")] {
        let record = read(&text);
        let first = &record.instances[0];
        assert_eq!(first.kat.status, kemscope_schema::KatStatus::Mismatch);
        let keygen = first.operations[0].timing.unwrap();
        assert_eq!(keygen.calls, Some(85));
        assert_eq!(keygen.trials, None);
        assert_eq!(keygen.mean_seconds.unwrap().value, 40.6e-9);
        assert_eq!(keygen.median_trial_seconds.unwrap().value, 1.5);
        let enc = &first.operations[1];
        assert_eq!(enc.timing.unwrap().mean_cycles, None);
        assert_eq!(enc.timing.unwrap().cycle_source, None);
        let profile = enc.profile.as_ref().unwrap();
        assert_eq!(profile.hash_share, None);
        assert_eq!(
            profile.hash_share_unknown,
            Some(kemscope_schema::UnknownShare::Undetermined)
        );
        assert_eq!(profile.drng_share, None);
        let dec = record.instances[1].operations[2].timing.unwrap();
        assert_eq!(dec.mean_cycles.unwrap().value, 950.0);
    }
}

#[test]
fn empty_sections_are_no_error() {
    let text = page_text("kem-27");
    let without = |from: &str, to: &str| {
        let (start, end) = (
            text.find(from).unwrap() + from.len(),
            text.find(to).unwrap(),
        );
        format!("{}\n\n{}", &text[..start], &text[end..])
    };
    let no_environment = read(&without("2. Assessment environment", "3. Functional"));
    assert_eq!(no_environment.environment, None);
    let no_memory = read(&without("5. Resource consumption", "6. Transmission"));
    assert!(
        no_memory
            .instances
            .iter()
            .all(|i| i.operations.iter().all(|o| o.memory.is_none()))
    );
    let no_symmetric = read(&without("Symmetric primitives", "7. Raw"));
    assert_eq!(no_symmetric.survey_verdict, None);
}

#[test]
fn sentences_beside_every_table_are_kept() {
    let text = page_text("kem-27").replace(
        "4. Performance\n",
        "4. Performance\n\nAll figures are means.\n",
    );
    assert_eq!(
        read(&text).notes.performance.as_deref(),
        Some("All figures are means.")
    );
}

#[test]
fn tables_as_converters_write_them_are_read() {
    let tabs = formless(read(page_text("kem-27")));
    // Without outer pipes, escaped, with closing signs and entities.
    let bare: String = MARKDOWN
        .lines()
        .map(|line| match line.strip_prefix("| ") {
            Some(row) => row.trim_end_matches('|').trim().to_owned() + "\n",
            None if line.starts_with("## ") => line.replacen(". ", "\\. ", 1) + " ##\n",
            None => line.to_owned() + "\n",
        })
        .collect();
    assert_eq!(formless(read(&bare)), tabs);
    let escaped = MARKDOWN
        .replace("NTRE-128`", "NTRE\\-128`")
        .replace("`NTRE", "NTRE")
        .replace("-512`", "-512");
    assert_eq!(formless(read(&escaped.replace('`', ""))), tabs);
}
