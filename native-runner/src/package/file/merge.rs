//! What holds for an instance: its own settings, and for what it does not say the defaults.

use super::reader::{Reader, Table};
use super::{AbiName, Entry, KatEntry, PackageFile, Settings};
use kemscope_schema::Sizes;

/// The variant of an instance for which none is given.
pub const DEFAULT_VARIANT: &str = "reference";

impl Settings {
    /// These settings with those of an instance on top: single values replace, lists are put behind.
    pub fn with(&self, own: &Settings) -> Settings {
        fn joined<T: Clone>(first: &[T], second: &[T]) -> Vec<T> {
            first.iter().chain(second).cloned().collect()
        }
        Settings {
            variant: own.variant.clone().or_else(|| self.variant.clone()),
            abi: own.abi.or(self.abi),
            namespace: own.namespace.clone().or_else(|| self.namespace.clone()),
            target_bits: own.target_bits.or(self.target_bits),
            nist_category: own.nist_category.or(self.nist_category),
            architectures: match own.architectures.is_empty() {
                true => self.architectures.clone(),
                false => own.architectures.clone(),
            },
            sources: joined(&self.sources, &own.sources),
            exclude: joined(&self.exclude, &own.exclude),
            include: joined(&self.include, &own.include),
            defines: joined(&self.defines, &own.defines),
            flags: joined(&self.flags, &own.flags),
            libraries: joined(&self.libraries, &own.libraries),
            kat: KatEntry {
                form: own.kat.form.or(self.kat.form),
                generator: own.kat.generator.or(self.kat.generator),
                expected: own
                    .kat
                    .expected
                    .clone()
                    .or_else(|| self.kat.expected.clone()),
            },
            sizes: Sizes {
                public_key_bytes: own.sizes.public_key_bytes.or(self.sizes.public_key_bytes),
                secret_key_bytes: own.sizes.secret_key_bytes.or(self.sizes.secret_key_bytes),
                ciphertext_bytes: own.sizes.ciphertext_bytes.or(self.sizes.ciphertext_bytes),
                shared_secret_bytes: own
                    .sizes
                    .shared_secret_bytes
                    .or(self.sizes.shared_secret_bytes),
            },
        }
    }

    /// The variant.
    pub fn variant(&self) -> &str {
        self.variant.as_deref().unwrap_or(DEFAULT_VARIANT)
    }
}

impl PackageFile {
    /// What holds for one of its instances.
    pub fn effective(&self, entry: &Entry) -> Settings {
        self.defaults.with(&entry.settings)
    }
}

/// Finds what only shows when defaults and instances are seen together. `file` is what was read from `root`.
pub fn check<'t>(reader: &mut Reader<'t>, root: Table<'_, 't>, file: &PackageFile) {
    let tables = reader.tables(root, "instance", "instance.");
    // An instance whose name was refused is missing in `file`; its problem is told already.
    if tables.len() != file.instances.len() {
        return;
    }
    if tables.is_empty() && root.has("instance") {
        reader.wrong_value(root, "instance", "is empty: there is nothing to build");
    }
    let mut seen: Vec<(String, String, usize)> = Vec::new();
    for (table, entry) in tables.into_iter().zip(&file.instances) {
        let settings = file.effective(entry);
        let name = &entry.name;
        let mut needs = |key: &str, message: &str| {
            reader.wrong_value(table, key, format!("{}: {message}", name.text));
        };
        let has_namespace = settings.namespace.is_some();
        match settings.abi {
            None => needs(
                "abi",
                "say which interface it has, here or in [defaults]: iccs, nist or pqclean",
            ),
            Some(AbiName::Pqclean) if !has_namespace => needs(
                "namespace",
                "is needed with abi pqclean: what stands before `_crypto_kem_keypair` in api.h",
            ),
            Some(AbiName::Iccs | AbiName::Nist) if has_namespace => {
                needs("namespace", "goes only with abi pqclean");
            }
            Some(_) => {}
        }
        if settings.sources.is_empty() {
            needs(
                "sources",
                "say what is to be compiled, here or in [defaults]",
            );
        }
        if settings.target_bits.is_some() && settings.nist_category.is_some() {
            needs(
                "nist_category",
                "cannot stand beside `target_bits`: a parameter set claims one or the other",
            );
        }
        let variant = settings.variant().to_owned();
        let same = |other: &&(String, String, usize)| {
            // Names become names of files, and some file systems do not tell cases apart.
            other.0.eq_ignore_ascii_case(&name.text) && other.1.eq_ignore_ascii_case(&variant)
        };
        if let Some((_, _, line)) = seen.iter().find(same) {
            let message = format!(
                "variant {variant} of {} is there already, in line {line}: give one of them another name or variant",
                name.text
            );
            reader.wrong_value(table, "name", message);
        }
        seen.push((name.text.clone(), variant, name.line));
    }
}
