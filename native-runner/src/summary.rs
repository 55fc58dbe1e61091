//! What a run came to, for its user.

use crate::outcome::Outcome;
use crate::profile::share;
use crate::run::{Layout, RunDirectory};
use crate::terminal;
use kemscope_schema::run::{
    BuildResult, BuildStatus, End, KatRun, OperationRun, ProfileRun, RunManifest, RunStep,
};
use kemscope_schema::{KatStatus, Operation, PlanKind, format};
use std::io::Write;

/// Prints a table of all instances of a run and says whether all is well.
///
/// # Errors
/// If its files cannot be read, or nothing can be printed.
pub fn print(directory: &RunDirectory, manifest: &RunManifest) -> anyhow::Result<Outcome> {
    let with_kat = manifest.steps.contains(&RunStep::Kat);
    let with_times = manifest.steps.contains(&RunStep::Measure);
    let mut header = vec!["instance".to_owned()];
    if with_kat {
        header.push("KAT".to_owned());
    }
    if with_times {
        header.extend(Operation::ALL.map(|operation| operation.to_string()));
    }
    let mut rows = vec![header];
    let mut shares = Vec::new();
    let mut well = true;
    let mut disturbed = Vec::new();
    let mut imprecise = Vec::new();
    for instance in &manifest.instances {
        let layout = Layout::new(
            &instance.family.id,
            &instance.name,
            &instance.implementation,
        );
        let mut row = vec![format!(
            "{}/{}/{}",
            instance.family.id, instance.name, instance.implementation
        )];
        let build: Option<BuildResult> = directory.read(&layout.build())?.record();
        let built = build.is_some_and(|build| build.status == BuildStatus::Built);
        well &= built;
        if with_kat {
            let kat: Option<KatRun> = directory.read(&layout.kat())?.record();
            let status = kat.map_or(KatStatus::NotRun, |kat| kat.result.status);
            well &= status.is_well();
            row.push(status.to_string());
        }
        if with_times {
            for operation in Operation::ALL {
                let record: Option<OperationRun> =
                    directory.read(&layout.record(operation))?.record();
                let figure = record.as_ref().and_then(time_of);
                well &= figure.is_some();
                let name = format!("{} {operation}", instance.name);
                if let Some(record) = &record {
                    match terminal::disturbed(record) {
                        0 => {}
                        count => {
                            let causes = terminal::causes(record);
                            disturbed.push(format!("{name} ({count}: {causes})"));
                        }
                    }
                    if is_imprecise(record) {
                        imprecise.push(name);
                    }
                }
                row.push(figure.unwrap_or_else(|| "–".to_owned()));
            }
        }
        if manifest.steps.contains(&RunStep::Profile) {
            let mut row = vec![row[0].clone()];
            for operation in Operation::ALL {
                let profile: Option<ProfileRun> =
                    directory.read(&layout.profile(operation))?.record();
                let figure = profile.as_ref().and_then(shares_of);
                well &= figure.is_some();
                row.push(figure.unwrap_or_else(|| "–".to_owned()));
            }
            shares.push(row);
        }
        rows.push(row);
    }
    let mut out = std::io::stdout().lock();
    if with_kat || with_times {
        write!(out, "{}", terminal::table(&rows))?;
    }
    if !shares.is_empty() {
        let header = ["share of hashing + randomness", "keygen", "enc", "dec"];
        shares.insert(0, header.map(str::to_owned).to_vec());
        write!(out, "{}", terminal::table(&shares))?;
    }
    if with_times && manifest.plan == PlanKind::Quick {
        writeln!(
            out,
            "quick figures: five trials of about 50 ms, a first impression"
        )?;
    }
    if !disturbed.is_empty() {
        well &= manifest.method.keep_disturbed;
        let what = if manifest.method.keep_disturbed {
            "disturbed trials, kept as they came"
        } else {
            "trials still disturbed after two repetitions"
        };
        writeln!(out, "{what}: {}", disturbed.join(", "))?;
    }
    if let (false, Some(precision)) = (imprecise.is_empty(), manifest.method.precision) {
        well = false;
        writeln!(
            out,
            "precision of {} not reached within the trials and time allowed: {}",
            terminal::percent(precision),
            imprecise.join(", ")
        )?;
    }
    writeln!(out, "run directory: {}", directory.path().display())?;
    Ok(Outcome::well_if(well))
}

/// The mean time of a record without failure.
fn time_of(record: &OperationRun) -> Option<String> {
    if record.failure.is_some() {
        return None;
    }
    let statistics = record.statistics().ok()?;
    Some(format::seconds(statistics.mean_seconds))
}

/// Whether a record without failure ended before its interval was as narrow as was asked.
fn is_imprecise(record: &OperationRun) -> bool {
    let end = record.plan.and_then(|plan| plan.end(&record.trials));
    record.failure.is_none() && end == Some(End::Exhausted)
}

/// The shares of a profile without failure: `35% + 2.1%`.
fn shares_of(run: &ProfileRun) -> Option<String> {
    if run.failure.is_some() {
        return None;
    }
    let profile = share::published(run).ok()?;
    Some(format!(
        "{} + {}",
        terminal::share_or_question(profile.hash_share),
        terminal::share_or_question(profile.drng_share)
    ))
}
