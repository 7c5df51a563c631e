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

/// `node --test` with the reporter `spec`, whose end has a line for each. A cancelled test did not pass.
pub fn node(output: &str) -> Counts {
    let closing = |name: &str| -> u32 {
        let mut lines = output.lines().rev();
        let number = lines.find_map(|line| line.strip_prefix("ℹ ")?.strip_prefix(name));
        number.and_then(|it| it.trim().parse().ok()).unwrap_or(0)
    };
    Counts {
        passed: closing("pass "),
        failed: closing("fail ") + closing("cancelled "),
    }
}

/// What that reporter says at its end about the tests that failed; all of it if it says nothing.
pub fn node_failures(output: &str) -> &str {
    output.rsplit("failing tests:").next().unwrap_or(output)
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
        let output =
            "✔ fine (1ms)\nℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n";
        assert_eq!(
            node(output),
            Counts {
                passed: 3,
                failed: 2
            }
        );
    }

    #[test]
    fn a_runner_that_crashed_counts_nothing() {
        assert_eq!(node("Segmentation fault\n"), Counts::default());
        assert_eq!(cargo("error: could not compile\n"), Counts::default());
    }

    #[test]
    fn a_failure_is_shown_with_its_reason_and_nothing_else() {
        let output =
            "✖ broken (1ms)\nℹ fail 1\n\n✖ failing tests:\n\n✖ broken (1ms)\n  Error: boom\n";
        assert_eq!(node_failures(output), "\n\n✖ broken (1ms)\n  Error: boom\n");
        assert_eq!(
            node_failures("Segmentation fault\n"),
            "Segmentation fault\n"
        );
    }
}
