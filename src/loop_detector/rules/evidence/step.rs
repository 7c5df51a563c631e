//! A call, and what came of it: a row of numbers, by these places. What something is compared by is 0
//! where it is not known.

pub(super) type Step = [u64; 11];

/// The index of the call in the prompt.
pub(super) const INDEX: usize = 0;
/// The same for calls that were made before one more was answered.
pub(super) const BATCH: usize = 1;
/// How many steps there were, with this one.
pub(super) const NUMBER: usize = 2;
/// The sum of what holds.
pub(super) const TRAITS: usize = 3;
/// The call but for cosmetic arguments, ...
pub(super) const EXACT: usize = 4;
/// and but for times and ids.
pub(super) const CALL: usize = 5;
/// The file.
pub(super) const PATH: usize = 6;
/// The answer but for what changes by itself, ...
pub(super) const NEAR: usize = 7;
/// and but for all numbers.
pub(super) const ANSWER: usize = 8;
/// Of call and answer, ...
pub(super) const KEY: usize = 9;
/// and but for all numbers of that.
pub(super) const WIDE: usize = 10;

pub(super) const IS_NOTE: u64 = 1;
pub(super) const EDITS: u64 = 1 << 1;
/// Writes a file as a whole, too.
pub(super) const REWRITES: u64 = 1 << 2;
/// Reads or searches, and changes nothing.
pub(super) const LOOKS: u64 = 1 << 3;
/// Waits, or moves on by one: the same call again may be meant.
pub(super) const WAITS: u64 = 1 << 4;
/// Changes nothing but the shell.
pub(super) const SETS: u64 = 1 << 9;
/// Failed, which is judged on short answers alone.
pub(super) const FAILED: u64 = 1 << 5;
/// Answered with nothing.
pub(super) const EMPTY: u64 = 1 << 6;
/// Found nothing.
pub(super) const DRY: u64 = 1 << 7;
/// Was acknowledged, which says nothing new.
pub(super) const DONE: u64 = 1 << 8;

/// Whether any of these holds.
pub(super) fn has(step: &Step, traits: u64) -> bool {
    step[TRAITS] & traits != 0
}

/// The trait, if it holds.
pub(super) fn bit(holds: bool, of: u64) -> u64 {
    if holds { of } else { 0 }
}
