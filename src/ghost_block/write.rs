//! What comes of a prompt: the text with its block, within the budget, whole or as a delta.

use serde::Serialize;

use super::block::{Block, Said, estimate_tokens, join};
use super::items::{Item, Source};
use super::job::{Image, Ready, ReadyPrompt};
use super::text::{Builder, Text};
use super::{Diagnostic, GhostBlockAssembler, Last, MACHINE};
use crate::error::{Error, ErrorCode};
use crate::hash::fingerprint;
use crate::table::{Table, order};

/// Counts the tokens of a text.
pub type CountTokens<'a> = &'a mut dyn FnMut(&Text) -> u64;

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text.
    Text(Text),
    /// An image, in the place of its reference.
    Image {
        /// What stands between the brackets.
        alt: Text,
        /// Such as `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: Text,
    },
}

/// What an item is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "lowercase")
)]
#[serde(rename_all = "lowercase")]
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
    /// Where images take the places of their references; empty if there are none.
    pub images: Vec<(std::ops::Range<usize>, Text, String, Text)>,
    /// The keys of the items that the budget left out.
    pub omitted: Vec<String>,
    /// What there is to tell the user and the host.
    pub diagnostics: Vec<Diagnostic>,
}

impl AssembledPrompt {
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
        for (range, alt, media_type, data) in &self.images {
            if from < range.start {
                parts.push(Part::Text(Text::from_units(&units[from..range.start])));
            }
            parts.push(Part::Image {
                alt: alt.clone(),
                media_type: media_type.clone(),
                data: data.clone(),
            });
            from = range.end;
        }
        let last = join(&Text::from_units(&units[from..]), &self.block);
        if !last.is_empty() || parts.is_empty() {
            parts.push(Part::Text(last));
        }
        parts
    }
}

/// One entry that may stand in the block.
struct Entry<'a> {
    item: &'a Item,
    said: Said,
}

impl GhostBlockAssembler {
    /// Ends the prompt that is ready. `count` counts the tokens of a text; left out, they are
    /// estimated: one for four UTF-16 code units, one for each Han, Kana or Hangul character.
    ///
    /// # Errors
    /// `wrong_order` if no prompt is ready.
    pub fn finish_prompt(&mut self, count: Option<CountTokens>) -> Result<AssembledPrompt, Error> {
        let Ready::Prompt(ready) = self.take_ready()? else {
            let message = "what is ready is a document, not a prompt";
            return Err(Error::new(ErrorCode::WrongOrder, MACHINE, message));
        };
        let mut estimate = |text: &Text| estimate_tokens(text);
        Ok(self.commit(*ready, count.unwrap_or(&mut estimate)))
    }

    fn commit(&mut self, ready: ReadyPrompt, count: CountTokens) -> AssembledPrompt {
        let ReadyPrompt {
            user,
            is_changed,
            is_repeat,
            literals,
            images,
            rules,
            items,
            scopes,
            scope,
            mut diagnostics,
            results,
            held,
        } = ready;
        if !is_repeat {
            self.turn += 1;
        }
        self.scope = scope;
        self.items = items;
        self.expanded = rules;
        for (key, result) in results {
            self.results.insert(key, result);
        }
        self.held.take_all(held);
        // What comes back is compared with what was said before it, not with itself.
        let before = match &self.last {
            Some(last) if is_repeat => last.sent.clone(),
            _ => self.sent.clone(),
        };
        let (block, omitted, sent) = self.block(&before, count, &mut diagnostics);
        self.sent = sent;
        let user = Text::from_units(&user);
        let was_changed =
            is_changed || (is_repeat && self.last.as_ref().is_some_and(|last| last.was_changed));
        self.last = Some(Last {
            user: user.fingerprint(),
            was_changed,
            literals,
            scopes,
            sent: before,
        });
        let image = |image: Image| (image.range, image.alt, image.media_type, image.data);
        AssembledPrompt {
            user,
            is_changed,
            block,
            images: images.into_iter().map(image).collect(),
            omitted,
            diagnostics,
        }
    }

    /// What each item says, limits applied.
    fn said(&self) -> Vec<Said> {
        let limit = self.settings.max_total_bytes;
        let rules = self.expanded.iter().map(|(_, content)| content.utf8_len());
        let mut bytes: u64 = rules.sum();
        let said = |item: &Item| match &item.said {
            Some(Said::Content(content)) => {
                let more = content.utf8_len();
                if bytes + more > limit {
                    let error = format!("all items together exceed the limit of {limit} bytes");
                    Said::Error(Text::from(error.as_str()))
                } else {
                    bytes += more;
                    Said::Content(content.clone())
                }
            }
            Some(error) => error.clone(),
            None => Said::Error(Text::from("not read yet")),
        };
        self.items.all.iter().map(said).collect()
    }

    /// The block, what the budget left out, and what has been said after it.
    fn block(
        &self,
        before: &Table<u64>,
        count: CountTokens,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Text, Vec<String>, Table<u64>) {
        let is_delta = self.settings.is_delta;
        let mut sent = if is_delta {
            before.clone()
        } else {
            Table::default()
        };
        let mut block = Block::default();
        let mut names = Table::default();
        for (name, content) in &self.expanded {
            let identity = format!("r {name}");
            let hash = content.fingerprint();
            names.insert(identity.clone(), ());
            let is_known = sent.get(&identity) == Some(&hash);
            sent.insert(identity, hash);
            if !is_known || !is_delta {
                block.rules.push((name.clone(), content.clone()));
            }
        }
        let mut entries = Vec::new();
        let mut new = Vec::new();
        for (item, said) in self.items.all.iter().zip(self.said()) {
            let identity = item.identity.clone();
            names.insert(identity.clone(), ());
            let hash = hash(item, &said);
            let known = before.get(&identity);
            let is_file = matches!(item.source, Source::File(_));
            if !is_delta || known.is_none_or(|&known| known != hash && !item.is_gone) {
                new.push((identity, hash));
                entries.push(Entry { item, said });
            } else if item.is_gone {
                if known != Some(&hash) {
                    block.removed.push(Text::from(item.key().as_str()));
                    sent.insert(identity, hash);
                }
            } else if is_file {
                block.unchanged.push(Text::from(item.key().as_str()));
            }
        }
        // Rules that were taken away, and lines that a whole file made needless.
        let is_gone = |(key, _): &&(String, u64)| names.get(key).is_none();
        let gone: Vec<String> = sent
            .iter()
            .filter(is_gone)
            .map(|(key, _)| key.clone())
            .collect();
        for key in gone {
            sent.remove(&key);
            if let Some(name) = key.strip_prefix("r ") {
                block.removed.push(Text::from(name));
            }
        }
        let mut left_out = vec![false; entries.len()];
        let text = self.fit(&mut block, &entries, &mut left_out, count, diagnostics);
        for ((identity, hash), left_out) in new.into_iter().zip(&left_out) {
            if !left_out {
                sent.insert(identity, hash);
            }
        }
        let omitted = block.omitted.iter().map(Text::to_string).collect();
        (text, omitted, sent)
    }

    /// Leaves out the items whose last reference is oldest until the block fits.
    fn fit(
        &self,
        block: &mut Block,
        entries: &[Entry],
        left_out: &mut [bool],
        count: CountTokens,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Text {
        let mut oldest = order(entries.iter().map(|entry| entry.item.turn)).into_iter();
        loop {
            fill(block, entries, left_out);
            let text = block.write().into_text();
            let Some(limit) = self.settings.max_tokens else {
                return text;
            };
            let tokens = if text.is_empty() { 0 } else { count(&text) };
            let mut excess = tokens.saturating_sub(limit);
            if excess == 0 {
                return text;
            }
            if oldest.len() == 0 {
                diagnostics.push(Diagnostic {
                    is_error: true,
                    code: "over_budget",
                    message: format!(
                        "what must stay in the block has {tokens} tokens; the budget is {limit}"
                    ),
                    line: 1,
                    column: 1,
                    source: None,
                });
                return text;
            }
            while excess > 0
                && let Some(place) = oldest.next()
            {
                left_out[place] = true;
                // As it stands in the block, where escapes may make it much longer.
                let (Said::Content(text) | Said::Error(text)) = &entries[place].said;
                let mut written = Builder::new();
                written.json_string(text);
                excess = excess.saturating_sub(count(&written.into_text()).max(1));
            }
        }
    }

    pub(crate) fn context_items(&self) -> Vec<ContextItem> {
        let rules = self.expanded.iter().map(|(name, content)| ContextItem {
            item_type: ItemType::Rule,
            key: name.to_string(),
            content: Some(content.clone()),
            error: None,
            args: None,
        });
        let items = self.items.all.iter().zip(self.said()).map(|(item, said)| {
            let (content, error) = match said {
                Said::Content(content) => (Some(content), None),
                Said::Error(error) => (None, item.said.is_some().then_some(error)),
            };
            let (item_type, args) = match &item.source {
                Source::Tool { args, .. } => (ItemType::Tool, Some(args.to_text())),
                Source::File(_) | Source::Denied(_) => (ItemType::File, None),
            };
            ContextItem {
                item_type,
                key: item.key(),
                content,
                error,
                args,
            }
        });
        rules.chain(items).collect()
    }
}

fn fill(block: &mut Block, entries: &[Entry], left_out: &[bool]) {
    block.files.clear();
    block.tools.clear();
    block.omitted.clear();
    for (Entry { item, said }, left_out) in entries.iter().zip(left_out) {
        let key = Text::from(item.key().as_str());
        if *left_out {
            block.omitted.push(key);
            continue;
        }
        match &item.source {
            Source::Tool { name, args } => {
                let name = Text::from(name.as_str());
                block.tools.push((name, args.clone(), said.clone()));
            }
            Source::File(_) | Source::Denied(_) => block.files.push((key, said.clone())),
        }
    }
}

/// What an entry says, as a number to compare.
pub(crate) fn hash(item: &Item, said: &Said) -> u64 {
    let (kind, text) = match said {
        Said::Content(text) => (0, text),
        Said::Error(text) => (1 + u64::from(item.is_gone), text),
    };
    fingerprint(&[text.fingerprint().to_le_bytes(), u64::to_le_bytes(kind)].concat())
}
