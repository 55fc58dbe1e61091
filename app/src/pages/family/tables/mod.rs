//! The tables of the sections, with all figures printed as on the report pages.

pub mod basic;
pub mod environment;
pub mod evidence;
pub mod kat;
pub mod memory;
pub mod performance;
pub mod sizes;
pub mod symmetric;

use crate::model::mark::Mark;
use crate::ui::links;
use crate::ui::node::{Tag, el, words};
use kemscope_schema::{FamilyRecord, Figure, InstanceRecord, Operation, format};

/// One cell: its column, its exact value (empty where unknown), its words and, where those are not enough, more on hover.
pub struct Cell {
    /// Field name of the contract.
    pub column: &'static str,
    /// Exact value.
    pub value: String,
    /// Words; `–` for unknown.
    pub text: String,
    /// More on hover.
    pub title: String,
    /// Whether it is a figure, right-aligned.
    pub figure: bool,
    /// Its mark, where it is not what its column says at first sight.
    pub mark: Option<Mark>,
}

impl Cell {
    /// A cell of text.
    pub fn text(column: &'static str, text: &str) -> Cell {
        Cell {
            column,
            value: text.to_owned(),
            text: text.to_owned(),
            title: String::new(),
            figure: false,
            mark: None,
        }
    }

    /// A cell of text that may be missing.
    pub fn text_or_dash(column: &'static str, text: &str) -> Cell {
        let mut cell = Cell::text(column, text);
        if text.is_empty() {
            cell.text = "–".to_owned();
        }
        cell
    }

    /// A cell with a figure: its exact value and its words, unless it is unknown.
    pub fn known(column: &'static str, figure: Option<(String, String)>) -> Cell {
        let title = if figure.is_none() {
            "not published or not measured"
        } else {
            ""
        };
        let (value, text) = figure.unwrap_or_else(|| (String::new(), "–".to_owned()));
        Cell {
            column,
            value,
            text,
            title: title.to_owned(),
            figure: true,
            mark: None,
        }
    }

    /// A cell with a figure of the contract.
    pub fn figure(column: &'static str, figure: Option<Figure>, text: fn(f64) -> String) -> Cell {
        Cell::known(
            column,
            figure.map(|f| (format::shortest(f.value), text(f.value))),
        )
    }

    /// A cell with a whole number.
    pub fn count(column: &'static str, count: Option<u64>, text: fn(u64) -> String) -> Cell {
        Cell::known(column, count.map(|n| (plain(n), text(n))))
    }

    /// Adds words on hover.
    pub fn titled(mut self, title: &str) -> Cell {
        self.title = title.to_owned();
        self
    }

    fn tag(self) -> Tag {
        let class = match (self.column, self.figure) {
            ("instance", _) => "mono",
            (_, true) => "n",
            _ => "",
        };
        let tag = words("td", class, &self.text)
            .attr("data-col", self.column)
            .attr("data-value", &self.value)
            .mark(self.mark);
        if self.title.is_empty() {
            tag
        } else {
            tag.attr("title", &self.title)
        }
    }
}

/// A whole number as on the pages: digits alone.
pub fn plain(number: u64) -> String {
    number.to_string()
}

/// A row: the instance and operation that it is about, and its cells after the instance's name.
pub type TableRow<'a> = (&'a InstanceRecord, Option<Operation>, Vec<Cell>);

/// Whether the rows are places to link to. An instance's place is in one table only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// They are.
    Rows,
    /// They are not.
    None,
}

/// A table. `head` names the columns after the instance's.
pub fn table(
    record: &FamilyRecord,
    label: &'static str,
    anchors: Anchors,
    head: &[&'static str],
    rows: Vec<TableRow>,
) -> Tag {
    if rows.is_empty() {
        return words("p", "muted", "No figures.");
    }
    let figures: Vec<bool> = rows
        .first()
        .map(|(_, _, cells)| cells.iter().map(|c| c.figure).collect())
        .unwrap_or_default();
    let head = head.iter().zip(figures).map(|(title, figure)| {
        words("th", if figure { "n" } else { "" }, title).attr("scope", "col")
    });
    let head = el("tr")
        .child(el("th").attr("scope", "col").text("instance"))
        .children(head);
    let body = rows.into_iter().map(|(instance, operation, cells)| {
        let variant = &instance.implementation.variant;
        let row = el("tr")
            .attr("data-system", &record.system)
            .attr("data-family", &record.family.id)
            .attr("data-instance", &instance.name)
            .attr("data-implementation", variant)
            .attr_if("data-operation", operation.map(Operation::name));
        let row = if anchors == Anchors::Rows {
            row.attr(
                "id",
                &links::instance_anchor(&record.system, &instance.name, variant),
            )
            .attr("tabindex", "-1")
        } else {
            row
        };
        row.child(name(record, instance).tag())
            .children(cells.into_iter().map(Cell::tag))
    });
    let table = el("table")
        .class("plain")
        .attr("aria-label", label)
        .child(el("thead").child(head))
        .child(el("tbody").children(body));
    el("div").class("table-wrap").child(table)
}

/// Rows of a table that has one row per instance and operation; operations without cells have none.
pub fn per_operation<'a>(
    record: &'a FamilyRecord,
    cells: impl Fn(&'a kemscope_schema::OperationRecord) -> Option<Vec<Cell>>,
) -> Vec<TableRow<'a>> {
    let mut rows = Vec::new();
    for instance in &record.instances {
        for operation in &instance.operations {
            if let Some(mut cells) = cells(operation) {
                cells.insert(0, Cell::text("operation", operation.operation.name()));
                rows.push((instance, Some(operation.operation), cells));
            }
        }
    }
    rows
}

/// Name of an instance and, where it has several implementations, which one.
pub fn name_of(record: &FamilyRecord, instance: &InstanceRecord) -> String {
    let variant = &instance.implementation.variant;
    let twins = record
        .instances
        .iter()
        .filter(|other| other.name == instance.name)
        .count();
    if twins > 1 {
        format!("{} · {variant}", instance.name)
    } else {
        instance.name.clone()
    }
}

fn name(record: &FamilyRecord, instance: &InstanceRecord) -> Cell {
    let variant = &instance.implementation.variant;
    let mut cell = Cell::text("instance", &name_of(record, instance));
    cell.value.clone_from(&instance.name);
    cell.titled(&format!("implementation: {variant}"))
}

/// A list of items and their values.
pub fn items(pairs: impl IntoIterator<Item = (String, Tag)>) -> Tag {
    el("dl")
        .class("items")
        .children(pairs.into_iter().map(|(item, value)| {
            el("div")
                .child(el("dt").text(&item))
                .child(el("dd").child(value))
        }))
}
