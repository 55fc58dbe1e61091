//! The data of a built dashboard: one index of all systems, and the files that it names.

use super::{compress, remove, shells};
use anyhow::{Context, Result, bail};
use kemscope_schema::{Index, SCHEMA_VERSION, load};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// An index file and the folder that its paths begin at.
#[derive(Clone, Debug)]
pub struct Source {
    folder: PathBuf,
    index: String,
}

impl Source {
    /// The index file `index` in `folder`.
    pub fn new(folder: &Path, index: &str) -> Source {
        Source {
            folder: folder.to_owned(),
            index: index.to_owned(),
        }
    }

    /// The published systems of a data folder and, where there are any, this machine's own.
    pub fn of_workspace(data: &Path) -> Vec<Source> {
        ["index.json", "index.local.json"]
            .into_iter()
            .filter(|name| *name == "index.json" || data.join(name).exists())
            .map(|name| Source::new(data, name))
            .collect()
    }

    fn read(&self) -> Result<Index> {
        let path = self.folder.join(&self.index);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        load(&path.display().to_string(), &text).map_err(anyhow::Error::from)
    }
}

/// Whether files get a brotli form beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// For serving and publishing.
    Compressed,
    /// For sites that live as long as a test: compressing takes much longer than all else.
    Plain,
}

/// Replaces `data/` of a built dashboard by the files of these sources, and writes the pages of the families in them.
/// Raw trials and logs stay behind: the dashboard links none of them.
///
/// # Errors
/// When an index or a file that it names cannot be read, or two sources have a system of one name.
pub fn install(out: &Path, sources: &[Source], copies: Copies) -> Result<()> {
    let fresh = out.join("data.tmp");
    remove(&fresh)?;
    let mut merged = Index {
        schema_version: SCHEMA_VERSION,
        systems: Vec::new(),
    };
    for source in sources {
        for system in source.read()?.systems {
            if merged.systems.iter().any(|known| known.id == system.id) {
                bail!(
                    "{}: system {} is in another index already",
                    source.index,
                    system.id
                );
            }
            for file in &system.files {
                copy(&source.folder, &file.path, &fresh)?;
            }
            merged.systems.push(system);
        }
    }
    fs::create_dir_all(&fresh).with_context(|| format!("cannot create {}", fresh.display()))?;
    fs::write(fresh.join("index.json"), serde_json::to_string(&merged)?)
        .context("cannot write the merged index")?;
    if copies == Copies::Compressed {
        compress::folder(&fresh)?;
    }
    let place = out.join("data");
    remove(&place)?;
    fs::rename(&fresh, &place).context("cannot move the data into place")?;
    let families: BTreeSet<String> = merged
        .systems
        .into_iter()
        .flat_map(|system| system.families)
        .collect();
    shells::write(out, &families, copies)
}

fn copy(from: &Path, path: &str, to: &Path) -> Result<()> {
    // The index is input: it must not lead out of its folder.
    if !Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        bail!("the index names a file outside the data folder: {path}");
    }
    let target = to.join(path);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::copy(from.join(path), &target)
        .with_context(|| format!("cannot copy {}", from.join(path).display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn index(system: &str, family: &str, file: &str) -> String {
        let digest = "0".repeat(64);
        format!(
            r#"{{"schema_version":1,"systems":[{{"id":"{system}","label":"{system}","architecture":"aarch64",
            "provenance":"measured","families":["{family}"],"files":[{{"path":"{file}","sha256":"{digest}","bytes":2}}]}}]}}"#
        )
    }

    #[test]
    fn two_indexes_become_one() {
        let dir = tempfile::tempdir().unwrap();
        let (data, out) = (dir.path().join("data"), dir.path().join("out"));
        write(
            &data,
            "index.json",
            &index("arm_1", "kem-14", "arm_1/kem-14.json"),
        );
        write(&data, "arm_1/kem-14.json", "{}");
        write(&data, "arm_1/raw/trial.json", "{}");
        write(
            &data,
            "index.local.json",
            &index("local", "hqc", "local/hqc.json"),
        );
        write(&data, "local/hqc.json", "{}");
        write(&out, "index.html", "<base href=\"./\" />");
        write(&out, "family/gone/index.html", "old");
        install(&out, &Source::of_workspace(&data), Copies::Compressed).unwrap();
        let merged: Index =
            serde_json::from_str(&fs::read_to_string(out.join("data/index.json")).unwrap())
                .unwrap();
        let ids: Vec<&str> = merged
            .systems
            .iter()
            .map(|system| system.id.as_str())
            .collect();
        assert_eq!(ids, ["arm_1", "local"]);
        assert!(out.join("data/local/hqc.json").is_file());
        assert!(!out.join("data/arm_1/raw").exists());
        assert!(
            fs::read_to_string(out.join("family/hqc/index.html"))
                .unwrap()
                .contains("../../")
        );
        assert!(!out.join("family/gone").exists());
    }

    #[test]
    fn an_index_cannot_lead_out_of_its_folder() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "secret", "x");
        assert!(
            copy(
                &dir.path().join("data"),
                "../secret",
                &dir.path().join("out")
            )
            .is_err()
        );
        assert!(
            copy(
                &dir.path().join("data"),
                "/etc/hostname",
                &dir.path().join("out")
            )
            .is_err()
        );
    }
}
