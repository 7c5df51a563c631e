//! Records that are kept, which borrow nothing.

use std::borrow::Cow;

use turnkeeper_agents::sessions::{Item, Record};
use turnkeeper_messages::Event;

/// A record as it is kept. The provider's own message is left out: the file is read again where it is needed.
pub(super) fn kept(record: &Record) -> Record<'static> {
    let items = record.items.iter();
    Record {
        place: record.place,
        items: items.map(|item| item.clone().into_owned()).collect(),
        original: None,
        holder: &[],
        path: None,
        facts: record.facts.clone().into_owned(),
        usage: record.usage.clone(),
        time: record.time,
        key: record.key,
        is_again: record.is_again,
        problem: record.problem.clone(),
        left_out: record.left_out,
    }
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
