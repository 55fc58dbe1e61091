//! The clock of a core by a loop of known length: additions that depend on each other take one cycle each.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Additions per turn of the loop: so many that counting the turns costs less than half a per cent even on a
/// core that does one thing after the other.
const ADDITIONS: u64 = 512;
/// Turns of one sample: about a quarter of a millisecond at 2 GHz, short against the turns of other programs.
const TURNS: u64 = 1000;
/// Samples of one measurement.
const SAMPLES: usize = 15;
/// Samples within this part of the fastest one are undisturbed: what interrupts a sample makes it slower, and
/// nothing makes it faster than the clock.
const STEADY: f64 = 0.005;
/// Clocks before and after a trial that differ by more are not one clock.
const SAME: f64 = 0.01;

/// Measures the clock of the core that the calling thread runs on, in hertz; takes some milliseconds. `None`
/// where it is not steady, and on processors whose additions nobody has looked at.
pub fn measure() -> Option<f64> {
    let samples: Option<Vec<f64>> = (0..SAMPLES).map(|_| sample()).collect();
    steady(&samples?)
}

/// The one clock that was there before and after; `None` where there was none or another.
pub fn same(before: Option<f64>, after: Option<f64>) -> Option<f64> {
    let (before, after) = (before?, after?);
    let mean = (before + after) / 2.0;
    ((before - after).abs() <= SAME * mean).then_some(mean)
}

/// The median of the undisturbed samples, if these are more than half.
fn steady(samples: &[f64]) -> Option<f64> {
    let fastest = samples.iter().copied().fold(0.0, f64::max);
    let mut near: Vec<f64> = samples
        .iter()
        .copied()
        .filter(|hz| *hz >= fastest * (1.0 - STEADY))
        .collect();
    if near.len() * 2 <= samples.len() {
        return None;
    }
    near.sort_by(f64::total_cmp);
    near.get(near.len() / 2)
        .copied()
        .filter(|hz| hz.is_finite() && *hz > 0.0)
}

fn sample() -> Option<f64> {
    let begin = now()?;
    add_in_a_chain(TURNS)?;
    let elapsed = now()?.checked_sub(begin)?.as_secs_f64();
    (elapsed > 0.0).then(|| (ADDITIONS * TURNS) as f64 / elapsed)
}

fn now() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_MONOTONIC_RAW)
        .ok()
        .map(Duration::from)
}

/// Registers are added, not constants: some processors fold additions of constants while renaming.
#[cfg(target_arch = "aarch64")]
fn add_in_a_chain(turns: u64) -> Option<()> {
    // SAFETY: only the named registers and the flags are changed; no memory is touched.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 512",
            "add {sum}, {sum}, {one}",
            ".endr",
            "subs {turns}, {turns}, #1",
            "b.ne 2b",
            sum = inout(reg) 0u64 => _,
            one = in(reg) 1u64,
            turns = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
    Some(())
}

/// Registers are added, not constants: some processors fold additions of constants while renaming.
#[cfg(target_arch = "x86_64")]
fn add_in_a_chain(turns: u64) -> Option<()> {
    // SAFETY: only the named registers and the flags are changed; no memory is touched.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 512",
            "add {sum}, {one}",
            ".endr",
            "sub {turns}, 1",
            "jnz 2b",
            sum = inout(reg) 0u64 => _,
            one = in(reg) 1u64,
            turns = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
    Some(())
}

/// Nothing is known of other processors' additions.
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
fn add_in_a_chain(_turns: u64) -> Option<()> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_clock_is_found_among_interruptions() {
        // A board at 2.4 GHz: three samples met an interrupt.
        let samples = [
            2.3991e9, 2.3992e9, 2.1420e9, 2.3990e9, 2.3991e9, 2.3874e9, 2.3992e9, 1.9e9, 2.3991e9,
        ];
        assert_eq!(steady(&samples), Some(2.3991e9));
    }

    #[test]
    fn a_rising_or_busy_clock_is_none() {
        // A governor on its way up.
        let rising: Vec<f64> = (0..15).map(|i| 1.0e9 + 0.1e9 * f64::from(i)).collect();
        assert_eq!(steady(&rising), None);
        // Another program on the same core half of the time.
        let busy = [2.4e9, 1.2e9, 2.39e9, 1.1e9, 1.3e9, 2.4e9, 1.2e9];
        assert_eq!(steady(&busy), None);
        assert_eq!(steady(&[]), None);
        assert_eq!(steady(&[0.0, 0.0]), None);
    }

    #[test]
    fn one_clock_before_and_after() {
        assert_eq!(same(Some(2.0e9), Some(2.01e9)), Some(2.005e9));
        assert_eq!(same(Some(2.0e9), Some(2.1e9)), None);
        assert_eq!(same(None, Some(2.0e9)), None);
    }

    #[test]
    fn twice_the_turns_take_longer_on_this_machine_too() {
        let cpu = crate::host::allowed_cpus()[0];
        crate::host::pin_this_thread(cpu).unwrap();
        // The quickest of some tries, because other programs run here.
        let quickest = |turns| {
            let tries = (0..50).filter_map(|_| {
                let begin = now()?;
                add_in_a_chain(turns)?;
                now()?.checked_sub(begin)
            });
            tries.min()
        };
        match (quickest(500), quickest(2000)) {
            (Some(short), Some(long)) => assert!(long > short * 2, "{short:?} {long:?}"),
            _ => assert_eq!(add_in_a_chain(1), None),
        }
    }
}
