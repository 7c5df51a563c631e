use super::Pattern;

/// Whether a pattern matches, or why it is refused.
fn matches(pattern: &str, text: &str) -> Result<bool, String> {
    let pattern = Pattern::new(pattern).map_err(|refusal| refusal.message)?;
    Ok(pattern.is_match(text))
}

#[test]
fn what_matches() {
    // A pattern, texts that match, texts that do not.
    let table: [(&str, &[&str], &[&str]); 73] = [
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
        ("^]}$", &["]}"], &[]),
        // Classes.
        ("^[abc]$", &["a", "c"], &["d", ""]),
        ("^[^abc]$", &["d", "\n", "😀"], &["a"]),
        ("^[a-cx]$", &["b", "x"], &["d", "-"]),
        ("^[α-ω]$", &["λ"], &["a"]),
        ("^[😀-😎]$", &["😃"], &["😠"]),
        ("^[-a]$", &["-", "a"], &["b"]),
        ("^[a-]$", &["-", "a"], &["b"]),
        // `--` takes away, as `&&` keeps what both have.
        ("^[+--]$", &["+"], &[",", "-", "."]),
        ("^[]a]$", &["]", "a"], &["b"]),
        ("^[^]a]$", &["b"], &["]", "a"]),
        ("^[a^]$", &["^"], &["b"]),
        ("^[.*$({|?]$", &[".", "*", "$", "(", "{", "|", "?"], &["a"]),
        ("^[a-m&&k-z]$", &["k", "m"], &["a", "z", "&"]),
        // Brackets within a class are a class.
        ("^[[a]b]$", &["a", "b"], &["["]),
        ("^[\\]\\\\\\-\\^\\n]$", &["]", "\\", "-", "^", "\n"], &["n"]),
        ("^[\\d_]$", &["7", "_"], &["a"]),
        ("^[^\\d_]$", &["a"], &["7", "_"]),
        ("^[\\D]$", &["a"], &["7"]),
        ("^[^\\s\\S]$", &[], &["a", " "]),
        // Escapes.
        // The classes with a letter are Unicode's.
        ("^\\d\\D$", &["1a", "٣a"], &["11"]),
        ("^\\w\\W$", &["_-", "é-"], &["-_", "aé", "éa"]),
        (
            "^\\s$",
            &[" ", "\t", "\u{b}", "\u{a0}", "\u{3000}", "\u{85}"],
            &["\u{feff}", "a"],
        ),
        (
            "^\\S$",
            &["a", "\u{feff}", "😀"],
            &[" ", "\u{85}", "\u{2028}"],
        ),
        (
            "^\\n\\r\\t\\f\\v\\x00$",
            &["\n\r\t\u{c}\u{b}\0"],
            &["nrtfv0"],
        ),
        ("^\\x41\\u0042\\u{43}\\u{1F600}$", &["ABC😀"], &["ABC"]),
        ("^\\u0041\\u{42}\\u0043$", &["ABC"], &[]),
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
            &["cat", "a cat.", "é cat"],
            &["cats", "_cat", "écat"],
        ),
        ("\\Bcat", &["concat"], &["cat", "a cat"]),
        ("^\\B$", &[""], &["a"]),
        ("$^", &[""], &["a"]),
        // Flags.
        ("(?i)^Ab[c-e]$", &["aBD", "ABc"], &["abf"]),
        ("(?i)^[^a]$", &["b", "B"], &["a", "A"]),
        ("(?i)^[Z-a]$", &["z", "A", "_"], &["b", "Y"]),
        ("(?i)é", &["é", "É"], &["e"]),
        ("^(?i:a)b$", &["Ab"], &["AB"]),
        ("^(?:a(?i)b|c)d$", &["aBd", "Cd"], &["Abd", "aBD"]),
        ("(?i)(?ms-i:^a.b$)", &["x\na\nb"], &["A\nb"]),
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
fn what_is_no_pattern() {
    let table: [(&str, &[&str]); 13] = [
        ("unclosed group", &["(", "a(b", "((a)", "(?:", "(?<n>"]),
        ("unopened group", &[")", "a)", "(a))b", "a|)"]),
        // Within a class, a bracket begins a class.
        (
            "unclosed character class",
            &["[", "[a", "[]", "[^]", "[[a]"],
        ),
        (
            "repetition operator missing expression",
            &["*", "+a", "?", "{2}", "(*a)", "a|+"],
        ),
        // A brace that is meant literally is written `\{`.
        (
            "repetition quantifier expects a valid decimal",
            &["a{,2}", "a{x}"],
        ),
        ("invalid range boundary, must be a literal", &["[\\w-.]"]),
        (
            "look-around, including look-ahead and look-behind, is not supported",
            &["(?=a)", "(?!a)", "(?<=a)", "(?<!a)"],
        ),
        // `\0` would be one, too; NUL is written `\x00`.
        ("backreferences are not supported", &["(a)\\1", "(a)\\0"]),
        ("unrecognized escape sequence", &["\\y", "\\Z", "\\k<n>"]),
        // An unpaired surrogate matches nothing.
        (
            "hexadecimal literal is not a Unicode scalar value",
            &["\\uD83D\\uDE00", "\\u{110000}"],
        ),
        ("Unicode property not found", &["\\p{Nowhere}"]),
        ("duplicate flag", &["(?ims-i:a)"]),
        (
            "it is too large",
            &["((a{100}){100}){100}", "((((((a{9}){9}){9}){9}){9}){9}){9}"],
        ),
    ];
    for (message, patterns) in table {
        for pattern in patterns {
            assert_eq!(matches(pattern, ""), Err(message.to_owned()), "{pattern:?}");
        }
    }
}

#[test]
fn the_limits_are_where_they_are_said_to_be() {
    let nested = |depth| "(".repeat(depth) + "a" + &")".repeat(depth);
    assert_eq!(matches(&nested(100), "a"), Ok(true));
    let refused = matches(&nested(101), "a").expect_err("too deep");
    assert!(refused.contains("nested"), "{refused}");
    assert_eq!(matches(&"a".repeat(1_000), "a"), Ok(false));
    let refused = matches(&"a".repeat(1_001), "a").expect_err("too long");
    assert_eq!(refused, "it is longer than 1000 bytes");
}

#[test]
fn a_larger_program_is_more_effort() {
    let effort = |pattern: &str| Pattern::new(pattern).expect("a pattern").effort(1_000);
    assert!(effort("a") < effort("\\w"));
    assert!(effort("\\w") < effort("\\w{1,64}"));
    assert!(effort("a") < effort("aa"));
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
