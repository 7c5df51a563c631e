//! Sums of tokens, by how they are paid.

use super::record::Usage;

/// Tokens that were sent, read from the cache, kept in it, and written.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Tokens([f64; 4]);

impl Tokens {
    /// Those of an answer.
    pub(crate) fn of(usage: &Usage) -> Self {
        Self([
            usage.input, usage.cache_read, usage.cache_write, usage.output,
        ])
    }

    /// Those that the model wrote.
    pub(crate) fn output(self) -> f64 {
        self.0[3]
    }

    /// All four together.
    pub(crate) fn total(self) -> f64 {
        self.0.iter().sum()
    }

    /// These and others.
    pub(crate) fn plus(self, others: Self) -> Self {
        self.with(others, |one, other| one + other)
    }

    /// These without others; of each never less than none.
    pub(crate) fn without(self, others: Self) -> Self {
        self.with(others, |one, other| (one - other).max(0.0))
    }

    fn with(self, others: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|at| of(self.0[at], others.0[at])))
    }

    /// The usage with these tokens instead of its own.
    pub(crate) fn put_into(self, usage: Usage) -> Usage {
        let [input, cache_read, cache_write, output] = self.0;
        Usage {
            input,
            cache_read,
            cache_write,
            output,
            ..usage
        }
    }
}
