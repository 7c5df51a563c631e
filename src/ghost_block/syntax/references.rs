//! `@[…]` and `![…](…)`.

use std::ops::Range;

use turnkeeper_kernels::{find_mark, find_newline};

use super::super::Diagnostic;
use super::super::inspect::{Reference, ReferenceKind};
use super::super::json::Json;
use super::super::text::{exact, find_bytes, lossy};
use super::code::Cursor;
use super::{AT, CLOSE_BRACKET, NEWLINE, OPEN_BRACE, OPEN_BRACKET, is_blank, part, unit_at};

const OPEN_PAREN: u16 = b'(' as u16;
const CLOSE_PAREN: u16 = b')' as u16;

/// The references of a text outside `skipped`, and what is wrong with others. `is_literal` says of
/// an `@` or `!` that it only looks like the start of one.
pub(crate) fn find(
    units: &[u16],
    skipped: &[Range<usize>],
    is_literal: &dyn Fn(usize) -> bool,
    found: &mut Vec<Reference>,
    remarks: &mut Vec<Diagnostic>,
) {
    let mut skipped = Cursor::new(skipped);
    let mut brackets = Brackets::default();
    let mut at = 0;
    loop {
        let start = find_mark(units, at);
        let Some(&mark) = units.get(start) else {
            return;
        };
        at = start + 1;
        if let Some(end) = skipped.end_of(start) {
            at = end;
            continue;
        }
        if unit_at(units, at) != OPEN_BRACKET || is_literal(start) {
            continue;
        }
        let mut reference = Reference::new(ReferenceKind::File, start, at);
        let wrong = if mark == AT {
            read_reference(units, &mut brackets, &mut reference)
        } else if read_image(units, &mut brackets, &mut reference).is_some() {
            None
        } else {
            continue;
        };
        match wrong {
            None => {
                at = reference.end;
                found.push(reference);
            }
            Some((code, message)) => remarks.push(Diagnostic::error(start, code, message)),
        }
    }
}

/// A diagnostic's code and message.
type Wrong = (&'static str, &'static str);

const BAD_ARGUMENTS: Wrong = (
    "bad_arguments",
    "the braces of a tool call hold one JSON object",
);

/// Reads from the bracket behind `@`, and says what is wrong with it.
fn read_reference(
    units: &[u16],
    brackets: &mut Brackets,
    reference: &mut Reference,
) -> Option<Wrong> {
    let open = reference.end;
    let inside = open + 1;
    let mut brace = inside;
    while is_tool_name(unit_at(units, brace)) {
        brace += 1;
    }
    if brace > inside && unit_at(units, brace) == OPEN_BRACE {
        let Some((args, mut close)) = Json::read(units, brace) else {
            return Some(BAD_ARGUMENTS);
        };
        while is_blank(unit_at(units, close)) || unit_at(units, close) == NEWLINE {
            close += 1;
        }
        if unit_at(units, close) != CLOSE_BRACKET {
            return Some(BAD_ARGUMENTS);
        }
        reference.kind = ReferenceKind::Tool;
        reference.end = close + 1;
        reference.name = Some(lossy(part(units, inside, brace)));
        reference.args = Some(args);
        return None;
    }
    let Some(close) = brackets.close(units, open) else {
        return Some(("unclosed_reference", "nothing closes this `@[` on its line"));
    };
    reference.end = close + 1;
    let Some(text) = exact(part(units, inside, close)) else {
        return Some(("bad_path", "the path has half a character in it"));
    };
    read_path(text.trim(), reference)
}

fn is_tool_name(unit: u16) -> bool {
    matches!(unit, 0x5f | 0x2d | 0x2e) || (unit < 0x80 && (unit as u8).is_ascii_alphanumeric())
}

/// Reads a path with its lines, and says what is wrong with it.
pub(crate) fn read_path(text: &str, reference: &mut Reference) -> Option<Wrong> {
    let mut path = text;
    if let Some((before, last)) = number_at_end(text) {
        path = before;
        reference.start_line = Some(last);
        if let Some((before, first)) = number_at_end(before) {
            path = before;
            reference.start_line = Some(first);
            reference.end_line = Some(last);
        }
        let start = reference.start_line.unwrap_or(0);
        if start == 0
            || reference
                .end_line
                .is_some_and(|end| end < start || end == 0)
        {
            let message = "lines count from 1, and the last is not before the first";
            return Some(("bad_range", message));
        }
    }
    if path.is_empty() {
        return Some(("empty_reference", "there is no path in this reference"));
    }
    reference.path = Some(path.to_owned());
    None
}

/// Takes `:10` off the end. A number that is too large is 0, which is no line.
fn number_at_end(text: &str) -> Option<(&str, u32)> {
    let bytes = text.as_bytes();
    let mut colon = bytes.len();
    while colon > 0 && bytes[colon - 1].is_ascii_digit() {
        colon -= 1;
    }
    if colon < 2 || colon == bytes.len() || bytes[colon - 1] != b':' {
        return None;
    }
    let mut number: u64 = 0;
    for digit in &bytes[colon..] {
        number = number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
    }
    let number = u32::try_from(number).unwrap_or(0);
    Some((text.get(..colon - 1)?, number))
}

/// Reads from the bracket behind `!`. What is no image is text, and nothing is wrong with it.
fn read_image(units: &[u16], brackets: &mut Brackets, reference: &mut Reference) -> Option<()> {
    let close = brackets.close(units, reference.end)?;
    let paren = close + 1;
    if unit_at(units, paren) != OPEN_PAREN {
        return None;
    }
    let end = brackets.close(units, paren)?;
    let text = exact(part(units, paren + 1, end))?;
    let mut uri = text.trim();
    let pointed = uri.strip_prefix('<');
    let pointed = pointed.and_then(|rest| rest.get(..find_bytes(rest, ">")?));
    if let Some(inner) = pointed {
        uri = inner;
    } else if let Some(title) = find_bytes(uri, " \"")
        && uri.len() > title + 2
        && uri.ends_with('"')
    {
        // A title may follow.
        uri = uri.get(..title)?.trim_end();
    }
    if uri.is_empty() {
        return None;
    }
    reference.kind = ReferenceKind::Image;
    reference.end = end + 1;
    reference.alt_end = close;
    reference.path = Some(uri.to_owned());
    Some(())
}

/// Pairs the brackets, and the parentheses, of one line after another, each line once.
#[derive(Default)]
struct Brackets {
    line: Range<usize>,
    /// Where each opens and closes, in order; the end of the line for what nothing closes.
    pairs: Vec<(usize, usize)>,
}

impl Brackets {
    /// What closes the bracket or parenthesis at `open`, on its line. Asked with offsets that never
    /// decrease by a line.
    fn close(&mut self, units: &[u16], open: usize) -> Option<usize> {
        if !self.line.contains(&open) {
            self.read_line(units, open);
        }
        let place = self.pairs.partition_point(|pair| pair.0 < open);
        let &(start, close) = self.pairs.get(place)?;
        (start == open && close < self.line.end).then_some(close)
    }

    fn read_line(&mut self, units: &[u16], start: usize) {
        let end = find_newline(units, start);
        self.line = start..end;
        self.pairs.clear();
        // The places of the pairs that are open.
        let (mut brackets, mut parens) = (Vec::<usize>::new(), Vec::new());
        for (at, &unit) in units[..end].iter().enumerate().skip(start) {
            let open = match unit {
                OPEN_BRACKET | CLOSE_BRACKET => &mut brackets,
                OPEN_PAREN | CLOSE_PAREN => &mut parens,
                _ => continue,
            };
            if matches!(unit, OPEN_BRACKET | OPEN_PAREN) {
                open.push(self.pairs.len());
                self.pairs.push((at, end));
            } else if let Some(place) = open.pop() {
                self.pairs[place].1 = at;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each reference as a short line.
    fn found(text: &str) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut found = Vec::new();
        let mut remarks = Vec::new();
        let is_escaped = |at| super::super::directives::is_escaped(&units, at);
        find(&units, &[], &is_escaped, &mut found, &mut remarks);
        let show = |found: Reference| {
            let name = found.path.or(found.name).unwrap_or_default();
            match (found.kind, found.start_line) {
                (ReferenceKind::Tool, _) => {
                    let args = found.args.expect("arguments");
                    format!("{name} {}", args.canonical())
                }
                (ReferenceKind::Image, _) => {
                    let alt = &units[found.start + 2..found.alt_end];
                    format!("image {} {name}", String::from_utf16_lossy(alt))
                }
                (_, Some(start)) => {
                    let end = found.end_line.unwrap_or(start);
                    format!("{name} from {start} to {end}")
                }
                _ => name,
            }
        };
        let remark = |remark: Diagnostic| format!("{} at {}", remark.code, remark.column);
        let found = found.into_iter().map(show);
        found.chain(remarks.into_iter().map(remark)).collect()
    }

    #[test]
    fn references_that_are_read() {
        let table: [(&str, &[&str]); 18] = [
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
            (
                "@[] @[ ]",
                &["empty_reference at 0", "empty_reference at 4"],
            ),
            ("@[a.ts", &["unclosed_reference at 0"]),
            ("@[a @[b]", &["b", "unclosed_reference at 0"]),
            (
                "@[a.ts:0] @[a.ts:5:2]",
                &["bad_range at 0", "bad_range at 10"],
            ),
            ("@[a.ts:99999999999]", &["bad_range at 0"]),
            (
                "@[ls{uri}] @[ls{} x]",
                &["bad_arguments at 0", "bad_arguments at 11"],
            ),
            ("me@[home] a@b ![x] ![x](", &["home"]),
            ("@[foo", &["unclosed_reference at 0"]),
        ];
        for (text, expected) in table {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn endless_openers_take_no_longer_than_their_length() {
        for opener in ["@[", "![", "@[a{", "@[a{\"", "@[a{\"k\":[", "![]("] {
            found(&opener.repeat(50_000));
        }
    }
}
