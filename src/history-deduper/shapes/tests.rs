use turnkeeper_base::json::{edited, parse};

use crate::{DedupeOptions, HistoryReading, MessageFate};

/// The messages as they are written after a repair; they are JSON on lines of their own, and stay so.
fn repaired(messages: &[String], options: &str) -> Vec<String> {
    let options = DedupeOptions::from_json(options).expect("options");
    let mut reading = HistoryReading::new(options).expect("options that fit");
    let mut room = vec![Vec::new(); messages.len()];
    let values = messages.iter().zip(&mut room);
    let values: Vec<_> = values
        .map(|(text, room)| parse(text.as_bytes(), room).expect("JSON"))
        .collect();
    values.iter().for_each(|message| reading.take(message));
    let edits = reading.finish();
    let written = messages.iter().zip(&values).zip(0..);
    let written = written.filter_map(|((text, value), index)| match edits.of(index, value) {
        MessageFate::Stays => Some(text.clone()),
        MessageFate::Goes => None,
        MessageFate::Changes(edits) => {
            let bytes = edited(text.as_bytes(), &edits);
            Some(String::from_utf8(bytes).expect("UTF-8"))
        }
    });
    written.collect()
}

const FILE: &str = "let answer = \\u0034\\u0032;\\n";

fn file() -> String {
    FILE.repeat(40)
}

/// A call that reads the file, and its result with that text, in the shape of each provider.
fn reads(id: &str, said: &str) -> Vec<(&'static str, Vec<String>)> {
    let args = r#"{\"path\": \"a.rs\"}"#;
    vec![
        (
            "chat messages",
            vec![
                format!(
                    r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"read_file","arguments":"{args}"}}}}]}}"#
                ),
                format!(r#"{{"role":"tool", "tool_call_id":"{id}","content":"{said}","n":1.0}}"#),
            ],
        ),
        (
            "items",
            vec![
                format!(r#"{{"type":"function_call","call_id":"{id}","name":"read_file","arguments":"{args}"}}"#),
                format!(r#"{{"type":"function_call_output","call_id":"{id}", "output":[{{"type":"input_text","text":"{said}"}}]}}"#),
            ],
        ),
        (
            "Gemini's contents",
            vec![
                r#"{"role":"model","parts":[{"functionCall":{"name":"read_file","args":{"path":"a.rs"}}}]}"#.to_owned(),
                format!(
                    r#"{{"role":"user","parts":[{{"functionResponse":{{"name":"read_file","response":{{"output" :"{said}"}}}}}}]}}"#
                ),
            ],
        ),
        (
            "the AI SDK's messages",
            vec![
                format!(
                    r#"{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"{id}","toolName":"read_file","input":{{"path":"a.rs"}}}}]}}"#
                ),
                format!(
                    r#"{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"{id}","toolName":"read_file","output":{{"type":"text","value":"{said}"}}}}]}}"#
                ),
            ],
        ),
        (
            "the AI SDK's messages of old",
            vec![
                format!(
                    r#"{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"{id}","toolName":"read_file","args":{{"path":"a.rs"}}}}]}}"#
                ),
                format!(
                    r#"{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"{id}","toolName":"read_file","result":"{said}"}}]}}"#
                ),
            ],
        ),
        (
            "VS Code's messages",
            vec![
                format!(r#"{{"role":2,"content":[{{"callId":"{id}","name":"read_file","input":{{"path":"a.rs"}}}}]}}"#),
                format!(r#"{{"role":1,"content":[{{"callId":"{id}","content":[{{"value":"{said}"}}]}}]}}"#),
            ],
        ),
    ]
}

#[test]
fn an_older_copy_gives_way_in_every_shape_and_all_else_keeps_its_bytes() {
    let notice = "[An older copy of a.rs, 680 characters, stood here; the newest is in message 3.]";
    let (first, second) = (reads("1", &file()), reads("2", &file()));
    let expected = reads("1", notice);
    for (((what, first), (_, second)), (_, expected)) in first.iter().zip(&second).zip(&expected) {
        let given = [&first[..], second].concat();
        let expected = [&expected[..], second].concat();
        assert_eq!(
            repaired(&given, r#"{"files":"newest"}"#),
            expected,
            "{what}"
        );
    }
}

#[test]
fn a_result_that_is_json_in_a_text_changes_within_it() {
    let call = |id: u32| {
        format!(
            r#"{{"type":"function_call","call_id":"{id}","name":"read_file","arguments":"{{\"path\":\"a.rs\"}}"}}"#
        )
    };
    let output = |id: u32, said: &str| {
        format!(
            r#"{{"type":"function_call_output","call_id":"{id}","output":"{{ \"output\": \"{said}\",\"metadata\":{{\"exit_code\":0}}}}"}}"#
        )
    };
    let said = "let a = 1;\\\\n".repeat(40);
    let notice = "[An older copy of a.rs, 440 characters, stood here; the newest is in message 3.]";
    let given = [call(1), output(1, &said), call(2), output(2, &said)];
    let expected = [call(1), output(1, notice), call(2), output(2, &said)];
    assert_eq!(repaired(&given, r#"{"files":"newest"}"#), expected);
}

#[test]
fn an_older_write_gives_way_within_the_json_of_its_arguments() {
    let write = |id: u32, content: &str| {
        [
            format!(
                r#"{{"role":"assistant","content":"I write.","tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"write_file","arguments":"{{\"path\":\"a.rs\" ,\"content\":\"{content}\",\"n\":1.0}}"}}}}]}}"#
            ),
            format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"Created a.rs."}}"#),
        ]
    };
    let content = "let a = \\\\\\\"é\\\\\\\";\\\\n".repeat(40);
    let [made, answer] = write(1, &content);
    let given = [&[made.clone(), answer.clone()][..], &write(2, &content)].concat();
    let result = repaired(&given, r#"{"economy":"compact"}"#);
    assert_eq!(result[1..], given[1..]);
    let (before, rest) = result[0]
        .split_once("[An older copy of a.rs, ")
        .expect("a notice");
    let (_, after) = rest.split_once(']').expect("its end");
    assert_eq!(format!("{before}{content}{after}"), made);
}

#[test]
fn blocks_go_in_every_shape() {
    let block = |n: u32| format!("<environment_details>\\n# Time\\n{n}\\n</environment_details>");
    let (one, two) = (block(1), block(2));
    for (given, expected) in [
        (
            format!(
                r#"{{"role":"user","parts":[{{"text":"Go."}}, {{"text":"{one}"}} ,{{"text":"{two}"}}]}}"#
            ),
            format!(r#"{{"role":"user","parts":[{{"text":"Go."}} ,{{"text":"{two}"}}]}}"#),
        ),
        (
            format!(
                r#"{{"role":"user","content":[{{"text":"Go."}},{{"text":"{one}"}},{{"text":"{two}"}}]}}"#
            ),
            format!(r#"{{"role":"user","content":[{{"text":"Go."}},{{"text":"{two}"}}]}}"#),
        ),
        (
            format!(r#"{{"role":1,"content":[{{"value":"{one}"}},{{"value":"Go."}}]}}"#),
            format!(r#"{{"role":1,"content":[{{"value":"Go."}},{{"value":"{one}"}}]}}"#),
        ),
        (
            format!(
                r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{one}"}},{{"type":"input_text","text":"{two}"}}]}}"#
            ),
            format!(
                r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{two}"}}]}}"#
            ),
        ),
    ] {
        assert_eq!(
            repaired(std::slice::from_ref(&given), "{}"),
            [expected],
            "{given}"
        );
    }
}

#[test]
fn second_results_go_in_every_shape() {
    for (what, read) in reads("1", "said") {
        let given = [&read[..], &read[1..]].concat();
        assert_eq!(repaired(&given, "{}"), read, "{what}");
    }
}

#[test]
fn what_is_in_no_providers_shape_stays() {
    let given = ["7", "null", "[]", r#"{"role":7}"#, r#"{"type":"x"}"#].map(str::to_owned);
    assert_eq!(
        repaired(&given, r#"{"economy":"compact","targetTokens":1}"#),
        given
    );
}
