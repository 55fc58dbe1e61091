//! Files in brotli form next to the plain ones, for hosts that send them and for counting bytes.

use crate::digest;
use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Kinds of files that become smaller.
const KINDS: [&str; 6] = ["css", "html", "js", "json", "svg", "wasm"];

/// Writes `<file>.br` next to each text or wasm file below a folder.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn folder(folder: &Path) -> Result<()> {
    let mut files = digest::files(folder)?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|kind| KINDS.iter().any(|known| kind == *known))
    });
    // The largest first, so that no thread is left alone with it at the end.
    files.sort_by_key(|file| std::cmp::Reverse(fs::metadata(file).map_or(0, |meta| meta.len())));
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            write(file)?;
        }
        Ok(())
    };
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(files.len().max(1));
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .try_for_each(|handle| match handle.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })
}

fn write(file: &Path) -> Result<()> {
    let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut name = file.as_os_str().to_owned();
    name.push(".br");
    let path = PathBuf::from(name);
    fs::write(&path, brotli(&content)?).with_context(|| format!("cannot write {}", path.display()))
}

/// Length of bytes in brotli form at the best quality.
///
/// # Errors
/// When the encoder fails.
pub fn brotli_length(content: &[u8]) -> Result<usize> {
    brotli(content).map(|small| small.len())
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let params = BrotliEncoderParams {
        quality: 11,
        lgwin: 24,
        size_hint: content.len(),
        ..Default::default()
    };
    let mut small = Vec::new();
    brotli::BrotliCompress(&mut &content[..], &mut small, &params).context("brotli failed")?;
    Ok(small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_compressed_and_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let text = "kem-14 DTRU ".repeat(500);
        fs::write(dir.path().join("a.json"), &text).unwrap();
        fs::write(dir.path().join("a.png"), "raw").unwrap();
        folder(dir.path()).unwrap();
        let small = fs::read(dir.path().join("a.json.br")).unwrap();
        assert!(small.len() < 100);
        assert_eq!(small.len(), brotli_length(text.as_bytes()).unwrap());
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut &small[..], &mut back).unwrap();
        assert_eq!(back, text.as_bytes());
        assert!(!dir.path().join("a.png.br").exists());
    }
}
