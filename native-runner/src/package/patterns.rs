//! Which files of a package the paths and patterns of a `kem.toml` name.

use super::file::Located;
use super::includes::is_source;
use super::tree::{Root, Tree};
use glob::{MatchOptions, Pattern};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// `*` stays within a folder, `**` goes through folders, hidden files have to be named.
const MATCHING: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// Extensions of what others have compiled.
const PREBUILT: [&str; 6] = ["o", "a", "so", "lib", "obj", "dll"];

/// The files of a package, walked through when the first pattern asks for them.
#[derive(Debug, Default)]
pub struct Files(OnceCell<Result<Tree, String>>);

impl Files {
    fn tree(&self, root: &Root) -> Result<&Tree, String> {
        let walked = self
            .0
            .get_or_init(|| Tree::walk(root).map_err(|e| e.to_string()));
        walked.as_ref().map_err(String::clone)
    }
}

/// What is wrong with an item of a list: the list's key, the item, and a sentence.
pub type ItemProblem = (&'static str, Located, String);

/// The sources that `sources` name and `exclude` does not, in order of their names, each once.
///
/// # Errors
/// For the first item that names nothing, something outside the package, or something that is no source.
pub fn select(
    root: &Root,
    files: &Files,
    sources: &[Located],
    exclude: &[Located],
) -> Result<Vec<PathBuf>, ItemProblem> {
    let mut chosen = BTreeSet::new();
    for item in sources {
        let fail = |problem: String| ("sources", item.clone(), problem);
        chosen.extend(named(root, files, &item.text).map_err(fail)?);
    }
    for item in exclude {
        let fail = |problem: String| ("exclude", item.clone(), problem);
        let pattern = Matcher::of(&item.text).map_err(fail)?;
        chosen.retain(|path| !pattern.matches(&root.name_of(path)));
    }
    if chosen.is_empty() {
        let first = sources.first().cloned();
        let place = first.unwrap_or_else(|| String::new().into());
        return Err(("sources", place, "everything is excluded".to_owned()));
    }
    // One file under two names would define everything twice.
    let mut seen = BTreeSet::new();
    let fresh = |path: &PathBuf| std::fs::canonicalize(path).map_or(true, |real| seen.insert(real));
    Ok(chosen.into_iter().filter(fresh).collect())
}

/// A pattern that is also a plain name.
struct Matcher<'a> {
    plain: &'a str,
    pattern: Pattern,
}

impl<'a> Matcher<'a> {
    fn of(text: &'a str) -> Result<Matcher<'a>, String> {
        let plain = text.strip_prefix("./").unwrap_or(text);
        let pattern = Pattern::new(plain).map_err(|e| format!("`{text}` is no pattern: {e}"))?;
        Ok(Matcher { plain, pattern })
    }

    fn matches(&self, name: &str) -> bool {
        name == self.plain || self.pattern.matches_with(name, MATCHING)
    }
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

fn named(root: &Root, files: &Files, text: &str) -> Result<Vec<PathBuf>, String> {
    // A file may have a star in its name.
    match root.find(text) {
        Ok(path) => return one(&path, text),
        Err(problem) if !is_pattern(text) => return Err(problem.to_string()),
        Err(_) => {}
    }
    let matcher = Matcher::of(text)?;
    let tree = files.tree(root)?;
    if let Some(refused) = tree.refused.iter().find(|r| matcher.matches(&r.name)) {
        return Err(format!(
            "`{text}` matches `{}`: {}",
            refused.name, refused.why
        ));
    }
    let matching = tree.files.iter().filter(|file| matcher.matches(&file.name));
    let found: Vec<PathBuf> = matching
        .map(|file| file.path.clone())
        .filter(|path| is_source(path))
        .collect();
    if found.is_empty() {
        return Err(format!(
            "`{text}` matches no source (C, C++ or assembler) of the package"
        ));
    }
    Ok(found)
}

fn one(path: &std::path::Path, text: &str) -> Result<Vec<PathBuf>, String> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    if path.is_dir() {
        return Err(format!("`{text}` is a folder: write `{text}/*.c`"));
    }
    if PREBUILT.contains(&extension.as_ref()) {
        return Err(format!(
            "`{text}` was compiled by others: only sources are taken"
        ));
    }
    if !is_source(path) {
        return Err(format!(
            "`{text}` is no source: .c, .cc, .cpp, .cxx, .C, .S and .s are compiled"
        ));
    }
    Ok(vec![path.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    fn package() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("p");
        fs::create_dir_all(package.join("ä b/sub")).unwrap();
        for name in [
            "ä b/x.c",
            "ä b/y.S",
            "ä b/test_x.c",
            "ä b/x.h",
            "ä b/sub/z.cpp",
            "ä b/[odd].c",
            "lib.a",
        ] {
            fs::write(package.join(name), "").unwrap();
        }
        fs::write(folder.path().join("outside.c"), "").unwrap();
        symlink("ä b/x.c", package.join("again.c")).unwrap();
        symlink("../outside.c", package.join("bad.c")).unwrap();
        folder
    }

    fn chosen(folder: &Path, sources: &[&str], exclude: &[&str]) -> Result<Vec<String>, String> {
        let located =
            |list: &[&str]| -> Vec<Located> { list.iter().map(|&t| t.to_owned().into()).collect() };
        let root = Root::of(&folder.join("p")).unwrap();
        let files = Files::default();
        select(&root, &files, &located(sources), &located(exclude))
            .map(|found| found.iter().map(|path| root.name_of(path)).collect())
            .map_err(|(key, item, problem)| format!("{key} {}: {problem}", item.text))
    }

    #[test]
    fn names_patterns_and_exclusions() {
        let folder = package();
        let take = |sources: &[&str], exclude: &[&str]| chosen(folder.path(), sources, exclude);
        assert_eq!(
            take(&["ä b/*"], &["ä b/test_*"]).unwrap(),
            ["ä b/[odd].c", "ä b/x.c", "ä b/y.S"]
        );
        assert_eq!(take(&["ä b/**/*.cpp"], &[]).unwrap(), ["ä b/sub/z.cpp"]);
        assert_eq!(take(&["./ä b/[odd].c"], &[]).unwrap(), ["ä b/[odd].c"]);
        // One file under two names is compiled once.
        assert_eq!(take(&["again.c", "ä b/x.c"], &[]).unwrap(), ["again.c"]);
    }

    #[test]
    fn what_cannot_be_compiled_is_told() {
        let folder = package();
        let fails = |source: &str, expected: &str| {
            let message = chosen(folder.path(), &[source], &[]).unwrap_err();
            assert!(message.contains(expected), "{message}");
        };
        fails("ä b", "is a folder: write `ä b/*.c`");
        fails("ä b/x.h", "is no source");
        fails("lib.a", "was compiled by others");
        fails("nothing.c", "`nothing.c`: No such file");
        fails("*.cc", "matches no source");
        fails("bad.c", "leads out of the package");
        fails("*.c", "matches `bad.c`: a link that leads out");
        fails("../outside.c", "leads out of the package");
        fails("../*.c", "matches no source");
        fails("a[", "is no pattern");
        let message = chosen(folder.path(), &["ä b/x.c"], &["ä b/**"]).unwrap_err();
        assert!(message.contains("everything is excluded"), "{message}");
    }
}
