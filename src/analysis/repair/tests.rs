use turnkeeper_agents::sessions::SessionReader;
use turnkeeper_base::json::parse;

use super::*;

/// The repaired file, and the totals, of a file that is read in chunks of that many bytes.
fn repaired_in(text: &str, options: &str, chunk: usize) -> (String, RepairTotals) {
    let options = DedupeOptions::from_json(options).expect("options");
    let mut repair = Repair::new(options).expect("options that fit");
    let unit = read(text, chunk, &mut |piece| repair.take(piece));
    let (totals, plan) = repair.end();
    let mut rewriting = Rewriting::new(&plan, unit == "line");
    let mut out = Vec::new();
    read(text, chunk, &mut |piece| rewriting.take(piece, &mut out));
    rewriting.end(&mut out);
    (String::from_utf8(out).expect("UTF-8"), totals)
}

fn read(text: &str, chunk: usize, take: &mut dyn FnMut(&Piece)) -> &'static str {
    let mut reader = SessionReader::new("history");
    for chunk in text.as_bytes().chunks(chunk) {
        reader.push(chunk, take).expect("a session");
    }
    reader.end(take).expect("a session");
    reader.unit()
}

/// The same for any chunks; a second repair changes nothing.
fn repaired(text: &str, options: &str) -> (String, RepairTotals) {
    let (made, totals) = repaired_in(text, options, text.len());
    for chunk in [1, 7, 100] {
        assert_eq!(
            repaired_in(text, options, chunk),
            (made.clone(), totals.clone())
        );
    }
    let (again, none) = repaired_in(&made, options, made.len());
    assert_eq!((&again, none.messages_changed), (&made, 0), "a second time");
    (made, totals)
}

fn fitted(text: &str) -> (String, ResultTotals) {
    let (made, totals) = repaired(text, "{}");
    (made, totals.results)
}

const NOTE: &str = "No result was recorded for this call.";

/// Messages of Anthropic's, and their parts.
fn call(ids: &[&str]) -> String {
    let uses = ids
        .iter()
        .map(|id| format!(r#"{{"type":"tool_use","id":"{id}","name":"ls","input":{{}}}}"#));
    let uses = uses.collect::<Vec<_>>().join(",");
    format!(r#"{{"role":"assistant","content":[{uses}]}}"#)
}

fn result(id: &str) -> String {
    format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}"#)
}

fn missing(id: &str) -> String {
    format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{NOTE}","is_error":true}}"#)
}

fn user(parts: &[String]) -> String {
    format!(r#"{{"role":"user","content":[{}]}}"#, parts.join(", "))
}

fn text(text: &str) -> String {
    format!(r#"{{"type":"text","text":"{text}"}}"#)
}

fn file(messages: &[&str]) -> String {
    format!("[\n {}\n]\n", messages.join(",\n "))
}

const ANSWER: &str = r#"{"role":"assistant","content":"Yes."}"#;

#[test]
fn anthropics_calls_without_results_get_some_in_their_places() {
    let (words, answer) = (GO, ANSWER);

    // The user has gone on.
    let given = file(&[words, &call(&["a"]), words, answer]);
    let (made, totals) = fitted(&given);
    let added = format!(r#"{{"role":"user","content":[{}]}}"#, missing("a"));
    assert_eq!(made, file(&[words, &call(&["a"]), &added, words, answer]));
    assert_eq!((totals.missing, totals.waiting), (1, 0));

    // One of two is there, and words come after it.
    let given = file(&[
        words,
        &call(&["a", "b"]),
        &user(&[result("b"), text("Stop.")]),
        answer,
    ]);
    let made = file(&[
        words,
        &call(&["a", "b"]),
        &user(&[result("b"), missing("a"), text("Stop.")]),
        answer,
    ]);
    assert_eq!(fitted(&given).0, made);
}

#[test]
fn anthropics_results_may_be_in_several_messages_or_not_there_yet_or_late() {
    let (words, answer) = (GO, ANSWER);

    // The provider puts messages of one speaker together.
    let given = file(&[
        words,
        &call(&["a"]),
        &call(&["b"]),
        &user(&[result("b")]),
        &user(&[result("a")]),
        answer,
    ]);
    assert_eq!(fitted(&given), (given.clone(), ResultTotals::default()));

    // The last calls wait.
    let given = file(&[words, &call(&["a", "b"]), &user(&[result("a")])]);
    let (made, totals) = fitted(&given);
    assert_eq!((made, totals.waiting, totals.mended()), (given, 1, 0));

    // A result that comes too late.
    let given = file(&[
        words,
        &call(&["a"]),
        words,
        &user(&[result("a"), text("So.")]),
        answer,
    ]);
    let (made, totals) = fitted(&given);
    let moved = format!(r#"{{"role":"user","content":[{}]}}"#, result("a"));
    assert_eq!(
        made,
        file(&[
            words,
            &call(&["a"]),
            &moved,
            words,
            &user(&[text("So.")]),
            answer
        ])
    );
    assert_eq!((totals.moved, totals.missing), (1, 0));
}

#[test]
fn results_without_calls_go_or_become_words() {
    let result = |id: &str| {
        format!(
            r#"{{"type":"tool_result","tool_use_id":"{id}","content":[{{"type":"text","text":"said"}}]}}"#
        )
    };
    let answer = r#"{"role":"assistant","content":"Yes."}"#;
    let given = format!(
        r#"[{{"role":"user","ts":1.0,"content":[{}]}} ,{answer}, {{"role":"user","content":[ {},{{"type":"text","text":"Go."}}]}}]"#,
        result("a"),
        result("b")
    );
    let (made, totals) = fitted(&given);
    assert_eq!(
        made,
        format!(
            r#"[{{"role":"user","ts":1.0,"content":[{{"type":"text","text":"said"}}]}} ,{answer}, {{"role":"user","content":[ {{"type":"text","text":"Go."}}]}}]"#
        )
    );
    assert_eq!(totals.orphaned, 2);
}

#[test]
fn chat_messages_are_fitted() {
    let call = |id: &str| {
        format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"ls","arguments":"{{}}"}}}}]}}"#
        )
    };
    let result = |id: &str, said: &str| {
        format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{said}"}}"#)
    };
    let words = r#"{"role":"user","content":"Go on."}"#;
    let file = |messages: &[&str]| {
        messages
            .iter()
            .map(|it| format!("{it}\r\n"))
            .collect::<String>()
    };
    let given = file(&[
        words,
        &result("z", "lost"),
        &call("a"),
        &call("b"),
        &result("a", "x"),
        &result("b", "y"),
        &result("b", "y"),
        &call("c"),
        words,
        &call("d"),
    ]);
    let (made, totals) = fitted(&given);
    let expected = file(&[
        words,
        r#"{"role":"user","content":"lost"}"#,
        &call("a"),
        &result("a", "x"),
        &call("b"),
        &result("b", "y"),
        &call("c"),
        &result("c", NOTE),
        words,
        &call("d"),
    ]);
    assert_eq!(made, expected);
    let expected = ResultTotals {
        doubled: 1,
        orphaned: 1,
        missing: 1,
        moved: 1,
        waiting: 1,
    };
    assert_eq!(totals, expected);
}

#[test]
fn items_contents_and_messages_of_the_ai_sdk_are_fitted() {
    let words = r#"{"role":"user","content":"Go on."}"#;
    let item = r#"{"type":"function_call","call_id":"a","name":"ls","arguments":"{}"}"#;
    let said =
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}"#;
    let output = format!(r#"{{"type":"function_call_output","call_id":"a","output":"{NOTE}"}}"#);
    assert_eq!(
        fitted(&format!("[{item}, {said}]")).0,
        format!("[{item}, {output}, {said}]")
    );
    let lost = r#"{"type":"function_call_output","call_id":"b","output":"lost"}"#;
    let kept =
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"lost"}]}"#;
    assert_eq!(
        fitted(&format!("[{said},{lost}]")).0,
        format!("[{said},{kept}]")
    );

    let call = r#"{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}},{"functionCall":{"name":"ls","args":{}}}]}"#;
    let content = r#"{"role":"user","parts":[{"text":"Go on."}]}"#;
    let answer = |more: &str| {
        let one = r#"{"functionResponse":{"name":"ls","response":{"output":"x"}}}"#;
        format!(r#"{{"role":"user","parts":[{one}{more}]}}"#)
    };
    let missing =
        format!(r#", {{"functionResponse":{{"name":"ls","response":{{"error":"{NOTE}"}}}}}}"#);
    let given = format!("[{content},{call},{},{content}]", answer(""));
    assert_eq!(
        fitted(&given).0,
        format!("[{content},{call},{},{content}]", answer(&missing))
    );

    for (args, said) in [
        (
            "input",
            format!(r#""output":{{"type":"error-text","value":"{NOTE}"}}"#),
        ),
        ("args", format!(r#""result":"{NOTE}","isError":true"#)),
    ] {
        let call = format!(
            r#"{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"a","toolName":"ls","{args}":{{}}}}]}}"#
        );
        let result = format!(
            r#"{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"a","toolName":"ls",{said}}}]}}"#
        );
        assert_eq!(
            fitted(&format!("[{call},{words}]")).0,
            format!("[{call},{result},{words}]")
        );
    }
    let lost = r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"b","toolName":"ls","output":{"type":"text","value":"lost"}}]}"#;
    let kept = r#"{"role":"user","content":[{"type":"text","text":"lost"}]}"#;
    assert_eq!(
        fitted(&format!("[{words},{lost}]")).0,
        format!("[{words},{kept}]")
    );
}

#[test]
fn elements_go_with_their_commas_wherever_they_are() {
    let result =
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}"#;
    let call =
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}"#;
    let words = r#"{"role":"user","content":"Go on."}"#;
    let empty =
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":""}]}"#;
    for (given, expected) in [
        (
            format!("[ {empty} , {words}, {words} ]"),
            format!("[ {words}, {words} ]"),
        ),
        (
            format!("[{empty}\n,{empty},\t{words}]"),
            format!("[{words}]"),
        ),
        (
            format!(r#"{{"n":1.0, "messages":[{call},{result},{result} ], "m":[1, 2]}}"#),
            format!(r#"{{"n":1.0, "messages":[{call},{result} ], "m":[1, 2]}}"#),
        ),
        (
            format!("[{call}, {result} ,{result}\n,{words}]"),
            format!("[{call}, {result}\n,{words}]"),
        ),
    ] {
        assert_eq!(fitted(&given).0, expected, "{given}");
    }
}

#[test]
fn an_economy_and_blocks_change_together_with_results() {
    let file = "let answer = 42;\\n".repeat(40);
    let block = |n: u32| {
        format!(
            r#"{{"type":"text","text":"<environment_details>\n# Time\n{n}\n</environment_details>"}}"#
        )
    };
    let read = |id: u32, lost: &str| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"read_file","input":{{"path":"a.rs"}}}}]}},{{"role":"user","content":[{}, {lost}{{"type":"tool_result","tool_use_id":"{id}","content":"{file}"}}, {}]}}"#,
            block(id),
            block(id + 10)
        )
    };
    let lost = r#"{"type":"tool_result","tool_use_id":"z","content":"lost"},"#;
    let given = format!(
        "[{},{},{}]",
        read(1, lost),
        read(2, ""),
        r#"{"role":"user","content":"Go."}"#
    );
    let (made, totals) = repaired(&given, r#"{"economy":"resume"}"#);
    assert!(
        !made.contains("lost") && !made.contains("# Time\\n1\\n"),
        "{made}"
    );
    assert_eq!(made.matches("[An older copy of a.rs").count(), 1);
    assert_eq!(totals.results.orphaned, 1);
    assert_eq!(totals.kinds.expect("kinds").file.items, 1);
    let mut room = Vec::new();
    assert!(parse(made.as_bytes(), &mut room).is_ok(), "{made}");
}

/// Lines of Claude Code's, each of which follows the one before unless its parent is named.
fn claude_lines(lines: &[(&str, Option<&str>, &str)]) -> String {
    let mut text = String::new();
    let mut before = String::from("null");
    for (uuid, parent, message) in lines {
        let parent = parent.map_or(before.clone(), |parent| format!("\"{parent}\""));
        let kind = if message.contains("\"assistant\"") {
            "assistant"
        } else {
            "user"
        };
        text.push_str(&format!(
            "{{\"parentUuid\":{parent},\"isSidechain\":false, \"cwd\":\"/work\",\"sessionId\":\"s\",\"type\":\"{kind}\",\"message\":{message},\"uuid\":\"{uuid}\",\"timestamp\":\"2026-01-02T03:04:05.678Z\"}}\n"
        ));
        before = format!("\"{uuid}\"");
    }
    text
}

fn said(id: &str, part: &str) -> String {
    format!(r#"{{"id":"{id}","role":"assistant","content":[{part}]}}"#)
}

fn claude_call(id: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"Bash","input":{{}}}}"#)
}

fn claude_result(id: &str) -> String {
    format!(
        r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}]}}"#
    )
}

const GO: &str = r#"{"role":"user","content":"Go on."}"#;

#[test]
fn a_line_of_claude_code_is_added_within_its_chain() {
    let (first, second) = (said("m1", &claude_call("a")), said("m1", &claude_call("b")));
    let (answer, result) = (
        said("m2", r#"{"type":"text","text":"Yes."}"#),
        claude_result("a"),
    );
    let lines = [
        ("u1", None, GO),
        ("u2", None, &first),
        ("u3", None, &second),
        ("u4", Some("u2"), &result),
        // Another try, which was given up.
        (
            "x1",
            Some("u3"),
            &first.replace("\"a\"", "\"z\"").replace("m1", "m9"),
        ),
        ("u5", Some("u3"), GO),
        ("u6", None, &answer),
    ];
    let given = claude_lines(&lines);
    let (made, totals) = fitted(&given);
    assert_eq!((totals.missing, totals.waiting, totals.orphaned), (1, 0, 0));
    let added: Vec<&str> = made.lines().filter(|line| !given.contains(line)).collect();
    let [new, moved] = added[..] else {
        panic!("{made}")
    };
    let uuid = &new[new.find("\"uuid\":\"").expect("an id") + 8..][..36];
    assert_eq!(
        new,
        format!(
            r#"{{"parentUuid":"u3","isSidechain":false,"cwd":"/work","sessionId":"s","type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"b","content":"{NOTE}","is_error":true}}]}},"uuid":"{uuid}","timestamp":"2026-01-02T03:04:05.678Z"}}"#
        )
    );
    let last = claude_lines(&[("u5", Some("u3"), GO)]);
    assert_eq!(
        moved,
        last.trim_end().replace("\"u3\"", &format!("\"{uuid}\""))
    );
    assert_eq!(made.lines().position(|line| line == new), Some(3));
}

#[test]
fn lines_of_claude_code_that_go_are_followed_by_what_followed_them() {
    let (call, result) = (said("m1", &claude_call("a")), claude_result("a"));
    let answer = said("m2", r#"{"type":"text","text":"Yes."}"#);
    let given = claude_lines(&[
        ("u1", None, GO),
        ("u2", None, &call),
        ("u3", None, &result),
        ("u4", None, &result),
        ("u5", None, &result),
        ("u6", None, &answer),
    ]);
    let made = claude_lines(&[
        ("u1", None, GO),
        ("u2", None, &call),
        ("u3", None, &result),
        ("u6", Some("u3"), &answer),
    ]);
    let (fitted, totals) = fitted(&given);
    assert_eq!((fitted, totals.doubled), (made, 2));
    // A line that was written twice is still there.
    let twice = claude_lines(&[
        ("u2", Some("u1"), &call),
        ("u3", None, &result),
        ("u3", Some("u2"), &result),
        ("u4", None, &answer),
    ]);
    let once = claude_lines(&[
        ("u2", Some("u1"), &call),
        ("u3", None, &result),
        ("u4", None, &answer),
    ]);
    assert_eq!(repaired(&twice, "{}").0, once);
}

#[test]
fn what_claude_code_has_compacted_is_not_there_for_results() {
    let boundary = r#"{"parentUuid":null,"logicalParentUuid":"u2","type":"system","subtype":"compact_boundary","uuid":"u3","sessionId":"s"}"#;
    let call = said("m1", &claude_call("a"));
    let before = claude_lines(&[("u1", None, GO), ("u2", None, &call)]);
    let after = claude_lines(&[("u4", Some("u3"), GO), ("u5", None, &claude_result("a"))]);
    let given = format!("{before}{boundary}\n{after}");
    let (made, totals) = fitted(&given);
    assert_eq!((totals.orphaned, totals.missing), (1, 0));
    let words = r#"[{"type":"text","text":"x"}]"#;
    let part = r#"[{"type":"tool_result","tool_use_id":"a","content":"x"}]"#;
    assert_eq!(made, given.replace(part, words));
    // Newer releases keep the end of what was there.
    let kept = boundary.replace(
        "\"uuid\"",
        "\"compactMetadata\":{\"preservedSegment\":{}},\"uuid\"",
    );
    let (_, totals) = fitted(&format!("{before}{kept}\n{after}"));
    assert_eq!(totals.orphaned, 0);
}

#[test]
fn texts_that_say_nothing_go_and_a_message_that_has_to_be_there_says_so() {
    let text = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
    let parts = |role: &str, texts: &[&str]| {
        let parts = texts.iter();
        let parts = parts.map(|text| format!(r#"{{"type":"text","text":"{text}"}}"#));
        let parts = parts.collect::<Vec<_>>().join(",");
        format!(r#"{{"role":"{role}","content":[{parts}]}}"#)
    };
    let gemini = |role: &str, texts: &[&str]| {
        let parts = texts.iter().map(|text| format!(r#"{{"text":"{text}"}}"#));
        let parts = parts.collect::<Vec<_>>().join(",");
        format!(r#"{{"role":"{role}","parts":[{parts}]}}"#)
    };
    const WORDS: &str = "No text was recorded for this message.";
    let result = |content: &str| {
        format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":{content}}}]}}"#
        )
    };
    let nothing = r#"{"type":"text","text":" "}"#;
    let x = r#"{"type":"text","text":"x"}"#;
    let (user, model) = (text("user", "Go."), text("assistant", "Yes."));
    let cases = [
        (
            vec![parts("user", &["Go.", "", " \\n"])],
            vec![parts("user", &["Go."])],
            2,
        ),
        // Between two of one speaker.
        (
            vec![user.clone(), text("assistant", ""), user.clone()],
            vec![user.clone(), text("assistant", WORDS), user.clone()],
            1,
        ),
        (
            vec![user.clone(), parts("assistant", &["", ""]), user.clone()],
            vec![user.clone(), parts("assistant", &[WORDS]), user.clone()],
            1,
        ),
        // Between two who take turns anyway, and at the end.
        (
            vec![
                user.clone(),
                text("user", " "),
                model.clone(),
                text("assistant", ""),
            ],
            vec![user.clone(), model.clone()],
            2,
        ),
        // At the beginning.
        (
            vec![text("user", ""), model.clone()],
            vec![text("user", WORDS), model.clone()],
            1,
        ),
        (
            vec![
                gemini("user", &["Go.", ""]),
                gemini("model", &[""]),
                gemini("user", &["On."]),
            ],
            vec![
                gemini("user", &["Go."]),
                gemini("model", &[WORDS]),
                gemini("user", &["On."]),
            ],
            2,
        ),
        (
            vec![call(&["a"]), result(&format!("[{nothing}]"))],
            vec![call(&["a"]), result("\"\"")],
            1,
        ),
        (
            vec![call(&["a"]), result(&format!("[{nothing},{x}]"))],
            vec![call(&["a"]), result(&format!("[{x}]"))],
            1,
        ),
    ];
    for (history, expected, count) in cases {
        let history = format!("[{}]", history.join(","));
        let (made, totals) = repaired(&history, "{}");
        assert_eq!(made, format!("[{}]", expected.join(",")), "{history}");
        assert_eq!(totals.empty_texts, count, "{history}");
    }
    let thinking = r#"{"type":"thinking","thinking":"Hm.","signature":"s"}"#;
    let thought = |text: &str| {
        format!(
            r#"{{"role":"assistant","content":[{thinking},{{"type":"text","text":"{text}"}}]}}"#
        )
    };
    let (made, _) = repaired(&format!("[{user},{},{user}]", thought("")), "{}");
    assert_eq!(made, format!("[{user},{},{user}]", thought(WORDS)));
}

#[test]
fn what_may_say_nothing_stays() {
    for history in [
        r#"[{"role":"system","content":""},{"role":"user","content":"Go."}]"#,
        r#"[{"role":"user","content":"Go."},{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"t","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":""},{"role":"assistant","content":"Yes."}]"#,
        r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":""},{"type":"image","source":{}}]}]"#,
        r#"[{"type":"message","role":"assistant","content":[{"type":"output_text","text":""}]},{"role":"user","content":"Go."}]"#,
        r#"[{"role":"user","parts":[{"text":"Go."}]},{"role":"model","parts":[{"text":"","thoughtSignature":"s"},{"functionCall":{"name":"t","args":{}}}]}]"#,
    ] {
        let (made, totals) = repaired(history, "{}");
        assert_eq!(totals.empty_texts, 0, "{history}");
        let _ = made;
    }
}

#[test]
fn a_line_that_says_nothing_goes_and_the_next_follows_the_one_before() {
    let line = |at: u32, after: &str, message: &str| {
        format!(
            r#"{{"uuid":"u{at}","parentUuid":{after},"sessionId":"s","type":"x","message":{message}}}"#
        )
    };
    let of =
        |kind: &str, line: String| line.replace(r#""type":"x""#, &format!(r#""type":"{kind}""#));
    let user = |at, after: &str| {
        of(
            "user",
            line(at, after, r#"{"role":"user","content":"Go."}"#),
        )
    };
    let model = |at, after: &str, text: &str| {
        let message = format!(
            r#"{{"role":"assistant","type":"message","id":"m{at}","content":[{{"type":"text","text":"{text}"}}]}}"#
        );
        of("assistant", line(at, after, &message))
    };
    let lines = [
        user(0, "null"),
        model(1, r#""u0""#, " "),
        model(2, r#""u1""#, "Yes."),
        user(3, r#""u2""#),
    ];
    let moved = model(2, r#""u0""#, "Yes.");
    let expected = [&lines[0], &moved, &lines[3]].map(String::as_str);
    let (made, totals) = repaired(&(lines.join("\n") + "\n"), "{}");
    assert_eq!(made, expected.join("\n") + "\n");
    assert_eq!(totals.empty_texts, 1);
}
