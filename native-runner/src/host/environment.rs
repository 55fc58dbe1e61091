//! The host in the words of the published environment table.

use super::cores::CoreKind;
use super::facts::HostFacts;
use super::in_use::with_cores;
use super::probes::Probes;
use kemscope_schema::{Environment, EnvironmentItem, Figure, Finding};

/// The environment of records; `compiler` as it introduces itself. Campaign times are left open.
pub fn environment(facts: &HostFacts, probes: &Probes, compiler: Option<&str>) -> Environment {
    let processor = facts.processor.as_deref().unwrap_or("unknown processor");
    let fixed_hz = facts.clock.fixed_hz();
    let emulated = facts.emulated.known();
    Environment {
        processor: Some(with_cores(processor, &[facts.cpu])),
        machine: facts.machine.clone(),
        clock: clock_words(facts),
        fixed_clock_hz: fixed_hz.map(Figure::exact),
        measured_clock_hz: probes
            .clock_hz
            .filter(|_| emulated != Some(true))
            .map(Figure::exact),
        memory_mib: facts.memory_mib,
        os: facts.os.clone(),
        kernel: facts.kernel.clone(),
        compiler: compiler.map(str::to_owned),
        build_tool: Some(format!("native-runner {}", env!("CARGO_PKG_VERSION"))),
        campaign_start_utc: None,
        campaign_end_utc: None,
        cycle_source: probes.cycle_source(facts.constant_tsc, emulated == Some(true)),
        virtualised: facts.virtualised.known(),
        emulated,
        overhead: probes.overhead.clone().and_then(Result::ok),
        findings: findings(facts, probes),
        additional: additional(facts),
    }
}

fn findings(facts: &HostFacts, probes: &Probes) -> Vec<Finding> {
    let mut findings = super::assess(facts, probes);
    findings.extend(super::assess::assess_runner());
    findings
}

fn clock_words(facts: &HostFacts) -> Option<String> {
    let clock = &facts.clock;
    let mut words = match (clock.fixed_hz(), clock.min_khz, clock.max_khz) {
        (Some(hz), ..) => format!("fixed at {:.4} GHz", hz / 1e9),
        (None, Some(min), Some(max)) if min == max => {
            format!("{:.4} GHz, boost on", max as f64 / 1e6)
        }
        (None, Some(min), Some(max)) => {
            let ghz = |khz: u64| khz as f64 / 1e6;
            format!("not fixed, {:.2} to {:.2} GHz", ghz(min), ghz(max))
        }
        _ => return Some("unknown (no cpufreq)".to_owned()),
    };
    if let Some(governor) = &clock.governor {
        words.push_str(&format!(", governor {governor}"));
    }
    if let Some(driver) = &clock.driver {
        words.push_str(&format!(", driver {driver}"));
    }
    Some(words)
}

fn additional(facts: &HostFacts) -> Vec<EnvironmentItem> {
    let rows = [
        ("CPUs on line", facts.online.clone()),
        (
            "perf_event_paranoid",
            facts.perf_event_paranoid.map(|value| value.to_string()),
        ),
        ("container", facts.container.clone()),
        ("core kind", facts.core_kind.as_ref().map(CoreKind::words)),
        ("isolated CPUs", facts.isolated.clone()),
    ];
    rows.into_iter()
        .filter_map(|(item, value)| {
            value.map(|value| EnvironmentItem {
                item: item.to_owned(),
                value,
            })
        })
        .collect()
}
