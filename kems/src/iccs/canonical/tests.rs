use proptest::prelude::*;

use super::*;

/// The canonical form as the specification words it, with the whole text in memory.
fn naive(text: &[u8], mode: CanonicalMode) -> (Vec<u8>, u64) {
    let mut form = Vec::new();
    let mut records = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let kept = line
            .iter()
            .rposition(|byte| !b"\r \t".contains(byte))
            .map_or(0, |last| last + 1);
        let line = &line[..kept];
        if line.is_empty() {
            continue;
        }
        if mode.without_lengths
            && let Some(equals) = line.iter().position(|byte| *byte == b'=')
            && equals >= 5
        {
            let name = String::from_utf8_lossy(&line[..equals]);
            if name.trim_end_matches(' ').ends_with("_Len") {
                continue;
            }
        }
        if line.starts_with(b"Count = ") {
            if mode.records.is_some_and(|wanted| records == wanted.get()) {
                break;
            }
            records += 1;
        }
        form.extend_from_slice(line);
        form.push(b'\n');
    }
    (form, records)
}

fn mode(text: &str) -> CanonicalMode {
    text.parse().unwrap()
}

fn of_form(form: &[u8], records: u64) -> Canonical {
    Canonical {
        sha256: Sha256::digest(form).into(),
        records,
    }
}

#[test]
fn white_space_at_line_ends_and_empty_lines_do_not_count() {
    let text = b"\r\n \t\nCount = 0 \t\r\nPK =  A B \r x\t\n\n\n  PK = \nlast";
    let form = b"Count = 0\nPK =  A B \r x\n  PK =\nlast\n";
    assert_eq!(canonical(text, mode("strict")), of_form(form, 1));
}

#[test]
fn length_lines_are_dropped() {
    let text =
        b"Seed_Len = 64\nSeed = 00\nPK_Len  =\nPK_Len\n_Len=1\n_Len =1\nx = PK_Len =\nSS_Len = ";
    let form = b"Seed = 00\nPK_Len\n_Len=1\nx = PK_Len =\n";
    assert_eq!(canonical(text, mode("nolen")), of_form(form, 0));
}

#[test]
fn it_stops_before_the_record_after_the_last() {
    let text = b"head\nCount = 0\na\nCount = \nCount = 1\nb\n Count = 9\nCount =   2\nc\n";
    let form = b"head\nCount = 0\na\nCount =\nCount = 1\nb\n Count = 9\n";
    assert_eq!(canonical(text, mode("strict:2")), of_form(form, 2));
    // Fewer records than asked for: the number says so.
    assert_eq!(canonical(text, mode("strict:7")).records, 3);
}

#[test]
fn a_text_without_end_can_be_left() {
    let mut digest = CanonicalDigest::new(mode("strict:1"));
    digest.update(b"Count = 0\nPK = 00\nCount = ");
    assert!(!digest.is_done());
    digest.update(b"1");
    assert!(digest.is_done());
    digest.update(b"more\n");
    let expected = of_form(b"Count = 0\nPK = 00\n", 1);
    assert_eq!(digest.finish(), expected);
}

/// A line and white space far longer than any buffer.
#[test]
fn endless_lines_are_hashed_as_they_come() {
    let (zeros, spaces) = ([b'0'; 1 << 16], [b' '; 1 << 16]);
    let mut digest = CanonicalDigest::new(mode("nolen"));
    let mut whole = Sha256::new();
    digest.update(b"PK_");
    whole.update(b"PK_");
    for _ in 0..64 {
        digest.update(&zeros);
        whole.update(zeros);
    }
    for _ in 0..64 {
        digest.update(&spaces);
    }
    digest.update(b"\t\r\n");
    whole.update(b"\n");
    digest.update(b"CT_Len");
    for _ in 0..64 {
        digest.update(&spaces);
    }
    digest.update(b"= ");
    for _ in 0..64 {
        digest.update(&zeros);
    }
    digest.update(b"\nend\n");
    whole.update(b"end\n");
    let sha256: [u8; 32] = whole.finalize().into();
    assert_eq!(digest.finish().sha256, sha256);
}

/// Texts of pieces that matter, so that lines of every kind come up often.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "\n", " ", "\t", "\r", "=", "_Len", "_", "Count = ", "Count =", "Count ", "PK_Len = 5\n",
            "Count = 0\n", "Seed = 0F", "L", "en", "_Le", "\r\n", "  ", "x",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn modes() -> impl Strategy<Value = CanonicalMode> {
    (any::<bool>(), prop::option::of(1_u64..4)).prop_map(|(without_lengths, records)| {
        CanonicalMode {
            without_lengths,
            records: records.and_then(std::num::NonZeroU64::new),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever the text and wherever it is cut, the digest is that of the form made in memory.
    #[test]
    fn the_state_machine_agrees_with_the_definition(
        text in texts(),
        mode in modes(),
        cuts in prop::collection::vec(0_usize..200, 0..12),
    ) {
        let mut digest = CanonicalDigest::new(mode);
        let mut rest = text.as_slice();
        for cut in cuts {
            let (chunk, after) = rest.split_at(cut.min(rest.len()));
            digest.update(chunk);
            rest = after;
        }
        digest.update(rest);
        let (form, records) = naive(&text, mode);
        prop_assert_eq!(digest.finish(), of_form(&form, records));
    }

    /// One byte at a time gives the same as all at once.
    #[test]
    fn single_bytes_give_the_same(text in texts(), mode in modes()) {
        let mut digest = CanonicalDigest::new(mode);
        for byte in &text {
            digest.update(std::slice::from_ref(byte));
        }
        prop_assert_eq!(digest.finish(), canonical(&text, mode));
    }
}
