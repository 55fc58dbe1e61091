//! From what a profile's process counted to its record.

use super::sight::Wrap;
use crate::child::protocol::Profiled;
use kemscope_schema::run::{ProfileRun, ProfiledCalls};
use std::collections::BTreeMap;

/// Below this part of the processor's time an operation was disturbed: where other work cuts in is chance, and it
/// is as likely to cut into a call of a hash function as their share says only in the long run.
const UNDISTURBED_FRACTION: f64 = 0.95;

/// Whether other work had too much of the processor.
pub fn is_disturbed(profiled: &Profiled) -> bool {
    profiled.cpu_seconds < UNDISTURBED_FRACTION * profiled.seconds
}

/// Enters what was counted. `wraps` are the wrapped symbols by their numbers.
///
/// # Errors
/// If a row is of no wrapped symbol.
pub fn enter(run: &mut ProfileRun, profiled: &Profiled, wraps: &[Wrap]) -> Result<(), String> {
    run.operations = profiled.operations;
    run.total_ticks = profiled.total_ticks;
    run.seconds = Some(profiled.seconds);
    run.cpu_seconds = Some(profiled.cpu_seconds);
    run.tick_source = Some(profiled.tick_source);
    run.tick_hz = Some(profiled.tick_hz);
    run.tick_step = profiled.tick_cost.step;
    run.tick_overhead = Some(profiled.tick_cost.overhead);
    run.overflow_calls = 0;
    // Several symbols can be the same primitive.
    let mut calls: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    for row in &profiled.rows {
        let wrap = usize::try_from(row.function)
            .ok()
            .and_then(|n| wraps.get(n));
        let wrap = wrap.ok_or_else(|| {
            let number = row.function;
            format!("the wrappers counted calls of function {number}, which there is not")
        })?;
        // Calls without lengths come last.
        let lengths = (row.in_bits.is_none(), row.in_bits, row.out_bits);
        let sum = calls.entry((&wrap.primitive.name, lengths)).or_default();
        sum.0 = sum.0.saturating_add(row.calls);
        sum.1 = sum.1.saturating_add(row.ticks);
        if row.in_bits.is_none() {
            run.overflow_calls = run.overflow_calls.saturating_add(row.calls);
        }
    }
    run.calls = calls
        .into_iter()
        .map(
            |((function, (_, in_bits, out_bits)), (calls, ticks))| ProfiledCalls {
                function: function.clone(),
                in_bits,
                out_bits,
                calls,
                ticks,
            },
        )
        .collect();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::primitives::Primitives;
    use super::super::share;
    use super::*;
    use crate::child::protocol::{ProfileRow, TickCost};
    use crate::profile::share::tests::run;
    use kemscope_schema::run::TickSource;

    fn profiled(rows: &[(u64, Option<u64>, u64)]) -> Profiled {
        Profiled {
            operations: 2,
            total_ticks: 900,
            seconds: 0.5,
            cpu_seconds: 0.4,
            tick_source: TickSource::ClockGettime,
            tick_hz: 1e9,
            tick_cost: TickCost {
                step: Some(3),
                overhead: 30.5,
            },
            rows: rows
                .iter()
                .map(|&(function, bits, calls)| ProfileRow {
                    function,
                    in_bits: bits,
                    out_bits: bits,
                    calls,
                    ticks: 10 * calls,
                })
                .collect(),
        }
    }

    fn wraps(symbols: &[&str]) -> Vec<Wrap> {
        let wrap = |symbol: &&str| Wrap {
            symbol: (*symbol).to_owned(),
            primitive: Primitives::Nist.of_symbol(symbol).unwrap(),
        };
        symbols.iter().map(wrap).collect()
    }

    #[test]
    fn rows_are_sorted_and_those_of_one_primitive_joined() {
        let wraps = wraps(&["shake256", "OQS_SHA3_shake256", "randombytes"]);
        let mut record = run(vec![]);
        record.wrapped = wraps.iter().map(Wrap::record).collect();
        let profiled = profiled(&[
            (0, None, 7),
            (1, Some(8), 1),
            (2, Some(256), 2),
            (0, Some(8), 4),
        ]);
        enter(&mut record, &profiled, &wraps).unwrap();
        let rows: Vec<(&str, Option<u64>, u64, u64)> = record
            .calls
            .iter()
            .map(|row| (row.function.as_str(), row.in_bits, row.calls, row.ticks))
            .collect();
        assert_eq!(
            rows,
            [
                ("randombytes", Some(256), 2, 20),
                ("shake256", Some(8), 5, 50),
                ("shake256", None, 7, 70),
            ]
        );
        assert_eq!(record.overflow_calls, 7);
        assert_eq!((record.operations, record.total_ticks), (2, 900));
        assert_eq!(
            (record.tick_step, record.tick_overhead),
            (Some(3), Some(30.5))
        );
        assert!(share::contradictions(&record).is_empty());
    }

    #[test]
    fn calls_of_no_wrapper_are_an_error() {
        let message = enter(
            &mut run(vec![]),
            &profiled(&[(1, Some(8), 1)]),
            &wraps(&["shake256"]),
        );
        assert!(message.unwrap_err().contains("function 1"));
    }
}
