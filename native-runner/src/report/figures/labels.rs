//! Names beside the points of a plot.

use super::points::Point;
use super::svg::{Canvas, MUTED, Style, text_width};

/// So many points are named at most.
const LABELS: usize = 40;

/// Names beside the points, where there is room for them within the frame (left, top, right, bottom).
pub fn write(
    canvas: &mut Canvas,
    drawn: &[(&Point, f64, f64)],
    places: &[(f64, f64)],
    frame: &[f64; 4],
) {
    let size = 10.5;
    let mut taken: Vec<[f64; 4]> = places
        .iter()
        .map(|(x, y)| [x - 6.0, y - 6.0, x + 6.0, y + 6.0])
        .collect();
    for i in by_interest(drawn, places).into_iter().take(LABELS) {
        let (Some((point, ..)), Some((x, y))) = (drawn.get(i), places.get(i)) else {
            continue;
        };
        let width = text_width(&point.label, size);
        let tries = [
            (x + 9.0, y + 4.0),
            (x - 9.0 - width, y + 4.0),
            (x - width / 2.0, y - 10.0),
            (x - width / 2.0, y + 19.0),
        ];
        let free = tries.into_iter().find_map(|(left, base)| {
            let own = [left, base - size, left + width, base + 2.0];
            let inside =
                own[0] > frame[0] && own[1] > frame[1] && own[2] < frame[2] && own[3] < frame[3];
            let clear = taken.iter().all(|other| !overlap(&own, other));
            (inside && clear).then_some((left, base, own))
        });
        if let Some((left, base, own)) = free {
            taken.push(own);
            canvas.text(
                (left, base),
                &point.label,
                Style {
                    size,
                    ink: MUTED,
                    ..Style::default()
                },
            );
        }
    }
}

/// The points in the order in which they get a name: those that no other beats in both size and speed, then
/// the loneliest.
fn by_interest(drawn: &[(&Point, f64, f64)], places: &[(f64, f64)]) -> Vec<usize> {
    let beaten = |size: f64, speed: f64| {
        drawn
            .iter()
            .any(|(_, s, v)| *s <= size && *v <= speed && (*s < size || *v < speed))
    };
    let room = |i: usize, (x, y): (f64, f64)| {
        let others = places.iter().enumerate().filter(|(j, _)| *j != i);
        let distances = others.map(|(_, (ox, oy))| (ox - x).hypot(oy - y));
        distances.fold(f64::INFINITY, f64::min)
    };
    let mut order: Vec<(bool, f64, usize)> = drawn
        .iter()
        .zip(places)
        .enumerate()
        .map(|(i, ((_, size, speed), place))| (beaten(*size, *speed), -room(i, *place), i))
        .collect();
    order.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    order.into_iter().map(|(_, _, i)| i).collect()
}

fn overlap(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}
