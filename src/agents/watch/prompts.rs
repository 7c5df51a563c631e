//! When a prompt has begun: with a message that begins one, or with an id where no words are shown.

use turnkeeper_base::text::first_units;
use turnkeeper_base::text::hash::fingerprint;
use turnkeeper_messages::{is_blank, prompt_start, users_words};

use super::record::Record;

/// As much of a prompt is compared with what the model repeats, in UTF-16 code units.
const LONGEST_WORDS: usize = 8_192;

/// The user's words in a message that begins a prompt: empty, if the agent does not show them or there are none, as
/// with a picture and with a timer; `None` if the message begins no prompt.
pub(crate) fn words_of(text: Option<&str>) -> Option<&str> {
    match text {
        Some(text) if !is_blank(text) => {
            prompt_start(text).map(|_| users_words(text).unwrap_or_default())
        }
        _ => Some(""),
    }
}

/// The length of a text in UTF-16 code units.
pub(crate) fn units(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => text.encode_utf16().count(),
    }
}

/// Begins a prompt if the user's message does, with the words that are answered. One that the agent tells again before
/// each request does not.
pub(crate) fn hear_message<'a>(
    text: Option<&'a str>,
    prompt_id: Option<&str>,
    record: &mut Record,
) -> Option<&'a str> {
    let words = words_of(text).map(|words| first_units(words, LONGEST_WORDS));
    let hash = words.map(|words| fingerprint(words.as_bytes()));
    let is_known_id = prompt_id.is_some() && prompt_id == record.prompt_id.as_deref();
    let is_of_prompt = record.words.is_some() && (words == Some("") || hash == record.words);
    record.request_began = true;
    if let Some(prompt_id) = prompt_id {
        record.prompt_id = Some(prompt_id.to_owned());
    }
    let words = words.filter(|_| !(is_known_id && is_of_prompt))?;
    start_prompt(record);
    record.words = hash;
    record.tells_messages = true;
    Some(words)
}

/// Begins a prompt if the id of what happened is a new one, of which no message has told.
pub(crate) fn hear_id(prompt_id: Option<&str>, record: &mut Record) {
    if prompt_id.is_none() || prompt_id == record.prompt_id.as_deref() {
        return;
    }
    record.prompt_id = prompt_id.map(str::to_owned);
    if !record.is_new {
        start_prompt(record);
    }
}

fn start_prompt(record: &mut Record) {
    record.prompts += 1;
    record.is_new = true;
    record.prompt_began = true;
    record.request_began = true;
    record.words = None;
    record.asked = None;
    record.ended = None;
    record.was_told = false;
    record.refuse_next = None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_as_long_as_its_units() {
        assert_eq!((units("a😀"), units("ab")), (3, 2));
    }

    #[test]
    fn a_message_begins_a_prompt_unless_it_is_told_again_or_others_wrote_it() {
        let mut record = Record::default();
        let mut hear = |text: &str, id: Option<&str>| {
            let before = record.prompts;
            hear_message(Some(text), id, &mut record);
            record.prompts - before
        };
        assert_eq!(hear("Go on.", Some("1")), 1);
        assert_eq!(hear("Go on.", Some("1")), 0);
        assert_eq!(hear("", Some("1")), 0);
        assert_eq!(hear("Now the tests.", Some("1")), 1);
        assert_eq!(hear("[cron:1] x", Some("2")), 1);
        assert_eq!(hear("Stop hook success", Some("3")), 0);
        assert_eq!(hear("Go on.", None), 1);
        assert_eq!(hear("Go on.", None), 1);
    }
}
