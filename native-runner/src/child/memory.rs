//! Stack and heap of one call.

use super::buffers::Buffers;
use super::elsewhere::Elsewhere;
use super::heap::HeapCounter;
use super::library::{self, KemLibrary};
use super::protocol::{MemoryUse, Reply};
use super::session::{Session, Stop};
use super::stack::PaintedStack;
use kemscope_schema::Operation;
use kemscope_schema::run::HeapUse;
use std::ffi::c_int;

/// Calls an operation once on a painted stack, with its heap counted where the counter was loaded. A function that
/// only notes where its stack begins is called before by the very same way: what lies above is not the operation's.
pub fn run(session: &mut Session<'_>, operation: Operation) -> Result<Reply, Stop> {
    let heap = HeapCounter::find();
    let mut stack = PaintedStack::new().map_err(Stop::harness)?;
    let probe = KemLibrary::stack_probe();
    let mut nothing = probe.buffers().map_err(Stop::harness)?;
    // This also looks up functions that are called for the first time, which takes stack.
    stack
        .run(|| observed(&probe, &mut nothing, operation, heap))
        .map_err(Stop::harness)?;
    let entry_stack_bytes = stack.depth_of(library::probed_stack());
    session.set_up(operation)?;
    session.announce(operation)?;
    let elsewhere = Elsewhere::start()
        .map_err(|e| Stop::harness(format!("cannot start a thread for randomness: {e}")))?;
    let (kem, buffers) = (&session.library, &mut session.buffers);
    let run = stack.run(|| observed(kem, buffers, operation, heap));
    let ((code, used), touched_stack_bytes) = run.map_err(Stop::harness)?;
    drop(elsewhere);
    session.check(operation, code)?;
    let (heap, heap_unknown) = match used {
        None => (None, Some("the heap counter was not loaded".to_owned())),
        Some(Ok(heap)) => (Some(heap), None),
        Some(Err(reason)) => (None, Some(reason.to_owned())),
    };
    Ok(Reply::Memory(MemoryUse {
        touched_stack_bytes,
        entry_stack_bytes,
        available_stack_bytes: stack.bytes() as u64,
        heap,
        heap_unknown,
    }))
}

type Used = Option<Result<HeapUse, &'static str>>;

/// One call between begin and end of counting.
fn observed(
    library: &KemLibrary,
    buffers: &mut Buffers,
    operation: Operation,
    heap: Option<HeapCounter>,
) -> (c_int, Used) {
    if let Some(heap) = heap {
        heap.begin();
    }
    let code = match operation {
        Operation::Keygen => library.keygen(buffers),
        Operation::Enc => library.enc(buffers),
        Operation::Dec => library.dec(buffers),
    };
    (code, heap.map(HeapCounter::end))
}
