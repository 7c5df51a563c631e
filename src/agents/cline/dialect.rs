//! Cline's hook files. The command line shows no prompt, and a failed command is told by its own output alone.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{self, Dialect, Meaning, prompt};
use crate::watch::event::{Event, FinishedCall, Happening, Reply, Requests, Results};
use crate::watch::fields::{Fields, ToldCall, result_text};

pub(super) static DIALECT: Dialect = Dialect {
    requests: Requests::Numbered,
    silence: "{}\n",
    rename,
    events: &[
        ("agent_start", Meaning::Prompt),
        ("agent_resume", Meaning::Prompt),
        ("taskstart", Meaning::Own(task_started)),
        ("taskresume", Meaning::Prompt),
        ("userpromptsubmit", Meaning::Own(prompt_submitted)),
        ("tool_result", Meaning::Own(result)),
        ("posttooluse", Meaning::Own(result)),
    ],
    answer,
    ..dialect::DIALECT
};

fn answer<'a>(_event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    if let Some(end) = reply.end {
        return Some(Json::object([
            ("cancel", true.into()),
            ("errorMessage", end.into()),
        ]));
    }
    // The documents name the first; releases of the command line read the second.
    let context = reply.context?;
    Some(Json::object([
        ("contextModification", context.clone().into()),
        ("context", context.into()),
    ]))
}

fn rename(payload: &mut Fields) {
    let name = payload.take("hookName");
    let session = payload.take_text(["taskId", "task_id"]);
    let is_subagent = match payload.take("parent_agent_id") {
        Some(Json::Text(parent)) => !parent.is_empty(),
        parent => parent.is_some_and(|it| it != false.into()),
    };
    let subagent = payload.take("agent_id").filter(|_| is_subagent);
    let told = [
        "iteration", "tool_result", "postToolUse", "userPromptSubmit", "taskStart",
    ];
    let told = told.map(|name| (name, payload.take(name)));
    *payload = Fields::default();
    payload.put("hook_event_name", name);
    payload.put("session_id", session.map(Json::Text));
    payload.put("agent_id", subagent);
    for (name, value) in told {
        payload.put(name, value);
    }
}

fn task_started<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    let mut started = Fields::of(payload.take("taskStart"));
    let mut about = Fields::of(started.take("taskMetadata"));
    Some(prompt(about.take("initialTask")))
}

fn prompt_submitted<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    Some(prompt(
        Fields::of(payload.take("userPromptSubmit")).take("prompt"),
    ))
}

fn result<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    let request = match payload.get("iteration") {
        Some(Json::Number(number)) => Some(number.to_string().into()),
        _ => None,
    };
    Some(Happening::Results(Results {
        calls: call(payload).into_iter().collect(),
        request,
        ..Results::default()
    }))
}

fn call<'a>(payload: &mut Fields<'a>) -> Option<FinishedCall<'a>> {
    let mut whole = Fields::of(payload.take("tool_result"));
    let mut brief = Fields::of(payload.take("postToolUse"));
    let has_failed = brief.get("success") == Some(&false.into());
    let told = ToldCall {
        id: whole.take("id"),
        name: whole.take("name").or_else(|| brief.take("toolName")),
        args: whole.take("input").or_else(|| brief.take("parameters")),
        output: whole.take("output").or_else(|| brief.take("result")),
        is_error: has_failed.then_some(true),
        exit_code: None,
    };
    finished(told)
}

/// A finished call, whose output may have parts, each with a result of its own.
fn finished(mut told: ToldCall<'_>) -> Option<FinishedCall<'_>> {
    if let Some(Json::List(parts)) = told.output {
        let has_failed = |part: &Json| part.get("success") == Some(&false.into());
        if parts.iter().any(has_failed) {
            told.is_error = Some(true);
        }
        let texts = parts.into_iter().map(|part| match part {
            Json::Object(fields) if fields.iter().any(|(name, _)| name == "result") => {
                let mut part = Fields::of(Some(Json::Object(fields)));
                result_text(part.take("result").unwrap_or_default())
            }
            part => result_text(part),
        });
        let texts: Vec<_> = texts.collect();
        told.output = Some(texts.join("\n").into());
    }
    told.finished()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, end, told};

    const RESULT: &str = r#"{"hookName": "tool_result", "taskId": "s", "agent_id": "main", "iteration": 4,
        "tool_result": {"id": "c", "name": "run", "input": {"commands": ["make"]},
                        "output": [{"query": "make", "result": "no rule", "success": false}, "b"]},
        "postToolUse": {"success": true}}"#;

    #[test]
    fn a_failed_command_is_told_by_its_own_output() {
        assert_eq!(
            told(&DIALECT, RESULT),
            "s/-/- results [c run {\"commands\":[\"make\"]} \"no rule\\nb\" failed] of 4"
        );
        let brief = r#"{"hookName": "PostToolUse", "task_id": "s", "parent_agent_id": "m", "agent_id": "a",
            "postToolUse": {"toolName": "read", "parameters": {"path": "x"}, "result": "X", "success": false}}"#;
        assert_eq!(
            told(&DIALECT, brief),
            "s/a/- results [read {\"path\":\"x\"} \"X\" failed]"
        );
    }

    #[test]
    fn prompts_come_in_several_events() {
        for (event, expected) in [
            (r#""agent_start""#, "prompt"),
            (
                r#""TaskStart", "taskStart": {"taskMetadata": {"initialTask": "Go."}}"#,
                "prompt Go.",
            ),
            (
                r#""UserPromptSubmit", "userPromptSubmit": {"prompt": "Go."}"#,
                "prompt Go.",
            ),
        ] {
            let event = format!(r#"{{"taskId": "s", "hookName": {event}}}"#);
            assert_eq!(told(&DIALECT, &event), format!("s/-/- {expected}"));
        }
    }

    #[test]
    fn a_fact_is_told_in_both_fields_and_a_stop_cancels() {
        assert_eq!(
            answered(&DIALECT, RESULT, context()),
            r#"{"contextModification":"a fact","context":"a fact"}"#
        );
        assert_eq!(
            answered(&DIALECT, RESULT, end()),
            r#"{"cancel":true,"errorMessage":"a loop"}"#
        );
    }
}
