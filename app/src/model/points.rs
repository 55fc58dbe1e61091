//! The points of a plot: grouped by colour and shape, and how to find a row's point again.

use super::axes::Axes;
use super::column::Units;
use super::mark::Mark;
use super::row::Row;
use kemscope_schema::TargetGroup;

/// One point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Index of the row.
    pub row: u32,
    /// Size in bytes.
    pub x: f64,
    /// Speed in cycles or seconds.
    pub y: f64,
}

/// Points of one colour and one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Place of the family in the palette; `None` for grey.
    pub colour: Option<usize>,
    /// Shape.
    pub target: TargetGroup,
    /// The points.
    pub points: Vec<Point>,
}

/// The point of a row; `None` where one of the figures is unknown, or a logarithmic axis cannot show it.
pub fn point(row: &Row, index: u32, axes: &Axes, units: Units) -> Option<Point> {
    let x = axes.size.of(row)? as f64;
    let y = axes.speed.of(row, units)?;
    (!axes.log || (x > 0.0 && y > 0.0)).then_some(Point { row: index, x, y })
}

/// Groups of points, grey ones first so that coloured ones lie above them. Groups without points are left out.
fn groups(rows: &[Row], shown: &[u32], axes: &Axes, units: Units, coloured: &[&str]) -> Vec<Group> {
    let mut groups: Vec<Group> = std::iter::once(None)
        .chain((0..coloured.len()).map(Some))
        .flat_map(|colour| {
            TargetGroup::ALL.map(|target| Group {
                colour,
                target,
                points: Vec::new(),
            })
        })
        .collect();
    for index in shown {
        let Some(row) = rows.get(*index as usize) else {
            continue;
        };
        let colour = coloured
            .iter()
            .position(|family| *family == row.data.family);
        let target = row.data.target_group();
        let point = point(row, *index, axes, units);
        if let Some((group, point)) = groups
            .iter_mut()
            .find(|g| g.colour == colour && g.target == target)
            .zip(point)
        {
            group.points.push(point);
        }
    }
    groups.retain(|group| !group.points.is_empty());
    groups
}

/// All that a plot shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The groups, in the order in which they are drawn.
    pub groups: Vec<Group>,
    /// The axes.
    pub axes: Axes,
    /// Cycles or time.
    pub units: Units,
    /// What is to be said of the speeds: `some derived`; empty where there is nothing.
    pub remark: String,
}

/// What is to be said of the speeds of the rows that have a point.
pub fn remark(rows: &[Row], shown: &[u32], axes: &Axes, units: Units) -> String {
    let with_point: Vec<&Row> = shown
        .iter()
        .filter_map(|index| {
            let row = rows.get(*index as usize)?;
            point(row, *index, axes, units).map(|_| row)
        })
        .collect();
    let mut words = Vec::new();
    for mark in Mark::ALL {
        let marked = |row: &&&Row| axes.speed.mark(row, units) == Some(mark);
        let count = with_point.iter().filter(marked).count();
        if count > 0 {
            let all = if count == with_point.len() {
                "all"
            } else {
                "some"
            };
            words.push(format!("{all} {}", mark.short()));
        }
    }
    words.join(", ")
}

impl Points {
    /// The points of the rows shown.
    pub fn of(rows: &[Row], shown: &[u32], axes: Axes, units: Units, coloured: &[&str]) -> Points {
        Points {
            groups: groups(rows, shown, &axes, units, coloured),
            remark: remark(rows, shown, &axes, units),
            axes,
            units,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.groups.iter().map(|group| group.points.len()).sum()
    }

    /// The row of a point, by its group and its place within that.
    pub fn row(&self, group: u32, place: u32) -> Option<u32> {
        Some(
            self.groups
                .get(group as usize)?
                .points
                .get(place as usize)?
                .row,
        )
    }

    /// Group and place of a row's point.
    pub fn find(&self, row: u32) -> Option<(u32, u32)> {
        for (at, group) in (0..).zip(&self.groups) {
            if let Some(place) = group.points.iter().position(|point| point.row == row) {
                return Some((at, place as u32));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::axes::SpeedAxis;
    use crate::model::row::tests::row;
    use kemscope_schema::Operation;

    #[test]
    fn grouped_by_colour_and_shape() {
        let rows = [
            row("a", "A-128", Some(128)),
            row("b", "B-256", Some(256)),
            row("b", "B-x", None),
        ];
        let axes = Axes {
            speed: SpeedAxis::One(Operation::Keygen),
            ..Axes::default()
        };
        let points = Points::of(&rows, &[2, 1, 0], axes, Units::Cycles, &["b"]);
        let shapes: Vec<_> = points.groups.iter().map(|g| (g.colour, g.target)).collect();
        assert_eq!(
            shapes,
            [
                (None, TargetGroup::Bits128),
                (Some(0), TargetGroup::Bits256),
                (Some(0), TargetGroup::Other)
            ]
        );
        assert_eq!(points.find(2), Some((2, 0)));
        assert_eq!(points.find(9), None);
        assert_eq!(points.remark, "");
        let times = Points::of(&rows, &[0], axes, Units::Time, &[]);
        assert_eq!(times.remark, "all derived");
    }

    #[test]
    fn unknown_figures_have_no_point() {
        let rows = [row("a", "A-128", Some(128))];
        assert!(groups(&rows, &[0], &Axes::default(), Units::Cycles, &[]).is_empty());
    }
}
