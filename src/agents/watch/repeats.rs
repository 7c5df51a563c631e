//! Results that stand in a conversation more than once, to the character.

use turnkeeper_base::json::written;
use turnkeeper_base::text::first_units;
use turnkeeper_base::text::hash::sha256_hex;

use super::event::FinishedCall;
use super::prompts::units;
use super::record::LongResult;

/// A shorter result is not worth the words that would stand for it; in UTF-16 code units, as all lengths.
const SHORTEST: usize = 2_000;
/// Results that are remembered of a context.
const MOST_RESULTS: usize = 256;
/// The most of what names a call.
const LONGEST_NAME: usize = 200;

/// The line for a result that an earlier call of this context had; `None` for a new one, which is added to what
/// was `seen`, a short one and a failure.
pub(crate) fn repeat_of(call: &FinishedCall, seen: &mut Vec<LongResult>) -> Option<String> {
    let length = units(&call.output);
    let has_failed = call.is_error == Some(true) || call.exit_code.is_some_and(|code| code != 0);
    if has_failed || length < SHORTEST {
        return None;
    }
    let hash = sha256_hex(call.output.as_bytes());
    if let Some(LongResult { call, .. }) = seen.iter().find(|it| it.hash == hash) {
        return Some(format!(
            "[The same {length} characters as the result of {call} above.]"
        ));
    }
    let name = format!("{} {}", call.name, written(&call.args));
    let call = first_units(&name, LONGEST_NAME).to_owned();
    seen.push(LongResult { hash, call });
    if seen.len() > MOST_RESULTS {
        seen.remove(0);
    }
    None
}
