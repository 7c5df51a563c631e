//! The history deduper for JavaScript. Only texts that may hold blocks cross; plans go back as
//! numbers.

use std::ops::Range;

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::scratch::with_text;
use super::{Rich, rich, thrown};
use crate::history_deduper::{
    Action, DedupeOptions, HistoryDeduper, Message, OnExisting, Plan, Text, TextKind,
};
use crate::setting::Setting;

/// Units of text kept between calls.
const UNITS_KEPT: usize = 16 * 1_024;

/// The deduper behind the functions and classes in JavaScript.
#[wasm_bindgen(js_name = RawHistoryDeduper)]
pub struct RawHistoryDeduper {
    core: HistoryDeduper,
    /// The texts of the next message, one behind the other, and where each ends.
    units: Vec<u16>,
    texts: Vec<(u32, TextKind, Range<usize>)>,
}

#[wasm_bindgen(js_class = RawHistoryDeduper)]
impl RawHistoryDeduper {
    /// The options as the host gave them. An exception of a getter is thrown as it is.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<RawHistoryDeduper, JsValue> {
        // Hosts compile a function when it is first called, and the reader is the largest there is.
        let options = if options.is_undefined() {
            DedupeOptions::default()
        } else {
            DedupeOptions::read(&Setting::from_js(options)?).map_err(thrown)?
        };
        Ok(Self {
            core: HistoryDeduper::new(options).map_err(thrown)?,
            units: Vec::new(),
            texts: Vec::new(),
        })
    }

    /// What JavaScript has to know to find the texts that matter.
    pub fn rules(&self) -> Rich {
        rich(&Rules {
            tags: self.core.tags(),
            read_tools: self.core.read_tools(),
            is_embedded: self.core.is_embedded(),
            every_block: self.core.looks_at_every_block(),
        })
    }

    /// So many units in the text buffer are the text of a part, or go on with it. `kind` is 0 for a
    /// content, 1 for a part, 2 for a tool's result.
    pub fn text(&mut self, units: usize, part: u32, kind: u32) -> u32 {
        let begin = self.units.len();
        with_text(units, |text| self.units.extend_from_slice(text));
        let end = self.units.len();
        match self.texts.last_mut() {
            Some((last, _, text)) if *last == part => text.end = end,
            _ => {
                let kind = match kind {
                    0 => TextKind::Content,
                    1 => TextKind::Part,
                    _ => TextKind::ToolResult,
                };
                self.texts.push((part, kind, begin..end));
            }
        }
        0
    }

    /// How many user messages will be read.
    pub fn expect(&mut self, user_messages: u32) {
        self.core.expect_user_messages(user_messages.into());
    }

    /// What becomes of the message, or the content, that the texts are of: its edits. `what` is 0
    /// to repair it by itself, 1 to take it in for `finish`, 2 to strip it, 3 for a fresh block in
    /// the place of those that are there and 4 for one where there is none; `at` is the message's
    /// place in the history, or the place of the block's tag.
    ///
    /// Before the edits for a fresh block stands whether it is to be appended (1) and behind
    /// another one (2).
    pub fn plan(&mut self, what: u32, at: u32, user: u32, parts: u32, has_more: bool) -> Vec<u32> {
        let mut texts = Vec::new();
        for (part, kind, text) in &self.texts {
            texts.push(Text {
                part: *part,
                kind: *kind,
                units: &self.units[text.start..text.end],
            });
        }
        let message = Message {
            texts: &texts,
            parts,
            has_more,
        };
        let mut packed = Vec::new();
        let edits = match what {
            0 => self.core.push(at, user.into(), &message),
            1 => {
                self.core.read(at, user.into(), &message);
                Plan::new()
            }
            2 => self.core.strip(&message),
            _ => {
                let on_existing = [OnExisting::Replace, OnExisting::Keep][usize::from(what == 4)];
                let plan = self.core.environment(&message, at as usize, on_existing);
                packed.push(u32::from(plan.appends) | u32::from(plan.follows) << 1);
                plan.edits
            }
        };
        pack(&edits, &mut packed);
        self.forget();
        packed
    }

    /// The text is what a tool read from a file.
    #[wasm_bindgen(js_name = fileRead)]
    pub fn file_read(&mut self, index: u32, part: u32, key: &str, path: &str) {
        self.core.file_read(index, part, key, path, &self.units);
        self.forget();
    }

    /// The messages that change: of each its place and its edits.
    pub fn finish(&mut self) -> Vec<u32> {
        let mut packed = Vec::new();
        for (index, plan) in &self.core.finish() {
            packed.push(*index);
            pack(plan, &mut packed);
        }
        packed
    }

    /// What was done, and what waits.
    pub fn report(&self) -> Rich {
        rich(&self.core.report())
    }
}

impl RawHistoryDeduper {
    /// What a large text needed is given back.
    fn forget(&mut self) {
        self.texts.clear();
        self.units.clear();
        self.units.shrink_to(UNITS_KEPT);
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rules<'a> {
    tags: Vec<&'a str>,
    read_tools: Vec<&'a str>,
    is_embedded: bool,
    every_block: bool,
}

/// The number of edits, and of each: part, action, the number of ranges, their begins and ends.
fn pack(plan: &Plan, into: &mut Vec<u32>) {
    into.push(plan.len() as u32);
    for edit in plan {
        into.push(edit.part);
        into.push(match edit.action {
            Action::Rewrite => 0,
            Action::Drop => 1,
            Action::Move => 2,
            Action::Append => 3,
        });
        into.push(edit.ranges.len() as u32);
        for range in &edit.ranges {
            into.push(range.start as u32);
            into.push(range.end as u32);
        }
    }
}
