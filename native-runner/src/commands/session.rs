//! What `kat`, `measure` and `run` have in common: a run is begun or resumed, worked on, and summed up.

use super::SelectionArgs;
use super::host::Host;
use super::part::{PartArgs, Planned};
use super::target::EmulationArgs;
use crate::build::{Builder, Toolchain};
use crate::campaign::{self, Campaign};
use crate::emulator::{Emulator, architecture_of, this_program_emulated};
use crate::executor::ProcessExecutor;
use crate::host::in_use::name_cores;
use crate::host::{HostFacts, Root, allowed_cpus, difference, environment};
use crate::interrupt::Interrupt;
use crate::measure::Settings;
use crate::outcome::Outcome;
use crate::package::{self, Instance};
use crate::run::{RunDirectory, begin_alone, latest_unfinished};
use crate::shard::{Asked, Work};
use crate::{cache, progress, summary, time};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use kemscope_schema::identifier::is_identifier;
use kemscope_schema::run::{RunInstance, RunManifest, RunMethod, RunStatus, RunStep};
use kemscope_schema::{Environment, PlanKind, SCHEMA_VERSION};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where and on what a run is made.
#[derive(Args, Clone, Debug)]
pub struct RunPlaceArgs {
    /// Name of the system in the data sets
    #[arg(long, value_name = "ID", default_value = "local")]
    pub system: String,

    /// The CPU to pin measuring processes to (default: the last of the fastest kind)
    #[arg(long, value_name = "N")]
    pub cpu: Option<u32>,

    /// Folder of the run directories
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,

    /// Seconds after which a single call counts as hanging (default: 300, quick 60)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: Option<u64>,

    /// Memory that a measuring process may use, in MiB (default: three quarters of the machine's)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..=1 << 30))]
    pub memory_limit: Option<u64>,

    /// For which machine, and what runs that
    #[command(flatten)]
    pub emulation: EmulationArgs,
}

/// What a measuring process may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Seconds for a single call.
    pub timeout_seconds: Option<u64>,
    /// Memory in MiB.
    pub memory_mib: Option<u64>,
}

impl Limits {
    /// The limit of a single call in seconds.
    fn call_seconds(&self, plan: PlanKind) -> u64 {
        self.timeout_seconds.unwrap_or(match plan {
            PlanKind::Published | PlanKind::Adaptive => 300,
            PlanKind::Quick => 60,
        })
    }

    /// The limit of the memory in bytes, on a machine with so much of it.
    fn memory_bytes(&self, machine_mib: Option<u64>) -> Option<u64> {
        let mib = self.memory_mib.or(machine_mib.map(|mib| mib / 4 * 3))?;
        mib.checked_mul(1 << 20)
    }
}

impl RunPlaceArgs {
    /// The limits that were asked for.
    pub fn limits(&self) -> Limits {
        Limits {
            timeout_seconds: self.timeout,
            memory_mib: self.memory_limit,
        }
    }
}

/// What a run does.
pub struct Order<'a> {
    /// Which instances.
    pub selection: &'a SelectionArgs,
    /// Where.
    pub place: &'a RunPlaceArgs,
    /// How thoroughly.
    pub plan: PlanKind,
    /// Choices that go with it.
    pub method: RunMethod,
    /// Which steps.
    pub steps: &'a [RunStep],
    /// Which part of the campaign.
    pub part: &'a PartArgs,
}

impl Order<'_> {
    /// The part of the campaign that is to be done.
    pub(super) fn part(&self, tools: &Tools) -> Result<Planned> {
        let target = self.place.emulation.target.target.as_deref();
        let all = self.selection.resolve_for(target)?;
        self.part.of(all, &self.asked(tools), &tools.builder)
    }

    /// What is done with each instance.
    pub(super) fn work(&self) -> Work {
        Work {
            kind: self.plan,
            method: self.method,
            steps: self.steps.to_vec(),
            timeout_seconds: self.place.limits().call_seconds(self.plan) as f64,
        }
    }

    fn asked<'a>(&'a self, tools: &'a Tools) -> Asked<'a> {
        Asked {
            system: &self.place.system,
            target: tools.builder.target(),
            emulator: tools.emulator.as_ref().map(Emulator::version),
            work: self.work(),
            memory_mib: self.place.limits().memory_mib,
        }
    }
}

/// Begins a new run and works on it; where it was asked for and there is one already, goes on with that.
pub fn begin(order: &Order<'_>) -> Result<Outcome> {
    let place = order.place;
    ensure!(
        is_identifier(&place.system),
        "--system {}: a system's name consists of letters, digits, - and _, and begins with a letter or digit",
        place.system
    );
    let tools = Tools::for_place(place)?;
    let part = order.part(&tools)?;
    // Nobody else looks and begins until this run can be found.
    let alone = begin_alone(&place.runs)?;
    if let Some(root) = part.standing(&place.runs)? {
        drop(alone);
        return resume(Some(&root), &place.runs, &place.limits(), place.cpu);
    }
    let instances = part.instances;
    let packages = order.selection.folders()?;
    let mut directory = RunDirectory::create(&place.runs, &place.system, part.suffix.as_deref())?;
    for (number, folder) in packages.iter().enumerate() {
        let word = match number {
            0 => "packages".to_owned(),
            _ => format!("packages-{}", number + 1),
        };
        if folder != package::BUILTIN {
            directory.keep_private(&word, Path::new(folder))?;
        }
    }
    if let Some(emulator) = &tools.emulator {
        directory.keep_private("runner", emulator.runner())?;
    }
    let environment = tools.environment()?;
    let started_utc = time::now_utc();
    let manifest = RunManifest {
        schema_version: SCHEMA_VERSION,
        run: directory.name(),
        system: place.system.clone(),
        architecture: tools.architecture().to_owned(),
        status: RunStatus::Running,
        plan: order.plan,
        method: order.method,
        steps: order.steps.to_vec(),
        cpu: Some(tools.host.facts.cpu),
        cpus: Vec::new(),
        runner_version: env!("CARGO_PKG_VERSION").to_owned(),
        command: std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        environment: Environment {
            campaign_start_utc: Some(started_utc.clone()),
            ..environment
        },
        started_utc,
        ended_utc: None,
        packages,
        emulation: tools.emulator.as_ref().map(Emulator::record),
        campaign_sha256: Some(part.campaign_sha256),
        shard: part.shard,
        merged_from: None,
        instances: instances.iter().map(Instance::to_run_instance).collect(),
    };
    directory.write_manifest(&manifest)?;
    drop(alone);
    work(directory, manifest, instances, &tools, &place.limits())
}

/// Goes on with a run: the given one, or the latest unfinished one; on its own CPU where none is asked for.
pub fn resume(
    run: Option<&Path>,
    runs: &Path,
    limits: &Limits,
    cpu: Option<u32>,
) -> Result<Outcome> {
    let root = match run {
        Some(root) => root.to_owned(),
        None => latest_unfinished(runs)?
            .with_context(|| format!("there is no unfinished run below {}", runs.display()))?,
    };
    let (directory, mut manifest) = RunDirectory::open(&root)?;
    if manifest.status == RunStatus::Complete && campaign::is_settled(&directory, &manifest)? {
        writeln!(
            std::io::stdout(),
            "{} is complete: nothing to resume",
            directory.path().display()
        )?;
        return summary::print(&directory, &manifest);
    }
    if let Some(merged) = &manifest.merged_from {
        let runs: Vec<&str> = merged.shards.iter().map(|shard| &*shard.run).collect();
        bail!(
            "{} was joined from shards: go on with the one that has gaps, and merge again ({})",
            root.display(),
            runs.join(", ")
        );
    }
    let all = SelectionArgs {
        packages: manifest.packages.iter().map(PathBuf::from).collect(),
        ..SelectionArgs::default()
    };
    let instances = matching(&manifest, &all.resolve()?)?;
    let tools = Tools::of(&manifest, cpu)?;
    let now = tools.environment()?;
    same_host(&manifest, tools.architecture(), &now)?;
    move_to(&mut manifest, tools.host.facts.cpu);
    work(directory, manifest, instances, &tools, limits)
}

/// Notes that the run goes on on this CPU.
fn move_to(manifest: &mut RunManifest, cpu: u32) {
    let Some(before) = manifest.cpu.replace(cpu).filter(|before| *before != cpu) else {
        return;
    };
    for number in [before, cpu] {
        if !manifest.cpus.contains(&number) {
            manifest.cpus.push(number);
        }
    }
    name_cores(&mut manifest.environment, &manifest.cpus);
}

/// The instances of a manifest among those there are.
fn matching(manifest: &RunManifest, all: &[Instance]) -> Result<Vec<Instance>> {
    let find = |wanted: &RunInstance| {
        let found = all.iter().find(|i| i.to_run_instance() == *wanted);
        found.cloned().with_context(|| {
            format!(
                "the run has {}/{} from {}, which is not at hand any more: begin a new run",
                wanted.family.id, wanted.name, wanted.source
            )
        })
    };
    manifest.instances.iter().map(find).collect()
}

/// Figures of one run belong to machines of one kind in one state.
fn same_host(manifest: &RunManifest, architecture: &str, now: &Environment) -> Result<()> {
    let then = (&*manifest.architecture, &manifest.environment);
    if let Some(other) = difference(then, (architecture, now)) {
        bail!(
            "the run was begun with {} `{}`, now it is `{}`: begin a new run",
            other.what,
            other.first,
            other.second
        );
    }
    Ok(())
}

/// Compiler and host.
pub(super) struct Tools {
    /// The host.
    pub host: Host,
    /// The compiler.
    pub builder: Builder,
    emulator: Option<Emulator>,
}

impl Tools {
    fn new(cpu: Option<u32>, target: Option<&str>, emulator: Option<Emulator>) -> Result<Tools> {
        let cache = cache::folder()?;
        let toolchain = Toolchain::detect(&cache.join("probe"), target)?;
        Ok(Tools {
            host: Host::look(&Root::system(), cpu)?,
            builder: Builder::new(toolchain, &cache),
            emulator,
        })
    }

    /// Those that the command line asks for.
    pub fn for_place(place: &RunPlaceArgs) -> Result<Tools> {
        let target = place.emulation.target.target.as_deref();
        Tools::new(place.cpu, target, place.emulation.emulator()?)
    }

    /// Those that a run was begun with.
    fn of(manifest: &RunManifest, cpu: Option<u32>) -> Result<Tools> {
        let emulation = manifest.emulation.as_ref();
        let emulator = match emulation {
            Some(e) => Some(Emulator::find(
                &e.target,
                Some(&e.program),
                Some(Path::new(&e.runner)),
            )?),
            None => None,
        };
        // A batch system may give a job that it starts again another core of the same kind.
        let allowed = allowed_cpus();
        let own = manifest.cpu.filter(|cpu| allowed.contains(cpu));
        let cpu = cpu.or(own);
        Tools::new(cpu, emulation.map(|e| &*e.target), emulator)
    }

    /// The instruction set that is measured.
    fn architecture(&self) -> &str {
        architecture_of(self.builder.target())
    }

    /// The host as records tell of it.
    pub fn environment(&self) -> Result<Environment> {
        let compiler = self.builder.compiler();
        let (facts, probes) = (&self.host.facts, &self.host.probes);
        match &self.emulator {
            Some(emulator) => Ok(emulator.environment(facts.cpu, compiler)?),
            None => Ok(environment(facts, probes, Some(compiler))),
        }
    }

    /// What carries out tasks.
    pub fn executor(&self, interrupt: Interrupt) -> std::io::Result<ProcessExecutor> {
        match &self.emulator {
            Some(emulator) => Ok(ProcessExecutor::new(emulator.command(), interrupt)),
            None if self.host.facts.emulated.known() == Some(true) => {
                Ok(ProcessExecutor::new(this_program_emulated()?, interrupt))
            }
            None => ProcessExecutor::of_this_program(interrupt),
        }
    }
}

/// How operations are timed on a host.
pub(super) fn settings(
    kind: PlanKind,
    method: RunMethod,
    environment: &Environment,
    limits: &Limits,
) -> Settings {
    Settings {
        kind,
        method,
        cycle_source: environment.cycle_source,
        fixed_clock_hz: environment.fixed_clock_hz.map(|figure| figure.value),
        call_timeout: Duration::from_secs(limits.call_seconds(kind)),
    }
}

fn work(
    directory: RunDirectory,
    manifest: RunManifest,
    instances: Vec<Instance>,
    tools: &Tools,
    limits: &Limits,
) -> Result<Outcome> {
    let interrupt = Interrupt::install().context("cannot catch Ctrl-C")?;
    let asked_to_stop = interrupt.clone();
    let settings = settings(
        manifest.plan,
        manifest.method,
        &manifest.environment,
        limits,
    );
    let mut executor = tools
        .executor(interrupt.clone())?
        .with_memory_limit(limits.memory_bytes(tools.host.facts.memory_mib));
    let mut progress = progress::for_this_terminal();
    for finding in &manifest.environment.findings {
        progress.line(&format!("⚠ {}: {}", finding.check, finding.message));
    }
    progress.line(&format!("run directory {}", directory.path().display()));
    let cpu = tools.host.facts.cpu;
    let mut campaign = Campaign {
        built: BTreeSet::new(),
        settings,
        directory,
        manifest,
        instances,
        builder: &tools.builder,
        executor: &mut executor,
        progress: progress.as_mut(),
        interrupt,
        load_average: &|| {
            HostFacts::read(&Root::system(), cpu, std::env::consts::ARCH).load_average
        },
    };
    let status = campaign.run()?;
    let (directory, manifest) = (campaign.directory, campaign.manifest);
    let outcome = summary::print(&directory, &manifest)?;
    if status == RunStatus::Interrupted {
        let path = directory.path().display();
        let mut out = std::io::stdout();
        writeln!(
            out,
            "interrupted: go on with `native-runner run --resume {path}`"
        )?;
        return Ok(Outcome::Interrupted {
            signal: asked_to_stop.signal(),
        });
    }
    if !campaign::is_settled(&directory, &manifest)? {
        writeln!(
            std::io::stdout(),
            "some results are missing because the measuring process itself failed: try them again with \
             `native-runner run --resume {}`",
            directory.path().display()
        )?;
    }
    Ok(outcome)
}
