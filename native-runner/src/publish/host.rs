//! The host that several runs were made on.

use crate::host::in_use::processor;
use anyhow::{Result, bail};
use kemscope_schema::run::RunManifest;
use kemscope_schema::{Environment, Provenance, SCHEMA_VERSION, System};

/// The environment of runs on one host: the newest run's, with the findings of all, and the campaign
/// from the first start to the last end. `None` without runs.
pub fn environment<'a>(runs: impl Iterator<Item = &'a RunManifest>) -> Option<Environment> {
    let mut runs: Vec<&RunManifest> = runs.collect();
    runs.sort_by(|a, b| (&b.started_utc, &b.run).cmp(&(&a.started_utc, &a.run)));
    runs.dedup_by(|a, b| a.run == b.run);
    let mut environment = runs.first()?.environment.clone();
    for finding in runs[1..].iter().flat_map(|run| &run.environment.findings) {
        if !environment
            .findings
            .iter()
            .any(|f| f.check == finding.check)
        {
            environment.findings.push(finding.clone());
        }
    }
    environment.campaign_start_utc = runs.iter().map(|run| run.started_utc.clone()).min();
    environment.campaign_end_utc = runs.iter().filter_map(|run| run.ended_utc.clone()).max();
    Some(environment)
}

/// What a system's file says that no run does.
#[derive(Clone, Debug)]
pub struct Stated<'a> {
    /// Identifier of the system.
    pub id: &'a str,
    /// What people call it.
    pub label: &'a str,
    /// Name of the host, where its owner asked for it to be published.
    pub host_name: Option<String>,
}

/// The system's file for runs on one host.
pub fn system<'a>(
    stated: Stated<'_>,
    architecture: &str,
    runs: impl Iterator<Item = &'a RunManifest>,
) -> System {
    System {
        schema_version: SCHEMA_VERSION,
        id: stated.id.to_owned(),
        label: stated.label.to_owned(),
        host_name: stated.host_name,
        architecture: architecture.to_owned(),
        provenance: Provenance::Measured,
        environment: environment(runs).unwrap_or_default(),
    }
}

/// Refuses to mix runs of two hosts, or of two ways of counting, in one system.
///
/// # Errors
/// Names what differs.
pub fn refuse_other(new: &RunManifest, old: &RunManifest) -> Result<()> {
    let yes_no = |value: Option<bool>| value.map_or("unknown".to_owned(), |v| v.to_string());
    let facts = |run: &RunManifest| {
        let e = &run.environment;
        [
            ("architecture", run.architecture.clone()),
            ("processor", processor(e).unwrap_or_default().to_owned()),
            ("machine", e.machine.clone().unwrap_or_default()),
            ("virtualised", yes_no(e.virtualised)),
            ("emulated", yes_no(e.emulated)),
            (
                "cycle source",
                e.cycle_source.map_or("none", |s| s.name()).to_owned(),
            ),
        ]
    };
    for ((what, new_value), (_, old_value)) in facts(new).iter().zip(facts(old)) {
        if *new_value != old_value {
            bail!(
                "{what} of the run {} is “{new_value}”, of the run {} already published for system {} “{old_value}”; publish under another system name (run --system …)",
                new.run,
                old.run,
                new.system
            );
        }
    }
    Ok(())
}
