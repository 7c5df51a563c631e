//! The results of a prompt, of a document and of a skill.

use serde::Serialize;

use super::block::join;
use super::context_item::ContextItem;
use super::diagnostic::Diagnostic;
use super::syntax::part;
use turnkeeper_base::text::Text;

/// Counts the tokens of a text, or gives up with `None`.
pub type CountTokens<'a> = &'a mut dyn FnMut(&Text) -> Option<u64>;

/// An image that takes the place of its reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RawImage"))]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// The beginning of its reference in the user's text, in UTF-16 code units.
    pub start: usize,
    /// The end of its reference.
    pub end: usize,
    /// The text between the brackets.
    pub alt: Text,
    /// Such as `image/png`.
    pub media_type: String,
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

/// A prompt with everything it refers to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RawPrompt"))]
pub struct AssembledPrompt {
    /// The user's text, its directives carried out.
    pub user: Text,
    /// The block, empty if there is nothing to say.
    pub block: Text,
    /// The images that take the places of references.
    pub images: Vec<Image>,
    /// The keys of the items that the budget left out.
    pub omitted: Vec<String>,
    /// Problems, to show to the user.
    pub diagnostics: Vec<Diagnostic>,
}

/// The items that a prompt refers to, without a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ResolvedPrompt {
    /// In order of first appearance.
    #[cfg_attr(feature = "typescript", ts(type = "readonly ContextItem[]"))]
    pub items: Vec<ContextItem>,
    /// Problems, to show to the user.
    pub diagnostics: Vec<Diagnostic>,
}

/// A skill that is ready to be used. A document is one without front matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PreparedSkill {
    /// Its body, references replaced by their content.
    pub content: Text,
    /// `Description` of its front matter, `""` if there is none.
    pub description: String,
    /// `Params` of its front matter and of that of the documents that it includes, each once.
    pub params: Vec<String>,
    /// Problems, to show to whoever wrote it.
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
