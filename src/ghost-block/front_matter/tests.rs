use proptest::prelude::*;

use super::*;

#[test]
fn what_skills_say() {
    let yaml = "Description: >\n  Reviews\n  changes\nParams:\n  - path\n  - \"10\"\n  - path\nOther: {Params: [x]}\n";
    let found = read(yaml).expect("YAML");
    assert_eq!(found.description.as_deref(), Some("Reviews changes\n"));
    assert_eq!(found.params, ["path", "10"]);
    assert_eq!(read("").expect("nothing"), FrontMatter::default());
    assert_eq!(read("Params: [a, b]").expect("YAML").params, ["a", "b"]);
}

#[test]
fn scalars_mean_what_they_mean_to_yaml() {
    let table = [
        ("it's a:b#c  # a comment", Some("it's a:b#c")),
        ("one\n  two\n\n\n three", Some("one two\n\nthree")),
        (
            "\n  on the line below\n  - it goes on",
            Some("on the line below - it goes on"),
        ),
        ("'it''s \\n'", Some("it's \\n")),
        ("'one \n  two\n\n  three ' # why", Some("one two\nthree ")),
        (
            r#""\x41\u601d\U0001F600\t\"\\\/\e\_\0""#,
            Some("A思😀\t\"\\/\u{1b}\u{a0}\0"),
        ),
        (
            "\"one\\\n   \\  two \\\n\n  three\"",
            Some("one  two \nthree"),
        ),
        ("\"a\\t\n  b\"", Some("a\t b")),
        (
            "|\n  one\n   two\n\n  three\n\n",
            Some("one\n two\n\nthree\n"),
        ),
        ("|-\n  # no comment\n", Some("# no comment")),
        ("|+ # a comment\n  one\n", Some("one\n\n")),
        ("|2-\n   one\n  two", Some(" one\ntwo")),
        (
            ">\n  one\n  two\n\n  three\n   four\n   five\n  six",
            Some("one two\nthree\n four\n five\nsix\n"),
        ),
        (">-\n\n  one", Some("\none")),
        ("|\nOther: x", Some("")),
        ("\"10\"", Some("10")),
        ("''", Some("")),
        ("inf", Some("inf")),
        ("1e", Some("1e")),
        ("0x", Some("0x")),
        ("0o8", Some("0o8")),
        ("1.2.3", Some("1.2.3")),
        ("yes", Some("yes")),
        ("", None),
        ("~", None),
        ("Null", None),
        ("TRUE", None),
        ("0x1F", None),
        ("0o17", None),
        ("-1", None),
        ("+1.5e-3", None),
        (".5", None),
        ("5.", None),
        ("-.Inf", None),
        (".NaN", None),
    ];
    for (written, expected) in table {
        let found = read(&format!("Description: {written}\n")).ok();
        let description = found.and_then(|found| found.description);
        assert_eq!(description.as_deref(), expected, "{written:?}");
    }
}

#[test]
fn other_keys_are_passed() {
    let skipped = [
        "Other:",
        "Other: [a, {b: c, \"d\":[e], f}, 'g]',\n  h # ]\n  , ]",
        "Other: {\"Params\":[1], Description: {a: b}}",
        "Other:\n  Params: [1]\n  Description:\n  - - 1\n    -\n      a: b\n      c:\n      - d\n",
        "Other:\n- Params: 1\n  Description: [a]\n-   b:\n     c: |\n      d: [\n",
        "\"Other: #\": 'it''s: #'",
        "# Params: [x]\n\n\t\n   # Params: [x]",
        "Other: a\r\nMore: |\r\n  b\r",
    ];
    for text in skipped {
        let found = read(&format!(
            "Name: a\n{text}\n\"Params\":\n- b\n  c\n- \"d\" # e\nDescription : f\n"
        ))
        .unwrap_or_else(|refusal| panic!("{text:?}: {refusal}"));
        assert_eq!(found.params, ["b c", "d"], "{text:?}");
        assert_eq!(found.description.as_deref(), Some("f"));
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let table = [
        (
            "Description: a\nParams: [a]\nDescription: b",
            "`Description`",
            3,
        ),
        ("Params: [a]\n\"Params\": [b]", "`Params`", 2),
        ("a: b\n'a': c", "`a`", 2),
        ("Other:\n  a: b\n  c: d\n  a: e", "`a`", 4),
        ("Other: [{a: 1, b: {a: 2, a: 3}}]", "`a`", 1),
        ("? a\n: b\n? a\n: c", "`a`", 3),
    ];
    for (yaml, key, line) in table {
        let expected = format!("the key {key} stands twice, line {line} of the front matter");
        assert_eq!(read(yaml), Err(expected), "{yaml:?}");
    }
    for yaml in [
        "a: {a: {a: b}}\nb: [a, a]\nc: [{a: 1}, {a: 2}]",
        "1: a\n\"1\": b",
        "? [a]\n: b\n? [a]\n: c",
        "&x a: b\nc: *x",
    ] {
        assert_eq!(read(yaml), Ok(FrontMatter::default()), "{yaml:?}");
    }
}

#[test]
fn anchors_tags_and_long_keys_are_read() {
    let table = [
        ("{Description: a}", "a"),
        ("Description: &x a", "a"),
        ("Description: !!str 10", "10"),
        ("Description: ! 10", "10"),
        ("? Description\n: a\n? [b]\n: c", "a"),
        ("x: &x b\n*x : c\nDescription: a", "a"),
        ("Description: a\n...\n", "a"),
    ];
    for (yaml, description) in table {
        let found = read(yaml).unwrap_or_else(|refusal| panic!("{yaml:?}: {refusal}"));
        assert_eq!(found.description.as_deref(), Some(description), "{yaml:?}");
    }
}

#[test]
fn what_is_refused_is_said_with_its_line() {
    let table = [
        ("Description: [a]", "`Description` must be a string", 1),
        ("Description: 10", "`Description` must be a string", 1),
        (
            "a: b\nDescription:\n\nb: c",
            "`Description` must be a string",
            2,
        ),
        ("Description:\n  a: b", "`Description` must be a string", 2),
        ("Params: a", "`Params` must be a list of strings", 1),
        ("Params: {a: b}", "`Params` must be a list of strings", 1),
        ("Params: [1]", "`Params` must be a list of strings", 1),
        ("Params: [[a]]", "`Params` must be a list of strings", 1),
        ("Params:\n- a\n-\n", "`Params` must be a list of strings", 3),
        (
            "Params:\n- a\n- b: c",
            "`Params` must be a list of strings",
            3,
        ),
        ("- a", "the front matter must be a mapping", 1),
        ("just text", "the front matter must be a mapping", 1),
        ("[a]", "the front matter must be a mapping", 1),
        (
            "Description: *x",
            "while parsing node, found unknown anchor",
            1,
        ),
        (
            "Description: !!int \"10\"",
            "`Description` must be a string",
            1,
        ),
        ("Params: [!mine a]", "`Params` must be a list of strings", 1),
        (
            "k: &x [a]\nParams: [*x]",
            "`Params` must be a list of strings",
            2,
        ),
        ("a: b\n--- c: d", "a second document is not supported", 2),
        (
            "a:\n\tb: c",
            "tabs disallowed within this context (block indentation)",
            2,
        ),
        ("a: b\u{7}", "control characters are not supported", 1),
        ("a: b\n\0c: d", "control characters are not supported", 2),
        (
            "a: b\n\u{feff}c: d",
            "a byte order mark must not appear inside a document",
            2,
        ),
        (
            "a: b\n  c: d",
            "mapping values are not allowed in this context",
            2,
        ),
        (
            "a:\n    b: c\n  d: e",
            "while parsing a block mapping, did not find expected key",
            3,
        ),
        (
            "a: b: c",
            "mapping values are not allowed in this context",
            1,
        ),
        ("a: @b", "unexpected character: `@'", 1),
        (
            "a: [b}",
            "while parsing a flow sequence, expected ',' or ']'",
            1,
        ),
        (
            "a: \"\\q\"",
            "while parsing a quoted scalar, found unknown escape character",
            1,
        ),
    ];
    for (yaml, refusal, line) in table {
        let expected = format!("{refusal}, line {line} of the front matter");
        assert_eq!(read(yaml), Err(expected), "{yaml:?}");
    }
}

#[test]
fn long_and_deep_texts_are_bounded() {
    // The scanner refuses these before it gives an event, and in time linear in their length.
    assert!(read(&format!("a: {}", "[".repeat(1 << 20))).is_err());
    assert!(read(&format!("a:\n  {}", "- ".repeat(1 << 19))).is_err());
    let nested = |depth| format!("a: {}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&nested(63)).is_ok());
    let refusal = read(&nested(64)).expect_err("too deep");
    assert!(refusal.starts_with("deeper nesting"), "{refusal}");
    let params = |count: usize| {
        (0..count)
            .map(|at| format!("- p{at}\n"))
            .collect::<String>()
    };
    let found = read(&format!("Params:\n{}", params(1_000))).expect("as many as may be");
    assert_eq!(found.params.len(), 1_000);
    assert!(read(&format!("Params:\n{}", params(1_001))).is_err());
    let key = "k".repeat(1_024);
    assert!(read(&format!("{key}: a")).is_ok());
    assert!(read(&format!("{key}k: a")).is_err());
}

#[test]
fn front_matter_stands_between_two_lines() {
    let table = [
        ("---\na: b\n---\nbody", Some("a: b\n"), "body"),
        ("---\n---\nbody", Some(""), "body"),
        ("---\na: b\n---", Some("a: b\n"), ""),
        ("\u{feff}---\na: b\n---\nbody", Some("a: b\n"), "body"),
        (
            "\u{feff}---\r\na: b\r\n---\r\nbody",
            Some("a: b\r\n"),
            "body",
        ),
        ("\u{feff}body", None, "\u{feff}body"),
        ("---\nno end", None, "---\nno end"),
        ("body\n---\n", None, "body\n---\n"),
        ("----\n---\n", None, "----\n---\n"),
    ];
    for (text, yaml, body) in table {
        let units: Vec<u16> = text.encode_utf16().collect();
        let (found, at) = split(&units);
        assert_eq!(
            found.map(String::from_utf16_lossy).as_deref(),
            yaml,
            "{text:?}"
        );
        assert_eq!(String::from_utf16_lossy(&units[at..]), body);
    }
}

/// Pieces to which YAML gives a meaning, and a few others.
const PIECES: &[&str] = &[
    "\n", "\n ", "\n  ", "\n- ", " ", " #", "\t", "\r", "- ", ": ", ",", "[", "]", "{", "}", "'",
    "\"", "\\", "|", ">", "|+\n", "&a", "*a", "!", "? ", "%", "@", "`", "~", "\n---\n", "\n...\n",
    "0", "a", "é", "\u{feff}", "\u{85}", "\nDescription: ", "\nParams:",
];

proptest! {
    /// Whatever a string holds, it comes back.
    #[test]
    fn strings_in_quotes_come_back(
        description in any::<String>(),
        params in prop::collection::vec(any::<String>(), 0..4),
    ) {
        let quoted = |text: &String| {
            let escaped = text.chars().map(|character| format!("\\U{:08x}", u32::from(character)));
            format!("\"{}\"", escaped.collect::<String>())
        };
        let list: Vec<String> = params.iter().map(quoted).collect();
        let yaml = format!("Description: {}\nParams: [{}]", quoted(&description), list.join(", "));
        let found = read(&yaml).map_err(TestCaseError::fail)?;
        prop_assert_eq!(found.description, Some(description));
        let mut distinct: Vec<String> = Vec::new();
        for param in params {
            if !distinct.contains(&param) {
                distinct.push(param);
            }
        }
        prop_assert_eq!(found.params, distinct);
    }

    /// Whatever the text, it is read or refused, and a list of parameters has none twice.
    #[test]
    fn any_text_is_read_or_refused(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30),
    ) {
        if let Ok(found) = read(&pieces.concat()) {
            let params: std::collections::BTreeSet<_> = found.params.iter().collect();
            prop_assert_eq!(params.len(), found.params.len());
        }
    }
}
