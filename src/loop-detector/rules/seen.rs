//! Events, as rules get to see them.

use crate::call::{Call, Encoded};
use crate::report::Channel;

/// An event.
#[derive(Clone, Copy)]
pub enum Event<'a> {
    /// The model asks for a tool.
    Call(CallSeen<'a>),
    /// The model asks for a tool that no rule counts. It ends what the model writes, and nothing else.
    UncountedCall {
        /// The call's index in the prompt, from 0.
        index: u64,
    },
    /// A tool answered.
    Result(ResultSeen<'a>),
    /// The model writes.
    Text {
        /// The prose or the reasoning.
        channel: Channel,
        /// The next of its UTF-16 code units.
        delta: &'a [u16],
    },
    /// A request to the provider begins.
    TurnStarted,
    /// The user said something.
    UserMessage,
    /// The history was shortened.
    Condensation,
    /// The model's answer ended.
    Finished,
    /// Anything else.
    Other,
}

/// A call.
#[derive(Clone, Copy)]
pub struct CallSeen<'a> {
    /// The call as it was encoded.
    pub call: &'a Call<'a>,
    /// The hash by which it is compared.
    pub key: u64,
    /// The call's index in the prompt, from 0.
    pub index: u64,
    /// Whether a preview model answers.
    pub is_preview: bool,
}

/// The UTF-16 code units that rules read at the beginning of a longer result, and at its end; of its middle they know the
/// length alone.
pub(crate) const RESULT_END_UNITS: usize = 8_192;

/// A result.
#[derive(Clone, Copy)]
pub struct ResultSeen<'a> {
    /// A string.
    pub output: Encoded<'a>,
    /// The units that it lacks in its middle, where no rule reads.
    pub left_out: usize,
    /// Whether the host or the tool marked it as an error.
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
            output: Encoded(&[]),
            left_out: 0,
            is_error: false,
            exit_code: Encoded(&[]),
            answered: None,
        }
    }
}

/// A call that was made before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Answered {
    /// The key by which it is compared.
    pub key: u64,
    /// Its number among the calls of the prompt, counting from 0.
    pub index: u64,
    /// By [`Call::tool_fingerprint`].
    pub tool: u64,
}
