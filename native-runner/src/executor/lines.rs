//! Making sense of the lines that a measuring process left.

use crate::child::EXIT_DEAF;
use crate::child::protocol::{Event, PROTOCOL, Reply};
use kemscope_schema::Operation;
use kemscope_schema::run::{Failure, FailureKind};
use nix::sys::signal::Signal;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
    /// It had to be ended after so many seconds.
    TimedOut(f64),
}

/// The reply in the lines, or why there is none. `label` names the instance in messages.
pub fn interpret(label: &str, lines: &[String], end: End, stderr: &str) -> Result<Reply, Failure> {
    let mut entered = None;
    let mut verdict = None;
    let mut broken = None;
    for line in lines {
        match serde_json::from_str::<Event>(line) {
            Ok(Event::Hello { protocol }) if protocol != PROTOCOL => {
                broken = Some(format!("speaks protocol {protocol}, expected {PROTOCOL}"));
            }
            Ok(Event::Hello { .. }) => {}
            Ok(Event::Enter { operation }) => entered = Some(operation),
            Ok(Event::Text { .. }) => {}
            Ok(event) => verdict = Some(event),
            Err(error) => broken = Some(format!("wrote a line that is none of its own: {error}")),
        }
    }
    let failure = |kind, operation: Option<Operation>, what: String| {
        let place = operation.map_or(String::new(), |op| format!(" {op}"));
        Failure {
            kind,
            message: format!("{label}{place}: {what}"),
            operation,
            signal: None,
            return_code: None,
            stderr: (!stderr.is_empty()).then(|| stderr.to_owned()),
        }
    };
    match (verdict, end) {
        (Some(Event::Done { reply }), End::Exited(0)) if broken.is_none() => Ok(reply),
        (
            Some(Event::Failed {
                kind,
                message,
                operation,
                return_code,
            }),
            End::Exited(_),
        ) => Err(Failure {
            return_code,
            ..failure(kind, operation.or(entered), message)
        }),
        (_, End::TimedOut(seconds)) => {
            let what = format!("did not end within {seconds:.0} s and was stopped");
            Err(failure(FailureKind::Timeout, entered, what))
        }
        (_, End::Signalled(signal)) => {
            let name = signal_name(signal);
            let what = format!("the process died of {name}");
            Err(Failure {
                signal: Some(name),
                ..failure(FailureKind::Crash, entered, what)
            })
        }
        (_, End::Exited(EXIT_DEAF)) => {
            let what = "the measuring process could not report: its descriptors were closed";
            Err(failure(FailureKind::Crash, entered, what.to_owned()))
        }
        (_, End::Exited(code)) => {
            let what = match broken {
                Some(reason) => format!("the measuring process {reason}"),
                None => format!("the process ended with exit code {code} before it was done"),
            };
            Err(failure(FailureKind::Crash, entered, what))
        }
    }
}

fn signal_name(signal: i32) -> String {
    match Signal::try_from(signal) {
        Ok(signal) => signal.as_str().to_owned(),
        Err(_) => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&t| t.to_owned()).collect()
    }

    const HELLO: &str = r#"{"event":"hello","protocol":2}"#;
    const ENTER: &str = r#"{"event":"enter","operation":"enc"}"#;
    const DONE: &str = r#"{"event":"done","reply":{"kind":"calibration","seconds":0.25}}"#;

    #[test]
    fn a_reply_counts_only_with_a_clean_end() {
        let all = lines(&[HELLO, ENTER, DONE]);
        let reply = interpret("f/X", &all, End::Exited(0), "").unwrap();
        assert_eq!(reply, Reply::Calibration { seconds: 0.25 });
        let failure = interpret("f/X", &all, End::Signalled(6), "").unwrap_err();
        assert_eq!(failure.signal.as_deref(), Some("SIGABRT"));
    }

    #[test]
    fn a_crash_names_signal_instance_and_operation() {
        let failure =
            interpret("f/X", &lines(&[HELLO, ENTER]), End::Signalled(11), "boo").unwrap_err();
        assert_eq!(failure.kind, FailureKind::Crash);
        assert_eq!(failure.message, "f/X enc: the process died of SIGSEGV");
        assert_eq!(failure.stderr.as_deref(), Some("boo"));
    }

    #[test]
    fn a_hang_says_how_long_it_was_given() {
        let failure =
            interpret("f/X", &lines(&[HELLO, ENTER]), End::TimedOut(2.0), "").unwrap_err();
        assert_eq!(failure.kind, FailureKind::Timeout);
        assert!(
            failure.message.contains("within 2 s"),
            "{}",
            failure.message
        );
    }

    #[test]
    fn an_early_exit_and_a_strange_line_are_no_success() {
        let failure = interpret("f/X", &lines(&[HELLO, ENTER]), End::Exited(0), "").unwrap_err();
        assert!(
            failure.message.contains("exit code 0"),
            "{}",
            failure.message
        );
        let failure = interpret("f/X", &lines(&["hi", DONE]), End::Exited(0), "").unwrap_err();
        assert!(
            failure.message.contains("none of its own"),
            "{}",
            failure.message
        );
    }
}
