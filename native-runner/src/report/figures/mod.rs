//! Pictures of reports as SVG files.

mod bars;
mod labels;
mod points;
mod scale;
mod scatter;
mod svg;

use super::document::Picture;
use super::overview::Entry;
use points::Points;

/// More bars than this are no picture any more.
const BARS: usize = 48;

/// The pictures of some instances: size against speed, and the operations as bars. `name` begins the files'
/// names, `folder` is where they are from the report's place, `about` says what they are of.
pub fn pictures(entries: &[Entry], name: &str, folder: &str, about: &str) -> Vec<Picture> {
    let points = Points::of(entries);
    let picture = |kind: &str, svg: Option<String>, caption: String| {
        let file = format!("{name}-{kind}.svg");
        let path = match folder {
            "" => file,
            folder => format!("{folder}/{file}"),
        };
        Some(Picture {
            name: format!("{name}-{kind}"),
            path,
            svg: svg?,
            caption,
        })
    };
    let scatter = scatter::draw(&points, &format!("Size against speed: {about}"));
    let bars = if entries.len() <= BARS {
        bars::draw(&points, &format!("Operations: {about}"))
    } else {
        None
    };
    let speed = points.speed_words();
    [
        picture(
            "size-speed",
            scatter,
            format!("Size against speed ({speed}) of {about}, logarithmic axes; symbols by security target."),
        ),
        picture(
            "operations",
            bars,
            format!("Operations of {about} ({speed} per call); dark: share of the symmetric primitives."),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}
