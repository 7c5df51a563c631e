//! The tests of each machine, so that a change to it needs few: `cargo xtask test loop_detector`, and with `--quick`
//! what says within seconds whether a change is right.

use std::thread;

use anyhow::{Context, Result};

use crate::suites::{SUITES, Suite};
use crate::test::{self, Counts, Row};
use crate::{suites, tools};

/// The beginnings of names of test files in a suite; all of its short ones, if there is none.
type Files = (&'static str, &'static [&'static str]);

/// One machine's tests in both languages, or those of a part that is written in TypeScript alone.
pub struct Machine {
    pub name: &'static str,
    /// Arguments of `cargo test`, for each time that it runs.
    rust: &'static [&'static [&'static str]],
    suites: &'static [Files],
}

/// Those that this is made for; each runs a file.
const CORES: usize = 2;

/// Tests in Rust that `--quick` leaves out: models and collections, which take their time without the
/// optimiser.
const NOT_QUICK: [&str; 6] = [
    "--skip=fuzz_corpora::",
    "--skip=loops::",
    "--skip=paths::tests::models::",
    "--skip=properties::",
    "--skip=switched_off::",
    "--skip=twins::",
];

pub const MACHINES: [Machine; 10] = [
    Machine {
        name: "loop_detector",
        rust: &[
            &["--package=turnkeeper-loop-detector", "--lib"],
            &[
                "--package=turnkeeper-core",
                "--test=all",
                "--",
                "fixtures::",
                "fuzz_corpora::the_detector",
                "loops::",
                "properties::",
                "switched_off::",
                "--skip=deduper",
                "--skip=injector",
                "--skip=selector",
            ],
        ],
        suites: &[("node", &["fixtures", "guard-", "loop-detector-promises"])],
    },
    Machine {
        name: "peers",
        rust: &[&["--package=turnkeeper-peers"]],
        suites: &[("node", &["fixtures", "replace-"])],
    },
    Machine {
        name: "ghost_block",
        rust: &[
            &["--package=turnkeeper-ghost-block", "--lib"],
            &[
                "--package=turnkeeper-core",
                "--test=all",
                "--",
                "fuzz_corpora::the_block",
                "ghost_block::",
            ],
        ],
        suites: &[("node", &["ghost-block"])],
    },
    Machine {
        name: "history_deduper",
        rust: &[
            &["--package=turnkeeper-history-deduper", "--lib"],
            &["--package=turnkeeper-core", "--test=all", "--", "deduper"],
        ],
        suites: &[("node", &["environment-", "fixtures", "history-deduper"])],
    },
    Machine {
        name: "terminal_selector",
        rust: &[
            &["--package=turnkeeper-terminal-selector", "--lib"],
            &[
                "--package=turnkeeper-core",
                "--test=all",
                "--",
                "command_lines::",
                "directory_effects::",
                "fuzz_corpora::paths",
                "selector",
            ],
        ],
        suites: &[("node", &["command-lines", "directory-effects", "fixtures"])],
    },
    Machine {
        name: "summary_injector",
        rust: &[
            &["--package=turnkeeper-summary-injector", "--lib"],
            &["--package=turnkeeper-core", "--test=all", "--", "injector"],
        ],
        suites: &[("node", &["fixtures", "work-ledger"])],
    },
    Machine {
        name: "sessions",
        rust: &[],
        suites: &[
            ("node", &["calls-in-text", "sessions"]),
            ("command", &["saved-formats"]),
        ],
    },
    Machine {
        name: "command",
        rust: &[],
        suites: &[("command", &["audit.", "compare", "repair-economy"])],
    },
    Machine {
        name: "hooks",
        rust: &[],
        suites: &[("agents", &["hook-agents", "hook-events", "install"])],
    },
    Machine {
        name: "page",
        rust: &[],
        suites: &[("www", &["same-numbers"])],
    },
];

/// The machine that the user means by a word.
pub fn named(name: &str) -> Option<&'static Machine> {
    MACHINES.iter().find(|machine| machine.name == name)
}

/// Runs a machine's tests in both languages at once, with the package that is soonest there.
pub fn run(machine: &'static Machine, is_quick: bool) -> Vec<Row> {
    thread::scope(|scope| {
        let native = scope.spawn(|| {
            let of = |of: &&[&'static str]| rust(of, is_quick);
            machine.rust.iter().map(of).collect::<Vec<Row>>()
        });
        let mut rows = vec![test::timed("build the quick package", || {
            suites::make_in_app().map(|()| Counts::ONE)
        })];
        rows.extend(machine.suites.iter().map(suite));
        rows.extend(native.join().expect("a test that fails does not panic"));
        rows
    })
}

fn rust(of: &[&'static str], is_quick: bool) -> Row {
    let mut arguments = of.to_vec();
    if is_quick {
        if !of.contains(&"--") {
            arguments.push("--");
        }
        arguments.extend(NOT_QUICK);
    }
    let compiled = of.split(|argument| *argument == "--").next();
    let label = format!("cargo test {}", compiled.unwrap_or_default().join(" "));
    let natively = || {
        let mut cargo = tools::cargo();
        cargo.arg("test");
        Ok(cargo)
    };
    test::timed(&label, || test::cargo_test(&label, natively, &arguments))
}

fn suite((name, beginnings): &Files) -> Row {
    test::timed(name, || suite_of(name)?.run_some(beginnings, CORES))
}

fn suite_of(name: &str) -> Result<&'static Suite> {
    let mut suites = SUITES.iter();
    let found = suites.find(|suite| suite.name == name);
    found.with_context(|| format!("there is no suite {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;
    use crate::suites::{begins_with, test_files};

    #[test]
    fn every_beginning_is_that_of_a_test_file() {
        for machine in &MACHINES {
            for (suite, beginnings) in machine.suites {
                let files = test_files(&paths::repo("tests").join(suite)).expect("test files");
                for beginning in *beginnings {
                    let is_meant = files.iter().any(|file| begins_with(file, &[beginning]));
                    assert!(is_meant, "{}: {suite}/{beginning}", machine.name);
                }
            }
        }
    }
}
