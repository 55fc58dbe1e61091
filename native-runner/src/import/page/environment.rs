//! Section 2 of a page.

use kemscope_schema::{Environment, EnvironmentItem, Figure, parse};

/// Takes a line of section 2 into the environment.
pub fn item(environment: &mut Environment, item: &str, value: &str) -> Result<(), String> {
    let text = Some(value.to_owned());
    // The last slash: a product's name may have one, a version never had.
    let pair = || match value.rsplit_once(" / ") {
        Some((a, b)) => (Some(a.to_owned()), Some(b.to_owned())),
        None => (Some(value.to_owned()), None),
    };
    match item {
        "processor" => environment.processor = text,
        "machine" => environment.machine = text,
        "clock" => {
            environment.fixed_clock_hz = fixed_clock(value);
            environment.clock = text;
        }
        "memory" => {
            let mib = value.strip_suffix(" MiB").and_then(parse::whole);
            environment.memory_mib =
                Some(mib.ok_or_else(|| {
                    format!("“{value}” where memory like “30562 MiB” was expected")
                })?);
        }
        "OS / kernel" => (environment.os, environment.kernel) = pair(),
        "compiler / build tool" => (environment.compiler, environment.build_tool) = pair(),
        "campaign start / end (UTC)" => {
            (environment.campaign_start_utc, environment.campaign_end_utc) = pair();
        }
        other => environment.additional.push(EnvironmentItem {
            item: other.to_owned(),
            value: value.to_owned(),
        }),
    }
    Ok(())
}

/// The clock of a text like `fixed 2.71 GHz (…)`, in hertz; `None` where it says nothing of the kind.
fn fixed_clock(text: &str) -> Option<Figure> {
    let rest = text.strip_prefix("fixed ")?;
    let mut words = rest.split_whitespace();
    let number = words.next()?;
    match words.next()?.trim_end_matches(',') {
        "GHz" => parse::decimal(number, 9),
        "MHz" => parse::decimal(number, 6),
        _ => None,
    }
}
