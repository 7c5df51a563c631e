//! Steps in a row that have one thing in common: a row of numbers, by these places.

use super::step::{BATCH, CALL, INDEX, Step};

pub(super) type Run = [u64; 7];

pub(super) const KEY: usize = 0;
pub(super) const COUNT: usize = 1;
/// The index of the first call.
pub(super) const FIRST: usize = 2;
/// 1 if the host was told.
pub(super) const NUDGED: usize = 3;
/// 1 if the calls differ, or nothing is known of them.
pub(super) const DIFFERS: usize = 4;
/// What the first call is compared by, and the batch of the last.
const FIRST_CALL: usize = 5;
const LAST_BATCH: usize = 6;

/// Another step, which begins the run anew if its key is another one; with a key of 0, none.
/// `by_batch` counts a batch once: the model did not know of the answers yet.
#[inline(never)]
pub(super) fn add(run: &mut Run, key: u64, step: &Step, by_batch: bool) {
    if run[KEY] != key {
        *run = [key, 0, step[INDEX], 0, 0, step[CALL], 0];
    }
    if run[FIRST_CALL] != step[CALL] || step[CALL] == 0 {
        run[DIFFERS] = 1;
    }
    if key != 0 && !(by_batch && run[LAST_BATCH] == step[BATCH]) {
        run[COUNT] = run[COUNT].saturating_add(1);
        run[LAST_BATCH] = step[BATCH];
    }
}

/// Half as many again, two at least: 3 and 5, as Cline's users have lived with for longest.
pub(super) fn stop_at(nudge: u64) -> u64 {
    nudge.saturating_add(nudge.div_ceil(2).max(2))
}
