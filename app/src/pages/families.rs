//! Families: one line for each.

use crate::model::column::{Column, Units};
use crate::model::lines::{self, FamilyLine};
use crate::model::number;
use crate::model::row::Row;
use crate::state::dashboard::Dashboard;
use crate::ui::links;
use crate::ui::node::{Tag, el, live, words};
use crate::ui::states::{notes, skeleton};
use crate::ui::table::marks;
use kemscope_schema::Operation;
use leptos::prelude::*;

const DEC: Column = Column::Speed(Operation::Dec);

/// The page.
pub fn families(dashboard: Dashboard) -> Vec<Tag> {
    dashboard.unsettle();
    vec![live("page", move || page(dashboard))]
}

fn page(dashboard: Dashboard) -> Vec<Tag> {
    let units = dashboard.view.read().units;
    let rows = dashboard.rows.read();
    let lines = lines::families(&rows, units);
    let count = format!(
        "{} on {}",
        lines.len(),
        dashboard.systems.read().join(" + ")
    );
    let mut tags = vec![
        el("div")
            .class("page-head")
            .child(el("h1").text("Families"))
            .child(words("p", "muted num", &count)),
    ];
    tags.extend(notes(dashboard));
    if dashboard.is_loading() {
        tags.push(skeleton(20));
    } else {
        tags.push(list(&lines, &rows, units, &dashboard.shared_query()));
        tags.extend(marks(&rows, units));
        dashboard.settle();
    }
    tags
}

fn list(lines: &[FamilyLine], rows: &[Row], units: Units, query: &str) -> Tag {
    let head = [
        ("Family", "", ""),
        ("Basis", "", ""),
        ("Instances", "", "n"),
        ("KAT", "", ""),
        ("pk+ct, from – to ", "bytes", "n"),
        ("Fastest dec ", DEC.unit(units), "n"),
        ("by", "", ""),
        ("Systems", "", ""),
    ];
    let head = head.map(|(title, unit, class)| {
        words("th", class, title)
            .attr("scope", "col")
            .child(el("small").text(unit))
    });
    let body = lines.iter().map(|line| {
        let best = line.fastest.and_then(|at| rows.get(at as usize));
        let dec = best
            .and_then(|row| row.number(DEC, units))
            .map(|value| number::cell(DEC, units, value));
        let mark = best.and_then(|row| row.mark(Operation::Dec, units));
        let wire = line.wire.map(number::range);
        let link = el("a")
            .attr("href", &links::family(&line.id, query))
            .child(words("span", "mono", &line.id));
        el("tr")
            .attr("data-family", &line.id)
            .child(
                el("th")
                    .attr("scope", "row")
                    .child(link.text(&format!(" {}", line.name))),
            )
            .child(el("td").text(line.category.map_or("–", |category| category.name())))
            .child(words("td", "n", &line.instances.to_string()))
            .child(words("td", line.kat_class(), &line.kat_words()))
            .child(words("td", "n", wire.as_deref().unwrap_or("–")))
            .child(words("td", "n", dec.as_deref().unwrap_or("–")).mark(mark))
            .child(words(
                "td",
                "mono",
                best.map_or("", |row| &row.data.instance),
            ))
            .child(words("td", "mono", &line.systems.join(", ")))
    });
    let table = el("table")
        .class("plain")
        .attr("data-testid", "families-table");
    let table = table
        .child(el("thead").child(el("tr").children(head)))
        .child(el("tbody").children(body));
    el("div").class("table-wrap").child(table)
}
