use super::*;
use crate::watch::log::Done;

fn watch(mode: Mode) -> Watch {
    Watch::new(mode, Requests::Marked, UserSettings::default())
}

/// Something that happened, as a plugin tells it.
fn happening(json: &str) -> Happening<'_> {
    serde_json::from_str(json).expect("a happening")
}

/// A request with a call that has ended.
fn look(watch: &mut Watch, session: &str) -> Heard<'static> {
    watch.happened(session, &happening(r#"{"type": "request"}"#), None, 1.0);
    let ended = r#"{"type": "results", "calls": [
        {"name": "bash", "args": "{\"command\": \"cat a\"}", "output": {"stdout": "a"}},
        {"output": "without a name"}]}"#;
    watch.happened(session, &happening(ended), None, 1.0)
}

fn message(text: &str) -> Json<'_> {
    Json::object([("role", "user".into()), ("content", text.into())])
}

#[test]
fn a_loop_is_told_to_the_model_and_a_stop_to_the_user_once() {
    let mut watch = watch(Mode::Stop);
    watch.asked("s", &message("Go on."), None, 1.0);
    let heard: Vec<_> = (0..6).map(|_| look(&mut watch, "s")).collect();
    let done: Vec<Vec<_>> = heard
        .iter()
        .map(|it| it.log.iter().map(|line| line.what).collect())
        .collect();
    assert_eq!(
        done,
        [
            vec![],
            vec![],
            vec![Done::Nudge],
            vec![],
            vec![Done::Stop],
            vec![]
        ]
    );
    let stopped: Vec<bool> = heard.iter().map(|it| it.stopped.is_some()).collect();
    assert_eq!(stopped, [false, false, false, false, true, false]);
    let verdicts: Vec<_> = heard.iter().map(|it| it.verdict.as_ref()).collect();
    assert!(matches!(verdicts[2], Some(LoopVerdict::Nudge { .. })));
    assert!(matches!(verdicts[4], Some(LoopVerdict::Stop { .. })));
    assert_eq!(verdicts.iter().flatten().count(), 2);
    assert!(heard[5].reply.end.is_some());
    let json = serde_json::to_value(&heard[2]).expect("plain data");
    assert_eq!(json["log"][0]["what"], "nudge");
    assert!(json["reply"]["context"].is_string() && json["reply"].get("end").is_none());
    watch.asked("s", &message("Go on."), None, 1.0);
    assert_eq!(look(&mut watch, "s").reply, Reply::default());
}

#[test]
fn what_is_to_be_told_later_waits_for_an_answer_that_reaches_the_model() {
    let mut watch = watch(Mode::Hint);
    watch.tell_later("s", "A fact.".to_owned());
    let heard = watch.asked("s", &message("Go on."), None, 1.0);
    assert_eq!(heard.reply.context, None);
    assert_eq!(
        look(&mut watch, "s").reply.context.as_deref(),
        Some("A fact.")
    );
}

#[test]
fn the_ledger_has_the_users_words_and_the_calls() {
    let mut watch = watch(Mode::Hint);
    assert_eq!(watch.ledger("s"), None);
    watch.asked("s", &message("[cron:1] look"), None, 1.0);
    watch.asked("s", &message("Mend the build."), None, 1.0);
    look(&mut watch, "s");
    let ledger = watch.ledger("s").expect("something was done");
    assert!(
        ledger.contains("Mend the build.") && ledger.contains("cat a"),
        "{ledger}"
    );
    assert!(!ledger.contains("cron"), "{ledger}");
}

#[test]
fn of_many_sessions_the_longest_silent_is_forgotten() {
    let mut watch = watch(Mode::Hint);
    for at in 0..MOST_SESSIONS {
        look(&mut watch, &at.to_string());
    }
    look(&mut watch, "0");
    look(&mut watch, "one more");
    assert!(watch.ledger("0").is_some());
    assert!(watch.ledger("1").is_none());
}

#[test]
fn every_happening_is_read() {
    for json in [
        r#"{"type": "prompt"}"#,
        r#"{"type": "prompt", "text": "a\n"}"#,
        r#"{"type": "request"}"#,
        r#"{"type": "compacted"}"#,
        r#"{"type": "call_asked", "name": "bash"}"#,
        r#"{"type": "call_asked", "name": "bash", "args": {"a": [1, null]}}"#,
        r#"{"type": "results", "calls": [], "request": "1", "contextIsLate": true}"#,
    ] {
        watch(Mode::Hint).happened("s", &happening(json), Some("p"), 1.0);
    }
}
