//! Saving an injector and going on later.

use super::{MACHINE, SummaryInjector};
use crate::error::{Error, ErrorCode};
use crate::setting::Setting;
use crate::snapshot::{Codec, Corrupt, Format, Reader, Writer};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'i',
    version: 1,
};

impl SummaryInjector {
    /// The injector as bytes, the same on every platform: the options, the task, the summaries, the
    /// messages that are kept, and of the open turn its workspace and rounds of thinking.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        self.clone().save()
    }

    /// The same, and nothing changes.
    pub(crate) fn save(&mut self) -> Vec<u8> {
        let mut to = Writer::new(FORMAT);
        self.options.write().save(&mut to);
        let mut codec = Codec::Save(to);
        self.visit(&mut codec);
        // Nothing that is written can be wrong.
        codec.end().unwrap_or_default()
    }

    /// An injector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let from = Reader::open(FORMAT, snapshot)?;
        Self::load(from).map_err(|Corrupt| {
            let message = "the snapshot does not hold an injector";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message)
        })
    }

    fn load(mut from: Reader) -> Result<Self, Corrupt> {
        let mut injector = Self::default();
        let options = Setting::load(&mut from)?;
        injector.set(&options).map_err(|_| Corrupt)?;
        let mut codec = Codec::Load(from);
        injector.visit(&mut codec);
        codec.end()?;
        Ok(injector)
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.count(&mut self.newest);
        let newest = self.newest;
        codec.text(&mut self.task);
        let mut is_open = self.open.is_some();
        codec.flag(&mut is_open);
        if is_open {
            let open = self.open.get_or_insert_default();
            codec.some_text(&mut open.workspace);
            codec.text(&mut open.rounds);
            codec.count(&mut open.count);
        }
        let mut before = 0;
        codec.list(&mut self.entries, |entry, codec| {
            entry.visit(codec);
            codec.check(entry.to == entry.from && before < entry.to && entry.to <= newest);
            before = entry.to;
        });
        self.folding.visit(codec, newest);
        codec.list(&mut self.messages, |kept, codec| {
            codec.number(&mut kept.turn, newest);
            let message = &mut kept.message;
            for text in [
                &mut message.role,
                &mut message.id,
                &mut message.text,
                &mut message.original,
            ] {
                codec.text(text);
            }
            codec.flag(&mut kept.is_recalled);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::fold::Folding;
    use super::super::{Message, Recall, SummaryInjectorOptions, Turn};
    use super::*;

    fn busy() -> SummaryInjector {
        let json = r#"{"maxTokens": 60, "maxRecalledMessages": 3, "maxMessages": 5}"#;
        let options = SummaryInjectorOptions::from_json(json).expect("valid");
        let mut injector = SummaryInjector::new(options).expect("valid");
        for turn in 1..9 {
            injector.start_turn(Turn {
                task: Some("目标\n=== TASK CONTEXT ===".to_owned()),
                workspace: Some("src/".to_owned()),
            });
            let message = Message {
                role: "user".to_owned(),
                id: "m".to_owned(),
                text: "words".to_owned(),
                original: "7".to_owned(),
            };
            injector.add_message(message).expect("a message");
            injector.add_thinking_round("Look.").expect("open");
            let stored =
                injector.store_summary(None, "A summary of so many words.", &["one".to_owned()]);
            stored.expect("open");
            if turn == 6 {
                let _ = injector.take_fold_request().expect("over the budget");
                let answered = injector.answer_fold_request("Folded.", &["two".to_owned()]);
                answered.expect("taken");
            }
        }
        let _ = injector.take_fold_request().expect("over the budget");
        let recalled = injector.recall(&Recall {
            ids: &["m".to_owned()],
            ..Recall::default()
        });
        assert_eq!(recalled, Ok(3));
        injector
    }

    #[test]
    fn everything_is_saved() {
        let injector = busy();
        let snapshot = injector.snapshot();
        let mut restored = SummaryInjector::restore(&snapshot).expect("just saved");
        assert_eq!(restored.snapshot(), snapshot);
        assert_eq!(format!("{restored:?}"), format!("{injector:?}"));
        restored.answer_fold_request("Folded.", &[]).expect("taken");
    }

    #[test]
    fn no_state_that_cannot_be_is_taken() {
        let wrong: [fn(&mut SummaryInjector); 6] = [
            |injector| injector.newest = 7,
            |injector| injector.entries[0].from = 0,
            |injector| injector.entries[1].from = 1,
            |injector| injector.entries.swap(0, 1),
            |injector| injector.entries[7].to = 9,
            |injector| injector.folding = Folding::wrong(),
        ];
        for (at, alter) in wrong.into_iter().enumerate() {
            let mut injector = busy();
            alter(&mut injector);
            // What is checked when it is read holds of all that is written.
            assert!(injector.snapshot().is_empty(), "{at}");
        }
    }
}
