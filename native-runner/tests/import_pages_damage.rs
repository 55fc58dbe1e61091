//! Damaged report pages: each is refused, and the error says where and what was expected.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod pages;

use native_runner::import::page;
use pages::{MARKDOWN, PAGES, error, page_text};

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
