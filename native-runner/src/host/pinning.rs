//! Which CPU to measure on.

use super::cores::speed;
use super::files::Root;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// The CPUs that this process may run on.
pub fn allowed_cpus() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(Pid::from_raw(0)) else {
        return vec![0];
    };
    (0..CpuSet::count())
        .filter(|&cpu| set.is_set(cpu).unwrap_or(false))
        .filter_map(|cpu| u32::try_from(cpu).ok())
        .collect()
}

/// Lets the calling thread run on one CPU only.
///
/// # Errors
/// If there is no such CPU, or this process may not use it.
pub fn pin_this_thread(cpu: u32) -> nix::Result<()> {
    let mut set = CpuSet::new();
    set.set(cpu as usize)?;
    sched_setaffinity(Pid::from_raw(0), &set)
}

/// The best of the allowed CPUs: of the fastest kind (on chips with big and little cores), and among
/// those the last, because interrupts gather on the first.
pub fn choose_cpu(root: &Root, allowed: &[u32]) -> Option<u32> {
    allowed
        .iter()
        .copied()
        .max_by_key(|&cpu| (speed(root, cpu), cpu))
}
