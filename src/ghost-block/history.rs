//! The set of items rebuilt from an old conversation.

use serde::Serialize;

use super::conversation::Conversation;
use super::diagnostic::{Diagnostic, DiagnosticCode, Problem};
use super::document::Document;
use super::evaluation::{file_of, tool_of};
use super::items::{Item, ItemList, MISSING, Outcome};
use super::json::{Json, Property};
use super::origin::{Mention, OriginSource};
use super::saved_block::{Saved, split_saved};
use super::settings::Settings;
use super::source::{Identity, Source};
use super::syntax::reference::ReferenceKind;
use super::syntax::references::read_path;
use turnkeeper_base::text::Text;

/// The findings in an old conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ScannedHistory {
    /// The number of items that there are now, rules left out.
    pub items: usize,
    /// Problems: each is of a text that looks like a block and cannot be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Takes the texts of user messages of an old conversation, oldest first.
pub(crate) fn scan<T: AsRef<[u16]>>(
    texts: impl IntoIterator<Item = T>,
    conversation: &mut Conversation,
    settings: &Settings,
) -> ScannedHistory {
    let mut diagnostics = Vec::new();
    let items = ItemList::new(std::mem::take(&mut conversation.items));
    let mut scan = Scan {
        conversation,
        settings,
        items,
    };
    // The list is cut only after it has grown by as much again, so that each item is looked at a few times.
    let room = settings.max_items.saturating_mul(2).max(1_000);
    for text in texts {
        diagnostics.extend(scan.text(text.as_ref()));
        if scan.items.len() > room {
            scan.items = ItemList::new(within_limit(scan.items, settings));
        }
    }
    let items = within_limit(scan.items, settings);
    conversation.items = items;
    ScannedHistory {
        items: conversation.items.len(),
        diagnostics,
    }
}

fn within_limit(items: ItemList, settings: &Settings) -> Vec<Item> {
    let mut items = items.without_lines_of_whole_files();
    items.truncate(settings.max_items);
    items
}

/// An old conversation that is being read.
struct Scan<'a> {
    conversation: &'a mut Conversation,
    settings: &'a Settings,
    items: ItemList,
}

impl Scan<'_> {
    /// Takes one text, and answers with what is wrong with the block that it looks to end with.
    fn text(&mut self, text: &[u16]) -> Option<Diagnostic> {
        self.conversation.texts += 1;
        let mention = self.conversation.mention(OriginSource::History, false);
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
                self.block(&block, mention);
                user
            }
        };
        let document = Document::new(user, None);
        let parsed = document.parse(self.settings, &mut self.conversation.scope);
        for reference in &parsed.references.list {
            let source = match reference.kind {
                ReferenceKind::File => file_of(reference, self.settings).ok(),
                ReferenceKind::Tool => tool_of(reference)
                    .filter(|tool| self.conversation.known.contains_key(&tool.identity)),
                ReferenceKind::Image | ReferenceKind::Macro => None,
            };
            // A path that may not be followed is none that an old conversation can add.
            if let Some(source) = source {
                self.items.refer(source, mention);
            }
        }
        diagnostic
    }

    fn block(&mut self, block: &Json, mention: Mention) {
        let files = block.get("files").map_or(&[][..], Json::properties);
        for Property { key, value } in files {
            // A key is written as a reference is.
            let key = key.to_lossy();
            if let Ok(path) = read_path(key.trim())
                && let Ok(file) = self.settings.roots.resolve(path.path)
                && let Some(outcome) = outcome_of(value, "content")
            {
                let source = Source::file(file, path.start_line, path.end_line);
                self.recall(source, outcome, mention);
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
                self.recall(source, outcome, mention);
            }
        }
        for rule in block.get("rules").map_or(&[][..], Json::items) {
            if let Some(name) = rule.text("name")
                && let Some(content) = rule.text("content")
            {
                let outcome = Outcome::content(content.clone());
                self.remember_sent(&Identity::Rule(name.to_lossy()), &outcome);
            }
        }
    }

    fn recall(&mut self, source: Source, outcome: Outcome, mention: Mention) {
        self.remember_sent(&source.identity, &outcome);
        self.items.refer(source, mention).outcome = Some(outcome);
    }

    fn remember_sent(&mut self, identity: &Identity, outcome: &Outcome) {
        if self.settings.is_delta() {
            let sent = &mut self.conversation.sent;
            sent.insert(identity.clone(), outcome.fingerprint());
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
