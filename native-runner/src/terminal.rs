//! Results in lines and tables for the terminal.

use crate::profile::share;
use kemscope_schema::run::{MemoryRun, OperationRun, ProfileRun};
use kemscope_schema::{Figure, KatStatus, PlanKind, format};

/// One line on a timed operation: `ML-KEM-768 enc: 48.1 µs, 129.6 k cycles (tsc), n=5000 (5 × 1000)`.
pub fn operation_line(record: &OperationRun) -> String {
    let name = format!("{} {}", record.instance, record.operation);
    if let Some(failure) = &record.failure {
        return format!("{name}: no figure: {}", failure.message);
    }
    let statistics = match record.statistics() {
        Ok(statistics) => statistics,
        Err(error) => return format!("{name}: no figure: {error}"),
    };
    let mut line = format!("{name}: {}", format::seconds(statistics.mean_seconds));
    if let (Some(cycles), Some(source)) = (statistics.mean_cycles, record.cycle_source()) {
        line.push_str(&format!(
            ", {} cycles ({})",
            format::cycles(cycles),
            source.name()
        ));
    }
    line.push_str(&format!(", n={}", statistics.calls));
    if let Some(iterations) = statistics.iterations {
        line.push_str(&format!(" ({} × {iterations})", statistics.trials));
    }
    if let Some(half) = statistics.relative_half_width() {
        line.push_str(&format!(", ±{}", percent(half)));
    }
    if let Some(drift) = statistics.drift.filter(|drift| drift.notable) {
        let word = if drift.relative > 0.0 {
            "slower"
        } else {
            "faster"
        };
        let change = percent(drift.relative.abs());
        line.push_str(&format!(", ⚠ trials became {word} by {change}"));
    }
    match disturbed(record) {
        0 => {}
        count => line.push_str(&format!(
            ", ⚠ {count} of {} trials disturbed ({})",
            statistics.trials,
            causes(record)
        )),
    }
    if record.plan_kind != PlanKind::Published {
        line.push_str(&format!(", {}", record.plan_kind.name()));
    }
    if !record.kat.is_well() && record.kat != KatStatus::NotRun {
        line.push_str(&format!(", ⚠ KAT {}", record.kat));
    }
    line
}

/// One line on a profiled operation: `ML-KEM-768 enc: hash 61.2 %, random 3.1 %, of 1000 operations (tsc)`.
pub fn profile_line(run: &ProfileRun) -> String {
    let name = format!("{} {}", run.instance, run.operation);
    if let Some(failure) = &run.failure {
        return format!("{name}: no profile: {}", failure.message);
    }
    let profile = match share::published(run) {
        Ok(profile) => profile,
        Err(error) => return format!("{name}: no profile: {error}"),
    };
    let mut line = format!(
        "{name}: hash {}, random {}, of {} operations",
        share_or_question(profile.hash_share),
        share_or_question(profile.drng_share),
        run.operations
    );
    if let Some(source) = run.tick_source {
        line.push_str(&format!(" ({})", source.name()));
    }
    if let Some(message) = &profile.message {
        line.push_str(&format!(": {message}"));
    }
    line
}

/// A share, or what the report pages print where none could be told.
pub fn share_or_question(share: Option<Figure>) -> String {
    share.map_or_else(|| "??%".to_owned(), |share| format::share(share.value))
}

/// One line on the memory of an operation: `ML-KEM-768 enc: stack 14.2 KiB, heap none`.
pub fn memory_line(record: &MemoryRun) -> String {
    let name = format!("{} {}", record.instance, record.operation);
    if let Some(failure) = &record.failure {
        return format!("{name}: no figure of its memory: {}", failure.message);
    }
    let stack = record.stack_bytes();
    let stack = stack.map_or("unknown".to_owned(), bytes_words);
    let heap = match (record.heap(), &record.heap_unknown) {
        (Some(heap), _) if heap.allocations == 0 => "none".to_owned(),
        (Some(heap), _) => {
            let peak = bytes_words(heap.peak_bytes);
            format!("{peak} in {} allocations", heap.allocations)
        }
        (None, reason) => format!("unknown ({})", reason.as_deref().unwrap_or("not counted")),
    };
    format!("{name}: stack {stack}, heap {heap}")
}

/// Bytes as KiB with one decimal, small numbers as they are.
fn bytes_words(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        _ => format!("{:.1} KiB", bytes as f64 / 1024.0),
    }
}

/// How many trials of a record stayed disturbed after their repetitions.
pub fn disturbed(record: &OperationRun) -> usize {
    record.trials.iter().filter(|trial| trial.disturbed).count()
}

/// What disturbed the trials of a record that stayed disturbed, each cause once.
pub fn causes(record: &OperationRun) -> String {
    let all = record.trials.iter().flat_map(|trial| &trial.disturbance);
    let mut causes: Vec<_> = all.copied().collect();
    causes.sort_unstable();
    causes.dedup();
    let words: Vec<&str> = causes.into_iter().map(|cause| cause.words()).collect();
    words.join("; ")
}

/// A fraction as a per cent with two significant digits: `0.31 %`, `12 %`.
pub fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    let decimals = match value {
        v if v >= 9.95 => 0,
        v if v >= 0.995 => 1,
        v if v >= 0.0995 => 2,
        _ => 3,
    };
    format!("{value:.decimals$} %")
}

/// A table of texts: all columns to the left.
pub fn list(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    aligned(rows, &(0..columns).collect::<Vec<usize>>())
}

/// A table with aligned columns: the first to the left, the others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    aligned(rows, &[0])
}

/// A table with aligned columns: those named to the left, the others to the right.
pub fn aligned(rows: &[Vec<String>], left: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| {
                if left.contains(&column) {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{percent, table};

    #[test]
    fn per_cents_have_two_digits() {
        let texts = [0.123, 0.0123, 0.00123, 0.000_123, 0.000_001].map(percent);
        assert_eq!(texts, ["12 %", "1.2 %", "0.12 %", "0.012 %", "0.000 %"]);
    }

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows = [["name", "time"], ["X", "8.1 µs"]];
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|&cell| cell.to_owned()).collect())
            .collect();
        assert_eq!(table(&rows), "name    time\nX     8.1 µs\n");
    }
}
