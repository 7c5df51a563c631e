//! The numbers of tests that passed and failed, read from what the test runners print at their end.

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

    pub fn add(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// `cargo test` and `wasm-bindgen-test`: one closing line for each test binary.
pub fn cargo(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output
        .lines()
        .filter_map(|line| line.trim().strip_prefix("test result:"))
    {
        counts.passed += number_before(line, " passed");
        counts.failed += number_before(line, " failed");
    }
    counts
}

/// `node --test` with the TAP reporter. A cancelled test did not pass.
pub fn tap(output: &str) -> Counts {
    let closing = |name: &str| -> u32 {
        output
            .lines()
            .rev()
            .find_map(|line| {
                line.strip_prefix("# ")?
                    .strip_prefix(name)?
                    .trim()
                    .parse()
                    .ok()
            })
            .unwrap_or(0)
    };
    Counts {
        passed: closing("pass "),
        failed: closing("fail ") + closing("cancelled "),
    }
}

/// The failed tests of a TAP report, each with what it says about itself.
pub fn tap_failures(output: &str) -> String {
    let mut failures = String::new();
    let mut inside = false;
    for line in output.lines() {
        let text = line.trim_start();
        if text.starts_with("not ok") && !text.contains("# TODO") {
            inside = true;
        } else if text.starts_with("ok ") || text.starts_with("# Subtest:") {
            inside = false;
        }
        if inside {
            failures.push_str(line);
            failures.push('\n');
        }
        inside &= text != "...";
    }
    failures
}

fn number_before(line: &str, word: &str) -> u32 {
    let Some((before, _)) = line.split_once(word) else {
        return 0;
    };
    before
        .rsplit(|c: char| !c.is_ascii_digit())
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_binaries_are_added_up() {
        let output = "running 2 tests\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.00s\n\
            test result: FAILED. 3 passed; 1 failed; 0 ignored; finished in 0.00s\n";
        assert_eq!(
            cargo(output),
            Counts {
                passed: 5,
                failed: 1
            }
        );
    }

    #[test]
    fn a_cancelled_test_counts_as_failed() {
        let output = "# tests 5\n# suites 0\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 0\n";
        assert_eq!(
            tap(output),
            Counts {
                passed: 3,
                failed: 2
            }
        );
    }

    #[test]
    fn a_runner_that_crashed_counts_nothing() {
        assert_eq!(tap("Segmentation fault\n"), Counts::default());
        assert_eq!(cargo("error: could not compile\n"), Counts::default());
    }

    #[test]
    fn a_failure_is_shown_with_its_reason_and_nothing_else() {
        let output = "ok 1 - fine\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - broken\n  ---\n  \
            error: 'boom'\n  ...\nok 3 - fine again\n";
        assert_eq!(
            tap_failures(output),
            "not ok 2 - broken\n  ---\n  error: 'boom'\n  ...\n"
        );
    }
}
