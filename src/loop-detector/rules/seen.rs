//! What happens, as rules get to see it.

use crate::call::{Call, Encoded};
use crate::report::Channel;

/// What happens.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    Call(CallSeen<'a>),
    Result(ResultSeen<'a>),
    Text { channel: Channel, delta: &'a [u16] },
    TurnStarted,
    UserMessage,
    Condensation,
    Finished,
    Other,
}

/// A call.
#[derive(Clone, Copy)]
pub(crate) struct CallSeen<'a> {
    pub(crate) call: &'a Call<'a>,
    /// What it is compared by.
    pub(crate) key: u64,
    /// Which call of the prompt it is, counting from 0.
    pub(crate) index: u64,
    /// Whether a preview model answers.
    pub(crate) is_preview: bool,
}

/// A result.
#[derive(Clone, Copy)]
pub(crate) struct ResultSeen<'a> {
    /// What it is compared by; 0 for an output that is empty or is not compared.
    pub(crate) key: u64,
    /// A string.
    pub(crate) output: Encoded<'a>,
    pub(crate) is_error: bool,
    /// A number, if there is one.
    pub(crate) exit_code: Encoded<'a>,
    /// The call that it answers, if that is known.
    pub(crate) answered: Option<Answered>,
}

impl ResultSeen<'_> {
    /// One that no rule looks at.
    pub(crate) fn unread() -> Self {
        Self {
            key: 0,
            output: Encoded(&[]),
            is_error: false,
            exit_code: Encoded(&[]),
            answered: None,
        }
    }
}

/// A call that was made before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Answered {
    pub(crate) key: u64,
    pub(crate) index: u64,
    /// By [`Call::tool_fingerprint`].
    pub(crate) tool: u64,
}
