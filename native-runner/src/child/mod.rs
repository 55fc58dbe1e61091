//! The measuring process: loads one library, does one task, reports, ends.
//!
//! Everything that a library can do wrong happens here and costs this process alone.

mod buffers;
mod elsewhere;
mod fault;
mod guarded;
mod heap;
mod helpers;
mod kat;
mod library;
mod memory;
mod output;
pub mod overhead;
mod profile;
pub mod protocol;
mod recorder;
mod reject;
mod session;
mod stack;
mod trial;

use crate::host::pin_this_thread;
use kemscope_schema::run::FailureKind;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use output::Output;
use protocol::{Event, PROTOCOL, Request, Task};
use session::{Session, Stop};
use std::process::ExitCode;
use std::time::Duration;

/// Name of the hidden subcommand.
pub const SUBCOMMAND: &str = "child";

/// Exit code after a failure that was reported.
const EXIT_FAILED: i32 = 3;
/// Exit code of a process that cannot report any more: its descriptors were closed.
pub const EXIT_DEAF: i32 = 4;

/// Runs the measuring process on a request as JSON. To be called by `main` for the hidden
/// subcommand [`SUBCOMMAND`], before anything else.
pub fn main(request: &str) -> ExitCode {
    let mut output = match Output::take_over() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("cannot take over standard output: {error}");
            return ExitCode::from(EXIT_FAILED as u8);
        }
    };
    let hello = Event::Hello { protocol: PROTOCOL };
    let done = output
        .send(&hello)
        .map_err(|e| Stop::harness(format!("the runner is gone: {e}")))
        .and_then(|()| prepare(request))
        .and_then(|request| work(&request, &mut output));
    let (event, code) = match done {
        Ok(reply) => (Event::Done { reply }, 0),
        Err(stop) => (stop.into_event(), EXIT_FAILED),
    };
    match output.send(&event) {
        Ok(()) => ExitCode::from(code as u8),
        // Somebody closed the way back; or the runner is gone and nobody listens. Nothing is dropped: what is
        // owned here may have been closed behind our back.
        Err(_) => std::process::exit(EXIT_DEAF),
    }
}

/// Reads the request and sets the process up: it dies with its parent, leaves no core dump, stays on
/// its CPU, and tells overruns from other crashes.
fn prepare(request: &str) -> Result<Request, Stop> {
    let request: Request = serde_json::from_str(request)
        .map_err(|e| Stop::harness(format!("the request cannot be read: {e}")))?;
    if request.protocol != PROTOCOL {
        return Err(Stop::harness(format!(
            "the request has protocol {}, this program speaks {PROTOCOL}",
            request.protocol
        )));
    }
    let step = |what: &str, done: nix::Result<()>| {
        done.map_err(|e| Stop::harness(format!("{what}: {}", e.desc())))
    };
    step(
        "cannot follow the parent's end",
        set_pdeathsig(Signal::SIGKILL),
    )?;
    step(
        "cannot forbid core dumps",
        setrlimit(Resource::RLIMIT_CORE, 0, 0),
    )?;
    if let Some(bytes) = request.memory_limit_bytes {
        step(
            "cannot limit the memory",
            setrlimit(Resource::RLIMIT_AS, bytes, bytes),
        )?;
    }
    step("cannot watch for faults", fault::install())?;
    if let Some(cpu) = request.cpu {
        step(&format!("cannot pin to CPU {cpu}"), pin_this_thread(cpu))?;
    }
    Ok(request)
}

fn work(request: &Request, output: &mut Output) -> Result<protocol::Reply, Stop> {
    let library = library::KemLibrary::load(&request.library, &request.abi)
        .map_err(|message| Stop::of(FailureKind::LoadFail, message))?;
    let baseline_rss_bytes = trial::resident_bytes("VmRSS");
    let generator = request.abi.generator();
    let mut session = Session::new(library, generator, output)?;
    match request.task {
        Task::Kat {
            form,
            generator,
            records,
        } => kat::run(&mut session, form, generator, records),
        Task::Reject => reject::run(&mut session),
        Task::RoundTrip => session.round_trip(),
        Task::Calibrate { operation } => trial::calibrate(&mut session, operation),
        Task::Memory { operation, .. } => memory::run(&mut session, operation),
        Task::Trial {
            operation,
            iterations,
            warmups,
            cycle_source,
            seed_number,
        } => {
            let order = trial::Order {
                operation,
                iterations,
                warmups,
                cycle_source,
                seed_number,
                cpu: request.cpu,
            };
            trial::run(&mut session, &order, baseline_rss_bytes)
        }
        Task::Profile {
            operation,
            operations,
            seconds,
            warmups,
        } => {
            let order = profile::Order {
                operation,
                operations,
                at_most: Duration::try_from_secs_f64(seconds)
                    .map_err(|e| Stop::harness(format!("{seconds} seconds: {e}")))?,
                warmups,
            };
            profile::run(&mut session, &order)
        }
    }
}
