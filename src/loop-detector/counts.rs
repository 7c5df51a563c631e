//! Counts of what rules count.

use turnkeeper_base::options::Threshold;

/// No conversation counts as far, so that counting on from a snapshot cannot overflow.
pub(crate) const MAX_COUNT: u64 = u64::MAX >> 8;

/// The count of a threshold that is set and not off.
pub(crate) fn count_of(threshold: Option<Threshold>) -> Option<u64> {
    threshold.and_then(Threshold::count)
}

/// The same with a value for a threshold that is not set, for rules that another option switches on.
pub(crate) fn count_or(threshold: Option<Threshold>, usual: u64) -> Option<u64> {
    threshold.map_or(Some(usual), Threshold::count)
}
