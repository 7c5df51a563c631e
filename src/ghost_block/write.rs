//! What comes of a prompt: the text with its block, within the budget, whole or as a delta.

use super::block::{self, Entry, Section, estimate_tokens, join};
use super::items::{Item, Outcome, Said, SourceKind};
use super::job::Ready;
use super::syntax::part;
use super::text::{Builder, Text, concat};
use super::{Diagnostic, GhostBlockAssembler, MACHINE, State};
use crate::error::{Error, ErrorCode};
use crate::hash::fingerprint;
use crate::table::{Table, order};
use crate::text::decimal;

/// Counts the tokens of a text, or gives up with `None`.
pub type CountTokens<'a> = &'a mut dyn FnMut(&Text) -> Option<u64>;

/// An image that takes the place of its reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Where its reference begins in the user's text, in UTF-16 code units.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What stands between the brackets.
    pub alt: Text,
    /// Such as `image/png`.
    pub media_type: Text,
    /// Its bytes in base64.
    pub data: Text,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(Text),
    /// An image, in the place of its reference.
    Image(Image),
}

/// What an item is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "lowercase")
)]
pub enum ItemType {
    /// A file, lines of one, or a folder.
    File,
    /// A tool call.
    Tool,
    /// A rule.
    Rule,
}

/// Something that the conversation referred to.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct ContextItem {
    /// What it is of.
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub item_type: ItemType,
    /// `path`, `path:10`, `path:10:20`, `folder/`, a tool with its arguments, or a rule's name.
    pub key: String,
    /// Its content, unless that is not known or it failed.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string"))]
    pub content: Option<Text>,
    /// Why there is none.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string"))]
    pub error: Option<Text>,
    /// A tool's arguments.
    #[cfg_attr(feature = "typescript", ts(optional, type = "object"))]
    pub args: Option<Text>,
}

/// A prompt with everything it refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct AssembledPrompt {
    /// The user's text, its directives carried out.
    pub user: Text,
    /// Whether that differs from what was given.
    pub is_changed: bool,
    /// The block, empty if there is nothing to say.
    pub block: Text,
    /// What takes the places of references; empty if there are none.
    pub images: Vec<Image>,
    /// The keys of the items that the budget left out.
    pub omitted: Vec<String>,
    /// What there is to tell the user and the host.
    pub diagnostics: Vec<Diagnostic>,
}

impl AssembledPrompt {
    /// Whether the user's own text ends as a block does.
    #[cfg(target_family = "wasm")]
    pub(crate) fn ends_like_a_block(&self) -> bool {
        block::split(&self.user.to_units()).1.is_some()
    }

    /// The user's text followed by the block.
    #[must_use]
    pub fn text(&self) -> Text {
        join(&self.user, &self.block)
    }

    /// The message in parts: text, images in their places, the block at the end of the last text.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let units = self.user.to_units();
        let mut parts = Vec::new();
        let mut from = 0;
        for image in &self.images {
            if from < image.start {
                let text = part(&units, from, image.start);
                parts.push(Part::Text(Text::from_units(text)));
            }
            parts.push(Part::Image(image.clone()));
            from = image.end;
        }
        let rest = Text::from_units(part(&units, from, units.len()));
        let last = join(&rest, &self.block);
        if !last.is_empty() || parts.is_empty() {
            parts.push(Part::Text(last));
        }
        parts
    }
}

/// A block on its way.
#[derive(Default)]
struct Draft {
    entries: Vec<Entry>,
    /// Of each of the first entries, which stand for items with content: the place of the item
    /// and what the entry says, as a number to compare.
    items: Vec<(usize, u64)>,
    /// What has been said after it.
    sent: Table<u64>,
}

impl GhostBlockAssembler {
    /// Ends the prompt that is ready. `count` counts the tokens of a text; left out, they are
    /// estimated: one for four UTF-16 code units, one for each Han, Kana or Hangul character.
    ///
    /// # Errors
    /// `wrong_order` if no prompt is ready; `invalid_argument` if `count` gives up. Nothing has
    /// happened then, and the prompt still is ready.
    pub fn finish_prompt(&mut self, count: Option<CountTokens>) -> Result<AssembledPrompt, Error> {
        let (mut job, mut ready) = self.take_ready(true)?;
        let last = self.state.last.take();
        // What comes back is compared with what was said before it, not with itself.
        let before = match &last {
            Some(last) if ready.is_repeat => &last.sent,
            _ => &self.state.sent,
        };
        let mut draft = self.draft(&ready, before);
        let mut estimate = |text: &Text| Some(estimate_tokens(text));
        let count = count.unwrap_or(&mut estimate);
        let Some(block) = self.fit(&mut draft, &mut ready, count) else {
            self.state.last = last;
            job.ready = Some(ready);
            self.job = Some(job);
            let message = "must answer with a number of at least 0";
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, message);
            return Err(error.at("countTokens"));
        };
        ready.last.sent = before.clone();
        let mut was_changed = ready.is_changed;
        if ready.is_repeat {
            was_changed |= last.is_some_and(|last| last.was_changed);
        } else {
            self.state.turn += 1;
        }
        self.remember(&job.answers, true);
        let user = Text::from_units(&ready.units);
        ready.last.user = user.fingerprint();
        ready.last.was_changed = was_changed;
        let Ready {
            is_changed,
            images,
            rules,
            items,
            last,
            scope,
            diagnostics,
            ..
        } = *ready;
        self.state.scope = scope;
        self.state.items = items;
        self.state.expanded = rules;
        self.state.sent = draft.sent;
        self.state.last = Some(last);
        let mut omitted = Vec::new();
        for entry in draft.entries {
            if entry.section == Section::Omitted {
                omitted.push(entry.name);
            }
        }
        Ok(AssembledPrompt {
            user,
            is_changed,
            block,
            images,
            omitted,
            diagnostics,
        })
    }

    /// What each rule and item says, limits applied.
    fn said(&self, rules: &[Item], items: &[Item]) -> Vec<Said> {
        let limit = self.settings.max_total_bytes;
        let mut all = Vec::new();
        let mut bytes: u64 = 0;
        for item in rules.iter().chain(items) {
            let mut said = match &item.said {
                Some(said) => said.clone(),
                None => Said::error(&["not read yet"]),
            };
            if said.is_content() {
                let more = said.text.utf8_len();
                if item.source.kind == SourceKind::Rule || bytes + more <= limit {
                    bytes += more;
                } else {
                    let limit = decimal(limit);
                    let message = "all items together exceed the limit of ";
                    said = Said::error(&[message, &limit, " bytes"]);
                }
            }
            all.push(said);
        }
        all
    }

    /// Everything that the block would say without a budget.
    fn draft(&self, ready: &Ready, before: &Table<u64>) -> Draft {
        let is_delta = self.settings.is_delta;
        let mut draft = Draft::default();
        let mut keys = Vec::new();
        let said = self.said(&ready.rules, &ready.items);
        for (place, said) in said.into_iter().enumerate() {
            let item = item_at(ready, place);
            let source = &item.source;
            let identity = &source.identity;
            // Only deltas compare.
            let hash = if is_delta { hash(&said) } else { 0 };
            let known = before.get(identity).copied().filter(|_| is_delta);
            let is_gone = matches!(&item.said, Some(said) if said.outcome == Outcome::Gone);
            let is_file = matches!(source.kind, SourceKind::File | SourceKind::Directory);
            if known.is_none_or(|known| known != hash && !is_gone) {
                if let Some(known) = known {
                    draft.sent.insert(identity, known);
                }
                draft.items.push((place, hash));
                draft.entries.push(Entry::of(source, said));
                continue;
            }
            draft.sent.insert(identity, hash);
            if !is_gone && is_file {
                keys.push(Entry::key(Section::Unchanged, &source.key));
            } else if is_gone && known != Some(hash) {
                keys.push(Entry::key(Section::Removed, &source.key));
            }
        }
        draft.entries.append(&mut keys);
        // What is not among the items any more is forgotten: lines that a whole file made needless,
        // and rules that were taken away, of which the model is told.
        let mut place = 0;
        while let Some((identity, _)) = before.at(place).filter(|_| is_delta) {
            let is_there = |rule: &Item| rule.source.identity == identity;
            if let Some(name) = identity.strip_prefix("r ")
                && !ready.rules.iter().any(is_there)
            {
                draft.entries.push(Entry::key(Section::Removed, name));
            }
            place += 1;
        }
        draft
    }

    /// Leaves out the items whose last reference is oldest until the block fits. `None` if the
    /// count gives up.
    fn fit(&self, draft: &mut Draft, ready: &mut Ready, count: CountTokens) -> Option<Text> {
        let turn = |place: usize| item_at(ready, draft.items[place].0).turn;
        let oldest = order(draft.items.len(), &|a, b| turn(a) < turn(b));
        let mut next = 0;
        let text = loop {
            let text = block::write(&draft.entries);
            let Some(limit) = self.settings.max_tokens else {
                break text;
            };
            let tokens = if text.is_empty() { 0 } else { count(&text)? };
            let mut excess = tokens.saturating_sub(limit);
            if excess == 0 {
                break text;
            }
            let left = next;
            while excess > 0
                && let Some(&place) = oldest.get(next)
            {
                next += 1;
                let entry = &mut draft.entries[place];
                if entry.section == Section::Rules {
                    continue;
                }
                // As it stands in the block, where escapes may make it much longer.
                let mut written = Builder::new();
                written.json_string(&entry.said.text);
                excess = excess.saturating_sub(count(&written.into_text())?.max(1));
                entry.section = Section::Omitted;
                entry.name = item_at(ready, draft.items[place].0).source.key.clone();
            }
            if left == next {
                let (tokens, limit) = (decimal(tokens), decimal(limit));
                let message = concat(&[
                    "what must stay in the block has ",
                    &tokens,
                    " tokens; the budget is ",
                    &limit,
                ]);
                let mut over = Diagnostic::error(1, "over_budget", &message);
                over.line = 1;
                ready.diagnostics.push(over);
                break text;
            }
        };
        for (place, &(item, hash)) in draft.items.iter().enumerate() {
            let is_sent =
                self.settings.is_delta && draft.entries[place].section != Section::Omitted;
            if is_sent {
                let identity = &item_at(ready, item).source.identity;
                draft.sent.insert(identity, hash);
            }
        }
        Some(text)
    }

    /// Everything the conversation referred to, rules first, in order of first appearance.
    pub fn items(&self) -> Vec<ContextItem> {
        let State {
            expanded, items, ..
        } = &self.state;
        let mut all = Vec::new();
        let said = self.said(expanded, items);
        for (item, said) in expanded.iter().chain(items).zip(said) {
            let source = &item.source;
            let is_tool = source.kind == SourceKind::Tool;
            let is_error = !said.is_content() && item.said.is_some();
            all.push(ContextItem {
                item_type: match source.kind {
                    SourceKind::Rule => ItemType::Rule,
                    SourceKind::Tool => ItemType::Tool,
                    _ => ItemType::File,
                },
                key: source.key.clone(),
                content: said.is_content().then(|| said.text.clone()),
                error: is_error.then(|| said.text.clone()),
                args: is_tool.then(|| source.args.clone()),
            });
        }
        all
    }
}

/// The rules come first.
fn item_at(ready: &Ready, place: usize) -> &Item {
    match place.checked_sub(ready.rules.len()) {
        None => &ready.rules[place],
        Some(place) => &ready.items[place],
    }
}

/// What something says, as a number to compare.
pub(crate) fn hash(said: &Said) -> u64 {
    let mut bytes = said.text.fingerprint().to_le_bytes().to_vec();
    bytes.push(said.outcome as u8);
    fingerprint(&bytes)
}
