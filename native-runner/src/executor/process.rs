//! The real executor: this program started again, one process per task.

use super::lines::{End, interpret};
use super::{ExecuteError, Execution, Executor, Target};
use crate::child::{self, protocol};
use crate::interrupt::Interrupt;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use protocol::{PROTOCOL, Request, Task};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
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

/// Starts a process per task, in a process group of its own.
pub struct ProcessExecutor {
    program: PathBuf,
    interrupt: Interrupt,
}

impl ProcessExecutor {
    /// `program` is a native-runner that knows the hidden subcommand: usually the running one.
    pub fn new(program: PathBuf, interrupt: Interrupt) -> ProcessExecutor {
        ProcessExecutor { program, interrupt }
    }

    /// The running program.
    pub fn of_this_program(interrupt: Interrupt) -> io::Result<ProcessExecutor> {
        Ok(ProcessExecutor::new(std::env::current_exe()?, interrupt))
    }
}

impl Executor for ProcessExecutor {
    fn execute(
        &mut self,
        target: &Target,
        task: &Task,
        timeout: Duration,
    ) -> Result<Execution, ExecuteError> {
        let request = Request {
            protocol: PROTOCOL,
            library: target.library.clone(),
            namespace: target.namespace.clone(),
            cpu: target.cpu,
            task: task.clone(),
        };
        let request = serde_json::to_string(&request).map_err(|cause| ExecuteError::Request {
            label: target.label.clone(),
            cause,
        })?;
        let begin = Instant::now();
        let mut process = Command::new(&self.program)
            .args([child::SUBCOMMAND, &request])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: Ctrl-C reaches the runner alone, and what the library may have
            // started ends with it.
            .process_group(0)
            .spawn()?;
        let (lines, stderr, timed_out) = self.attend(&mut process, begin + timeout)?;
        let status = process.wait()?;
        let end = match (timed_out, status.signal()) {
            (true, _) => End::TimedOut(timeout.as_secs_f64()),
            (false, Some(signal)) => End::Signalled(signal),
            (false, None) => End::Exited(status.code().unwrap_or(-1)),
        };
        Ok(Execution {
            outcome: interpret(&target.label, &lines, end, &stderr),
            wall_seconds: begin.elapsed().as_secs_f64(),
            command: vec![
                self.program.display().to_string(),
                child::SUBCOMMAND.to_owned(),
                request,
            ],
        })
    }
}

enum Message {
    Line(String),
    Stderr(String),
}

impl ProcessExecutor {
    /// Collects a process's lines and standard error until it closes them, the deadline passes or
    /// the user interrupts; in the latter cases ends its whole group. When the process ends, what it has
    /// started is ended too, lest a forked helper keep its pipes open. Answers whether time was out.
    fn attend(
        &self,
        process: &mut Child,
        deadline: Instant,
    ) -> Result<(Vec<String>, String, bool), ExecuteError> {
        let (sender, receiver) = mpsc::channel();
        if let Some(stdout) = process.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if sender.send(Message::Line(line)).is_err() {
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
        let (mut lines, mut stderr) = (Vec::new(), String::new());
        let mut limit = deadline;
        let mut ended = false;
        loop {
            let left = limit.saturating_duration_since(Instant::now());
            if left.is_zero() {
                end_group(process)?;
                return Ok((lines, stderr, !ended));
            }
            match receiver.recv_timeout(left.min(POLL)) {
                Ok(Message::Line(line)) => lines.push(line),
                Ok(Message::Stderr(text)) => stderr = text,
                // Both ends are closed: the process is gone or about to go.
                Err(RecvTimeoutError::Disconnected) => {
                    return Ok((lines, stderr, !ends_by(process, limit)?));
                }
                Err(RecvTimeoutError::Timeout) if self.interrupt.requested() => {
                    end_group(process)?;
                    return Err(ExecuteError::Interrupted);
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
