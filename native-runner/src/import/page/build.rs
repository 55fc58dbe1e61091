//! Reads the cells of a page's tables into a family record.

use super::Page;
use super::cells::{NOT_MEASURED, WARNING};
use super::outline::{Outline, Section};
use super::table::{Row, Tables};
use crate::catalog;
use crate::import::error::ImportError;
use kemscope_schema::{
    BasicInformation, CycleSource, Environment, EnvironmentItem, Evidence, EvidenceKind, Family,
    FamilyRecord, Figure, Implementation, InstanceRecord, KatResult, KatStatus, LinkedText, Memory,
    Operation, OperationRecord, PrimitiveCalls, Profile, Provenance, SCHEMA_VERSION, SectionNotes,
    Sizes, Source, SourceKind, Timing, UnknownShare, parse,
};

/// Makes the record of a page.
///
/// # Errors
/// Names the line, section and cell that is not of its column's form.
pub fn page(file: &str, outline: &Outline, tables: &Tables) -> Result<Page, ImportError> {
    let title = &outline.title;
    let category = catalog::family(&title.family)
        .map_err(|e| ImportError {
            file: file.to_owned(),
            line: None,
            section: None,
            message: e.to_string(),
        })?
        .and_then(|family| family.category);
    let mut instances = Instances::default();
    let sections: [(Section, fn(&mut Instances, &Row) -> Result<(), String>); 6] = [
        (Section::Kat, Instances::kat),
        (Section::Performance, Instances::performance),
        (Section::Memory, Instances::memory),
        (Section::Sizes, Instances::sizes),
        (Section::Symmetric, Instances::symmetric),
        (Section::Evidence, Instances::evidence),
    ];
    let fail = |row: &Row, section: Section, message: String| ImportError {
        file: file.to_owned(),
        line: Some(row.line),
        section: Some(section.heading().to_owned()),
        message,
    };
    for (section, read) in sections {
        for row in tables.rows(section) {
            read(&mut instances, row).map_err(|message| fail(row, section, message))?;
        }
    }
    let mut environment = Environment::default();
    for row in tables.rows(Section::Environment) {
        environment_item(&mut environment, &row.cells[0], &row.cells[1])
            .map_err(|message| fail(row, Section::Environment, message))?;
    }
    let has_environment = !tables.rows(Section::Environment).is_empty();
    if has_environment {
        environment.cycle_source = Some(CycleSource::Perf);
    }
    let record = FamilyRecord {
        schema_version: SCHEMA_VERSION,
        system: title.system.clone(),
        family: Family {
            id: title.family.clone(),
            name: title.algorithm.clone(),
            category,
        },
        provenance: Provenance::Imported,
        source: Source {
            kind: SourceKind::ReportPage,
            title: title.text.clone(),
            sha256: None,
        },
        basic: basic(outline),
        environment: has_environment.then_some(environment),
        notes: notes(outline),
        survey_verdict: survey_verdict(outline),
        instances: instances.list,
    };
    Ok(Page {
        record,
        architecture: title.architecture.clone(),
    })
}

/// The lines of a section before its table.
fn before_table(outline: &Outline, section: Section) -> Option<String> {
    let lines = outline.section(section);
    let end = section.head_position(lines).unwrap_or(lines.len());
    let text: Vec<&str> = lines[..end]
        .iter()
        .map(|line| line.text.as_str())
        .filter(|text| !text.starts_with(SURVEY) && !text.starts_with("Scripts:"))
        .collect();
    (!text.is_empty()).then(|| text.join("\n"))
}

const SURVEY: &str = "Survey verdict:";

fn survey_verdict(outline: &Outline) -> Option<String> {
    outline
        .section(Section::Symmetric)
        .iter()
        .find_map(|line| line.text.strip_prefix(SURVEY))
        .map(|verdict| verdict.trim().to_owned())
}

fn notes(outline: &Outline) -> SectionNotes {
    let introduction: Vec<&str> = outline
        .introduction
        .iter()
        .map(|line| line.text.as_str())
        .collect();
    SectionNotes {
        introduction: (!introduction.is_empty()).then(|| introduction.join("\n")),
        kat: before_table(outline, Section::Kat),
        memory: before_table(outline, Section::Memory),
        sizes: before_table(outline, Section::Sizes),
        profile: before_table(outline, Section::Symmetric),
        evidence: before_table(outline, Section::Evidence),
        scripts: outline
            .section(Section::Evidence)
            .last()
            .map(|line| line.text.clone()),
    }
}

fn basic(outline: &Outline) -> Option<BasicInformation> {
    let lines = outline.section(Section::Basic);
    if lines.is_empty() {
        return None;
    }
    let item = |label: &str| {
        lines.iter().find_map(|line| {
            let text = line.text.strip_prefix(label)?.strip_prefix(':')?;
            Some(LinkedText {
                text: text.trim().to_owned(),
                href: line.href.clone(),
            })
        })
    };
    Some(BasicInformation {
        category: item("Category"),
        algorithm: item("Algorithm"),
        implementation_versions: item("Implementation versions measured"),
        parameter_sets: item("Parameter sets")
            .map(|sets| sets.text.split(", ").map(str::to_owned).collect())
            .unwrap_or_default(),
        security_evaluation: item("Security evaluation"),
        measurement_method: item("Measurement method"),
        submission: item("Submission"),
    })
}

/// Takes a line of section 2 into the environment.
fn environment_item(environment: &mut Environment, item: &str, value: &str) -> Result<(), String> {
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

/// The instances of a page while its sections are read.
#[derive(Default)]
struct Instances {
    list: Vec<InstanceRecord>,
}

impl Instances {
    /// The instance of a row's first cell; the first section that has a table brings them in.
    fn instance(&mut self, cell: &str, introduces: bool) -> Result<&mut InstanceRecord, String> {
        let (name, mark) = match cell.split_once(WARNING) {
            Some((name, mark)) => (name.trim(), Some(mark.trim())),
            None => (cell, None),
        };
        let at = self.list.iter().position(|i| i.name == name);
        let at = match at {
            Some(_) if introduces => return Err(format!("instance “{name}” appears twice")),
            Some(at) => at,
            None if introduces => {
                self.list.push(empty_instance(name));
                self.list.len() - 1
            }
            None => {
                return Err(format!("instance “{name}” does not appear in section 3"));
            }
        };
        let instance = &mut self.list[at];
        if let Some(mark) = mark {
            let status = kat_status(mark)?;
            if instance.kat.status != KatStatus::NotRun && instance.kat.status != status {
                return Err(format!(
                    "the mark “{WARNING} {mark}” contradicts section 3, which says {}",
                    instance.kat.status
                ));
            }
            instance.kat.status = status;
        }
        Ok(instance)
    }

    /// The record of a row's operation.
    fn operation(&mut self, row: &Row) -> Result<&mut OperationRecord, String> {
        let operation = Operation::from_name(&row.cells[1])
            .ok_or_else(|| format!("“{}” where keygen, enc or dec was expected", row.cells[1]))?;
        let instance = self.instance(&row.cells[0], false)?;
        let at = instance
            .operations
            .iter()
            .position(|o| o.operation == operation);
        let at = at.unwrap_or_else(|| {
            instance.operations.push(OperationRecord {
                operation,
                timing: None,
                memory: None,
                profile: None,
                failure: None,
            });
            instance.operations.len() - 1
        });
        Ok(&mut instance.operations[at])
    }

    fn kat(&mut self, row: &Row) -> Result<(), String> {
        let status = kat_status(&row.cells[2])?;
        let instance = self.instance(&row.cells[0], true)?;
        instance.implementation.build_flags = measured(&row.cells[1]).map(str::to_owned);
        instance.kat = KatResult::of(status);
        Ok(())
    }

    fn performance(&mut self, row: &Row) -> Result<(), String> {
        let (cycles_cell, calls_mark) = match row.cells[2].split_once(" n=") {
            Some((cell, n)) => (cell.trim(), Some(n.trim())),
            None => (row.cells[2].as_str(), None),
        };
        let mean_cycles = figure(cycles_cell, "cycles like “241.9 k”", parse::cycles)?;
        let mut timing = Timing {
            mean_cycles,
            cycle_source: mean_cycles.map(|_| CycleSource::Perf),
            mean_seconds: figure(&row.cells[3], "a time like “89.7 µs”", parse::seconds)?,
            ops_per_second: figure(
                &row.cells[4],
                "a rate like “1.11e+04”",
                parse::ops_per_second,
            )?,
            median_trial_seconds: figure(&row.cells[5], "a time like “89.7 µs”", parse::seconds)?,
            ..Timing::default()
        };
        calls(&mut timing, &row.cells[6])?;
        if let Some(mark) = calls_mark {
            let n = parse::whole(mark);
            if n.is_none() || timing.calls.is_some() && timing.calls != n {
                return Err(format!(
                    "“n={mark}” beside the cycles contradicts “{}”",
                    row.cells[6]
                ));
            }
            timing.calls = n;
        }
        let record = self.operation(row)?;
        if record.timing.replace(timing).is_some() {
            return Err(twice(row));
        }
        Ok(())
    }

    fn memory(&mut self, row: &Row) -> Result<(), String> {
        let memory = Memory {
            elf_load_bytes: figure(&row.cells[2], "a number of bytes", parse::whole)?,
            baseline_rss_bytes: figure(
                &row.cells[3],
                "memory like “1416 KiB”",
                parse::memory_bytes,
            )?,
            peak_rss_bytes: figure(&row.cells[4], "memory like “1416 KiB”", parse::memory_bytes)?,
        };
        let record = self.operation(row)?;
        if record.memory.replace(memory).is_some() {
            return Err(twice(row));
        }
        Ok(())
    }

    fn sizes(&mut self, row: &Row) -> Result<(), String> {
        let bytes = |i: usize| figure(&row.cells[i], "a number of bytes", parse::whole);
        let sizes = Sizes {
            public_key_bytes: bytes(1)?,
            secret_key_bytes: bytes(2)?,
            ciphertext_bytes: bytes(3)?,
            shared_secret_bytes: bytes(4)?,
        };
        let instance = self.instance(&row.cells[0], false)?;
        if instance.sizes != Sizes::default() {
            return Err(format!("instance “{}” appears twice", row.cells[0]));
        }
        instance.sizes = sizes;
        Ok(())
    }

    fn symmetric(&mut self, row: &Row) -> Result<(), String> {
        let (hash_share, hash_share_unknown) = share(&row.cells[2])?;
        let (drng_share, drng_share_unknown) = share(&row.cells[3])?;
        let profile = Profile {
            hash_share,
            hash_share_unknown,
            drng_share,
            drng_share_unknown,
            primitive_calls: primitive_calls(&row.cells[4])?,
        };
        let record = self.operation(row)?;
        if record.profile.replace(profile).is_some() {
            return Err(twice(row));
        }
        Ok(())
    }

    fn evidence(&mut self, row: &Row) -> Result<(), String> {
        let (label, sha256_prefix) = match row.cells[1].split_once(" (sha256 ") {
            None => (row.cells[1].as_str(), None),
            Some((label, digest)) => {
                let digits = digest
                    .strip_suffix(')')
                    .map(|d| d.trim_end_matches(['…', '.']))
                    .filter(|d| kemscope_schema::identifier::is_lower_hex(d))
                    .ok_or_else(|| {
                        format!("“{digest}” where the first digits of a SHA-256 were expected")
                    })?;
                (label, Some(digits.to_owned()))
            }
        };
        let evidence = Evidence {
            kind: EvidenceKind::from_label(label),
            path: row.cells[2].clone(),
            sha256: None,
            sha256_prefix,
        };
        self.instance(&row.cells[0], false)?.evidence.push(evidence);
        Ok(())
    }
}

fn empty_instance(name: &str) -> InstanceRecord {
    InstanceRecord {
        name: name.to_owned(),
        target_bits: None,
        nist_category: None,
        implementation: Implementation {
            variant: "reference".to_owned(),
            language: None,
            source: None,
            build_flags: None,
            flags: None,
        },
        kat: KatResult::of(KatStatus::NotRun),
        sizes: Sizes::default(),
        operations: Vec::new(),
        evidence: Vec::new(),
        note: None,
    }
}

fn twice(row: &Row) -> String {
    format!("“{} {}” appears twice", row.cells[0], row.cells[1])
}

/// The cell, unless it says that nothing was measured.
fn measured(cell: &str) -> Option<&str> {
    (!NOT_MEASURED.contains(&cell)).then_some(cell)
}

/// A figure's cell: what it says, `None` for a dash, or an error that says what was expected.
fn figure<T>(
    cell: &str,
    expected: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    match measured(cell) {
        None => Ok(None),
        Some(cell) => read(cell)
            .map(Some)
            .ok_or_else(|| format!("“{cell}” where {expected} was expected")),
    }
}

/// `PASS`, `⚠ KAT MISMATCH`, `KAT MISMATCH`, ….
fn kat_status(cell: &str) -> Result<KatStatus, String> {
    let word = cell.trim_start_matches(WARNING).trim();
    let word = word.strip_prefix("KAT ").unwrap_or(word);
    match measured(word) {
        None => Ok(KatStatus::NotRun),
        Some(word) => KatStatus::from_word(word).ok_or_else(|| {
            format!("“{cell}” where a KAT status like PASS or MISMATCH was expected")
        }),
    }
}

/// `26940 (5 × 5388)`, `26940`, `n=85`, `>=100`, `≥ 100` or a dash.
fn calls(timing: &mut Timing, cell: &str) -> Result<(), String> {
    let expected = || format!("“{cell}” where calls like “26940 (5 × 5388)” were expected");
    let Some(text) = measured(cell) else {
        return Ok(());
    };
    let (n, plan) = match text.split_once('(') {
        None => (text.trim(), None),
        Some((n, plan)) => (n.trim(), Some(plan)),
    };
    let n = n.strip_prefix("n=").unwrap_or(n);
    if let Some(bound) = n.strip_prefix(">=").or_else(|| n.strip_prefix('≥')) {
        timing.calls_at_least = Some(parse::whole(bound.trim()).ok_or_else(expected)?);
    } else {
        timing.calls = Some(parse::whole(n).ok_or_else(expected)?);
    }
    if let Some(plan) = plan {
        let plan = plan.strip_suffix(')').ok_or_else(expected)?;
        let (trials, iterations) = plan.split_once(['×', 'x', '*']).ok_or_else(expected)?;
        timing.trials = Some(parse::whole(trials.trim()).ok_or_else(expected)?);
        timing.iterations = Some(parse::whole(iterations.trim()).ok_or_else(expected)?);
        let product = timing
            .trials
            .zip(timing.iterations)
            .and_then(|(t, i)| t.checked_mul(i));
        if timing.calls.is_some() && timing.calls != product {
            return Err(format!("“{cell}”: the calls are not trials × iterations"));
        }
    }
    Ok(())
}

/// `35%`, `??%` or a dash.
fn share(cell: &str) -> Result<(Option<Figure>, Option<UnknownShare>), String> {
    if cell == "??%" || cell == "??" {
        return Ok((None, Some(UnknownShare::Undetermined)));
    }
    let share = figure(cell, "a share like “35%”", parse::share)?;
    match share {
        Some(share) if share.value > 1.0 => Err(format!("“{cell}” is more than the whole")),
        share => Ok((share, None)),
    }
}

/// `drng 1, pseudoXOF 6.01, sm3hash 2`, nothing or a dash.
fn primitive_calls(cell: &str) -> Result<Vec<PrimitiveCalls>, String> {
    let Some(text) = measured(cell).filter(|text| !text.is_empty()) else {
        return Ok(Vec::new());
    };
    text.split(',')
        .map(|part| {
            let (primitive, number) = part.trim().rsplit_once(' ')?;
            Some(PrimitiveCalls {
                primitive: primitive.trim().to_owned(),
                calls: parse::calls_per_operation(number)?,
            })
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| format!("“{cell}” where calls like “drng 1, pseudoXOF 6.01” were expected"))
}
