//! A file a format, and the table by which a value's format is recognised.

mod atif;
mod events;
mod features;
pub(crate) mod messages;
mod mini_swe_agent;
mod pydantic_ai;
mod swe_agent;
mod tau_bench;
#[cfg(test)]
pub(crate) mod testing;
mod texts;
mod written_calls;

use turnkeeper_base::json::Json;

use self::mini_swe_agent::{MiniSweAgentReader, is_mini_swe_agent_property};
use crate::copilot_chat::reader::is_copilot_beginning;
use crate::gemini_cli::reader::GeminiSessionReader;
use crate::hermes::reader::{HermesReader, is_hermes_property};
use crate::sessions::format::{Format, RecordReader};

pub(crate) use self::features::is_message;

/// Makes a reader of a format.
pub(crate) type NewReader = fn() -> Box<dyn RecordReader>;

/// A format that shows in its values.
pub(crate) struct Known {
    /// Whether a value is the format's.
    pub(crate) is_of: fn(&Json) -> bool,
    /// Reads the values.
    pub(crate) reader: NewReader,
}

/// A format of files that are one object, in which a property beside the session's elements tells whose they are.
pub(crate) struct Beside {
    /// Whether a property, by its key and value, tells it.
    pub(crate) is_of: fn(&str, &Json) -> bool,
    /// Whether an element is the format's, then.
    pub(crate) takes: fn(&Json) -> bool,
    /// Reads the elements.
    pub(crate) reader: NewReader,
}

/// A line a kind of value: the reader's folder and file, what recognises a value, and what reads the values.
macro_rules! known {
    ($($folder:ident::$file:ident: $is_of:ident => $reader:ident $(::$new:ident)?;)*) => {
        &[$(Known {
            is_of: crate::$folder::$file::$is_of,
            reader: || Box::new(crate::$folder::$file::$reader $(::$new())?),
        },)*]
    };
}

/// Formats whose values show it wherever they are. Those with more conditions are asked first.
pub(crate) const ANYWHERE: &[Known] = known! {
    gemini_cli::stream: is_gemini_stream_event => GeminiStreamReader::default;
    claude_code::reader: is_claude_stream_message => ClaudeStreamReader::new;
    opencode::reader: is_opencode_row => OpencodeReader::default;
    formats::events: is_event_line => EventReader;
    cline::ui_messages: is_ui_message => UiMessageReader::default;
    gemini_cli::reader: is_gemini_message => GeminiSessionReader::default;
    openhands::reader: is_openhands_event => OpenHandsReader::default;
    formats::swe_agent: is_swe_agent_step => SweAgentReader::default;
    opencode::reader: is_opencode_message => OpencodeReader::default;
    goose::reader: is_goose_message => GooseReader::default;
    copilot_chat::reader: is_copilot_request => CopilotChatReader::default;
    formats::atif: is_atif_step => AtifReader::default;
    kiro::reader: is_kiro_entry => KiroReader;
    continue_dev::reader: is_continue_item => ContinueReader::default;
    formats::pydantic_ai: is_pydantic_message => PydanticAiReader;
    formats::tau_bench: is_tau_simulation => TauBenchReader;
};

/// Formats of lines, by one of their first lines; asked after those above.
pub(crate) const LINES: &[Known] = known! {
    qwen_code::reader: is_qwen_record => QwenCodeReader;
    claude_code::reader: is_claude_line => ClaudeCodeReader::new;
    codebuddy::reader: is_codebuddy_line => CodeBuddyReader::default;
    codex::reader: is_codex_line => CodexReader::new;
    codex::messages: is_codex_message => CodexMessageReader::default;
    codex::stream: is_codex_event => CodexStreamReader::default;
    gemini_cli::reader: is_gemini_line => GeminiSessionReader::default;
    pi::reader: is_pi_header => PiReader::default;
    opencode::reader: is_opencode_session => OpencodeReader::default;
    goose::reader: is_goose_header => GooseReader::default;
    goose::reader: is_goose_event => GooseReader::default;
    openhands::evaluation: is_openhands_run => OpenHandsEvalReader;
    copilot_chat::reader: is_copilot_log => CopilotChatReader::default;
    copilot_cli::reader: is_copilot_cli_event => CopilotCliReader::default;
    hermes::reader: is_hermes_header => HermesReader::new;
    hermes::reader: is_hermes_export => HermesReader::new;
    nanobot::reader: is_nanobot_header => NanobotReader::new;
    pi::reader: is_pi_entry => PiReader::default;
    kimi::reader: is_kimi_line => KimiReader::new;
    crush::reader: is_crush_row => CrushReader;
};

/// Formats of one object, by what is beside its elements; asked before those above.
pub(crate) const BESIDE: &[Beside] = &[
    Beside {
        is_of: |key, _| key == "projectHash",
        takes: |_| true,
        reader: || Box::new(GeminiSessionReader::default()),
    },
    Beside {
        is_of: is_mini_swe_agent_property,
        takes: is_message,
        reader: || Box::new(MiniSweAgentReader::new()),
    },
    Beside {
        is_of: is_hermes_property,
        takes: is_message,
        reader: || Box::new(HermesReader::new()),
    },
];

/// Formats that show in the beginning of a text that may be cut off before its first value ends.
pub(crate) const BEGINNINGS: &[Beginning] = &[(is_copilot_beginning, Format::CopilotChat)];

/// Whether a text begins like a format's, and the format.
pub(crate) type Beginning = (fn(&str) -> bool, Format);
