//! A comparison as text, Markdown, CSV or JSON.

use super::Comparison;
use super::row::{Measure, Row, Verdict};
use crate::terminal;
use anyhow::Result;
use kemscope_schema::format;
use std::fmt::Write;

const HEAD: [&str; 8] = [
    "instance",
    "operation",
    "clock",
    "A",
    "B",
    "B / A",
    "interval",
    "verdict",
];

/// Lines and a table for the terminal.
pub fn text(comparison: &Comparison) -> String {
    let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
    rows.extend(comparison.rows.iter().map(|row| cells(row, false)));
    let mut text = introduction(comparison, "");
    text.push_str(&terminal::aligned(&rows, &[0, 1, 2, 7]));
    text.push_str(&closing(comparison, ""));
    text
}

/// The same as Markdown.
pub fn markdown(comparison: &Comparison) -> String {
    let mut text = introduction(comparison, "- ");
    let _ = writeln!(text, "\n| {} |", HEAD.join(" | "));
    let _ = writeln!(text, "|:---|:---|:---|---:|---:|---:|---:|:---|");
    for row in &comparison.rows {
        let cells: Vec<String> = cells(row, true)
            .iter()
            .map(|cell| cell.replace('|', "\\|"))
            .collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push('\n');
    text.push_str(&closing(comparison, "- "));
    text
}

/// One row per operation; empty means unknown.
///
/// # Errors
/// Never for a comparison that was made; only if a cell could not be written.
pub fn csv(comparison: &Comparison) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "family",
        "instance",
        "operation",
        "variant_a",
        "variant_b",
        "measure",
        "a",
        "b",
        "ratio",
        "ratio_low",
        "ratio_high",
        "p_value",
        "adjusted_p_value",
        "verdict",
        "no_interval",
        "marks",
    ])?;
    let number = |value: Option<f64>| value.map(format::shortest).unwrap_or_default();
    for row in &comparison.rows {
        writer.write_record([
            row.family.clone(),
            row.instance.clone(),
            row.operation.to_string(),
            row.variant_a.clone(),
            row.variant_b.clone(),
            row.measure.label(),
            format::shortest(row.a),
            format::shortest(row.b),
            format::shortest(row.ratio),
            number(row.interval.map(|i| i.low)),
            number(row.interval.map(|i| i.high)),
            number(row.interval.map(|i| i.p_value)),
            number(row.adjusted_p_value),
            word(row.verdict).to_owned(),
            row.no_interval.clone().unwrap_or_default(),
            row.marks.join("; "),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Everything, as JSON.
///
/// # Errors
/// Never for a comparison that was made.
pub fn json(comparison: &Comparison) -> Result<String> {
    Ok(serde_json::to_string_pretty(comparison)? + "\n")
}

fn introduction(comparison: &Comparison, bullet: &str) -> String {
    let mut text = String::new();
    for (letter, side) in [("A", &comparison.a), ("B", &comparison.b)] {
        let _ = writeln!(
            text,
            "{bullet}{letter}: {} – {}",
            side.name, side.description
        );
    }
    for (letter, side) in [("A", &comparison.a), ("B", &comparison.b)] {
        if !side.findings.is_empty() {
            let findings = side.findings.join(", ");
            let _ = writeln!(
                text,
                "{bullet}⚠ {letter}: the host is not fit to measure ({findings}): it may change more from run to run than the trials of one run show"
            );
        }
    }
    let mut clocks: Vec<(String, usize)> = Vec::new();
    for row in &comparison.rows {
        let label = row.measure.label();
        match clocks.iter_mut().find(|(known, _)| *known == label) {
            Some((_, count)) => *count += 1,
            None => clocks.push((label, 1)),
        }
    }
    let clocks: Vec<String> = clocks
        .iter()
        .map(|(label, count)| format!("{label} of {count} operations"))
        .collect();
    if !clocks.is_empty() {
        let _ = writeln!(text, "{bullet}compared: {}", clocks.join(", "));
    }
    let _ = writeln!(
        text,
        "{bullet}B / A above 1: B is slower. {} intervals from trial means, threshold {}",
        percent(comparison.confidence),
        percent(comparison.threshold)
    );
    text
}

fn closing(comparison: &Comparison, bullet: &str) -> String {
    let mut text = String::new();
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for why in comparison
        .rows
        .iter()
        .filter_map(|row| row.no_interval.as_deref())
    {
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => reasons.push((why, 1)),
        }
    }
    for (why, count) in reasons {
        let _ = writeln!(text, "{bullet}no interval for {count}: {why}");
    }
    for line in &comparison.left_out {
        let _ = writeln!(text, "{bullet}not compared: {line}");
    }
    for (letter, only) in [("A", &comparison.only_a), ("B", &comparison.only_b)] {
        if !only.is_empty() {
            let _ = writeln!(text, "{bullet}only in {letter}: {}", only.join(", "));
        }
    }
    let count = |verdict| comparison.count(verdict);
    let _ = writeln!(
        text,
        "{bullet}{} operations: {} regressions, {} improvements, {} significant within the threshold, {} the same, {} without interval",
        comparison.rows.len(),
        count(Verdict::Regression),
        count(Verdict::Improvement),
        count(Verdict::Small),
        count(Verdict::Same),
        count(Verdict::Unknown)
    );
    text
}

fn cells(row: &Row, code: bool) -> Vec<String> {
    let variants = if row.variant_a == row.variant_b {
        String::new()
    } else {
        format!(" ({} → {})", row.variant_a, row.variant_b)
    };
    let tick = if code { "`" } else { "" };
    let mut verdict = match row.verdict {
        Verdict::Regression => "▲ slower".to_owned(),
        Verdict::Improvement => "▼ faster".to_owned(),
        Verdict::Small => "* small".to_owned(),
        Verdict::Same => "same".to_owned(),
        Verdict::Unknown => "?".to_owned(),
    };
    if !row.marks.is_empty() {
        let _ = write!(verdict, "  ⚠ {}", row.marks.join(", "));
    }
    let interval = row.interval.map_or_else(
        || "–".to_owned(),
        |i| format!("{} … {}", ratio(i.low), ratio(i.high)),
    );
    vec![
        format!("{tick}{}/{}{tick}{variants}", row.family, row.instance),
        row.operation.to_string(),
        row.measure.label(),
        figure(row.measure, row.a),
        figure(row.measure, row.b),
        ratio(row.ratio),
        interval,
        verdict,
    ]
}

fn figure(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Cycles(_) => format::cycles(value),
        Measure::Seconds | Measure::DerivedSeconds => format::seconds(value),
    }
}

fn ratio(value: f64) -> String {
    if (0.1..10.0).contains(&value) {
        format!("{value:.3}")
    } else {
        format::three_digits(value)
    }
}

fn percent(fraction: f64) -> String {
    format!("{} %", format::shortest((fraction * 1e6).round() / 1e4))
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Regression => "regression",
        Verdict::Improvement => "improvement",
        Verdict::Small => "small",
        Verdict::Same => "same",
        Verdict::Unknown => "unknown",
    }
}
