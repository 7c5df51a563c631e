//! The tests of each machine, so that a change to it needs few: `cargo xtask test loop_detector`, and with `--quick`
//! what says within seconds whether a change is right.

use std::collections::BTreeMap;

use crate::packed::make_in_app;
use crate::rows::{self, Counts, Row};
use crate::suites::SUITES;
use crate::tools;

/// One machine's tests in both languages, or those of a part that is written in TypeScript alone.
pub struct Machine {
    pub name: &'static str,
    /// Its crate, or nothing.
    package: &'static str,
    /// Names of tests of `tests/rust/main.rs`, and arguments that leave some out.
    from_outside: &'static str,
    /// Test files, each by its suite and the beginning of its name.
    files: &'static str,
}

/// Those that this is made for; each runs a file.
const CORES: usize = 2;

/// Tests in Rust that `--quick` leaves out: models and collections, which take their time.
const NOT_QUICK: [&str; 6] = [
    "--skip=fuzz_corpora::",
    "--skip=loops::",
    "--skip=paths::tests::models::",
    "--skip=properties::",
    "--skip=switched_off::",
    "--skip=twins::",
];

#[rustfmt::skip]
pub const MACHINES: [Machine; 10] = [
    machine(
        "loop_detector",
        "turnkeeper-loop-detector",
        "fixtures:: fuzz_corpora::the_detector loops:: properties:: switched_off:: \
            --skip=deduper --skip=injector --skip=selector",
        "node/fixtures node/guard- node/loop-detector-promises",
    ),
    machine("peers", "turnkeeper-peers", "", "node/fixtures node/replace-"),
    machine("ghost_block", "turnkeeper-ghost-block", "fuzz_corpora::the_block ghost_block::", "node/ghost-block"),
    machine(
        "history_deduper",
        "turnkeeper-history-deduper",
        "deduper",
        "node/environment- node/fixtures node/history-deduper node/second-results",
    ),
    machine(
        "terminal_selector",
        "turnkeeper-terminal-selector",
        "command_lines:: directory_effects:: fuzz_corpora::paths selector",
        "node/command-lines node/directory-effects node/fixtures",
    ),
    machine("summary_injector", "turnkeeper-summary-injector", "injector", "node/fixtures node/work-ledger"),
    machine("sessions", "", "", "node/calls-in-text node/sessions command/saved-formats"),
    machine("command", "", "", "command/audit. command/compare command/repair-economy"),
    machine("hooks", "", "", "agents/hook-agents agents/hook-events agents/install agents/status agents/uninstall"),
    machine("page", "", "", "www/same-numbers"),
];

const fn machine(
    name: &'static str,
    package: &'static str,
    from_outside: &'static str,
    files: &'static str,
) -> Machine {
    Machine {
        name,
        package,
        from_outside,
        files,
    }
}

impl Machine {
    /// The arguments of `cargo test`, for each time that it runs.
    fn cargo_tests(&self, is_quick: bool) -> Vec<Vec<&'static str>> {
        let left_out = if is_quick { &NOT_QUICK[..] } else { &[] };
        let mut runs = Vec::new();
        if !self.package.is_empty() {
            runs.push([&["--package", self.package, "--lib", "--"], left_out].concat());
        }
        if !self.from_outside.is_empty() {
            let names: Vec<&str> = self.from_outside.split_whitespace().collect();
            let core = ["--package", "turnkeeper-core", "--test", "all", "--"];
            runs.push([&core[..], &names, left_out].concat());
        }
        runs
    }

    /// Each suite with the beginnings of the files' names.
    fn suites(&self) -> BTreeMap<&'static str, Vec<&'static str>> {
        let mut suites: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for file in self.files.split_whitespace() {
            let (suite, beginning) = file.split_once('/').expect("a suite and a name");
            suites.entry(suite).or_default().push(beginning);
        }
        suites
    }
}

/// Runs a machine's tests in Rust, and then those in JavaScript with the package that is soonest there, unless the quick
/// ones in Rust fail.
pub fn run(machine: &Machine, is_quick: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for of in machine.cargo_tests(is_quick) {
        let label = format!("cargo test {}", of[..3].join(" "));
        let natively = || {
            let mut cargo = tools::cargo();
            cargo.arg("test");
            cargo
        };
        let row = rows::timed(&label, || rows::cargo_test(&label, natively, &of));
        rows.push(row);
        if is_quick && rows.iter().any(Row::has_failed) {
            return rows;
        }
    }
    rows.push(rows::timed("build the quick package", || {
        make_in_app().map(|()| Counts::ONE)
    }));
    for (name, beginnings) in machine.suites() {
        let suite = SUITES.iter().find(|suite| suite.name == name);
        let suite = suite.expect("a test looks for it");
        rows.push(rows::timed(name, || suite.run_some(&beginnings, CORES)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{begins_with, test_files};

    #[test]
    fn every_beginning_is_that_of_a_test_file() {
        for machine in &MACHINES {
            for (name, beginnings) in machine.suites() {
                let suite = SUITES.iter().find(|suite| suite.name == name);
                let files = test_files(&suite.expect("a suite").folder()).expect("test files");
                for beginning in beginnings {
                    let is_meant = files.iter().any(|file| begins_with(file, &[beginning]));
                    assert!(is_meant, "{}: {name}/{beginning}", machine.name);
                }
            }
        }
    }
}
