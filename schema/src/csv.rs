//! The CSV form: one row per operation, the same columns in the same order for every data set.
//!
//! Empty means unknown. Shares are fractions. Numbers are the shortest decimals of the values; a
//! bound (`calls_at_least`) is not a figure and leaves `calls` empty.

use crate::family::FamilyRecord;
use crate::figure::Figure;
use crate::format::{calls_per_operation, shortest};
use crate::instance::{InstanceRecord, PrimitiveCalls};
use crate::kat::KatStatus;
use crate::operation::Operation;
use crate::parse;
use crate::provenance::{CycleSource, Provenance};
use std::fmt;

/// The columns, in order.
pub const COLUMNS: [&str; 27] = [
    "system",
    "family",
    "algorithm",
    "instance",
    "target_bits",
    "implementation",
    "operation",
    "kat",
    "mean_cycles",
    "cycle_source",
    "mean_seconds",
    "median_trial_seconds",
    "ops_per_second",
    "calls",
    "trials",
    "iterations",
    "elf_load_bytes",
    "baseline_rss_bytes",
    "peak_rss_bytes",
    "public_key_bytes",
    "secret_key_bytes",
    "ciphertext_bytes",
    "shared_secret_bytes",
    "hash_share",
    "drng_share",
    "primitive_calls",
    "provenance",
];

/// One row: an operation of an instance on a system.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvRow {
    /// Identifier of the system.
    pub system: String,
    /// Identifier of the family.
    pub family: String,
    /// Name of the scheme.
    pub algorithm: String,
    /// Name of the instance.
    pub instance: String,
    /// Claimed security target in bits.
    pub target_bits: Option<u64>,
    /// Variant of the implementation.
    pub implementation: String,
    /// The operation.
    pub operation: Operation,
    /// Outcome of the known-answer test.
    pub kat: KatStatus,
    /// Mean cycles per call.
    pub mean_cycles: Option<f64>,
    /// What counted the cycles.
    pub cycle_source: Option<CycleSource>,
    /// Mean seconds per call.
    pub mean_seconds: Option<f64>,
    /// Median of the trial means, seconds per call.
    pub median_trial_seconds: Option<f64>,
    /// Calls per second.
    pub ops_per_second: Option<f64>,
    /// Calls in all.
    pub calls: Option<u64>,
    /// Number of trials.
    pub trials: Option<u64>,
    /// Calls per trial.
    pub iterations: Option<u64>,
    /// Memory sizes of the loadable ELF segments, in bytes.
    pub elf_load_bytes: Option<u64>,
    /// Resident set before the operation, in bytes.
    pub baseline_rss_bytes: Option<u64>,
    /// High-water mark of the resident set, in bytes.
    pub peak_rss_bytes: Option<u64>,
    /// Public key in bytes.
    pub public_key_bytes: Option<u64>,
    /// Secret key in bytes.
    pub secret_key_bytes: Option<u64>,
    /// Ciphertext in bytes.
    pub ciphertext_bytes: Option<u64>,
    /// Shared secret in bytes.
    pub shared_secret_bytes: Option<u64>,
    /// Symmetric share, a fraction.
    pub hash_share: Option<f64>,
    /// Share of the DRNG, a fraction.
    pub drng_share: Option<f64>,
    /// Calls per operation of each primitive, in the source's order.
    pub primitive_calls: Vec<(String, f64)>,
    /// Measured here or imported.
    pub provenance: Provenance,
}

/// Why a CSV text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvError {
    /// Line of the text, counted from 1; 0 where the text as a whole is meant.
    pub line: u64,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for CsvError {}

/// The rows of a family record: three per instance, operations in page order. Operations without
/// figures have rows too, so that an instance whose build failed still shows.
pub fn rows(record: &FamilyRecord) -> Vec<CsvRow> {
    record
        .instances
        .iter()
        .flat_map(|instance| {
            Operation::ALL
                .into_iter()
                .map(move |operation| row(record, instance, operation))
        })
        .collect()
}

fn row(record: &FamilyRecord, instance: &InstanceRecord, operation: Operation) -> CsvRow {
    let known = instance.operation(operation);
    let timing = known.and_then(|o| o.timing).unwrap_or_default();
    let memory = known.and_then(|o| o.memory).unwrap_or_default();
    let profile = known.and_then(|o| o.profile.as_ref());
    let value = |figure: Option<Figure>| figure.map(|f| f.value);
    CsvRow {
        system: record.system.clone(),
        family: record.family.id.clone(),
        algorithm: record.family.name.clone(),
        instance: instance.name.clone(),
        target_bits: instance.target_bits.map(u64::from),
        implementation: instance.implementation.variant.clone(),
        operation,
        kat: instance.kat.status,
        mean_cycles: value(timing.mean_cycles),
        cycle_source: timing.cycle_source,
        mean_seconds: value(timing.mean_seconds),
        median_trial_seconds: value(timing.median_trial_seconds),
        ops_per_second: value(timing.ops_per_second),
        calls: timing.calls,
        trials: timing.trials,
        iterations: timing.iterations,
        elf_load_bytes: memory.elf_load_bytes,
        baseline_rss_bytes: memory.baseline_rss_bytes,
        peak_rss_bytes: memory.peak_rss_bytes,
        public_key_bytes: instance.sizes.public_key_bytes,
        secret_key_bytes: instance.sizes.secret_key_bytes,
        ciphertext_bytes: instance.sizes.ciphertext_bytes,
        shared_secret_bytes: instance.sizes.shared_secret_bytes,
        hash_share: profile.and_then(|p| value(p.hash_share)),
        drng_share: profile.and_then(|p| value(p.drng_share)),
        primitive_calls: profile
            .map(|p| {
                p.primitive_calls
                    .iter()
                    .map(|c| (c.primitive.clone(), c.calls.value))
                    .collect()
            })
            .unwrap_or_default(),
        provenance: record.provenance,
    }
}

/// Calls per operation in the form of the pages: `drng 1, pseudoXOF 6.01, sm3hash 2`.
pub fn primitive_calls_text(calls: &[PrimitiveCalls]) -> String {
    join_calls(calls.iter().map(|c| (c.primitive.as_str(), c.calls.value)))
}

fn join_calls<'a>(calls: impl Iterator<Item = (&'a str, f64)>) -> String {
    calls
        .map(|(name, n)| format!("{name} {}", calls_per_operation(n)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Writes rows as CSV text with a head line.
///
/// # Errors
/// Only if memory runs out while writing; reported as an error of line 0.
pub fn write(rows: &[CsvRow]) -> Result<String, CsvError> {
    let whole = |message: String| CsvError { line: 0, message };
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer
        .write_record(COLUMNS)
        .map_err(|e| whole(e.to_string()))?;
    for row in rows {
        writer
            .write_record(row.fields())
            .map_err(|e| whole(e.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|e| whole(e.to_string()))?;
    String::from_utf8(bytes).map_err(|e| whole(e.to_string()))
}

/// Reads CSV text with a head line of exactly the columns of [`COLUMNS`].
///
/// # Errors
/// If the head line is another one, or a field is not of its column's form; names line and column.
pub fn read(text: &str) -> Result<Vec<CsvRow>, CsvError> {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().map_err(csv_error)?;
    if head.iter().ne(COLUMNS) {
        return Err(CsvError {
            line: 1,
            message: format!("the head line is not “{}”", COLUMNS.join(",")),
        });
    }
    reader
        .records()
        .map(|record| {
            let record = record.map_err(csv_error)?;
            let line = record.position().map_or(0, ::csv::Position::line);
            CsvRow::from_fields(&record).map_err(|message| CsvError { line, message })
        })
        .collect()
}

fn csv_error(error: ::csv::Error) -> CsvError {
    CsvError {
        line: error.position().map_or(0, ::csv::Position::line),
        message: error.to_string(),
    }
}

impl CsvRow {
    fn fields(&self) -> [String; COLUMNS.len()] {
        let number = |value: Option<f64>| value.map(shortest).unwrap_or_default();
        let whole = |value: Option<u64>| value.map(|v| v.to_string()).unwrap_or_default();
        [
            self.system.clone(),
            self.family.clone(),
            self.algorithm.clone(),
            self.instance.clone(),
            whole(self.target_bits),
            self.implementation.clone(),
            self.operation.name().to_owned(),
            self.kat.label().to_owned(),
            number(self.mean_cycles),
            self.cycle_source
                .map(|s| s.name().to_owned())
                .unwrap_or_default(),
            number(self.mean_seconds),
            number(self.median_trial_seconds),
            number(self.ops_per_second),
            whole(self.calls),
            whole(self.trials),
            whole(self.iterations),
            whole(self.elf_load_bytes),
            whole(self.baseline_rss_bytes),
            whole(self.peak_rss_bytes),
            whole(self.public_key_bytes),
            whole(self.secret_key_bytes),
            whole(self.ciphertext_bytes),
            whole(self.shared_secret_bytes),
            number(self.hash_share),
            number(self.drng_share),
            join_calls(self.primitive_calls.iter().map(|(n, c)| (n.as_str(), *c))),
            self.provenance.name().to_owned(),
        ]
    }

    fn from_fields(record: &::csv::StringRecord) -> Result<CsvRow, String> {
        let mut fields = COLUMNS.iter().zip(record.iter());
        let mut next = || {
            fields
                .next()
                .map(|(column, text)| Field { column, text })
                .ok_or_else(|| "a field is missing".to_owned())
        };
        Ok(CsvRow {
            system: next()?.text.to_owned(),
            family: next()?.text.to_owned(),
            algorithm: next()?.text.to_owned(),
            instance: next()?.text.to_owned(),
            target_bits: next()?.whole()?,
            implementation: next()?.text.to_owned(),
            operation: next()?.word("keygen, enc or dec", Operation::from_name)?,
            kat: next()?.word("a KAT status", KatStatus::from_word)?,
            mean_cycles: next()?.number()?,
            cycle_source: next()?.cycle_source()?,
            mean_seconds: next()?.number()?,
            median_trial_seconds: next()?.number()?,
            ops_per_second: next()?.number()?,
            calls: next()?.whole()?,
            trials: next()?.whole()?,
            iterations: next()?.whole()?,
            elf_load_bytes: next()?.whole()?,
            baseline_rss_bytes: next()?.whole()?,
            peak_rss_bytes: next()?.whole()?,
            public_key_bytes: next()?.whole()?,
            secret_key_bytes: next()?.whole()?,
            ciphertext_bytes: next()?.whole()?,
            shared_secret_bytes: next()?.whole()?,
            hash_share: next()?.number()?,
            drng_share: next()?.number()?,
            primitive_calls: next()?.calls()?,
            provenance: next()?.word("measured or imported", |word| {
                [Provenance::Measured, Provenance::Imported]
                    .into_iter()
                    .find(|p| p.name() == word)
            })?,
        })
    }
}

/// One field on the way in, with its column for the error.
struct Field<'a> {
    column: &'a str,
    text: &'a str,
}

impl Field<'_> {
    fn bad<T>(&self, expected: &str) -> Result<T, String> {
        Err(format!(
            "{}: “{}” where {expected} was expected",
            self.column, self.text
        ))
    }

    fn word<T>(&self, expected: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        read(self.text).map_or_else(|| self.bad(expected), Ok)
    }

    fn number(&self) -> Result<Option<f64>, String> {
        if self.text.is_empty() {
            return Ok(None);
        }
        match parse::decimal(self.text, 0) {
            Some(figure) => Ok(Some(figure.value)),
            None => self.bad("a number"),
        }
    }

    fn whole(&self) -> Result<Option<u64>, String> {
        if self.text.is_empty() {
            return Ok(None);
        }
        match parse::whole(self.text) {
            Some(value) => Ok(Some(value)),
            None => self.bad("a whole number"),
        }
    }

    fn cycle_source(&self) -> Result<Option<CycleSource>, String> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let sources = [CycleSource::Perf, CycleSource::Tsc, CycleSource::Estimated];
        match sources.into_iter().find(|s| s.name() == self.text) {
            Some(source) => Ok(Some(source)),
            None => self.bad("perf, tsc or estimated"),
        }
    }

    fn calls(&self) -> Result<Vec<(String, f64)>, String> {
        if self.text.is_empty() {
            return Ok(Vec::new());
        }
        self.text
            .split(", ")
            .map(|part| {
                part.rsplit_once(' ')
                    .filter(|(name, _)| !name.is_empty())
                    .and_then(|(name, n)| Some((name.to_owned(), parse::decimal(n, 0)?.value)))
                    .map_or_else(|| self.bad("calls like “drng 1, pseudoXOF 6.01”"), Ok)
            })
            .collect()
    }
}
