use proptest::prelude::*;

use super::{Invalid, Pattern};

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn matches(pattern: &str, text: &str) -> Result<bool, Invalid> {
    Ok(Pattern::new(&units(pattern))?.is_match(&units(text)))
}

#[test]
fn what_matches() {
    // A pattern, texts that match, texts that do not.
    let table: [(&str, &[&str], &[&str]); 81] = [
        ("", &["", "x"], &[]),
        ("b", &["b", "abc"], &["", "ac"]),
        ("a.c", &["abc", "a😀c", "a\rc"], &["ac", "a\nc"]),
        ("(?s)a.c", &["a\nc"], &["ac"]),
        ("^.$", &["x", "思", "😀"], &["", "xy"]),
        // Alternatives and groups.
        ("^(a|bc|)$", &["a", "bc", ""], &["b", "abc"]),
        ("^a|b$", &["ax", "xb"], &["xa", "bx"]),
        ("^(?:a|b|c|d)+$", &["d", "abcd"], &["", "e"]),
        (
            "^((a|b)c|d(e|f))$",
            &["ac", "bc", "de", "df"],
            &["dc", "ae"],
        ),
        ("(?<year>\\d{4})", &["in 2024"], &["in 202"]),
        ("(?P<名>x)", &["x"], &["y"]),
        ("()", &[""], &[]),
        // Quantifiers.
        ("^a*$", &["", "a", "aaa"], &["b"]),
        ("^a+$", &["a", "aaa"], &["", "b"]),
        ("^a?$", &["", "a"], &["aa"]),
        ("^a{2}$", &["aa"], &["a", "aaa"]),
        ("^a{2,}$", &["aa", "aaaa"], &["a"]),
        ("^a{0,}$", &["", "aaaa"], &["b"]),
        ("^a{1,3}$", &["a", "aaa"], &["", "aaaa"]),
        ("^a{0}b$", &["b"], &["ab"]),
        ("^(ab){2}c$", &["ababc"], &["abc", "abababc"]),
        ("^((a|b){2}c){2}$", &["abcbac"], &["abc", "abcbc"]),
        ("^(a{1,2}){2}$", &["aa", "aaaa"], &["a", "aaaaa"]),
        ("^(a|){3}$", &["", "aaa"], &["aaaa"]),
        ("^(?:a*?b+?c??d{1,2}?)$", &["aabbcdd", "bd"], &["ad"]),
        ("^(?:){3}a$", &["a"], &["aa"]),
        ("^(?:^|a)*$", &["", "aa"], &["b"]),
        ("^(a*)*$", &["", "aa"], &["b"]),
        ("^a{,2}$", &["a{,2}"], &["aa"]),
        ("^{$", &["{"], &["a"]),
        ("^a{x}{1", &["a{x}{1"], &["ax"]),
        ("^a{1,x}$", &["a{1,x}"], &["a"]),
        ("^]}$", &["]}"], &[]),
        // Classes.
        ("^[abc]$", &["a", "c"], &["d", ""]),
        ("^[^abc]$", &["d", "\n", "😀"], &["a"]),
        ("^[a-cx]$", &["b", "x"], &["d", "-"]),
        ("^[α-ω]$", &["λ"], &["a"]),
        ("^[😀-😎]$", &["😃"], &["😠"]),
        ("^[-a]$", &["-", "a"], &["b"]),
        ("^[a-]$", &["-", "a"], &["b"]),
        ("^[+--]$", &["+", ",", "-"], &["."]),
        ("^[]a]$", &["]", "a"], &["b"]),
        ("^[^]a]$", &["b"], &["]", "a"]),
        ("^[a^]$", &["^"], &["b"]),
        ("^[.*$({|?]$", &[".", "*", "$", "(", "{", "|", "?"], &["a"]),
        ("^[[a]$", &["[", "a"], &["]"]),
        ("^[a&&b]$", &["a", "&", "b"], &["c"]),
        ("^[\\]\\\\\\-\\^\\n]$", &["]", "\\", "-", "^", "\n"], &["n"]),
        ("^[\\d_]$", &["7", "_"], &["a"]),
        ("^[^\\d_]$", &["a"], &["7", "_"]),
        ("^[\\D]$", &["a"], &["7"]),
        ("^[^\\s\\S]$", &[], &["a", " "]),
        ("^[\\w-.]$", &["a", "-", "."], &["/", "*"]),
        ("^[+-\\d]$", &["+", "-", "7"], &[","]),
        // Escapes.
        ("^\\d\\D$", &["1a"], &["11", "٣a"]),
        ("^\\w\\W$", &["_-", "aé"], &["-_", "éa"]),
        (
            "^\\s$",
            &[" ", "\t", "\u{b}", "\u{a0}", "\u{3000}", "\u{feff}"],
            &["\u{85}", "a"],
        ),
        ("^\\S$", &["a", "\u{85}", "😀"], &[" ", "\u{2028}"]),
        ("^\\n\\r\\t\\f\\v\\0$", &["\n\r\t\u{c}\u{b}\0"], &["nrtfv0"]),
        ("^\\x41\\u0042\\u{43}\\u{1F600}$", &["ABC😀"], &["ABC"]),
        ("^\\uD83D\\uDE00$", &["😀"], &["\u{fffd}\u{fffd}"]),
        ("^\\u0041\\u{42}\\u0043$", &["ABC"], &[]),
        ("^[\\uD83D\\uDE00-\\u{1f64f}]$", &["😃"], &["a"]),
        (
            "^\\.\\*\\(\\)\\[\\]\\{\\}\\/\\-\\\\\\ $",
            &[".*()[]{}/-\\ "],
            &[],
        ),
        // Places.
        ("^b", &["b"], &["ab", "a\nb"]),
        ("a$", &["a"], &["ab", "a\n", "a\nb"]),
        ("(?m)^b$", &["b", "a\nb\nc"], &["ab", "a\rb"]),
        ("(?m)\\Ab", &["b"], &["a\nb"]),
        ("(?m)a\\z", &["a"], &["a\nb"]),
        (
            "\\bcat\\b",
            &["cat", "a cat.", "é cat", "écat"],
            &["cats", "_cat"],
        ),
        ("\\Bcat", &["concat"], &["cat", "a cat"]),
        ("^\\B$", &[""], &["a"]),
        ("$^", &[""], &["a"]),
        // Flags.
        ("(?i)^Ab[c-e]$", &["aBD", "ABc"], &["abf"]),
        ("(?i)^[^a]$", &["b", "B"], &["a", "A"]),
        ("(?i)^[Z-a]$", &["z", "A", "_"], &["b", "Y"]),
        ("(?i)é", &["é"], &["É"]),
        ("^(?i:a)b$", &["Ab"], &["AB"]),
        ("^(?:a(?i)b|c)d$", &["aBd", "Cd"], &["Abd", "aBD"]),
        ("(?ims-i:^a.b$)", &["x\na\nb"], &["A\nb"]),
        ("(?i)(?-i)a", &["a"], &["A"]),
    ];
    for (pattern, yes, no) in table {
        for (texts, expected) in [(yes, true), (no, false)] {
            for text in texts {
                assert_eq!(matches(pattern, text), Ok(expected), "{pattern:?} {text:?}");
            }
        }
    }
}

#[test]
fn unpaired_surrogates_are_code_points() {
    let is_match = |pattern: &str, text: &[u16]| {
        let pattern = Pattern::new(&units(pattern)).expect("a pattern");
        pattern.is_match(text)
    };
    assert!(is_match("^.$", &[0xd83d]));
    assert!(is_match("^..$", &[0xde00, 0xd83d]));
    assert!(is_match("^[\\ud800-\\udfff]$", &[0xde00]));
    assert!(is_match("\\ud83d", &[0x61, 0xd83d]));
    assert!(!is_match("\\ud83d", &units("😀")));
    assert!(!is_match("^..$", &units("😀")));
    let unpaired = Pattern::new(&[0xd83d, 0x2b]).expect("a pattern");
    assert!(unpaired.is_match(&[0xd83d, 0xd83d]));
    assert!(!unpaired.is_match(&units("\u{fffd}")));
}

#[test]
fn what_is_no_pattern() {
    let table: [(&str, &[&str]); 13] = [
        ("unclosed group", &["(", "a(b", "((a)", "(?:", "(?<n>"]),
        ("unopened group", &[")", "a)", "(a))b", "a|)"]),
        ("unclosed class", &["[", "[a", "[]", "[^]", "[a-", "[^"]),
        (
            "nothing to repeat",
            &[
                "*", "+a", "?", "{2}", "(*a)", "a|+", "a**", "a{2}{3}", "a++", "^*", "\\b+",
                "(?i)*",
            ],
        ),
        (
            "range out of order",
            &["[b-a]", "a{2,1}", "[\\u0041-\\u0040]"],
        ),
        (
            "look-around is not supported",
            &["(?=a)", "(?!a)", "(?<=a)", "(?<!a)"],
        ),
        (
            "back-references are not supported",
            &["(a)\\1", "(?<n>a)\\k<n>", "(?P<n>a)(?P=n)", "[\\1]"],
        ),
        (
            "unknown or incomplete escape",
            &[
                "\\",
                "\\y",
                "\\Z",
                "\\c",
                "\\x4",
                "\\xg0",
                "\\u004",
                "\\u{}",
                "\\u{110000}",
                "\\u{41",
                "\\01",
                "[\\b]",
                "[\\A]",
                "[\\",
            ],
        ),
        (
            "Unicode classes are not supported",
            &["\\pL", "\\P{Lu}", "[\\p{L}]"],
        ),
        (
            "POSIX classes are not supported",
            &["[[:alpha:]]", "[a[:^digit:]]"],
        ),
        (
            "unknown group or flag",
            &[
                "(?", "(?>a)", "(?x)", "(?u:a)", "(?P>n)", "(?i", "(?i--m)", "(?#c)",
            ],
        ),
        (
            "bad name of a group",
            &["(?<>a)", "(?<1>a)", "(?<a b>c)", "(?P<a", "(?<n"],
        ),
        (
            "the pattern is too large",
            &[
                "a{10001}",
                "a{10000}",
                "(?:){99999999999999999999}",
                "((a{100}){100}){100}",
                "(((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9}",
                "a{0,5000}",
                "\\s{1000}",
            ],
        ),
    ];
    for (message, patterns) in table {
        for pattern in patterns {
            let found = Pattern::new(&units(pattern)).map_err(Invalid::message);
            assert_eq!(found.err(), Some(message), "{pattern:?}");
        }
    }
}

#[test]
fn the_limits_are_where_they_are_said_to_be() {
    let nested = |depth| "(".repeat(depth) + "a" + &")".repeat(depth);
    assert_eq!(matches(&nested(100), "a"), Ok(true));
    assert_eq!(matches(&nested(101), "a"), Err(Invalid::TooDeep));
    assert_eq!(matches(&"(".repeat(1_000_000), ""), Err(Invalid::TooDeep));
    // Of 10,000 steps the end takes one.
    assert_eq!(matches(&"a".repeat(9_999), "a"), Ok(false));
    assert_eq!(matches(&"a".repeat(10_000), "a"), Err(Invalid::TooLarge));
    let steps = |pattern: &str| Pattern::new(&units(pattern)).expect("a pattern").steps();
    assert_eq!(steps("[abc]"), steps("a") + 2);
    assert_eq!(steps("(?:[abc]){50}") - steps("a"), 50 * 3 - 1);
    assert_eq!(matches("(?:a{9999}){0}b{9999}", "b"), Ok(false));
}

#[test]
fn patterns_that_hang_other_engines_do_not() {
    let long = "a".repeat(10_000);
    for (pattern, text, expected) in [
        ("^(a+)+$", format!("{long}!"), false),
        ("(a+)+$", long.clone(), true),
        ("(a|a)*b", long.clone(), false),
        ("(.*)*x", long.clone(), false),
        ("(a?){50}a{50}$", long.clone(), true),
        ("(.*a){20}b", long, false),
    ] {
        assert_eq!(matches(pattern, &text), Ok(expected), "{pattern}");
    }
}

/// The same pattern as it is written here and for the crate `regex`.
type Both = (String, String);

fn same(pattern: &str) -> Both {
    (pattern.to_owned(), pattern.to_owned())
}

fn concatenated(parts: Vec<Both>) -> Both {
    parts.into_iter().unzip()
}

/// Of characters in whose case and kind (letter, blank) ASCII and Unicode agree.
fn character() -> impl Strategy<Value = char> {
    prop::sample::select(Vec::from_iter("aabbABzZ09_-^]. \n\r&€😀".chars()))
}

fn literal(character: char) -> Both {
    let ours = match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' => character.to_string(),
        _ if character.is_ascii_punctuation() => format!("\\{character}"),
        _ => character.to_string(),
    };
    (ours, format!("\\x{{{:x}}}", u32::from(character)))
}

fn named_class() -> impl Strategy<Value = Both> {
    prop::sample::select(vec![
        ("\\d", "[0-9]"),
        ("\\D", "[^0-9]"),
        ("\\w", "[0-9A-Za-z_]"),
        ("\\W", "[^0-9A-Za-z_]"),
        ("\\s", "\\s"),
        ("\\S", "\\S"),
    ])
    .prop_map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()))
}

fn class() -> impl Strategy<Value = Both> {
    let item = prop_oneof![
        3 => character().prop_map(literal),
        2 => (character(), character()).prop_map(|(one, other)| {
            let ends = [literal(one.min(other)), same("-"), literal(one.max(other))];
            concatenated(ends.into())
        }),
        1 => named_class(),
    ];
    (any::<bool>(), prop::collection::vec(item, 1..4)).prop_map(|(is_negated, items)| {
        let open = same(if is_negated { "[^" } else { "[" });
        concatenated(vec![open, concatenated(items), same("]")])
    })
}

fn pattern() -> impl Strategy<Value = Both> {
    let place = [
        "^", "$", "\\A", "\\z", "\\b", "\\B", "(?i)", "(?m)", "(?s)", "(?-i)", "(?-m)",
    ];
    let leaf = prop_oneof![
        6 => character().prop_map(literal),
        2 => class(),
        1 => named_class(),
        1 => Just(same(".")),
        2 => prop::sample::select(place.to_vec()).prop_map(same),
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        let open = ["(", "(?:", "(?<n>", "(?i:", "(?ms-i:"];
        let often = [
            "*", "+", "?", "{0}", "{2}", "{1,}", "{0,2}", "{1,3}", "*?", "{2,}?",
        ];
        let group = (prop::sample::select(open.to_vec()), inner.clone());
        let group = group.prop_map(|(open, inner)| {
            // A name may stand once only in `regex`.
            let theirs = if open == "(?<n>" { "(" } else { open };
            let open = (open.to_owned(), theirs.to_owned());
            concatenated(vec![open, inner, same(")")])
        });
        let parts = prop::collection::vec(inner, 0..4);
        prop_oneof![
            3 => (group.clone(), prop::sample::select(often.to_vec()))
                .prop_map(|(group, often)| concatenated(vec![group, same(often)])),
            1 => (character(), prop::sample::select(often.to_vec()))
                .prop_map(|(one, often)| concatenated(vec![literal(one), same(often)])),
            1 => group,
            2 => parts.clone().prop_map(concatenated),
            2 => parts.prop_map(|mut parts| {
                for after in (1..parts.len()).rev() {
                    parts.insert(after, same("|"));
                }
                concatenated(parts)
            }),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(character(), 0..8).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn matches_what_the_regex_crate_matches(
        (ours, theirs) in pattern(),
        texts in prop::collection::vec(text(), 8),
    ) {
        let found = Pattern::new(&units(&ours)).map_err(|invalid| TestCaseError::fail(invalid.message()))?;
        let expected = regex::Regex::new(&theirs).expect("a pattern");
        for text in texts {
            prop_assert_eq!(found.is_match(&units(&text)), expected.is_match(&text), "{} {:?}", ours, text);
        }
    }

    #[test]
    fn any_text_is_a_pattern_or_is_refused(
        pattern in "[ab^$.|*+?(){},:<>=!P0-9\\\\\\[\\]dwsbBiu-]{0,20}",
        text in text(),
    ) {
        let _ = matches(&pattern, &text);
    }
}
