use super::parse as keys;
use super::*;
use proptest::prelude::*;
use std::path::Path;

fn parse(text: &str) -> Result<PackageFile, String> {
    PackageFile::parse(Path::new("toy/kem.toml"), text).map_err(|e| e.to_string())
}

const WHOLE: &str = r#"
[package]
id = "kem-14"
name = "DTRU"
category = "lattice"
source = "DTRU, round 1"

[defaults]
abi = "iccs"
include = ["common"]
sources = ["common/*.c"]

[defaults.kat]
manifest = "kat.sha256"

[[instance]]
name = "DTRU-648"
target_bits = 128
sources = ["648/*.c"]

[[instance]]
name = "DTRU-648"
variant = "optimized-avx2"
architectures = ["x86_64"]
sources = ["avx2/*.c"]
flags = ["-mavx2"]
kat = "none"
"#;

/// The one complaint about the file in which `from` is replaced by `to`.
fn complaint(from: &str, to: &str) -> String {
    assert!(WHOLE.contains(from), "{from}");
    let message = parse(&WHOLE.replacen(from, to, 1)).unwrap_err();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[test]
fn defaults_hold_where_an_instance_says_nothing() {
    let file = parse(WHOLE).unwrap();
    let first = file.effective(&file.instances[0]);
    assert_eq!(first.variant(), "reference");
    assert_eq!(first.abi, Some(AbiName::Iccs));
    let sources: Vec<&str> = first.sources.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(sources, ["common/*.c", "648/*.c"]);
    assert_eq!(first.sources[1].line, 19);
    assert!(matches!(
        first.kat.expected,
        Some(KatSource::Manifest { .. })
    ));
    let second = file.effective(&file.instances[1]);
    assert_eq!(second.variant(), "optimized-avx2");
    assert_eq!(second.kat.expected, Some(KatSource::None));
    assert_eq!(second.flags, ["-mavx2"]);
}

#[test]
fn the_reference_is_true() {
    let text = include_str!("../../../../docs/packages.md");
    let mut examples = text.split("```toml\n").skip(1);
    let mut count = 0;
    while let Some((example, _)) = examples.next().and_then(|rest| rest.split_once("```")) {
        parse(example).unwrap_or_else(|error| panic!("{error}\n{example}"));
        count += 1;
    }
    assert_eq!(count, 3);
    for key in keys::all_keys() {
        assert!(
            text.contains(&format!("| `{key}` |")) || text.contains(&format!("`{key}`")),
            "{key}"
        );
    }
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark_are_fine() {
    let other = format!("\u{feff}{}", WHOLE.replace('\n', "\r\n"));
    assert_eq!(parse(&other), parse(WHOLE));
}

#[test]
fn errors_point_at_line_column_and_key() {
    assert_eq!(
        complaint("target_bits = 128", "target_bit = 128"),
        "toy/kem.toml:18:1: `instance.target_bit`: is no key here; did you mean `target_bits`?"
    );
    assert_eq!(
        complaint("target_bits = 128", "target_bits = 192"),
        "toy/kem.toml:18:15: `instance.target_bits`: must be one of 128, 256, 512, found 192"
    );
    assert_eq!(
        complaint("target_bits = 128", "target_bits = \"128\""),
        "toy/kem.toml:18:15: `instance.target_bits`: must be a whole number, found a string"
    );
    assert_eq!(
        complaint("\"iccs\"", "\"ices\""),
        "toy/kem.toml:9:7: `defaults.abi`: must be one of `iccs`, `nist`, `pqclean`; did you mean `iccs`?"
    );
    assert_eq!(
        complaint("[\"-mavx2\"]", "[\"-O3\", \"-fplugin=x\"]")
            .split(": the")
            .next(),
        Some("toy/kem.toml:26:17: `instance.flags`")
    );
    let message = complaint("sources = [\"648/*.c\"]", "sources = \"648/*.c\"");
    assert!(message.starts_with("toy/kem.toml:19:11: `instance.sources`: must be a list"));
}

#[test]
fn what_is_missing_or_too_much_is_told() {
    for (from, to, expected) in [
        ("id = \"kem-14\"\n", "", "`package.id`: is missing"),
        ("kem-14", "raw", "cannot be a family's identifier"),
        ("\"DTRU\"", "\"a\\nb\"", "one line"),
        ("lattice", "lettuce", "did you mean `lattice`?"),
        (
            "\"DTRU-648\"\nvariant = \"optimized-avx2\"",
            "\"dtru-648\"",
            "in line 17",
        ),
        ("\"optimized-avx2\"", "\"../x\"", "cannot be a name"),
        ("x86_64", "z80", "no instruction set"),
        ("kat = \"none\"", "kat = \"no\"", "the table [instance.kat]"),
        ("manifest = ", "sha256 = ", "64 hex digits"),
        (
            "manifest = ",
            "mode = \"strict\"\nmanifest = ",
            "goes only with `sha256`",
        ),
        (
            "manifest = ",
            "file = \"x\"\nmanifest = ",
            "cannot stand beside `file`",
        ),
        (
            "manifest = \"kat.sha256\"",
            "entry = \"x\"",
            "goes only with `manifest`",
        ),
        (
            "target_bits = 128",
            "target_bits = 128\nnist_category = 1",
            "one or the other",
        ),
        ("abi = \"iccs\"", "namespace = \"X\"", "say which interface"),
        (
            "kat = \"none\"",
            "namespace = \"X\"",
            "goes only with abi pqclean",
        ),
        (
            "target_bits = 128",
            "abi = \"pqclean\"",
            "is needed with abi pqclean",
        ),
        (
            "[[instance]]\nname = \"DTRU-648\"\nt",
            "[[instances]]\nname = \"DTRU-648\"\nt",
            "did you mean `instance`",
        ),
        ("[package]", "[package", ""),
    ] {
        let message = parse(&WHOLE.replacen(from, to, 1)).unwrap_err();
        assert!(message.contains(expected), "{from}: {message}");
        assert!(message.starts_with("toy/kem.toml:"), "{message}");
    }
    let message = parse("[package]\nid = 'a'\nname = 'A'\n").unwrap_err();
    assert!(message.contains("`instance`: is missing"), "{message}");
    let message = parse("instance = []\n[package]\nid = 'a'\nname = 'A'\n").unwrap_err();
    assert!(message.contains("nothing to build"), "{message}");
}

#[test]
fn everything_wrong_is_told_at_once_in_order() {
    let text = WHOLE
        .replace("lattice", "x")
        .replace("= 128", "= 1")
        .replace("-mavx2", "evil.o");
    let message = parse(&text).unwrap_err();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 3, "{message}");
    assert!(lines[0].contains(":5:") && lines[1].contains(":18:") && lines[2].contains(":26:"));
}

#[test]
fn comments_do_not_change_what_a_file_says() {
    let file = parse(WHOLE).unwrap();
    let mut remarks = Remarks {
        head: vec!["made by a\nprogram".to_owned(), String::new()],
        ..Remarks::default()
    };
    remarks
        .package
        .insert("id", vec!["from the folder's name".to_owned()]);
    for _ in &file.instances {
        let mut about = InstanceRemarks::default();
        about.above.push("the first".to_owned());
        for key in ["name", "sources", "target_bits", "kat", "sizes", "defines"] {
            about.keys.insert(key, vec![format!("about {key}")]);
        }
        about
            .items
            .insert("648/*.c".to_owned(), "all\nof them".to_owned());
        remarks.instances.push(about);
    }
    let text = file.to_toml(&remarks);
    assert_eq!(parse(&text).as_ref(), Ok(&file), "{text}");
    assert!(text.starts_with("# made by a program\n#\n\n[package]\n# from the folder's name\n"));
    assert!(text.contains("  \"648/*.c\", # all of them\n"), "{text}");
    assert!(text.contains("# about defines\n"), "{text}");
}

fn located() -> impl Strategy<Value = Vec<Located>> {
    let text = "[ -~äß€\u{1F600}]{0,8}[a-z\"'\\\\#][ -~]{0,8}";
    prop::collection::vec(text.prop_map(Located::from), 0..3)
}

fn words(pattern: &'static str) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(pattern, 0..3)
}

fn kat() -> impl Strategy<Value = KatEntry> {
    let origin = prop_oneof![Just(DigestOrigin::Official), Just(DigestOrigin::Model)];
    let mode = prop_oneof![
        Just(None),
        Just(Some(DigestMode::Raw)),
        "(strict|nolen)(:[1-9][0-9]?)?"
            .prop_map(|m| Some(DigestMode::Canonical(m.parse().unwrap()))),
    ];
    let expected = prop_oneof![
        Just(None),
        "[ -~é]{0,9}x".prop_map(|f| Some(KatSource::File(f.into()))),
        ("[0-9a-f]{64}", mode, origin.clone()).prop_map(|(sha256, mode, origin)| Some(
            KatSource::Digest {
                sha256,
                mode,
                origin
            }
        )),
        ("[a-z./]{1,9}", prop::option::of("[a-z./ ]{0,9}x"), origin).prop_map(
            |(file, entry, origin)| Some(KatSource::Manifest {
                file: file.into(),
                entry: entry.map(Located::from),
                origin,
            })
        ),
    ];
    let form = prop::option::of(prop::sample::select(vec![
        KatForm::Iccs,
        KatForm::Nist,
        KatForm::PqcleanFirst,
    ]));
    let generator = prop::option::of(prop::sample::select(vec![
        Generator::IccsSm3,
        Generator::NistCtrDrbg,
        Generator::HqcShake,
    ]));
    let entry = (form, generator, expected).prop_map(|(form, generator, expected)| KatEntry {
        form,
        generator,
        expected,
    });
    let none = KatEntry {
        expected: Some(KatSource::None),
        ..KatEntry::default()
    };
    prop_oneof![3 => entry, 1 => Just(none)]
}

fn sizes() -> impl Strategy<Value = Sizes> {
    let size = || prop::option::of(1..u64::from(u32::MAX));
    (size(), size(), size(), size()).prop_map(|(pk, sk, ct, ss)| Sizes {
        public_key_bytes: pk,
        secret_key_bytes: sk,
        ciphertext_bytes: ct,
        shared_secret_bytes: ss,
    })
}

prop_compose! {
    fn settings()(
        pqclean in any::<bool>(),
        target in prop::option::of(prop::sample::select(vec![128u16, 256, 512])),
        category in prop::option::of(1u8..=5),
        architectures in prop::sample::subsequence(vec!["x86_64", "aarch64"], 0..=2),
        paths in (located(), located(), located()),
        first in "[a-z]{1,5}[*][.]c",
        defines in words("[A-Z_][A-Z0-9_]{0,5}(=[ -~]{0,6})?"),
        flags in words("-(O3|mavx2|fwrapv|std=gnu99|Wno-x)"),
        libraries in words("[a-z]{1,5}"),
        kat in kat(),
        sizes in sizes(),
    ) -> Settings {
        let mut sources = paths.0;
        sources.push(first.into());
        Settings {
            variant: None,
            abi: Some(if pqclean { AbiName::Pqclean } else { AbiName::Nist }),
            namespace: pqclean.then(|| "PQCLEAN_X".to_owned()),
            target_bits: target,
            nist_category: category.filter(|_| target.is_none()),
            architectures: architectures.into_iter().map(str::to_owned).collect(),
            sources,
            exclude: paths.1,
            include: paths.2,
            defines,
            flags,
            libraries,
            kat,
            sizes,
        }
    }
}

proptest! {
    /// What is written reads back as the same.
    #[test]
    fn written_files_read_back(
        list in prop::collection::vec(settings(), 1..4),
        name in "[ -~äß]{0,9}x",
        source in prop::option::of("[ -~äß]{0,9}x"),
        category in prop::option::of(prop::sample::select(Category::ALL.to_vec())),
        include in located(),
    ) {
        let entry = |(number, settings): (usize, Settings)| Entry {
            name: format!("I-{number}").into(),
            settings,
        };
        let file = PackageFile {
            id: "toy".to_owned(),
            name,
            category,
            source,
            defaults: Settings { include, ..Settings::default() },
            instances: list.into_iter().enumerate().map(entry).collect(),
        };
        let text = file.to_toml(&Remarks::default());
        prop_assert_eq!(parse(&text), Ok(file), "{}", text);
    }

    /// Nothing that a file can hold stops the parser.
    #[test]
    fn any_text_is_read_or_refused(text in "(\\PC|\n|\\[|\\]|=|\"|instance|package|kat){0,60}") {
        let _ = parse(&text);
    }
}
