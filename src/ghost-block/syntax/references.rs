//! `@[…]` and `![…](…)`.

use turnkeeper_base::text::markdown_code::MarkdownCode;
use turnkeeper_base::text::{Brackets, exact, find_mark, lossy};

use super::super::diagnostic::{DiagnosticCode, Problem, Problems};
use super::super::json::Json;
use super::reference::{Reference, ReferenceKind};
use super::{AT, CLOSE_BRACKET, NEWLINE, OPEN_BRACE, OPEN_BRACKET, is_blank, part, unit_at};

const OPEN_PAREN: u16 = b'(' as u16;

/// The most references of one text that are read. Millions would fill a Wasm module's memory.
pub(crate) const MOST_REFERENCES: usize = 100_000;

/// The references of a text.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// The first [`MOST_REFERENCES`], in order.
    pub(crate) list: Vec<Reference>,
    /// The number of others.
    pub(crate) more: usize,
    /// The start of the first of those.
    pub(crate) first_of_more: usize,
}

/// The fault of a call whose braces hold no arguments.
pub(crate) const BAD_ARGUMENTS: &str = "the braces of a tool call hold one JSON object";

impl References {
    fn push(&mut self, reference: Reference) {
        if self.list.len() < MOST_REFERENCES {
            return self.list.push(reference);
        }
        if self.more == 0 {
            self.first_of_more = reference.start;
        }
        self.more += 1;
    }
}

/// The references of a text outside `code`. `is_literal` says of an `@` or `!` that it only looks
/// like the start of one. Problems are of others.
pub(crate) fn find(
    units: &[u16],
    code: &MarkdownCode,
    is_literal: &dyn Fn(usize) -> bool,
    problems: &mut Problems,
) -> References {
    let mut found = References::default();
    let mut brackets = Brackets::default();
    let mut at = 0;
    loop {
        let start = find_mark(units, at);
        let Some(&mark) = units.get(start) else {
            return found;
        };
        at = start + 1;
        if let Some(end) = code.end_of(start) {
            at = end;
            continue;
        }
        if unit_at(units, at) != OPEN_BRACKET || is_literal(start) {
            continue;
        }
        let reference = if mark == AT {
            read_reference(units, &mut brackets, start)
        } else {
            match read_image(units, &mut brackets, start) {
                Some(image) => Ok(image),
                None => continue,
            }
        };
        match reference {
            Ok(reference) => {
                at = reference.end;
                found.push(reference);
            }
            Err(wrong) => {
                problems.push(Problem::new(start, wrong.code, wrong.message));
                // The model would take a call without a result for one that was made.
                if let Some(call) = wrong.call {
                    found.push(*call);
                }
            }
        }
    }
}

/// The fault of a reference.
#[derive(Debug)]
pub(crate) struct Wrong {
    code: DiagnosticCode,
    message: &'static str,
    /// A tool call without arguments that can be read.
    call: Option<Box<Reference>>,
}

impl Wrong {
    fn new(code: DiagnosticCode, message: &'static str) -> Self {
        Self {
            code,
            message,
            call: None,
        }
    }

    /// The braces of a call do not hold its arguments.
    fn arguments(call: Reference) -> Self {
        Self {
            call: Some(Box::new(call)),
            ..Self::new(DiagnosticCode::BadArguments, BAD_ARGUMENTS)
        }
    }
}

/// Reads a reference to a file or a tool call from its `@`.
fn read_reference(
    units: &[u16],
    brackets: &mut Brackets,
    start: usize,
) -> Result<Reference, Wrong> {
    let open = start + 1;
    let inside = open + 1;
    let mut brace = inside;
    while is_tool_name(unit_at(units, brace)) {
        brace += 1;
    }
    if brace > inside && unit_at(units, brace) == OPEN_BRACE {
        let mut call = Reference::new(ReferenceKind::Tool, start, brace);
        call.name = Some(lossy(part(units, inside, brace)));
        let Some((args, end)) = read_arguments(units, brace) else {
            let end = brackets.close(units, open).map(|close| close + 1);
            call.end = end.unwrap_or_else(|| brackets.line_end());
            return Err(Wrong::arguments(call));
        };
        call.end = end;
        call.args = Some(args);
        return Ok(call);
    }
    let close = brackets.close(units, open).ok_or_else(|| {
        let message = "nothing closes this `@[` on its line";
        Wrong::new(DiagnosticCode::UnclosedReference, message)
    })?;
    let text = exact(part(units, inside, close)).ok_or_else(|| {
        let message = "the path has an unpaired surrogate in it";
        Wrong::new(DiagnosticCode::BadPath, message)
    })?;
    let path = read_path(text.trim())?;
    let mut file = Reference::new(ReferenceKind::File, start, close + 1);
    file.path = Some(path.path.to_owned());
    file.start_line = path.start_line;
    file.end_line = path.end_line;
    Ok(file)
}

/// The arguments of a call from their brace, and where the call ends.
fn read_arguments(units: &[u16], brace: usize) -> Option<(Json, usize)> {
    let (args, mut close) = Json::read(units, brace)?;
    while is_blank(unit_at(units, close)) || unit_at(units, close) == NEWLINE {
        close += 1;
    }
    (unit_at(units, close) == CLOSE_BRACKET).then_some((args, close + 1))
}

fn is_tool_name(unit: u16) -> bool {
    matches!(unit, 0x5f | 0x2d | 0x2e) || (unit < 0x80 && (unit as u8).is_ascii_alphanumeric())
}

/// A path, and the lines that are written after it: both, or none. A single line is first and last.
pub(crate) struct PathWithLines<'a> {
    pub(crate) path: &'a str,
    pub(crate) start_line: Option<u32>,
    pub(crate) end_line: Option<u32>,
}

/// Reads a path with its lines, from the end.
pub(crate) fn read_path(text: &str) -> Result<PathWithLines<'_>, Wrong> {
    let (path, start_line, end_line) = match lines_at_end(text) {
        None => (text, None, None),
        Some((path, first, last)) => (path, Some(first), Some(last)),
    };
    let is_backwards = end_line.is_some_and(|end| Some(end) < start_line);
    if start_line == Some(0) || is_backwards {
        let message = "lines count from 1, and the last is not before the first";
        return Err(Wrong::new(DiagnosticCode::BadRange, message));
    }
    if path.is_empty() {
        let message = "there is no path in this reference";
        return Err(Wrong::new(DiagnosticCode::EmptyReference, message));
    }
    Ok(PathWithLines {
        path,
        start_line,
        end_line,
    })
}

/// Takes `:10` and `:10:20` off the end, and what editors and code hosts copy for the same: `:10-20`,
/// `:L10-L20`, `#L10`, `#L10-L20`, `#L10C5-L20C1`, and `#10-20`. A name may end with `#10`.
fn lines_at_end(text: &str) -> Option<(&str, u32, u32)> {
    let last = number_at_end(text)?;
    let (first, is_range) = match last.before.strip_suffix(DASHES) {
        Some(before) => (number_at_end(before)?, true),
        None => (last, false),
    };
    if let Some(path) = first.before.strip_suffix('#') {
        let is_lines = first.has_letter || is_range;
        return (is_lines && !path.is_empty()).then_some((path, first.line, last.line));
    }
    let path = first.before.strip_suffix(':').filter(|it| !it.is_empty())?;
    if is_range || last.has_letter {
        return Some((path, first.line, last.line));
    }
    let earlier = number_at_end(path).and_then(|earlier| {
        let path = earlier
            .before
            .strip_suffix(':')
            .filter(|it| !it.is_empty())?;
        Some((path, earlier.line, last.line))
    });
    Some(earlier.unwrap_or((path, last.line, last.line)))
}

const DASHES: [char; 2] = ['-', '\u{2013}'];

/// A line's number at the end of a text.
#[derive(Clone, Copy)]
struct LineNumber<'a> {
    before: &'a str,
    /// One that is too large is 0, which is no line.
    line: u32,
    /// Whether an `L` is in front.
    has_letter: bool,
}

/// Takes `10`, `L10` or `L10C5` off the end.
fn number_at_end(text: &str) -> Option<LineNumber<'_>> {
    let number = |text| {
        let before: &str = str::trim_end_matches(text, |one: char| one.is_ascii_digit());
        let digits = &text[before.len()..];
        (!digits.is_empty()).then(|| (before, digits.parse().unwrap_or(0)))
    };
    let is_l = ['L', 'l'];
    let (before, line) = number(text)?;
    if let Some(before) = before.strip_suffix('C')
        && let Some((before, line)) = number(before)
        && let Some(before) = before.strip_suffix(is_l)
    {
        let has_letter = true;
        return Some(LineNumber {
            before,
            line,
            has_letter,
        });
    }
    let without_letter = before.strip_suffix(is_l);
    Some(LineNumber {
        before: without_letter.unwrap_or(before),
        line,
        has_letter: without_letter.is_some(),
    })
}

/// Reads an image from its `!`. What is no image is text, and nothing is wrong with it.
fn read_image(units: &[u16], brackets: &mut Brackets, start: usize) -> Option<Reference> {
    let close = brackets.close(units, start + 1)?;
    let paren = close + 1;
    if unit_at(units, paren) != OPEN_PAREN {
        return None;
    }
    let end = brackets.close(units, paren)?;
    let text = exact(part(units, paren + 1, end))?;
    let uri = address_in_parentheses(text.trim());
    if uri.is_empty() {
        return None;
    }
    let mut image = Reference::new(ReferenceKind::Image, start, end + 1);
    image.alt_end = close;
    image.path = Some(uri.to_owned());
    Some(image)
}

/// The address of an image, which may be in `<>` or before a title in quotes.
fn address_in_parentheses(text: &str) -> &str {
    if let Some((address, _)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        return address;
    }
    match text.split_once(" \"") {
        Some((address, title)) if title.ends_with('"') => address.trim_end(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each reference as a short line.
    fn found(text: &str) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let is_escaped = |at| super::super::directives::is_escaped(&units, at);
        let mut problems = Problems::default();
        let references = find(&units, &MarkdownCode::default(), &is_escaped, &mut problems);
        let show = |found: Reference| {
            let name = found.path.or(found.name).unwrap_or_default();
            match (found.kind, found.start_line) {
                (ReferenceKind::Tool, _) => match found.args {
                    Some(args) => format!("{name} {}", args.canonical()),
                    None => format!("{name} up to {}", found.end),
                },
                (ReferenceKind::Image, _) => {
                    let alt = &units[found.start + 2..found.alt_end];
                    format!("image {} {name}", String::from_utf16_lossy(alt))
                }
                (_, Some(start)) => {
                    let end = found
                        .end_line
                        .expect("there is a last line with every first");
                    format!("{name} from {start} to {end}")
                }
                _ => name,
            }
        };
        let problem = |problem: Problem| format!("{:?} at {}", problem.code, problem.offset);
        let references = references.list.into_iter().map(show);
        references
            .chain(problems.in_order().into_iter().map(problem))
            .collect()
    }

    #[test]
    fn references_that_are_read() {
        let table: [(&str, &[&str]); 20] = [
            ("see @[src/main.ts].", &["src/main.ts"]),
            (
                "@[a.ts:10] @[a.ts:10:20]",
                &["a.ts from 10 to 10", "a.ts from 10 to 20"],
            ),
            (r"@[C:\src\a.ts:10:20]", &[r"C:\src\a.ts from 10 to 20"]),
            ("@[a[1].ts] @[ b c.md ]", &["a[1].ts", "b c.md"]),
            ("@[src/]", &["src/"]),
            (r#"@[ls{"uri": "."}]"#, &[r#"ls {"uri":"."}"#]),
            ("@[grep{\n  \"p\": \"]}\"\n}]", &[r#"grep {"p":"]}"}"#]),
            (
                "![a [b]](img/x.png) ![](<a b.png>)",
                &["image a [b] img/x.png", "image  a b.png"],
            ),
            ("![x](y(1).png \"title\")", &["image x y(1).png"]),
            (r"\@[a.ts] \![x](y)", &[]),
            ("@[] @[ ]", &["EmptyReference at 0", "EmptyReference at 4"]),
            ("@[a.ts", &["UnclosedReference at 0"]),
            ("@[a @[b]", &["b", "UnclosedReference at 0"]),
            (
                "@[a.ts:0] @[a.ts:5:2]",
                &["BadRange at 0", "BadRange at 10"],
            ),
            ("@[a.ts:99999999999]", &["BadRange at 0"]),
            (
                "@[ls{uri}] @[ls{} x]",
                &[
                    "ls up to 10", "ls up to 20", "BadArguments at 0", "BadArguments at 11",
                ],
            ),
            (
                "@[ls{\"a\": 1}\n@[ls{]} x",
                &[
                    "ls up to 12", "ls up to 19", "BadArguments at 0", "BadArguments at 13",
                ],
            ),
            (
                "@[a#b] @[a#10] @[a:L] @[L10] @[#L1] @[:2-3] @[a-2]",
                &["a#b", "a#10", "a:L", "L10", "#L1", ":2-3", "a-2"],
            ),
            ("me@[home] a@b ![x] ![x](", &["home"]),
            ("@[foo", &["UnclosedReference at 0"]),
        ];
        for (text, expected) in table {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_as_editors_and_code_hosts_write_them() {
        for text in [
            "a.ts:2:3", "a.ts:2-3", "a.ts:2\u{2013}3", "a.ts:L2-L3", "a.ts:L2-3", "a.ts:l2-l3",
            "a.ts#L2-L3", "a.ts#L2-3", "a.ts#l2-l3", "a.ts#2-3", "a.ts#L2C1-L3C9",
        ] {
            assert_eq!(found(&format!("@[{text}]")), ["a.ts from 2 to 3"], "{text}");
        }
        for text in [
            "a.ts:2", "a.ts:L2", "a.ts#L2", "a.ts#l2", "a.ts#L2C7", "a.ts#L2-L2",
        ] {
            assert_eq!(found(&format!("@[{text}]")), ["a.ts from 2 to 2"], "{text}");
        }
        for text in ["a.ts:3-2", "a.ts#L0", "a.ts#L3-L2", "a.ts:0-1"] {
            assert_eq!(found(&format!("@[{text}]")), ["BadRange at 0"], "{text}");
        }
        assert_eq!(found(r"@[C:\src\a.ts#L2-L3]"), [r"C:\src\a.ts from 2 to 3"]);
    }

    #[test]
    fn of_very_many_references_and_problems_the_first_are_kept_and_the_others_counted() {
        let text = "@[a] @[".repeat(MOST_REFERENCES + 10) + "\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut problems = Problems::default();
        let references = find(&units, &MarkdownCode::default(), &|_| false, &mut problems);
        assert_eq!(references.list.len(), MOST_REFERENCES);
        assert_eq!(references.more, 10);
        assert_eq!(references.first_of_more, MOST_REFERENCES * 7);
        let problems = problems.in_order();
        let others = MOST_REFERENCES + 10 - (problems.len() - 1);
        let last = problems.last().expect("one");
        let message = format!("{others} more problems are not told one by one");
        assert_eq!(
            (last.code, &last.message),
            (DiagnosticCode::Limit, &message)
        );
    }

    #[test]
    fn endless_openers_take_no_longer_than_their_length() {
        for opener in ["@[", "![", "@[a{", "@[a{\"", "@[a{\"k\":[", "![]("] {
            found(&opener.repeat(50_000));
        }
    }
}
