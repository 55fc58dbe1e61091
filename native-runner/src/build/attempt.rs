//! One try to build a library with one set of flags.

use super::toolchain::Toolchain;
use crate::package::Instance;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The source that is compiled into every library.
pub const SHIM: &str = include_str!("../../csrc/abi_shim.c");

/// What one try came to.
pub struct Attempt {
    /// The commands that were run, argument by argument.
    pub commands: Vec<Vec<String>>,
    /// Commands and all that the compiler said.
    pub log: String,
    /// The first error, if there was one.
    pub error: Option<String>,
}

/// What came of one command.
struct Step {
    command: Vec<String>,
    output: String,
    ok: bool,
}

/// Compiles an instance's sources and links `library`, with objects in `scratch`.
///
/// Fails only where files cannot be written or the compiler not be started; a compiler's complaint is
/// a result.
pub fn build(
    toolchain: &Toolchain,
    flags: &[String],
    instance: &Instance,
    scratch: &Path,
    library: &Path,
) -> std::io::Result<Attempt> {
    std::fs::create_dir_all(scratch)?;
    let shim = scratch.join("kemscope_abi_shim.c");
    std::fs::write(&shim, SHIM)?;
    let sources: Vec<PathBuf> = instance.sources.iter().cloned().chain([shim]).collect();
    let objects: Vec<PathBuf> = sources
        .iter()
        .enumerate()
        // The number keeps equal names of different folders apart.
        .map(|(i, source)| {
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            scratch.join(format!("{i:03}-{stem}.o"))
        })
        .collect();
    let more = include_arguments(instance);
    let commands = sources
        .iter()
        .zip(&objects)
        .map(|(source, object)| toolchain.compile(flags, &more, source, object))
        .collect();
    let mut steps = run_all(commands)?;
    if steps.iter().all(|step| step.ok) {
        steps.push(run(toolchain.link(flags, &objects, library))?);
    }
    Ok(summarise(steps))
}

fn include_arguments(instance: &Instance) -> Vec<OsString> {
    let mut arguments = vec![format!("-DKEMSCOPE_NAMESPACE={}", instance.namespace).into()];
    for folder in [&instance.directory, &instance.common] {
        let mut argument = OsString::from("-I");
        argument.push(folder);
        arguments.push(argument);
    }
    arguments
}

/// Runs commands on all processors; the results keep the commands' order.
fn run_all(commands: Vec<Command>) -> std::io::Result<Vec<Step>> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let commands: Vec<Mutex<Option<Command>>> =
        commands.into_iter().map(|c| Mutex::new(Some(c))).collect();
    let mut numbered = thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = commands.get(number) else {
                    return done;
                };
                let taken = slot.lock().unwrap_or_else(|e| e.into_inner()).take();
                if let Some(command) = taken {
                    done.push((number, run(command)));
                }
            }
        };
        let handles: Vec<_> = (0..workers.min(commands.len()))
            .map(|_| scope.spawn(work))
            .collect();
        let joined = handles.into_iter().filter_map(|handle| handle.join().ok());
        joined.flatten().collect::<Vec<_>>()
    });
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, step)| step).collect()
}

fn run(mut command: Command) -> std::io::Result<Step> {
    let output = command.output()?;
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut said = text(&output.stdout) + &text(&output.stderr);
    if !output.status.success() && said.trim().is_empty() {
        said = format!("the compiler ended with {}\n", output.status);
    }
    Ok(Step {
        command: words.map(|w| w.to_string_lossy().into_owned()).collect(),
        output: said,
        ok: output.status.success(),
    })
}

fn summarise(steps: Vec<Step>) -> Attempt {
    let mut log = String::new();
    for step in &steps {
        // Writing to a string cannot fail.
        let _ = writeln!(log, "$ {}", step.command.join(" "));
        log.push_str(&step.output);
        if !step.output.is_empty() && !step.output.ends_with('\n') {
            log.push('\n');
        }
    }
    let error = steps.iter().find(|step| !step.ok).map(|step| {
        let mut lines = step.output.lines();
        let telling = lines
            .find(|l| l.contains("error") || l.contains("undefined reference"))
            .or_else(|| step.output.lines().next());
        telling.unwrap_or("the compiler failed").trim().to_owned()
    });
    Attempt {
        commands: steps.into_iter().map(|step| step.command).collect(),
        log,
        error,
    }
}
