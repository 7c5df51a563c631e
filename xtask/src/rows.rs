//! The closing table of a test run, and the tests that it counts, read from what their runners print.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::{step, tools};

const SHOWN_ON_FAILURE: usize = 200;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u32,
    pub failed: u32,
}

impl Counts {
    /// One check that passed.
    pub const ONE: Counts = Counts {
        passed: 1,
        failed: 0,
    };

    /// `cargo test` and `wasm-bindgen-test` have a closing line for each test binary; `node --test` with the reporter
    /// `spec` has one for each number, and a cancelled test did not pass.
    fn read(output: &str) -> Counts {
        let number = |word: &str| word.parse().unwrap_or(0);
        let mut counts = Counts::default();
        for line in output.lines() {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [
                    "test",
                    "result:",
                    _,
                    passed,
                    "passed;",
                    failed,
                    "failed;",
                    ..,
                ] => {
                    counts.passed += number(passed);
                    counts.failed += number(failed);
                }
                // Those of a runner inside a test come before.
                ["ℹ", "pass", passed] => counts.passed = number(passed),
                ["ℹ", "fail", failed] => counts.failed = number(failed),
                ["ℹ", "cancelled", cancelled] => counts.failed += number(cancelled),
                _ => {}
            }
        }
        counts
    }
}

/// A line of the closing table.
pub struct Row {
    name: String,
    counts: Counts,
    clock: Duration,
}

impl Row {
    pub fn has_failed(&self) -> bool {
        self.counts.failed > 0
    }
}

/// Runs tests and counts them. A runner that ended badly, or that ran none, failed, even if it counted no failure.
pub fn count_tests(label: &str, command: &mut Command) -> Result<Counts> {
    let outcome = step::attempt(label, command)?;
    let mut counts = Counts::read(&outcome.output);
    if !outcome.success || counts.passed == 0 {
        counts.failed = counts.failed.max(1);
    }
    if counts.failed > 0 {
        let failures = step::last_lines(failures(&outcome.output), SHOWN_ON_FAILURE);
        println!("{failures}\n(all of it: {})", outcome.log.display());
    }
    Ok(counts)
}

/// What Node's runner says at its end about the tests that failed, or all of another's output.
fn failures(output: &str) -> &str {
    output.rsplit("failing tests:").next().unwrap_or(output)
}

/// Compiles tests and runs them. The arguments after `--` choose among the tests
/// that were compiled.
pub fn cargo_test(label: &str, cargo: impl Fn() -> Command, of: &[&str]) -> Result<Counts> {
    let compiled = of.split(|argument| *argument == "--").next();
    let mut compile = cargo();
    compile.arg("--no-run").args(compiled.unwrap_or_default());
    tools::run_cargo(&format!("{label}, compiling"), &mut compile)?;
    count_tests(label, cargo().args(of))
}

/// A row of the table from work that ends in counts; an error is one failure.
pub fn timed(name: &str, work: impl FnOnce() -> Result<Counts>) -> Row {
    let started = Instant::now();
    let counts = work().unwrap_or_else(|error| {
        println!("  FAILED  {name}: {error:#}");
        Counts {
            passed: 0,
            failed: 1,
        }
    });
    Row {
        name: name.to_owned(),
        counts,
        clock: started.elapsed(),
    }
}

/// Shows the table, and ends with an error if something failed.
pub fn close(rows: &[Row], clock: Duration) {
    let mut total = Counts::default();
    println!("\n  {:<28} {:>7} {:>7} {:>9}", "", "passed", "failed", "");
    for Row {
        name,
        counts: Counts { passed, failed },
        clock,
    } in rows
    {
        total.passed += passed;
        total.failed += failed;
        let seconds = clock.as_secs_f64();
        println!("  {name:<28} {passed:>7} {failed:>7} {seconds:>7.1} s");
    }
    println!("\n  {:.0} s by the clock", clock.as_secs_f64());
    println!("\n{} passed, {} failed", total.passed, total.failed);
    // The line above is the last: tools that read it expect nothing after it.
    if total.failed > 0 {
        std::process::exit(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u32, failed: u32) -> Counts {
        Counts { passed, failed }
    }

    #[test]
    fn cargo_binaries_are_added_up() {
        let output = "running 2 tests\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.00s\n\
            test result: FAILED. 3 passed; 1 failed; 0 ignored; finished in 0.00s\n";
        assert_eq!(Counts::read(output), counts(5, 1));
    }

    #[test]
    fn a_cancelled_test_counts_as_failed() {
        let output =
            "✔ fine (1ms)\nℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n";
        assert_eq!(Counts::read(output), counts(3, 2));
    }

    #[test]
    fn a_runner_that_crashed_counts_nothing() {
        assert_eq!(Counts::read("Segmentation fault\n"), counts(0, 0));
        assert_eq!(Counts::read("error: could not compile\n"), counts(0, 0));
    }

    #[test]
    fn a_failure_is_shown_with_its_reason_and_nothing_else() {
        let output =
            "✖ broken (1ms)\nℹ fail 1\n\n✖ failing tests:\n\n✖ broken (1ms)\n  Error: boom\n";
        assert_eq!(failures(output), "\n\n✖ broken (1ms)\n  Error: boom\n");
        assert_eq!(failures("Segmentation fault\n"), "Segmentation fault\n");
    }
}
