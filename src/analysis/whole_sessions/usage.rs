//! The usage of sessions, and its sums by group.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::*;
use crate::groups::grouped;
use crate::report::By;
use crate::report::Unpriced;

fn day_of(time: f64) -> Date {
    let time = Timestamp::from_millisecond(time as i64).expect("a time");
    TimeZone::UTC.to_datetime(time).date()
}

fn step(minute: f64, usage: Usage) -> Record<'static> {
    let key = minute.to_bits();
    with_usage(record(key, minute, calls(minute as usize, "a")), usage)
}

#[test]
fn what_has_no_price_is_said_beside_the_sum() {
    let session = audited(
        "a",
        &[
            step(1.0, used("1", "claude-sonnet-4-5", 1_000.0, 100.0)),
            step(2.0, used("2", "new-model", 900_000.0, 100.0)),
            step(3.0, used("3", "other-model", 5.0, 0.0)),
        ],
    );
    let usage = &session.report.usage;
    assert_eq!(usage.dollars, Some(0.0045));
    let unpriced = Unpriced {
        requests: 2,
        tokens: 900_105,
        models: vec!["new-model".to_owned(), "other-model".to_owned()],
    };
    assert_eq!(usage.unpriced, Some(unpriced));
    let priced = audited(
        "b",
        &[step(1.0, used("1", "claude-sonnet-4-5", 1_000.0, 100.0))],
    );
    assert_eq!(priced.report.usage.unpriced, None);
}

#[test]
fn recorded_money_is_no_estimate() {
    let money = Usage {
        dollars: Some(0.5),
        is_sum: true,
        ..Usage::default()
    };
    let alone = audited("a", &[step(1.0, money.clone())]);
    let usage = &alone.report.usage;
    assert_eq!(
        (usage.dollars, usage.is_cost_estimated, usage.is_estimated),
        (Some(0.5), false, true)
    );
    let both = [
        step(1.0, used("1", "new-model", 10.0, 5.0)),
        step(2.0, money),
    ];
    let usage = audited("b", &both).report.usage;
    assert_eq!(
        (usage.dollars, usage.is_estimated, usage.unpriced),
        (Some(0.5), false, None)
    );
    assert_eq!((usage.tokens, usage.requests), (15, 1));
}

#[test]
fn a_cost_of_nothing_is_none_unless_the_model_is_free() {
    let spent = |model: &str, provider: Option<&str>| {
        let usage = Usage {
            dollars: Some(0.0),
            provider: provider.map(str::to_owned),
            ..used("1", model, 1_000_000.0, 1_000_000.0)
        };
        let usage = audited("a", &[step(1.0, usage)]).report.usage;
        (usage.dollars, usage.unpriced.map(|it| it.models))
    };
    assert_eq!(spent("claude-sonnet-4-5", None), (Some(18.0), None));
    assert_eq!(spent("qwen3-coder:30b", Some("ollama")), (Some(0.0), None));
    assert_eq!(
        spent("minimax-m2.1-free", Some("opencode")),
        (Some(0.0), None)
    );
    let unknown = Some(vec!["new-model".to_owned()]);
    assert_eq!(spent("new-model", Some("opencode")), (None, unknown));
}

#[test]
fn a_request_costs_what_its_service_and_its_length_cost() {
    let million = |id: &str, model: &str, tier: Option<&str>| Usage {
        tier: tier.map(str::to_owned),
        ..used(id, model, 1_000_000.0, 1_000_000.0)
    };
    let session = audited(
        "a",
        &[
            step(1.0, million("1", "claude-opus-4-6", None)),
            step(2.0, million("2", "claude-opus-4-6", Some("fast"))),
            step(3.0, million("3", "claude-opus-4-5", Some("fast"))),
            step(4.0, million("4", "gpt-5.5", Some("priority"))),
            step(5.0, million("5", "gpt-5.5", None)),
        ],
    );
    let usage = &session.report.usage;
    assert_eq!(usage.dollars, Some(30.0 + 180.0 + 55.0));
    let unpriced = usage.unpriced.clone().unwrap_or_default();
    assert_eq!((unpriced.requests, unpriced.tokens), (2, 4_000_000));
    let models = ["claude-opus-4-5: fast", "gpt-5.5: long requests"];
    assert_eq!(unpriced.models, models);
    // How long each of several was is not known.
    let several = Usage {
        is_of_several: true,
        ..million("1", "gpt-5.5", None)
    };
    let usage = audited("b", &[step(1.0, several)]).report.usage;
    assert_eq!(usage.dollars, Some(35.0));
}

#[test]
fn what_the_cache_costs_may_not_be_known() {
    let usage = Usage {
        cache_read: 3_000_000.0,
        ..used("1", "glm-4.5", 1_000_000.0, 1_000_000.0)
    };
    let usage = audited("a", &[step(1.0, usage)]).report.usage;
    let unpriced = Unpriced {
        requests: 1,
        tokens: 3_000_000,
        models: vec!["glm-4.5: cache".to_owned()],
    };
    assert_eq!((usage.dollars, usage.unpriced), (Some(2.8), Some(unpriced)));
}

#[test]
fn a_model_that_is_named_later_has_given_the_answers_before() {
    let unsaid = |id: &str| Usage {
        model: None,
        ..used(id, "", 1_000_000.0, 1_000_000.0)
    };
    let mut named = step(2.0, unsaid("2"));
    named.facts.model = Some("claude-sonnet-4-5".into());
    let records = [step(1.0, unsaid("1")), named, step(3.0, unsaid("3"))];
    let usage = audited("a", &records).report.usage;
    assert_eq!((usage.dollars, usage.unpriced), (Some(54.0), None));
}

#[test]
fn what_is_told_of_others_counts_where_they_do_not_tell_it() {
    let answer = |id: &str, output: f64, is_retold: bool| Usage {
        is_retold,
        ..used(id, "claude-sonnet-4-5", 10.0, output)
    };
    let parent = [
        step(1.0, answer("1", 2.0, true)),
        step(2.0, answer("2", 3.0, true)),
        step(3.0, answer("3", 5.0, false)),
    ];
    let own = || audited("subagent", &[step(9.0, answer("1", 70.0, false))]);
    for sessions in [
        vec![audited("parent", &parent), own()],
        vec![own(), audited("parent", &parent)],
    ] {
        let Summed { sessions, total } = all(sessions);
        assert_eq!((total.usage.requests, total.usage.output), (3, 78));
        let of = |file: &str| sessions.iter().find(|it| it.report.session.file == file);
        assert_eq!(of("parent").map(|it| it.report.usage.output), Some(8));
    }
}

#[test]
fn a_request_sends_no_more_than_its_model_takes() {
    let long: &'static str = "12345678".repeat(200_000).leak();
    let mut records = vec![record(1, 0.0, vec![asks(long)])];
    records.extend((0..10).map(|at| record(at + 2, at as f64, calls(at as usize, "a"))));
    let sent = |records: &[Record<'static>]| {
        let usage = audited("a", records).report.usage;
        (usage.cache_write / 1_000, usage.cache_read / 1_000)
    };
    assert_eq!(sent(&records), (200, 1_799));
    records[1].facts.model = Some("claude-opus-4-8".into());
    assert_eq!(sent(&records), (400, 3_600));
}

#[test]
fn what_is_recorded_counts_and_the_rest_is_estimated() {
    let output = |minute, id| {
        let used = used(id, "claude-sonnet-4-5", 0.0, 500.0);
        let is_output_alone = true;
        step(
            minute,
            Usage {
                is_output_alone,
                ..used
            },
        )
    };
    let mut records = vec![record(1, 0.0, vec![asks("12345678")])];
    records.extend([
        output(1.0, "1"),
        record(2, 1.0, answers(1, "1234")),
        output(2.0, "2"),
    ]);
    let usage = audited("a", &records).report.usage;
    assert_eq!((usage.output, usage.requests), (1_000, 2));
    assert!(usage.is_estimated && usage.is_cost_estimated);
    assert_eq!(
        usage.cache_read, 2,
        "of the second request the user's words"
    );
    assert!(usage.cache_write > 2);
    // The end of the run tells what was sent with all of them.
    records.push(step(3.0, used("2", "claude-sonnet-4-5", 3_000.0, 500.0)));
    let usage = audited("a", &records).report.usage;
    assert_eq!(
        (usage.input, usage.output, usage.tokens),
        (3_000, 1_000, 4_000)
    );
    assert!(!usage.is_estimated);
}

#[test]
fn tokens_are_rounded_once() {
    let records: Vec<Record> = (0..4)
        .map(|at| record(at, at as f64, answers(1, "a")))
        .collect();
    let report = audited("a", &records).report;
    assert_eq!((report.tokens.results, report.tokens.total), (1, 1));
}

#[test]
fn a_session_has_the_times_title_and_project_of_its_records() {
    let mut first = record(1, 0.0, vec![asks("<task>Fix it</task>")]);
    first.facts.working_directory = Some("/srv/app".into());
    let report = audited("a", &[first, record(2, 1.5, calls(1, "a"))]).report;
    assert_eq!(report.session.title.as_deref(), Some("Fix it"));
    assert_eq!(report.session.project.as_deref(), Some("/srv/app"));
    assert_eq!(
        report.session.started.as_deref(),
        Some("2026-09-01T12:00:00.000Z")
    );
    assert_eq!(
        report.session.ended.as_deref(),
        Some("2026-09-01T12:01:30.000Z")
    );
    let far = Record {
        time: Some(1e300),
        ..record(1, 0.0, calls(1, "a"))
    };
    assert_eq!(
        audited("a", &[far]).report.session.started.as_deref(),
        Some("9999-12-30T22:00:00.999Z")
    );
}

#[test]
fn sums_of_groups_are_the_total() {
    let day = 24.0 * 60.0;
    let mut in_project = record(1, 0.0, vec![asks("Go on.")]);
    in_project.facts.working_directory = Some("/srv/app".into());
    let money = Usage {
        dollars: Some(0.7),
        is_sum: true,
        ..Usage::default()
    };
    let sessions = || {
        vec![
            audited(
                "several days and models",
                &[
                    in_project_of(&in_project),
                    step(1.0, used("1", "claude-sonnet-4-5", 1_001.0, 103.0)),
                    step(1.0 + day, used("2", "gpt-5", 333.0, 71.0)),
                    step(1.0 + 40.0 * day, used("3", "new-model", 50.0, 7.0)),
                ],
            ),
            audited("estimated", &[record(2, 2.0 * day, calls(1, "a"))]),
            audited("money alone", &[step(3.0 * day, money.clone())]),
            audited(
                "money and tokens",
                &[
                    step(4.0 * day, used("4", "gpt-5", 10.0, 1.0)),
                    step(5.0 * day, used("5", "new-model", 20.0, 2.0)),
                    step(6.0 * day, money.clone()),
                ],
            ),
        ]
    };
    let Summed { sessions, total } = all(sessions());
    for (by, rows) in [
        (By::Day, 7),
        (By::Week, 2),
        (By::Month, 2),
        (By::Model, 4),
        (By::Project, 2),
        (By::Agent, 1),
    ] {
        let groups = grouped(&sessions, by, &day_of).rows;
        assert_eq!(groups.len(), rows, "{by:?} {groups:#?}");
        let sum = |of: fn(&crate::report::Group) -> u64| groups.iter().map(of).sum::<u64>();
        assert_eq!(sum(|it| it.tokens), total.usage.tokens, "{by:?}");
        assert_eq!(sum(|it| it.output), total.usage.output, "{by:?}");
        assert_eq!(sum(|it| it.requests), total.usage.requests, "{by:?}");
        let unpriced = |it: &crate::report::Group| it.unpriced.as_ref().map_or(0, |it| it.tokens);
        assert_eq!(
            sum(unpriced),
            total.usage.unpriced.as_ref().map_or(0, |it| it.tokens),
            "{by:?}"
        );
        let dollars: f64 = groups.iter().filter_map(|it| it.dollars).sum();
        assert!(
            (dollars - total.usage.dollars.unwrap_or(0.0)).abs() < 1e-9,
            "{by:?} {dollars}"
        );
        let saveable: f64 = groups.iter().filter_map(|it| it.saveable).sum();
        let expected = total.saveable.dollars.unwrap_or(0.0);
        assert!((saveable - expected).abs() < 1e-9, "{by:?} {saveable}");
    }
    let days = grouped(&sessions, By::Day, &day_of).rows;
    assert_eq!(days[0].key.as_deref(), Some("2026-09-01"));
    let weeks = grouped(&sessions, By::Week, &day_of).rows;
    assert_eq!(weeks[0].key.as_deref(), Some("2026-08-31"));
    let months = grouped(&sessions, By::Month, &day_of).rows;
    assert_eq!(months[1].key.as_deref(), Some("2026-10"));
}

fn in_project_of(record: &Record<'static>) -> Record<'static> {
    Record {
        place: record.place,
        items: record.items.clone(),
        facts: record.facts.clone(),
        time: record.time,
        key: record.key,
        ..Record::default()
    }
}

#[test]
fn each_message_of_the_user_is_a_prompt_of_its_own() {
    const WORDS: &str = "I have noted your question and will come back to it.";
    let says = || {
        vec![
            item(Event::TurnStarted),
            item(Event::Text { text: WORDS.into() }),
        ]
    };
    let noted = |count: u64, is_asked: fn(u64) -> bool| {
        let steps = (0..count).flat_map(|at| {
            let asked = is_asked(at).then(|| record(2 * at, at as f64, vec![asks("A question.")]));
            asked
                .into_iter()
                .chain([record(2 * at + 1, at as f64, says())])
        });
        let records: Vec<Record> = steps.collect();
        audited("a", &records).report.loops
    };
    assert_eq!(noted(12, |_| true), []);
    assert_eq!(noted(8, |at| at == 0).len(), 1);
    // Calls count over the session all the same.
    let mut records = vec![
        record(1, 0.0, vec![asks("Look.")]),
        record(2, 1.0, calls(99, "a")),
    ];
    records.push(record(3, 2.0, vec![asks("And the build?")]));
    for step in 0..8 {
        records.push(record(10 + step, 3.0, calls(step as usize, "build.log")));
        records.push(record(30 + step, 3.0, answers(step as usize, "Compiling…")));
    }
    let loops = audited("a", &records).report.loops;
    assert_eq!(loops.len(), 1);
    assert_eq!(
        (loops[0].first_call, loops[0].last_call),
        (Some(1), Some(8))
    );
}
