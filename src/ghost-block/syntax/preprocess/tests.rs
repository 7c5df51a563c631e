use super::super::macros::Scope;
use super::*;

const LIMITS: MacroLimits = MacroLimits {
    expansions: 1_000,
    units: 1 << 20,
};

fn run(text: &str) -> (String, Vec<String>) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let code = MarkdownCode::of(&units);
    let mut problems = Problems::default();
    let mut macros = Macros {
        host: &Scope::from_iter([("HOST".to_owned(), Text::from("h @{A}"))]),
        own: &mut Scope::new(),
    };
    let out = preprocess(&units, &code, &mut macros, LIMITS, &mut problems);
    let problems = problems.in_order().into_iter();
    let problems = problems.map(|problem| format!("{:?} at {}", problem.code, problem.offset));
    let problems = problems.collect();
    for at in 0..out.units.len() {
        assert!(out.origin(at) < units.len());
    }
    (
        String::from_utf16(&out.units).expect("whole characters"),
        problems,
    )
}

#[test]
fn what_comes_out() {
    let table: [(&str, &str, &[&str]); 37] = [
        // Macros.
        ("@{define A, \"x\"}a @{A} b @{recall A}", "a x b x", &[]),
        (
            "@{define A, \"x\"}\n  @{define B, \"y\"}\t\n@{A}@{B}\n",
            "xy\n",
            &[],
        ),
        ("@{define A, \"x\"} @{define B, \"y\"}\n@{A}@{B}", "xy", &[]),
        ("t @{define A, \"x\"}\n@{A}", "t \nx", &[]),
        ("@{define A}[@{A}]", "[]", &[]),
        (
            "@{define A, \"\\\"q\\\" C:\\src\\\\n\\n\"}@{A}",
            "\"q\" C:\\src\\n\n",
            &[],
        ),
        ("@{define A, \"1\"}@{define A, \"2\"}@{A}", "2", &[]),
        ("@{define 名, \"值\"}@{名}", "值", &[]),
        ("@{define A, \"<@{B}>\"}@{define B, \"y\"}@{A}", "<y>", &[]),
        ("@{A} stays", "@{A} stays", &["UndefinedMacro at 0"]),
        ("@{define A, \"@{A}\"}\n@{A}", "@{A}", &["MacroCycle at 20"]),
        (
            "@{define A, \"@{B}\"}@{define B, \"@{A}\"}x@{A}",
            "x@{A}",
            &["MacroCycle at 39"],
        ),
        (r"\@{A} \@[b]", "@{A} @[b]", &[]),
        (
            "`@{A}`\n```\n@{define B, \"1\"}\n```\n",
            "`@{A}`\n```\n@{define B, \"1\"}\n```\n",
            &[],
        ),
        // Conditions.
        ("@{define A}@{ifdef A}yes@{else}no@{endif}", "yes", &[]),
        ("@{ifdef A}yes@{else}no@{endif}", "no", &[]),
        ("@{ifndef A}yes@{endif}.", "yes.", &[]),
        (
            "a\n@{ifdef A}\nyes\n@{else}\nno\n@{endif}\nb\n",
            "a\nno\nb\n",
            &[],
        ),
        (
            "@{ifndef A}1@{ifdef B}2@{else}3@{endif}4@{else}5@{endif}",
            "134",
            &[],
        ),
        (
            "@{ifdef A}@{ifndef B}1@{else}2@{endif}@{else}3@{endif}",
            "3",
            &[],
        ),
        (
            "@{ifdef A}@{define B, \"1\"}@{endif}@{ifdef B}x@{else}y@{endif}",
            "y",
            &[],
        ),
        // Operators.
        (
            "@{define L, \"rust\"}@{if L IS \"rust\"}y@{else}n@{endif}",
            "y",
            &[],
        ),
        (
            "@{define L, \"rust\"}@{if L ISNT \"rust\"}y@{else}n@{endif}",
            "n",
            &[],
        ),
        (
            "@{define L, \"rust\"}@{if L CONTAINS \"us\"}y@{else}n@{endif}",
            "y",
            &[],
        ),
        (
            "@{define L, \"rust\"}@{if L DOESNT_CONTAIN \"us\"}y@{else}n@{endif}",
            "n",
            &[],
        ),
        (
            "@{define L, \"rust\"}@{if L MATCHES \"^r.s?t$\"}y@{else}n@{endif}",
            "y",
            &[],
        ),
        (
            "@{define L, \"rust\"}@{if L DOESNT_MATCH \"^r\"}y@{else}n@{endif}",
            "n",
            &[],
        ),
        (
            "@{define L, \"a\"}@{define M, \"a\"}@{if L IS M}y@{endif}",
            "y",
            &[],
        ),
        ("@{if L IS \"\"}y@{endif}", "y", &["UndefinedMacro at 0"]),
        (
            "@{define L, \"x\"}@{if L MATCHES \"(\"}y@{else}n@{endif}",
            "n",
            &["BadPattern at 16"],
        ),
        // A wrong directive stays as it was written.
        ("a @{endif} b", "a @{endif} b", &["StrayEndif at 2"]),
        ("@{else}", "@{else}", &["StrayElse at 0"]),
        ("@{ifdef A} b", "@{ifdef A} b", &["UnclosedCondition at 0"]),
        (
            "@{ifndef A}1@{else}2@{else}3@{endif}",
            "1",
            &["StrayElse at 20"],
        ),
        (
            "@{frobnicate A} @{define}",
            "@{frobnicate A} @{define}",
            &["UnknownCommand at 0", "BadDirective at 16"],
        ),
        (
            "@{define A, \"x\nb",
            "@{define A, \"x\nb",
            &["UnclosedDirective at 0"],
        ),
        ("@{1} @{ A } @{}", "@{1} @{ A } @{}", &[]),
    ];
    for (text, expected, problems) in table {
        let (out, found) = run(text);
        assert_eq!(
            (out.as_str(), found),
            (expected, problems.iter().map(|r| (*r).to_owned()).collect()),
            "{text}"
        );
    }
}

#[test]
fn macros_that_multiply_are_bounded() {
    let mut text = String::from("@{define A0, \"0123456789\"}");
    for level in 1..40 {
        let below = level - 1;
        text += &format!("@{{define A{level}, \"@{{A{below}}}@{{A{below}}}\"}}");
    }
    let (out, problems) = run(&format!("{text}@{{A39}}"));
    assert_eq!(out, "@{A39}");
    assert!(
        problems
            .iter()
            .all(|problem| problem.starts_with("MacroLimit")),
        "{problems:?}"
    );
}

#[test]
fn a_pattern_that_hangs_other_engines_does_not() {
    let long = "a".repeat(5_000);
    let text =
        format!("@{{define A, \"{long}!\"}}@{{if A MATCHES \"^(a+)+$\"}}y@{{else}}n@{{endif}}");
    assert_eq!(run(&text).0, "n");
}

#[test]
fn offsets_are_those_of_the_text_as_written() {
    let units: Vec<u16> = "@{define A, \"xyz\"}\n1 @{A} 2".encode_utf16().collect();
    let mut macros = Macros {
        host: &Scope::new(),
        own: &mut Scope::new(),
    };
    let out = preprocess(
        &units,
        &MarkdownCode::default(),
        &mut macros,
        LIMITS,
        &mut Problems::default(),
    );
    assert_eq!(String::from_utf16_lossy(&out.units), "1 xyz 2");
    let origins: Vec<usize> = (0..7).map(|at| out.origin(at)).collect();
    assert_eq!(origins, [19, 20, 21, 21, 21, 25, 26]);
}

#[test]
fn conditions_take_no_longer_together_than_one_may_alone() {
    let define = format!(
        "@{{define B, \"b\"}}@{{define A, \"{}\"}}",
        "z".repeat(900_000)
    );
    let long_pattern = format!("B MATCHES \"^{}\"", "a".repeat(900));
    for (condition, times, expected, is_refused) in [
        ("A MATCHES \"^z+$\"", 1, "y", false),
        ("A CONTAINS \"zy\"", 1, "n", false),
        ("A CONTAINS \"zy\"", 25, "n", true),
        // A pattern that takes up much memory may take much time for each character.
        ("A MATCHES \"(z{0,50}){50}y\"", 1, "n", true),
        // Reading patterns is work, too.
        (&long_pattern, 4, "n", false),
        (&long_pattern, 6, "n", true),
    ] {
        let condition = format!("@{{if {condition}}}y@{{else}}n@{{endif}}");
        let (out, problems) = run(&(define.clone() + &condition.repeat(times)));
        assert_eq!(out, expected.repeat(times), "{condition}");
        let refused = |problem: &String| problem.starts_with("ConditionLimit");
        assert_eq!(problems.iter().any(refused), is_refused, "{problems:?}");
    }
}
