//! Writing a `kem.toml`, with comments that say where its values come from.

use super::parse::{FORMS, GENERATORS, NO_KAT};
use super::{KatEntry, KatSource, Located, PackageFile, Settings};
use crate::package::instance::DigestMode;
use kemscope_schema::{DigestOrigin, Sizes};
use std::collections::BTreeMap;

/// Comments for a file that is written.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    /// Lines above everything.
    pub head: Vec<String>,
    /// About the keys of `[package]`, by key.
    pub package: BTreeMap<&'static str, Vec<String>>,
    /// About `[defaults]`.
    pub defaults: InstanceRemarks,
    /// About the instances, in their order.
    pub instances: Vec<InstanceRemarks>,
}

/// Comments for one instance.
#[derive(Clone, Debug, Default)]
pub struct InstanceRemarks {
    /// Lines above the instance.
    pub above: Vec<String>,
    /// About its keys, by key: lines above the key, or in its place where the instance does not have it.
    pub keys: BTreeMap<&'static str, Vec<String>>,
    /// About items of its lists, by item: behind the item.
    pub items: BTreeMap<String, String>,
}

/// Longest list that is written on one line, in characters.
const ONE_LINE: usize = 80;

impl PackageFile {
    /// The file's text. [`PackageFile::parse`] reads it back.
    pub fn to_toml(&self, remarks: &Remarks) -> String {
        let mut text = Text(String::new());
        text.comments(&remarks.head);
        if !remarks.head.is_empty() {
            text.line("");
        }
        text.line("[package]");
        let mut package = |key, value: Option<String>| {
            text.comments(remarks.package.get(key).into_iter().flatten());
            if let Some(value) = value {
                text.line(&format!("{key} = {value}"));
            }
        };
        package("id", Some(quoted(&self.id)));
        package("name", Some(quoted(&self.name)));
        package("category", self.category.map(|c| quoted(c.name())));
        package("source", self.source.as_deref().map(quoted));
        if self.defaults != Settings::default() || !remarks.defaults.keys.is_empty() {
            text.line("");
            text.comments(&remarks.defaults.above);
            text.line("[defaults]");
            text.settings("defaults", &self.defaults, &remarks.defaults);
        }
        let none = InstanceRemarks::default();
        for (number, entry) in self.instances.iter().enumerate() {
            let remarks = remarks.instances.get(number).unwrap_or(&none);
            text.line("");
            text.comments(&remarks.above);
            text.line("[[instance]]");
            text.comments(remarks.keys.get("name").into_iter().flatten());
            text.line(&format!("name = {}", quoted(&entry.name.text)));
            text.settings("instance", &entry.settings, remarks);
        }
        text.0
    }
}

/// A text that is being written.
struct Text(String);

impl Text {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn comments<'a>(&mut self, lines: impl IntoIterator<Item = &'a String>) {
        for line in lines {
            // What a package says about itself may have line breaks; a comment has none.
            let plain: String = line
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            self.line(format!("# {plain}").trim_end());
        }
    }

    fn settings(&mut self, table: &str, settings: &Settings, remarks: &InstanceRemarks) {
        let string = |value: &Option<String>| value.as_deref().map(quoted);
        let located = |list: &[Located]| list.iter().map(|item| item.text.clone()).collect();
        self.key("variant", string(&settings.variant), remarks);
        self.key("abi", settings.abi.map(|a| quoted(a.name())), remarks);
        self.key("namespace", string(&settings.namespace), remarks);
        let bits = settings.target_bits.map(|bits| bits.to_string());
        self.key("target_bits", bits, remarks);
        let category = settings.nist_category.map(|c| c.to_string());
        self.key("nist_category", category, remarks);
        self.list("architectures", settings.architectures.clone(), remarks);
        self.list("sources", located(&settings.sources), remarks);
        self.list("exclude", located(&settings.exclude), remarks);
        self.list("include", located(&settings.include), remarks);
        self.list("defines", settings.defines.clone(), remarks);
        self.list("flags", settings.flags.clone(), remarks);
        self.list("libraries", settings.libraries.clone(), remarks);
        self.kat(table, &settings.kat, remarks);
        self.sizes(table, &settings.sizes, remarks);
    }

    fn key(&mut self, key: &'static str, value: Option<String>, remarks: &InstanceRemarks) {
        self.comments(remarks.keys.get(key).into_iter().flatten());
        if let Some(value) = value {
            self.line(&format!("{key} = {value}"));
        }
    }

    fn list(&mut self, key: &'static str, items: Vec<String>, remarks: &InstanceRemarks) {
        self.comments(remarks.keys.get(key).into_iter().flatten());
        if items.is_empty() {
            return;
        }
        let words: Vec<String> = items.iter().map(|item| quoted(item)).collect();
        let joined = format!("{key} = [{}]", words.join(", "));
        let remarked = items.iter().any(|item| remarks.items.contains_key(item));
        if !remarked && joined.chars().count() <= ONE_LINE {
            self.line(&joined);
            return;
        }
        self.line(&format!("{key} = ["));
        for (item, word) in items.iter().zip(words) {
            let remark = remarks.items.get(item);
            let remark = remark.map(|text| format!(" # {}", text.replace(char::is_control, " ")));
            self.line(&format!("  {word},{}", remark.unwrap_or_default()));
        }
        self.line("]");
    }

    fn kat(&mut self, table: &str, kat: &KatEntry, remarks: &InstanceRemarks) {
        let comments = remarks.keys.get("kat");
        if *kat == KatEntry::default() {
            self.comments(comments.into_iter().flatten());
            return;
        }
        if kat.expected == Some(KatSource::None) && kat.form.is_none() && kat.generator.is_none() {
            self.comments(comments.into_iter().flatten());
            self.line(&format!("kat = {}", quoted(NO_KAT)));
            return;
        }
        self.line("");
        self.comments(comments.into_iter().flatten());
        self.line(&format!("[{table}.kat]"));
        if let Some((word, _)) = FORMS.iter().find(|(_, form)| Some(*form) == kat.form) {
            self.line(&format!("form = {}", quoted(word)));
        }
        let generator = GENERATORS.iter().find(|(_, g)| Some(*g) == kat.generator);
        if let Some((word, _)) = generator {
            self.line(&format!("generator = {}", quoted(word)));
        }
        let origin = match &kat.expected {
            None | Some(KatSource::None) => None,
            Some(KatSource::File(file)) => {
                self.line(&format!("file = {}", quoted(&file.text)));
                None
            }
            Some(KatSource::Digest {
                sha256,
                mode,
                origin,
            }) => {
                self.line(&format!("sha256 = {}", quoted(sha256)));
                if let Some(mode) = mode {
                    self.line(&format!("mode = {}", quoted(&mode_word(*mode))));
                }
                Some(origin)
            }
            Some(KatSource::Manifest {
                file,
                entry,
                origin,
            }) => {
                self.line(&format!("manifest = {}", quoted(&file.text)));
                if let Some(entry) = entry {
                    self.line(&format!("entry = {}", quoted(&entry.text)));
                }
                Some(origin)
            }
        };
        if origin == Some(&DigestOrigin::Model) {
            self.line("digest_origin = \"model\"");
        }
    }

    fn sizes(&mut self, table: &str, sizes: &Sizes, remarks: &InstanceRemarks) {
        let comments = remarks.keys.get("sizes");
        if *sizes == Sizes::default() {
            self.comments(comments.into_iter().flatten());
            return;
        }
        self.line("");
        self.comments(comments.into_iter().flatten());
        self.line(&format!("[{table}.sizes]"));
        for (key, size) in [
            ("public_key_bytes", sizes.public_key_bytes),
            ("secret_key_bytes", sizes.secret_key_bytes),
            ("ciphertext_bytes", sizes.ciphertext_bytes),
            ("shared_secret_bytes", sizes.shared_secret_bytes),
        ] {
            if let Some(size) = size {
                self.line(&format!("{key} = {size}"));
            }
        }
    }
}

fn mode_word(mode: DigestMode) -> String {
    match mode {
        DigestMode::Raw => "raw".to_owned(),
        DigestMode::Canonical(mode) => mode.to_string(),
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
