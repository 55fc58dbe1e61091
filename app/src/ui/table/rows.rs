//! The elements of the rows: made once from a template, kept, and put in place.

use crate::browser::dom;
use crate::model::column::{Column, Units};
use crate::model::explain::kat_label;
use crate::model::geometry::{extent, fraction};
use crate::model::mark::Mark;
use crate::model::number;
use crate::model::row::Row;
use crate::ui::links;
use crate::ui::tip::TIP_ID;
use kemscope_schema::format;
use std::cell::OnceCell;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Elements of all rows, made when first shown.
#[derive(Default)]
pub struct Pool {
    rows: Arc<Vec<Row>>,
    columns: Vec<Column>,
    units: Units,
    query: String,
    ranges: Vec<Option<(f64, f64)>>,
    template: Option<Element>,
    elements: Vec<OnceCell<Element>>,
    stop: Option<Element>,
    marked: Vec<(&'static str, Element)>,
    placed: Vec<u32>,
}

impl Pool {
    /// Takes over rows, columns, units and the query of links; begins anew where one of them has changed.
    pub fn set(&mut self, rows: &Arc<Vec<Row>>, columns: Vec<Column>, units: Units, query: String) {
        if Arc::ptr_eq(&self.rows, rows)
            && self.columns == columns
            && self.units == units
            && self.query == query
        {
            return;
        }
        for element in self.elements.iter().filter_map(OnceCell::get) {
            element.remove();
        }
        self.rows = rows.clone();
        self.columns = columns;
        self.units = units;
        self.query = query;
        // Bars compare with all rows of the systems shown, so that filtering does not change them.
        self.ranges = self
            .columns
            .iter()
            .map(|column| {
                let values = rows.iter().filter_map(|row| row.number(*column, units));
                if column.has_bar() {
                    extent(values)
                } else {
                    None
                }
            })
            .collect();
        self.template = template(&self.columns, units);
        self.elements = rows.iter().map(|_| OnceCell::new()).collect();
        self.stop = None;
        self.placed.clear();
    }

    /// Puts the rows into the table's body in this order, and nothing else.
    pub fn place(&mut self, body: &Element, order: &[u32]) {
        // What goes is taken out first: what stays then keeps its place, and its layout.
        let mut stays = vec![false; self.elements.len()];
        for index in order {
            if let Some(stay) = stays.get_mut(*index as usize) {
                *stay = true;
            }
        }
        for index in std::mem::take(&mut self.placed) {
            let gone = stays.get(index as usize) != Some(&true);
            if let Some(element) = self
                .elements
                .get(index as usize)
                .and_then(OnceCell::get)
                .filter(|_| gone)
            {
                element.remove();
            }
        }
        let mut next = body.first_element_child();
        for index in order {
            let Some(element) = self.element(*index) else {
                continue;
            };
            if next.as_ref() == Some(element) {
                next = element.next_element_sibling();
            } else {
                let _ = body.insert_before(element, next.as_deref());
            }
        }
        self.placed = order.to_vec();
        // One cell of the table takes part in tabbing: the one visited last, or the first.
        if self
            .stop
            .as_ref()
            .is_none_or(|stop| !body.contains(Some(stop)))
            && let Some(first) = body.query_selector("[tabindex]").ok().flatten()
        {
            if let Some(stop) = self.stop.take() {
                dom::set(&stop, "tabindex", "-1");
            }
            dom::set(&first, "tabindex", "0");
            self.stop = Some(first);
        }
    }

    /// Moves the place in the order of tabbing from one cell to another.
    pub fn rove(&mut self, from: &Element, to: &Element) {
        if let Some(stop) = self.stop.take() {
            dom::set(&stop, "tabindex", "-1");
        }
        dom::set(from, "tabindex", "-1");
        dom::set(to, "tabindex", "0");
        self.stop = Some(to.clone());
    }

    /// Gives a row a class that no other row then has.
    pub fn mark(&mut self, class: &'static str, row: Option<u32>) {
        let element = row
            .and_then(|row| self.elements.get(row as usize)?.get())
            .cloned();
        let before = self
            .marked
            .iter()
            .position(|(marked, _)| *marked == class)
            .map(|at| self.marked.swap_remove(at));
        for (element, on) in [
            (before.map(|(_, element)| element), false),
            (element.clone(), true),
        ] {
            if let Some(element) = element {
                let _ = element.class_list().toggle_with_force(class, on);
            }
        }
        self.marked.extend(element.map(|element| (class, element)));
    }

    /// Scrolls to a row.
    pub fn reveal(&self, row: u32) {
        if let Some(element) = self.elements.get(row as usize).and_then(OnceCell::get) {
            dom::scroll_to(element);
        }
    }

    fn element(&self, index: u32) -> Option<&Element> {
        let cell = self.elements.get(index as usize)?;
        if cell.get().is_none() {
            let row = self.rows.get(index as usize)?;
            let _ = cell.set(self.build(row, index)?);
        }
        cell.get()
    }

    fn build(&self, row: &Row, index: u32) -> Option<Element> {
        let element: Element = self
            .template
            .as_ref()?
            .clone_node_with_deep(true)
            .ok()?
            .dyn_into()
            .ok()?;
        dom::set(&element, "data-row", &index.to_string());
        dom::set(&element, "data-system", &row.system);
        dom::set(&element, "data-family", &row.data.family);
        dom::set(&element, "data-instance", &row.data.instance);
        dom::set(&element, "data-implementation", &row.data.implementation);
        let mut cell = element.first_element_child();
        for (column, range) in self.columns.iter().zip(&self.ranges) {
            let Some(td) = cell else { break };
            self.fill(&td, row, *column, *range);
            cell = td.next_element_sibling();
        }
        Some(element)
    }

    fn fill(&self, td: &Element, row: &Row, column: Column, range: Option<(f64, f64)>) {
        match column {
            Column::Family => {
                td.set_text_content(None);
                append(td, "span", "mono muted", &row.data.family);
                append(td, "span", "", &format!(" {}", row.family_name));
            }
            Column::Instance => {
                let place = links::instance_anchor(
                    &row.system,
                    &row.data.instance,
                    &row.data.implementation,
                );
                if let Some(link) = append(td, "a", "mono", &row.data.instance) {
                    dom::set(
                        &link,
                        "href",
                        &links::family_at(&row.data.family, &self.query, &place),
                    );
                    dom::set(&link, "tabindex", "-1");
                }
                // The phone's layout has no column for the family: its name stands below.
                append(
                    td,
                    "span",
                    "of-family",
                    &format!("{} {} · {}", row.data.family, row.family_name, row.system),
                );
            }
            Column::Kat => {
                td.set_text_content(Some(&kat_label(row.data.kat)));
                dom::set(td, "data-value", row.data.kat.label());
                let _ = td.class_list().add_1(kat_class(row));
            }
            _ if column.is_numeric() => self.fill_number(td, row, column, range),
            _ => td.set_text_content(Some(row.text(column))),
        }
    }

    fn fill_number(&self, td: &Element, row: &Row, column: Column, range: Option<(f64, f64)>) {
        let value = row.number(column, self.units);
        dom::set(
            td,
            "data-value",
            &value.map(format::shortest).unwrap_or_default(),
        );
        if let Column::Speed(operation) = column
            && let Some((name, value)) = row.mark(operation, self.units).map(Mark::attribute)
        {
            dom::set(td, name, value);
        }
        match (value, row.data.nist_category) {
            (Some(value), _) => td.set_text_content(Some(&number::cell(column, self.units, value))),
            (None, Some(category)) if column == Column::Target => {
                td.set_text_content(Some(&format!("cat {category}")));
            }
            (None, _) => {
                td.set_text_content(Some("–"));
                let _ = td.class_list().add_1("unknown");
            }
        }
        if let (Some(value), Some(range), Some(td)) = (value, range, td.dyn_ref::<HtmlElement>()) {
            let percent = (4.0 + 96.0 * fraction(value, range, true)).round();
            dom::style(td, "--bar-length", &format!("{percent}%"));
        }
    }
}

/// Colour class of a known-answer test's outcome.
pub fn kat_class(row: &Row) -> &'static str {
    use kemscope_schema::KatStatus::{
        BuildFail, CryptoFail, Mismatch, ModelMatch, NoKat, NotRun, Overflow, Partial, Pass,
        Timeout,
    };
    match row.data.kat {
        Pass | ModelMatch => "status-good",
        Partial | NoKat | NotRun | Timeout => "status-warn",
        Mismatch | CryptoFail | Overflow | BuildFail => "status-bad",
    }
}

fn append(parent: &Element, name: &str, class: &str, text: &str) -> Option<Element> {
    let child = dom::document()?.create_element(name).ok()?;
    if !class.is_empty() {
        child.set_class_name(class);
    }
    child.set_text_content(Some(text));
    parent.append_child(&child).ok()?;
    Some(child)
}

/// An empty row with its cells.
fn template(columns: &[Column], units: Units) -> Option<Element> {
    let document = dom::document()?;
    let row = document.create_element("tr").ok()?;
    // Rows are laid out as grids, which takes the meaning of a table from them: the roles give it back.
    dom::set(&row, "role", "row");
    for column in columns {
        let cell = if *column == Column::Instance {
            let cell = document.create_element("th").ok()?;
            dom::set(&cell, "scope", "row");
            dom::set(&cell, "role", "rowheader");
            cell
        } else {
            let cell = document.create_element("td").ok()?;
            dom::set(&cell, "role", "gridcell");
            cell
        };
        dom::set(&cell, "data-col", column.data_name(units));
        dom::set(&cell, "tabindex", "-1");
        dom::set(&cell, "aria-describedby", TIP_ID);
        let class = match (column.is_numeric(), column.has_bar()) {
            (true, true) => "n bar",
            (true, false) => "n",
            _ => "",
        };
        if !class.is_empty() {
            cell.set_class_name(class);
        }
        row.append_child(&cell).ok()?;
    }
    Some(row)
}
