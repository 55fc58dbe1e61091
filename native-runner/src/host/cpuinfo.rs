//! `/proc/cpuinfo`, in its x86 and its AArch64 form.

use super::cpu_names::core_name;

/// What `/proc/cpuinfo` says of one CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuInfo {
    /// Name of the processor or core.
    pub model: Option<String>,
    /// Whether a hypervisor shows itself (x86 flag).
    pub hypervisor_flag: bool,
    /// Whether flags are listed at all (x86), so that a missing one means something.
    pub flags_listed: bool,
    /// Whether the time-stamp counter runs at a constant rate in every state of the processor (x86 flags
    /// `constant_tsc` and `nonstop_tsc`).
    pub constant_tsc: bool,
    /// Number of the core's implementer (AArch64).
    pub implementer: Option<u32>,
    /// Whether the file has the x86 form.
    pub x86_form: bool,
}

/// Reads the block of one CPU; falls back to the first block, and to lines outside blocks.
pub fn parse(text: &str, cpu: u32) -> CpuInfo {
    let blocks: Vec<&str> = text.split("\n\n").collect();
    let of_cpu = |block: &&&str| field(block, "processor") == Some(cpu.to_string().as_str());
    let block = blocks.iter().find(of_cpu).or(blocks.first());
    let block = block.copied().unwrap_or_default();
    let flags = field(block, "flags");
    let has = |flag| flags.is_some_and(|flags| flags.split_whitespace().any(|f| f == flag));
    CpuInfo {
        model: model(block, text),
        hypervisor_flag: has("hypervisor"),
        flags_listed: flags.is_some(),
        constant_tsc: has("constant_tsc") && has("nonstop_tsc"),
        implementer: number(block, "CPU implementer"),
        x86_form: field(block, "vendor_id").is_some(),
    }
}

fn model(block: &str, text: &str) -> Option<String> {
    if let Some(name) = field(block, "model name") {
        return Some(name.to_owned());
    }
    if let (Some(implementer), Some(part)) =
        (number(block, "CPU implementer"), number(block, "CPU part"))
    {
        return Some(core_name(implementer, part));
    }
    // Older ARM kernels name the processor or board once, at the end.
    field(text, "Hardware")
        .or_else(|| field(text, "cpu model"))
        .map(str::to_owned)
}

fn number(block: &str, name: &str) -> Option<u32> {
    let digits = field(block, name)?.strip_prefix("0x")?;
    u32::from_str_radix(digits, 16).ok()
}

fn field<'a>(block: &'a str, name: &str) -> Option<&'a str> {
    block.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}
