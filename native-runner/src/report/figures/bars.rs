//! Bars of keygen, enc and dec, the part of the symmetric primitives in them dark.

use super::points::{Point, Points};
use super::scatter::shortened;
use super::svg::{Canvas, GRID, INK, MUTED, Style, text_width};
use kemscope_schema::{Operation, format};

const REST: &str = "#a9cbe8";
const SYMMETRIC: &str = "#0b5cad";
const UNKNOWN: &str = "#c9ced3";
const ROW: f64 = 24.0;
const TOP: f64 = 92.0;
const PANEL: f64 = 250.0;
const GAP: f64 = 16.0;
/// Room behind the longest bar for its figure.
const FIGURE: f64 = 108.0;

/// Draws the bars; `None` where no instance has a speed.
pub fn draw(points: &Points, title: &str) -> Option<String> {
    let drawn: Vec<&Point> = points
        .list
        .iter()
        .filter(|point| point.operations.iter().any(Option::is_some))
        .collect();
    if drawn.is_empty() {
        return None;
    }
    let names: Vec<String> = drawn
        .iter()
        .map(|point| shortened(&point.label, 34))
        .collect();
    let widest = names
        .iter()
        .map(|name| text_width(name, 12.0))
        .fold(60.0, f64::max);
    let left = 20.0 + widest;
    let height = TOP + ROW * drawn.len() as f64 + 24.0;
    let mut canvas = Canvas::new(left + 3.0 * (PANEL + GAP) + 8.0, height);
    canvas.text(
        (16.0, 24.0),
        title,
        Style {
            size: 15.0,
            bold: true,
            ..Style::default()
        },
    );
    legend(&mut canvas, points, &drawn);
    for (i, name) in names.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        if i % 2 == 0 {
            canvas.rectangle(
                (0.0, y),
                (left + 3.0 * (PANEL + GAP) + 8.0, ROW),
                "#f6f7f8",
                "",
            );
        }
        canvas.text((12.0, y + 16.0), name, Style::default());
    }
    for (panel, operation) in Operation::ALL.into_iter().enumerate() {
        let x = left + panel as f64 * (PANEL + GAP);
        canvas.text(
            (x, TOP - 10.0),
            operation.name(),
            Style {
                bold: true,
                ..Style::default()
            },
        );
        canvas.line((x, TOP), (x, height - 24.0), GRID, 1.0);
        bars(&mut canvas, points, &drawn, panel, x);
    }
    let description = format!(
        "{} of each operation of {} instances as bars, linear and to a scale of its own per operation; the dark part is the share of the symmetric primitives.",
        points.speed_words(),
        drawn.len()
    );
    Some(canvas.finish(title, &description))
}

fn bars(canvas: &mut Canvas, points: &Points, drawn: &[&Point], panel: usize, x: f64) {
    let speed = |point: &Point| point.operations.get(panel).copied().flatten();
    let values: Vec<f64> = drawn.iter().filter_map(|p| Some(speed(p)?.value)).collect();
    let longest = longest_whole(values);
    for (i, point) in drawn.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let Some(speed) = speed(point) else {
            let style = Style {
                size: 11.0,
                ink: MUTED,
                ..Style::default()
            };
            canvas.text((x + 6.0, y + 16.0), "–", style);
            continue;
        };
        let room = PANEL - FIGURE;
        let length = room * (speed.value / longest).min(1.0);
        let fill = if speed.share.is_some() { REST } else { UNKNOWN };
        canvas.rectangle((x, y + 5.0), (length.max(1.0), ROW - 10.0), fill, "");
        let share = speed.share.unwrap_or(0.0).clamp(0.0, 1.0);
        if share > 0.0 {
            canvas.rectangle((x, y + 5.0), (length * share, ROW - 10.0), SYMMETRIC, "");
        }
        if speed.value > longest {
            cut(canvas, x + room - 16.0, y);
        }
        let mut words = points.printed(speed.value);
        if let Some(share) = speed.share {
            words.push_str(&format!(", {}", format::share(share)));
        }
        let style = Style {
            size: 11.0,
            ink: INK,
            ..Style::default()
        };
        canvas.text((x + length.max(1.0) + 6.0, y + 16.0), &words, style);
    }
}

/// The longest bar that is drawn whole. One that is a great many times as long as its neighbours would make
/// them invisible; it is cut.
fn longest_whole(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let median = values.get(values.len() / 2).copied().unwrap_or(1.0);
    let usual = values
        .iter()
        .copied()
        .filter(|value| *value <= 12.0 * median);
    usual.fold(f64::MIN_POSITIVE, f64::max)
}

/// The sign of a bar that is longer than it is drawn.
fn cut(canvas: &mut Canvas, x: f64, y: f64) {
    for offset in [0.0, 6.0] {
        let from = (x + offset, y + ROW - 3.0);
        canvas.line(from, (x + offset + 6.0, y + 3.0), "#ffffff", 3.0);
    }
}

fn legend(canvas: &mut Canvas, points: &Points, drawn: &[&Point]) {
    let mut x = 16.0;
    let mut entry = |colour: &str, words: &str| {
        canvas.rectangle((x, 40.0), (12.0, 12.0), colour, "");
        canvas.text(
            (x + 18.0, 50.0),
            words,
            Style {
                ink: MUTED,
                ..Style::default()
            },
        );
        x += 34.0 + text_width(words, 12.0);
    };
    let any = |known: bool| {
        let speeds = drawn
            .iter()
            .flat_map(|point| point.operations.iter().flatten());
        speeds
            .into_iter()
            .any(|speed| speed.share.is_some() == known)
    };
    if any(true) {
        entry(SYMMETRIC, "symmetric primitives (share in percent)");
        entry(
            REST,
            &format!("rest of the operation ({} per call)", points.speed_words()),
        );
    }
    let cuts = (0..3).any(|panel| {
        let values = drawn
            .iter()
            .filter_map(|p| Some(p.operations.get(panel).copied()??.value));
        let values: Vec<f64> = values.collect();
        let longest = longest_whole(values.clone());
        values.iter().any(|value| *value > longest)
    });
    if cuts {
        entry("#ffffff", "// bar cut, longer than drawn");
    }
    if any(false) {
        entry(
            UNKNOWN,
            &format!("share unknown ({} per call)", points.speed_words()),
        );
    }
}
