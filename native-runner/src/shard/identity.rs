//! What a campaign is: what it measures, and how.

use super::cost::Work;
use crate::files::sha256_hex;
use crate::package::{Expected, Instance, KatSpec};
use kemscope_schema::run::{RunMethod, RunStep};
use kemscope_schema::{PlanKind, SCHEMA_VERSION};
use serde::Serialize;

/// What a campaign was asked to do, beside its instances.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Identifier of the system.
    pub system: &'a str,
    /// Triple of the machine that libraries are for.
    pub target: &'a str,
    /// The emulator, where there is one, as it introduces itself.
    pub emulator: Option<&'a str>,
    /// How operations are timed, and the steps.
    pub work: Work,
    /// Limit of the memory in MiB, where one was asked for.
    pub memory_mib: Option<u64>,
}

#[derive(Serialize)]
struct Identity<'a> {
    schema_version: u32,
    runner_version: &'static str,
    system: &'a str,
    target: &'a str,
    emulator: Option<&'a str>,
    plan: PlanKind,
    method: &'a RunMethod,
    steps: &'a [RunStep],
    timeout_seconds: f64,
    memory_mib: Option<u64>,
    instances: Vec<Member<'a>>,
}

#[derive(Serialize)]
struct Member<'a> {
    family: &'a str,
    instance: &'a str,
    implementation: &'a str,
    /// Digests of sources, flags and compiler.
    inputs: &'a [String],
    kat: Option<String>,
}

/// SHA-256 of a campaign's identity as JSON. Where packages lie and on which of several equal machines the
/// campaign runs does not matter; `inputs` are the digests of each instance's inputs.
///
/// # Errors
/// If it has no JSON form.
pub fn campaign_sha256(
    asked: &Asked<'_>,
    instances: &[Instance],
    inputs: &[Vec<String>],
) -> serde_json::Result<String> {
    let identity = Identity {
        schema_version: SCHEMA_VERSION,
        runner_version: env!("CARGO_PKG_VERSION"),
        system: asked.system,
        target: asked.target,
        emulator: asked.emulator,
        plan: asked.work.kind,
        method: &asked.work.method,
        steps: &asked.work.steps,
        timeout_seconds: asked.work.timeout_seconds,
        memory_mib: asked.memory_mib,
        instances: instances
            .iter()
            .zip(inputs)
            .map(|(instance, inputs)| Member {
                family: &instance.family.id,
                instance: &instance.name,
                implementation: &instance.implementation,
                inputs,
                kat: instance
                    .declared
                    .kat
                    .as_ref()
                    .map(|kat| expected(instance, kat)),
            })
            .collect(),
    };
    Ok(sha256_hex(&serde_json::to_vec(&identity)?))
}

/// What a known-answer test is compared with. A text that comes with the package may be large; its name and
/// length stand for it.
fn expected(instance: &Instance, kat: &KatSpec) -> String {
    match &kat.expected {
        Expected::Digest {
            sha256,
            mode,
            origin,
        } => format!(
            "{:?} {:?} {mode:?} {origin:?} {sha256}",
            kat.form, kat.generator
        ),
        Expected::File(path) => {
            let length = std::fs::metadata(path).map_or(0, |file| file.len());
            let name = instance.relative(path).display();
            format!("{:?} {:?} {name} {length}", kat.form, kat.generator)
        }
    }
}
