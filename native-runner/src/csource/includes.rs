//! What a source includes.

use super::without_comments;

/// One `#include`, or another line that takes a file in (`.incbin`, `.include`, `#embed`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// The name as written; `None` where it is a macro.
    pub name: Option<String>,
    /// Whether it is in quotation marks: then it is looked for beside the including file first.
    pub quoted: bool,
    /// The line, from 1.
    pub line: usize,
}

/// The includes of a text, in order. Conditions are not looked at: what may be included counts.
pub fn includes(text: &str) -> Vec<Include> {
    let plain = without_comments(text);
    plain
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| include(line.trim(), number))
        .collect()
}

fn include(line: &str, number: usize) -> Option<Include> {
    let operand = match line.strip_prefix('#') {
        Some(rest) => {
            let rest = rest.trim_start();
            let words = ["include_next", "include", "import", "embed"];
            let ends = |rest: &&str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            words
                .iter()
                .find_map(|word| rest.strip_prefix(word).filter(ends))?
        }
        // The assembler's own.
        None => [".incbin", ".include"]
            .iter()
            .find_map(|word| Some(&line[line.find(word)? + word.len()..]))?,
    };
    let operand = operand.trim_start();
    let found = |name: Option<&str>, quoted| Include {
        name: name.map(str::to_owned),
        quoted,
        line: number,
    };
    if let Some(rest) = operand.strip_prefix('"') {
        return Some(found(Some(rest.split_once('"')?.0), true));
    }
    if let Some(rest) = operand.strip_prefix('<') {
        return Some(found(Some(rest.split_once('>')?.0), false));
    }
    let is_macro = operand
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    (line.starts_with('#') && is_macro).then(|| found(None, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_angled_and_computed() {
        let text = "#include \"a.h\"\r\n  # include<b.h> // x\n/* #include \"no.h\" */\n#include HEADER(x)\n\
                    #includes \"no\"\n#define x \"no\"\n.incbin \"t.bin\"\nchar *s = \"#include\";\n#if X\n#include \"d/e.h\"\n#endif";
        let found: Vec<(Option<String>, bool, usize)> = includes(text)
            .into_iter()
            .map(|i| (i.name, i.quoted, i.line))
            .collect();
        let name = |n: &str| Some(n.to_owned());
        assert_eq!(
            found,
            [
                (name("a.h"), true, 1),
                (name("b.h"), false, 2),
                (None, true, 4),
                (name("t.bin"), true, 7),
                (name("d/e.h"), true, 10),
            ]
        );
    }
}
