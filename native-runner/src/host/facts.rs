//! What can be read of a host.

use super::container::container;
use super::cores::{self, CoreKind};
use super::cpuinfo::{self, CpuInfo};
use super::files::Root;
use super::thermal::{self, Temperature};
use super::virtualisation::{self, Verdict};

/// A host as it shows itself, unknown things `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostFacts {
    /// Instruction set of this program.
    pub architecture: String,
    /// The CPU that is measured on.
    pub cpu: u32,
    /// Name of its core.
    pub processor: Option<String>,
    /// Model of the machine.
    pub machine: Option<String>,
    /// Memory in MiB.
    pub memory_mib: Option<u64>,
    /// Operating system.
    pub os: Option<String>,
    /// Kernel release.
    pub kernel: Option<String>,
    /// CPUs that are on line, as the kernel lists them.
    pub online: Option<String>,
    /// Whether it is a virtual machine.
    pub virtualised: Verdict,
    /// Whether its processor is emulated.
    pub emulated: Verdict,
    /// Whether it has a time-stamp counter of a constant rate.
    pub constant_tsc: bool,
    /// Kind of container that this program runs in.
    pub container: Option<String>,
    /// `perf_event_paranoid`.
    pub perf_event_paranoid: Option<i32>,
    /// The CPU's clock.
    pub clock: Clock,
    /// Whether hardware threads share cores somewhere on the machine.
    pub smt_active: Option<bool>,
    /// The other hardware threads of the CPU's core that are on line; `None` where the kernel does not tell.
    pub siblings: Option<Vec<u32>>,
    /// The kind of the CPU's core, on machines that have several.
    pub core_kind: Option<CoreKind>,
    /// CPUs that the scheduler leaves alone, as the kernel lists them.
    pub isolated: Option<String>,
    /// Temperature of the processor.
    pub temperature: Option<Temperature>,
    /// How often the core was throttled for its heat since the machine was started.
    pub throttle_events: Option<u64>,
    /// Load averages over 1, 5 and 15 minutes.
    pub load_average: Option<[f64; 3]>,
}

/// How a CPU's clock is governed, from cpufreq. Frequencies in kHz as the kernel gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Governor.
    pub governor: Option<String>,
    /// Driver.
    pub driver: Option<String>,
    /// Lowest frequency that the governor may choose.
    pub min_khz: Option<u64>,
    /// Highest frequency that the governor may choose.
    pub max_khz: Option<u64>,
    /// Whether the processor may go beyond its nominal clock.
    pub boost: Option<bool>,
}

impl Clock {
    /// The clock in hertz where it is held: lowest and highest frequency are equal, and no boost.
    pub fn fixed_hz(&self) -> Option<f64> {
        match (self.min_khz, self.max_khz) {
            (Some(min), Some(max)) if min == max && self.boost != Some(true) => {
                Some(max as f64 * 1000.0)
            }
            _ => None,
        }
    }
}

impl HostFacts {
    /// Looks at a host below `root` for measuring on `cpu` with a program for `architecture`.
    pub fn read(root: &Root, cpu: u32, architecture: &str) -> HostFacts {
        let info = cpuinfo::parse(&root.text("proc/cpuinfo").unwrap_or_default(), cpu);
        HostFacts {
            architecture: architecture.to_owned(),
            cpu,
            machine: machine(root),
            memory_mib: memory_mib(root),
            os: os(root),
            kernel: root.text("proc/sys/kernel/osrelease"),
            online: root.text("sys/devices/system/cpu/online"),
            virtualised: virtualisation::virtualised(root, &info),
            emulated: virtualisation::emulated(root, &info, architecture),
            constant_tsc: architecture == "x86_64" && info.constant_tsc,
            container: container(root),
            perf_event_paranoid: root.number("proc/sys/kernel/perf_event_paranoid"),
            clock: clock(root, cpu),
            smt_active: smt_active(root),
            siblings: cores::siblings(root, cpu),
            core_kind: cores::core_kind(root, cpu),
            isolated: root.text("sys/devices/system/cpu/isolated"),
            temperature: thermal::temperature(root),
            throttle_events: thermal::throttle_events(root, cpu),
            load_average: load_average(root),
            processor: processor(info),
        }
    }
}

fn processor(info: CpuInfo) -> Option<String> {
    info.model.filter(|name| !name.is_empty())
}

/// DMI on PCs and servers, the device tree on boards.
fn machine(root: &Root) -> Option<String> {
    let dmi = |name: &str| {
        let value = root.text(&format!("sys/class/dmi/id/{name}"))?;
        // What makers leave in when they fill in nothing.
        let empty = [
            "To Be Filled By O.E.M.",
            "System Product Name",
            "Default string",
        ];
        (!empty.contains(&value.as_str())).then_some(value)
    };
    match (dmi("sys_vendor"), dmi("product_name")) {
        (Some(vendor), Some(product)) if !product.starts_with(&vendor) => {
            Some(format!("{vendor} {product}"))
        }
        (_, Some(product)) => Some(product),
        (vendor, None) => root
            .text("proc/device-tree/model")
            .or_else(|| root.text("sys/firmware/devicetree/base/model"))
            .or(vendor),
    }
}

fn memory_mib(root: &Root) -> Option<u64> {
    let text = root.text("proc/meminfo")?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

fn os(root: &Root) -> Option<String> {
    let text = root
        .text("etc/os-release")
        .or_else(|| root.text("usr/lib/os-release"))?;
    let value = |key: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix(key))?;
        Some(line.trim().trim_matches('"').to_owned())
    };
    value("PRETTY_NAME=").or_else(|| value("NAME="))
}

fn clock(root: &Root, cpu: u32) -> Clock {
    let folder = format!("sys/devices/system/cpu/cpu{cpu}/cpufreq");
    // A driver with a switch per CPU may differ from the switch for all.
    let own = root.number::<u8>(&format!("{folder}/boost"));
    let boost = match own.or_else(|| root.number("sys/devices/system/cpu/cpufreq/boost")) {
        Some(boost) => Some(boost != 0),
        None => root
            .number::<u8>("sys/devices/system/cpu/intel_pstate/no_turbo")
            .map(|no_turbo| no_turbo == 0),
    };
    Clock {
        governor: root.text(&format!("{folder}/scaling_governor")),
        driver: root.text(&format!("{folder}/scaling_driver")),
        min_khz: root.number(&format!("{folder}/scaling_min_freq")),
        max_khz: root.number(&format!("{folder}/scaling_max_freq")),
        boost,
    }
}

fn smt_active(root: &Root) -> Option<bool> {
    let active: u8 = root.number("sys/devices/system/cpu/smt/active")?;
    Some(active != 0)
}

fn load_average(root: &Root) -> Option<[f64; 3]> {
    let text = root.text("proc/loadavg")?;
    let mut values = text.split_whitespace().map(|v| v.parse::<f64>().ok());
    Some([values.next()??, values.next()??, values.next()??])
}
