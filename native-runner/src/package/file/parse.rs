//! From the text of a `kem.toml` to what it says.

use super::problem::{Problem, Problems};
use super::reader::{Reader, Table};
use super::rules;
use super::{AbiName, Entry, KatEntry, KatSource, Located, PackageFile, Settings};
use crate::package::instance::{DigestMode, KatForm};
use kemscope_schema::run::Generator;
use kemscope_schema::{Category, DigestOrigin, Sizes};
use std::path::Path;
use toml::de::{DeTable, DeValue};

const PACKAGE_KEYS: [&str; 4] = ["id", "name", "category", "source"];
const SETTINGS_KEYS: [&str; 14] = [
    "variant",
    "abi",
    "namespace",
    "target_bits",
    "nist_category",
    "architectures",
    "sources",
    "exclude",
    "include",
    "defines",
    "flags",
    "libraries",
    "kat",
    "sizes",
];
const KAT_KEYS: [&str; 8] = [
    "form",
    "generator",
    "file",
    "sha256",
    "mode",
    "manifest",
    "entry",
    "digest_origin",
];
const SIZE_KEYS: [&str; 4] = [
    "public_key_bytes",
    "secret_key_bytes",
    "ciphertext_bytes",
    "shared_secret_bytes",
];

/// Every key that there is.
#[cfg(test)]
pub(super) fn all_keys() -> impl Iterator<Item = &'static str> {
    let lists = [&PACKAGE_KEYS[..], &SETTINGS_KEYS, &KAT_KEYS, &SIZE_KEYS];
    lists.into_iter().flatten().copied()
}

/// The word that says that there is no test.
pub(super) const NO_KAT: &str = "none";

pub(super) const FORMS: [(&str, KatForm); 3] = [
    ("iccs", KatForm::Iccs),
    ("nist", KatForm::Nist),
    ("pqclean-first", KatForm::PqcleanFirst),
];
pub(super) const GENERATORS: [(&str, Generator); 3] = [
    ("iccs", Generator::IccsSm3),
    ("nist", Generator::NistCtrDrbg),
    ("hqc", Generator::HqcShake),
];
const ORIGINS: [(&str, DigestOrigin); 2] = [
    ("official", DigestOrigin::Official),
    ("model", DigestOrigin::Model),
];

impl PackageFile {
    /// Reads a `kem.toml`. `path` is named in errors.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with line, column and key.
    pub fn parse(path: &Path, text: &str) -> Result<PackageFile, Problems> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::new(text);
        let document = match DeTable::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                reader.wrong(at, String::new(), error.message());
                return Err(problems(path, reader.finish()));
            }
        };
        let root = Table {
            table: document.get_ref(),
            prefix: "",
            at: 0,
        };
        let file = read(&mut reader, root);
        // What a refused value leaves open is not told on top of it.
        if let Some(file) = file.as_ref().filter(|_| reader.is_content()) {
            super::merge::check(&mut reader, root, file);
        }
        let found = reader.finish();
        match file {
            Some(file) if found.is_empty() => Ok(file),
            _ => Err(problems(path, found)),
        }
    }
}

fn problems(path: &Path, list: Vec<Problem>) -> Problems {
    Problems {
        path: path.to_owned(),
        list,
    }
}

/// What the document says; `None` only where something was found wrong.
fn read<'t>(reader: &mut Reader<'t>, root: Table<'_, 't>) -> Option<PackageFile> {
    reader.refuse_unknown(root, &["package", "defaults", "instance"]);
    for (key, hint) in [
        ("package", "the table [package] with id and name"),
        ("instance", "a table [[instance]] for each parameter set"),
    ] {
        if !root.has(key) {
            reader.wrong(0, key.to_owned(), format!("is missing: {hint}"));
        }
    }
    let defaults = match reader.table(root, "defaults", "defaults.") {
        Some(table) => {
            reader.refuse_unknown(table, &SETTINGS_KEYS);
            settings(reader, table, "defaults.kat.", "defaults.sizes.")
        }
        None => Settings::default(),
    };
    let mut instances = Vec::new();
    for table in reader.tables(root, "instance", "instance.") {
        let mut known = vec!["name"];
        known.extend(SETTINGS_KEYS);
        reader.refuse_unknown(table, &known);
        let name = required(reader, table, "name", rules::name);
        let settings = settings(reader, table, "instance.kat.", "instance.sizes.");
        instances.extend(name.map(|name| Entry { name, settings }));
    }
    let package = reader.table(root, "package", "package.")?;
    reader.refuse_unknown(package, &PACKAGE_KEYS);
    let id = required(reader, package, "id", rules::family_id);
    let name = required(reader, package, "name", rules::one_line);
    let categories = Category::ALL.map(|category| (category.name(), category));
    Some(PackageFile {
        id: id?.text,
        name: name?.text,
        category: reader.word(package, "category", &categories),
        source: checked(reader, package, "source", rules::one_line).map(|source| source.text),
        defaults,
        instances,
    })
}

/// Why a text is refused; `None` if it is not.
type Rule = fn(&str) -> Option<String>;

fn required<'t>(
    reader: &mut Reader<'t>,
    table: Table<'_, 't>,
    key: &str,
    rule: Rule,
) -> Option<Located> {
    if !table.has(key) {
        reader.wrong_value(table, key, "is missing");
    }
    checked(reader, table, key, rule)
}

fn checked<'t>(
    reader: &mut Reader<'t>,
    table: Table<'_, 't>,
    key: &str,
    rule: Rule,
) -> Option<Located> {
    let found = reader.string(table, key)?;
    match rule(&found.text) {
        None => Some(found),
        Some(message) => {
            reader.wrong_value(table, key, message);
            None
        }
    }
}

fn list<'t>(reader: &mut Reader<'t>, table: Table<'_, 't>, key: &str, rule: Rule) -> Vec<Located> {
    let found = reader.strings(table, key);
    for item in &found {
        if let Some(message) = rule(&item.text) {
            reader.wrong_in_list(table, key, &item.text, message);
        }
    }
    found
}

fn texts(located: Vec<Located>) -> Vec<String> {
    located.into_iter().map(|item| item.text).collect()
}

fn settings<'t>(
    reader: &mut Reader<'t>,
    table: Table<'_, 't>,
    kat_prefix: &'static str,
    sizes_prefix: &'static str,
) -> Settings {
    let abis = AbiName::ALL.map(|abi| (abi.name(), abi));
    let mut plain = |key, rule| texts(list(reader, table, key, rule));
    let architectures = plain("architectures", rules::architecture);
    let defines = plain("defines", rules::define);
    let flags = plain("flags", rules::flag);
    let libraries = plain("libraries", rules::library);
    Settings {
        variant: checked(reader, table, "variant", rules::name).map(|v| v.text),
        abi: reader.word(table, "abi", &abis),
        namespace: checked(reader, table, "namespace", rules::namespace).map(|v| v.text),
        target_bits: number(reader, table, "target_bits", &rules::TARGETS),
        nist_category: number(reader, table, "nist_category", &[1, 2, 3, 4, 5]),
        architectures,
        sources: list(reader, table, "sources", rules::one_line),
        exclude: list(reader, table, "exclude", rules::one_line),
        include: list(reader, table, "include", rules::one_line),
        defines,
        flags,
        libraries,
        kat: kat(reader, table, kat_prefix),
        sizes: sizes(reader, table, sizes_prefix),
    }
}

/// One of a few numbers.
fn number<'t, T: TryFrom<u64>>(
    reader: &mut Reader<'t>,
    table: Table<'_, 't>,
    key: &str,
    allowed: &[u64],
) -> Option<T> {
    let number = reader.integer(table, key)?;
    if !allowed.contains(&number) {
        let words: Vec<String> = allowed.iter().map(u64::to_string).collect();
        let message = format!("must be one of {}, found {number}", words.join(", "));
        reader.wrong_value(table, key, message);
    }
    T::try_from(number).ok()
}

fn sizes<'t>(reader: &mut Reader<'t>, parent: Table<'_, 't>, prefix: &'static str) -> Sizes {
    let Some(table) = reader.table(parent, "sizes", prefix) else {
        return Sizes::default();
    };
    reader.refuse_unknown(table, &SIZE_KEYS);
    let [
        public_key_bytes,
        secret_key_bytes,
        ciphertext_bytes,
        shared_secret_bytes,
    ] = SIZE_KEYS.map(|key| {
        let size = reader.integer(table, key);
        if size == Some(0) {
            reader.wrong_value(
                table,
                key,
                "must be more than 0; leave it out if it is unknown",
            );
        }
        size
    });
    Sizes {
        public_key_bytes,
        secret_key_bytes,
        ciphertext_bytes,
        shared_secret_bytes,
    }
}

fn kat<'t>(reader: &mut Reader<'t>, parent: Table<'_, 't>, prefix: &'static str) -> KatEntry {
    if let Some(value) = parent.table.get("kat")
        && let DeValue::String(word) = value.get_ref()
    {
        if word != NO_KAT {
            let message = format!(
                "must be the table [{}kat], or \"{NO_KAT}\" where a package has no test",
                parent.prefix
            );
            reader.wrong_value(parent, "kat", message);
        }
        return KatEntry {
            expected: Some(KatSource::None),
            ..KatEntry::default()
        };
    }
    let Some(table) = reader.table(parent, "kat", prefix) else {
        return KatEntry::default();
    };
    reader.refuse_unknown(table, &KAT_KEYS);
    KatEntry {
        form: reader.word(table, "form", &FORMS),
        generator: reader.word(table, "generator", &GENERATORS),
        expected: expected(reader, table),
    }
}

fn expected<'t>(reader: &mut Reader<'t>, table: Table<'_, 't>) -> Option<KatSource> {
    let sources = ["file", "sha256", "manifest"];
    let mut given = sources.into_iter().filter(|key| table.has(key));
    let source = given.next();
    if let (Some(first), Some(second)) = (source, given.next()) {
        let message = format!("cannot stand beside `{first}`: one of file, sha256 and manifest");
        reader.wrong_value(table, second, message);
    }
    for (key, wants) in [
        ("mode", &["sha256"][..]),
        ("entry", &["manifest"]),
        ("digest_origin", &["sha256", "manifest"]),
    ] {
        if table.has(key) && !source.is_some_and(|source| wants.contains(&source)) {
            let wants = wants.join("` or `");
            reader.wrong_value(table, key, format!("goes only with `{wants}`"));
        }
    }
    let origin = reader.word(table, "digest_origin", &ORIGINS);
    let origin = origin.unwrap_or(DigestOrigin::Official);
    match source? {
        "file" => checked(reader, table, "file", rules::one_line).map(KatSource::File),
        "sha256" => {
            let mode = mode(reader, table);
            match rules::sha256(&reader.string(table, "sha256")?.text) {
                Ok(sha256) => Some(KatSource::Digest {
                    sha256,
                    mode,
                    origin,
                }),
                Err(message) => {
                    reader.wrong_value(table, "sha256", message);
                    None
                }
            }
        }
        _ => {
            let entry = checked(reader, table, "entry", rules::one_line);
            let file = checked(reader, table, "manifest", rules::one_line)?;
            Some(KatSource::Manifest {
                file,
                entry,
                origin,
            })
        }
    }
}

fn mode<'t>(reader: &mut Reader<'t>, table: Table<'_, 't>) -> Option<DigestMode> {
    let word = reader.string(table, "mode")?.text;
    if word == "raw" {
        return Some(DigestMode::Raw);
    }
    match word.parse() {
        Ok(mode) => Some(DigestMode::Canonical(mode)),
        Err(error) => {
            let message = format!("{error}, or `raw` for the bytes of the file as they are");
            reader.wrong_value(table, "mode", message);
            None
        }
    }
}
