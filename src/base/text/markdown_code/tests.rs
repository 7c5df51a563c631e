use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use serde::Deserialize;

use super::*;

/// A text, and the same with `#` for each unit of code.
#[derive(Deserialize)]
struct Case {
    name: String,
    text: String,
    code: String,
}

fn cases() -> Vec<Case> {
    let cases = include_str!("../../../../tests/data/markdown-code/cases.json");
    serde_json::from_str(cases).expect("the fixture can be read")
}

/// The text with `#` for each unit of code but line feeds.
fn marked(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let code = MarkdownCode::of(&units);
    let unit = |index: usize| match units[index] {
        unit if unit != u16::from(b'\n') && code.contains(index) => u16::from(b'#'),
        unit => unit,
    };
    String::from_utf16_lossy(&(0..units.len()).map(unit).collect::<Vec<u16>>())
}

#[test]
fn every_case_of_the_fixture() {
    for case in cases() {
        assert_eq!(marked(&case.text), case.code, "{}", case.name);
    }
}

#[test]
fn an_unclosed_fence_is_code_to_the_end() {
    let unclosed = |text: &str| {
        let units: Vec<u16> = text.encode_utf16().collect();
        MarkdownCode::of(&units).unclosed_fence()
    };
    assert_eq!(unclosed("a\n```\nb"), Some(2));
    assert_eq!(unclosed("a\n```\nb\n```"), None);
    assert_eq!(unclosed("> ```\n> b\n\nc"), None);
}

#[test]
fn many_rows_of_backticks_take_no_longer_than_their_length() {
    let text: String = (1..2_000).map(|n| "`".repeat(n % 700) + " ").collect();
    let units: Vec<u16> = text.encode_utf16().collect();
    assert!(!MarkdownCode::of(&units).ranges().is_empty());
}

#[test]
fn endless_nesting_is_text() {
    for marker in ["> ", "- ", "1. "] {
        let text = marker.repeat(10_000) + "```\nx\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        assert!(MarkdownCode::of(&units).ranges().is_empty(), "{marker}");
    }
}

/// The kind of each line, whenever its beginning says so, unit by unit.
fn kinds_unit_by_unit(text: &[u16]) -> Vec<Line> {
    let mut blocks = MarkdownBlocks::default();
    let mut kinds = Vec::new();
    for line in text.split(|&unit| unit == u16::from(b'\n')) {
        let soonest = (0..=line.len()).find_map(|length| blocks.read(&line[..length], false));
        let mut start = match soonest {
            Some(start) => start,
            None => blocks.read(line, true).expect("a whole line is enough"),
        };
        if let Line::OpeningFence { rest, .. } = start.line
            && !start.may_be_followed_by(&line[rest..])
        {
            start = blocks.read_as_text_after(start);
        }
        kinds.push(start.line);
        blocks.go_on(start);
    }
    kinds
}

/// The verdict of pulldown-cmark on each unit: fenced, inline, or in indented code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Fenced,
    Inline,
    Indented,
}

fn commonmark(text: &str) -> Vec<Kind> {
    let mut kinds = vec![Kind::Text; text.len()];
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        let kind = match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Kind::Fenced,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => Kind::Indented,
            Event::Code(_) => Kind::Inline,
            _ => continue,
        };
        kinds[range].fill(kind);
    }
    kinds
}

/// Lines of the marks that blocks begin with, indentation and a few letters.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just(" "), 2 => Just("  "), 2 => Just("    "),
        4 => Just("> "), 1 => Just(">"), 4 => Just("- "), 1 => Just("-"), 1 => Just("* "),
        2 => Just("1. "), 1 => Just("2) "), 1 => Just("10. "), 1 => Just("# "), 1 => Just("---"),
        6 => Just("```"), 2 => Just("~~~"), 2 => Just("````"), 3 => Just("`"), 1 => Just("``"),
        1 => Just("\\"), 6 => Just("a"), 1 => Just("="),
    ];
    // Elsewhere the model reads tabs by rules of its own: after the marks that end a fence, before `>`.
    let indentation = prop_oneof![9 => Just(""), 1 => Just("-\t")];
    let line = (indentation, proptest::collection::vec(piece, 0..5))
        .prop_map(|(indentation, pieces)| indentation.to_owned() + &pieces.concat());
    proptest::collection::vec(line, 1..9).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn as_commonmark_has_it(text in markdown()) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let code = MarkdownCode::of(&units);
        let kinds = commonmark(&text);
        let mut start = 0;
        for line in text.split('\n') {
            let range = start..start + line.len();
            start = range.end + 1;
            // Nobody sees which of the blank lines at a block's end belong to it.
            if line.trim().is_empty() || kinds[range.clone()].contains(&Kind::Indented) {
                continue;
            }
            let is_fenced = kinds[range.clone()].contains(&Kind::Fenced);
            for index in range {
                let is_code = is_fenced || kinds[index] == Kind::Inline;
                prop_assert_eq!(code.contains(index), is_code, "{} in {:?}", index, text);
            }
        }
    }

    #[test]
    fn a_line_is_the_same_as_soon_as_its_beginning_says_so(text in markdown()) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut blocks = MarkdownBlocks::default();
        let lines = units.split(|&unit| unit == u16::from(b'\n'));
        let kinds: Vec<Line> = lines.map(|line| blocks.push_line(line).0).collect();
        prop_assert_eq!(kinds_unit_by_unit(&units), kinds);
    }
}
