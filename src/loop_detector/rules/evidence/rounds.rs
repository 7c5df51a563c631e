//! The same calls with the same answers, round and round; and one call with one answer that comes again
//! and again with others in between.

use super::super::runs::Item;
use super::run::stop_at;
use super::step::*;
use super::{
    CHANGED_AT, CYCLES, Evidence, ROUNDS_NUDGED, SCATTERED_REPEATS, SCATTERED_WINDOW, WAITED_AT,
};
use crate::hash::mixed;

/// What a step of which nothing is known is compared by, with its number.
const UNKNOWN: u64 = 0x756e_6b6e_6f77_6e21;

impl Evidence {
    /// Of an edit the call alone is compared. Rounds with waiting in them, or of acknowledgements
    /// alone, have to come twice as often.
    pub(super) fn cycles(&mut self, step: &Step) {
        let number = step[NUMBER];
        let mut step = *step;
        if has(&step, EDITS) {
            step[KEY] = step[CALL];
        }
        let key = match step[KEY] {
            0 => mixed(UNKNOWN, number),
            key => key,
        };
        self.periods.push(Item {
            key,
            call: step[CALL],
            index: step[INDEX],
        });
        let is_known = self.knows(&self.recent, step[CALL]);
        if has(&step, WAITS) {
            self.numbers[WAITED_AT] = number;
        }
        // Something new was changed: what is run from now on verifies that.
        if has(&step, WAITS) || has(&step, DONE) && !is_known {
            self.numbers[CHANGED_AT] = number;
        }
        if self.recent.len() as u64 >= self.limits[SCATTERED_WINDOW] {
            self.recent.remove(0);
        }
        self.recent.push(step);

        let limit = self.limits[CYCLES];
        let mut period = 2;
        while self.periods.covered(period, None) < period.saturating_mul(limit) {
            period += 1;
            if period > self.periods.longest() as u64 {
                self.numbers[ROUNDS_NUDGED] = 0;
                return;
            }
        }
        let (mut any, mut all) = (0, DONE);
        let mut is_one = true;
        for other in self.recent.iter().rev().take(period as usize) {
            any |= other[TRAITS];
            all &= other[TRAITS];
            is_one &= other[KEY] == step[KEY];
        }
        let is_weak = any & WAITS != 0 || all != 0 && any & EDITS == 0;
        let nudge = limit.saturating_mul(1 + u64::from(is_weak));
        let is_stop = self.numbers[ROUNDS_NUDGED] != 0;
        let threshold = if is_stop { stop_at(nudge) } else { nudge };
        let count = self.periods.covered(period, None) / period;
        if limit != 0 && !is_one && count >= threshold {
            self.numbers[ROUNDS_NUDGED] = 1;
            let first = self.periods.first_index(period);
            self.find(CYCLES, is_stop, threshold, [count, first, period]);
        }
    }

    /// Told once for each call and answer, never a stop. What was changed in between is a reason to run
    /// something again, but none to read or to fail again.
    pub(super) fn scattered_repeats(&mut self, step: &Step) {
        let limit = self.limits[SCATTERED_REPEATS];
        let key = bit(!has(step, EDITS | DONE | WAITS), step[KEY]);
        if limit == 0 || key == 0 || self.told.contains(&key) {
            return;
        }
        let since = match has(step, LOOKS | FAILED) {
            true => self.numbers[WAITED_AT],
            false => self.numbers[CHANGED_AT],
        };
        let mut count = 0;
        let mut first = step[INDEX];
        for other in &self.recent {
            if other[KEY] == key && other[NUMBER] > since {
                count += 1;
                first = first.min(other[INDEX]);
            }
        }
        if count >= limit {
            self.tell(key);
            self.find(SCATTERED_REPEATS, false, limit, [count, first, 0]);
        }
    }
}
