//! Programs of others that are asked something: they get nothing to read, and no more than a few seconds.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(5);
const BETWEEN_LOOKS: Duration = Duration::from_millis(3);
/// What a program has said arrives a moment after its end, unless another that it started keeps the pipe.
const A_MOMENT: Duration = Duration::from_millis(200);
const LONGEST: u64 = 16_384;

/// The text that a program prints when it is started with one argument; none, if it fails or does not end.
pub(super) fn answer_of(program: &Path, argument: &str) -> Option<String> {
    let mut command = Command::new(program);
    command
        .arg(argument)
        // Agents look for updates, and colour what they say.
        .envs([("CI", "1"), ("NO_COLOR", "1"), ("TURNKEEPER", "off")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().ok()?;
    let output = child.stdout.take()?;
    let said = Arc::new(Mutex::new(Vec::new()));
    let reader = {
        let said = Arc::clone(&said);
        spawn(move || {
            let mut piece = [0; 1_024];
            let mut output = output.take(LONGEST);
            while let Ok(count @ 1..) = output.read(&mut piece) {
                if let Ok(mut said) = said.lock() {
                    said.extend_from_slice(&piece[..count]);
                }
            }
        })
    };
    let has_ended = ends_within(&mut child, PATIENCE);
    let until = Instant::now() + A_MOMENT;
    while has_ended && !reader.is_finished() && Instant::now() < until {
        sleep(BETWEEN_LOOKS);
    }
    end(&mut child);
    let said = said.lock().ok()?;
    let is_well = child
        .try_wait()
        .ok()
        .flatten()
        .is_some_and(|it| it.success());
    is_well.then(|| String::from_utf8_lossy(&said).into_owned())
}

fn ends_within(child: &mut Child, patience: Duration) -> bool {
    let until = Instant::now() + patience;
    while Instant::now() < until {
        if !matches!(child.try_wait(), Ok(None)) {
            return true;
        }
        sleep(BETWEEN_LOOKS);
    }
    false
}

/// Ends a program, and everything that it started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        // Of a program that has ended nothing may be left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_program_says_what_it_says_and_one_that_does_not_end_says_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let answer = |script: &str| {
            let file = folder.path().join("program");
            fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("written");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("changed");
            answer_of(&file, "--version")
        };
        assert_eq!(
            answer("echo $1 1.2.3").as_deref(),
            Some("--version 1.2.3\n")
        );
        assert_eq!(answer("echo 1.2.3; exit 1"), None);
        // Another keeps the pipe.
        assert_eq!(answer("sleep 60 & echo 1.2.3").as_deref(), Some("1.2.3\n"));
        assert_eq!(answer_of(Path::new("/nowhere/program"), "--version"), None);
    }
}
