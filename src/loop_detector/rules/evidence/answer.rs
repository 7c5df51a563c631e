//! What an answer is: what it is compared by, and whether it failed, found nothing or says nothing.

use super::super::ResultSeen;
use super::step::*;
use super::tokens::Tokens;
use super::words::Words;
use crate::hash::mixed;

/// Of a longer answer the first and the last so many units count, and how long it is.
const LONGEST: usize = 8_192;

/// Some agents repeat the call before the answer: what that begins with, and where the answer begins.
const WRAPPERS: [(&str, &str); 2] = [("[", "] Result:"), ("Command: ", "\nOutput: ")];
/// Within so many units.
const WRAPPED: usize = 4_096;

/// Adds what came of a step's call.
pub(super) fn read(step: &mut Step, seen: &ResultSeen, words: &Words, short: u64) {
    let output = seen.output.units();
    let length = output.len();
    let mut units = Vec::new();
    output.push_to(LONGEST, &mut units);
    let behind = LONGEST.max(length.saturating_sub(LONGEST));
    output.from(behind).push_to(LONGEST, &mut units);
    let mut begin = 0;
    for (start, end) in WRAPPERS {
        if output.has(start, 0) {
            for at in 0..WRAPPED.min(length) {
                if output.has(end, at) {
                    begin = at + end.len();
                    break;
                }
            }
        }
    }
    let text = units.get(begin..).unwrap_or_default();
    let tokens = Tokens::of(text, words, Some(short as usize));
    let length = length.saturating_sub(LONGEST) as u64;
    step[NEAR] = mixed(tokens.near.0, length);
    step[ANSWER] = mixed(tokens.all.0, length);
    if step[CALL] != 0 {
        step[KEY] = mixed(step[CALL], step[NEAR]);
        step[WIDE] = mixed(step[CALL], step[ANSWER]);
    }
    let is_short = tokens.length as u64 <= short;
    let is_empty = is_short && !tokens.speaks;
    let exit_code = match seen.exit_code.0 {
        [] => tokens.exit_code,
        digits => Some(digits.get(2..) != Some(b"0")),
    };
    let failed = seen.is_error || is_short && exit_code.unwrap_or(tokens.errors > 0);
    let is_plain = is_short && !has(step, LOOKS) && (is_empty || tokens.done);
    step[TRAITS] |= bit(failed, FAILED)
        | bit(is_empty, EMPTY)
        | bit(is_short && (is_empty || tokens.dry), DRY)
        | bit(!failed && (has(step, EDITS | SETS) || is_plain), DONE);
}
