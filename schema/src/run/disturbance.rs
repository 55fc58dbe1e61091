//! What disturbs a trial, judged from the numbers that its record holds.

use super::Trial;
use crate::provenance::CycleSource;
use serde::{Deserialize, Serialize};

/// Why the time of a trial is not that of the calls alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Disturbance {
    /// The core ran below 95 % of its fixed clock.
    ClockLow,
    /// The core was throttled for its heat.
    Throttled,
    /// The cycle counter was shared with other programs and saw only a part.
    CounterShared,
    /// The clock changed between the busy loops before and after the calls, so that no cycles can be estimated.
    ClockUnsteady,
    /// Other work took more than one per cent of the time.
    CpuTimeLost,
    /// Other work interrupted it often enough to cost more than one per cent in cold caches.
    ContextSwitches,
    /// Pages had to be read from a disk.
    MajorPageFaults,
    /// More pages were missing than the operation itself asks for, enough to cost more than one per cent.
    MinorPageFaults,
    /// It did not stay on its CPU.
    Migrated,
}

impl Disturbance {
    /// The words for it in a sentence on trials: `other work took CPU time`.
    pub fn words(self) -> &'static str {
        match self {
            Disturbance::ClockLow => "clock below 95 % of the fixed one",
            Disturbance::Throttled => "core throttled",
            Disturbance::CounterShared => "cycle counter shared",
            Disturbance::ClockUnsteady => "clock not steady",
            Disturbance::CpuTimeLost => "other work took CPU time",
            Disturbance::ContextSwitches => "interrupted by other work",
            Disturbance::MajorPageFaults => "pages read from disk",
            Disturbance::MinorPageFaults => "pages taken away",
            Disturbance::Migrated => "moved to another CPU",
        }
    }
}

/// A trial below this fraction of the fixed clock was disturbed.
const UNDISTURBED_CLOCK: f64 = 0.95;
/// Part of a trial's time that may go elsewhere: with more, its mean would be off in the second digit that
/// comparisons rest on.
const TOLERATED_LOSS: f64 = 0.01;
/// A loss below this is within what reading two clocks at different moments explains, in seconds.
const UNTELLABLE_SECONDS: f64 = 100e-6;
/// What an involuntary switch costs beside the time that is lost to the other task: its own work and the
/// refill of the first-level caches and of the TLB, in seconds.
const SWITCH_SECONDS: f64 = 50e-6;
/// Switches that an idle machine causes too.
const UNTELLABLE_SWITCHES: u64 = 5;
/// What a page fault without I/O costs, zeroing the page included, in seconds.
const FAULT_SECONDS: f64 = 1e-6;
/// Page faults that the measuring process may cause itself around the calls.
const UNTELLABLE_FAULTS: u64 = 64;

impl Trial {
    /// What disturbed this trial. `source` is what was to count cycles; `fixed_clock_hz` the clock that the host
    /// holds, if it does. What was not recorded disturbs nothing.
    pub fn disturbances(
        &self,
        source: Option<CycleSource>,
        fixed_clock_hz: Option<f64>,
    ) -> Vec<Disturbance> {
        let found = [
            (Disturbance::ClockLow, self.is_clock_low(fixed_clock_hz)),
            (
                Disturbance::Throttled,
                self.throttle_events.unwrap_or(0) > 0,
            ),
            (
                Disturbance::CounterShared,
                source == Some(CycleSource::Perf) && self.cycles.is_none(),
            ),
            (
                Disturbance::ClockUnsteady,
                source == Some(CycleSource::Estimated) && self.cycles.is_none(),
            ),
            (Disturbance::CpuTimeLost, self.has_lost_time()),
            (
                Disturbance::ContextSwitches,
                self.costs(
                    self.involuntary_context_switches,
                    UNTELLABLE_SWITCHES,
                    SWITCH_SECONDS,
                ),
            ),
            (Disturbance::MajorPageFaults, self.major_page_faults > 0),
            (Disturbance::MinorPageFaults, self.has_lost_pages()),
            (Disturbance::Migrated, self.migrations.unwrap_or(0) > 0),
        ];
        let causes = found.into_iter().filter(|(_, holds)| *holds);
        causes.map(|(cause, _)| cause).collect()
    }

    /// Reference cycles say nothing of the core's clock.
    fn is_clock_low(&self, fixed_clock_hz: Option<f64>) -> bool {
        let own = match (self.cycle_source, self.cycles) {
            (Some(CycleSource::Perf), Some(cycles)) => Some(cycles as f64 / self.seconds),
            (Some(CycleSource::Estimated), Some(_)) => self.clock_hz,
            _ => None,
        };
        matches!((own, fixed_clock_hz), (Some(own), Some(fixed)) if own < UNDISTURBED_CLOCK * fixed)
    }

    /// An operation that waits by itself in every call loses time too, but of its own will.
    fn has_lost_time(&self) -> bool {
        let Some(cpu) = self.cpu_seconds else {
            return false;
        };
        let waits = self.voluntary_context_switches >= self.measurements;
        let lost = self.seconds - cpu;
        !waits && lost > UNTELLABLE_SECONDS && lost > TOLERATED_LOSS * self.seconds
    }

    /// A fresh process meets its pages for the first time, and an operation that allocates large blocks meets
    /// new ones in every call: the last warm-up call shows how many. Without warm-ups, calls take seconds and
    /// are expected to meet all pages that the process came to hold.
    fn has_lost_pages(&self) -> bool {
        let own = match (self.warmup_minor_page_faults, self.peak_rss_bytes) {
            (Some(per_call), _) => per_call.saturating_mul(self.measurements),
            // The smallest page there is: rather too many expected than too few.
            (None, Some(peak)) => (peak / 4096).saturating_mul(self.measurements),
            (None, None) => return false,
        };
        let excess = self.minor_page_faults.saturating_sub(own);
        self.costs(excess, UNTELLABLE_FAULTS, FAULT_SECONDS)
    }

    /// Whether so many events, beyond those that are always there, cost more than is tolerated.
    fn costs(&self, events: u64, always: u64, seconds_each: f64) -> bool {
        events > always && events as f64 * seconds_each > TOLERATED_LOSS * self.seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Disturbance::*;

    const HZ: f64 = 2.0e9;

    /// A trial of one second as an idle machine gives it.
    fn quiet() -> Trial {
        let record = r#"{
            "measurements": 10000, "seconds": 1.0, "cycles": 2000000000, "cycle_source": "perf",
            "cpu_seconds": 0.9993, "peak_rss_bytes": 9000000,
            "voluntary_context_switches": 0, "involuntary_context_switches": 4,
            "minor_page_faults": 9, "major_page_faults": 0, "warmup_minor_page_faults": 0,
            "migrations": 0, "cpu": 3, "started_utc": "2026-01-02T03:04:05", "wall_seconds": 1.1,
            "disturbed_retries": 0, "command": []
        }"#;
        serde_json::from_str(record).unwrap()
    }

    fn causes(change: impl FnOnce(&mut Trial)) -> Vec<Disturbance> {
        let mut trial = quiet();
        change(&mut trial);
        trial.disturbances(Some(CycleSource::Perf), Some(HZ))
    }

    #[test]
    fn an_idle_machine_disturbs_nothing() {
        assert_eq!(causes(|_| {}), []);
        // A kernel worker takes its turn now and then.
        assert_eq!(causes(|t| t.involuntary_context_switches = 100), []);
        // What older records do not hold disturbs nothing.
        assert_eq!(
            causes(|t| {
                t.cpu_seconds = None;
                t.warmup_minor_page_faults = None;
                t.peak_rss_bytes = None;
                t.migrations = None;
            }),
            []
        );
    }

    #[test]
    fn each_cause_is_told_by_its_own_number() {
        assert_eq!(causes(|t| t.cycles = Some(1_890_000_000)), [ClockLow]);
        assert_eq!(causes(|t| t.throttle_events = Some(1)), [Throttled]);
        assert_eq!(causes(|t| t.cycles = None), [CounterShared]);
        assert_eq!(causes(|t| t.cpu_seconds = Some(0.985)), [CpuTimeLost]);
        assert_eq!(
            causes(|t| t.involuntary_context_switches = 250),
            [ContextSwitches]
        );
        assert_eq!(causes(|t| t.major_page_faults = 1), [MajorPageFaults]);
        assert_eq!(causes(|t| t.minor_page_faults = 11_000), [MinorPageFaults]);
        assert_eq!(causes(|t| t.migrations = Some(1)), [Migrated]);
    }

    #[test]
    fn reference_cycles_and_unknown_clocks_tell_no_clock() {
        let mut trial = quiet();
        trial.cycles = Some(1_000_000_000);
        assert_eq!(trial.disturbances(Some(CycleSource::Perf), None), []);
        trial.cycle_source = Some(CycleSource::Tsc);
        assert_eq!(trial.disturbances(Some(CycleSource::Tsc), Some(HZ)), []);
        trial.cycle_source = Some(CycleSource::Estimated);
        trial.clock_hz = Some(1.8e9);
        let estimated = Some(CycleSource::Estimated);
        assert_eq!(trial.disturbances(estimated, Some(HZ)), [ClockLow]);
        trial.cycles = None;
        assert_eq!(trial.disturbances(estimated, None), [ClockUnsteady]);
    }

    #[test]
    fn what_the_operation_does_itself_is_no_disturbance() {
        // It allocates 1 MiB afresh in every call.
        assert_eq!(
            causes(|t| {
                t.warmup_minor_page_faults = Some(256);
                t.minor_page_faults = 2_560_100;
            }),
            []
        );
        // It sleeps in every call.
        assert_eq!(
            causes(|t| {
                t.voluntary_context_switches = 10_000;
                t.cpu_seconds = Some(0.01);
            }),
            []
        );
        // One call of several seconds without a warm-up: its pages are all new.
        assert_eq!(
            causes(|t| {
                t.warmup_minor_page_faults = None;
                t.measurements = 1;
                t.peak_rss_bytes = Some(200 << 20);
                t.minor_page_faults = 50_000;
            }),
            []
        );
    }

    #[test]
    fn short_trials_are_not_judged_by_a_tick() {
        let short = |change: &dyn Fn(&mut Trial)| {
            causes(|t| {
                t.seconds = 0.005;
                t.cycles = Some(10_000_000);
                t.cpu_seconds = Some(0.00495);
                t.involuntary_context_switches = 1;
                change(t);
            })
        };
        assert_eq!(short(&|_| {}), []);
        assert_eq!(short(&|t| t.cpu_seconds = Some(0.0045)), [CpuTimeLost]);
    }
}
