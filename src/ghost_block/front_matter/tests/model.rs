//! The reader beside a whole YAML parser: what it accepts, both read alike.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use regex::Regex;
use saphyr_parser::{Event, Parser, ScalarStyle};

use super::super::{FrontMatter, read};

/// Reads front matter through the events of `saphyr-parser`.
fn model(yaml: &str) -> Result<FrontMatter, String> {
    let mut found = FrontMatter::default();
    let mut key: Option<String> = None;
    // Where an event stands: 1 within the mapping at the top, 2 within a value of it.
    let mut depth = 0u32;
    let mut in_params = false;
    for event in Parser::new_from_str(yaml) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                let is_list = matches!(event, Event::SequenceStart(..));
                if depth == 0 && is_list {
                    return Err("a list at the top".to_owned());
                }
                if depth == 1 {
                    let name = key.take().ok_or("a key that is no scalar")?;
                    in_params = name == "Params";
                    if name == "Description" || in_params && !is_list {
                        return Err(format!("{name} is of the wrong kind"));
                    }
                } else if depth == 2 && in_params {
                    return Err("a parameter that is no scalar".to_owned());
                }
                depth += 1;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                depth -= 1;
                in_params &= depth > 1;
            }
            Event::Scalar(text, style, ..) => match (depth, key.take()) {
                (0, _) if text.is_empty() => {}
                (0, _) => return Err("a scalar at the top".to_owned()),
                (1, None) => key = Some(text.into_owned()),
                (1, Some(name)) if name == "Description" && is_string(&text, style) => {
                    found.description = Some(text.into_owned());
                }
                (1, Some(name)) if name == "Description" || name == "Params" => {
                    return Err(format!("{name} is of the wrong kind"));
                }
                (2, _) if in_params && !is_string(&text, style) => {
                    return Err("a parameter that is no string".to_owned());
                }
                (2, _) if in_params && found.params.iter().all(|param| *param != text) => {
                    found.params.push(text.into_owned());
                }
                _ => {}
            },
            Event::Alias(_) if depth == 1 => {
                if matches!(key.take().as_deref(), Some("Description" | "Params")) {
                    return Err("an alias".to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

thread_local! {
    /// What is no string, as the table of the core schema (10.3.2) writes it.
    static NO_STRING: Regex = Regex::new(concat!(
        "^(|~|null|Null|NULL|true|True|TRUE|false|False|FALSE",
        "|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
        r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?",
        r"|[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN)$",
    ))
    .expect("a regular expression");
}

fn is_string(text: &str, style: ScalarStyle) -> bool {
    style != ScalarStyle::Plain || NO_STRING.with(|pattern| !pattern.is_match(text))
}

/// Words with what a plain scalar may hold.
fn words() -> impl Strategy<Value = String> {
    let word = select(&[
        "a", "of", "x:y", "b#c", "-d", "it's", "\"e\"", "思", "1", "e&f", "*", "?", "g\\n",
        "http://h", "|", "--- ",
    ]);
    let blank = select(&[" ", "  ", "\t", " \t "]);
    (
        select(&["w", "é", "-v", "?u", "t", "10", "1.5x", "~/", "nullable"]),
        prop::collection::vec((blank, word), 0..4),
    )
        .prop_map(|(first, rest)| {
            let rest = rest
                .into_iter()
                .map(|(blank, word)| blank.to_owned() + word);
            let words = first.to_owned() + &rest.collect::<String>();
            words.trim_end().to_owned()
        })
}

/// Keys, every other one a key that is read.
fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        select(&["Description", "Params", "\"Params\"", "'Description'"]).prop_map(str::to_owned),
        select(&[
            "k",
            "a key",
            "\"q: \\x41\"",
            "'it''s'",
            "<<",
            "a/b",
            "思",
            "10"
        ])
        .prop_map(str::to_owned),
    ]
}

/// What joins words in a scalar of several lines at an indentation.
fn joint(indent: usize) -> impl Strategy<Value = String> {
    let margin = " ".repeat(indent);
    (
        prop_oneof![4 => Just(0usize), 1 => 1..3usize],
        select(&["", " ", "\t"]),
        0..3usize,
        any::<bool>(),
    )
        .prop_map(move |(empty, tail, more, joins)| {
            if joins {
                return " ".to_owned();
            }
            format!("{tail}\n{}{margin}{}", "\n".repeat(empty), " ".repeat(more))
        })
}

/// A plain scalar, or what is within quotes.
fn lines(indent: usize) -> impl Strategy<Value = String> {
    (
        words(),
        prop::collection::vec((joint(indent), words()), 0..3),
    )
        .prop_map(|(first, rest)| {
            let rest = rest.into_iter().map(|(joint, words)| joint + &words);
            first + &rest.collect::<String>()
        })
}

fn quoted(indent: usize) -> impl Strategy<Value = String> {
    let escape = select(&[
        "\\n",
        "\\\"",
        "\\\\",
        "\\x41",
        "\\u601d",
        "\\U0001f600",
        "\\t",
        "\\ ",
        "\\/",
        "\\_",
        "\\e",
        "\\0",
        "",
        " ",
        "# ",
        ": ",
        "[",
    ]);
    let broken = prop_oneof![
        Just(String::new()),
        joint(indent).prop_map(|joint| {
            if joint.contains('\n') {
                format!(" \\{}", joint.trim_start_matches([' ', '\t']))
            } else {
                joint
            }
        })
    ];
    prop_oneof![
        (lines(indent), escape, broken, lines(indent)).prop_map(|(a, escape, broken, b)| {
            let plain = |text: String| text.replace('\\', "/").replace('"', "\\\"");
            format!("\"{}{escape}{broken}{}\"", plain(a), plain(b))
        }),
        lines(indent).prop_map(|text| format!("'{}'", text.replace('\'', "''"))),
        select(&["\"\"", "''", "\" \"", "'10'"]).prop_map(str::to_owned),
    ]
}

/// A literal or folded scalar whose block stands at an indentation.
fn block_scalar(indent: usize) -> impl Strategy<Value = String> {
    let line = (
        select(&["", "", " ", "  ", "\t"]),
        words(),
        select(&["", " "]),
    );
    let empty = prop::collection::vec(select(&["", " "]), 0..3);
    (
        select(&["|", ">"]),
        select(&["", "+", "-"]),
        any::<bool>(),
        select(&["", " ", " # why"]),
        prop::collection::vec((line, empty), 1..4),
        1..4usize,
    )
        .prop_map(move |(style, chomping, says_indent, tail, lines, more)| {
            let margin = " ".repeat(indent + more);
            let says = if says_indent {
                more.to_string()
            } else {
                String::new()
            };
            let mut out = format!("{style}{says}{chomping}{tail}");
            for (at, ((lead, words, end), empty)) in lines.into_iter().enumerate() {
                let lead = if at == 0 && !says_indent { "" } else { lead };
                out += &format!("\n{margin}{lead}{words}{end}");
                for blank in empty {
                    out += &format!("\n{blank}");
                }
            }
            out
        })
}

fn flow_scalar(indent: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        lines(indent).prop_map(|text| text.replace(" -d", " d").replace(": ", " ")),
        quoted(indent),
    ]
}

/// A list in brackets, or what may be in it.
fn flow(indent: usize) -> impl Strategy<Value = String> {
    let gap = move || {
        let margin = " ".repeat(indent);
        prop_oneof![
            4 => select(&["", " "]).prop_map(str::to_owned),
            1 => Just(format!("\n{margin}")),
            1 => Just(format!(" # a, comment]\n\n{margin} ")),
        ]
    };
    flow_scalar(indent).prop_recursive(3, 12, 4, move |inner| {
        let items = prop::collection::vec((gap(), inner.clone(), gap()), 0..4);
        let pair = (gap(), key(), select(&[": ", " : "]), inner.clone(), gap());
        let pairs = prop::collection::vec(pair, 0..3);
        prop_oneof![
            (items, any::<bool>(), gap()).prop_map(|(items, trails, last)| {
                let some = !items.is_empty();
                let items = items.into_iter().map(|(a, item, b)| a + &item + &b);
                let comma = if trails && some { "," } else { "" };
                format!("[{}{comma}{last}]", items.collect::<Vec<_>>().join(","))
            }),
            pairs.prop_map(|pairs| {
                let pairs = pairs
                    .into_iter()
                    .map(|(a, key, colon, value, b)| a + &key + colon + &value + &b);
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
            }),
        ]
    })
}

/// A scalar or flow value behind a colon or dash, whose block stands at an indentation.
fn inline(indent: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        (lines(indent + 1), select(&["", " ", " # why"])).prop_map(|(text, tail)| text + tail),
        (quoted(indent + 1), select(&["", "  # why"])).prop_map(|(text, tail)| text + tail),
        block_scalar(indent),
        (flow(indent + 1), select(&["", " # why"])).prop_map(|(text, tail)| text + tail),
        select(&[
            "10", "1.5e3", "-.inf", "0x1F", "0o7", "null", "~", "true", "inf", "1e", ".", "+"
        ])
        .prop_map(str::to_owned),
    ]
}

fn list(indent: usize) -> impl Strategy<Value = String> {
    let margin = " ".repeat(indent);
    let item = (select(&["- ", "-   "]), inline(indent));
    prop::collection::vec(item, 1..4).prop_map(move |items| {
        let items = items
            .into_iter()
            .map(|(dash, item)| format!("\n{margin}{dash}{item}"));
        items.collect()
    })
}

/// What stands behind a key's colon, from the blank on.
fn value() -> impl Strategy<Value = String> {
    let nested = (key(), inline(2), key(), list(2), list(4)).prop_map(|(a, scalar, b, list, deep)| {
        format!("\n  {a}: {scalar}\n  {b}:{list}\n  - {a}: x\n    {b}:{deep}\n  - - y\n    -\n      z")
    });
    prop_oneof![
        4 => inline(0).prop_map(|text| format!(" {text}")),
        2 => list(0),
        2 => list(2),
        1 => nested,
        1 => flow(1).prop_map(|text| format!("\n {text}")),
        1 => Just(String::new()),
    ]
}

/// What the reader is there for: it may be of the wrong kind, but not unsupported.
fn document() -> impl Strategy<Value = String> {
    let between = select(&[
        "",
        "",
        "",
        "\n",
        "# a comment: [\n",
        "  # another\n",
        "\t\n",
    ]);
    let entry = (between, key(), value(), select(&["\n", "\n", "\n\n"]));
    (prop::collection::vec(entry, 0..4), any::<bool>()).prop_map(|(entries, is_crlf)| {
        let entries = entries
            .into_iter()
            .map(|(between, key, value, end)| format!("{between}{key}:{value}{end}"));
        let text: String = entries.collect();
        if is_crlf {
            text.replace('\n', "\r\n")
        } else {
            text
        }
    })
}

/// What YAML gives a meaning to, and a few others.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n ",
    "\n  ",
    "\n- ",
    " ",
    "  ",
    " #",
    "\t",
    "\r",
    "-",
    "- ",
    ":",
    ": ",
    ",",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "\\",
    "#",
    "|",
    ">",
    "|+\n",
    "+",
    "&",
    "*",
    "!",
    "?",
    "? ",
    "%",
    "@",
    "`",
    "~",
    ".",
    "\n---\n",
    "\n...\n",
    "0",
    "2",
    "a",
    "x",
    "u",
    "é",
    "\u{feff}",
    "\u{85}",
    "\0",
    "\nDescription: ",
    "\nParams:",
];

/// Takes characters away, puts pieces in or swaps.
fn mutate(text: &str, changes: &[(u8, Index, Index, &str)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(kind, at, other, piece) in changes {
        if chars.is_empty() {
            break;
        }
        let (at, other) = (at.index(chars.len()), other.index(chars.len()));
        match kind {
            0 => drop(chars.remove(at)),
            1 => chars.swap(at, other),
            2 => drop(chars.splice(at..=at, piece.chars())),
            _ => drop(chars.splice(at..at, piece.chars())),
        }
    }
    chars.push('\n');
    chars.into_iter().collect()
}

fn changes() -> impl Strategy<Value = Vec<(u8, Index, Index, &'static str)>> {
    let change = (0..4u8, any::<Index>(), any::<Index>(), select(PIECES));
    prop::collection::vec(change, 1..5)
}

/// Whatever the reader accepts, it reads as the model does.
fn compare(yaml: &str) -> Result<(), TestCaseError> {
    if let Ok(found) = read(yaml) {
        prop_assert_eq!(Ok(found), model(yaml), "{:?}", yaml);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// Nothing of the grammar is refused but what is of the wrong kind.
    #[test]
    fn what_front_matter_uses_is_read(yaml in document()) {
        match (read(&yaml), model(&yaml)) {
            (Err(refusal), Err(_)) => prop_assert!(refusal.contains(" must be a "), "{}", refusal),
            (ours, theirs) => prop_assert_eq!(ours, theirs),
        }
    }

    #[test]
    fn what_is_accepted_is_read_alike(yaml in document(), changes in changes()) {
        compare(&mutate(&yaml, &changes))?;
    }

    #[test]
    fn any_pieces_are_read_alike(
        key in select(&["Description:", "Params:", "- ", "k:", ""]),
        pieces in prop::collection::vec(select(PIECES), 0..20),
    ) {
        compare(&format!("{key}{}\n", pieces.concat()))?;
    }
}
