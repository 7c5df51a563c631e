//! The summary injector for JavaScript.
//!
//! There is one entrance, with a number for what it is about, since each takes its room; the shim
//! has a method for everything.

use wasm_bindgen::prelude::*;

use super::scratch::with_bytes;
use super::texts::{Shelf, read_texts};
use super::thrown;
use crate::error::Error;
use crate::ghost_block::Text;
use crate::setting::Setting;
use crate::summary_injector::{
    Frame, Message, PromptPhase, Recall, SummaryInjector, THINKING_TOOLS, Turn,
};
use crate::text::{part, push, push_number, push_quoted};

/// The core, and the texts of the last result.
#[wasm_bindgen]
pub struct RawInjector {
    core: SummaryInjector,
    shelf: Shelf,
    /// So many of the newest messages are new to the shim's history.
    unseen: usize,
}

#[wasm_bindgen(js_class = RawInjector)]
impl RawInjector {
    /// The options as the host gave them. An exception of a getter is thrown as it is.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<RawInjector, JsValue> {
        let mut core = SummaryInjector::default();
        let options = Setting::from_js(options)?;
        core.set(&options).map_err(thrown)?;
        Ok(Self::of(core))
    }

    fn of(core: SummaryInjector) -> Self {
        Self {
            core,
            shelf: Shelf::default(),
            unseen: usize::MAX,
        }
    }

    /// Told something (up to 7), answers with a number, and asked for something (from 8 on) with the
    /// place of a text and the gaps in it; see [`tell`](Self::tell) and [`look`](Self::look).
    pub fn call(&mut self, what: u32, number: f64, length: usize) -> Result<Vec<u32>, JsValue> {
        if what < 8 {
            let answer = self.tell(what, number as usize, length).map_err(thrown)?;
            return Ok(vec![answer as u32]);
        }
        let Frame {
            text,
            first,
            second,
        } = self.look(what, number as u32);
        self.shelf.clear();
        let number = self.shelf.put(Text::from(text.as_str()));
        let mut place = self.shelf.place(number);
        for gap in [first, second] {
            place.push(Text::from(part(&text, 0, gap)).len() as u32);
        }
        Ok(place)
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.core.save()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawInjector, JsValue> {
        let core = SummaryInjector::restore(snapshot);
        core.map(Self::of).map_err(thrown)
    }
}

impl RawInjector {
    /// Starts a turn with a task (bit 0 of `number`) and a workspace (bit 1) and answers with twice
    /// its number, and one more if it completes the one before (0); adds a message, its role, id,
    /// text and original (1), or a round of thinking (2); stores the summary of the turn `number`, or
    /// of the open one, which is 0, and its insights (3); completes the turn (4); answers the fold
    /// request (5) or drops it (6); recalls turns, whose numbers are one text, each with a comma
    /// behind it, `number` ids, and keywords, and answers with how many messages are queued (7).
    fn tell(&mut self, what: u32, number: usize, length: usize) -> Result<u64, Error> {
        let mut texts = Vec::new();
        for text in &with_bytes(length, read_texts) {
            texts.push(text.to_lossy());
        }
        let core = &mut self.core;
        let (first, rest) = match texts.as_mut_slice() {
            [first, rest @ ..] => (std::mem::take(first), rest),
            [] => Default::default(),
        };
        match (what, &mut *rest) {
            (0, [workspace]) => {
                let started = core.start_turn(Turn {
                    task: (number & 1 > 0).then_some(first),
                    workspace: (number & 2 > 0).then_some(std::mem::take(workspace)),
                });
                return Ok(started.number * 2 + u64::from(started.completes));
            }
            (1, [id, text, original]) => {
                core.add_message(Message {
                    role: first,
                    id: std::mem::take(id),
                    text: std::mem::take(text),
                    original: std::mem::take(original),
                })?;
                self.unseen = self.unseen.saturating_add(1);
            }
            (2, _) => core.add_thinking_round(&first)?,
            (3, _) => {
                let turn = (number > 0).then_some(number as u64);
                core.store_summary(turn, &first, rest)?;
            }
            (4, _) => core.complete_turn()?,
            (5, _) => core.answer_fold_request(&first, rest)?,
            (6, _) => core.drop_fold_request(),
            _ => {
                let mut turns = Vec::new();
                let mut turn = 0;
                for byte in first.bytes() {
                    if byte == b',' {
                        turns.push(turn);
                        turn = 0;
                    } else {
                        turn = turn * 10 + u64::from(byte & 15);
                    }
                }
                let (ids, keywords) = rest.split_at(number.min(rest.len()));
                return core.recall(&Recall {
                    turns: &turns,
                    ids,
                    keywords,
                });
            }
        }
        Ok(0)
    }

    /// The accumulated summaries (8), the reminder (9), the rounds of thinking (10), the tools (11),
    /// what stands around the workspace (bit 0 of `number`) and the summaries (bit 1), if there are
    /// any, in the action phase (12) and in the thinking phase (13); or JSON: how many messages the
    /// history of the thinking phase has, and those that are new to it (14); the messages that were
    /// recalled (15); the fold request (16), the open turn (17). Empty for what there is none of.
    fn look(&mut self, what: u32, number: u32) -> Frame {
        let core = &mut self.core;
        let mut json = String::new();
        match what {
            8 => json = core.accumulated_summaries(),
            9 => json = core.reminder(),
            10 => push(&mut json, core.thinking_message().unwrap_or_default()),
            11 => push(&mut json, THINKING_TOOLS),
            12 | 13 => {
                let phase = if what == 12 {
                    PromptPhase::Action
                } else {
                    PromptPhase::Thinking
                };
                return core.frame(phase, number & 1 > 0, number & 2 > 0);
            }
            14 => {
                let messages = core.messages();
                push(&mut json, "[");
                push_number(&mut json, messages.len() as u64);
                let known = messages.len().saturating_sub(self.unseen);
                for kept in messages.get(known..).unwrap_or_default() {
                    push_text(&mut json, ",", Some(&kept.message.tagged()));
                }
                push(&mut json, "]");
                self.unseen = 0;
            }
            15 => {
                let mut between = "[";
                for original in &core.take_recalled() {
                    push(&mut json, between);
                    push(&mut json, original);
                    between = ",";
                }
                push(&mut json, if between == "[" { "[]" } else { "]" });
            }
            16 => {
                if let Some(request) = core.take_fold_request() {
                    push(&mut json, "{\"fromTurn\":");
                    push_number(&mut json, request.from_turn);
                    push(&mut json, ",\"toTurn\":");
                    push_number(&mut json, request.to_turn);
                    push_text(&mut json, ",\"prompt\":", Some(&request.prompt));
                    push_text(&mut json, ",\"text\":", Some(&request.text));
                    push(&mut json, "}");
                }
            }
            _ => {
                if let Some(turn) = core.current_turn() {
                    push(&mut json, "{\"number\":");
                    push_number(&mut json, turn.number);
                    push_text(&mut json, ",\"task\":", turn.task);
                    push_text(&mut json, ",\"workspace\":", turn.workspace);
                    push(&mut json, "}");
                }
            }
        }
        Frame {
            text: json,
            ..Frame::default()
        }
    }
}

/// Adds a string of JSON, if there is one, and what stands before it.
#[inline(never)]
fn push_text(json: &mut String, before: &str, text: Option<&str>) {
    if let Some(text) = text {
        push(json, before);
        push_quoted(json, text);
    }
}
