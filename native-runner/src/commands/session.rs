//! What `kat`, `measure` and `run` have in common: a run is begun or resumed, worked on, and summed up.

use super::SelectionArgs;
use super::host::Host;
use super::target::EmulationArgs;
use crate::build::{Builder, Toolchain};
use crate::campaign::{self, Campaign};
use crate::emulator::{Emulator, architecture_of, this_program_emulated};
use crate::executor::ProcessExecutor;
use crate::host::{HostFacts, Root, environment};
use crate::interrupt::Interrupt;
use crate::measure::Settings;
use crate::outcome::Outcome;
use crate::package::{self, Instance};
use crate::run::{RunDirectory, latest_unfinished};
use crate::{cache, progress, summary, time};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use kemscope_schema::identifier::is_identifier;
use kemscope_schema::run::{RunInstance, RunManifest, RunMethod, RunStatus, RunStep};
use kemscope_schema::{CycleSource, Environment, PlanKind, SCHEMA_VERSION};
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
}

/// Begins a new run and works on it.
pub fn begin(order: &Order<'_>) -> Result<Outcome> {
    let place = order.place;
    ensure!(
        is_identifier(&place.system),
        "--system {}: a system's name consists of letters, digits, - and _, and begins with a letter or digit",
        place.system
    );
    let target = place.emulation.target.target.as_deref();
    let instances = order.selection.resolve_for(target)?;
    let tools = Tools::for_place(place)?;
    let packages = order.selection.folders()?;
    let mut directory = RunDirectory::create(&place.runs, &place.system)?;
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
        instances: instances.iter().map(Instance::to_run_instance).collect(),
    };
    work(directory, manifest, instances, &tools, &place.limits())
}

/// Goes on with a run: the given one, or the latest unfinished one.
pub fn resume(run: Option<&Path>, runs: &Path, limits: &Limits) -> Result<Outcome> {
    let root = match run {
        Some(root) => root.to_owned(),
        None => latest_unfinished(runs)?
            .with_context(|| format!("there is no unfinished run below {}", runs.display()))?,
    };
    let (directory, manifest) = RunDirectory::open(&root)?;
    if manifest.status == RunStatus::Complete && campaign::is_settled(&directory, &manifest)? {
        writeln!(
            std::io::stdout(),
            "{} is complete: nothing to resume",
            directory.path().display()
        )?;
        return summary::print(&directory, &manifest);
    }
    let all = SelectionArgs {
        packages: manifest.packages.iter().map(PathBuf::from).collect(),
        ..SelectionArgs::default()
    };
    let instances = matching(&manifest, &all.resolve()?)?;
    let tools = Tools::of(&manifest)?;
    same_host(&manifest, tools.architecture(), &tools.environment()?)?;
    work(directory, manifest, instances, &tools, limits)
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

/// Figures of one run belong to one machine in one state.
fn same_host(manifest: &RunManifest, architecture: &str, now: &Environment) -> Result<()> {
    let then = &manifest.environment;
    let yes_or_no =
        |value: Option<bool>| value.map(|yes| if yes { "yes" } else { "no" }.to_owned());
    let source = |value: Option<CycleSource>| {
        let name = value.map_or("none", CycleSource::name);
        Some(name.to_owned())
    };
    let own = |value: &Option<String>| value.clone();
    let pairs = [
        (
            "architecture",
            Some(manifest.architecture.clone()),
            Some(architecture.to_owned()),
        ),
        ("processor", own(&then.processor), own(&now.processor)),
        ("machine", own(&then.machine), own(&now.machine)),
        ("kernel", own(&then.kernel), own(&now.kernel)),
        ("compiler", own(&then.compiler), own(&now.compiler)),
        ("clock", own(&then.clock), own(&now.clock)),
        (
            "cycle source",
            source(then.cycle_source),
            source(now.cycle_source),
        ),
        (
            "virtual machine",
            yes_or_no(then.virtualised),
            yes_or_no(now.virtualised),
        ),
        (
            "emulator",
            yes_or_no(then.emulated),
            yes_or_no(now.emulated),
        ),
    ];
    for (what, then, now) in pairs {
        if then != now {
            let word = |value: Option<String>| value.unwrap_or("unknown".to_owned());
            bail!(
                "the run was begun with {what} `{}`, now it is `{}`: begin a new run",
                word(then),
                word(now)
            );
        }
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
    fn of(manifest: &RunManifest) -> Result<Tools> {
        let emulation = manifest.emulation.as_ref();
        let emulator = match emulation {
            Some(e) => Some(Emulator::find(
                &e.target,
                Some(&e.program),
                Some(Path::new(&e.runner)),
            )?),
            None => None,
        };
        Tools::new(manifest.cpu, emulation.map(|e| &*e.target), emulator)
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
    let call_timeout = limits.timeout_seconds.unwrap_or(match kind {
        PlanKind::Published | PlanKind::Adaptive => 300,
        PlanKind::Quick => 60,
    });
    Settings {
        kind,
        method,
        cycle_source: environment.cycle_source,
        fixed_clock_hz: environment.fixed_clock_hz.map(|figure| figure.value),
        call_timeout: Duration::from_secs(call_timeout),
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
