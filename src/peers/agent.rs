//! What an agent's file says: what a host may set of its detection, and what that does with an event.

use std::fmt::Debug;

use crate::call::{Call, Encoded};
use crate::report::Detection;
use turnkeeper_base::error::Error;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_loop_detector::rules::{CallSeen, RunUnderWay};
use turnkeeper_loop_detector::{LoopMessages, ModelCheckSetting, PreviewModel};

/// An agent's options.
pub(crate) trait AgentOptions {
    /// Whether numbers are in bounds, so that memory and the cost of an event are, and in order.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// The agent, with the host's numbers where the host has set any.
    fn agent(&self) -> Box<dyn Agent>;

    /// The host's own texts.
    fn messages(&self) -> Option<&LoopMessages>;

    /// When the agent asks a model, if it does.
    fn model_check(&self) -> Option<ModelCheckSetting> {
        None
    }

    /// Which models count as preview models, if the host has said so.
    fn preview_model(&self) -> Option<&PreviewModel> {
        None
    }
}

/// An agent's detection: its settings, and what it remembers. Only calls and prose count.
pub(crate) trait Agent: BoxedClone + Debug + Send + Sync {
    /// Whether a stop lasts until a new prompt or `clear`. Otherwise a verdict ends with the next event.
    fn stop_lasts(&self) -> bool;

    /// Whether `clear` only lifts a stop, so that the next repeat is one more.
    fn clear_keeps_counts(&self) -> bool {
        false
    }

    /// Whether arguments that are a string are compared as they are spelt, too.
    fn needs_spelling(&self) -> bool {
        false
    }

    /// Whether the order of the arguments' keys is compared. A native caller always gives the order.
    #[cfg_attr(not(feature = "wasm"), allow(dead_code))]
    fn needs_key_order(&self) -> bool {
        false
    }

    /// Equal for calls that count as the same; none for a call that is not counted. `spelling` is the string
    /// that the arguments are, if they are one and it is needed.
    fn key(&self, call: &Call, spelling: Encoded) -> Option<u64>;

    /// Takes the next call.
    fn call(&mut self, seen: &CallSeen) -> Option<Detection>;

    /// Takes a delta of prose.
    fn prose(&mut self, _delta: &[u16]) -> Option<Detection> {
        None
    }

    /// Whether the last call was a stop. One that follows is the same stop.
    fn still_holds(&self) -> bool {
        false
    }

    /// How far it has counted calls in a row: of several runs, the one that is nearest to its threshold.
    fn under_way(&self) -> Option<RunUnderWay>;

    /// Starts afresh.
    fn restart(&mut self, restart: Restart);

    /// What it remembers as bytes.
    fn save(&self) -> Vec<u8>;

    /// Goes on from what [`save`](Self::save) wrote.
    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt>;
}

/// Why an agent's detection starts afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restart {
    /// A new prompt began: indexes and offsets start afresh, too.
    NewPrompt,
    /// The host lifted a stop: indexes and offsets go on.
    Cleared,
}

/// Clones an agent in its box.
pub(crate) trait BoxedClone {
    fn boxed_clone(&self) -> Box<dyn Agent>;
}

impl<A: Agent + Clone + 'static> BoxedClone for A {
    fn boxed_clone(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Agent> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}
