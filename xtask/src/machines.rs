//! The tests of each machine, so that a change to it needs few: `cargo xtask test
//! loop_detector`, and with `--quick` what says within seconds whether a change is right.

use std::thread;

use anyhow::{Context, Result};

use crate::suites::{Packed, SUITES, Suite};
use crate::test::{self, Row};
use crate::tools;

/// The beginnings of names of test files in a suite; all of its files, if there is none.
type Files = (&'static str, &'static [&'static str]);

/// One machine's tests in both languages, or those of a part that is written in TypeScript alone.
pub struct Machine {
    pub name: &'static str,
    /// Arguments of `cargo test`, for each time that it runs.
    rust: &'static [&'static [&'static str]],
    suites: &'static [Files],
    /// Those that `--quick` runs.
    quick: &'static [Files],
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
        suites: &[
            (
                "node",
                &[
                    "fixtures",
                    "guard-",
                    "handle-stream",
                    "loop",
                    "random-cuts",
                    "replace-",
                    "replay",
                    "seed-trace",
                    "wrong-input.",
                    "wrong-input-streams",
                ],
            ),
            ("command", &["audit-usage", "compare", "difficult-sessions"]),
        ],
        quick: &[("node", &["fixtures", "guard-", "loop-detector-promises"])],
    },
    Machine {
        name: "peers",
        rust: &[&["--package=turnkeeper-peers"]],
        suites: &[
            ("node", &["fixtures", "replace-"]),
            ("command", &["compare"]),
        ],
        quick: &[("node", &["fixtures", "replace-"])],
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
        suites: &[(
            "node",
            &["ghost-block", "look-alike-paths", "wrong-input-ghost-block"],
        )],
        quick: &[("node", &["ghost-block"])],
    },
    Machine {
        name: "history_deduper",
        rust: &[
            &["--package=turnkeeper-history-deduper", "--lib"],
            &["--package=turnkeeper-core", "--test=all", "--", "deduper"],
        ],
        suites: &[
            (
                "node",
                &[
                    "adapter-histories",
                    "cache-arithmetic",
                    "environment-",
                    "exact-copies",
                    "file-cop",
                    "fixtures",
                    "history-deduper",
                    "responses-copies",
                    "second-results",
                    "superseded-files",
                    "whole-histories",
                    "workspace-copies",
                    "wrong-input-deduper",
                ],
            ),
            ("command", &["repair"]),
        ],
        quick: &[(
            "node",
            &[
                "environment-",
                "fixtures",
                "history-deduper",
                "second-results",
            ],
        )],
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
        suites: &[(
            "node",
            &[
                "command-lines",
                "directory-effects",
                "fixtures",
                "terminal-peers",
                "vscode-",
                "wrong-input-terminals",
            ],
        )],
        quick: &[("node", &["command-lines", "directory-effects", "fixtures"])],
    },
    Machine {
        name: "summary_injector",
        rust: &[
            &["--package=turnkeeper-summary-injector", "--lib"],
            &["--package=turnkeeper-core", "--test=all", "--", "injector"],
        ],
        suites: &[(
            "node",
            &[
                "fixtures",
                "injector",
                "work-ledger",
                "wrong-input-injector",
            ],
        )],
        quick: &[("node", &["fixtures", "work-ledger"])],
    },
    Machine {
        name: "sessions",
        rust: &[],
        suites: &[
            (
                "node",
                &["calls-in-text", "one-reading", "replay", "sessions"],
            ),
            (
                "command",
                &["audit-usage", "difficult-sessions", "saved-", "untrusted-"],
            ),
            ("packaging", &["sessions"]),
        ],
        quick: &[
            ("node", &["calls-in-text", "sessions"]),
            ("command", &["saved-formats"]),
        ],
    },
    Machine {
        name: "command",
        rust: &[],
        suites: &[("command", &[])],
        quick: &[("command", &["audit.", "compare", "repair-economy"])],
    },
    Machine {
        name: "hooks",
        rust: &[],
        suites: &[
            ("node", &["work-ledger"]),
            ("agents", &["hook-", "install"]),
        ],
        quick: &[("agents", &["hook-agents", "hook-events", "install"])],
    },
    Machine {
        name: "page",
        rust: &[],
        suites: &[("www", &[])],
        quick: &[("www", &["same-numbers"])],
    },
];

/// Runs a machine's tests: Rust, then the packed package on one Node.
pub fn run(machine: &Machine, packed: Option<&Packed>) -> Vec<Row> {
    let mut rows: Vec<Row> = machine.rust.iter().map(|of| rust(of)).collect();
    rows.extend(machine.suites.iter().map(|files| suite(files, packed)));
    rows
}

/// Runs the quick ones, in both languages at once, and nothing optimised.
pub fn run_quickly(machine: &Machine) -> Vec<Row> {
    thread::scope(|scope| {
        let native = scope.spawn(|| {
            let of = |of: &&[&'static str]| rust(&quickly(of));
            machine.rust.iter().map(of).collect::<Vec<Row>>()
        });
        let mut packed = None;
        let mut rows = vec![test::timed("build the quick package", || {
            packed = Some(Packed::make_quick()?);
            Ok(test::Counts::ONE)
        })];
        let quick = machine.quick.iter();
        rows.extend(quick.map(|files| suite(files, packed.as_ref())));
        rows.extend(native.join().expect("a test that fails does not panic"));
        rows
    })
}

/// The arguments of a machine's `cargo test` as `--quick` has them.
fn quickly(of: &[&'static str]) -> Vec<&'static str> {
    let mut quick = vec!["--profile=dev"];
    quick.extend(of);
    if !of.contains(&"--") {
        quick.push("--");
    }
    quick.extend(NOT_QUICK);
    quick
}

fn rust(of: &[&'static str]) -> Row {
    let compiled = of.split(|argument| *argument == "--").next();
    let label = format!("cargo test {}", compiled.unwrap_or_default().join(" "));
    let natively = || {
        let mut cargo = tools::cargo();
        cargo.arg("test");
        Ok(cargo)
    };
    test::timed(&label, || test::cargo_test(&label, natively, of))
}

fn suite((name, beginnings): &Files, packed: Option<&Packed>) -> Row {
    let Some(packed) = packed else {
        return test::without_package(name);
    };
    test::timed(name, || suite_of(name)?.run_some(beginnings, CORES, packed))
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
        let all = |machine: &'static Machine| machine.suites.iter().chain(machine.quick);
        for (machine, (suite, beginnings)) in MACHINES
            .iter()
            .flat_map(|machine| all(machine).map(move |files| (machine.name, files)))
        {
            let files = test_files(&paths::repo("tests").join(suite)).expect("test files");
            for beginning in *beginnings {
                let is_meant = files.iter().any(|file| begins_with(file, &[beginning]));
                assert!(is_meant, "{machine}: {suite}/{beginning}");
            }
        }
    }

    #[test]
    fn quickly_leaves_out_and_adds_nothing() {
        assert_eq!(
            quickly(&["--lib", "--", "it"])[..4],
            ["--profile=dev", "--lib", "--", "it"]
        );
        assert_eq!(quickly(&["--lib"])[2], "--");
    }
}
