//! What happens, as rules get to see it.

use crate::call::{Call, Encoded};
use crate::report::Channel;

/// What happens.
#[derive(Clone, Copy)]
pub enum Event<'a> {
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
pub struct CallSeen<'a> {
    pub call: &'a Call<'a>,
    /// What it is compared by.
    pub key: u64,
    /// Which call of the prompt it is, counting from 0.
    pub index: u64,
    /// Whether a preview model answers.
    pub is_preview: bool,
}

/// A result.
#[derive(Clone, Copy)]
pub struct ResultSeen<'a> {
    /// What it is compared by; 0 for an output that is empty or is not compared.
    pub key: u64,
    /// A string.
    pub output: Encoded<'a>,
    pub is_error: bool,
    /// A number, if there is one.
    pub exit_code: Encoded<'a>,
    /// The call that it answers, if that is known.
    pub answered: Option<Answered>,
}

impl ResultSeen<'_> {
    /// One that no rule looks at.
    pub fn unread() -> Self {
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
pub struct Answered {
    pub key: u64,
    pub index: u64,
    /// By [`Call::tool_fingerprint`].
    pub tool: u64,
}
