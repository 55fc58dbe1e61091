//! From a `kem.toml` to instances that can be built.
//!
//! What is wrong with the text of the file, or of a manifest that it names, is an error: nothing is begun. What
//! is wrong with files that it names is a defect of the instance alone, whose build fails with it.

use super::PackageError;
use super::file::{
    AbiName, Entry, KatSource, Located, PACKAGE_FILE, PackageFile, Problems, Settings,
};
use super::includes;
use super::instance::{Declared, DigestMode, Expected, Instance, KatForm, KatSpec};
use super::patterns::{self, Files};
use super::tree::{PathProblem, Root};
use crate::abi::Abi;
use kemscope_kems::iccs::{CanonicalMode, Manifest};
use kemscope_schema::Family;
use kemscope_schema::run::Generator;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All instances of the package in a folder with a `kem.toml`, each with the line that describes it.
///
/// # Errors
/// If the file cannot be read, or says something that cannot be.
pub fn load_package(folder: &Path) -> Result<Vec<(Instance, usize)>, PackageError> {
    let path = folder.join(PACKAGE_FILE);
    let file = read(&path)?;
    let loader = Loader {
        root: Root::of(folder)?,
        files: Files::default(),
        path,
        file: &file,
    };
    file.instances
        .iter()
        .map(|entry| Ok((loader.instance(entry)?, entry.name.line)))
        .collect()
}

/// The `kem.toml` of a path.
///
/// # Errors
/// If it cannot be read, or is none.
pub fn read(path: &Path) -> Result<PackageFile, PackageError> {
    let bytes = std::fs::read(path).map_err(|e| PackageError::read(path, e))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| PackageError::malformed(path, "is not UTF-8: save it as UTF-8"))?;
    Ok(PackageFile::parse(path, &text)?)
}

struct Loader<'a> {
    root: Root,
    files: Files,
    path: PathBuf,
    file: &'a PackageFile,
}

/// What is wrong with a file that an instance names, in a sentence with its place in `kem.toml`.
type Defect = String;

impl Loader<'_> {
    fn instance(&self, entry: &Entry) -> Result<Instance, PackageError> {
        let settings = self.file.effective(entry);
        let abi = match settings.abi {
            Some(AbiName::Iccs) => Abi::Iccs,
            Some(AbiName::Pqclean) => Abi::Pqclean {
                namespace: settings.namespace.clone().unwrap_or_default(),
            },
            Some(AbiName::Nist) | None => Abi::Nist,
        };
        let kat = self.kat(entry, &settings, &abi)?;
        let (files, mut defect) = match self.collect(&settings) {
            Ok(files) => (files, None),
            Err(defect) => (Collected::default(), Some(defect)),
        };
        let kat = match kat {
            Some(Err(problem)) => {
                defect.get_or_insert(problem);
                None
            }
            Some(Ok(kat)) => Some(kat),
            None => None,
        };
        Ok(Instance {
            family: Family {
                id: self.file.id.clone(),
                name: self.file.name.clone(),
                category: self.file.category,
            },
            name: entry.name.text.clone(),
            implementation: settings.variant().to_owned(),
            language: includes::language(&files.sources),
            source: self.source(),
            root: self.root.path().to_owned(),
            include: files.include,
            architectures: settings.architectures,
            defines: settings.defines,
            flags: settings.flags,
            libraries: settings.libraries,
            sources: files.sources,
            inputs: files.inputs,
            abi,
            declared: Declared {
                sizes: settings.sizes,
                target_bits: settings.target_bits,
                nist_category: settings.nist_category,
                kat,
            },
            defect,
        })
    }

    /// Where the sources come from; without word of it the name of the folder, whose place is nobody's business.
    fn source(&self) -> String {
        if let Some(source) = &self.file.source {
            return source.clone();
        }
        let folder = self.root.path().file_name().unwrap_or_default();
        format!("{} (folder {})", self.file.name, folder.to_string_lossy())
    }

    fn collect(&self, settings: &Settings) -> Result<Collected, Defect> {
        let mut include = Vec::new();
        for folder in &settings.include {
            let found = self.root.find(&folder.text);
            let found = found.map_err(|problem| self.defect("include", folder, problem))?;
            if !found.is_dir() {
                let problem = format!("`{}` is no folder", folder.text);
                return Err(self.defect("include", folder, problem));
            }
            if !include.contains(&found) {
                include.push(found);
            }
        }
        let sources = patterns::select(
            &self.root,
            &self.files,
            &settings.sources,
            &settings.exclude,
        )
        .map_err(|(key, place, problem)| self.defect(key, &place, problem))?;
        if include.is_empty() {
            // As a compiler would find them that is called in each folder.
            for folder in sources.iter().filter_map(|source| source.parent()) {
                if !include.iter().any(|known| known == folder) {
                    include.push(folder.to_owned());
                }
            }
        }
        let inputs = self.inputs(&sources, &include, settings.abi)?;
        Ok(Collected {
            include,
            sources,
            inputs,
        })
    }

    /// All files that a library depends on; refuses those that an include takes from outside.
    fn inputs(
        &self,
        sources: &[PathBuf],
        include: &[PathBuf],
        abi: Option<AbiName>,
    ) -> Result<Vec<PathBuf>, Defect> {
        let mut start: BTreeSet<PathBuf> = sources.iter().cloned().collect();
        if abi != Some(AbiName::Iccs) {
            // What the runner adds to every library of these interfaces includes it.
            let header = include.iter().map(|folder| folder.join("api.h"));
            start.extend(header.filter(|path| path.is_file()).take(1));
        }
        let reached = includes::follow(start, include, &mut |_| Vec::new());
        let mut reached = reached.map_err(|error| error.to_string())?;
        for (file, found) in &reached.computed {
            // Which one it is only the compiler knows: all that lie in question count.
            let beside = file.parent().filter(|_| found.quoted);
            for folder in beside
                .into_iter()
                .chain(include.iter().map(PathBuf::as_path))
            {
                for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                    if entry.path().is_file() {
                        reached.files.insert(entry.path());
                    }
                }
            }
        }
        for file in &reached.files {
            let name = self.root.name_of(file);
            self.root
                .check(file, &name)
                .map_err(|problem| format!("an included file: {problem}"))?;
        }
        Ok(reached.files.into_iter().collect())
    }

    /// The known-answer test: `None` if there is none, a defect if its file lies outside the package.
    fn kat(
        &self,
        entry: &Entry,
        settings: &Settings,
        abi: &Abi,
    ) -> Result<Option<Result<KatSpec, Defect>>, PackageError> {
        let kat = &settings.kat;
        let default = match (abi, &kat.expected) {
            (Abi::Iccs, _) => KatForm::Iccs,
            (Abi::Nist, _) | (_, Some(KatSource::File(_))) => KatForm::Nist,
            (Abi::Pqclean { .. }, _) => KatForm::PqcleanFirst,
        };
        let form = kat.form.unwrap_or(default);
        let expected = match &kat.expected {
            None | Some(KatSource::None) => return Ok(None),
            Some(KatSource::File(file)) => match self.kat_file(file) {
                Ok(path) => Expected::File(path),
                Err(defect) => return Ok(Some(Err(defect))),
            },
            Some(KatSource::Digest {
                sha256,
                mode,
                origin,
            }) => Expected::Digest {
                sha256: sha256.clone(),
                mode: mode.unwrap_or(match form {
                    KatForm::Iccs => DigestMode::Canonical(CanonicalMode::default()),
                    KatForm::Nist | KatForm::PqcleanFirst => DigestMode::Raw,
                }),
                origin: *origin,
            },
            Some(KatSource::Manifest {
                file,
                entry: path,
                origin,
            }) => match self.kat_file(file) {
                Ok(manifest) => {
                    let (sha256, mode) = self.listed(&manifest, file, path.as_ref(), entry)?;
                    Expected::Digest {
                        sha256,
                        mode: DigestMode::Canonical(mode),
                        origin: *origin,
                    }
                }
                Err(defect) => return Ok(Some(Err(defect))),
            },
        };
        let generator = kat.generator.unwrap_or(match abi {
            Abi::Iccs => Generator::IccsSm3,
            Abi::Nist | Abi::Pqclean { .. } => Generator::NistCtrDrbg,
        });
        Ok(Some(Ok(KatSpec {
            form,
            generator,
            expected,
        })))
    }

    /// A file of a known-answer test; one that is missing is told when the test is run.
    fn kat_file(&self, file: &Located) -> Result<PathBuf, Defect> {
        match self.root.find(&file.text) {
            Err(PathProblem::Missing { .. }) => Ok(self.root.path().join(&file.text)),
            found => found.map_err(|problem| self.defect("kat", file, problem)),
        }
    }

    /// What a manifest lists for an instance.
    fn listed(
        &self,
        manifest: &Path,
        place: &Located,
        path: Option<&Located>,
        entry: &Entry,
    ) -> Result<(String, CanonicalMode), PackageError> {
        let bytes = std::fs::read(manifest).map_err(|e| PackageError::read(manifest, e))?;
        let text = String::from_utf8_lossy(&bytes);
        let list = Manifest::parse(&text)
            .map_err(|error| PackageError::malformed(manifest, error.to_string()))?;
        let found: Vec<_> = match path {
            Some(path) => list
                .entries()
                .iter()
                .filter(|e| e.path == path.text)
                .collect(),
            None => list.of(&entry.name.text).collect(),
        };
        // Of several forms of one text the one of most records says most; the manifest's order decides the rest.
        let found = found
            .into_iter()
            .rev()
            .max_by_key(|e| e.mode.records.map_or(u64::MAX, std::num::NonZeroU64::get));
        match found {
            Some(found) => Ok((crate::hex::lower(&found.sha256), found.mode)),
            None => {
                let wanted = match path {
                    Some(path) => format!("for `{}`", path.text),
                    None => format!("whose file is KAT_KEM_{}.txt", entry.name.text),
                };
                let line = path.map_or(place.line, |path| path.line);
                let message = format!(
                    "{}:{line}: `kat`: {} has no line {wanted}; name it with `entry`, or say kat = \"none\" for an \
                     instance without test",
                    self.path.display(),
                    manifest.display(),
                );
                Err(PackageError::Selection(message))
            }
        }
    }

    fn defect(&self, key: &str, place: &Located, problem: impl std::fmt::Display) -> Defect {
        format!("{PACKAGE_FILE}:{}: `{key}`: {problem}", place.line)
    }
}

/// The files of an instance.
#[derive(Default)]
struct Collected {
    include: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    inputs: Vec<PathBuf>,
}

impl From<Problems> for PackageError {
    fn from(problems: Problems) -> PackageError {
        PackageError::Invalid(problems)
    }
}
