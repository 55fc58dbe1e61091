//! Reports as LaTeX that compiles as it stands: booktabs rules, long tables, numbers and units by siunitx.

mod escape;
mod quantity;

use super::document::{Block, Column, Document, Fact, Kind, Picture, Table};
use escape::{escape, path};
use quantity::quantity;
use std::fmt::Write;

const PREAMBLE: &str = include_str!("preamble.tex");

/// Writes a report.
pub fn write(document: &Document) -> String {
    let preamble = if document.landscape {
        PREAMBLE
            .replace("[a4paper,", "[a4paper,landscape,")
            .replace("margin=18mm", "margin=12mm")
    } else {
        PREAMBLE.to_owned()
    };
    let mut text = format!(
        "{preamble}\n\\begin{{document}}\n{{\\Large\\bfseries\\raggedright {}\\par}}\n",
        escape(&document.title)
    );
    for block in &document.blocks {
        text.push('\n');
        match block {
            Block::Section(heading) => {
                let _ = writeln!(text, "\\section*{{{}}}", escape(heading));
            }
            Block::Paragraph(paragraph) => {
                let _ = writeln!(text, "{}\n", escape(paragraph));
            }
            Block::Warnings(lines) => {
                text.push_str("\\noindent\\textbf{\\kemwarn\\ Before quoting these figures}\n\\begin{itemize}\n");
                for line in lines {
                    let _ = writeln!(text, "\\item {}", escape(line));
                }
                text.push_str("\\end{itemize}\n");
            }
            Block::Facts(facts) => text.push_str(&write_facts(facts)),
            Block::Table(table) => text.push_str(&write_table(table)),
            Block::Picture(picture) => text.push_str(&write_picture(picture)),
        }
    }
    text.push_str("\n\\end{document}\n");
    text
}

fn write_facts(facts: &[Fact]) -> String {
    let mut text = String::from("\\begin{description}\n");
    for fact in facts {
        let words = match fact.web_address() {
            Some(href) => format!("{} ({})", escape(&fact.text), path(href)),
            None => escape(&fact.text),
        };
        let _ = writeln!(text, "\\item[{}] {words}", escape(&fact.label));
    }
    text.push_str("\\end{description}\n");
    text
}

/// Writes a table that may break across pages.
pub fn write_table(table: &Table) -> String {
    let mut text = String::new();
    if !table.caption.is_empty() {
        let _ = writeln!(text, "\\noindent {}\n", escape(&table.caption));
    }
    let wide = wide_column(table);
    let wide_words = || format!(">{{\\raggedright\\arraybackslash}}p{{{wide:.2}\\linewidth}}");
    let columns: Vec<String> = table
        .columns
        .iter()
        .enumerate()
        .map(|(i, column)| match column.kind {
            Kind::Figure | Kind::Bytes => "r".to_owned(),
            Kind::Path => wide_words(),
            Kind::Text if is_long(table, i) => wide_words(),
            Kind::Name | Kind::Text => "l".to_owned(),
        })
        .collect();
    let _ = writeln!(text, "\\begingroup{}", size(table));
    let _ = writeln!(
        text,
        "\\begin{{longtable}}{{@{{}}{}@{{}}}}",
        columns.concat()
    );
    let heads: Vec<String> = table.columns.iter().map(head).collect();
    let _ = writeln!(
        text,
        "\\toprule\n{} \\\\\n\\midrule\n\\endhead",
        heads.join(" & ")
    );
    text.push_str("\\bottomrule\n\\endfoot\n");
    for row in &table.rows {
        let cells = row
            .iter()
            .zip(&table.columns)
            .map(|(text, column)| cell(text, column.kind));
        let _ = writeln!(text, "{} \\\\", cells.collect::<Vec<_>>().join(" & "));
    }
    text.push_str("\\end{longtable}\n\\endgroup\n");
    text
}

/// Words that need more than a line of a narrow column.
fn is_long(table: &Table, column: usize) -> bool {
    let cells = table.rows.iter().filter_map(|row| row.get(column));
    cells.map(|cell| cell.chars().count()).max().unwrap_or(0) > 32
}

/// Width of each wide column as a part of the line: what the narrow ones leave.
fn wide_column(table: &Table) -> f64 {
    let is_wide = |(i, column): &(usize, &Column)| {
        column.kind == Kind::Path || column.kind == Kind::Text && is_long(table, *i)
    };
    let columns = table.columns.iter().enumerate();
    let wide = columns.clone().filter(is_wide).count();
    let narrow = columns
        .filter(|column| !is_wide(column))
        .map(|(i, column)| {
            let cells = table.rows.iter().filter_map(|row| row.get(i));
            let lengths = cells.chain([&column.head]).map(|cell| cell.chars().count());
            lengths.max().unwrap_or(0) + 2
        });
    let taken = narrow.sum::<usize>() as f64 / line_length(table);
    (0.92 - taken).max(0.13) / wide.max(1) as f64
}

/// So many letters fit into a line of a table, roughly.
fn line_length(table: &Table) -> f64 {
    match table.columns.len() {
        0..=4 => 100.0,
        5..=7 => 112.0,
        _ => 130.0,
    }
}

/// Wide tables in small type.
fn size(table: &Table) -> &'static str {
    match table.columns.len() {
        0..=4 => "\\small",
        5..=7 => "\\footnotesize",
        _ => "\\scriptsize\\setlength{\\tabcolsep}{2.5pt}",
    }
}

fn head(column: &Column) -> String {
    if column.kind.is_number() {
        format!("\\multicolumn{{1}}{{r}}{{{}}}", escape(&column.head))
    } else {
        escape(&column.head)
    }
}

fn cell(text: &str, kind: Kind) -> String {
    match kind {
        Kind::Path => path(text),
        Kind::Bytes if text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty() => {
            format!("\\qty{{{text}}}{{\\byte}}")
        }
        Kind::Figure | Kind::Bytes => quantity(text).unwrap_or_else(|| escape(text)),
        Kind::Name | Kind::Text => escape(text),
    }
}

/// LaTeX reads no SVG; `rsvg-convert -f pdf` makes what it reads, and without it the text says where to look.
fn write_picture(picture: &Picture) -> String {
    let file = picture.path.trim_end_matches(".svg");
    format!(
        "\\begin{{center}}\n\\IfFileExists{{\\detokenize{{{file}.pdf}}}}{{\\includegraphics[width=\\linewidth]{{\\detokenize{{{file}.pdf}}}}}}{{\\emph{{Figure: {}}}}}\n\n{}\n\\end{{center}}\n",
        path(&picture.path),
        escape(&picture.caption)
    )
}
