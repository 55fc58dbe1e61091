//! Running compilers and keeping what they say.

use super::attempt::Attempt;
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What came of one command.
pub struct Step {
    command: Vec<String>,
    output: String,
    /// Whether it succeeded.
    pub ok: bool,
}

impl Step {
    /// What the command printed.
    pub fn output(&self) -> &str {
        &self.output
    }

    /// Of a command that could not be made.
    pub fn impossible(message: String) -> Step {
        Step {
            command: Vec::new(),
            output: message,
            ok: false,
        }
    }
}

/// Runs commands, `jobs` at a time; the results keep the commands' order.
pub fn run_all(commands: Vec<Command>, jobs: usize) -> std::io::Result<Vec<Step>> {
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
        let handles: Vec<_> = (0..jobs.clamp(1, commands.len().max(1)))
            .map(|_| scope.spawn(work))
            .collect();
        let joined = handles.into_iter().filter_map(|handle| handle.join().ok());
        joined.flatten().collect::<Vec<_>>()
    });
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, step)| step).collect()
}

/// Runs one command to its end.
pub fn run(mut command: Command) -> std::io::Result<Step> {
    let output = command.stdin(Stdio::null()).output()?;
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

/// All steps as one attempt; `places` are absolute paths and what stands for them in the records.
pub fn summarise(steps: Vec<Step>, places: &[(String, &str)]) -> Attempt {
    let placed = |text: &str| {
        let mut text = text.to_owned();
        for (path, name) in places.iter().filter(|(path, _)| path.len() > 1) {
            text = text.replace(path.as_str(), name);
        }
        text
    };
    let steps: Vec<Step> = steps
        .into_iter()
        .map(|step| Step {
            command: step.command.iter().map(|word| placed(word)).collect(),
            output: placed(&step.output),
            ok: step.ok,
        })
        .collect();
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
        supplied: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_become_places() {
        let step = Step {
            command: vec!["cc".to_owned(), "/home/me/pack/kem.c".to_owned()],
            output: "/tmp/b/x.o: error: no".to_owned(),
            ok: false,
        };
        let places = [
            ("/tmp/b".to_owned(), "$BUILD"),
            ("/home/me/pack".to_owned(), "$PACKAGE"),
        ];
        let attempt = summarise(vec![step], &places);
        assert_eq!(attempt.log, "$ cc $PACKAGE/kem.c\n$BUILD/x.o: error: no\n");
        assert_eq!(attempt.error.as_deref(), Some("$BUILD/x.o: error: no"));
    }
}
