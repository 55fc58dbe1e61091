//! Reports as one HTML file: style and pictures within, tables with heads that screen readers tell.

use super::document::{Block, Document, Fact, Kind, Picture, Table};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// Writes a report.
pub fn write(document: &Document) -> String {
    let title = escape(&document.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    text.push_str(&contents(document));
    let mut section = 0;
    for block in &document.blocks {
        match block {
            Block::Section(heading) => {
                section += 1;
                let _ = writeln!(
                    text,
                    "<h2 id=\"section-{section}\">{}</h2>",
                    escape(heading)
                );
            }
            Block::Paragraph(paragraph) => {
                let _ = writeln!(text, "<p>{}</p>", escape(paragraph));
            }
            Block::Warnings(lines) => {
                text.push_str("<aside class=\"warnings\" aria-label=\"Before quoting these figures\">\n<strong>⚠ Before quoting these figures</strong>\n<ul>\n");
                for line in lines {
                    let _ = writeln!(text, "<li>{}</li>", escape(line));
                }
                text.push_str("</ul>\n</aside>\n");
            }
            Block::Facts(facts) => text.push_str(&write_facts(facts)),
            Block::Table(table) => text.push_str(&write_table(table)),
            Block::Picture(picture) => text.push_str(&write_picture(picture)),
        }
    }
    text.push_str("</main>\n</body>\n</html>\n");
    text
}

/// Links to the sections, where there are several.
fn contents(document: &Document) -> String {
    let headings: Vec<&String> = document
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Section(heading) => Some(heading),
            _ => None,
        })
        .collect();
    if headings.len() < 3 {
        return String::new();
    }
    let mut text = String::from("<nav aria-label=\"Sections\">\n<ul>\n");
    for (i, heading) in headings.iter().enumerate() {
        let _ = writeln!(
            text,
            "<li><a href=\"#section-{}\">{}</a></li>",
            i + 1,
            escape(heading)
        );
    }
    text.push_str("</ul>\n</nav>\n");
    text
}

fn write_facts(facts: &[Fact]) -> String {
    let mut text = String::from("<dl>\n");
    for fact in facts {
        let words = escape(&fact.text);
        let value = match fact.web_address() {
            Some(href) => format!("<a href=\"{}\">{words}</a>", escape(href)),
            None => words,
        };
        let _ = writeln!(text, "<dt>{}</dt><dd>{value}</dd>", escape(&fact.label));
    }
    text.push_str("</dl>\n");
    text
}

fn write_table(table: &Table) -> String {
    // A wide table scrolls in its own box; the box can be reached by keyboard.
    let label = table.caption.split(['.', ';']).next().unwrap_or_default();
    let mut text = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n",
        escape(label)
    );
    if !table.caption.is_empty() {
        let _ = writeln!(text, "<caption>{}</caption>", escape(&table.caption));
    }
    text.push_str("<thead><tr>");
    for column in &table.columns {
        let class = if column.kind.is_number() {
            " class=\"number\""
        } else {
            ""
        };
        let _ = write!(
            text,
            "<th scope=\"col\"{class}>{}</th>",
            escape(&column.head)
        );
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.columns) {
            let words = with_mark(cell, column.kind);
            let _ = match column.kind {
                Kind::Name => write!(text, "<th scope=\"row\">{words}</th>"),
                Kind::Path => write!(text, "<td class=\"path\">{words}</td>"),
                Kind::Figure | Kind::Bytes => write!(text, "<td class=\"number\">{words}</td>"),
                Kind::Text => write!(text, "<td>{words}</td>"),
            };
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n");
    text
}

/// A cell, what a warning sign begins in its colour.
fn with_mark(cell: &str, kind: Kind) -> String {
    let (plain, mark) = match cell.find('⚠') {
        Some(at) => cell.split_at(at),
        None => (cell, ""),
    };
    let plain = match kind {
        Kind::Name | Kind::Path if !plain.is_empty() => {
            let name = plain.trim_end();
            let space = &plain[name.len()..];
            format!("<code>{}</code>{space}", escape(name))
        }
        _ => escape(plain),
    };
    match mark {
        "" => plain,
        mark => format!("{plain}<span class=\"mark\">{}</span>", escape(mark)),
    }
}

fn write_picture(picture: &Picture) -> String {
    // The declaration of an XML file has no place within HTML.
    let start = picture.svg.find("<svg").unwrap_or(0);
    let svg = picture.svg.get(start..).unwrap_or_default();
    format!(
        "<figure>\n{svg}<figcaption>{}</figcaption>\n</figure>\n",
        escape(&picture.caption)
    )
}

/// Takes the meaning from signs that HTML gives one.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}
