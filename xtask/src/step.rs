//! Runs one command as a step: a line when it ends, and its output kept in a log, of which only a failure shows the end.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::iter;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::paths;

const SHOWN_ON_FAILURE: usize = 80;

/// Takes a lock, whatever happened to a thread that had it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on each item, on several threads, each of which takes the next item when it has done one.
pub fn side_by_side<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let waiting = Mutex::new(items.iter());
    let next = || lock(&waiting).next();
    let help = || iter::from_fn(next).map(&work).collect::<Vec<R>>();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(help)).collect();
        let ends = threads.into_iter().map(|thread| thread.join());
        ends.flat_map(|done| done.expect("what fails does not panic"))
            .collect()
    })
}

/// The end of a command.
pub struct Outcome {
    pub success: bool,
    pub output: String,
    pub log: PathBuf,
}

/// A command that runs in the checkout.
pub fn command(program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root()).args(arguments);
    command
}

/// A script of the checkout in Node.
pub fn node(script: &str) -> Command {
    command("node", &[script])
}

/// Runs `command` and fails with the end of its output if it fails.
pub fn run(label: &str, command: &mut Command) -> Result<()> {
    let outcome = attempt(label, command)?;
    if !outcome.success {
        println!("{}", last_lines(&outcome.output, SHOWN_ON_FAILURE));
        bail!(
            "{label}: failed; all of its output is in {}{}",
            outcome.log.display(),
            advice(&outcome.output)
        );
    }
    Ok(())
}

/// Runs `command` without a log or a line of its own, and returns what it prints.
pub fn said(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {}", errors.trim());
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
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
    println!(
        "  {word}  {label}  {:.1} s",
        started.elapsed().as_secs_f64()
    );
    Ok(Outcome {
        success,
        output,
        log,
    })
}

/// Runs a command on the terminal, without a log: for commands whose output is the point.
pub fn show(label: &str, command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("{label}: cannot start {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{label}: ended with {status}");
    }
    Ok(())
}

/// Says that a step had nothing to do.
pub fn skip(label: &str, why: &str) {
    println!("  --      {label}  ({why})");
}

pub fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

fn log_file(label: &str) -> PathBuf {
    let name = label.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
    paths::target("xtask/logs").join(format!("{name}.log"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_can_mend_is_said() {
        let cargo = "warning: spurious network error: [6] Could not resolve hostname (Could not resolve host: x)";
        assert!(advice(cargo).contains("no network"));
        assert!(advice("npm error code EAI_AGAIN").contains("no network"));
        assert!(advice("npm error code ENOSPC").contains("disk is full"));
        assert_eq!(advice("error[E0308]: mismatched types"), "");
    }
}
