//! The hashes by which a result is compared, and its claims: that it failed, found nothing,
//! acknowledges or says nothing.

use super::super::super::{RESULT_END_UNITS, ResultSeen};
use super::alike::{Alike, Likeness};
use super::characters::{Class, ends_with, is, is_ascii, lower_case, trimmed_end, trimmed_start};
use super::outline::{outline, speaks_of_error};
use super::seen_lines::SeenLines;
use super::step::{CallFeatures, ResultFeatures};
use super::tokens::{Source, Tokens};
use super::vocabulary::{ResultWord, VOCABULARY};
use super::wrapping::{length_of_notes, length_of_prefix};
use turnkeeper_base::text::hash::{UnitHash, mixed};

/// An edit is refused in the first line of its result; so much of it is read.
const LONGEST_REFUSAL: usize = 160;
/// A result of at most this many words says hardly more than that something was done.
const FEW_WORDS: u32 = 4;
/// The character that begins a deed that is done in Chinese.
const ALREADY: u16 = 0x5df2;
/// "you", whom games speak to.
const YOU: &str = "you";
/// The beginning of lines that tell how a tool is used.
const USAGE: &str = "usage:";
/// Reads the result of a call, and gives its lines to `lines`. Words say whether it failed in results of up to
/// `short` units.
#[inline(never)] // A large function is slow to compile at the first event.
pub(in super::super) fn read_result(
    seen: &ResultSeen,
    call: &CallFeatures,
    short: usize,
    lines: &mut Vec<u32>,
    alike: &mut Alike,
    seen_lines: &mut SeenLines,
) -> ResultFeatures {
    let output = seen.output.units();
    let mut units = Vec::new();
    output.up_to(RESULT_END_UNITS).push_to(&mut units);
    let begin = length_of_prefix(&units);
    if output.len() > RESULT_END_UNITS {
        let end = RESULT_END_UNITS.max(output.len() - RESULT_END_UNITS);
        output.from(end).push_to(&mut units);
    }
    let length_of_notes = length_of_notes(&units[begin..]);
    units.truncate(units.len() - length_of_notes);
    let length = output.len() + seen.left_out - length_of_notes;
    let tokens = Tokens::of_lines(&units[begin..], short, lines);
    let units_beyond = length.saturating_sub(RESULT_END_UNITS) as u64;
    let claims = tokens.claims;

    let is_short = tokens.length <= short;
    // An exit code, and that it failed, are all.
    let says_nothing_else = claims.exit_code_fails == Some(true) && !claims.says_more_than_failure;
    let is_empty = is_short && (!claims.says_something || says_nothing_else);
    let reads_a_file = call.looks && (call.path.is_some() || call.runs_command);
    let may_tell = is_short && !reads_a_file;
    let is_object = units.get(begin).is_some_and(|unit| is_ascii(*unit, b'{'));
    // The encoding of an exit code is two bytes and its digits. One below 0 with no output is of what still runs.
    let is_error_alone = || {
        let line = trimmed_end(&units[begin..]);
        let is_one = !line.iter().any(|unit| is_ascii(*unit, b'\n'));
        is_short && is_one && (claims.status_fails || begins_with_error(line))
    };
    let code = seen.exit_code.0.get(2..).unwrap_or_default();
    let still_runs = code.starts_with(b"-") && claims.is_fruitless;
    let exit_code_fails = match seen.exit_code.0 {
        [] => claims.exit_code_fails,
        _ if still_runs => Some(false),
        // That of a request says only that it was made, and an object or a line that is nothing but an error tells of it
        // in words: the code is that of what came after it.
        _ if code == b"0" && (call.requests || !call.looks && (is_object || is_error_alone())) => {
            None
        }
        _ => Some(code != b"0"),
    };
    let has_no_effect =
        call.may_edit && (claims.changes_nothing || claims.tells_places && !claims.acknowledges);
    let claims_error = match (claims.errors > 0, is_short && exit_code_fails.is_none()) {
        (true, true) => {
            let source = Source::Result { short };
            let own = seen_lines.beside_what_is_shared(call, &units[begin..], source);
            let left = Tokens::of(own, source).claims;
            own.len() == units.len() - begin || left.errors > 0 || !left.says_something
        }
        (claims_error, _) => {
            seen_lines.claims_no_error(call);
            claims_error
        }
    };
    let says_failure = || claims_error || has_no_effect || is_usage(&units[begin..]);
    // A code that stands within a long text may be of anything.
    let is_told = is_short || !seen.exit_code.0.is_empty();
    let failed =
        seen.is_error || is_told && exit_code_fails.unwrap_or_else(|| is_short && says_failure());
    // Numbers that change by themselves are no noise where the result says nothing else.
    let changing = tokens.changing_numbers;
    let is_all = changing > 0 && !failed && !claims.goes_on && changing >= claims.words;
    let text = match is_all {
        true => hash_of_words(&units[begin..]),
        // The findings of a search may come in another order.
        false if call.looks => tokens.in_any_order(),
        false => tokens.stable.0,
    };
    let is_of_road = may_tell && claims.is_of_road && (failed || claims.errors > 0);
    let refuses_edit = call.edits && (failed || begins_with_error(&units[begin..])) && !is_of_road;
    let says_only_that_it_is_done = is_short && !call.looks && (is_empty || claims.acknowledges);
    let text = mixed(text, units_beyond);
    let like = match call.call {
        Some(of_call) if !call.edits && !call.is_note => {
            alike.take(of_call, text, length, &tokens.words, changing)
        }
        _ => Likeness::default(),
    };
    ResultFeatures {
        text,
        is_receipt: call.may_create
            && (is_all || !call.leads_on && claims.acknowledges && claims.words <= 2 * FEW_WORDS),
        has_few_words: tokens.words.are_few(),
        likeness: like.key,
        ages: like.ages,
        text_without_numbers: mixed(tokens.without_numbers.0, units_beyond),
        outline: outline(&units[begin..]),
        is_seen: false,
        failed: failed && !is_of_road,
        refuses_edit,
        says_little: is_short
            && !failed
            && claims.words <= FEW_WORDS
            && begins_with_deed(&units[begin..]),
        is_short,
        tells_of_error: !is_short
            && !call.looks
            && begins_with_error(&units[begin..])
            && ends_with_error(&units[begin..]),
        is_empty,
        is_fruitless: is_empty
            || is_short && (claims.is_fruitless || holds_empty_list(&units[begin..])),
        acknowledges: !failed
            && !refuses_edit
            && (call.edits || call.changes_shell || says_only_that_it_is_done),
        is_of_user: may_tell && claims.is_of_user || call.asks && !failed && !is_empty,
        is_of_road,
        goes_on: may_tell
            && (claims.goes_on || still_runs || claims.is_yet_to_come && !failed)
            && !call.is_note,
    }
}

/// Whether a result is a list or an object whose lists are all empty: `{"matches": []}`.
fn holds_empty_list(result: &[u16]) -> bool {
    let is_mark = |text: &[u16], mark| text.first().is_some_and(|unit| is_ascii(*unit, mark));
    let text = trimmed_start(result);
    // What follows each mark with which a list begins.
    let lists = || text.split(|unit| is_ascii(*unit, b'[')).skip(1);
    (is_mark(text, b'[') || is_mark(text, b'{'))
        && lists().next().is_some()
        && lists().all(|rest| is_mark(trimmed_start(rest), b']'))
}

/// The units of a text without white space.
fn hash_of_words(text: &[u16]) -> u64 {
    let words = text.iter().copied();
    UnitHash::of(words.filter(|unit| !is(*unit, Class::WHITE_SPACE))).0
}

/// Whether a result tells how the tool is used, which it does when it was used in another way.
fn is_usage(result: &[u16]) -> bool {
    let begin = trimmed_start(result).iter().take(USAGE.len());
    begin.map(|unit| lower_case(*unit)).eq(USAGE.encode_utf16())
}

/// Whether a result begins with the deed or with who did it: "Clicked Next.", "ok", "You walk north.", "已点击".
fn begins_with_deed(result: &[u16]) -> bool {
    let is_space = |unit: &u16| is(*unit, Class::WHITE_SPACE);
    let is_letter = |unit: &u16| is(*unit, Class::LETTER);
    if trimmed_start(result).first() == Some(&ALREADY) {
        return true;
    }
    // A picture may come first.
    let mut words = result
        .split(is_space)
        .filter(|word| word.iter().any(is_letter));
    let Some(word) = words.next() else {
        return false;
    };
    let begin = word.iter().position(is_letter).unwrap_or_default();
    let word = &word[begin..];
    let end = word.iter().position(|unit| !is_letter(unit));
    let word = &word[..end.unwrap_or(word.len())];
    let meaning = VOCABULARY.results.meaning(word).unwrap_or_default();
    ends_with(word, "ed")
        || ends_with(word, "done")
        || meaning.contains(ResultWord::ACKNOWLEDGES)
        || word
            .iter()
            .map(|unit| lower_case(*unit))
            .eq(YOU.encode_utf16())
}

/// Whether the first line of a result speaks of an error.
fn begins_with_error(result: &[u16]) -> bool {
    let head = &result[..result.len().min(LONGEST_REFUSAL)];
    let line_end = head.iter().position(|unit| is_ascii(*unit, b'\n'));
    speaks_of_error(&head[..line_end.unwrap_or(head.len())])
}

/// Whether the last line of a result is an error's, or the last of the calls that led to it.
fn ends_with_error(result: &[u16]) -> bool {
    let result = trimmed_end(result);
    let begin = result.iter().rposition(|unit| is_ascii(*unit, b'\n'));
    let line = &result[begin.map_or(0, |begin| begin + 1)..];
    let mut words = line
        .split(|unit| !is(*unit, Class::LETTER))
        .filter(|word| !word.is_empty());
    let is_frame = words
        .clone()
        .next()
        .is_some_and(|word| word.iter().copied().eq("at".encode_utf16()));
    is_frame || words.any(|word| ends_with(word, "error") || ends_with(word, "exception"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::{Call, Encoded, KeyOrder, borrowed, encode};

    /// The features of a short result of an edit, or of another call.
    fn read(text: &str, edits: bool) -> ResultFeatures {
        let call = CallFeatures {
            edits,
            may_edit: edits,
            ..CallFeatures::default()
        };
        read_of(text, &call, None, &mut SeenLines::default())
    }

    /// Those of the result of a call after others, and of its exit code.
    fn read_of(
        text: &str,
        call: &CallFeatures,
        exit_code: Option<u32>,
        lines: &mut SeenLines,
    ) -> ResultFeatures {
        let mut encoded = Vec::new();
        encode("", None, Some(&borrowed(&json!(text))), &mut encoded).expect("not deep");
        let result = Call::decode(&encoded, KeyOrder::AsGiven).expect("a call");
        let code = exit_code.map_or(String::new(), |code| format!("d\u{1}{code}"));
        let seen = ResultSeen {
            output: result.arguments(),
            left_out: 0,
            is_error: false,
            exit_code: Encoded(code.as_bytes()),
            answered: None,
        };
        let alike = &mut Alike::default();
        read_result(&seen, call, 400, &mut Vec::new(), alike, lines)
    }

    #[test]
    fn an_edit_without_effect_is_refused() {
        for (text, is_refused) in [
            ("The model made no changes to the file.", true),
            ("No replacements were made in moss.txt.", true),
            ("old_text matches more than one place (lines 3, 9).", true),
            ("Ambiguous: multiple occurrences of the text.", true),
            ("Replaced 3 matches in moss.txt.", false),
            (
                "The file moss.txt was edited; it has multiple owners.",
                false,
            ),
            ("Wrote moss.txt; no problems were found.", false),
            ("", false),
        ] {
            let edit = read(text, true);
            assert_eq!(edit.refuses_edit, is_refused, "{text}");
            assert_eq!(edit.acknowledges, !is_refused, "{text}");
            assert!(!read(text, false).failed, "{text}");
        }
    }

    #[test]
    fn what_was_not_executed_has_failed() {
        assert!(read("Your command was NOT executed: another one runs.", false).failed);
        assert!(!read("Command executed.", false).failed);
    }

    #[test]
    fn what_a_tool_says_each_time_claims_no_error_of_what_differs_beside_it() {
        const WARNING: &str = "sh: warning: cannot change locale";
        let failures = |results: &[String], exit_code: Option<u32>| {
            let mut lines = SeenLines::default();
            let calls = results.iter().enumerate();
            let failed = calls.map(|(call, text)| {
                let call = CallFeatures {
                    call: Some(call as u64),
                    ..CallFeatures::default()
                };
                read_of(text, &call, exit_code, &mut lines).failed
            });
            failed.collect::<Vec<_>>()
        };
        let of_beds = |text: fn(&str) -> String| {
            let beds = ["roses", "lilies", "moss"];
            beds.map(text)
        };
        let before = of_beds(|bed| format!("{WARNING}\n{bed}: well"));
        let after = of_beds(|bed| format!("{bed}: well\n{WARNING}\n"));
        for banner in [&before, &after] {
            assert_eq!(failures(banner, None), [true, false, false]);
            assert_eq!(failures(banner, Some(1)), [true; 3]);
        }
        for dead in [
            of_beds(|_| WARNING.to_owned()),
            of_beds(|bed| format!("{WARNING}\n{bed}: not found")),
            of_beds(|bed| format!("In [{}]\n{WARNING}", bed.len())),
            of_beds(|bed| format!("{WARNING}{}", "\n".repeat(bed.len()))),
        ] {
            assert_eq!(failures(&dead, None), [true; 3], "{dead:?}");
        }
        let once = [WARNING, "well", &before[0]].map(str::to_owned);
        assert_eq!(failures(&once, None), [true, false, true]);
    }

    #[test]
    fn an_empty_list_was_searched_in_vain() {
        for (text, expected) in [
            ("[]", true),
            (r#"{"query": "moss", "count": 0, "results": [ ]}"#, true),
            (r#"{"results": [{"tags": []}]}"#, false),
            (r#"{"results": ["moss"], "errors": []}"#, false),
            (r#"{"count": 3}"#, false),
            ("let moss = [];", false),
        ] {
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(holds_empty_list(&units), expected, "{text}");
        }
    }

    #[test]
    fn what_repeats_the_call_is_not_compared() {
        let length = |result: &str| length_of_prefix(&result.encode_utf16().collect::<Vec<_>>());
        assert_eq!(
            length("[read a.txt] Result:\nmoss"),
            "[read a.txt] Result:".len()
        );
        assert_eq!(
            length("Command: ls\nOutput: moss"),
            "Command: ls\nOutput: ".len()
        );
        assert_eq!(length("[1, 2]"), 0);
        assert_eq!(length("moss ] Result:"), 0);
        assert_eq!(length(""), 0);
        let far = format!(
            "[{}] Result: moss",
            "x".repeat(super::super::wrapping::LONGEST_PREFIX)
        );
        assert_eq!(length(&far), 0);
    }
}
