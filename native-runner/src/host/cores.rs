//! What kind of core a CPU is, and who shares it.

use super::files::{Root, cpu_list};

/// The kind of a core on a machine that has several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreKind {
    /// `performance core`, `efficiency core`, or `core` where only its capacity is known.
    pub name: String,
    /// The kernel's measure of its speed, where the fastest core of the machine has 1024.
    pub capacity: Option<u64>,
    /// Whether no core of the machine is faster.
    pub is_fastest: bool,
}

impl CoreKind {
    /// In words: `efficiency core (capacity 415 of 1024); others are faster`.
    pub fn words(&self) -> String {
        let mut words = self.name.clone();
        if let Some(capacity) = self.capacity {
            words.push_str(&format!(" (capacity {capacity} of 1024)"));
        }
        if !self.is_fastest {
            words.push_str("; others are faster");
        }
        words
    }
}

/// The kind of a CPU's core; `None` on machines whose cores are alike or tell nothing.
pub fn core_kind(root: &Root, cpu: u32) -> Option<CoreKind> {
    let capacity = |cpu: u32| capacity(root, cpu);
    let own = capacity(cpu);
    let highest = cpus(root).into_iter().filter_map(capacity).max();
    let lowest = cpus(root).into_iter().filter_map(capacity).min();
    match hybrid(root, cpu) {
        Some(Hybrid::Performance) => Some(CoreKind {
            name: "performance core".to_owned(),
            capacity: own,
            is_fastest: own.is_none() || own == highest,
        }),
        Some(Hybrid::Efficiency) => Some(CoreKind {
            name: "efficiency core".to_owned(),
            capacity: own,
            is_fastest: false,
        }),
        None if highest != lowest => Some(CoreKind {
            name: "core".to_owned(),
            capacity: Some(own?),
            is_fastest: own == highest,
        }),
        None => None,
    }
}

/// A rank of a CPU's speed, comparable between CPUs of one machine: kind, capacity, highest clock.
pub fn speed(root: &Root, cpu: u32) -> (bool, u64, u64) {
    let clock = root.number(&format!(
        "sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq"
    ));
    (
        hybrid(root, cpu) != Some(Hybrid::Efficiency),
        capacity(root, cpu).unwrap_or(0),
        clock.unwrap_or(0),
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hybrid {
    Performance,
    Efficiency,
}

/// Intel's hybrid processors have a counter unit per kind of core, which lists the CPUs of that kind.
fn hybrid(root: &Root, cpu: u32) -> Option<Hybrid> {
    let lists = |unit: &str| {
        let text = root.text(&format!("sys/devices/{unit}/cpus"))?;
        Some(cpu_list(&text)?.contains(&cpu))
    };
    match (lists("cpu_core"), lists("cpu_atom")) {
        (Some(true), Some(_)) => Some(Hybrid::Performance),
        (Some(_), Some(true)) => Some(Hybrid::Efficiency),
        _ => None,
    }
}

fn capacity(root: &Root, cpu: u32) -> Option<u64> {
    root.number(&format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"))
}

/// The CPUs of the machine.
fn cpus(root: &Root) -> Vec<u32> {
    let names = root.entries("sys/devices/system/cpu");
    let numbers = names.iter().filter_map(|name| name.strip_prefix("cpu"));
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// The other hardware threads of a CPU's core that are on line; `None` where the kernel does not tell.
pub fn siblings(root: &Root, cpu: u32) -> Option<Vec<u32>> {
    let folder = format!("sys/devices/system/cpu/cpu{cpu}/topology");
    let list = root
        .text(&format!("{folder}/core_cpus_list"))
        .or_else(|| root.text(&format!("{folder}/thread_siblings_list")))?;
    let mut others = cpu_list(&list)?;
    others.retain(|&other| other != cpu);
    Some(others)
}
