//! Size against speed on logarithmic axes: symbol by security target, colour by family.

use super::labels;
use super::points::{Point, Points};
use super::scale::Log;
use super::svg::{Anchor, Canvas, GRID, INK, MUTED, Style};
use kemscope_schema::{Category, TargetGroup, format};

/// Colours that people with any colour vision tell apart, dark enough on white.
const COLOURS: [&str; 8] = [
    "#0072b2", "#c95500", "#00875f", "#ab4f86", "#a36b00", "#2585bb", "#7b1f4c", "#676700",
];
const LEFT: f64 = 84.0;
const TOP: f64 = 48.0;
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 440.0;
const LEGEND: f64 = 250.0;

/// Draws the plot; `None` where no instance has both sizes and speeds.
pub fn draw(points: &Points, title: &str) -> Option<String> {
    let drawn: Vec<(&Point, f64, f64)> = points
        .list
        .iter()
        .filter_map(|point| Some((point, point.wire_bytes? as f64, point.total()?)))
        .collect();
    let sizes: Vec<f64> = drawn.iter().map(|(_, size, _)| *size).collect();
    let speeds: Vec<f64> = drawn.iter().map(|(_, _, speed)| *speed).collect();
    let x = Log::around(&sizes, LEFT, LEFT + WIDTH)?;
    let y = Log::around(&speeds, TOP + HEIGHT, TOP)?;
    let colours = Colours::of(&drawn);
    let legend_height = 70.0 + 20.0 * (colours.legend.len() + 6) as f64;
    let height = (TOP + HEIGHT + 64.0).max(TOP + legend_height);
    let mut canvas = Canvas::new(LEFT + WIDTH + LEGEND, height);
    axes(&mut canvas, points, &x, &y);
    canvas.text(
        (LEFT, 24.0),
        title,
        Style {
            size: 15.0,
            bold: true,
            ..Style::default()
        },
    );
    let places: Vec<(f64, f64)> = drawn
        .iter()
        .map(|(_, size, speed)| (x.at(*size), y.at(*speed)))
        .collect();
    for ((point, size, speed), at) in drawn.iter().zip(&places) {
        let colour = colours.of_point(point);
        // A light edge keeps points apart that lie on each other.
        let (fill, edge) = if point.kat.is_well() {
            (colour, "#ffffff")
        } else {
            ("#ffffff", colour)
        };
        let title = format!(
            "{}, {}: {} bytes, {}, KAT {}",
            point.label,
            point.family,
            format::grouped(*size as u64),
            points.printed(*speed),
            point.kat
        );
        canvas.shape(&symbol(point.target, *at, 6.0), fill, edge, &title);
    }
    let frame = [LEFT, TOP, LEFT + WIDTH, TOP + HEIGHT];
    labels::write(&mut canvas, &drawn, &places, &frame);
    legend(&mut canvas, &drawn, &colours);
    let description = format!(
        "{} instances; horizontally public key and ciphertext in bytes, vertically {} of key generation, encapsulation and decapsulation together, both on logarithmic axes.",
        drawn.len(),
        points.speed_words()
    );
    Some(canvas.finish(title, &description))
}

fn axes(canvas: &mut Canvas, points: &Points, x: &Log, y: &Log) {
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    let small = Style {
        ink: MUTED,
        ..Style::default()
    };
    for tick in x.ticks() {
        let at = x.at(tick);
        canvas.line((at, TOP), (at, bottom), GRID, 1.0);
        let style = Style {
            anchor: Anchor::Middle,
            ..small
        };
        canvas.text(
            (at, bottom + 18.0),
            &format::grouped(tick.round() as u64),
            style,
        );
    }
    for tick in y.ticks() {
        let at = y.at(tick);
        canvas.line((LEFT, at), (right, at), GRID, 1.0);
        let style = Style {
            anchor: Anchor::End,
            ..small
        };
        canvas.text(
            (LEFT - 8.0, at + 4.0),
            &round_label(&points.printed(tick)),
            style,
        );
    }
    canvas.line((LEFT, bottom), (right, bottom), INK, 1.0);
    canvas.line((LEFT, TOP), (LEFT, bottom), INK, 1.0);
    let style = Style {
        size: 13.0,
        anchor: Anchor::Middle,
        ..Style::default()
    };
    canvas.text(
        (LEFT + WIDTH / 2.0, bottom + 42.0),
        "public key + ciphertext (bytes)",
        style,
    );
    let words = format!("keygen + enc + dec ({})", points.speed_words());
    canvas.upright((20.0, TOP + HEIGHT / 2.0), &words, style);
}

/// `100.0 k` of a tick as `100 k`.
fn round_label(text: &str) -> String {
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            let number = number.trim_end_matches('0').trim_end_matches('.');
            format!("{number} {unit}")
        }
        _ => text.to_owned(),
    }
}

/// Circle, square, triangle, diamond: 128, 256, 512 bits, others.
fn symbol(target: TargetGroup, (x, y): (f64, f64), r: f64) -> String {
    let polygon = |corners: &[(f64, f64)]| {
        let points: Vec<String> = corners
            .iter()
            .map(|(dx, dy)| format!("{:.2} {:.2}", x + dx, y + dy))
            .collect();
        format!("M{}Z", points.join("L"))
    };
    match target {
        TargetGroup::Bits128 => format!(
            "M{:.2} {y:.2}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0Z",
            x - r,
            2.0 * r,
            -2.0 * r
        ),
        TargetGroup::Bits256 => {
            let s = 0.9 * r;
            polygon(&[(-s, -s), (s, -s), (s, s), (-s, s)])
        }
        TargetGroup::Bits512 => {
            polygon(&[(0.0, -1.2 * r), (1.1 * r, 0.8 * r), (-1.1 * r, 0.8 * r)])
        }
        TargetGroup::Other => {
            let s = 1.2 * r;
            polygon(&[(0.0, -s), (s, 0.0), (0.0, s), (-s, 0.0)])
        }
    }
}

/// Which colour means what.
struct Colours {
    /// Words and colours.
    legend: Vec<(String, &'static str)>,
    by_family: bool,
}

impl Colours {
    /// By family as far as colours can be told apart, otherwise by mathematical basis.
    fn of(drawn: &[(&Point, f64, f64)]) -> Colours {
        let mut families: Vec<&str> = Vec::new();
        for (point, ..) in drawn {
            if !families.contains(&point.family.as_str()) {
                families.push(&point.family);
            }
        }
        let by_family = families.len() <= COLOURS.len();
        let words: Vec<String> = if by_family {
            families.iter().map(|family| (*family).to_owned()).collect()
        } else {
            let bases = Category::ALL.into_iter().map(Some).chain([None]);
            let present = bases.filter(|basis| drawn.iter().any(|(p, ..)| p.category == *basis));
            present.map(basis_words).collect()
        };
        Colours {
            legend: words.into_iter().zip(COLOURS).collect(),
            by_family,
        }
    }

    fn of_point(&self, point: &Point) -> &'static str {
        let word = if self.by_family {
            point.family.clone()
        } else {
            basis_words(point.category)
        };
        let found = self.legend.iter().find(|(known, _)| *known == word);
        found.map_or(MUTED, |(_, colour)| colour)
    }
}

fn basis_words(basis: Option<Category>) -> String {
    basis.map_or("basis unknown".to_owned(), |basis| basis.name().to_owned())
}

fn legend(canvas: &mut Canvas, drawn: &[(&Point, f64, f64)], colours: &Colours) {
    let x = LEFT + WIDTH + 24.0;
    let mut y = TOP + 10.0;
    let heading = Style {
        bold: true,
        ..Style::default()
    };
    canvas.text((x, y), "security target", heading);
    for target in TargetGroup::ALL {
        if drawn.iter().any(|(point, ..)| point.target == target) {
            y += 20.0;
            canvas.shape(&symbol(target, (x + 6.0, y - 4.0), 5.5), MUTED, MUTED, "");
            let words = match target {
                TargetGroup::Other => "other or none".to_owned(),
                bits => format!("{} bits", bits.name()),
            };
            canvas.text((x + 20.0, y), &words, Style::default());
        }
    }
    if drawn.iter().any(|(point, ..)| !point.kat.is_well()) {
        y += 20.0;
        canvas.shape(
            &symbol(TargetGroup::Bits128, (x + 6.0, y - 4.0), 5.5),
            "#ffffff",
            MUTED,
            "",
        );
        canvas.text((x + 20.0, y), "hollow: KAT not passed", Style::default());
    }
    y += 32.0;
    canvas.text(
        (x, y),
        if colours.by_family { "family" } else { "basis" },
        heading,
    );
    for (words, colour) in &colours.legend {
        y += 20.0;
        canvas.rectangle((x, y - 10.0), (12.0, 12.0), colour, "");
        canvas.text((x + 20.0, y), &shortened(words, 30), Style::default());
    }
}

/// At most so many characters.
pub fn shortened(words: &str, length: usize) -> String {
    if words.chars().count() <= length {
        words.to_owned()
    } else {
        words
            .chars()
            .take(length.saturating_sub(1))
            .chain(['…'])
            .collect()
    }
}
