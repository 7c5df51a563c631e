//! `@[…]` and `![…](…)`.

use std::ops::Range;

use super::super::json::Json;
use super::code::Cursor;
use super::{AT, BACKSLASH, CLOSE_BRACKET, NEWLINE, OPEN_BRACE, OPEN_BRACKET, Remark, is_blank};
use crate::table::sort;

const BANG: u16 = b'!' as u16;
const OPEN_PAREN: u16 = b'(' as u16;
const CLOSE_PAREN: u16 = b')' as u16;

/// What a reference refers to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    /// A file, or a folder if the path ends with a separator.
    File {
        path: String,
        lines: Option<Lines>,
    },
    Tool {
        name: String,
        args: Json,
    },
    Image {
        alt: Range<usize>,
        uri: String,
    },
}

/// Lines of a file, from 1; without an end, one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Lines {
    pub(crate) start: u32,
    pub(crate) end: Option<u32>,
}

/// A reference and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) range: Range<usize>,
    pub(crate) target: Target,
}

/// The references of a text outside `skipped`, and what is wrong with others. `is_literal` says of
/// an `@` or `!` that it only looks like the start of one.
pub(crate) fn find(
    units: &[u16],
    skipped: &[Range<usize>],
    mut is_literal: impl FnMut(usize) -> bool,
) -> (Vec<Found>, Vec<Remark>) {
    let mut references = Vec::new();
    let mut remarks = Vec::new();
    let mut skipped = Cursor::new(skipped);
    let mut brackets = Brackets::default();
    let mut at = 0;
    while let Some(found) = units[at..]
        .iter()
        .position(|unit| matches!(*unit, AT | BANG))
    {
        let start = at + found;
        at = start + 1;
        if let Some(end) = skipped.end_of(start) {
            at = end;
            continue;
        }
        if units.get(at) != Some(&OPEN_BRACKET) || is_literal(start) {
            continue;
        }
        let read = if units[start] == AT {
            read_reference(units, at, &mut brackets)
        } else {
            match read_image(units, at, &mut brackets) {
                Some(image) => Ok(image),
                None => continue,
            }
        };
        match read {
            Ok((target, end)) => {
                references.push(Found {
                    range: start..end,
                    target,
                });
                at = end;
            }
            Err((code, message)) => remarks.push(Remark::error(start, code, message)),
        }
    }
    (references, remarks)
}

/// Whether a backslash stands before the offset.
pub(crate) fn is_escaped(units: &[u16], at: usize) -> bool {
    at > 0 && units[at - 1] == BACKSLASH
}

type Wrong = (&'static str, &'static str);

/// Reads behind `@`, from the bracket.
fn read_reference(
    units: &[u16],
    open: usize,
    brackets: &mut Brackets,
) -> Result<(Target, usize), Wrong> {
    let inside = open + 1;
    let name = units[inside..]
        .iter()
        .take_while(|unit| is_tool_name(**unit))
        .count();
    let brace = inside + name;
    if name > 0 && units.get(brace) == Some(&OPEN_BRACE) {
        let bad = (
            "bad_arguments",
            "the braces of a tool call hold one JSON object",
        );
        let (args, end) = Json::read(units, brace).map_err(|_| bad)?;
        let close = end
            + units[end..]
                .iter()
                .take_while(|unit| is_blank(**unit) || **unit == NEWLINE)
                .count();
        if units.get(close) != Some(&CLOSE_BRACKET) {
            return Err(bad);
        }
        let name = String::from_utf16_lossy(&units[inside..brace]);
        return Ok((Target::Tool { name, args }, close + 1));
    }
    let Some(close) = brackets.close(units, open) else {
        return Err(("unclosed_reference", "nothing closes this `@[` on its line"));
    };
    let text = String::from_utf16(&units[inside..close])
        .map_err(|_| ("bad_path", "the path has half a character in it"))?;
    let (path, lines) = split_lines(text.trim())?;
    if path.is_empty() {
        return Err(("empty_reference", "there is no path in this reference"));
    }
    Ok((
        Target::File {
            path: path.to_owned(),
            lines,
        },
        close + 1,
    ))
}

fn is_tool_name(unit: u16) -> bool {
    matches!(unit, 0x5f | 0x2d | 0x2e) || (unit < 0x80 && (unit as u8).is_ascii_alphanumeric())
}

/// Takes `:10` or `:10:20` off the end.
fn split_lines(text: &str) -> Result<(&str, Option<Lines>), Wrong> {
    let Some((before, last)) = number_at_end(text) else {
        return Ok((text, None));
    };
    let (path, start, end) = match number_at_end(before) {
        Some((path, first)) => (path, first, Some(last)),
        None => (before, last, None),
    };
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|&number| number > 0);
    let wrong = (
        "bad_range",
        "lines count from 1, and the last is not before the first",
    );
    let start = number(start).ok_or(wrong)?;
    let end = end.map(|digits| number(digits).ok_or(wrong)).transpose()?;
    if end.is_some_and(|end| end < start) {
        return Err(wrong);
    }
    Ok((path, Some(Lines { start, end })))
}

fn number_at_end(text: &str) -> Option<(&str, &str)> {
    let (before, digits) = text.rsplit_once(':')?;
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (are_digits && !before.is_empty()).then_some((before, digits))
}

/// Reads behind `!`, from the bracket. What is no image is text, and nothing is wrong with it.
fn read_image(units: &[u16], open: usize, brackets: &mut Brackets) -> Option<(Target, usize)> {
    let close = brackets.close(units, open)?;
    let paren = close + 1;
    if units.get(paren) != Some(&OPEN_PAREN) {
        return None;
    }
    let end = brackets.close(units, paren)?;
    let from = paren + 1;
    let text = String::from_utf16(&units[from..end]).ok()?;
    let text = text.trim();
    let uri = match text.strip_prefix('<').and_then(|text| text.split_once('>')) {
        Some((uri, _)) => uri,
        // A title may follow.
        None => match text.split_once(" \"") {
            Some((uri, title)) if title.ends_with('"') => uri.trim_end(),
            _ => text,
        },
    };
    let alt = open + 1..close;
    (!uri.is_empty()).then(|| {
        (
            Target::Image {
                alt,
                uri: uri.to_owned(),
            },
            end + 1,
        )
    })
}

/// Pairs the brackets, and the parentheses, of one line after another, each line once.
#[derive(Default)]
struct Brackets {
    line: Range<usize>,
    pairs: Vec<(u64, usize)>,
}

impl Brackets {
    /// What closes the bracket or parenthesis at `open`, on its line. Asked with offsets that never
    /// decrease by a line.
    fn close(&mut self, units: &[u16], open: usize) -> Option<usize> {
        if !self.line.contains(&open) {
            self.read_line(units, open);
        }
        let place = self
            .pairs
            .binary_search_by_key(&(open as u64), |pair| pair.0)
            .ok()?;
        Some(self.pairs[place].1)
    }

    fn read_line(&mut self, units: &[u16], start: usize) {
        let end = units[start..]
            .iter()
            .position(|&unit| unit == NEWLINE)
            .map_or(units.len(), |newline| start + newline);
        self.line = start..end;
        self.pairs.clear();
        let (mut brackets, mut parens) = (Vec::new(), Vec::new());
        for (at, &unit) in units[..end].iter().enumerate().skip(start) {
            let closed = match unit {
                OPEN_BRACKET => {
                    brackets.push(at);
                    None
                }
                OPEN_PAREN => {
                    parens.push(at);
                    None
                }
                CLOSE_BRACKET => brackets.pop(),
                CLOSE_PAREN => parens.pop(),
                _ => None,
            };
            self.pairs
                .extend(closed.map(|open: usize| (open as u64, at)));
        }
        sort(&mut self.pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each reference as a short line.
    fn found(text: &str) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let (references, remarks) = find(&units, &[], |at| is_escaped(&units, at));
        let show = |found: Found| match found.target {
            Target::File { path, lines: None } => path,
            Target::File {
                path,
                lines: Some(Lines { start, end }),
            } => {
                format!("{path} from {start} to {}", end.unwrap_or(start))
            }
            Target::Tool { name, args } => {
                let mut out = super::super::super::text::Builder::new();
                args.canonical(&mut out);
                format!("{name} {}", out.into_text())
            }
            Target::Image { alt, uri } => {
                format!("image {} {uri}", String::from_utf16_lossy(&units[alt]))
            }
        };
        references
            .into_iter()
            .map(show)
            .chain(
                remarks
                    .into_iter()
                    .map(|remark| format!("{} at {}", remark.code, remark.at)),
            )
            .collect()
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
