//! Messages as the deduper sees them: the texts that may hold blocks.

use std::borrow::Cow;

/// The place of a text in its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPlace {
    /// The text is the whole content, which is a string.
    WholeContent,
    /// The text is a text part.
    TextPart,
    /// The text is the last one of a tool's result.
    ToolResult,
}

/// A text of a message that may hold blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateText<'a> {
    /// The index of its part in the message.
    pub part: u32,
    /// Its place in the message.
    pub place: TextPlace,
    /// The text in UTF-16 code units, with which edits count.
    pub(super) units: Cow<'a, [u16]>,
}

impl<'a> CandidateText<'a> {
    /// A text.
    pub fn new(part: u32, place: TextPlace, text: &str) -> Self {
        let units = text.encode_utf16().collect();
        Self { part, place, units }
    }

    /// A text in UTF-16 code units, which are not copied. Surrogates may be unpaired.
    pub fn from_utf16(part: u32, place: TextPlace, units: &'a [u16]) -> Self {
        let units = Cow::Borrowed(units);
        Self { part, place, units }
    }
}

/// A user message, as far as the deduper has to know it.
///
/// Make one [of a string](Self::from_text) or [of text parts](Self::from_text_parts). For a message
/// with other parts, such as images and tool results, fill in the fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserMessage<'a> {
    /// The texts that may hold blocks, in the order of their parts. Texts that do not end with a
    /// closing tag and white space can be left out.
    pub texts: Vec<CandidateText<'a>>,
    /// The number of parts that the message has. A string is one part.
    pub part_count: u32,
    /// Whether a part that is not in `texts` holds anything but white space. Without such content,
    /// a message keeps its last block.
    pub has_other_content: bool,
}

impl UserMessage<'_> {
    /// The same, which borrows nothing.
    pub(super) fn into_owned(self) -> UserMessage<'static> {
        let texts = self.texts.into_iter().map(|text| CandidateText {
            units: text.units.into_owned().into(),
            ..text
        });
        UserMessage {
            texts: texts.collect(),
            part_count: self.part_count,
            has_other_content: self.has_other_content,
        }
    }

    /// A message whose content is one string.
    pub fn from_text(content: &str) -> Self {
        Self {
            texts: vec![CandidateText::new(0, TextPlace::WholeContent, content)],
            part_count: 1,
            has_other_content: false,
        }
    }

    /// A message whose content is a list of text parts.
    pub fn from_text_parts<T: AsRef<str>>(parts: &[T]) -> Self {
        let texts: Vec<CandidateText> = (0..)
            .zip(parts)
            .map(|(part, text)| CandidateText::new(part, TextPlace::TextPart, text.as_ref()))
            .collect();
        Self {
            part_count: texts.len() as u32,
            texts,
            has_other_content: false,
        }
    }
}

/// The position of a user message in its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagePosition {
    /// Its index among all messages.
    pub index: u32,
    /// Its index among the user messages.
    pub user_index: u32,
}
