//! Runs one command as a step: a line when it ends, and its output kept in a log, of which only a failure shows the end.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::paths;

const SHOWN_ON_FAILURE: usize = 80;

/// Takes a lock, whatever happened to a thread that had it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of a command.
pub struct Outcome {
    pub success: bool,
    pub output: String,
    pub log: PathBuf,
}

/// Runs `command` and fails with the end of its output if it fails.
pub fn run(label: &str, command: &mut Command) -> Result<()> {
    output(label, command).map(drop)
}

/// The same, with what the command printed, standard error included.
pub fn output(label: &str, command: &mut Command) -> Result<String> {
    let outcome = attempt(label, command)?;
    if !outcome.success {
        println!("{}", last_lines(&outcome.output, SHOWN_ON_FAILURE));
        bail!(
            "{label}: failed; all of its output is in {}{}",
            outcome.log.display(),
            advice(&outcome.output)
        );
    }
    Ok(outcome.output)
}

/// Advice for what tools say in many words, or nothing.
fn advice(output: &str) -> &'static str {
    const WITHOUT_NETWORK: [&str; 8] = [
        "Could not resolve host",
        "Couldn't connect to server",
        "Temporary failure in name resolution",
        "Temporary failure resolving",
        "dns error",
        "EAI_AGAIN",
        "ENOTFOUND",
        "ECONNREFUSED",
    ];
    const WITHOUT_SPACE: [&str; 2] = ["No space left on device", "ENOSPC"];
    let says = |words: &[&str]| words.iter().any(|word| output.contains(word));
    if says(&WITHOUT_SPACE) {
        return "\nThe disk is full: a build with every tool takes 10 GB";
    }
    if says(&WITHOUT_NETWORK) {
        return "\nIt found no network, which the first run needs for Rust's and Node's packages; if a proxy \
                leads out, set HTTPS_PROXY";
    }
    ""
}

/// Runs `command` and says how it went. An error means that it could not be started.
pub fn attempt(label: &str, command: &mut Command) -> Result<Outcome> {
    let log = log_file(label);
    fs::create_dir_all(log.parent().expect("a log lies in a folder"))?;
    let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);

    let started = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("{label}: cannot start {:?}", command.get_program()))?;
    let success = status.success();
    let output = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let word = if success { "ok    " } else { "FAILED" };
    println!("  {word}  {label}  {}", seconds(started.elapsed()));
    Ok(Outcome {
        success,
        output,
        log,
    })
}

/// Runs a command on the terminal, without a log: for commands whose output is the point.
pub fn show(label: &str, command: &mut Command) -> Result<i32> {
    let status = command
        .status()
        .with_context(|| format!("{label}: cannot start {:?}", command.get_program()))?;
    status
        .code()
        .with_context(|| format!("{label}: ended by a signal"))
}

/// Says what is next, and about how long it takes.
pub fn next(text: &str) {
    println!("{text}");
}

/// Says that a step had nothing to do.
pub fn skip(label: &str, why: &str) {
    println!("  --      {label}  ({why})");
}

pub fn heading(text: &str) {
    println!("\n{text}");
}

pub fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// Kills what a process has started, and what that has started, where the system has `/proc`.
pub fn kill_children(id: u32) {
    let threads = fs::read_dir(format!("/proc/{id}/task"));
    let lists = threads.into_iter().flatten().flatten();
    let lists = lists.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    for child in lists.collect::<String>().split_whitespace() {
        // It can start no more while its own are looked for.
        signal("STOP", child);
        kill_children(child.parse().expect("the system writes numbers"));
        signal("KILL", child);
    }
}

/// Sends a signal to a process, which may have ended meanwhile.
fn signal(name: &str, id: &str) {
    let _ = Command::new("kill").args(["-s", name, id]).output();
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

fn log_file(label: &str) -> PathBuf {
    let name: String = label
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '.' {
                c
            } else {
                '-'
            }
        })
        .collect();
    paths::target("xtask/logs").join(format!("{name}.log"))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_the_user_can_mend_is_said() {
        let cargo = "warning: spurious network error: [6] Could not resolve hostname (Could not resolve host: x)";
        assert!(advice(cargo).contains("no network"));
        assert!(advice("npm error code EAI_AGAIN").contains("no network"));
        assert!(advice("npm error code ENOSPC").contains("disk is full"));
        assert_eq!(advice("error[E0308]: mismatched types"), "");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_killed_command_has_started_ends_with_it() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sh -c 'sleep 600; :' & echo; wait"]);
        let mut shell = shell.stdout(Stdio::piped()).spawn().expect("a shell");
        let mut output = shell.stdout.take().expect("it is piped");
        output
            .read_exact(&mut [0])
            .expect("the inner shell has begun");
        kill_children(shell.id());
        // The pipe ends when the last that has it has ended.
        assert_eq!(output.read_to_end(&mut Vec::new()).expect("a pipe"), 0);
        assert!(shell.wait().is_ok());
    }
}
