//! The environment that a raw record holds.

use super::raw::{HarnessEnvironment, Record};
use kemscope_schema::{CycleSource, Environment, Figure};

/// The environment in the contract's words.
pub fn environment(raw: &Record) -> Environment {
    let e = &raw.environment;
    let khz = |text: &Option<String>| text.as_deref().and_then(|t| t.parse::<u64>().ok());
    let fixed = khz(&e.cpufreq_min_khz)
        .zip(khz(&e.cpufreq_max_khz))
        // A core that may boost has no fixed clock, whatever its limits say.
        .filter(|_| e.cpufreq_boost.as_deref() != Some("1"))
        .and_then(|(min, max)| (min == max).then_some(max));
    Environment {
        processor: e.cpu_model.as_ref().map(|model| match e.cpu_number {
            Some(cpu) => format!("{model} (CPU {cpu}, one core)"),
            None => model.clone(),
        }),
        machine: e.machine.clone(),
        clock: clock_text(e, fixed),
        fixed_clock_hz: fixed.map(|khz| Figure::exact(khz as f64 * 1e3)),
        measured_clock_hz: None,
        overhead: None,
        memory_mib: e.memory_total_kib.map(|kib| kib / 1024),
        os: e.os.clone(),
        kernel: e.kernel.clone(),
        compiler: e.compiler.clone(),
        build_tool: e.cmake.clone(),
        campaign_start_utc: seconds_of(&raw.started_utc),
        campaign_end_utc: seconds_of(&raw.ended_utc),
        cycle_source: raw.mean_cycles.map(|_| CycleSource::Perf),
        virtualised: e.virtualized,
        emulated: None,
        findings: Vec::new(),
        additional: Vec::new(),
    }
}

/// The clock in the words of the report pages.
fn clock_text(e: &HarnessEnvironment, fixed_khz: Option<u64>) -> Option<String> {
    let governor = e.cpufreq_governor.as_ref()?;
    let mut text = match fixed_khz {
        Some(khz) => format!(
            "fixed {:.2} GHz (governor {governor}, minimum = maximum)",
            khz as f64 / 1e6
        ),
        None => format!("not fixed (governor {governor})"),
    };
    if let Some(boost) = &e.cpufreq_boost {
        text += if boost == "0" {
            ", boost off"
        } else {
            ", boost on"
        };
    }
    match e.smt_control.as_deref() {
        Some("notsupported") => text += ", SMT none",
        Some(other) => text += &format!(", SMT {other}"),
        None => {}
    }
    Some(text)
}

/// The time down to the second, without fraction and zone.
fn seconds_of(time: &Option<String>) -> Option<String> {
    time.as_ref().and_then(|t| t.get(..19)).map(str::to_owned)
}
