//! The instances of a page while the rows of sections 3 to 7 are read.

use super::cells::WARNING;
use super::figures::{calls, figure, kat_status, measured, primitive_calls, share};
use super::table::Row;
use kemscope_schema::{
    CycleSource, Evidence, EvidenceKind, InstanceRecord, KatResult, KatStatus, Memory, Operation,
    OperationRecord, Profile, Sizes, Timing, parse,
};

/// The instances of a page while its sections are read.
#[derive(Default)]
pub struct Instances {
    list: Vec<InstanceRecord>,
}

impl Instances {
    /// The records, in the order of section 3.
    pub fn into_records(self) -> Vec<InstanceRecord> {
        self.list
    }

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
                self.list.push(InstanceRecord::empty(name, "reference"));
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
            instance.operations.push(OperationRecord::empty(operation));
            instance.operations.len() - 1
        });
        Ok(&mut instance.operations[at])
    }

    /// Section 3: build flags and KAT status; brings the instances in.
    ///
    /// # Errors
    /// Says which cell is not of its form.
    pub fn kat(&mut self, row: &Row) -> Result<(), String> {
        let status = kat_status(&row.cells[2])?;
        let instance = self.instance(&row.cells[0], true)?;
        instance.implementation.build_flags = measured(&row.cells[1]).map(str::to_owned);
        instance.kat = KatResult::of(status);
        Ok(())
    }

    /// Section 4: cycles, times, rate and calls.
    ///
    /// # Errors
    /// Says which cell is not of its form.
    pub fn performance(&mut self, row: &Row) -> Result<(), String> {
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

    /// Section 5: memory.
    ///
    /// # Errors
    /// Says which cell is not of its form.
    pub fn memory(&mut self, row: &Row) -> Result<(), String> {
        let memory = Memory {
            elf_load_bytes: figure(&row.cells[2], "a number of bytes", parse::whole)?,
            baseline_rss_bytes: figure(
                &row.cells[3],
                "memory like “1416 KiB”",
                parse::memory_bytes,
            )?,
            peak_rss_bytes: figure(&row.cells[4], "memory like “1416 KiB”", parse::memory_bytes)?,
            ..Memory::default()
        };
        let record = self.operation(row)?;
        if record.memory.replace(memory).is_some() {
            return Err(twice(row));
        }
        Ok(())
    }

    /// Section 6: sizes.
    ///
    /// # Errors
    /// Says which cell is not of its form.
    pub fn sizes(&mut self, row: &Row) -> Result<(), String> {
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

    /// Symmetric primitives: shares and calls per operation.
    ///
    /// # Errors
    /// Says which cell is not of its form.
    pub fn symmetric(&mut self, row: &Row) -> Result<(), String> {
        let (hash_share, hash_share_unknown) = share(&row.cells[2])?;
        let (drng_share, drng_share_unknown) = share(&row.cells[3])?;
        let profile = Profile {
            hash_share,
            hash_share_unknown,
            drng_share,
            drng_share_unknown,
            primitive_calls: primitive_calls(&row.cells[4])?,
            ..Profile::default()
        };
        let record = self.operation(row)?;
        if record.profile.replace(profile).is_some() {
            return Err(twice(row));
        }
        Ok(())
    }

    /// Section 7: one evidence file.
    ///
    /// # Errors
    /// Says which cell is not of its form.
    pub fn evidence(&mut self, row: &Row) -> Result<(), String> {
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
        let instance = self.instance(&row.cells[0], false)?;
        if instance.evidence.contains(&evidence) {
            return Err(twice(row));
        }
        instance.evidence.push(evidence);
        Ok(())
    }
}

fn twice(row: &Row) -> String {
    format!("“{} {}” appears twice", row.cells[0], row.cells[1])
}
