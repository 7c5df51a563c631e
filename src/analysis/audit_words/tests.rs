//! The words for what an audit found.

use serde_json::{Value, json};

use super::*;
use crate::report::Unpriced;

fn session(fields: Value) -> SessionReport {
    let mut session = json!({
        "file": "my task.json", "format": "cline", "profile": "adaptive", "events": 0, "calls": 0, "turns": 0,
        "commands": 0, "terminalsNeeded": 0, "terminalsReusable": 0, "leftOut": 0, "loops": [], "blind": [],
        "usage": Usage::default(), "saveable": crate::report::Saveable::default(),
        "tokens": crate::report::TokenKinds::default(),
    });
    for (name, value) in fields.as_object().into_iter().flatten() {
        session[name] = value.clone();
    }
    serde_json::from_value(session).expect("a session")
}

fn finding<'a>(waste: Waste, worst: &'a SessionReport, agent: &'a str) -> Finding<'a> {
    Finding {
        waste,
        dollars: None,
        count: 2,
        tokens: 12_345,
        worst,
        agent,
        project: Some("/home/user/site/"),
    }
}

#[test]
fn counts_take_few_characters() {
    let counts = [
        9_999, 10_000, 99_949, 123_456, 1_250_000, 123_456_789, 1_230_000_000,
    ];
    let expected = ["9,999", "10.0k", "99.9k", "123k", "1.3M", "123M", "1.2G"];
    assert_eq!(counts.map(in_thousands), expected);
}

#[test]
fn estimated_tokens_have_two_digits() {
    let said = [0, 7, 1_234, 956_789, 52_094_935, 1_260_000, 206_000_000_000].map(rounded);
    let expected = [
        "0", "7", "1,200", "960,000", "52 million", "1.3 million", "210 billion",
    ];
    assert_eq!(said, expected);
}

#[test]
fn what_could_have_been_saved_is_money_and_a_share() {
    let headline_of = |dollars: f64, saveable: f64| {
        let mut total = Total {
            sessions: 2,
            ..Total::default()
        };
        total.usage.dollars = Some(dollars);
        total.usage.tokens = 12_000;
        total.saveable.loops.calls = 9;
        total.saveable.loops.tokens = 2_412;
        total.saveable.dollars = Some(saveable);
        headline(&total, "all time")
    };
    for (dollars, saveable, said) in [
        (
            0.07,
            0.04,
            "; 9 calls, $0.04 of $0.07 (57 %) could have been saved",
        ),
        (
            6.0,
            6.0,
            "; 9 calls, $6.00 of $6.00 (100 %) could have been saved",
        ),
        (
            60.0,
            0.02,
            "; 9 calls, $0.02 of $60.00 could have been saved",
        ),
        (
            0.005,
            0.001,
            ", under $0.01; 9 calls, about 2,400 of 12,000 tokens (20 %) could have been saved",
        ),
    ] {
        assert_eq!(
            headline_of(dollars, saveable),
            format!("all time: 2 sessions{said}")
        );
    }
}

#[test]
fn a_cost_says_what_has_no_price() {
    let mut usage = Usage {
        tokens: 5_000_000,
        ..Usage::default()
    };
    assert_eq!(cost_in_words(&usage), "5.0M tokens");
    usage.dollars = Some(0.005);
    usage.is_cost_estimated = true;
    assert_eq!(cost_in_words(&usage), "~under $0.01");
    usage.unpriced = Some(Unpriced {
        requests: 1,
        tokens: 900_000,
        models: vec!["a-model".to_owned()],
    });
    assert_eq!(cost_in_words(&usage), "~under $0.01 + 900k tokens");
    let note = "Without a price: a-model (1 request, 900k tokens); --prices FILE gives them one.";
    assert_eq!(unpriced_note(&usage).as_deref(), Some(note));
    let total = Total {
        sessions: 1,
        usage,
        ..Total::default()
    };
    let head = "all time: 1 session, ~under $0.01 + 900k tokens without a price";
    assert_eq!(headline(&total, "all time"), head);
}

#[test]
fn records_that_were_left_out_are_told() {
    let mut total = Total::default();
    assert_eq!(left_out_note(&total), None);
    total.counts.unread = 1;
    total.counts.copied = 1_000;
    let note = "1 record could not be read and is left out; 1,000 records are copies of another session's and count there.";
    assert_eq!(left_out_note(&total).as_deref(), Some(note));
}

#[test]
fn advice_is_a_command_that_can_be_followed() {
    let of = |saved: u64, whole: u64| {
        let mut session = session(json!({}));
        (session.saveable.tokens, session.tokens.total) = (saved, whole);
        session
    };
    let history = of(1_000, 20_000);
    let advice = |waste, worst, agent| {
        let advice = finding_advice(&finding(waste, worst, agent), Shell::Posix);
        advice.command.unwrap_or_else(|| advice.does.to_owned())
    };
    let shorten = "turnkeeper repair --economy resume --in-place 'my task.json'";
    assert_eq!(advice(Waste::Outdated, &history, "cline"), shorten);
    assert_eq!(
        advice(Waste::Loops, &history, "crush"),
        "turnkeeper install crush"
    );
    assert_eq!(
        advice(Waste::Loops, &history, "kimi"),
        "turnkeeper replay 'my task.json'"
    );
    // A repair makes the next request dearer.
    let little = [of(95, 400), of(1_000, 20_001)];
    for little in &little {
        assert_eq!(
            advice(Waste::Outdated, little, "cline"),
            "begin a new session where a task ends"
        );
    }
    // Nothing is put in place of a session in a database, or of what came through a pipe.
    let row = session(json!({"id": "s1"}));
    assert_eq!(
        advice(Waste::Outdated, &row, "cline"),
        "begin a new session where a task ends"
    );
    let piped = session(json!({"file": "-"}));
    assert_eq!(advice(Waste::Loops, &piped, "kimi"), "look at it");
    assert_eq!(
        advice(Waste::Outdated, &piped, "kimi"),
        "begin a new session where a task ends"
    );
}

#[test]
fn a_day_is_that_of_the_users_clock() {
    let today = Today::new(1_795_766_399_123.0, TimeZone::fixed(jiff::tz::offset(8)));
    let days = ["2026-10-03T22:00:00.000Z", "2025-01-01T00:00:00Z", "soon"];
    assert_eq!(
        days.map(|day| day_of(day, &today)),
        ["Oct 4", "Jan 1, 2025", "-"]
    );
}

#[test]
fn a_loop_is_somewhere() {
    let session = session(json!({"loops": [
        {"action": "stop", "type": "repeated_error", "rule": "r", "firstCall": 2, "lastCall": 1_000, "place": 7,
            "count": 8, "message": "", "evidence": ""},
        {"action": "nudge", "type": "monologue", "rule": "r", "channel": "text", "firstCall": null,
            "lastCall": null, "place": 7, "count": 8, "message": "", "evidence": ""},
    ]}));
    let places: Vec<String> = session.loops.iter().map(where_of).collect();
    assert_eq!(
        places,
        ["calls 3 to 1,001", "text before any call (7 of the file)"]
    );
}
