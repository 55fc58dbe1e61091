//! What the text of a known-answer test is compared with.

use crate::abi::Abi;
use crate::hex;
use crate::package::{DigestMode, Expected, Instance, KatForm};
use kemscope_kems::iccs::kat_text;
use kemscope_kems::iccs::{CanonicalDigest, CanonicalMode};
use kemscope_schema::DigestOrigin;
use std::fs::File;
use std::io::Read;
use std::num::NonZeroU64;
use std::path::Path;

/// Records of NIST's response texts.
const NIST_RECORDS: u64 = 100;
/// A text that is longer than this is none: the largest keys there are make some gigabytes.
const LONGEST_FILE_BYTES: u64 = 64 << 30;

/// What is generated, and what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Which text.
    pub form: KatForm,
    /// Number of records to generate.
    pub records: u64,
    /// The canonical form that is hashed; `None` for the bytes as they are.
    pub mode: Option<CanonicalMode>,
    /// The expected digest and who computed it; `None` where there is nothing to compare with.
    pub digest: Option<(String, DigestOrigin)>,
    /// Whether that is only a part of the official records.
    pub partial: bool,
}

impl Expectation {
    /// Of an instance. A text that comes with its package is read for its digest, piece by piece.
    ///
    /// # Errors
    /// If that text cannot be read or is none, in a sentence.
    pub fn of(instance: &Instance) -> Result<Expectation, String> {
        let nothing = Expectation::bare(instance);
        let (form, all) = (nothing.form, nothing.records);
        match instance.declared.kat.as_ref().map(|kat| &kat.expected) {
            None => Ok(nothing),
            Some(Expected::Digest {
                sha256,
                mode,
                origin,
            }) => {
                let mode = match mode {
                    DigestMode::Raw => None,
                    DigestMode::Canonical(mode) => Some(*mode),
                };
                let listed = mode.and_then(|mode| mode.records).map(NonZeroU64::get);
                Ok(Expectation {
                    records: listed.map_or(all, |listed| listed.min(all)),
                    mode,
                    digest: Some((sha256.clone(), *origin)),
                    partial: listed.is_some_and(|listed| listed < all),
                    ..nothing
                })
            }
            Some(Expected::File(path)) => {
                let (sha256, found) = digest_of_file(path, form)?;
                let records = found.min(all);
                Ok(Expectation {
                    records,
                    mode: Some(CanonicalMode {
                        records: NonZeroU64::new(records).filter(|_| found != all),
                        ..CanonicalMode::default()
                    }),
                    digest: Some((sha256, DigestOrigin::Official)),
                    partial: found < all,
                    ..nothing
                })
            }
        }
    }

    /// All official records of an instance's text, and nothing to compare them with.
    pub fn bare(instance: &Instance) -> Expectation {
        let form = match (&instance.declared.kat, &instance.abi) {
            (Some(kat), _) => kat.form,
            (None, Abi::Iccs) => KatForm::Iccs,
            (None, Abi::Nist | Abi::Pqclean { .. }) => KatForm::PqcleanFirst,
        };
        Expectation {
            form,
            records: official_records(form),
            mode: None,
            digest: None,
            partial: false,
        }
    }

    /// What brings a generated text into the compared form; `None` where its bytes are compared.
    pub fn comparison(&self) -> Option<Comparison> {
        self.mode.map(|mode| Comparison::new(mode, self.form))
    }
}

/// Records of the official text of a form.
fn official_records(form: KatForm) -> u64 {
    match form {
        KatForm::Iccs => kat_text::RECORDS,
        KatForm::Nist => NIST_RECORDS,
        KatForm::PqcleanFirst => 1,
    }
}

/// Digest of a shipped text in the form that is compared, and the number of its records. Of more records than
/// the official ones only these count.
fn digest_of_file(path: &Path, form: KatForm) -> Result<(String, u64), String> {
    let place = path.display();
    let fail = |error: std::io::Error| format!("the KAT file {place} cannot be read: {error}");
    let meta = path.metadata().map_err(fail)?;
    if !meta.is_file() || meta.len() > LONGEST_FILE_BYTES {
        return Err(format!(
            "{place} is no KAT file: not a regular file, or far too long"
        ));
    }
    let mode = CanonicalMode {
        records: NonZeroU64::new(official_records(form)),
        ..CanonicalMode::default()
    };
    let mut comparison = Comparison::new(mode, form);
    let mut file = File::open(path).map_err(fail)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(fail)? {
            0 => break,
            count => comparison.update(&buffer[..count]),
        }
    }
    match comparison.records() {
        0 => Err(format!(
            "{place} is no KAT file: it has no line “count = …”"
        )),
        records => Ok((comparison.finish(), records)),
    }
}

/// Brings a text into the form that is compared, piece by piece, and hashes it. Lines of comments in NIST's
/// texts (`# name`) do not count.
pub struct Comparison {
    digest: CanonicalDigest,
    comments_count: bool,
    start: LineStart,
    records: u64,
}

/// Where in a line the next byte is.
enum LineStart {
    /// So near its start that it is not known yet what the line is; the bytes so far.
    Open(Vec<u8>),
    /// In a line that counts.
    Counted,
    /// In a comment.
    Comment,
}

/// Begins each record, in upper or lower case.
const RECORD: &[u8] = b"count =";

impl Comparison {
    /// Of a mode and a text's form.
    pub fn new(mode: CanonicalMode, form: KatForm) -> Comparison {
        Comparison {
            digest: CanonicalDigest::new(mode),
            comments_count: form == KatForm::Iccs,
            start: LineStart::Open(Vec::new()),
            records: 0,
        }
    }

    /// Takes the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            let ends = part.last() == Some(&b'\n');
            match &mut self.start {
                LineStart::Comment => {}
                LineStart::Counted => self.digest.update(part),
                LineStart::Open(begun) => {
                    begun.extend_from_slice(part);
                    if ends || begun.len() >= RECORD.len() {
                        let begun = std::mem::take(begun);
                        self.decide(&begun);
                    }
                }
            }
            if ends {
                self.start = LineStart::Open(Vec::new());
            }
        }
    }

    fn decide(&mut self, begun: &[u8]) {
        if !self.comments_count && begun.first() == Some(&b'#') {
            self.start = LineStart::Comment;
            return;
        }
        let head = begun.get(..RECORD.len()).unwrap_or_default();
        self.records += u64::from(head.eq_ignore_ascii_case(RECORD));
        self.digest.update(begun);
        self.start = LineStart::Counted;
    }

    /// Records so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The digest, 64 lower-case hex digits.
    pub fn finish(mut self) -> String {
        if let LineStart::Open(begun) = std::mem::replace(&mut self.start, LineStart::Counted)
            && !begun.is_empty()
        {
            self.decide(&begun);
        }
        hex::lower(&self.digest.finish().sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str =
        "# Toy\n\ncount = 0\nseed = 01\nss = 02\n\ncount = 1\nseed = 03\nss = 04\n\n";

    fn digest(text: &str, form: KatForm) -> (String, u64) {
        let mut comparison = Comparison::new(CanonicalMode::default(), form);
        comparison.update(text.as_bytes());
        let records = comparison.records();
        (comparison.finish(), records)
    }

    #[test]
    fn comments_and_empty_lines_of_nist_texts_do_not_count() {
        let bare = TEXT.replace("# Toy\n", "").replace("\n\n", "\n");
        assert_eq!(digest(TEXT, KatForm::Nist), digest(&bare, KatForm::Nist));
        assert_eq!(digest(TEXT, KatForm::Nist).1, 2);
        assert_ne!(
            digest(TEXT, KatForm::Iccs).0,
            digest(&bare, KatForm::Iccs).0
        );
    }

    #[test]
    fn a_shipped_file_tells_how_many_records_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.rsp");
        std::fs::write(&path, TEXT).unwrap();
        let (sha256, records) = digest_of_file(&path, KatForm::Nist).unwrap();
        assert_eq!((sha256, records), digest(TEXT, KatForm::Nist));
        std::fs::write(&path, "hello\n").unwrap();
        let message = digest_of_file(&path, KatForm::Nist).unwrap_err();
        assert!(message.contains("x.rsp is no KAT file"), "{message}");
        let message = digest_of_file(folder.path(), KatForm::Nist).unwrap_err();
        assert!(message.contains("not a regular file"), "{message}");
        assert!(digest_of_file(Path::new("/dev/zero"), KatForm::Iccs).is_err());
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(text in "(#|[cC]ount = [0-9]|[a-z]{0,9}|\n){0,30}", cut in 0usize..99) {
            let cut = cut.min(text.len());
            let mut comparison = Comparison::new(CanonicalMode::default(), KatForm::Nist);
            comparison.update(&text.as_bytes()[..cut]);
            comparison.update(&text.as_bytes()[cut..]);
            prop_assert_eq!(comparison.finish(), digest(&text, KatForm::Nist).0);
        }
    }
}
