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

/// Whether a line is a row of a pipe table: it begins and ends with a pipe.
fn is_pipe_row(raw: &str) -> bool {
    raw.len() > 1 && raw.starts_with('|') && raw.ends_with('|')
}

/// The cells of a pipe row; a pipe behind a backslash belongs to its cell.
fn split_pipes(raw: &str) -> Vec<String> {
    let inner = &raw[1..raw.len() - 1];
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
    let without_heading = raw.trim_start_matches('#');
    if without_heading.len() < raw.len() {
        return without_heading.trim();
    }
    for bullet in ["- ", "* ", "+ ", "> "] {
        if let Some(rest) = raw.strip_prefix(bullet) {
            return rest.trim();
        }
    }
    raw
}

/// Takes code ticks, bold and link mark-up off a text, collapses white space, and keeps the first
/// link's address.
fn strip_inline(text: &str, href: &mut Option<String>) -> String {
    let without_links = strip_links(text, href);
    let bare = without_links
        .replace("**", "")
        .replace('`', "")
        .replace("\\_", "_")
        .replace("\\*", "*");
    collapse(&bare)
}

/// Replaces `[words](address)` by the words; the first address is kept.
fn strip_links(text: &str, href: &mut Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let after = &rest[open + 1..];
        let link = after.find("](").and_then(|middle| {
            let address = &after[middle + 2..];
            address
                .find(')')
                .map(|close| (&after[..middle], &address[..close], &address[close + 1..]))
        });
        match link {
            Some((words, address, behind)) if !words.contains(['[', ']']) => {
                out.push_str(&rest[..open]);
                out.push_str(words);
                href.get_or_insert_with(|| address.trim().to_owned());
                rest = behind;
            }
            _ => {
                out.push_str(&rest[..=open]);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
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
    }
}
