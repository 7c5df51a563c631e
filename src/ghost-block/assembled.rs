//! The result of a prompt.

use super::Diagnostic;
use super::block::join;
use super::syntax::part;
use turnkeeper_base::text::Text;

/// Counts the tokens of a text, or gives up with `None`.
pub type CountTokens<'a> = &'a mut dyn FnMut(&Text) -> Option<u64>;

/// An image that takes the place of its reference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// Where its reference begins in the user's text, in UTF-16 code units.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What is between the brackets.
    pub alt: Text,
    /// Such as `image/png`.
    pub media_type: String,
    /// Its bytes in base64.
    pub data: Text,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Text.
    Text(Text),
    /// An image, in the place of its reference.
    Image(Image),
}

/// A prompt with everything it refers to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AssembledPrompt {
    /// The user's text, its directives carried out.
    pub user: Text,
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
