//! Published summary figures of the whole field: one CSV row per instance.

use super::error::{ImportError, refuse_problems};
use crate::catalog;
use kemscope_schema::identifier::is_family_identifier;
use kemscope_schema::{
    CycleSource, Family, FamilyRecord, Figure, InstanceRecord, KatResult, KatStatus, Operation,
    OperationRecord, Profile, Provenance, Sizes, Source, SourceKind, Timing, format, parse,
};
use sha2::{Digest, Sha256};

/// The columns of the table, in order.
const COLUMNS: [&str; 17] = [
    "candidate",
    "algorithm",
    "instance",
    "target_bits",
    "kat",
    "public_key_bytes",
    "ciphertext_bytes",
    "keygen_cycles",
    "keygen_symmetric_percent",
    "keygen_n",
    "enc_cycles",
    "enc_symmetric_percent",
    "enc_n",
    "dec_cycles",
    "dec_symmetric_percent",
    "dec_n",
    "note",
];
/// Column in which the figures of the operations begin; three each.
const FIRST_OPERATION: usize = 7;

/// Reads the table: one record per family, in the table's order.
///
/// # Errors
/// If the head line is another one, a row has too few or too many cells, a cell is not of its
/// column's form, or an instance appears twice. Names line and column.
pub fn read(file: &str, text: &str, system: &str) -> Result<Vec<FamilyRecord>, ImportError> {
    let fail = |line: Option<u64>, message: String| ImportError {
        file: file.to_owned(),
        line: line.and_then(|l| usize::try_from(l).ok()),
        section: None,
        message,
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let csv_error = |e: csv::Error| fail(e.position().map(csv::Position::line), describe(&e));
    if reader.headers().map_err(csv_error)?.iter().ne(COLUMNS) {
        return Err(fail(
            Some(1),
            format!("the head line “{}” was expected", COLUMNS.join(",")),
        ));
    }
    let source = Source {
        kind: SourceKind::FieldFigures,
        title: format!("published summary figures of the field, system {system}"),
        sha256: Some(format!("{:x}", Sha256::digest(text.as_bytes()))),
    };
    let mut records: Vec<FamilyRecord> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(csv_error)?;
        let line = row.position().map(csv::Position::line);
        let (id, algorithm, instance) = read_row(&row).map_err(|message| fail(line, message))?;
        let at = match records.iter().position(|r| r.family.id == id) {
            Some(at) => at,
            None => {
                let family = family(&id, &algorithm).map_err(|message| fail(line, message))?;
                records.push(FamilyRecord::empty(
                    system,
                    family,
                    Provenance::Imported,
                    source.clone(),
                ));
                records.len() - 1
            }
        };
        let record = &mut records[at];
        if record.family.name != algorithm {
            return Err(fail(
                line,
                format!(
                    "{id} is called “{algorithm}” here and “{}” above",
                    record.family.name
                ),
            ));
        }
        if record.instances.iter().any(|i| i.name == instance.name) {
            return Err(fail(
                line,
                format!("instance “{}” of {id} appears twice", instance.name),
            ));
        }
        record.instances.push(instance);
    }
    if records.is_empty() {
        return Err(fail(None, "the table has no rows".to_owned()));
    }
    for record in &records {
        refuse_problems(file, record)?;
    }
    Ok(records)
}

/// Says what a CSV error is in the reader's words.
fn describe(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("the row has {len} cells, {expected_len} were expected"),
        _ => error.to_string(),
    }
}

/// Name and basis: the published list's basis, the table's name.
fn family(id: &str, algorithm: &str) -> Result<Family, String> {
    let known = catalog::family(id).map_err(|e| e.to_string())?;
    Ok(Family {
        id: id.to_owned(),
        name: algorithm.to_owned(),
        category: known.and_then(|family| family.category),
    })
}

fn read_row(row: &csv::StringRecord) -> Result<(String, String, InstanceRecord), String> {
    let cell = |i: usize| row.get(i).unwrap_or_default().trim();
    let expected = |i: usize, what: &str| {
        format!(
            "column {}: “{}” where {what} was expected",
            COLUMNS[i],
            cell(i)
        )
    };
    let id = cell(0);
    if !is_family_identifier(id) {
        return Err(expected(0, "a family like kem-14"));
    }
    if cell(1).is_empty() {
        return Err(expected(1, "the name of the scheme"));
    }
    if cell(2).is_empty() {
        return Err(expected(2, "the name of an instance"));
    }
    let target_bits = match cell(3) {
        "" => None,
        bits => Some(
            bits.parse::<u16>()
                .ok()
                .filter(|b| [128, 256, 512].contains(b))
                .ok_or_else(|| expected(3, "128, 256, 512 or nothing"))?,
        ),
    };
    let status =
        KatStatus::from_word(cell(4)).ok_or_else(|| expected(4, "a KAT status like PASS"))?;
    let bytes = |i: usize| match cell(i) {
        "" => Ok(None),
        text => parse::whole(text)
            .filter(|b| *b > 0)
            .map(Some)
            .ok_or_else(|| expected(i, "a number of bytes or nothing")),
    };
    let sizes = Sizes {
        public_key_bytes: bytes(5)?,
        ciphertext_bytes: bytes(6)?,
        ..Sizes::default()
    };
    let mut operations = Vec::new();
    for (k, operation) in Operation::ALL.into_iter().enumerate() {
        let first = FIRST_OPERATION + 3 * k;
        let cycles = match cell(first) {
            "" => None,
            text => {
                Some(cycles(text).ok_or_else(|| expected(first, "a number of cycles or nothing"))?)
            }
        };
        let hash_share = match cell(first + 1) {
            "" => None,
            text => Some(
                parse::percent(text)
                    .filter(|share| share.value <= 1.0)
                    .ok_or_else(|| expected(first + 1, "a share in percent or nothing"))?,
            ),
        };
        let (calls, calls_at_least) =
            calls(cell(first + 2)).ok_or_else(|| expected(first + 2, "calls like 85 or >=100"))?;
        if cycles.is_none() && (hash_share.is_some() || calls.is_some() || calls_at_least.is_some())
        {
            return Err(expected(
                first,
                "the cycles that the share or the calls belong to",
            ));
        }
        if let Some(mean_cycles) = cycles {
            operations.push(OperationRecord {
                timing: Some(Timing {
                    mean_cycles: Some(mean_cycles),
                    cycle_source: Some(CycleSource::Perf),
                    calls,
                    calls_at_least,
                    ..Timing::default()
                }),
                profile: hash_share.map(|share| Profile {
                    hash_share: Some(share),
                    ..Profile::default()
                }),
                ..OperationRecord::empty(operation)
            });
        }
    }
    let instance = InstanceRecord {
        target_bits,
        kat: KatResult::of(status),
        sizes,
        operations,
        note: (!cell(16).is_empty()).then(|| cell(16).to_owned()),
        ..InstanceRecord::empty(cell(2), "reference")
    };
    Ok((id.to_owned(), cell(1).to_owned(), instance))
}

/// Cycles written out in full. They were printed with a prefix, which tells the digits known.
fn cycles(text: &str) -> Option<Figure> {
    let written = parse::decimal(text, 0).filter(|f| f.value > 0.0)?;
    let printed = parse::cycles(&format::cycles(written.value))?;
    Some(if printed.value == written.value {
        printed
    } else {
        written
    })
}

/// `85` is a number, `>=100` a bound, nothing is unknown; anything else is none of them.
fn calls(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    if text.is_empty() {
        return Some((None, None));
    }
    match text.strip_prefix(">=") {
        Some(bound) => Some((None, Some(parse::whole(bound).filter(|n| *n > 0)?))),
        None => Some((Some(parse::whole(text).filter(|n| *n > 0)?), None)),
    }
}

/// Takes over into `record` the target bits that another record of the family knows, so that pages
/// and field figures can be imported in any order.
pub fn take_target_bits(record: &mut FamilyRecord, from: &FamilyRecord) {
    for instance in &mut record.instances {
        let known = from.instances.iter().find(|i| i.name == instance.name);
        if let Some(known) = known.filter(|k| k.target_bits.is_some()) {
            instance.target_bits = known.target_bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str =
        "kem-41,ZEN,Z1,128,PASS,10,20,24190000,7.8,>=100,950,,85,2820000000,0.0,>=100,";

    fn table(row: &str) -> Result<Vec<FamilyRecord>, ImportError> {
        read("f.csv", &format!("{}\n{row}\n", COLUMNS.join(",")), "arm_1")
    }

    #[test]
    fn figures_keep_the_digits_they_were_printed_with() {
        let records = table(ROW).unwrap();
        let timing = |k: usize| records[0].instances[0].operations[k].timing.unwrap();
        assert_eq!(
            timing(0).mean_cycles,
            Some(Figure::printed(24_190_000.0, 4))
        );
        assert_eq!(timing(0).calls_at_least, Some(100));
        assert_eq!(timing(1).calls, Some(85));
        assert_eq!(timing(2).mean_cycles, Some(Figure::printed(2.82e9, 3)));
    }

    #[test]
    fn bad_cells_are_named() {
        let message = |row: &str| table(row).unwrap_err().to_string();
        assert_eq!(
            message(&ROW.replace("950", "x")),
            "f.csv, line 2: column enc_cycles: “x” where a number of cycles or nothing was expected"
        );
        assert_eq!(
            message(&ROW.replace(",7.8,", ",")),
            "f.csv, line 2: the row has 16 cells, 17 were expected"
        );
        assert!(message(&ROW.replace("PASS", "GOOD")).contains("column kat"));
        assert!(
            message(&format!("{ROW}\n{ROW}"))
                .contains("line 3: instance “Z1” of kem-41 appears twice")
        );
        assert!(message("").contains("no rows"));
        assert!(
            read("f.csv", "a,b\n", "arm_1")
                .unwrap_err()
                .to_string()
                .contains("line 1: the head line")
        );
    }
}
