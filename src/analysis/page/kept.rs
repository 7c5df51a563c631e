//! Records that are kept, which borrow nothing.

use std::borrow::Cow;

use turnkeeper_agents::sessions::{Facts, Item, Record, Said};
use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

/// A record as it is kept. The provider's own message is left out: the file is read again where it is needed.
pub(super) fn kept(record: &Record) -> Record<'static> {
    let Record {
        place,
        items,
        original: _,
        holder: _,
        path: _,
        facts,
        usage,
        time,
        key,
        is_again,
        problem,
        left_out,
    } = record;
    Record {
        place: *place,
        items: items.iter().map(kept_item).collect(),
        original: None,
        holder: &[],
        path: None,
        facts: Facts {
            working_directory: facts.working_directory.as_deref().map(owned),
            title: facts.title.as_deref().map(owned),
            model: facts.model.as_deref().map(owned),
        },
        usage: usage.clone(),
        time: *time,
        key: *key,
        is_again: *is_again,
        problem: problem.clone(),
        left_out: *left_out,
    }
}

fn kept_item(item: &Item) -> Item<'static> {
    Item {
        event: kept_event(&item.event),
        said: item.said.as_ref().map(|said| Said {
            kind: said.kind,
            text: owned(&said.text),
        }),
    }
}

fn kept_event(event: &Event) -> Event<'static> {
    match event {
        Event::Text { text } => Event::Text { text: owned(text) },
        Event::Reasoning { text } => Event::Reasoning { text: owned(text) },
        Event::ToolCall {
            id,
            name,
            args,
            key,
        } => Event::ToolCall {
            key: key.as_deref().map(owned),
            id: id.as_deref().map(owned),
            name: owned(name),
            args: args.as_deref().map(|args| Cow::Owned(owned_json(args))),
        },
        Event::ToolResult {
            id,
            output,
            is_error,
            exit_code,
        } => Event::ToolResult {
            id: id.as_deref().map(owned),
            output: owned(output),
            is_error: *is_error,
            exit_code: *exit_code,
        },
        Event::TurnStarted => Event::TurnStarted,
        Event::UserMessage { words, is_report } => Event::UserMessage {
            is_report: *is_report,
            words: words.as_deref().map(owned),
        },
        Event::Finished => Event::Finished,
        Event::Condensation => Event::Condensation,
        Event::Retry => Event::Retry,
        Event::LoopReported { by, detail } => Event::LoopReported {
            by: by.as_deref().map(owned),
            detail: detail.as_deref().map(owned),
        },
        Event::PromptStarted {
            prompt_id,
            model,
            user_prompt,
        } => Event::PromptStarted {
            prompt_id: owned(prompt_id),
            model: model.as_deref().map(owned),
            user_prompt: user_prompt.as_deref().map(owned),
        },
        Event::Other => Event::Other,
    }
}

fn owned(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.to_owned())
}

/// The copy borrows the same texts, which are then made its own.
fn owned_json(value: &Json) -> Json<'static> {
    value.clone().into_owned()
}

/// The record as if this model had answered, where a prompt names one; nothing where none does.
pub(super) fn with_model(record: &Record, model: &str) -> Option<Record<'static>> {
    let names = |item: &Item| matches!(item.event, Event::PromptStarted { .. });
    if !record.items.iter().any(names) {
        return None;
    }
    let mut changed = kept(record);
    for item in &mut changed.items {
        if let Event::PromptStarted { model: named, .. } = &mut item.event {
            *named = Some(Cow::Owned(model.to_owned()));
        }
    }
    Some(changed)
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn a_record_is_the_same_when_it_is_kept_but_for_the_message() {
        let mut room = Vec::new();
        let args = parse(br#"{"a":["x",1,null]}"#, &mut room).expect("JSON");
        let call = Event::ToolCall {
            key: None,
            id: Some("1".into()),
            name: "read".into(),
            args: Some(Cow::Borrowed(&args)),
        };
        let items = vec![Item {
            event: call,
            said: None,
        }];
        let record = Record {
            place: 3,
            items,
            original: Some(&args),
            time: Some(5.0),
            ..Record::default()
        };
        let same = kept(&record);
        assert_eq!((same.place, same.time), (3, Some(5.0)));
        assert_eq!(format!("{:?}", same.items), format!("{:?}", record.items));
        assert!(same.original.is_none());
    }

    #[test]
    fn another_model_answers_the_prompts_that_name_one() {
        let prompt = Event::PromptStarted {
            prompt_id: "p".into(),
            model: Some("a".into()),
            user_prompt: None,
        };
        let record = |event| Record {
            items: vec![Item { event, said: None }],
            ..Record::default()
        };
        let record_of_prompt = record(prompt);
        let changed = with_model(&record_of_prompt, "b").expect("a prompt");
        let Event::PromptStarted { model, .. } = &changed.items[0].event else {
            panic!("a prompt");
        };
        assert_eq!(model.as_deref(), Some("b"));
        assert!(with_model(&record(Event::Other), "b").is_none());
    }
}
