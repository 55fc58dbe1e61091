//! Options of the scatter: size against speed, colour by family, shape by security target.

use super::chart::{Colours, Drawing, Options};
use crate::browser::dom;
use crate::model::axes::Axes;
use crate::model::column::Units;
use crate::model::number::{count_tick, seconds_tick};
use crate::model::points::Points;
use charming::component::{Axis, Grid};
use charming::datatype::DataPointItem;
use charming::element::{
    AxisLabel, AxisLine, AxisTick, AxisType, Color, Emphasis, ItemStyle, LineStyle, NameLocation,
    SplitLine, Symbol, TextStyle,
};
use charming::series::Scatter;
use kemscope_schema::TargetGroup;

fn symbol(target: TargetGroup) -> Symbol {
    match target {
        TargetGroup::Bits128 => Symbol::Circle,
        TargetGroup::Bits256 => Symbol::Triangle,
        TargetGroup::Bits512 => Symbol::Rect,
        TargetGroup::Other => Symbol::Diamond,
    }
}

/// An axis with its name, in the colours of the theme.
pub fn axis(name: &str, kind: AxisType, gap: f64, colours: &Colours) -> Axis {
    let line = || LineStyle::new().color(Color::Value(colours.line.clone()));
    Axis::new()
        .type_(kind)
        .name(name)
        .name_location(NameLocation::Middle)
        .name_gap(gap)
        .name_text_style(
            TextStyle::new()
                .color(Color::Value(colours.text.clone()))
                .font_size(12),
        )
        .axis_label(
            AxisLabel::new()
                .color(Color::Value(colours.muted.clone()))
                .font_size(11),
        )
        .axis_line(AxisLine::new().show(false))
        .axis_tick(AxisTick::new().show(false))
        .split_line(SplitLine::new().show(true).line_style(line()))
}

/// Words of the speed axis, with what is to be said of its figures (may be empty).
pub fn speed_name(axes: &Axes, units: Units, remark: &str) -> String {
    let unit = match units {
        Units::Cycles => "cycles",
        Units::Time => "seconds",
    };
    let mut name = format!("{}, {unit} per call", axes.speed.label());
    if !remark.is_empty() {
        name.push_str(&format!(" ({remark})"));
    }
    name
}

/// The scatter of these points.
pub fn scatter(
    Points {
        groups,
        axes,
        units,
        remark,
    }: &Points,
    colours: &Colours,
) -> Drawing {
    let units = *units;
    let kind = || {
        if axes.log {
            AxisType::Log
        } else {
            AxisType::Value
        }
    };
    let mut options = Options {
        animation: !dom::media("(prefers-reduced-motion: reduce)"),
        animation_duration: 1.0,
        animation_duration_update: 180.0,
        grid: Grid::new().left(64).right(18).top(12).bottom(48),
        x_axis: axis(
            &format!("{}, bytes", axes.size.label()),
            kind(),
            30.0,
            colours,
        ),
        y_axis: axis(&speed_name(axes, units, remark), kind(), 50.0, colours),
        series: Vec::with_capacity(groups.len()),
    };
    for group in groups {
        let (colour, size, opacity) = match group.colour {
            Some(place) => (
                colours.families.get(place).unwrap_or(&colours.grey).clone(),
                10.0,
                0.9,
            ),
            None => (colours.grey.clone(), 8.0, 0.55),
        };
        let items: Vec<DataPointItem> = group
            .points
            .iter()
            .map(|point| DataPointItem::new(vec![point.x, point.y]))
            .collect();
        options.series.push(
            Scatter::new()
                .id(format!(
                    "{}-{}",
                    group.colour.map_or(0, |place| place + 1),
                    group.target.name()
                ))
                .symbol(symbol(group.target))
                .symbol_size(size)
                .item_style(
                    ItemStyle::new()
                        .color(Color::Value(colour))
                        .opacity(opacity)
                        .border_color(Color::Value(colours.background.clone()))
                        .border_width(0.5),
                )
                .emphasis(
                    Emphasis::new().item_style(
                        ItemStyle::new()
                            .opacity(1.0)
                            .border_color(Color::Value(colours.text.clone()))
                            .border_width(2.0),
                    ),
                )
                .data(items),
        );
    }
    Drawing {
        options,
        x_format: Some(count_tick),
        y_format: Some(match units {
            Units::Cycles => count_tick,
            Units::Time => seconds_tick,
        }),
    }
}
