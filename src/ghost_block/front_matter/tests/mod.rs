mod model;

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
            "'Params': [a]\n{text}\n\"Params\":\n- b\n  c\n- \"d\" # e\nDescription : f\n"
        ))
        .unwrap_or_else(|refusal| panic!("{text:?}: {refusal}"));
        assert_eq!(found.params, ["a", "b c", "d"], "{text:?}");
        assert_eq!(found.description.as_deref(), Some("f"));
    }
    let twice = read("Description: a\nParams: [\n  a,\n  b\n]\nDescription: b\nParams: [b, c]");
    let twice = twice.expect("keys may stand twice");
    assert_eq!(twice.description.as_deref(), Some("b"));
    assert_eq!(twice.params, ["a", "b", "c"]);
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
            "{a: b}",
            "braces around the whole front matter are not supported",
            1,
        ),
        ("a: b\n\nDescription: &x y", "anchors are not supported", 3),
        ("Description: *x", "aliases are not supported", 1),
        ("Description: !!str 10", "tags are not supported", 1),
        ("%YAML 1.2", "directives are not supported", 1),
        (
            "a: b\n--- c: d",
            "markers of documents are not supported",
            2,
        ),
        ("a: b\n...", "markers of documents are not supported", 2),
        (
            "? a\n: b",
            "keys other than short text on one line are not supported",
            1,
        ),
        (
            "a: b\n[c]: d",
            "keys other than short text on one line are not supported",
            2,
        ),
        (
            "'a\n b': c",
            "keys other than short text on one line are not supported",
            2,
        ),
        ("a:\n\tb: c", "tabs as indentation are not supported", 2),
        (
            "a:\tb",
            "tabs behind a dash or a colon are not supported",
            1,
        ),
        ("a: b\u{7}", "control characters are not supported", 1),
        (
            "a: b\n\u{feff}c: d",
            "byte order marks are not supported",
            2,
        ),
        ("a: b\n  c: d", "there is more on the line than a value", 2),
        ("a:\n    b: c\n  d: e", "the indentation does not fit", 3),
        ("a: b: c", "a list or mapping cannot begin behind a key", 1),
        ("a: - b", "a list or mapping cannot begin behind a key", 1),
        ("a: b\nc", "a key has no colon", 2),
        ("a: @b", "a value cannot begin like this", 1),
        ("a: 'b' c", "there is more on the line than a value", 1),
        ("a: | b", "what is behind `|` or `>` is not supported", 1),
        (
            "a: [",
            "a bracket is not closed, or what is in it is not indented",
            1,
        ),
        (
            "a: [b,\nc: d",
            "a bracket is not closed, or what is in it is not indented",
            1,
        ),
        ("a: [b}", "brackets, commas and colons do not fit", 1),
        ("a: [b,,c]", "brackets, commas and colons do not fit", 1),
        ("a: [b: c]", "brackets, commas and colons do not fit", 1),
        (
            "a: \"b\nc: d",
            "a quoted text has no end, or is not indented",
            1,
        ),
        ("a: \"\\q\"", "this escape is not known", 1),
        ("a: \"\\ud800\"", "this escape is not known", 1),
    ];
    for (yaml, refusal, line) in table {
        let expected = format!("{refusal}, line {line} of the front matter");
        assert_eq!(read(yaml), Err(expected), "{yaml:?}");
    }
}

#[test]
fn long_and_deep_texts_are_bounded() {
    let deep = [
        format!("a: {}", "[".repeat(1 << 20)),
        format!("a:\n  {}", "- ".repeat(1 << 19)),
    ];
    for yaml in deep {
        let refusal = read(&yaml).expect_err("too deep");
        assert!(refusal.starts_with("deeper nesting"), "{refusal}");
    }
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
