//! Report pages in, the same pages out: the five published pages, their three forms, and damage.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use kemscope_schema::FamilyRecord;
use native_runner::import::page::outline::Section;
use native_runner::import::page::{self, render};

const PAGES: [(&str, &str); 5] = [
    ("kem-12", include_str!("fixtures/pages/kem-12.txt")),
    ("kem-13", include_str!("fixtures/pages/kem-13.txt")),
    ("kem-14", include_str!("fixtures/pages/kem-14.txt")),
    ("kem-27", include_str!("fixtures/pages/kem-27.txt")),
    ("kem-37", include_str!("fixtures/pages/kem-37.txt")),
];
const MARKDOWN: &str = include_str!("fixtures/pages/kem-27.md");

fn page_text(family: &str) -> &'static str {
    PAGES.iter().find(|(id, _)| *id == family).unwrap().1
}

fn read(text: &str) -> FamilyRecord {
    page::read("page.txt", text).unwrap().record
}

fn error(text: &str) -> String {
    page::read("page.txt", text).unwrap_err().to_string()
}

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
            let rendered: Vec<String> = render::rows(&record, section)
                .into_iter()
                .map(|cells| {
                    let separator = if section == Section::Basic { ": " } else { " " };
                    cells.join(separator)
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
fn damage_is_named_with_file_line_section_and_expectation() {
    let text = page_text("kem-27");
    let cases = [
        // (what is replaced, by what, what the error must say)
        (
            "62665 (5 × 12533)",
            "62665 (5 × 12534)",
            "page.txt, line 40, section “4. Performance”: “62665 (5 × 12534)”: the calls are not trials × iterations",
        ),
        (
            "`NTRE-128`\tkeygen\t109.4 k\t",
            "`NTRE-128`\tkeygen\t",
            "the row “NTRE-128 keygen 40.6 µs 2.46e+04 40.6 µs 62665 (5 × 12533)” has 6 cells, 7 were expected",
        ),
        ("109.4 k", "", "has nothing in its column “mean cycles”"),
        (
            "109.4 k",
            "fast",
            "“fast” where cycles like “241.9 k” was expected",
        ),
        (
            "1480 KiB",
            "1480 kilos",
            "section “5. Resource consumption”: “1480 kilos” where memory like “1416 KiB” was expected",
        ),
        ("\t34%\t", "\t134%\t", "“134%” is more than the whole"),
        (
            "guide\tPASS",
            "guide\tGREAT",
            "“GREAT” where a KAT status like PASS or MISMATCH was expected",
        ),
        (
            "`NTRE-128`\t972",
            "`NTRE-129`\t972",
            "instance “NTRE-129” does not appear in section 3",
        ),
        (
            "`NTRE-128`\tenc\t82.1",
            "`NTRE-128`\tkeygen\t82.1",
            "“NTRE-128 keygen” appears twice",
        ),
        (
            "`NTRE-256`\tguide",
            "`NTRE-128`\tguide",
            "instance “NTRE-128” appears twice",
        ),
        (
            "30562 MiB",
            "lots",
            "“lots” where memory like “30562 MiB” was expected",
        ),
        (
            "5. Resource consumption",
            "5. Resources",
            "heading “6. Transmission and storage overhead” where “5. Resource consumption” was expected",
        ),
        (
            "(system arm_1)",
            "(system arm/1)",
            "“arm/1” is not the identifier of a system",
        ),
        (
            "instance\toperation\tmean cycles",
            "instance\toperation\tcycles",
            "the table's head “instance operation mean cycles mean time ops/s median trial n (trials × iters)” was expected",
        ),
        (
            "5c01aec457cb0a2b",
            "5c01xyz",
            "“5c01xyz…)” where the first digits of a SHA-256 were expected",
        ),
        (
            "drng 2, pseudoXOF 2, sm3hash 1",
            "drng, pseudoXOF 2",
            "where calls like “drng 1, pseudoXOF 6.01” were expected",
        ),
    ];
    for (from, to, expected) in cases {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "“{from}” is not on the page");
        let message = error(&damaged);
        assert!(message.starts_with("page.txt"), "{message}");
        assert!(
            message.contains(expected),
            "\n{message}\ndoes not say\n{expected}"
        );
    }
}

#[test]
fn a_damaged_head_never_loses_a_table() {
    let heads = [
        ("item\tvalue", "item\tvalues"),
        ("build flags\tKAT", "flags\tKAT"),
        ("mean cycles", "mean cycle"),
        ("baseline RSS", "base RSS"),
        ("shared secret", "secret"),
        ("calls per operation", "calls"),
        ("item\tfile", "thing\tfile"),
    ];
    for (from, to) in heads {
        let tabs = page_text("kem-27").replacen(from, to, 1);
        let spaces = tabs.replace('`', "").replace('\t', " ");
        assert_ne!(tabs, page_text("kem-27"), "{from}");
        for text in [tabs, spaces] {
            let message = error(&text);
            assert!(message.contains("the table's head"), "{message}");
        }
    }
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

#[test]
fn rows_out_of_order_are_refused_rather_than_reordered() {
    let text = page_text("kem-27");
    let a = "`NTRE-128`\ttiming dec\t`records/kem-27/NTRE-128__dec.json`\n";
    let moved = text.replacen(a, "", 1).replacen(
        "`NTRE-512`\tKAT log",
        &format!("{a}`NTRE-512`\tKAT log"),
        1,
    );
    assert!(
        error(&moved).contains("not in the order of section 3"),
        "{}",
        error(&moved)
    );
}

#[test]
fn a_page_cut_anywhere_is_refused() {
    for (id, text) in PAGES {
        let whole = text.trim_end();
        for (end, _) in whole
            .char_indices()
            .filter(|(i, _)| i % 97 == 0 || *i > whole.len() - 12)
        {
            let message = error(&whole[..end]);
            assert!(
                message.starts_with("page.txt"),
                "{id} cut at {end}: {message}"
            );
        }
    }
}

#[test]
fn the_error_of_a_cut_page_says_what_was_expected_next() {
    let text = page_text("kem-27");
    let cut = &text[..text.find("`NTRE-512`\tdec\t326.6").unwrap()];
    assert!(error(cut).contains("section “4. Performance”: the page ends here; section “5. Resource consumption” was expected next"));
    assert!(error("hello").contains("is this a report page?"));
    let two = format!("{text}\n{text}");
    assert!(error(&two).contains("a second title"), "{}", error(&two));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Whatever happens to a page, the answer is a record or an error that names the file.
    #[test]
    fn no_damage_makes_the_importer_panic(
        which in 0usize..6, at in 0.0f64..1.0, length in 0usize..40, with in ".{0,12}",
    ) {
        let text = if which == 5 { MARKDOWN } else { PAGES[which].1 };
        let near = |i: usize| (0..=i.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap();
        let start = near((at * text.len() as f64) as usize);
        let end = near(start + length).max(start);
        let damaged = format!("{}{with}{}", &text[..start], &text[end..]);
        if let Err(error) = page::read("page.txt", &damaged) {
            proptest::prop_assert!(error.to_string().starts_with("page.txt"));
        }
    }
}
