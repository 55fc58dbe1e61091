//! Recorded hosts: what is read of them, and what stands against measuring there.

use super::*;
use crate::counter::PerfAvailability;
use kemscope_schema::CycleSource;
use std::path::Path;

fn root(host: &str) -> Root {
    let hosts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hosts");
    Root::at(&hosts.join(host))
}

fn no_counter(error: &str) -> Probes {
    Probes::of_counter(PerfAvailability::Unavailable {
        error: error.to_owned(),
    })
}

fn counter() -> Probes {
    Probes::of_counter(PerfAvailability::Available)
}

fn checks(facts: &HostFacts, perf: &Probes) -> Vec<String> {
    let findings = assess(facts, perf);
    assert!(findings.iter().all(|f| !f.remedy.is_empty()));
    findings.into_iter().map(|f| f.check).collect()
}

#[test]
fn an_aarch64_laptop_with_a_held_clock_is_fit() {
    let facts = HostFacts::read(&root("oryon"), 3, "aarch64");
    let perf = counter();
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
    let facts = read(&[], "aarch64");
    assert_eq!(facts.processor, None);
    assert_eq!(facts.memory_mib, None);
    let perf = counter();
    assert_eq!(checks(&facts, &perf), ["clock-unknown"]);
    let environment = environment(&facts, &perf, None);
    assert_eq!(
        (environment.virtualised, environment.emulated),
        (None, None)
    );
}

/// Facts of a tree of the given files.
fn read(tree: &[(&str, &str)], architecture: &str) -> HostFacts {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in tree {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    HostFacts::read(&Root::at(folder.path()), 0, architecture)
}

#[test]
fn an_aarch64_guest_is_told_by_any_of_its_signs() {
    let cpu = (
        "proc/cpuinfo",
        "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
    );
    let virtio = "sys/bus/virtio/devices/virtio0/device";
    for sign in [
        ("sys/firmware/qemu_fw_cfg/rev", "3"),
        (virtio, "0x0001"),
        ("proc/device-tree/psci/method", "hvc\0"),
        ("proc/device-tree/compatible", "linux,dummy-virt\0"),
        (
            "sys/class/dmi/id/chassis_asset_tag",
            "7783-7084-3265-9085-8269-3286-77",
        ),
    ] {
        let facts = read(&[cpu, sign], "aarch64");
        assert_eq!(facts.virtualised.known(), Some(true), "{sign:?}");
        assert_eq!(facts.emulated, Verdict::No, "{sign:?}");
    }
    // A board whose companion processor is spoken to over virtio.
    let board = [cpu, (virtio, "0x0007"), ("proc/device-tree/model", "Board")];
    assert_eq!(read(&board, "aarch64").virtualised, Verdict::No);
    let method = [cpu, ("proc/device-tree/psci/method", "smc\0")];
    assert_eq!(read(&method, "aarch64").virtualised, Verdict::Unknown);
}

#[test]
fn an_emulated_core_has_no_implementer() {
    let cpu = (
        "proc/cpuinfo",
        "processor\t: 0\nCPU implementer\t: 0x00\nCPU part\t: 0x051\n",
    );
    assert_eq!(read(&[cpu], "aarch64").emulated.known(), Some(true));
}

#[test]
fn the_default_model_of_qemu_is_emulated_unless_kvm_is_seen() {
    let cpu = (
        "proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: QEMU Virtual CPU version 2.5+\n\
         flags\t\t: fpu tsc hypervisor\n",
    );
    let clocks = "sys/devices/system/clocksource/clocksource0/available_clocksource";
    let alone = read(&[cpu], "x86_64");
    assert_eq!(alone.emulated.known(), Some(true));
    let guest = read(&[cpu, (clocks, "kvm-clock tsc acpi_pm \n")], "x86_64");
    assert_eq!(guest.emulated, Verdict::No);
    assert_eq!(guest.virtualised.known(), Some(true));
}

#[test]
fn a_container_is_named() {
    let overlay = "1 2 0:50 / / rw - overlay overlay rw,upperdir=/var/lib/docker/overlay2/x/diff\n";
    for (sign, kind) in [
        ((".dockerenv", ""), "docker"),
        (("run/.containerenv", ""), "podman"),
        (
            ("proc/1/cgroup", "0::/kubepods/burstable/pod1\n"),
            "kubernetes",
        ),
        (("proc/1/mountinfo", overlay), "docker"),
    ] {
        let facts = read(&[sign], "x86_64");
        let environment = environment(&facts, &counter(), None);
        let items = environment.additional;
        assert!(
            items
                .iter()
                .any(|i| i.item == "container" && i.value == kind)
        );
    }
}

#[test]
fn only_a_constant_time_stamp_counter_counts() {
    let source = |host, architecture| {
        let facts = HostFacts::read(&root(host), 0, architecture);
        environment(&facts, &no_counter("ENOENT"), None).cycle_source
    };
    assert_eq!(source("x86-metal", "x86_64"), Some(CycleSource::Tsc));
    // Its flags promise no constant rate.
    assert_eq!(source("x86-guest", "x86_64"), None);
    assert_eq!(source("big-little", "aarch64"), None);
}

#[test]
fn a_debug_build_of_the_runner_is_found() {
    let facts = HostFacts::read(&root("oryon"), 3, "aarch64");
    let environment = environment(&facts, &counter(), None);
    let found = environment
        .findings
        .iter()
        .any(|f| f.check == "debug-runner");
    assert_eq!(found, cfg!(debug_assertions));
}

/// A laptop with two kinds of core: threads of the fast ones share them, CPU 4 is a slow one of its own.
#[test]
fn a_hybrid_laptop_names_kind_and_neighbour_of_the_core() {
    let root = root("hybrid");
    assert_eq!(choose_cpu(&root, &[0, 1, 2, 3, 4]), Some(3));
    assert_eq!(choose_cpu(&root, &[4]), Some(4));
    let fast = HostFacts::read(&root, 3, "x86_64");
    assert_eq!(checks(&fast, &counter()), ["smt-on"]);
    let finding = &assess(&fast, &counter())[0];
    assert!(finding.message.contains("CPU 3 shares its core with CPU 2"));
    assert!(
        finding
            .remedy
            .contains("/sys/devices/system/cpu/cpu2/online")
    );
    let kind = fast.core_kind.as_ref().unwrap();
    assert_eq!(kind.words(), "performance core");
    // Nobody shares the slow core, whatever the switch for all says.
    let slow = HostFacts::read(&root, 4, "x86_64");
    assert_eq!(checks(&slow, &counter()), [""; 0]);
    let kind = slow.core_kind.as_ref().unwrap();
    assert_eq!(kind.words(), "efficiency core; others are faster");
    let items = environment(&slow, &counter(), None).additional;
    let item = |name: &str| items.iter().find(|i| i.item == name).map(|i| &*i.value);
    assert_eq!(
        item("core kind"),
        Some("efficiency core; others are faster")
    );
    assert_eq!(item("isolated CPUs"), Some("3"));
    assert_eq!(slow.throttle_events, Some(14));
}

#[test]
fn capacities_tell_kinds_of_core_too() {
    let kind = |cpu| HostFacts::read(&root("big-little"), cpu, "aarch64").core_kind;
    assert_eq!(kind(3).unwrap().words(), "core (capacity 1024 of 1024)");
    let little = kind(0).unwrap().words();
    assert_eq!(little, "core (capacity 414 of 1024); others are faster");
    assert_eq!(
        HostFacts::read(&root("oryon"), 3, "aarch64").core_kind,
        None
    );
}

#[test]
fn the_hottest_sensor_of_the_processor_counts() {
    let facts = HostFacts::read(&root("hybrid"), 3, "x86_64");
    // Neither the chassis, nor a disk, nor a sensor that is switched off; the point of the fan is no limit.
    let temperature = facts.temperature.unwrap();
    assert_eq!(temperature.words(), "63 °C (coretemp), limit 100 °C");
    assert!(!temperature.is_hot());
    let zone = "sys/class/thermal/thermal_zone0";
    let (kind, temp) = (format!("{zone}/type"), format!("{zone}/temp"));
    let trip = (
        format!("{zone}/trip_point_0_type"),
        format!("{zone}/trip_point_0_temp"),
    );
    let hot = |celsius: &str, limit: &str| {
        let limit = [(&*trip.0, "passive"), (&*trip.1, limit)];
        let tree = [
            (&*kind, "cpu-thermal"),
            (&*temp, celsius),
            limit[0],
            limit[1],
        ];
        checks(&read(&tree, "aarch64"), &counter()).contains(&"hot".to_owned())
    };
    assert!(hot("81000", "85000"));
    assert!(!hot("79000", "85000"));
    assert!(
        HostFacts::read(&root("oryon"), 3, "aarch64")
            .temperature
            .is_none()
    );
}

#[test]
fn a_switch_of_the_cpu_itself_decides_about_boost() {
    let all = ("sys/devices/system/cpu/cpufreq/boost", "1");
    let own = ("sys/devices/system/cpu/cpu0/cpufreq/boost", "0");
    assert_eq!(read(&[all], "x86_64").clock.boost, Some(true));
    assert_eq!(read(&[all, own], "x86_64").clock.boost, Some(false));
}

#[test]
fn what_measuring_costs_is_told_where_it_is_much() {
    let facts = HostFacts::read(&root("oryon"), 3, "aarch64");
    let with = |overhead| Probes {
        overhead: Some(overhead),
        ..counter()
    };
    let empty = |empty_call_seconds| {
        Ok(kemscope_schema::Overhead {
            empty_call_seconds,
            ..Default::default()
        })
    };
    assert_eq!(checks(&facts, &with(empty(1.3e-9))), [""; 0]);
    assert_eq!(checks(&facts, &with(empty(80e-9))), ["overhead"]);
    assert_eq!(
        checks(&facts, &with(Err("no clock".to_owned()))),
        ["overhead"]
    );
}

#[test]
fn a_measured_clock_gives_estimates_where_nothing_counts_and_nothing_is_emulated() {
    let with_clock = |host| {
        let facts = HostFacts::read(&root(host), 0, "aarch64");
        let probes = Probes {
            clock_hz: Some(1.8e9),
            ..no_counter("ENOENT")
        };
        let environment = environment(&facts, &probes, None);
        (
            environment.cycle_source,
            environment.measured_clock_hz.map(|f| f.value),
        )
    };
    let estimated = (Some(CycleSource::Estimated), Some(1.8e9));
    assert_eq!(with_clock("big-little"), estimated);
    // A program for AArch64 on an x86 kernel.
    assert_eq!(with_clock("x86-metal"), (None, None));
}
