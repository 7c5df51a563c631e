//! What of a history newer messages say better.

use turnkeeper_agents::sessions::Record;
use turnkeeper_base::json::Json;
use turnkeeper_history_deduper::{DedupeOptions, Economy, HistoryReading, KindTotals};
use turnkeeper_messages::openai::is_item;

use super::report::{Outdated, OutdatedItems, OutdatedKinds};

/// The tags of blocks where nobody says otherwise and older messages change, too: the last one is that of Claude Code's
/// notes.
pub(crate) const TAGS: [&str; 2] = ["environment_details", "system-reminder"];

/// The message that a record holds, if the history is made of it.
pub(crate) fn message_of<'a>(record: &Record<'a>) -> Option<&'a Json<'a>> {
    let message = record.original?;
    let has_role = message.get("role").is_some_and(|it| it.as_text().is_some());
    (record.path.is_some() || has_role || is_item(message)).then_some(message)
}

/// Counts what of a history is outdated. Of its messages sizes, hashes, paths and places alone are kept, and the texts
/// of the newest.
#[derive(Debug, Clone)]
pub(crate) struct OutdatedCount {
    reading: HistoryReading,
    has_message: bool,
}

impl Default for OutdatedCount {
    fn default() -> Self {
        Self::new()
    }
}

impl OutdatedCount {
    /// A count of no message.
    pub(crate) fn new() -> Self {
        let options = DedupeOptions {
            tags: Some(TAGS.map(str::to_owned).into()),
            economy: Some(Economy::Resume),
            ..DedupeOptions::default()
        };
        Self {
            reading: HistoryReading::new(options).expect("these options fit"),
            has_message: false,
        }
    }

    /// Takes in the next record of the session.
    pub(crate) fn take(&mut self, record: &Record) {
        if let Some(root) = &record.facts.working_directory {
            self.reading.set_root(root);
        }
        if let Some(message) = message_of(record) {
            self.reading.take(message);
            self.has_message = true;
        }
    }

    /// The outdated part; `None` if the session holds no messages that are sent again.
    pub(crate) fn end(self) -> Option<Outdated> {
        if !self.has_message {
            return None;
        }
        let report = self.reading.finish().report;
        let kinds = report.kinds;
        let sent = [kinds.duplicate, kinds.environment, kinds.file].map(tokens_sent);
        Some(Outdated {
            tokens: report.tokens_saved.into(),
            tokens_sent: sent.iter().sum::<f64>().round() as u64,
            dollars: None,
            kinds: OutdatedKinds {
                duplicate: items(kinds.duplicate),
                environment: items(kinds.environment),
                file: items(kinds.file),
            },
        })
    }
}

fn items(kind: KindTotals) -> OutdatedItems {
    OutdatedItems {
        items: kind.items.into(),
        tokens: kind.tokens.into(),
    }
}

/// The tokens of a kind, times the requests that carried them.
fn tokens_sent(kind: KindTotals) -> f64 {
    if kind.characters == 0 {
        return 0.0;
    }
    f64::from(kind.tokens) * kind.request_characters as f64 / f64::from(kind.characters)
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    fn count(messages: &str) -> Option<Outdated> {
        let mut room = Vec::new();
        let messages = parse(messages.as_bytes(), &mut room).expect("JSON");
        let mut count = OutdatedCount::new();
        for message in messages.items() {
            count.take(&Record {
                original: Some(message),
                ..Record::default()
            });
        }
        count.end()
    }

    #[test]
    fn older_copies_and_blocks_are_counted_with_the_requests_that_sent_them() {
        let file = "let answer = 42;\\n".repeat(40);
        let env = |n: u32| format!("<environment_details>\\n# Time\\n{n}\\n</environment_details>");
        let read = |id: u32| {
            format!(
                r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"read_file","input":{{"path":"a.rs"}}}}]}},
                {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{file}"}},{{"type":"text","text":"{}"}}]}}"#,
                env(id)
            )
        };
        let outdated = count(&format!("[{},{},{}]", read(1), read(2), read(3))).expect("messages");
        assert_eq!(outdated.kinds.file.items, 2);
        assert_eq!(outdated.kinds.environment.items, 2);
        assert_eq!(outdated.kinds.duplicate.items, 0);
        let kinds = outdated.kinds;
        assert_eq!(
            outdated.tokens,
            kinds.file.tokens + kinds.environment.tokens
        );
        // The first were sent twice, the second once.
        assert_eq!(outdated.tokens_sent, outdated.tokens * 3 / 2);
    }

    #[test]
    fn a_session_without_messages_has_nothing_that_is_sent_again() {
        assert_eq!(count("[]"), None);
        assert_eq!(count(r#"[{"type":"tool_call"}]"#), None);
        let fresh = count(r#"[{"role":"user","content":"Go."}]"#).expect("a message");
        assert_eq!(fresh, Outdated::default());
    }
}
