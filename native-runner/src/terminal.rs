//! Results in lines and tables for the terminal.

use kemscope_schema::format;
use kemscope_schema::run::OperationRun;
use kemscope_schema::{KatStatus, PlanKind};

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
    match disturbed(record) {
        0 => {}
        count => line.push_str(&format!(
            ", ⚠ {count} of {} trials disturbed",
            statistics.trials
        )),
    }
    if record.plan_kind == PlanKind::Quick {
        line.push_str(", quick");
    }
    if !record.kat.is_well() && record.kat != KatStatus::NotRun {
        line.push_str(&format!(", ⚠ KAT {}", record.kat));
    }
    line
}

/// How many trials of a record stayed disturbed after their repetitions.
pub fn disturbed(record: &OperationRun) -> usize {
    record.trials.iter().filter(|trial| trial.disturbed).count()
}

/// A table with aligned columns: the first to the left, the others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
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
            .map(|(column, (cell, &width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::table;

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
