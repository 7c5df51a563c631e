//! What belongs to one machine among the tests, so that a change to it needs few: `cargo xtask test
//! loop_detector`.

use anyhow::{Context, Result};

use crate::suites::{Packed, SUITES, Suite};
use crate::test::{self, Row};
use crate::tools;

/// One machine's tests in both languages.
pub struct Machine {
    pub name: &'static str,
    /// Arguments of `cargo test`, for each time that it runs.
    rust: &'static [&'static [&'static str]],
    /// The beginnings of the names of test files of the suite `node`.
    node: &'static [&'static str],
    /// The same of the suite `command`.
    command: &'static [&'static str],
}

pub const MACHINES: [Machine; 6] = [
    Machine {
        name: "loop_detector",
        rust: &[
            &["--package=turnkeeper-loop-detector", "--lib"],
            &[
                "--package=turnkeeper-core",
                "--test=properties",
                "--test=fixtures",
                "--test=loops",
                "--",
                "--skip=deduper",
                "--skip=injector",
                "--skip=selector",
                "--skip=terminals",
            ],
        ],
        node: &[
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
        command: &["audit-usage", "compare", "difficult-sessions"],
    },
    Machine {
        name: "peers",
        rust: &[&["--package=turnkeeper-peers"]],
        node: &["fixtures", "replace-"],
        command: &["compare"],
    },
    Machine {
        name: "ghost_block",
        rust: &[
            &["--package=turnkeeper-ghost-block", "--lib"],
            &["--package=turnkeeper-core", "--test=ghost_block"],
        ],
        node: &["ghost-block", "look-alike-paths", "wrong-input-ghost-block"],
        command: &[],
    },
    Machine {
        name: "history_deduper",
        rust: &[
            &["--package=turnkeeper-history-deduper", "--lib"],
            &[
                "--package=turnkeeper-core",
                "--test=properties",
                "--test=fixtures",
                "--",
                "deduper",
            ],
        ],
        node: &[
            "adapter-histories",
            "cache-arithmetic",
            "environment-block",
            "file-cop",
            "fixtures",
            "history-deduper",
            "superseded-files",
            "whole-histories",
            "wrong-input-deduper",
        ],
        command: &["repair"],
    },
    Machine {
        name: "terminal_selector",
        rust: &[
            &["--package=turnkeeper-terminal-selector", "--lib"],
            &[
                "--package=turnkeeper-core",
                "--test=properties",
                "--test=fixtures",
                "--",
                "selector",
                "terminals",
            ],
            &[
                "--package=turnkeeper-core",
                "--test=command_lines",
                "--test=directory_effects",
            ],
        ],
        node: &[
            "command-lines",
            "directory-effects",
            "fixtures",
            "terminal-peers",
            "wrong-input-terminals",
        ],
        command: &[],
    },
    Machine {
        name: "summary_injector",
        rust: &[
            &["--package=turnkeeper-summary-injector", "--lib"],
            &[
                "--package=turnkeeper-core",
                "--test=properties",
                "--test=fixtures",
                "--",
                "injector",
            ],
        ],
        node: &["fixtures", "injector", "wrong-input-injector"],
        command: &[],
    },
];

/// Runs a machine's tests: Rust, then the packed package on the system's Node.
pub fn run(machine: &Machine, packed: Option<&Packed>) -> Vec<Row> {
    let mut rows = Vec::new();
    for of in machine.rust {
        let compiled = of.split(|argument| *argument == "--").next();
        let label = format!("cargo test {}", compiled.unwrap_or_default().join(" "));
        rows.push(test::timed(&label, || {
            test::cargo_test(&label, tools::cargo, of)
        }));
    }
    for (suite, beginnings) in [("node", machine.node), ("command", machine.command)] {
        if beginnings.is_empty() {
            continue;
        }
        let Some(packed) = packed else {
            rows.push(test::without_package(suite));
            continue;
        };
        rows.push(test::timed(suite, || {
            let (_, counts, _) = suite_of(suite)?.run_some(beginnings, packed)?;
            Ok(counts)
        }));
    }
    rows
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
            for (suite, beginnings) in [("node", machine.node), ("command", machine.command)] {
                let files = test_files(&paths::repo("tests").join(suite)).expect("test files");
                for beginning in beginnings {
                    let is_meant = files.iter().any(|file| begins_with(file, &[beginning]));
                    assert!(is_meant, "{}: {suite}/{beginning}", machine.name);
                }
            }
        }
    }

    #[test]
    fn every_rust_test_that_is_named_is_there() {
        let named = MACHINES.iter().flat_map(|machine| machine.rust).copied();
        for name in named.flatten().filter_map(|it| it.strip_prefix("--test=")) {
            let is_file = paths::repo(&format!("tests/{name}.rs")).exists();
            assert!(
                is_file || paths::repo(&format!("tests/{name}/main.rs")).exists(),
                "{name}"
            );
        }
    }
}
