//! The set of items rebuilt from an old conversation.

use super::GhostBlockAssembler;
use super::block::{read, split};
use super::evaluate::Document;
use super::inspect::{Reference, ReferenceKind};
use super::items::{Item, Outcome, Said, Source, drop_parts, refer};
use super::json::Json;
use super::syntax::references::read_path;
use super::text::Text;
use super::write::hash;

impl GhostBlockAssembler {
    /// Takes the text of a user message of an old conversation, oldest first: the content that a
    /// block in it holds, and the files that it refers to, to be read with the next prompt. Tools
    /// are never run for it. Answers with the number of items there are then, rules left out.
    pub fn scan_message(&mut self, text: &[u16]) -> usize {
        let (user, block) = split(text);
        self.state.turn += 1;
        if let Some(block) = block.and_then(read) {
            self.take_block(&block);
        }
        let mut references = Vec::new();
        let document = Document::new(user, None);
        document.parse(
            &self.settings,
            &mut self.state.scope,
            &mut Vec::new(),
            &mut references,
        );
        for reference in &references {
            let source = match reference.kind {
                ReferenceKind::File => self.settings.resolve(reference).ok(),
                ReferenceKind::Tool => Some(reference.tool())
                    .filter(|tool| self.state.known.get(&tool.identity).is_some()),
                _ => None,
            };
            // A path that may not be followed is none that an old conversation can add.
            if let Some(source) = source {
                refer(&mut self.state.items, source, self.state.turn);
            }
        }
        drop_parts(&mut self.state.items);
        self.state.items.len()
    }

    fn take_block(&mut self, block: &Json) {
        for (key, value) in entries(block, "files") {
            // A key is written as a reference is.
            let mut reference = Reference::new(ReferenceKind::File, 0, 0);
            let wrong = read_path(key.to_lossy().trim(), &mut reference);
            if wrong.is_none()
                && let Ok(source) = self.settings.resolve(&reference)
                && let Some(said) = said(value, "content")
            {
                self.recall(source, said);
            }
        }
        for (_, value) in entries(block, "tools") {
            if let Some(name) = value.text("name")
                && let Some(args) = value.get("args")
                && let Some(said) = said(value, "result")
            {
                let source = Source::tool(&name.to_lossy(), args);
                if said.is_content() {
                    self.state.known.insert(&source.identity, said.clone());
                }
                self.recall(source, said);
            }
        }
        for (_, value) in entries(block, "rules") {
            if self.settings.is_delta
                && let Some(name) = value.text("name")
                && let Some(content) = value.text("content")
            {
                let rule = Item::rule(&name.to_lossy(), Text::default());
                let hash = hash(&Said::content(content.clone()));
                self.state.sent.insert(&rule.source.identity, hash);
            }
        }
    }

    fn recall(&mut self, source: Source, said: Said) {
        if self.settings.is_delta {
            self.state.sent.insert(&source.identity, hash(&said));
        }
        let place = refer(&mut self.state.items, source, self.state.turn);
        self.state.items[place].said = Some(said);
    }
}

fn entries<'a>(block: &'a Json, section: &str) -> &'a [(Text, Json)] {
    block.get(section).map_or(&[], Json::entries)
}

/// What an entry of a block says of its item.
fn said(value: &Json, content: &str) -> Option<Said> {
    if let Json::Text(text) = value {
        return Some(Said::content(text.clone()));
    }
    if let Some(text) = value.text(content) {
        return Some(Said::content(text.clone()));
    }
    let mut said = Said::error(&[]);
    said.text = value.text("error")?.clone();
    if said.text == Text::from("not found") {
        said.outcome = Outcome::Gone;
    }
    Some(said)
}
