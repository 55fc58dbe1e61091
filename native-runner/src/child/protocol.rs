//! What runner and measuring process say to each other.
//!
//! The runner starts itself again as `native-runner child <request>`, the request being one JSON
//! argument, so that a record's command line can be repeated by hand. The process answers with one
//! JSON event per line on what was its standard output; the library's own output goes to standard
//! error and cannot disturb the protocol.

use crate::abi::Abi;
use crate::package::KatForm;
use kemscope_schema::run::{FailureKind, Generator, HeapUse, TickSource};
use kemscope_schema::{CycleSource, Operation, RejectionTry, Sizes};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Version of the protocol; runner and process are the same program, unless it was replaced meanwhile.
pub const PROTOCOL: u32 = 2;

/// The longest piece of text in one event.
pub const TEXT_BYTES: usize = 64 * 1024;

/// Order to a measuring process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Version of the protocol, [`PROTOCOL`].
    pub protocol: u32,
    /// The shared library.
    pub library: PathBuf,
    /// How its functions are called.
    pub abi: Abi,
    /// The CPU to run on.
    pub cpu: Option<u32>,
    /// Address space that the process may use, in bytes: a library that wants all memory there is must not
    /// take the machine with it.
    pub memory_limit_bytes: Option<u64>,
    /// What to do.
    pub task: Task,
}

/// What a measuring process is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Task {
    /// Generate the text of the known-answer test.
    Kat {
        /// Which text.
        form: KatForm,
        /// The generator to feed it with.
        generator: Generator,
        /// Number of records.
        records: u64,
    },
    /// Decapsulate ciphertexts with a flipped bit.
    Reject,
    /// Key generation, encapsulation and decapsulation once, secrets compared.
    RoundTrip,
    /// Time one call.
    Calibrate {
        /// The operation.
        operation: Operation,
    },
    /// Watch stack and heap of one call.
    Memory {
        /// The operation.
        operation: Operation,
        /// The heap counter, to be loaded before the C library by whoever starts the process.
        heap_counter: Option<PathBuf>,
    },
    /// Time many calls.
    Trial {
        /// The operation.
        operation: Operation,
        /// Timed calls.
        iterations: u64,
        /// Calls before them.
        warmups: u64,
        /// What to count cycles with.
        cycle_source: Option<CycleSource>,
        /// Number of the seed, 0 for that of the published method.
        #[serde(default)]
        seed_number: u64,
    },
    /// Count and time the calls to the symmetric primitives. The library has wrappers around them.
    Profile {
        /// The operation.
        operation: Operation,
        /// Most operations to profile.
        operations: u64,
        /// After so many seconds no further operation is begun.
        seconds: f64,
        /// Calls before them.
        warmups: u64,
    },
}

/// One line from a measuring process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// The process is alive and speaks this version.
    Hello {
        /// Version of the protocol.
        protocol: u32,
    },
    /// It enters the library now.
    Enter {
        /// The operation.
        operation: Operation,
    },
    /// A piece of the text of [`Task::Kat`], at most [`TEXT_BYTES`] long.
    Text {
        /// The piece.
        text: String,
    },
    /// It did what it was for.
    Done {
        /// The result.
        reply: Reply,
    },
    /// It could not.
    Failed {
        /// Kind of failure.
        kind: FailureKind,
        /// What happened, as the end of a sentence about the instance.
        message: String,
        /// The operation in which it happened.
        operation: Option<Operation>,
        /// The non-zero value that the library returned.
        return_code: Option<i32>,
    },
}

/// Result of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Reply {
    /// Of [`Task::Kat`].
    Kat {
        /// Sizes that the library declares.
        sizes: Sizes,
    },
    /// Of [`Task::RoundTrip`].
    RoundTrip {
        /// Sizes that the library declares.
        sizes: Sizes,
    },
    /// Of [`Task::Reject`].
    Rejection {
        /// One try per flipped bit.
        tries: Vec<RejectionTry>,
    },
    /// Of [`Task::Calibrate`].
    Calibration {
        /// Duration of the call in seconds.
        seconds: f64,
    },
    /// Of [`Task::Memory`].
    Memory(MemoryUse),
    /// Of [`Task::Trial`].
    Trial(Measured),
    /// Of [`Task::Profile`].
    Profile(Profiled),
}

/// Stack and heap of one call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryUse {
    /// Bytes of stack down to the lowest one that was written.
    pub touched_stack_bytes: u64,
    /// Those of them that were in use when the operation was entered.
    pub entry_stack_bytes: u64,
    /// Bytes of stack that there were.
    pub available_stack_bytes: u64,
    /// Heap of the call.
    pub heap: Option<HeapUse>,
    /// Why it is not known.
    pub heap_unknown: Option<String>,
}

/// What a trial's process measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Timed calls.
    pub measurements: u64,
    /// Duration of all of them in seconds.
    pub seconds: f64,
    /// Cycles of all of them.
    pub cycles: Option<u64>,
    /// What counted them.
    pub cycle_source: Option<CycleSource>,
    /// Instructions of all of them.
    pub instructions: Option<u64>,
    /// For estimated cycles: the clock in hertz.
    pub clock_hz: Option<f64>,
    /// Processor time of the process, in seconds.
    pub cpu_seconds: Option<f64>,
    /// Resident set after loading, in bytes.
    pub baseline_rss_bytes: Option<u64>,
    /// Peak of the resident set, in bytes.
    pub peak_rss_bytes: Option<u64>,
    /// Voluntary context switches during the timed calls.
    pub voluntary_context_switches: u64,
    /// Involuntary context switches during the timed calls.
    pub involuntary_context_switches: u64,
    /// Page faults without I/O during the timed calls.
    pub minor_page_faults: u64,
    /// Page faults with I/O during the timed calls.
    pub major_page_faults: u64,
    /// Page faults without I/O during the last warm-up call.
    pub warmup_minor_page_faults: Option<u64>,
    /// Changes of the CPU during the timed calls.
    pub migrations: Option<u64>,
    /// How often the core was throttled during the timed calls.
    pub throttle_events: Option<u64>,
}

/// What a profile's process counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profiled {
    /// Profiled operations.
    pub operations: u64,
    /// Ticks of all of them.
    pub total_ticks: u64,
    /// Time from the first to the last, in seconds.
    pub seconds: f64,
    /// Processor time of that, in seconds.
    pub cpu_seconds: f64,
    /// What the ticks are.
    pub tick_source: TickSource,
    /// Ticks per second.
    pub tick_hz: f64,
    /// What the clock itself costs.
    pub tick_cost: TickCost,
    /// The calls.
    pub rows: Vec<ProfileRow>,
}

/// How fine a profile's clock is, and what reading it takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TickCost {
    /// Smallest step between two readings that was seen, in ticks.
    pub step: Option<u64>,
    /// Mean ticks from one reading to the next.
    pub overhead: f64,
}

/// Calls of one function with the same lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileRow {
    /// Number of the function among the wrapped ones.
    pub function: u64,
    /// Bits that a call takes in; `None` for calls that found no room in the table.
    pub in_bits: Option<u64>,
    /// Bits that a call gives out; `None` likewise.
    pub out_bits: Option<u64>,
    /// Number of calls.
    pub calls: u64,
    /// Ticks of all of them.
    pub ticks: u64,
}
