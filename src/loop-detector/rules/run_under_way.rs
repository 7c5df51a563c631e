//! The runs of calls that rules count.

/// Calls in a row that a rule counts, before or after it has fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunUnderWay {
    /// The number of calls so far.
    pub count: u64,
    /// The count at which the rule fires next.
    pub threshold: u64,
}

impl RunUnderWay {
    /// The one that is nearest to its threshold; of two that are equally near, the longer one.
    pub fn nearest(runs: impl Iterator<Item = Self>) -> Option<Self> {
        let share = |run: &Self| run.count as f64 / run.threshold as f64;
        runs.filter(|run| run.count > 0).max_by(|one, other| {
            share(one)
                .total_cmp(&share(other))
                .then(one.count.cmp(&other.count))
        })
    }
}
