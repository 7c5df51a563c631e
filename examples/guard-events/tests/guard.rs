//! The example as its users run it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn guard(options: Option<&str>, events: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_guard-events"))
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(events.as_bytes());
    child.wait_with_output().unwrap()
}

const CALL: &str = r#"{"type":"tool_call","name":"ls","args":{"path":"src"}}"#;
const RESULT: &str = r#"{"type":"tool_result","output":"main.rs"}"#;

#[test]
fn the_fifth_call_with_the_same_result_ends_the_agent() {
    let step = format!("{CALL}\n{RESULT}\n");
    let output = guard(None, &step.repeat(12));
    assert_eq!(output.status.code(), Some(3));
    // The result that completes the loop is held back.
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{}{CALL}\n", step.repeat(4))
    );
    let said = String::from_utf8_lossy(&output.stderr);
    let nudge = said.find("was called 3 times in a row");
    let feedback = said.find("for the model: ");
    let stop = said.find("was called 5 times in a row");
    assert!(
        nudge.is_some() && nudge < feedback && feedback < stop,
        "{said}"
    );
}

#[test]
fn calls_alone_are_compared_if_a_profile_does() {
    let options = r#"{"profile":"standard"}"#;
    let output = guard(Some(options), &format!("{CALL}\n").repeat(12));
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{CALL}\n").repeat(9)
    );
}

#[test]
fn a_threshold_of_the_hosts_stops_earlier() {
    let options = r#"{"profile":"standard","identicalCalls":4}"#;
    let output = guard(Some(options), &format!("{CALL}\n").repeat(12));
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{CALL}\n").repeat(3)
    );
}

#[test]
fn events_that_go_somewhere_come_through() {
    let events: String = (0..50)
        .map(|at| format!("{{\"type\":\"tool_call\",\"name\":\"ls\",\"args\":{{\"at\":{at}}}}}\n"))
        .collect();
    let output = guard(None, &events);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), events);
}

#[test]
fn what_is_no_event_is_said() {
    for (options, events) in [
        (None, "nonsense\n"),
        (None, "{}\n"),
        (Some(r#"{"profile":"nobody"}"#), ""),
    ] {
        let output = guard(options, events);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stderr.starts_with(b"guard-events: "));
    }
}
