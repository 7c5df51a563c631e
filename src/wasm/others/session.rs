//! The order of a turn for JavaScript, whose session holds the machines.

use turnkeeper_base::boundary::convert::{from_js, to_js};
use turnkeeper_base::boundary::scratch::with_bytes;
use turnkeeper_base::boundary::texts::read_texts;
use turnkeeper_base::boundary::{Rich, mirrored, thrown};
use turnkeeper_base::options::{self, OPTIONS};
use turnkeeper_ghost_block::Placement;
use turnkeeper_session::{MACHINE, SavedMachines, TurnOrder};
use wasm_bindgen::prelude::*;

use super::summary_injector::{self, RawSummaryInjector};

mirrored! {
    /// The decisions that the log of a session has.
    Decision of turnkeeper_session::Decision {
        ItemsOmitted, ItemFailed, PromptDiagnosed, EnvironmentReplaced, LoopDetected, TerminalChosen
    }
}

/// The order of a session.
#[wasm_bindgen]
pub struct RawTurnOrder {
    core: TurnOrder,
    /// The snapshots of the machines, after a restart until they are taken.
    saved: SavedMachines,
}

#[wasm_bindgen]
impl RawTurnOrder {
    /// The order of a new session: its options, a plain object, and whether each ghost block builds upon those before.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue, is_delta: bool) -> Result<RawTurnOrder, JsValue> {
        let placement = match is_delta {
            true => Placement::Delta,
            false => Placement::Latest,
        };
        let core = from_js(MACHINE, OPTIONS, options)
            .and_then(|options| options::read(MACHINE, &options))
            .and_then(|options| TurnOrder::new(options, placement));
        let saved = SavedMachines::default();
        core.map(|core| Self { core, saved }).map_err(thrown)
    }

    /// The id of the next turn's prompt, if the host names none.
    #[wasm_bindgen(js_name = nextPromptId)]
    pub fn next_prompt_id(&self) -> String {
        self.core.next_prompt_id()
    }

    /// The number of the newest turn.
    pub fn turn(&self) -> f64 {
        self.core.state().turn as f64
    }

    /// The `SessionState`.
    pub fn state(&self) -> Rich {
        Ok(to_js(self.core.state()))
    }

    /// Starts a turn, whose prompt is in the byte buffer, after it the task, if one is given. Returns its number.
    #[wasm_bindgen(js_name = beginTurn)]
    pub fn begin_turn(&mut self, summaries: &mut RawSummaryInjector, length: usize) -> f64 {
        let mut texts = with_bytes(length, read_texts).into_iter();
        let prompt = texts.next().unwrap_or_default();
        let task = texts.next().map(|task| task.to_lossy());
        self.core.begin_turn(&mut summaries.core, prompt, task) as f64
    }

    /// The user's words in the open turn.
    #[wasm_bindgen(js_name = openPrompt)]
    pub fn open_prompt(&self, summaries: &RawSummaryInjector) -> Rich {
        let prompt = self.core.open_prompt(&summaries.core).map_err(thrown)?;
        Ok(to_js(prompt))
    }

    /// A `TurnPrompt` for a phase and `{ capability, direction, workspace }`.
    #[wasm_bindgen(js_name = buildPrompt)]
    pub fn build_prompt(
        &mut self,
        summaries: &mut RawSummaryInjector,
        phase: JsValue,
        parts: JsValue,
    ) -> Rich {
        summary_injector::built(phase, parts, &mut |phase, parts| {
            self.core.build_prompt(&mut summaries.core, phase, parts)
        })
    }

    /// Notes a decision and its detail, of the turn with this number or of the newest.
    pub fn note(
        &mut self,
        decision: Decision,
        detail: JsValue,
        turn: Option<f64>,
    ) -> Result<(), JsValue> {
        let detail = from_js(MACHINE, "detail", detail).map_err(thrown)?;
        let turn = turn.map(|turn| turn as u64);
        self.core.note(decision.into(), detail, turn);
        Ok(())
    }

    /// Completes the open turn, and stores `{ summary, insights }`, if that is given.
    #[wasm_bindgen(js_name = endTurn)]
    pub fn end_turn(
        &mut self,
        summaries: &mut RawSummaryInjector,
        summary: JsValue,
    ) -> Result<(), JsValue> {
        let summary = match summary.is_undefined() {
            true => None,
            false => Some(summary_injector::read("summary", summary)?),
        };
        let ended = self.core.end_turn(&mut summaries.core, summary.as_ref());
        ended.map_err(thrown)
    }

    /// The newest `SessionLogEntry`s, the oldest first.
    pub fn log(&self) -> Rich {
        let log: Vec<_> = self.core.log().collect();
        Ok(to_js(&log))
    }

    /// Versioned bytes with a checksum, of the session with these snapshots of its machines.
    pub fn save(
        &self,
        loop_detector: Vec<u8>,
        assembler: Vec<u8>,
        terminals: Vec<u8>,
        summaries: Vec<u8>,
    ) -> Vec<u8> {
        let machines = [loop_detector, assembler, terminals, summaries];
        self.core.save(machines.map(Into::into))
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawTurnOrder, JsValue> {
        let restored = TurnOrder::restore(snapshot);
        let order = restored.map(|(core, saved)| Self { core, saved });
        order.map_err(thrown)
    }

    /// Takes the snapshot of one of the restored session's machines, in the order of [`save`](Self::save).
    #[wasm_bindgen(js_name = takeSaved)]
    pub fn take_saved(&mut self, machine: usize) -> Vec<u8> {
        std::mem::take(&mut self.saved[machine]).into_vec()
    }
}
