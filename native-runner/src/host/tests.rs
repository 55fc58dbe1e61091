//! Recorded hosts: what is read of them, and what stands against measuring there.

use super::*;
use crate::counter::PerfAvailability;
use std::path::Path;

fn root(host: &str) -> Root {
    let hosts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hosts");
    Root::at(&hosts.join(host))
}

fn no_counter(error: &str) -> PerfAvailability {
    PerfAvailability::Unavailable {
        error: error.to_owned(),
    }
}

fn checks(facts: &HostFacts, perf: &PerfAvailability) -> Vec<String> {
    let findings = assess(facts, perf);
    assert!(findings.iter().all(|f| !f.remedy.is_empty()));
    findings.into_iter().map(|f| f.check).collect()
}

#[test]
fn an_aarch64_laptop_with_a_held_clock_is_fit() {
    let facts = HostFacts::read(&root("oryon"), 3, "aarch64");
    let perf = PerfAvailability::Available;
    assert_eq!(checks(&facts, &perf), [""; 0]);
    let environment = environment(&facts, &perf, Some("gcc 15"));
    let text = |value: &Option<String>| value.clone().unwrap();
    assert_eq!(
        text(&environment.processor),
        "Qualcomm Oryon (CPU 3, one core)"
    );
    assert_eq!(text(&environment.machine), "ASUS Vivobook S 15");
    assert_eq!(
        text(&environment.clock),
        "fixed at 2.7072 GHz, governor performance, driver scmi"
    );
    assert_eq!(environment.fixed_clock_hz.unwrap().value, 2_707_200_000.0);
    assert_eq!(environment.memory_mib, Some(30562));
    assert_eq!(text(&environment.os), "Ubuntu 26.04.1 LTS");
    assert_eq!(text(&environment.kernel), "7.0.0-34-generic");
    assert_eq!(environment.virtualised, Some(false));
    assert_eq!(environment.emulated, Some(false));
}

#[test]
fn a_board_with_big_cores_is_measured_on_one_of_them() {
    let root = root("big-little");
    assert_eq!(choose_cpu(&root, &[0, 1, 2, 3]), Some(3));
    assert_eq!(choose_cpu(&root, &[0, 1]), Some(1));
    let facts = HostFacts::read(&root, 3, "aarch64");
    assert_eq!(facts.processor.as_deref(), Some("ARM Cortex-A76"));
    let little = HostFacts::read(&root, 0, "aarch64");
    assert_eq!(little.processor.as_deref(), Some("ARM Cortex-A55"));
    let found = checks(&facts, &no_counter("ENOENT"));
    assert_eq!(found, ["no-counter", "clock-not-fixed", "busy"]);
    assert_eq!(facts.clock.fixed_hz(), None);
}

#[test]
fn a_server_with_boost_threads_and_a_forbidden_counter() {
    let facts = HostFacts::read(&root("x86-metal"), 0, "x86_64");
    assert_eq!(facts.machine.as_deref(), Some("Dell Inc. PowerEdge R650"));
    let perf = no_counter("EACCES");
    assert_eq!(checks(&facts, &perf), ["no-counter", "boost-on", "smt-on"]);
    let counter = &assess(&facts, &perf)[0];
    assert!(counter.message.contains("perf_event_paranoid is 4"));
    assert!(counter.remedy.contains("kernel.perf_event_paranoid=2"));
    // With boost on, one frequency limit holds nothing.
    assert_eq!(facts.clock.fixed_hz(), None);
}

#[test]
fn a_guest_is_told_from_bare_metal() {
    let facts = HostFacts::read(&root("x86-guest"), 0, "x86_64");
    let found = checks(&facts, &no_counter("ENOENT"));
    assert_eq!(found, ["virtualised", "no-counter", "clock-unknown"]);
}

#[test]
fn an_aarch64_program_on_an_x86_kernel_is_emulated() {
    let facts = HostFacts::read(&root("x86-metal"), 0, "aarch64");
    let found = checks(&facts, &no_counter("ENOSYS"));
    assert_eq!(found[..2], ["emulated", "no-counter"]);
}

#[test]
fn nothing_known_is_nothing_claimed() {
    let empty = tempfile::tempdir().unwrap();
    let facts = HostFacts::read(&Root::at(empty.path()), 0, "aarch64");
    assert_eq!(facts.processor, None);
    assert_eq!(facts.memory_mib, None);
    assert_eq!(
        checks(&facts, &PerfAvailability::Available),
        ["clock-unknown"]
    );
}
