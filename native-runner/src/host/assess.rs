//! What makes a host unfit to measure.

use super::facts::HostFacts;
use super::probes::Probes;
use crate::counter::PerfAvailability;
use kemscope_schema::Finding;

/// Load above which something else is at work: a measuring host is idle but for the runner.
const LOAD_LIMIT: f64 = 0.5;

/// Everything that stands against quoting figures from this host, gravest first; empty if nothing.
pub fn assess(facts: &HostFacts, probes: &Probes) -> Vec<Finding> {
    let checks = [
        emulated(facts),
        virtualised(facts),
        counter(facts, &probes.perf),
        clock(facts),
        boost(facts),
        smt(facts),
        heat(facts),
        load(facts),
        overhead(probes),
    ];
    checks.into_iter().flatten().collect()
}

/// What stands against the program itself: a debug build runs the generator behind `randombytes`,
/// which is part of every timed call, without optimisation.
pub fn assess_runner() -> Option<Finding> {
    cfg!(debug_assertions).then_some(())?;
    finding(
        "debug-runner",
        "This native-runner is a debug build: its share in every timed call (randombytes) is slow."
            .to_owned(),
        "Build it with --release.",
    )
}

fn finding(check: &str, message: String, remedy: impl Into<String>) -> Option<Finding> {
    Some(Finding {
        check: check.to_owned(),
        message,
        remedy: remedy.into(),
    })
}

fn emulated(facts: &HostFacts) -> Option<Finding> {
    let reason = facts.emulated.reason()?;
    let message = format!("The processor is emulated: {reason}.");
    finding(
        "emulated",
        message,
        "Measure on real hardware; emulated timings say nothing and are never published.",
    )
}

fn virtualised(facts: &HostFacts) -> Option<Finding> {
    let reason = facts.virtualised.reason()?;
    let message = format!("This is a virtual machine: {reason}.");
    finding(
        "virtualised",
        message,
        "Measure on the bare machine, or take the figures as rough.",
    )
}

fn counter(facts: &HostFacts, perf: &PerfAvailability) -> Option<Finding> {
    let PerfAvailability::Unavailable { error } = perf else {
        return None;
    };
    let paranoid = facts
        .perf_event_paranoid
        .map_or("unknown".to_owned(), |value| value.to_string());
    let (message, remedy) = match error.as_str() {
        "ENOENT" | "ENODEV" | "EOPNOTSUPP" => (
            format!("There is no hardware cycle counter (perf_event_open: {error})."),
            "Nothing can be done in a guest without a virtual PMU; on bare metal enable the PMU \
             driver (on AArch64 CONFIG_ARM_PMUV3 and a pmu node in the device tree).",
        ),
        "EACCES" | "EPERM" => (
            format!(
                "The hardware cycle counter is not allowed (perf_event_open: {error}; \
                 perf_event_paranoid is {paranoid})."
            ),
            "Allow it until the next boot: `sudo sysctl kernel.perf_event_paranoid=2`; in a \
             container allow the system call perf_event_open.",
        ),
        "ENOSYS" => (
            "The system call perf_event_open is missing (ENOSYS): filtered by a container, not \
             built into the kernel, or emulated."
                .to_owned(),
            "Run outside the container, or on a kernel with CONFIG_PERF_EVENTS.",
        ),
        other => (
            format!("The hardware cycle counter does not work (perf_event_open: {other})."),
            "Look at `perf stat true` for the reason.",
        ),
    };
    finding("no-counter", message, remedy)
}

fn clock(facts: &HostFacts) -> Option<Finding> {
    let clock = &facts.clock;
    let fix = "Hold it while you measure: `sudo cpupower frequency-set -g performance -d <f> -u <f>` \
               with one frequency below boost.";
    match (&clock.governor, clock.min_khz, clock.max_khz) {
        (_, Some(min), Some(max)) if min == max => None,
        (governor, Some(min), Some(max)) => {
            let governor = governor.as_deref().unwrap_or("unknown");
            let message = format!(
                "The clock of CPU {} is not fixed: {} to {} MHz, governor {governor}.",
                facts.cpu,
                min / 1000,
                max / 1000
            );
            finding("clock-not-fixed", message, fix)
        }
        _ => {
            let message = format!(
                "Nothing is known of the clock of CPU {}: there is no cpufreq.",
                facts.cpu
            );
            finding(
                "clock-unknown",
                message,
                "Load the cpufreq driver of the processor; in a virtual machine the host decides.",
            )
        }
    }
}

fn boost(facts: &HostFacts) -> Option<Finding> {
    (facts.clock.boost == Some(true)).then_some(())?;
    finding(
        "boost-on",
        "The processor may boost beyond its nominal clock.".to_owned(),
        "Switch it off: `echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost`, or with \
         intel_pstate `echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo`.",
    )
}

/// Only a thread that shares the core of the measured CPU disturbs. Where the kernel does not name them, the
/// switch for all has to do.
fn smt(facts: &HostFacts) -> Option<Finding> {
    let cpu = facts.cpu;
    match &facts.siblings {
        Some(others) if others.is_empty() => None,
        Some(others) => {
            let names: Vec<String> = others.iter().map(|other| format!("CPU {other}")).collect();
            let off: Vec<String> = others
                .iter()
                .map(|other| {
                    format!("`echo 0 | sudo tee /sys/devices/system/cpu/cpu{other}/online`")
                })
                .collect();
            finding(
                "smt-on",
                format!(
                    "CPU {cpu} shares its core with {} (SMT); what runs there disturbs the measurement.",
                    names.join(", ")
                ),
                format!(
                    "Take them off line: {}, or all such threads: `echo off | sudo tee \
                     /sys/devices/system/cpu/smt/control`.",
                    off.join(", ")
                ),
            )
        }
        None => {
            (facts.smt_active == Some(true)).then_some(())?;
            finding(
                "smt-on",
                "Hardware threads share cores (SMT); a neighbour disturbs the measurement."
                    .to_owned(),
                "Switch it off: `echo off | sudo tee /sys/devices/system/cpu/smt/control`.",
            )
        }
    }
}

fn heat(facts: &HostFacts) -> Option<Finding> {
    let temperature = facts.temperature.as_ref().filter(|t| t.is_hot())?;
    finding(
        "hot",
        format!(
            "The processor is about to be slowed down for its heat: {}.",
            temperature.words()
        ),
        "Cool it, let it rest, or hold a lower clock.",
    )
}

fn load(facts: &HostFacts) -> Option<Finding> {
    let [recent, ..] = facts.load_average?;
    (recent > LOAD_LIMIT).then_some(())?;
    finding(
        "busy",
        format!("Other work is going on: load average {recent:.2} over the last minute."),
        "Stop other programs and wait a minute.",
    )
}

fn overhead(probes: &Probes) -> Option<Finding> {
    let message = match probes.overhead.as_ref()? {
        Ok(overhead) if overhead.is_negligible() => return None,
        Ok(overhead) => format!(
            "An operation that does nothing reads as {:.0} ns instead of next to nothing.",
            overhead.empty_call_seconds * 1e9
        ),
        Err(error) => format!("What measuring costs itself cannot be measured: {error}."),
    };
    finding(
        "overhead",
        message,
        "Use a release build on an idle machine; figures of operations of some microseconds are too high.",
    )
}
