//! A small writer of SVG pictures: plain shapes and text, no script, no style sheet, so that browsers, office
//! programs and `rsvg-convert` show the same.

use super::super::html::escape;
use std::fmt::Write;

/// Ink of text and axes.
pub const INK: &str = "#1b1f23";
/// Ink of what is less important.
pub const MUTED: &str = "#56606a";
/// Ink of grid lines.
pub const GRID: &str = "#d8dde2";

/// A picture that is being drawn; lengths are in pixels.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

/// Which end of a text its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// Size in pixels.
    pub size: f64,
    /// Colour.
    pub ink: &'a str,
    /// Which end its place is.
    pub anchor: Anchor,
    /// Whether it is bold.
    pub bold: bool,
}

impl Default for Style<'_> {
    fn default() -> Style<'static> {
        Style {
            size: 12.0,
            ink: INK,
            anchor: Anchor::Start,
            bold: false,
        }
    }
}

impl Canvas {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Canvas {
        Canvas {
            width,
            height,
            body: String::new(),
        }
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{ink}\" stroke-width=\"{width}\"/>",
            short(from.0),
            short(from.1),
            short(to.0),
            short(to.1)
        );
    }

    /// A rectangle from its upper left corner; `outline` may be empty.
    pub fn rectangle(&mut self, at: (f64, f64), size: (f64, f64), fill: &str, outline: &str) {
        let stroke = if outline.is_empty() {
            String::new()
        } else {
            format!(" stroke=\"{outline}\"")
        };
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"{stroke}/>",
            short(at.0),
            short(at.1),
            short(size.0.max(0.0)),
            short(size.1.max(0.0))
        );
    }

    /// A shape by its path data, with a text that shows when it is pointed at; the text may be empty.
    pub fn shape(&mut self, data: &str, fill: &str, outline: &str, title: &str) {
        let title = if title.is_empty() {
            String::new()
        } else {
            format!("<title>{}</title>", escape(title))
        };
        let _ = writeln!(
            self.body,
            "<path d=\"{data}\" fill=\"{fill}\" stroke=\"{outline}\" stroke-width=\"1.5\">{title}</path>"
        );
    }

    /// A text; its place is on its base line.
    pub fn text(&mut self, at: (f64, f64), words: &str, style: Style<'_>) {
        self.write_text(at, words, style, "");
    }

    /// A text that runs upwards.
    pub fn upright(&mut self, at: (f64, f64), words: &str, style: Style<'_>) {
        let turn = format!(" transform=\"rotate(-90 {} {})\"", short(at.0), short(at.1));
        self.write_text(at, words, style, &turn);
    }

    fn write_text(&mut self, at: (f64, f64), words: &str, style: Style<'_>, more: &str) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if style.bold {
            " font-weight=\"600\""
        } else {
            ""
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{anchor}\"{weight}{more}>{}</text>",
            short(at.0),
            short(at.1),
            style.size,
            style.ink,
            escape(words)
        );
    }

    /// The picture with what it shows in words.
    pub fn finish(self, title: &str, description: &str) -> String {
        let (width, height) = (short(self.width), short(self.height));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<title>{}</title>\n<desc>{}</desc>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            escape(title),
            escape(description),
            self.body
        )
    }
}

/// A length with at most two decimals.
fn short(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // Minus zero would print as such.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Width of a text in pixels, roughly; fonts differ.
pub fn text_width(words: &str, size: f64) -> f64 {
    words.chars().count() as f64 * size * 0.6
}
