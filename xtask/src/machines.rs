//! The tests of each machine, so that a change to it needs few: `cargo xtask test loop_detector`, and with `--quick`
//! what says within seconds whether a change is right.

use std::collections::BTreeMap;
use std::thread;
use std::time::Instant;

use crate::counts::Counts;
use crate::packed::make_in_app;
use crate::rows::{self, Row};
use crate::suites::SUITES;
use crate::{step, tools};

/// One machine's tests in both languages, or those of a part that is written in TypeScript alone.
pub struct Machine {
    pub name: &'static str,
    /// Its crate, if it has one.
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
    Machine {
        name: "loop_detector",
        package: "turnkeeper-loop-detector",
        from_outside: "fixtures:: fuzz_corpora::the_detector loops:: properties:: switched_off:: \
            --skip=deduper --skip=injector --skip=selector",
        files: "node/fixtures node/guard- node/loop-detector-promises",
    },
    Machine {
        name: "peers",
        package: "turnkeeper-peers",
        from_outside: "",
        files: "node/fixtures node/replace-",
    },
    Machine {
        name: "ghost_block",
        package: "turnkeeper-ghost-block",
        from_outside: "fuzz_corpora::the_block ghost_block::",
        files: "node/ghost-block",
    },
    Machine {
        name: "history_deduper",
        package: "turnkeeper-history-deduper",
        from_outside: "deduper",
        files: "node/environment- node/fixtures node/history-deduper node/second-results",
    },
    Machine {
        name: "terminal_selector",
        package: "turnkeeper-terminal-selector",
        from_outside: "command_lines:: directory_effects:: fuzz_corpora::paths selector",
        files: "node/command-lines node/directory-effects node/fixtures",
    },
    Machine {
        name: "summary_injector",
        package: "turnkeeper-summary-injector",
        from_outside: "injector",
        files: "node/fixtures node/work-ledger",
    },
    Machine::without_crate("sessions", "node/calls-in-text node/sessions command/saved-formats"),
    Machine::without_crate("command", "command/audit. command/compare command/repair-economy"),
    Machine::without_crate("hooks", "agents/hook-agents agents/hook-events agents/install agents/status agents/uninstall"),
    Machine::without_crate("page", "www/same-numbers"),
];

impl Machine {
    const fn without_crate(name: &'static str, files: &'static str) -> Machine {
        Machine {
            name,
            package: "",
            from_outside: "",
            files,
        }
    }

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

/// The machine that the user means by a word.
pub fn named(name: &str) -> Option<&'static Machine> {
    MACHINES.iter().find(|machine| machine.name == name)
}

/// Runs a machine's tests in both languages at once, with the package that is soonest there.
pub fn run(machine: &'static Machine, is_quick: bool) -> Vec<Row> {
    thread::scope(|scope| {
        let native = scope.spawn(|| natively(machine, is_quick));
        let mut rows = vec![rows::timed("build the quick package", || {
            make_in_app().map(|()| Counts::ONE)
        })];
        rows.extend(machine.suites().into_iter().map(|(name, beginnings)| {
            let suite = SUITES.iter().find(|suite| suite.name == name);
            let suite = suite.expect("a test looks for it");
            rows::timed(name, || suite.run_some(&beginnings, CORES))
        }));
        rows.extend(native.join().expect("a test that fails does not panic"));
        rows
    })
}

/// Runs a machine's tests in Rust. A failure of the quick ones ends all: nobody needs the package that is compiled
/// beside them.
fn natively(machine: &Machine, is_quick: bool) -> Vec<Row> {
    let started = Instant::now();
    let mut rows = Vec::new();
    for of in machine.cargo_tests(is_quick) {
        rows.push(rust(&of));
        if is_quick && rows.iter().any(Row::has_failed) {
            step::kill_children(std::process::id());
            rows::close(&rows, started.elapsed());
        }
    }
    rows
}

fn rust(of: &[&str]) -> Row {
    let label = format!("cargo test {}", of[..3].join(" "));
    let natively = || {
        let mut cargo = tools::cargo();
        cargo.arg("test");
        Ok(cargo)
    };
    rows::timed(&label, || rows::cargo_test(&label, natively, of))
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
