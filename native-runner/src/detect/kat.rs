//! The known-answer tests that come with a package or lie beside it.

use super::interface::Interface;
use super::survey::{Survey, base_of, folder_of, lies_in, nearness};
use crate::hex;
use crate::package::file::{KatEntry, KatSource};
use crate::package::instance::DigestMode;
use kemscope_kems::iccs::manifest::ManifestEntry;
use kemscope_kems::iccs::{CanonicalDigest, CanonicalMode, Manifest, kat_text};
use kemscope_schema::DigestOrigin;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// How many folders above a package are looked into for a manifest.
const ABOVE: usize = 2;
/// A manifest is a short list.
const LONGEST_MANIFEST: u64 = 1 << 20;

/// All that may be a known-answer test of a package.
#[derive(Debug, Default)]
pub struct Tests {
    manifests: Vec<Listed>,
    /// Names of texts in the package.
    texts: Vec<String>,
}

/// A manifest.
#[derive(Debug)]
struct Listed {
    /// Its name in the package; `None` for one that lies above it.
    name: Option<String>,
    path: PathBuf,
    manifest: Manifest,
}

/// A test that was found, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What goes into `kem.toml`.
    pub entry: KatEntry,
    /// Where it is from, in a sentence.
    pub remark: String,
}

/// What an instance is known by.
pub struct Wanted<'a> {
    /// Its name.
    pub name: &'a str,
    /// What its folder is called, if that is something else.
    pub also: Option<&'a str>,
    /// Its folder.
    pub folder: &'a str,
    /// Its interface.
    pub interface: &'a Interface,
    /// Bytes of its secret key, by which NIST's texts are called.
    pub secret_key_bytes: Option<u64>,
    /// Whether the package has no other instance.
    pub alone: bool,
}

impl Tests {
    /// Looks for manifests and texts.
    pub fn of(survey: &Survey) -> Tests {
        let mut tests = Tests::default();
        for file in &survey.tree.files {
            if file.extension() == "sha256"
                && let Some(manifest) = read_manifest(&file.path)
            {
                tests.manifests.push(Listed {
                    name: Some(file.name.clone()),
                    path: file.path.clone(),
                    manifest,
                });
            }
            let base = file.base();
            let iccs = base.starts_with("KAT_KEM_") && base.ends_with(".txt");
            if iccs || file.extension() == "rsp" {
                tests.texts.push(file.name.clone());
            }
        }
        for folder in survey.root.path().ancestors().skip(1).take(ABOVE) {
            let path = folder.join("kat.sha256");
            if let Some(manifest) = read_manifest(&path) {
                tests.manifests.push(Listed {
                    name: None,
                    path,
                    manifest,
                });
            }
        }
        tests
    }

    /// The test of an instance: `Ok(None)` if there is none, an error if it is not clear which.
    pub fn of_instance(
        &self,
        survey: &Survey,
        wanted: &Wanted<'_>,
    ) -> Result<Option<Found>, String> {
        if *wanted.interface == Interface::Iccs {
            if let Some(found) = self.listed(wanted) {
                return Ok(Some(found));
            }
            return self.ngcc_text(survey, wanted);
        }
        self.nist_text(survey, wanted)
    }

    fn listed(&self, wanted: &Wanted<'_>) -> Option<Found> {
        let names = [Some(wanted.name), wanted.also];
        for listed in &self.manifests {
            for name in names.into_iter().flatten() {
                let entries: Vec<&ManifestEntry> = listed.manifest.of(name).collect();
                if let Some(entry) = entries.first() {
                    return Some(listed.found(entry, name == wanted.name));
                }
            }
        }
        None
    }

    fn ngcc_text(&self, survey: &Survey, wanted: &Wanted<'_>) -> Result<Option<Found>, String> {
        let names = [Some(wanted.name), wanted.also];
        let mut texts: Vec<&String> = Vec::new();
        for name in names.into_iter().flatten() {
            let own = format!("KAT_KEM_{name}.txt");
            texts.extend(self.texts.iter().filter(|text| base_of(text) == own));
        }
        let Some(name) = nearest(&mut texts, wanted.folder) else {
            return Ok(None);
        };
        let path = survey.root.path().join(name);
        if !has_blank_lengths(&path) {
            return Ok(Some(Found {
                entry: of_file(name),
                remark: format!("the text {name} of the package"),
            }));
        }
        // The submitter's driver left the lengths open: compared without them, by digest.
        let (sha256, mode) =
            digest_without_lengths(&path).map_err(|e| format!("{name} cannot be read: {e}"))?;
        Ok(Some(Found {
            entry: KatEntry {
                expected: Some(KatSource::Digest {
                    sha256,
                    mode: Some(DigestMode::Canonical(mode)),
                    origin: DigestOrigin::Official,
                }),
                ..KatEntry::default()
            },
            remark: format!(
                "digest of the text {name} of the package, without the lines of lengths, which it leaves blank"
            ),
        }))
    }

    fn nist_text(&self, survey: &Survey, wanted: &Wanted<'_>) -> Result<Option<Found>, String> {
        let responses: Vec<&String> = self.texts.iter().filter(|t| t.ends_with(".rsp")).collect();
        if responses.is_empty() {
            return Ok(None);
        }
        let titled = |text: &&&String| {
            let title = title(&survey.root.path().join(text));
            let same = |name: &str| {
                title
                    .as_deref()
                    .is_some_and(|t| t.eq_ignore_ascii_case(name))
            };
            same(wanted.name) || wanted.also.is_some_and(same)
        };
        let sized = |text: &&&String| {
            let size = wanted
                .secret_key_bytes
                .map(|bytes| format!("PQCkemKAT_{bytes}.rsp"));
            size.as_deref() == Some(base_of(text))
        };
        let own = |text: &&&String| {
            !wanted.folder.is_empty() && lies_in(text, wanted.folder)
                || base_of(folder_of(text)).eq_ignore_ascii_case(wanted.name)
        };
        let pick = |by: &dyn Fn(&&&String) -> bool, how: &str| {
            let mut some: Vec<&String> = responses.iter().filter(by).copied().collect();
            let text = nearest(&mut some, wanted.folder)?;
            Some(Found {
                entry: of_file(text),
                remark: format!("the text {text} of the package, {how}"),
            })
        };
        let found = pick(&titled, "which begins with the instance's name")
            .or_else(|| pick(&sized, "which is called by the size of the secret key"))
            .or_else(|| pick(&own, "which lies in a folder of the instance"))
            .or_else(|| match responses.as_slice() {
                [_] if wanted.alone => pick(&|_| true, "the only one"),
                _ => None,
            });
        match found {
            Some(found) => Ok(Some(found)),
            None => Err(format!(
                "none of {} names the instance in its first line or by the size of its secret key: name it in kat",
                list(&responses)
            )),
        }
    }
}

impl Listed {
    fn found(&self, entry: &ManifestEntry, by_name: bool) -> Found {
        let line = entry.line;
        match &self.name {
            Some(name) => Found {
                entry: KatEntry {
                    expected: Some(KatSource::Manifest {
                        file: name.clone().into(),
                        entry: (!by_name).then(|| entry.path.clone().into()),
                        origin: DigestOrigin::Official,
                    }),
                    ..KatEntry::default()
                },
                remark: format!("line {line} of {name}"),
            },
            None => Found {
                entry: KatEntry {
                    expected: Some(KatSource::Digest {
                        sha256: hex::lower(&entry.sha256),
                        mode: Some(DigestMode::Canonical(entry.mode)),
                        origin: DigestOrigin::Official,
                    }),
                    ..KatEntry::default()
                },
                remark: format!("line {line} of {}, beside the package", base(&self.path)),
            },
        }
    }
}

fn base(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn of_file(name: &str) -> KatEntry {
    KatEntry {
        expected: Some(KatSource::File(name.to_owned().into())),
        ..KatEntry::default()
    }
}

/// The text that lies nearest to a folder.
fn nearest<'a>(texts: &mut Vec<&'a String>, folder: &str) -> Option<&'a String> {
    texts.sort_by_key(|text| std::cmp::Reverse(nearness(folder_of(text), folder)));
    texts.first().copied()
}

fn list(texts: &[&String]) -> String {
    let shown: Vec<&str> = texts.iter().take(4).map(|text| text.as_str()).collect();
    let more = if texts.len() > 4 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn read_manifest(path: &Path) -> Option<Manifest> {
    let meta = path.metadata().ok()?;
    if !meta.is_file() || meta.len() > LONGEST_MANIFEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let manifest = Manifest::parse(&String::from_utf8_lossy(&bytes)).ok()?;
    (!manifest.entries().is_empty()).then_some(manifest)
}

/// The beginning of a text, as lines.
fn first_lines(path: &Path) -> Vec<String> {
    let Ok(file) = File::open(path) else {
        return Vec::new();
    };
    // Lines may be keys of megabytes.
    let start = BufReader::new(file.take(1 << 16));
    start.lines().map_while(Result::ok).take(8).collect()
}

/// The name in the first line of NIST's texts: `# Kyber768`.
fn title(path: &Path) -> Option<String> {
    let lines = first_lines(path);
    let title = lines.first()?.strip_prefix('#')?.trim().to_owned();
    (!title.is_empty()).then_some(title)
}

fn has_blank_lengths(path: &Path) -> bool {
    let lines = first_lines(path);
    lines.iter().any(|line| line.trim_end() == "PK_Len =")
}

/// The digest of a text without its lines of lengths, and the mode that says so.
fn digest_without_lengths(path: &Path) -> std::io::Result<(String, CanonicalMode)> {
    let mut mode = CanonicalMode {
        without_lengths: true,
        records: None,
    };
    let mut file = File::open(path)?;
    let mut digest = CanonicalDigest::new(mode);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            count => digest.update(&buffer[..count]),
        }
    }
    let whole = digest.finish();
    // A shortened text is compared with as many records as it has.
    mode.records =
        NonZeroU64::new(whole.records).filter(|records| records.get() < kat_text::RECORDS);
    Ok((hex::lower(&whole.sha256), mode))
}
