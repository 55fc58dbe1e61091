//! Reports as Markdown, in the form of the published pages: what `import page` reads.

use super::document::{Block, Document, Fact, Kind, Table};
use std::fmt::Write;

/// Writes a report.
pub fn write(document: &Document) -> String {
    let mut text = format!("# {}\n", escape(&document.title));
    for block in &document.blocks {
        text.push('\n');
        match block {
            Block::Section(heading) => {
                let _ = writeln!(text, "## {}", escape(heading));
            }
            Block::Paragraph(paragraph) => {
                let _ = writeln!(text, "{}", escape(paragraph));
            }
            Block::Warnings(lines) => {
                for line in lines {
                    let _ = writeln!(text, "- ⚠ {}", escape(line));
                }
            }
            Block::Facts(facts) => {
                for fact in facts {
                    let _ = writeln!(text, "- **{}:** {}", escape(&fact.label), value(fact));
                }
            }
            Block::Table(table) => text.push_str(&write_table(table)),
            Block::Picture(picture) => {
                let alt = escape(&picture.caption);
                let _ = writeln!(text, "![{alt}](<{}>)", picture.path);
            }
        }
    }
    text
}

fn value(fact: &Fact) -> String {
    match fact.web_address() {
        Some(href) => format!("[{}]({href})", escape(&fact.text)),
        None => escape(&fact.text),
    }
}

/// Writes a table, its caption before it.
pub fn write_table(table: &Table) -> String {
    let mut text = String::new();
    if !table.caption.is_empty() {
        let _ = writeln!(text, "{}\n", escape(&table.caption));
    }
    let heads: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("**{}**", escape(&column.head)))
        .collect();
    let _ = writeln!(text, "| {} |", heads.join(" | "));
    let rules = table.columns.iter().map(|column| {
        if column.kind.is_number() {
            "---:"
        } else {
            ":---"
        }
    });
    let _ = writeln!(text, "|{}|", rules.collect::<Vec<_>>().join("|"));
    for row in &table.rows {
        let cells = row
            .iter()
            .zip(&table.columns)
            .map(|(cell, column)| match column.kind {
                Kind::Name => code_and_mark(cell),
                Kind::Path => code(cell),
                Kind::Text | Kind::Figure | Kind::Bytes => escape(cell),
            });
        let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    text
}

/// The name as code, a mark behind it as words.
fn code_and_mark(cell: &str) -> String {
    match cell.split_once(" ⚠ ") {
        Some((name, mark)) => format!("{} ⚠ {}", code(name), escape(mark)),
        None => code(cell),
    }
}

fn code(text: &str) -> String {
    if text.contains(['`', '|', '\\']) || text.is_empty() {
        escape(text)
    } else {
        format!("`{text}`")
    }
}

/// Takes the meaning from signs that Markdown gives one.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before: Option<char> = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let within_word = before.is_some_and(char::is_alphanumeric)
            && characters.peek().is_some_and(|next| next.is_alphanumeric());
        let special = match c {
            '\\' | '`' | '*' | '<' | '[' | ']' | '|' => true,
            '_' => !within_word,
            '#' | '>' | '+' | '-' => before.is_none(),
            _ => false,
        };
        match c {
            '\n' => out.push(' '),
            _ => {
                if special {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        before = Some(c);
    }
    out
}
