//! The history deduper for JavaScript.
//!
//! A message crosses as a [flat value](read_flat), and the texts of a user's that may hold blocks as they are:
//! JavaScript writes each into the text buffer, calls [`add_text`](RawHistoryDeduper::add_text), and then says what
//! the texts are for, which forgets them. Edits go back as [numbers](packed), for a message is
//! repaired as often as one is added to a history.

#![cfg(target_family = "wasm")]

use std::ops::Range;

use turnkeeper_base::boundary::convert::{from_js, to_js};
use turnkeeper_base::boundary::scratch::{with_bytes, with_text};
use turnkeeper_base::boundary::{Rich, mirrored, thrown};
use turnkeeper_base::json::{Json, read_flat};
use turnkeeper_base::options;
use turnkeeper_base::text::hash::fingerprint;
use turnkeeper_base::text::{Size, Text};
use turnkeeper_history_deduper::javascript::{MACHINE, packed};
use turnkeeper_history_deduper::{
    CandidateText, DedupeOptions, FreshBlock, HistoryDeduper, MessagePosition, OnExisting,
    UserMessage,
};
use wasm_bindgen::prelude::*;

mirrored! {
    /// The place of a text in its message.
    TextPlace of turnkeeper_history_deduper::TextPlace { WholeContent, TextPart, ToolResult }
}

mirrored! {
    /// Whose a message is.
    MessageRole of turnkeeper_history_deduper::MessageRole { User, Model, Other }
}

mirrored! {
    /// The fate of a part, in packed edits.
    EditKind of turnkeeper_history_deduper::EditKind {
        Rewrite, Remove, MoveToEnd, RewriteAndMoveToEnd, AppendText
    }
}

/// The capacity that the texts' memory keeps between calls, in UTF-16 code units.
const UNITS_KEPT: usize = 16 * 1_024;

/// The deduper that the functions and classes in JavaScript wrap.
#[wasm_bindgen]
pub struct RawHistoryDeduper {
    deduper: HistoryDeduper,
    /// The texts of the next message, one after the other.
    units: Vec<u16>,
    texts: Vec<AddedText>,
    /// The parts of the message that was taken in last that answer a call again.
    parts_again: Vec<usize>,
}

/// A text that was added for the next call.
struct AddedText {
    part: u32,
    place: TextPlace,
    units: Range<usize>,
}

#[wasm_bindgen]
impl RawHistoryDeduper {
    /// `options` is a plain object.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawHistoryDeduper, JsValue> {
        let deduper = from_js(MACHINE, options::OPTIONS, options)
            .and_then(|options| options::read::<DedupeOptions>(MACHINE, &options))
            .and_then(HistoryDeduper::new)
            .map_err(thrown)?;
        Ok(Self {
            deduper,
            units: Vec::new(),
            texts: Vec::new(),
            parts_again: Vec::new(),
        })
    }

    /// The settings that JavaScript has to know to find the texts that matter.
    pub fn settings(&self) -> Rich {
        Ok(to_js(&self.deduper.settings()))
    }

    /// Adds the first `length` units of the text buffer for the next call, as the text of a part.
    /// A long text comes in pieces: of the same part as before, they go on with its text.
    #[wasm_bindgen(js_name = addText)]
    pub fn add_text(&mut self, length: usize, part: u32, place: TextPlace) {
        let start = self.units.len();
        with_text(length, |text| self.units.extend_from_slice(text));
        let end = self.units.len();
        match self.texts.last_mut() {
            Some(last) if last.part == part => last.units.end = end,
            _ => self.texts.push(AddedText {
                part,
                place,
                units: start..end,
            }),
        }
    }

    /// Repairs by itself the message that the texts are of, and answers with its edits.
    #[wasm_bindgen(js_name = repairMessage)]
    pub fn repair_message(
        &mut self,
        index: u32,
        user_index: u32,
        part_count: u32,
        has_other_content: bool,
    ) -> Vec<u32> {
        let message = message(&self.texts, &self.units, part_count, has_other_content);
        let position = MessagePosition { index, user_index };
        let edits = self.deduper.push(position, &message);
        self.forget_texts();
        packed(&edits)
    }

    /// Says how many user messages a whole history has.
    #[wasm_bindgen(js_name = expectUserMessages)]
    pub fn expect_user_messages(&mut self, count: u32) {
        self.deduper.expect_user_messages(count.into());
    }

    /// Takes in the message of a whole history that the texts are of.
    #[wasm_bindgen(js_name = readMessage)]
    pub fn read_message(
        &mut self,
        index: u32,
        user_index: u32,
        part_count: u32,
        has_other_content: bool,
    ) {
        let message = message(&self.texts, &self.units, part_count, has_other_content);
        let position = MessagePosition { index, user_index };
        self.deduper.read(position, &message);
        self.forget_texts();
    }

    /// Takes in the next message of the history. Its content is the flat value that the byte buffer begins with, of
    /// `length` bytes, if there are any. The number of its parts that [answer a call again](Self::parts_again): most
    /// messages have none, and a number is what crosses fastest.
    #[wasm_bindgen(js_name = takeMessage)]
    pub fn take_message(
        &mut self,
        length: usize,
        index: u32,
        role: MessageRole,
        is_item: bool,
    ) -> usize {
        self.parts_again = with_bytes(length, |bytes| {
            let content = match bytes {
                [] => Json::Null,
                bytes => match read_flat(bytes) {
                    Ok(content) => content,
                    Err(_) => panic!("the shim writes flat values"),
                },
            };
            self.deduper
                .take_message(index, role.into(), is_item, &content)
        });
        self.parts_again.len()
    }

    /// The indexes of the parts of that message that answer a call again.
    #[wasm_bindgen(js_name = partsAgain)]
    pub fn parts_again(&self) -> Vec<u32> {
        self.parts_again.iter().map(|part| *part as u32).collect()
    }

    /// Takes in that a part of a message goes, since its call has another result: its text is the one that
    /// was added.
    #[wasm_bindgen(js_name = resultAgain)]
    pub fn result_again(&mut self, index: u32) {
        let size = Size::of(&self.units);
        self.forget_texts();
        self.deduper.result_again(index, size);
    }

    /// Everything besides blocks that gives way to a line in a whole history that was finished.
    pub fn superseded(&self) -> Rich {
        Ok(to_js(self.deduper.superseded()))
    }

    /// The messages of a whole history that change: of each its index and its edits.
    pub fn finish(&mut self) -> Rich {
        let edited = self.deduper.finish().into_iter();
        let edited = edited.map(|message| (message.index, packed(&message.edits)));
        Ok(to_js(&edited.collect::<Vec<(u32, Vec<u32>)>>()))
    }

    /// The edits that take all blocks out of the content that the texts are of. The separator is the
    /// caller's to take along.
    pub fn strip(&mut self, part_count: u32, has_other_content: bool) -> Vec<u32> {
        let content = message(&self.texts, &self.units, part_count, has_other_content);
        let edits = self.deduper.strip(&content, "");
        self.forget_texts();
        packed(&edits)
    }

    /// The block that the details make which were added as a text.
    #[wasm_bindgen(js_name = freshBlock)]
    pub fn fresh_block(&mut self) -> Rich {
        let fresh = self.deduper.fresh_block(Text::from_units(&self.units));
        self.forget_texts();
        Ok(to_js(&fresh))
    }

    /// The changes that make a block of the tag with the index `tag`, of which the last text is the beginning, the last
    /// one of the content that the other texts are of. If `keeps_existing`, a block that tells of the same
    /// and is there stays instead.
    #[wasm_bindgen(js_name = placeBlock)]
    pub fn place_block(
        &mut self,
        tag: usize,
        keeps_existing: bool,
        part_count: u32,
        has_other_content: bool,
    ) -> Rich {
        let Some((fresh, texts)) = self.texts.split_last() else {
            return Ok(JsValue::NULL);
        };
        let text = Text::from_units(&self.units[fresh.units.clone()]);
        let fresh = FreshBlock { text, tag };
        let content = message(texts, &self.units, part_count, has_other_content);
        let on_existing = if keeps_existing {
            OnExisting::Keep
        } else {
            OnExisting::Replace
        };
        let placement = self.deduper.place_block(&content, &fresh, on_existing);
        self.forget_texts();
        Ok(to_js(&placement))
    }

    /// The report of what was done, and of what waits.
    pub fn report(&self) -> Rich {
        Ok(to_js(&self.deduper.report()))
    }
}

/// A hash of the flat value that the byte buffer begins with, of `length` bytes. It tells the content of a message from
/// others.
#[wasm_bindgen(js_name = hashOfContent)]
pub fn hash_of_content(length: usize) -> String {
    with_bytes(length, |bytes| format!("{:016x}", fingerprint(bytes)))
}

impl RawHistoryDeduper {
    /// Forgets the texts, and gives back the memory that a large one needed.
    fn forget_texts(&mut self) {
        self.texts.clear();
        self.units.clear();
        self.units.shrink_to(UNITS_KEPT);
    }
}

fn message<'a>(
    texts: &[AddedText],
    units: &'a [u16],
    part_count: u32,
    has_other_content: bool,
) -> UserMessage<'a> {
    let candidate = |text: &AddedText| {
        CandidateText::from_utf16(text.part, text.place.into(), &units[text.units.clone()])
    };
    UserMessage {
        texts: texts.iter().map(candidate).collect(),
        part_count,
        has_other_content,
    }
}
