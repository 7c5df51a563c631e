//! The set of items rebuilt from an old conversation.

use super::diagnostic::{Diagnostic, DiagnosticCode, Problem};
use super::document::Document;
use super::evaluation::{file_of, tool_of};
use super::items::{ItemList, MISSING, Outcome};
use super::json::{Json, Property};
use super::origin::{Mention, OriginSource};
use super::saved_block::{Saved, split_saved};
use super::source::{Identity, Source};
use super::syntax::reference::ReferenceKind;
use super::syntax::references::{PathWithLines, read_path};
use super::{Conversation, GhostBlockAssembler};
use turnkeeper_base::text::Text;

impl GhostBlockAssembler {
    /// Takes the text of a user message of an old conversation, oldest first: the content that a
    /// block in it holds, and the files that it refers to, to be read with the next prompt. Tools
    /// are never run for it. Answers with the number of items there are then, rules left out.
    pub fn scan_message(&mut self, text: &str) -> usize {
        self.scan_message_units(&text.encode_utf16().collect::<Vec<_>>())
    }

    /// [`scan_message`](Self::scan_message) of UTF-16 code units.
    pub fn scan_message_units(&mut self, text: &[u16]) -> usize {
        self.conversation.texts += 1;
        let user = match split_saved(text) {
            Saved::Nothing | Saved::Unreadable(_) => text,
            Saved::Block { user, block } => {
                self.take_block(&block);
                user
            }
        };
        let conversation = &mut self.conversation;
        let document = Document::new(user, None);
        let parsed = document.parse(&self.settings, &mut conversation.scope);
        let mention = conversation.scanned();
        let mut items = ItemList::new(std::mem::take(&mut conversation.items));
        for reference in &parsed.references.list {
            let source = match reference.kind {
                ReferenceKind::File => file_of(reference, &self.settings).ok(),
                ReferenceKind::Tool => Some(tool_of(reference))
                    .filter(|tool| conversation.known.contains_key(&tool.identity)),
                ReferenceKind::Image | ReferenceKind::Macro => None,
            };
            // A path that may not be followed is none that an old conversation can add.
            if let Some(source) = source {
                items.refer(source, mention);
            }
        }
        conversation.items = items.without_lines_of_whole_files();
        conversation.items.truncate(self.settings.max_items);
        conversation.items.len()
    }

    /// What is wrong with the block that a saved text looks to end with.
    pub fn diagnose_saved_units(&self, text: &[u16]) -> Option<Diagnostic> {
        let Saved::Unreadable(at) = split_saved(text) else {
            return None;
        };
        let message = "this looks like a block of references, and cannot be read";
        let problem = Problem::new(at, DiagnosticCode::UnreadableBlock, message);
        Some(Document::new(text, None).diagnostic(problem))
    }

    fn take_block(&mut self, block: &Json) {
        let mention = self.conversation.scanned();
        let mut items = ItemList::new(std::mem::take(&mut self.conversation.items));
        let files = block.get("files").map_or(&[][..], Json::properties);
        for Property { key, value } in files {
            // A key is written as a reference is.
            let key = key.to_lossy();
            let source = read_path(key.trim())
                .ok()
                .and_then(|path| self.file_at(&path));
            if let Some(source) = source
                && let Some(outcome) = outcome_of(value, "content")
            {
                self.recall(&mut items, source, outcome, mention);
            }
        }
        for call in block.get("tools").map_or(&[][..], Json::items) {
            if let Some(name) = call.text("name")
                && let Some(args) = call.get("args")
                && let Some(outcome) = outcome_of(call, "result")
            {
                let source = Source::tool(&name.to_lossy(), args);
                if outcome.is_content() {
                    let known = &mut self.conversation.known;
                    known.insert(source.identity.clone(), outcome.clone());
                }
                self.recall(&mut items, source, outcome, mention);
            }
        }
        for rule in block.get("rules").map_or(&[][..], Json::items) {
            if self.settings.is_delta()
                && let Some(name) = rule.text("name")
                && let Some(content) = rule.text("content")
            {
                let outcome = Outcome::content(content.clone());
                let identity = Identity::Rule(name.to_lossy());
                self.conversation
                    .sent
                    .insert(identity, outcome.fingerprint());
            }
        }
        self.conversation.items = items.into_items();
    }

    fn file_at(&self, path: &PathWithLines) -> Option<Source> {
        let file = self.settings.roots.resolve(path.path).ok()?;
        Some(Source::file(file, path.start_line, path.end_line))
    }

    fn recall(&mut self, items: &mut ItemList, source: Source, outcome: Outcome, mention: Mention) {
        if self.settings.is_delta() {
            let sent = &mut self.conversation.sent;
            sent.insert(source.identity.clone(), outcome.fingerprint());
        }
        items.refer(source, mention).outcome = Some(outcome);
    }
}

impl Conversation {
    /// The old message that is being read.
    fn scanned(&self) -> Mention {
        Mention {
            source: OriginSource::History,
            turn: self.turn,
            order: self.texts,
        }
    }
}

/// The outcome of an item, from its entry in a block.
fn outcome_of(value: &Json, content: &str) -> Option<Outcome> {
    if let Json::Text(text) = value {
        return Some(Outcome::content(text.clone()));
    }
    if let Some(text) = value.text(content) {
        return Some(Outcome::content(text.clone()));
    }
    let error = value.text("error")?.clone();
    Some(match error == Text::from(MISSING) {
        true => Outcome::Missing,
        false => Outcome::Failed { error },
    })
}
