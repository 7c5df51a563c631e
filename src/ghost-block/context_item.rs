//! The items of a conversation, as a host sees them.

use serde::{Serialize, Serializer};

use super::items::{Item, within_limits};
use super::origin::ItemOrigin;
use super::source::SourceKind;
use turnkeeper_base::text::{Text, serialize_json};

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ContextItem {
    /// Its kind.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// `path`, `path:10`, `path:10:20`, `folder/`, a tool with its arguments, or a rule's name.
    pub key: String,
    /// Its content. Left out if it could not be had (see `error`) or has not been asked for yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Text>,
    /// The reason why there is no content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Text>,
    /// A tool's arguments: a JSON object. Left out if they cannot be read.
    #[cfg_attr(feature = "typescript", ts(optional, type = "object"))]
    #[serde(serialize_with = "as_object", skip_serializing_if = "Option::is_none")]
    pub args: Option<Text>,
    /// The text that mentioned it first, and the turns that mentioned it first and last.
    pub from: ItemOrigin,
}

/// Items as a host sees them.
pub(crate) fn context_items<'a>(
    items: impl Iterator<Item = &'a Item>,
    max_total_bytes: u64,
) -> Vec<ContextItem> {
    let context = within_limits(items, max_total_bytes).map(|(item, outcome)| {
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

/// Writes a tool's arguments, in which an unpaired surrogate is an escape, as an object.
fn as_object<S: Serializer>(args: &Option<Text>, serializer: S) -> Result<S::Ok, S::Error> {
    let json = args.as_ref().map(Text::to_lossy).unwrap_or_default();
    serialize_json(&json, serializer)
}
