//! The set of items rebuilt from an old conversation.

use super::diagnostic::{Diagnostic, DiagnosticCode, Problem};
use super::document::Document;
use super::evaluation::{file_of, tool_of};
use super::items::{Item, ItemList, MISSING, Outcome};
use super::json::{Json, Property};
use super::origin::{Mention, OriginSource};
use super::saved_block::{Saved, split_saved};
use super::source::{Identity, Source};
use super::syntax::reference::ReferenceKind;
use super::syntax::references::{PathWithLines, read_path};
use super::{Conversation, GhostBlockAssembler};
use turnkeeper_base::text::Text;

/// What was found in an old conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScannedHistory {
    /// How many items there are now, rules left out.
    pub items: usize,
    /// What looks like a block and cannot be read.
    pub diagnostics: Vec<Diagnostic>,
}

impl GhostBlockAssembler {
    /// Takes the texts of user messages of an old conversation, oldest first: the content that the
    /// blocks in them hold, and the files that they refer to, to be read with the next prompt. Tools
    /// are never run for them. The time is linear in the texts and the items together.
    pub fn scan_history<T: AsRef<[u16]>>(
        &mut self,
        texts: impl IntoIterator<Item = T>,
    ) -> ScannedHistory {
        let mut diagnostics = Vec::new();
        let mut items = ItemList::new(std::mem::take(&mut self.conversation.items));
        // The list is cut only after it has grown by as much again, so that each item is looked at a few times.
        let room = self.settings.max_items.saturating_mul(2).max(1_000);
        for text in texts {
            diagnostics.extend(self.scan_text(text.as_ref(), &mut items));
            if items.len() > room {
                items = ItemList::new(self.within_limit(items));
            }
        }
        self.conversation.items = self.within_limit(items);
        ScannedHistory {
            items: self.conversation.items.len(),
            diagnostics,
        }
    }

    fn within_limit(&self, items: ItemList) -> Vec<Item> {
        let mut items = items.without_lines_of_whole_files();
        items.truncate(self.settings.max_items);
        items
    }

    /// Takes one text, and answers with what is wrong with the block that it looks to end with.
    fn scan_text(&mut self, text: &[u16], items: &mut ItemList) -> Option<Diagnostic> {
        self.conversation.texts += 1;
        let mut diagnostic = None;
        let user = match split_saved(text) {
            Saved::Nothing => text,
            Saved::Unreadable(at) => {
                let message = "this looks like a block of references, and cannot be read";
                let problem = Problem::new(at, DiagnosticCode::UnreadableBlock, message);
                diagnostic = Some(Document::new(text, None).diagnostic(problem));
                text
            }
            Saved::Block { user, block } => {
                self.take_block(&block, items);
                user
            }
        };
        let conversation = &mut self.conversation;
        let document = Document::new(user, None);
        let parsed = document.parse(&self.settings, &mut conversation.scope);
        let mention = conversation.scanned();
        for reference in &parsed.references.list {
            let source = match reference.kind {
                ReferenceKind::File => file_of(reference, &self.settings).ok(),
                ReferenceKind::Tool => tool_of(reference)
                    .filter(|tool| conversation.known.contains_key(&tool.identity)),
                ReferenceKind::Image | ReferenceKind::Macro => None,
            };
            // A path that may not be followed is none that an old conversation can add.
            if let Some(source) = source {
                items.refer(source, mention);
            }
        }
        diagnostic
    }

    fn take_block(&mut self, block: &Json, items: &mut ItemList) {
        let mention = self.conversation.scanned();
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
                self.recall(items, source, outcome, mention);
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
                self.recall(items, source, outcome, mention);
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
