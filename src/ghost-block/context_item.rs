//! What a conversation referred to, as a host sees it.

use serde::Serialize;

use super::GhostBlockAssembler;
use super::draft::outcomes_within_limits;
use super::items::Item;
use super::origin::ItemOrigin;
use super::source::SourceKind;
use turnkeeper_base::text::Text;

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct ContextItem {
    /// Its kind.
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub item_type: ItemType,
    /// `path`, `path:10`, `path:10:20`, `folder/`, a tool with its arguments, or a rule's name.
    pub key: String,
    /// Its content. Left out if it could not be had (see `error`) or has not been asked for yet.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string"))]
    pub content: Option<Text>,
    /// Why there is no content.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string"))]
    pub error: Option<Text>,
    /// A tool's arguments: a JSON object. Left out if they cannot be read.
    #[cfg_attr(feature = "typescript", ts(optional, type = "object"))]
    pub args: Option<Text>,
    /// Where it was mentioned first, and in which turns.
    pub from: ItemOrigin,
}

impl GhostBlockAssembler {
    /// Everything the conversation referred to, rules first, in order of first appearance.
    #[must_use]
    pub fn items(&self) -> Vec<ContextItem> {
        let conversation = &self.conversation;
        let rules = conversation.expanded_rules.iter();
        let items = rules.chain(&conversation.items).chain(&conversation.excess);
        self.context_items(&items.collect::<Vec<_>>())
    }

    /// Items as a host sees them.
    pub(crate) fn context_items(&self, items: &[&Item]) -> Vec<ContextItem> {
        let outcomes = outcomes_within_limits(items.iter().copied(), self.settings.max_total_bytes);
        let context = items.iter().zip(outcomes).map(|(item, outcome)| {
            let source = &item.source;
            let result = outcome.as_result();
            ContextItem {
                item_type: match source.kind {
                    SourceKind::Rule => ItemType::Rule,
                    SourceKind::Tool => ItemType::Tool,
                    _ => ItemType::File,
                },
                key: source.key.clone(),
                content: result.as_ref().ok().map(|&text| text.clone()),
                // An item that is not read yet has neither content nor an error.
                error: result.err().filter(|_| item.outcome.is_some()),
                args: Some(source.args.clone()).filter(|args| !args.is_empty()),
                from: item.origin.clone(),
            }
        });
        context.collect()
    }
}
