//! Finding a passage that repeats without a break, in a stream, at the unit at which it counts.
//!
//! A passage of `p` units repeats where every unit equals the one `p` before it. The obvious way
//! compares each unit with the 1,000 before it (the naive model in the tests does just that). The
//! way here gives the same answer for a few nanoseconds a unit:
//!
//! - Whatever can fire has matched for at least 80 units. So it is enough to look for new periods
//!   every [`SCAN`] units, by searching the last units in what came before them, and to follow
//!   only those that were found. In healthy text they die within a few units.
//! - A multiple of a period that has held for long enough can never fire before that period does,
//!   nor live longer (proof at [`Periods::is_redundant`]), so "哈哈哈…" is followed once and not
//!   a thousand times.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize, Serializer};

use super::limits::{Limits, Worth, worth};
use super::offsets::Offsets;
use crate::copies::clone_by_fields;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::find_seed;

/// The longest passage, in UTF-16 code units.
pub(crate) const LONGEST_PASSAGE: usize = 1_000;

/// New periods are looked for each time this many units have come: a run that fires has matched for
/// 80 units or more, so that at the last scan before it has matched for at least 80 - 63 = 17, a seed
/// and more.
const SCAN: u64 = 64;
/// A scan may look back on this many units: a passage, its copies until it was found, and slack.
const KEPT: usize = 2_048;
const CAPACITY: usize = 2 * KEPT;

/// A period that has held since `start`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    period: u64,
    /// The first unit of the first copy.
    start: u64,
    /// The unit's offset in the text.
    offset: u64,
    /// The number of units at which it has to be looked at.
    due: u64,
    /// Whether the host was told.
    nudged: bool,
}

/// A passage that has repeated often enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeat {
    /// The passage's length in units.
    pub(crate) period: u64,
    /// Whole copies of it.
    pub(crate) copies: u64,
    /// The number of copies that the rule asks for.
    pub(crate) threshold: u64,
    /// The offset in the text of the first copy.
    pub(crate) offset: u64,
    pub(crate) is_nudge: bool,
}

/// Follows the periods of a stream of units.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Periods {
    /// The last units, at least [`KEPT`] of them once there are that many.
    #[serde(serialize_with = "kept")]
    recent: Vec<u16>,
    /// Units given so far.
    length: u64,
    /// In ascending order of period.
    runs: Vec<Run>,
    offsets: Offsets,
}

clone_by_fields! { Periods: recent, length, runs, offsets }

impl Periods {
    pub(crate) fn clear(&mut self) {
        self.recent.clear();
        self.length = 0;
        self.runs.clear();
        self.offsets.clear();
    }

    /// Units given so far.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether the host was told of a passage that still goes on.
    pub(crate) fn was_nudged(&self) -> bool {
        self.runs.iter().any(|run| run.nudged)
    }

    /// The last `count` units.
    pub(crate) fn last(&self, count: usize) -> &[u16] {
        &self.recent[self.recent.len().saturating_sub(count)..]
    }

    /// Takes `units`, which were at `offset` of the text and after it, up to the one at which a
    /// passage has repeated. Answers with the number of units that it took.
    pub(crate) fn push_all(
        &mut self,
        units: &[u16],
        offset: u64,
        limits: Limits,
        pardon: impl Fn(&[u16]) -> bool,
    ) -> (usize, Option<Repeat>) {
        let mut at = offset;
        let mut rest = units;
        let was_nudged = self.was_nudged();
        while let Some((&unit, after)) = rest.split_first() {
            if self.runs.is_empty() {
                let count = self.push_quiet(rest, at, limits);
                rest = rest.get(count..).unwrap_or_default();
                at += count as u64;
            } else {
                let repeat = self.push(unit, at, limits, &pardon);
                rest = after;
                at += 1;
                // Who asks whether a passage goes on that was told gets one answer for all that was read.
                if repeat.is_some() || (was_nudged && !self.was_nudged()) {
                    return (units.len() - rest.len(), repeat);
                }
            }
        }
        (units.len(), None)
    }

    /// Takes as many units as it can before anything but a scan has to happen: while no period is
    /// followed, units need only be kept. A period found by the scan is not due before 80 units.
    #[inline(always)]
    fn push_quiet(&mut self, units: &[u16], offset: u64, limits: Limits) -> usize {
        self.make_room();
        let until_scan = (SCAN - self.length % SCAN) as usize;
        let most = until_scan.min(CAPACITY - self.recent.len());
        let units = units.get(..most).unwrap_or(units);
        let count = units.len();
        self.recent.extend_from_slice(units);
        self.offsets.note(self.length, offset, KEPT as u64);
        self.length += count as u64;
        if self.length.is_multiple_of(SCAN) {
            self.scan(limits);
        }
        count
    }

    #[inline(always)]
    fn make_room(&mut self) {
        if self.recent.len() == CAPACITY {
            self.recent.copy_within(CAPACITY - KEPT.., 0);
            self.recent.truncate(KEPT);
        }
    }

    /// Takes the next unit, which was at `offset` of the text. A repeat is reported once `limits`
    /// are reached, unless `pardon` says of the repeated units that they are what the user asked
    /// for.
    #[inline]
    pub(crate) fn push(
        &mut self,
        unit: u16,
        offset: u64,
        limits: Limits,
        pardon: impl Fn(&[u16]) -> bool,
    ) -> Option<Repeat> {
        if !self.runs.is_empty() {
            let recent = &self.recent;
            self.runs
                .retain(|run| recent[recent.len() - run.period as usize] == unit);
        }
        self.make_room();
        self.recent.push(unit);
        self.offsets.note(self.length, offset, KEPT as u64);
        self.length += 1;
        if self.length.is_multiple_of(SCAN) {
            self.scan(limits);
        }
        for at in 0..self.runs.len() {
            if self.runs[at].due <= self.length {
                let repeat = self.judge(at, limits, &pardon);
                if repeat.is_some() {
                    return repeat;
                }
            }
        }
        None
    }

    fn judge(
        &mut self,
        at: usize,
        limits: Limits,
        pardon: impl Fn(&[u16]) -> bool,
    ) -> Option<Repeat> {
        let run = self.runs[at];
        if self.is_redundant(run.period, at) {
            self.runs[at].due = u64::MAX;
            return None;
        }
        let period = run.period.max(2);
        let passage = self.last(period as usize);
        let worth = passage
            .iter()
            .map(|&unit| worth(unit))
            .max()
            .unwrap_or(Worth::Blank);
        let mut due = u64::MAX;
        let mut repeat = None;
        if let Some((copies, threshold)) = limits.copies_of(period, worth) {
            let mut stop = Repeat {
                period,
                copies: (self.length - run.start) / period,
                threshold,
                offset: run.offset,
                is_nudge: false,
            };
            let nudge = match run.nudged {
                true => u64::MAX,
                false => limits.nudge_of(period, worth),
            };
            due = needed(run.start, copies, period);
            if nudge < copies && due > self.length {
                let at = needed(run.start, nudge, period);
                if at > self.length {
                    due = at;
                } else {
                    (stop.is_nudge, stop.threshold) = (true, limits.nudge);
                    repeat = Some(stop);
                }
            } else if due <= self.length {
                repeat = Some(stop);
            }
        }
        if repeat.is_some() {
            self.runs[at].nudged = true;
            if pardon(self.last(period as usize)) {
                (due, repeat) = (u64::MAX, None);
            }
        }
        self.runs[at].due = due;
        repeat
    }

    /// Looks for periods that began since the last scan: for places at which the seed, the last
    /// units, were before.
    fn scan(&mut self, limits: Limits) {
        let mut lags = Vec::new();
        find_seed(&self.recent, LONGEST_PASSAGE, &mut lags);
        // From the shortest to the longest, so that multiples meet their base.
        for &lag in lags.iter().rev() {
            self.follow(lag, limits);
        }
    }

    fn follow(&mut self, lag: usize, limits: Limits) {
        let period = lag as u64;
        let place = self.runs.partition_point(|run| run.period < period);
        let followed = self.runs.get(place).is_some_and(|run| run.period == period);
        if followed || self.is_redundant(period, place) {
            return;
        }
        let (earlier, later) = (&self.recent[..self.recent.len() - lag], &self.recent[lag..]);
        let matched = earlier
            .iter()
            .rev()
            .zip(later.iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let start = self.length - matched as u64 - period;
        let shown = period.max(2);
        // Words need the fewest copies; what the passage is worth is looked at when it is due.
        let soonest = limits
            .copies_of(shown, Worth::Words)
            .map_or(u64::MAX, |(copies, _)| copies)
            .min(limits.nudge_of(shown, Worth::Words));
        let run = Run {
            period,
            start,
            offset: self.offsets.of(start),
            due: needed(start, soonest, shown),
            nudged: false,
        };
        self.runs.insert(place, run);
    }

    /// Whether a followed period `q`, of which `period` is a multiple, makes `period` needless.
    ///
    /// Let `q` hold since `s`, which means that it fails at unit `i = s + q - 1`, and let it have
    /// covered `period + q` units, so that unit `i + period` is known. If `period` held since
    /// before `s`, then unit `i + period` equals unit `i`, unit `i + period - q` equals unit
    /// `i - q`, and, as `q` holds there, the first two equal the last two; so `q` would not fail
    /// at `i`. Therefore `period` began no earlier than `q`, has no more copies and no more units,
    /// and where `q` breaks, `period` meets the same different unit.
    fn is_redundant(&self, period: u64, place: usize) -> bool {
        self.runs[..place]
            .iter()
            .any(|q| period.is_multiple_of(q.period) && self.length - q.start >= period + q.period)
    }

    /// Checks that a text can go on from it.
    pub(crate) fn validate(&self) -> Result<(), Corrupt> {
        let units = self.recent.len() as u64;
        Corrupt::unless(self.length <= MAX_COUNT)?;
        Corrupt::unless(units == self.length.min(KEPT as u64))?;
        let mut shorter = 0;
        for run in &self.runs {
            Corrupt::unless(run.period > shorter)?;
            Corrupt::unless(run.period <= units.min(LONGEST_PASSAGE as u64))?;
            Corrupt::unless(run.start <= self.length && run.offset <= MAX_COUNT)?;
            shorter = run.period;
        }
        self.offsets.validate(self.length)
    }
}

/// Of the recent units a snapshot holds those that may still be looked back on.
fn kept<S: Serializer>(recent: &[u16], serializer: S) -> Result<S::Ok, S::Error> {
    recent[recent.len().saturating_sub(KEPT)..].serialize(serializer)
}

/// The number of units at which `copies` of a passage that began at `start` are complete.
fn needed(start: u64, copies: u64, period: u64) -> u64 {
    start.saturating_add(copies.saturating_mul(period))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMITS: Limits = Limits {
        copies: 20,
        units: 200,
        nudge: 0,
        nudge_units: 0,
    };

    /// Slow and obviously right: the run of every period, unit by unit.
    fn naive(units: &[u16], limits: Limits) -> Option<(usize, u64, u64)> {
        let mut matched = vec![0u64; LONGEST_PASSAGE + 1];
        for (at, unit) in units.iter().enumerate() {
            for (period, matched) in matched.iter_mut().enumerate().skip(1) {
                let same = at >= period && units[at - period] == *unit;
                *matched = if same { *matched + 1 } else { 0 };
            }
            for period in 2..=LONGEST_PASSAGE {
                if matched[period] == 0 {
                    continue;
                }
                let copies = (matched[period] + period as u64) / period as u64;
                let filled = copies * period as u64;
                let long = copies >= 5 && filled >= 100 * limits.copies;
                let short = copies >= limits.copies.max(2) && filled >= 200;
                if !(short || long) {
                    continue;
                }
                let passage = &units[at + 1 - period..=at];
                let worth = passage.iter().map(|&u| worth(u)).max().expect("not empty");
                let fires = match worth {
                    Worth::Words => true,
                    Worth::Blank => long,
                    Worth::Drawing | Worth::Folded => false,
                };
                if fires {
                    return Some((at, period as u64, copies));
                }
            }
        }
        None
    }

    fn fast(units: &[u16], limits: Limits) -> Option<(usize, u64, u64)> {
        let one_by_one = {
            let mut periods = Periods::default();
            units.iter().enumerate().find_map(|(at, &unit)| {
                periods
                    .push(unit, at as u64, limits, |_| false)
                    .map(|r| (at, r.period, r.copies))
            })
        };
        let (taken, repeat) = Periods::default().push_all(units, 0, limits, |_| false);
        let all_at_once = repeat.map(|r| (taken - 1, r.period, r.copies));
        assert_eq!(one_by_one, all_at_once);
        all_at_once
    }

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn twenty_copies_and_two_hundred_units() {
        // 9 units: 23 copies are the first to fill 200.
        let found = fast(&units(&"thinking ".repeat(40)), LIMITS);
        assert_eq!(found, Some((9 * 23 - 1, 9, 23)));
        let found = fast(&units(&"a passage of thirty units, yes".repeat(40)), LIMITS);
        assert_eq!(found, Some((30 * 20 - 1, 30, 20)));
        // One letter is a passage of two.
        assert_eq!(fast(&units(&"哈".repeat(300)), LIMITS), Some((199, 2, 100)));
    }

    #[test]
    fn five_copies_and_two_thousand_units() {
        let words = |length: usize| -> String {
            (0..400)
                .map(|i| format!("w{i} "))
                .collect::<Vec<_>>()
                .concat()[..length]
                .to_owned()
        };
        assert_eq!(
            fast(&units(&words(900).repeat(6)), LIMITS),
            Some((900 * 5 - 1, 900, 5))
        );
        assert_eq!(fast(&units(&words(1_001).repeat(6)), LIMITS), None);
    }

    #[test]
    fn drawings_never_and_blanks_only_in_bulk() {
        for drawing in ["-", "─", "│  │\n", "| - ", "=====\n", "* \n", "#"] {
            assert_eq!(
                fast(&units(&drawing.repeat(5_000)), LIMITS),
                None,
                "{drawing}"
            );
        }
        assert_eq!(fast(&units(&" ".repeat(1_999)), LIMITS), None);
        assert_eq!(
            fast(&units(&" ".repeat(2_000)), LIMITS),
            Some((1_999, 2, 1_000))
        );
    }

    #[test]
    fn the_shortest_that_can_fire_is_found_wherever_it_begins() {
        let limits = Limits {
            copies: 1,
            ..LIMITS
        };
        for lead in 0..130u16 {
            let mut text: Vec<u16> = (0..lead).map(|unit| 1_000 + unit).collect();
            text.extend(units("twenty units of text").repeat(5));
            let at = text.len() - 1;
            assert_eq!(fast(&text, limits), Some((at, 20, 5)));
            assert_eq!(naive(&text, limits), Some((at, 20, 5)));
        }
    }

    #[test]
    fn a_pardoned_passage_is_not_asked_about_again() {
        let mut periods = Periods::default();
        let asked = std::cell::Cell::new(0);
        for unit in units(&"all work and no play ".repeat(1_000)) {
            let found = periods.push(unit, 0, LIMITS, |_| {
                asked.set(asked.get() + 1);
                true
            });
            assert_eq!(found, None);
        }
        assert_eq!(asked.get(), 1);
    }

    #[test]
    fn a_long_run_is_followed_by_few_periods() {
        let mut periods = Periods::default();
        for _ in 0..20_000 {
            periods.push(u16::from(b'-'), 0, LIMITS, |_| false);
        }
        assert_eq!(periods.runs.len(), 1);
    }

    /// Texts that repeat, stop repeating, repeat with a changed unit, and so on.
    fn repetitive() -> impl Strategy<Value = Vec<u16>> {
        let passage = proptest::collection::vec(0u16..3, 1..40);
        let part = (
            passage,
            1usize..30,
            any::<proptest::sample::Index>(),
            any::<bool>(),
        );
        proptest::collection::vec(part, 1..6).prop_map(|parts| {
            let mut text = Vec::new();
            for (passage, copies, spoilt, spoil) in parts {
                let mut part = passage.repeat(copies);
                if spoil {
                    let at = spoilt.index(part.len());
                    part[at] = u16::from(b'x');
                }
                text.extend(part.iter().map(|unit| unit + u16::from(b'a')));
            }
            text
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn the_same_as_the_naive_model(text in repetitive(), copies in 1u64..25) {
            let limits = Limits { copies, ..LIMITS };
            prop_assert_eq!(fast(&text, limits), naive(&text, limits));
        }

    }

    proptest! {
        // The naive model takes its time over this many units.
        #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

        #[test]
        #[ignore = "takes its time"]
        fn the_same_as_the_naive_model_for_long_passages(
            passage in proptest::collection::vec(0u16..2, 150..1_010),
            lead in proptest::collection::vec(0u16..2, 0..300),
        ) {
            let mut text: Vec<u16> = lead.iter().map(|unit| unit + 97).collect();
            for _ in 0..14 {
                text.extend(passage.iter().map(|unit| unit + 97));
            }
            prop_assert_eq!(fast(&text, LIMITS), naive(&text, LIMITS));
        }
    }
}
