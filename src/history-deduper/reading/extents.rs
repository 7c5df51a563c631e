//! The part of a file that a text is, as far as the arguments of the call and the text itself tell.

use turnkeeper_base::json::Json;
use turnkeeper_base::text::first_units;
use turnkeeper_base::text::utf8::find_dots;
use turnkeeper_messages::arguments::PATH;
use turnkeeper_messages::pieces::{after_one_of, after_words, digits, ends_word};
use turnkeeper_messages::{
    LineRange, LinesAsked, LinesShown, are_part, chooses_lines, is_of_word, is_said, is_white,
    lines_shown, numbered_lines,
};

use crate::files::Extent;

/// The arguments that make no difference to what is read.
const OTHERS: [&str; 9] = [
    "command",
    "description",
    "explanation",
    "reason",
    "instructions",
    "task_progress",
    "encoding",
    "should_read_entire_file",
    "mode",
];

/// The part that the arguments of a read ask for, but for one of them.
pub(super) fn extent_of_arguments(tool: &str, args: &Json, but: Option<&str>) -> Extent {
    let Json::Object(fields) = args else {
        return Extent::Complete;
    };
    let mut is_part = false;
    for (name, value) in fields {
        let is_other = PATH.contains(&&**name) || OTHERS.contains(&&**name);
        if but == Some(&**name) || is_other || !is_said(value) {
            continue;
        }
        if !chooses_lines(name) {
            return Extent::Unknown;
        }
        is_part = true;
    }
    match LinesAsked::of(tool, args) {
        LinesAsked::All if !is_part => Extent::Complete,
        LinesAsked::All => Extent::Unknown,
        asked => match asked.ranges().as_deref() {
            Some([range]) => extent_of(*range),
            _ => Extent::Unknown,
        },
    }
}

/// No line is the last of those that count from 1.
const NO_LAST: u32 = u32::MAX - 1;

pub(super) fn extent_of(LineRange { first, last }: LineRange) -> Extent {
    let number = |line| u32::try_from(line).map_or(NO_LAST, |line| line.min(NO_LAST));
    Extent::Lines {
        first: number(first),
        last: last.map_or(NO_LAST, number),
    }
}

/// Lines from one to another.
pub(super) fn lines_between(first: u64, last: u64) -> Extent {
    LineRange::new(first, Some(last)).map_or(Extent::Unknown, extent_of)
}

/// The part of the file that a text says it is, against what was asked for.
pub(super) fn extent_of_text(text: &str, asked: Extent) -> Extent {
    match lines_shown(text) {
        Some(LinesShown::Lines(range)) => return extent_of(range),
        Some(LinesShown::InPart) => return Extent::Unknown,
        None if asked != Extent::Complete => return asked,
        None => {}
    }
    match numbered_lines(text).filter(are_part) {
        Some((first, last)) => lines_between(first, last),
        None => asked,
    }
}

/// The words with which such a note says so.
const CUT_WORDS: [&str; 6] = [
    "cut", "truncated", "omitted", "clipped", "elided", "left out",
];
/// At most this many letters and spaces are between the sign and the word.
const LONGEST_BEFORE_WORD: usize = 60;
/// At most this many letters are between the number and the word.
const LONGEST_UNIT: usize = 20;

/// Whether a text says anywhere in it that a part was left out there (`[… cut …]`, `…812 tokens truncated…`); in a
/// string of a program it says nothing.
pub(super) fn is_cut(text: &str) -> bool {
    let mut at = 0;
    while let Some(dots) = find_dots(text.as_bytes(), at) {
        at = dots + 1;
        let start = if text[..dots].ends_with('[') {
            dots - 1
        } else {
            dots
        };
        let note = [start, dots]
            .into_iter()
            .find_map(|start| Some((start, note_of_cut(&text[start..])?)));
        let Some((start, rest)) = note else {
            continue;
        };
        let line = text[..start].rfind('\n').map_or(0, |it| it + 1);
        let after = rest.split('\n').next().unwrap_or_default();
        let quote = text[line..start].chars().find(|it| "\"'`".contains(*it));
        if quote.is_none_or(|quote| !after.contains(quote)) {
            return true;
        }
        at = text.len() - rest.len();
    }
    false
}

/// The rest of a text after the note that it begins with.
fn note_of_cut(text: &str) -> Option<&str> {
    let signs = ["[\u{2026}", "[...", "...[", "... ["];
    if let Some(rest) = signs.iter().find_map(|sign| text.strip_prefix(sign)) {
        let mut may_begin = true;
        for (at, letter) in rest.char_indices().take(LONGEST_BEFORE_WORD + 1) {
            if may_begin && let Some(rest) = after_cut_word(&rest[at..]) {
                return Some(rest);
            }
            if letter != ' ' && !is_of_word(letter) {
                break;
            }
            may_begin = letter == ' ';
        }
    }
    let rest = text.strip_prefix('\u{2026}')?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let (_, rest) = digits(rest)?;
    let rest = rest.trim_start_matches(|it: char| it.is_ascii_digit() || it == ',');
    let rest = rest.strip_prefix(' ')?;
    if let Some(rest) = after_cut_word(rest) {
        return Some(rest);
    }
    let after_unit = rest.trim_start_matches(is_of_word);
    let is_unit = rest.len() - after_unit.len() <= LONGEST_UNIT;
    let after = after_unit.strip_prefix(' ').filter(|_| is_unit)?;
    after_cut_word(after)
}

fn after_cut_word(text: &str) -> Option<&str> {
    let rest = CUT_WORDS
        .iter()
        .find_map(|word| after_words(text, word).filter(|it| ends_word(it)))?;
    let is_code = rest.starts_with([',', ';', '('])
        || rest
            .strip_prefix('.')
            .is_some_and(|it| it.starts_with(is_of_word));
    (!is_code).then_some(rest)
}

/// The end of the file in a result that holds it, before what the agent says after it.
pub(super) fn end_of_content(text: &str) -> usize {
    let said = text.trim_end_matches(is_white);
    let reminder = match said.ends_with("</system-reminder>") {
        true => text.rfind("<system-reminder>"),
        false => None,
    };
    reminder.filter(|at| *at > 0).unwrap_or(text.len())
}

/// The beginnings of results that hold no file: refusals, errors, and notes of agents that removed one.
const NO_FILE: [&str; 28] = [
    "The tool execution failed",
    "The user denied",
    "The user rejected",
    "The user doesn't want",
    "(tool did not return",
    "<error>",
    "<tool_use_error>",
    "ENOENT",
    "File does not",
    "File doesn't",
    "File not",
    "File unchanged",
    "Tool [",
    "[[NOTE]",
    "Failed to ",
    "Cannot ",
    "Could not ",
    "Unable to ",
    "Permission denied",
    "No such file",
    "Access denied",
    "Operation cancelled",
    "Operation denied",
    "<system-reminder>",
    "(Binary file",
    "Missing value",
    "Request interrupted",
    "[Request interrupted",
];
/// The first bytes of all of these.
const FIRST_OF_NO_FILE: &[u8] = b"acefmnoprtu([<{";
/// The same, as words.
const NO_FILE_WORDS: [&str; 5] = ["ERROR", "[ERROR", "EACCES", "EISDIR", "EPERM"];
/// A refusal is known by this many units.
const BEGINNING: usize = 120;

/// Whether a text is rather a refusal, an error or a note than a file.
pub(super) fn is_no_file(text: &str, notices: &[&str]) -> bool {
    let start = first_units(text, BEGINNING).trim_start_matches(is_white);
    let Some(first) = start.bytes().next() else {
        return true;
    };
    if !FIRST_OF_NO_FILE.contains(&first.to_ascii_lowercase()) {
        return false;
    }
    after_one_of(start, &NO_FILE).is_some()
        || NO_FILE_WORDS
            .iter()
            .any(|word| after_words(start, word).is_some_and(ends_word))
        || is_refused_in_json(start).is_some()
        || notices.iter().any(|notice| start.starts_with(notice))
}

/// `{ "status": "denied` and the like.
fn is_refused_in_json(text: &str) -> Option<()> {
    let rest = text.strip_prefix('{')?.trim_start_matches(is_white);
    let rest = after_words(rest, "\"status\"")?.trim_start_matches(is_white);
    let rest = rest.strip_prefix(':')?.trim_start_matches(is_white);
    after_one_of(rest, &["\"denied", "\"error"]).map(drop)
}

/// The paths of `files: [{ path }]`, as Roo Code's native tool reads several at once.
pub(super) fn paths_of(args: &Json) -> Vec<String> {
    let files = args.get("files").map_or(&[][..], Json::items).iter();
    let paths = files.filter_map(|file| file.get("path").and_then(Json::as_text));
    paths.map(str::to_owned).collect()
}

/// Whether such a read asks for ranges of any of its files.
pub(super) fn asks_for_ranges(args: &Json) -> bool {
    let files = args.get("files").map_or(&[][..], Json::items).iter();
    files
        .filter_map(|file| file.get("lineRanges").or_else(|| file.get("line_ranges")))
        .any(|ranges| !ranges.items().is_empty())
}

/// The path among the arguments of a call.
pub(super) fn path_of<'a>(args: &'a Json<'a>) -> Option<&'a str> {
    let is_there = |path: &&Json| !matches!(path, Json::Null);
    let mut paths = PATH.iter().filter_map(|name| args.get(name));
    paths.find(is_there)?.as_text()
}
