//! Takes the mark-up off a page's lines: Markdown headings, bold, code, links and pipe tables.

/// One line of a page without its mark-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Line number in the file, from 1.
    pub number: usize,
    /// The words, white space collapsed; cells joined by a space.
    pub text: String,
    /// The cells, where the line still has its tabs or pipes.
    pub cells: Option<Vec<String>>,
    /// Address of the line's first link.
    pub href: Option<String>,
}

/// The lines of a page that carry something: mark-up off, empty lines and table rules dropped.
pub fn clean(text: &str) -> Vec<Line> {
    text.lines()
        .enumerate()
        .filter_map(|(i, raw)| clean_line(i + 1, raw))
        .collect()
}

fn clean_line(number: usize, raw: &str) -> Option<Line> {
    let raw = raw.trim();
    let mut href = None;
    let cells = if is_pipe_row(raw) {
        let cells = split_pipes(raw);
        if cells.iter().all(|cell| is_rule(cell)) {
            return None;
        }
        Some(cells)
    } else if raw.contains('\t') {
        Some(raw.split('\t').map(str::to_owned).collect())
    } else {
        None
    };
    let cells: Option<Vec<String>> = cells.map(|cells| {
        cells
            .iter()
            .map(|cell| strip_inline(cell, &mut href))
            .collect()
    });
    let text = match &cells {
        Some(cells) => collapse(&cells.join(" ")),
        None => strip_inline(strip_block(raw), &mut href),
    };
    (!text.is_empty()).then_some(Line {
        number,
        text,
        cells,
        href,
    })
}

/// Whether a line is a row of a pipe table; the outer pipes may be missing.
fn is_pipe_row(raw: &str) -> bool {
    raw.len() > 1
        && !raw.contains('\t')
        && (raw.starts_with('|') || raw.replace("\\|", "").contains('|'))
}

/// The cells of a pipe row; a pipe behind a backslash belongs to its cell.
fn split_pipes(raw: &str) -> Vec<String> {
    let inner = raw.strip_prefix('|').unwrap_or(raw);
    let inner = match inner.strip_suffix('|') {
        Some(without) if !without.ends_with('\\') => without,
        _ => inner,
    };
    let mut cells = vec![String::new()];
    let mut characters = inner.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, cells.last_mut()) {
            ('\\', Some(cell)) if characters.peek() == Some(&'|') => {
                cell.push('|');
                characters.next();
            }
            ('|', _) => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
    }
    cells
}

/// Whether a cell belongs to the rule below a Markdown table's head (`---`, `:--:`).
fn is_rule(cell: &str) -> bool {
    let cell = cell.trim().trim_start_matches(':').trim_end_matches(':');
    !cell.is_empty() && cell.bytes().all(|b| b == b'-')
}

/// Takes heading signs, quotation signs and list bullets off the front of a line.
fn strip_block(raw: &str) -> &str {
    let raw = raw.strip_prefix("> ").unwrap_or(raw).trim();
    let without_heading = raw.trim_start_matches('#');
    if without_heading.len() < raw.len() {
        return without_heading.trim_end_matches('#').trim();
    }
    for bullet in ["- ", "* ", "+ "] {
        if let Some(rest) = raw.strip_prefix(bullet) {
            return rest.trim();
        }
    }
    raw
}

/// Takes code ticks, emphasis, links, entities and escapes off a text, collapses white space, and
/// keeps the first link's address.
fn strip_inline(text: &str, href: &mut Option<String>) -> String {
    let without_links = strip_links(text, href);
    let bare = decode(&without_links.replace("**", "").replace('`', ""));
    let bare = collapse(&unescape(&bare));
    // Emphasis around a whole cell; within words these signs are part of them.
    for mark in ["__", "*", "_"] {
        let inner = bare.strip_prefix(mark).and_then(|t| t.strip_suffix(mark));
        if let Some(inner) = inner.filter(|t| !t.is_empty()) {
            return inner.to_owned();
        }
    }
    bare
}

/// Decodes the entities that converters write, and what looks like nothing or like a hyphen.
fn decode(text: &str) -> String {
    const ENTITIES: [(&str, &str); 13] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&times;", "×"),
        ("&micro;", "µ"),
        ("<br>", " "),
        ("<br/>", " "),
        ("\u{200b}", ""),
        ("\u{feff}", ""),
        ("\u{2011}", "-"),
        // Last, so that nothing is decoded twice.
        ("&amp;", "&"),
    ];
    let mut text = text.to_owned();
    for (from, to) in ENTITIES {
        if text.contains(from) {
            text = text.replace(from, to);
        }
    }
    text
}

/// Drops the backslash before a punctuation sign, as Markdown does.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let escapes = c == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation);
        if !escapes {
            out.push(c);
        }
    }
    out
}

/// Replaces `[words](address)` and `[words][reference]` by the words; the first address is kept.
fn strip_links(text: &str, href: &mut Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        out.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        match link(after) {
            Some((words, address, behind)) => {
                out.push_str(words);
                if let Some(address) = address {
                    href.get_or_insert_with(|| address.trim().to_owned());
                }
                rest = behind;
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The words, the address (of an inline link) and what is behind a link whose opening bracket has
/// just been passed; `None` if it is no link. Brackets in the words are not looked into; parentheses
/// in the address must match.
fn link(after: &str) -> Option<(&str, Option<&str>, &str)> {
    let close = after.find([']', '['])?;
    let (words, target) = (&after[..close], after.get(close + 1..)?);
    if !after[close..].starts_with(']') {
        return None;
    }
    if let Some(reference) = target.strip_prefix('[') {
        let end = reference.find(']')?;
        return Some((words, None, &reference[end + 1..]));
    }
    let address = target.strip_prefix('(')?;
    let mut depth = 1;
    for (i, c) in address.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((words, Some(&address[..i]), &address[i + 1..]));
        }
    }
    None
}

/// Collapses white space (non-breaking spaces too) to single spaces.
pub fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(raw: &str) -> Line {
        clean(raw).remove(0)
    }

    #[test]
    fn the_three_forms_give_the_same_cells() {
        let expected = vec!["NTRE-128", "enc", "82.1 k"];
        assert_eq!(one("`NTRE-128`\tenc\t82.1 k").cells.unwrap(), expected);
        assert_eq!(
            one("| **`NTRE-128`** | enc | 82.1 k |").cells.unwrap(),
            expected
        );
        assert_eq!(one("NTRE-128 enc 82.1 k").cells, None);
    }

    #[test]
    fn headings_links_and_rules() {
        assert_eq!(one("## **4. Performance**").text, "4. Performance");
        let line = one("- Submission: [NICCS page](https://example.org/a_b)");
        assert_eq!(line.text, "Submission: NICCS page");
        assert_eq!(line.href.as_deref(), Some("https://example.org/a_b"));
        assert!(clean("|---|:--:|").is_empty());
        assert_eq!(one("| a \\| b | c |").cells.unwrap(), ["a | b", "c"]);
        assert_eq!(one("a [b] c").text, "a [b] c");
        assert_eq!(one("## 1\\. Basic ##").text, "1. Basic");
        assert_eq!(one("[NTRE-128](https://x/y_(1)) [a][1]").text, "NTRE-128 a");
        assert_eq!(
            one("NTRE&lt;128&gt; &amp;lt; x\u{200b}y").text,
            "NTRE<128> &lt; xy"
        );
        assert_eq!(
            one("a | __b\\_c__ | *PASS*").cells.unwrap(),
            ["a", "b_c", "PASS"]
        );
        assert!(clean("---|---").is_empty());
    }
}
