//! The history of a prompt, whose earlier user messages lose the blocks that the newest one brings anew.

use serde_json::Value;
use turnkeeper_base::json;
use turnkeeper_ghost_block::javascript::without_saved_block;
use turnkeeper_history_deduper::{
    CandidateText, HistoryDeduper, PartChange, TextPlace, UserMessage,
};
use turnkeeper_summary_injector::PromptPhase;

/// A user message of the thinking phase begins and ends with these.
const OPEN: &str = "<user>\n";
const CLOSE: &str = "\n</user>";
/// The types of parts that are text; parts of text need none.
const TEXT_TYPES: [&str; 3] = ["text", "input_text", "output_text"];

/// The blocks that earlier messages lose.
pub(crate) struct EarlierBlocks<'a> {
    pub(crate) deduper: &'a HistoryDeduper,
    /// The white space before an environment.
    pub(crate) separator: &'a str,
    pub(crate) keeps_ghost_blocks: bool,
}

impl EarlierBlocks<'_> {
    /// Takes the blocks out of the user messages of a history, except for the newest in the thinking phase; all that is
    /// recalled in the action phase is of earlier turns. A message that is nothing but blocks stays as it is. Answers with
    /// the number of messages that have changed.
    pub(crate) fn remove(&self, phase: PromptPhase, history: &mut [String]) -> u32 {
        let mut changed = 0;
        let mut is_newest = phase == PromptPhase::Thinking;
        for message in history.iter_mut().rev() {
            let bare = match phase {
                PromptPhase::Action => self.of_message(message),
                PromptPhase::Thinking => match user_text(message) {
                    Some(_) if std::mem::take(&mut is_newest) => None,
                    Some(text) => self.of_text(text),
                    None => None,
                },
            };
            if let Some(bare) = bare {
                *message = bare;
                changed += 1;
            }
        }
        changed
    }

    /// A user message of the thinking phase without its blocks, if its text has some.
    fn of_text(&self, text: &str) -> Option<String> {
        let mut parts = [Value::from(text)];
        let is_changed = self.strip(&mut parts, TextPlace::WholeContent);
        is_changed.then(|| [OPEN, parts[0].as_str().unwrap_or_default(), CLOSE].concat())
    }

    /// A message without its blocks, if it is a user's that has some; both are JSON.
    fn of_message(&self, message: &str) -> Option<String> {
        let mut room = Vec::new();
        let message = json::parse(message.as_bytes(), &mut room).ok()?;
        let mut message = message.to_value();
        if message.get("role")?.as_str() != Some("user") {
            return None;
        }
        let name = match message.get("content") {
            Some(_) => "content",
            None => "parts",
        };
        let is_changed = match message.get_mut(name)? {
            Value::Array(parts) => {
                let is_changed = self.strip(parts, TextPlace::TextPart);
                parts.retain(|part| !part.is_null());
                is_changed
            }
            text => self.strip(std::slice::from_mut(text), TextPlace::WholeContent),
        };
        is_changed.then(|| json::written(&message))
    }

    /// Takes the blocks out of the parts of a content, if anything else is in it. A part that was nothing else becomes
    /// null. Answers with whether there were any.
    fn strip(&self, parts: &mut [Value], place: TextPlace) -> bool {
        let mut takes_ghost_block = !self.keeps_ghost_blocks;
        let mut bare = Vec::new();
        // The host's own parts may follow the ghost block.
        for (at, part) in parts.iter_mut().enumerate().rev() {
            let Some(text) = text_in(part).filter(|text| text.trim_end().ends_with('>')) else {
                continue;
            };
            let mut units: Vec<u16> = text.encode_utf16().collect();
            let length = units.len();
            let content = UserMessage {
                texts: vec![CandidateText::from_utf16(0, place, &units)],
                part_count: 1,
                has_other_content: true,
            };
            let edit = self.deduper.strip(&content, self.separator).pop();
            match edit.map(|edit| edit.change) {
                Some(PartChange::Rewrite { text }) => units = text.pick_utf16(&units),
                Some(_) => units.clear(),
                None => {}
            }
            if takes_ghost_block {
                let user = without_saved_block(&units).len();
                takes_ghost_block = user == units.len();
                units.truncate(user);
            }
            if units.len() < length {
                bare.push((at, String::from_utf16_lossy(&units)));
            }
        }
        let emptied = bare.iter().filter(|(_, text)| text.is_empty()).count();
        if bare.is_empty() || emptied == parts.len() {
            return false;
        }
        for (at, text) in bare {
            match text_in(&mut parts[at]) {
                Some(place) if !text.is_empty() => *place = text,
                _ => parts[at] = Value::Null,
            }
        }
        true
    }
}

/// The text of a user message of the thinking phase.
fn user_text(message: &str) -> Option<&str> {
    message.strip_prefix(OPEN)?.strip_suffix(CLOSE)
}

/// The text of a part, in the shapes of all providers.
fn text_in(part: &mut Value) -> Option<&mut String> {
    let field = match part.get("type") {
        None if part.get("value").is_some() => "value",
        Some(Value::String(name)) if !TEXT_TYPES.contains(&name.as_str()) => return None,
        _ => "text",
    };
    match part {
        Value::String(text) => Some(text),
        part => match part.get_mut(field)? {
            Value::String(text) => Some(text),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_history_deduper::DedupeOptions;

    use super::*;

    const BLOCK: &str = "<environment_details>\\nthen\\n</environment_details>";

    /// The messages of the action phase without their blocks, which come after a line end.
    fn bare(messages: &[String]) -> (Vec<String>, u32) {
        let deduper = HistoryDeduper::new(DedupeOptions::default()).expect("valid");
        let blocks = EarlierBlocks {
            deduper: &deduper,
            separator: "\n",
            keeps_ghost_blocks: false,
        };
        let mut history = messages.to_vec();
        let changed = blocks.remove(PromptPhase::Action, &mut history);
        (history, changed)
    }

    #[test]
    fn a_block_goes_with_the_sessions_separator_in_whichever_shape() {
        let messages = [
            format!(r#"{{"role":"user","content":"Go on.\n{BLOCK}","at":1.5}}"#),
            format!(r#"{{"role":"user","parts":[{{"text":"Go on."}},{{"text":"\n{BLOCK}"}}]}}"#),
            format!(r#"{{"role":"user","content":[{{"value":"Go on."}},{{"value":"{BLOCK}"}}]}}"#),
        ];
        let expected = [
            r#"{"role":"user","content":"Go on.","at":1.5}"#,
            r#"{"role":"user","parts":[{"text":"Go on."}]}"#,
            r#"{"role":"user","content":[{"value":"Go on."}]}"#,
        ];
        assert_eq!(bare(&messages), (expected.map(str::to_owned).to_vec(), 3));
    }

    #[test]
    fn what_is_nothing_but_blocks_is_no_users_or_no_message_stays() {
        let messages = [
            format!(r#"{{"role":"user","content":"{BLOCK}"}}"#),
            format!(r#"{{"role":"user","content":[{{"type":"text","text":"{BLOCK}"}}]}}"#),
            format!(r#"{{"role":"assistant","content":"Go on.\n{BLOCK}"}}"#),
            format!(r#"{{"role":"user","content":[{{"type":"input","text":"{BLOCK}"}},1]}}"#),
            format!("Go on.\n{BLOCK}"),
        ];
        assert_eq!(bare(&messages), (messages.to_vec(), 0));
    }
}
