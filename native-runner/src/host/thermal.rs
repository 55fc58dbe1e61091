//! Heat: how warm the processor is, and whether it was throttled for it.

use super::files::Root;

/// How often a core was throttled for its heat since the machine was started; `None` where the kernel does not
/// count that (it does on x86 without a hypervisor).
pub fn throttle_events(root: &Root, cpu: u32) -> Option<u64> {
    let folder = format!("sys/devices/system/cpu/cpu{cpu}/thermal_throttle");
    let core: u64 = root.number(&format!("{folder}/core_throttle_count"))?;
    let package = root
        .number(&format!("{folder}/package_throttle_count"))
        .unwrap_or(0);
    core.checked_add(package)
}
