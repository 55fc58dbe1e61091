//! The real executor: this program started again, one process per task.

use super::lines::{End, interpret};
use super::preload::Preload;
use super::{ExecuteError, Execution, Executor, Target, ended_from_outside};
use crate::child::{self, protocol};
use crate::interrupt::Interrupt;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use protocol::{Event, PROTOCOL, Request, Task};
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a waiting runner looks whether it was asked to stop.
const POLL: Duration = Duration::from_millis(50);
/// After a process has ended its pipes get so long to run dry. Only a process of the library's that left
/// the group can keep them open for longer.
const DRAIN: Duration = Duration::from_secs(1);
/// Of a process's standard error so much is kept, from its end.
const STDERR_BYTES: usize = 4096;
/// Messages that may wait for the runner.
const WAITING: usize = 64;
/// Longest line of the protocol: a piece of text in JSON, with room for escapes.
const LINE_BYTES: u64 = 1 << 20;
/// So many lines that are no text are listened to, each of so many bytes, and so many bytes in all: far more than
/// any task has. The longest is the reply of a profile with a full table.
const LINES: usize = 4096;
const EVENT_BYTES: usize = 256 * 1024;
const EVENTS_BYTES: usize = 16 * 1024 * 1024;

/// Starts a process per task, in a process group of its own.
pub struct ProcessExecutor {
    /// The program with what starts it, an emulator for example.
    command: Vec<OsString>,
    interrupt: Interrupt,
    memory_limit_bytes: Option<u64>,
}

impl ProcessExecutor {
    /// The last word of `command` is a native-runner that knows the hidden subcommand: usually the running
    /// one. Words before it start it.
    pub fn new(command: Vec<OsString>, interrupt: Interrupt) -> ProcessExecutor {
        ProcessExecutor {
            command,
            interrupt,
            memory_limit_bytes: None,
        }
    }

    /// The same with a limit to each process's address space.
    pub fn with_memory_limit(self, bytes: Option<u64>) -> ProcessExecutor {
        ProcessExecutor {
            memory_limit_bytes: bytes,
            ..self
        }
    }

    /// The running program.
    pub fn of_this_program(interrupt: Interrupt) -> io::Result<ProcessExecutor> {
        Ok(ProcessExecutor::new(
            vec![std::env::current_exe()?.into()],
            interrupt,
        ))
    }
}

impl Executor for ProcessExecutor {
    fn execute(
        &mut self,
        target: &Target,
        task: &Task,
        timeout: Duration,
    ) -> Result<Execution, ExecuteError> {
        let patience = Patience::InAll(timeout);
        let mut refuse = |_: &str| Err(io::Error::other("a text that nobody asked for"));
        let execution = self.carry_out(target, task, patience, &mut refuse)?;
        if ended_from_outside(&execution) {
            return self.carry_out(target, task, patience, &mut refuse);
        }
        Ok(execution)
    }

    fn execute_text(
        &mut self,
        target: &Target,
        task: &Task,
        timeout: Duration,
        sink: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Execution, ExecuteError> {
        self.carry_out(target, task, Patience::SinceHeardOf(timeout), sink)
    }
}

/// How long a process is waited for.
#[derive(Clone, Copy)]
enum Patience {
    /// From its start.
    InAll(Duration),
    /// From its last event.
    SinceHeardOf(Duration),
}

impl Patience {
    fn duration(self) -> Duration {
        match self {
            Patience::InAll(duration) | Patience::SinceHeardOf(duration) => duration,
        }
    }
}

enum Message {
    /// An event that is no text.
    Line(String),
    /// A piece of text.
    Text(String),
    Stderr(String),
}

/// What a process left.
struct Heard {
    lines: Vec<String>,
    stderr: String,
    timed_out: bool,
}

impl ProcessExecutor {
    fn carry_out(
        &mut self,
        target: &Target,
        task: &Task,
        patience: Patience,
        sink: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Execution, ExecuteError> {
        let request = Request {
            protocol: PROTOCOL,
            library: target.library.clone(),
            abi: target.abi.clone(),
            cpu: target.cpu,
            memory_limit_bytes: self.memory_limit_bytes,
            task: task.clone(),
        };
        let request = serde_json::to_string(&request).map_err(|cause| ExecuteError::Request {
            label: target.label.clone(),
            cause,
        })?;
        let begin = Instant::now();
        let words: Vec<OsString> = self
            .command
            .iter()
            .cloned()
            .chain([child::SUBCOMMAND.into(), request.into()])
            .collect();
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::other("no program"))?;
        let preload = match task {
            Task::Memory {
                heap_counter: Some(library),
                ..
            } => Some(Preload::of(library)?),
            _ => None,
        };
        let mut process = Command::new(program)
            .args(arguments)
            .envs(preload.as_ref().map(Preload::variable))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: Ctrl-C reaches the runner alone, and what the library may have
            // started ends with it.
            .process_group(0)
            .spawn()?;
        let heard = self.attend(&mut process, patience, sink)?;
        let status = process.wait()?;
        let end = match (heard.timed_out, status.signal()) {
            (true, _) => End::TimedOut(patience.duration().as_secs_f64()),
            (false, Some(signal)) => End::Signalled(signal),
            (false, None) => End::Exited(status.code().unwrap_or(-1)),
        };
        Ok(Execution {
            outcome: interpret(&target.label, &heard.lines, end, &heard.stderr),
            wall_seconds: begin.elapsed().as_secs_f64(),
            command: words
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
        })
    }

    /// Collects a process's lines and standard error until it closes them, its time is up or
    /// the user interrupts; in the latter cases ends its whole group. When the process ends, what it has
    /// started is ended too, lest a forked helper keep its pipes open.
    fn attend(
        &self,
        process: &mut Child,
        patience: Patience,
        sink: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Heard, ExecuteError> {
        let receiver = listen(process);
        let (mut lines, mut stderr) = (Vec::new(), String::new());
        let mut limit = Instant::now() + patience.duration();
        let mut ended = false;
        loop {
            let left = limit.saturating_duration_since(Instant::now());
            if left.is_zero() {
                end_group(process)?;
                return Ok(Heard {
                    lines,
                    stderr,
                    timed_out: !ended,
                });
            }
            let message = receiver.recv_timeout(left.min(POLL));
            if let (Ok(_), Patience::SinceHeardOf(duration), false) = (&message, patience, ended) {
                limit = Instant::now() + duration;
            }
            if self.interrupt.requested() && !matches!(message, Err(RecvTimeoutError::Disconnected))
            {
                end_group(process)?;
                return Err(ExecuteError::Interrupted);
            }
            match message {
                Ok(Message::Line(line)) => lines.push(line),
                Ok(Message::Stderr(text)) => stderr = text,
                Ok(Message::Text(text)) => {
                    if let Err(error) = sink(&text) {
                        end_group(process)?;
                        return Err(ExecuteError::Sink(error));
                    }
                }
                // Both ends are closed: the process is gone or about to go.
                Err(RecvTimeoutError::Disconnected) => {
                    let timed_out = !ends_by(process, limit)?;
                    return Ok(Heard {
                        lines,
                        stderr,
                        timed_out,
                    });
                }
                Err(RecvTimeoutError::Timeout) if !ended && has_ended(process)? => {
                    kill_group(process)?;
                    ended = true;
                    limit = Instant::now() + DRAIN;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Reads a process's output in threads of their own.
fn listen(process: &mut Child) -> mpsc::Receiver<Message> {
    // Bounded: a process that writes faster than its text can be kept has to wait.
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    if let Some(stdout) = process.stdout.take() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let (mut others, mut bytes) = (0, 0);
            while let Some(line) = next_line(&mut stdout) {
                let message = match serde_json::from_str(&line) {
                    Ok(Event::Text { text }) => Message::Text(text),
                    _ if others >= LINES
                        || line.len() > EVENT_BYTES
                        || bytes + line.len() > EVENTS_BYTES =>
                    {
                        continue;
                    }
                    _ => {
                        others += 1;
                        bytes += line.len();
                        Message::Line(line)
                    }
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
    }
    if let Some(stderr) = process.stderr.take() {
        thread::spawn(move || {
            // The receiver is gone only after an interruption.
            let _ = sender.send(Message::Stderr(tail_of(stderr)));
        });
    }
    receiver
}

/// The next line, at most [`LINE_BYTES`] of it; `None` at the end.
fn next_line(stream: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = stream.take(LINE_BYTES).read_until(b'\n', &mut line).ok()?;
    (read > 0).then(|| {
        String::from_utf8_lossy(&line)
            .trim_end_matches('\n')
            .to_owned()
    })
}

/// Whether the process has ended. It is not reaped: its number, and its group's, stay taken.
fn has_ended(process: &Child) -> io::Result<bool> {
    let Ok(id) = i32::try_from(process.id()) else {
        return Ok(false);
    };
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let status = waitid(Id::Pid(Pid::from_raw(id)), flags)?;
    Ok(status != WaitStatus::StillAlive)
}

/// Waits until the process has ended, and ends what it left in its group; ends all of it after the deadline
/// and answers `false` then.
fn ends_by(process: &mut Child, deadline: Instant) -> io::Result<bool> {
    while !has_ended(process)? {
        if Instant::now() >= deadline {
            end_group(process)?;
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(1));
    }
    kill_group(process)?;
    Ok(true)
}

/// Ends the process, and everything that it started in its group, and reaps it.
fn end_group(process: &mut Child) -> io::Result<()> {
    kill_group(process)?;
    process.wait().map(|_| ())
}

/// Ends everything in the process's group. To be called while the process is not reaped: the group's
/// number is the process's own and cannot have been reused so long.
fn kill_group(process: &Child) -> io::Result<()> {
    let Ok(id) = i32::try_from(process.id()) else {
        return Ok(());
    };
    match killpg(Pid::from_raw(id), Signal::SIGKILL) {
        Ok(()) | Err(nix::errno::Errno::ESRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The last bytes of a stream, as text.
fn tail_of(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let mut chunk = [0u8; STDERR_BYTES];
    while let Ok(count @ 1..) = stream.read(&mut chunk) {
        kept.extend_from_slice(&chunk[..count]);
        let excess = kept.len().saturating_sub(STDERR_BYTES);
        kept.drain(..excess);
    }
    String::from_utf8_lossy(&kept).trim_end().to_owned()
}
