//! The wrappers in a profiled library: their clock, and the calls that they count.

use super::protocol::{ProfileRow, TickCost};
use kemscope_schema::run::TickSource;
use libloading::os::unix::{Library, Symbol};
use std::ffi::{CStr, c_char, c_int};

type Ticks = unsafe extern "C" fn() -> u64;
type Cost = unsafe extern "C" fn(u64, *mut u64, *mut u64);
type Record = unsafe extern "C" fn(c_int);
type Rows = unsafe extern "C" fn(*mut Row, usize) -> usize;

/// Readings of the clock that its cost is the mean of.
const READINGS: u64 = 10_000;

/// The wrappers' length of calls that found no room in their table.
const NO_LENGTH: u64 = u64::MAX;

/// A row of the wrappers' table, as they lay it out.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Row {
    function: u64,
    in_bits: u64,
    out_bits: u64,
    calls: u64,
    ticks: u64,
}

/// What the wrappers in a library offer.
pub struct Recorder {
    ticks: Ticks,
    cost: Cost,
    record: Record,
    rows: Rows,
    source: TickSource,
}

impl Recorder {
    /// Finds the wrappers in a loaded library.
    ///
    /// # Errors
    /// If it has none, or others than this program's.
    pub fn find(library: &Library) -> Result<Recorder, String> {
        // SAFETY: the wrappers define this object as a string that ends in a zero byte.
        let name: Symbol<*const c_char> = unsafe { library.get("kemscope_tick_source") }
            .map_err(|e| format!("lacks kemscope_tick_source: {e}"))?;
        // SAFETY: the address is that of the wrappers' constant in the loaded library.
        let name = unsafe { CStr::from_ptr(*name) }.to_string_lossy();
        let source = TickSource::from_name(&name)
            .ok_or_else(|| format!("counts ticks with `{name}`, which is not known"))?;
        Ok(Recorder {
            ticks: function(library, "kemscope_ticks")?,
            cost: function(library, "kemscope_tick_cost")?,
            record: function(library, "kemscope_profile_record")?,
            rows: function(library, "kemscope_profile_rows")?,
            source,
        })
    }

    /// What ticks are counted with.
    pub fn source(&self) -> TickSource {
        self.source
    }

    /// The clock now.
    pub fn now(&self) -> u64 {
        // SAFETY: the function only reads the clock.
        unsafe { (self.ticks)() }
    }

    /// Starts or stops counting.
    pub fn record(&self, on: bool) {
        // SAFETY: the function only sets a flag of the wrappers.
        unsafe { (self.record)(c_int::from(on)) };
    }

    /// How fine the clock is, and what reading it takes.
    pub fn cost(&self) -> TickCost {
        let (mut sum, mut least) = (0, 0);
        // SAFETY: both addresses are of numbers of the type that the function writes.
        unsafe { (self.cost)(READINGS, &mut sum, &mut least) };
        TickCost {
            step: (least != u64::MAX).then_some(least),
            overhead: sum as f64 / READINGS as f64,
        }
    }

    /// What was counted so far.
    pub fn rows(&self) -> Vec<ProfileRow> {
        // SAFETY: without room the function only counts.
        let count = unsafe { (self.rows)(std::ptr::null_mut(), 0) };
        let mut rows = vec![Row::default(); count];
        // SAFETY: the function writes at most as many rows as there is room for, of the layout above.
        let count = unsafe { (self.rows)(rows.as_mut_ptr(), rows.len()) };
        rows.truncate(count);
        let length = |bits: u64| (bits != NO_LENGTH).then_some(bits);
        rows.iter()
            .map(|row| ProfileRow {
                function: row.function,
                in_bits: length(row.in_bits),
                out_bits: length(row.out_bits),
                calls: row.calls,
                ticks: row.ticks,
            })
            .collect()
    }
}

fn function<T: Copy>(library: &Library, name: &str) -> Result<T, String> {
    // SAFETY: callers name functions of the wrappers, and their C types.
    let symbol: Symbol<T> =
        unsafe { library.get(name) }.map_err(|e| format!("lacks {name}: {e}"))?;
    Ok(*symbol)
}
