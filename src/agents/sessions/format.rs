//! The formats of saved sessions.

use turnkeeper_base::json::{Json, Unread};

use super::record::{Facts, Record, Unreadable, Usage};
use crate::agent::Agent;

macro_rules! formats {
    ($($variant:ident $name:literal $title:literal $agent:expr, $is_history:literal;)*) => {
        /// The formats that are read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Format {
            $(#[doc = $title] $variant,)*
        }

        impl Format {
            /// Every format.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in options and reports.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Its name for people.
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// The agent that writes it, if only one does.
            pub fn agent(self) -> Option<Agent> {
                match self { $(Self::$variant => $agent,)* }
            }

            /// Whether an agent sends it again, so that it can be repaired, and it is no record of events.
            pub fn is_history(self) -> bool {
                match self { $(Self::$variant => $is_history,)* }
            }
        }
    };
}

formats! {
    Events "events" "event lines" None, false;
    Cline "cline" "Cline, Roo or Kilo history" None, true;
    ClineUi "cline-ui" "Cline, Roo or Kilo ui_messages" None, false;
    ClineMarkdown "cline-markdown" "Cline, Roo or Kilo export" None, false;
    GeminiCli "gemini-cli" "gemini-cli session" Some(Agent::GeminiCli), false;
    Gemini "gemini" "Gemini contents" None, true;
    ClaudeCode "claude-code" "Claude Code session" Some(Agent::ClaudeCode), true;
    ClaudeStream "claude-stream" "Claude Code stream-json output" Some(Agent::ClaudeCode), false;
    GeminiStream "gemini-stream" "gemini-cli stream-json output" Some(Agent::GeminiCli), false;
    Codex "codex" "Codex rollout" Some(Agent::Codex), false;
    OpenHands "openhands" "OpenHands events" Some(Agent::OpenHands), false;
    OpenHandsEval "openhands-eval" "OpenHands evaluation output" None, false;
    SweAgent "swe-agent" "SWE-agent trajectory" None, false;
    MiniSweAgent "mini-swe-agent" "mini-swe-agent trajectory" None, true;
    Pi "pi" "pi session" Some(Agent::Pi), false;
    Opencode "opencode" "opencode session" Some(Agent::Opencode), false;
    Goose "goose" "goose session" Some(Agent::Goose), false;
    CopilotChat "copilot-chat" "VS Code Copilot chat" Some(Agent::CopilotChat), false;
    CopilotCli "copilot-cli" "Copilot CLI session" Some(Agent::CopilotCli), false;
    QwenCode "qwen-code" "Qwen Code session" Some(Agent::QwenCode), false;
    Kimi "kimi" "Kimi CLI session" Some(Agent::Kimi), false;
    Crush "crush" "crush session" Some(Agent::Crush), false;
    Atif "atif" "ATIF trajectory" None, false;
    Hermes "hermes" "Hermes session" Some(Agent::Hermes), true;
    CodeBuddy "codebuddy" "CodeBuddy session" Some(Agent::CodeBuddy), false;
    Nanobot "nanobot" "nanobot session" Some(Agent::Nanobot), true;
    Kiro "kiro" "Kiro session" Some(Agent::Kiro), false;
    Continue "continue" "Continue session" Some(Agent::Continue), false;
    PydanticAi "pydantic-ai" "pydantic-ai message history" None, false;
    TauBench "tau-bench" "tau-bench or tau2-bench results" None, false;
    Anthropic "anthropic" "Anthropic messages" None, true;
    OpenAi "openai" "OpenAI messages" None, true;
    AiSdk "ai-sdk" "AI SDK messages" None, true;
    Messages "messages" "chat messages" None, true;
}

impl Format {
    /// The format with this [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }
}

/// Makes records of a format's values, one after another.
pub trait RecordReader {
    /// The format; it may become known as values are read.
    fn format(&self) -> Format;

    /// The record of a value: a line, or an element of the session's array. Its place is the caller's business, unless
    /// the reader sets another.
    ///
    /// # Errors
    /// If the value is not of the format.
    fn read<'a>(&mut self, value: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable>;

    /// The tokens and the money that a value records; it is asked after [`read`](Self::read) of the same value.
    fn usage(&mut self, _value: &Json) -> Vec<Usage> {
        Vec::new()
    }

    /// The fields of a value that neither [`read`](Self::read) nor [`usage`](Self::usage) looks at.
    fn unread(&self) -> &'static Unread {
        Unread::NONE
    }

    /// The same and the texts and calls, where the usage, the facts and what is unreadable are the same without them.
    /// `None` if a value has to be read whole.
    fn unread_for_usage(&self) -> Option<&'static Unread> {
        None
    }

    /// When a line was written that plainly has no facts, no words of a user, nothing unreadable, and, unless the usage
    /// alone is asked for, no items; and the usage that it records. `None` for one that has to be read.
    fn plain_usage(&mut self, _line: &[u8], _is_alone: bool) -> Option<(f64, Vec<Usage>)> {
        None
    }

    /// Facts in a property beside the session's elements, in a file that is one object.
    fn property<'a>(&mut self, _key: &str, _value: &'a Json<'a>) -> Option<Facts<'a>> {
        None
    }

    /// The record that waited for a next value.
    ///
    /// # Errors
    /// If the file ends with what cannot be read.
    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        Ok(None)
    }
}
