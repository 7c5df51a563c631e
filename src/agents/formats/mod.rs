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

use self::atif::{AtifReader, is_atif_step};
use self::events::{EventReader, is_event_line};
use self::mini_swe_agent::{MiniSweAgentReader, is_mini_swe_agent_property};
use self::pydantic_ai::{PydanticAiReader, is_pydantic_message};
use self::swe_agent::{SweAgentReader, is_swe_agent_step};
use self::tau_bench::{TauBenchReader, is_tau_simulation};
use crate::claude_code::reader::{
    ClaudeCodeReader, ClaudeStreamReader, is_claude_line, is_claude_stream_message,
};
use crate::cline::ui_messages::{UiMessageReader, is_ui_message};
use crate::codebuddy::reader::{CodeBuddyReader, is_codebuddy_line};
use crate::codex::messages::{CodexMessageReader, is_codex_message};
use crate::codex::reader::{CodexReader, is_codex_line};
use crate::codex::stream::{CodexStreamReader, is_codex_event};
use crate::continue_dev::reader::{ContinueReader, is_continue_item};
use crate::copilot_chat::reader::{
    CopilotChatReader, is_copilot_beginning, is_copilot_log, is_copilot_request,
};
use crate::copilot_cli::reader::{CopilotCliReader, is_copilot_cli_event};
use crate::crush::reader::{CrushReader, is_crush_row};
use crate::gemini_cli::reader::{GeminiSessionReader, is_gemini_line, is_gemini_message};
use crate::gemini_cli::stream::{GeminiStreamReader, is_gemini_stream_event};
use crate::goose::reader::{GooseReader, is_goose_event, is_goose_header, is_goose_message};
use crate::hermes::reader::{HermesReader, is_hermes_export, is_hermes_header, is_hermes_property};
use crate::kimi::reader::{KimiReader, is_kimi_line};
use crate::kiro::reader::{KiroReader, is_kiro_entry};
use crate::nanobot::reader::{NanobotReader, is_nanobot_header};
use crate::opencode::reader::{
    OpencodeReader, is_opencode_message, is_opencode_row, is_opencode_session,
};
use crate::openhands::evaluation::{OpenHandsEvalReader, is_openhands_run};
use crate::openhands::reader::{OpenHandsReader, is_openhands_event};
use crate::pi::reader::{PiReader, is_pi_entry, is_pi_header};
use crate::qwen_code::reader::{QwenCodeReader, is_qwen_record};
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

/// Formats whose values show it wherever they are. Those with more conditions are asked first.
pub(crate) const ANYWHERE: &[Known] = &[
    Known {
        is_of: is_gemini_stream_event,
        reader: || Box::new(GeminiStreamReader::default()),
    },
    Known {
        is_of: is_claude_stream_message,
        reader: || Box::new(ClaudeStreamReader::new()),
    },
    Known {
        is_of: is_opencode_row,
        reader: || Box::new(OpencodeReader::default()),
    },
    Known {
        is_of: is_event_line,
        reader: || Box::new(EventReader),
    },
    Known {
        is_of: is_ui_message,
        reader: || Box::new(UiMessageReader::default()),
    },
    Known {
        is_of: is_gemini_message,
        reader: || Box::new(GeminiSessionReader::default()),
    },
    Known {
        is_of: is_openhands_event,
        reader: || Box::new(OpenHandsReader::default()),
    },
    Known {
        is_of: is_swe_agent_step,
        reader: || Box::new(SweAgentReader::default()),
    },
    Known {
        is_of: is_opencode_message,
        reader: || Box::new(OpencodeReader::default()),
    },
    Known {
        is_of: is_goose_message,
        reader: || Box::new(GooseReader::default()),
    },
    Known {
        is_of: is_copilot_request,
        reader: || Box::new(CopilotChatReader::default()),
    },
    Known {
        is_of: is_atif_step,
        reader: || Box::new(AtifReader::default()),
    },
    Known {
        is_of: is_kiro_entry,
        reader: || Box::new(KiroReader),
    },
    Known {
        is_of: is_continue_item,
        reader: || Box::new(ContinueReader::default()),
    },
    Known {
        is_of: is_pydantic_message,
        reader: || Box::new(PydanticAiReader),
    },
    Known {
        is_of: is_tau_simulation,
        reader: || Box::new(TauBenchReader),
    },
];

/// Formats of lines, by one of their first lines; asked after those above.
pub(crate) const LINES: &[Known] = &[
    Known {
        is_of: is_qwen_record,
        reader: || Box::new(QwenCodeReader),
    },
    Known {
        is_of: is_claude_line,
        reader: || Box::new(ClaudeCodeReader::new()),
    },
    Known {
        is_of: is_codebuddy_line,
        reader: || Box::new(CodeBuddyReader::default()),
    },
    Known {
        is_of: is_codex_line,
        reader: || Box::new(CodexReader::new()),
    },
    Known {
        is_of: is_codex_message,
        reader: || Box::new(CodexMessageReader::default()),
    },
    Known {
        is_of: is_codex_event,
        reader: || Box::new(CodexStreamReader::default()),
    },
    Known {
        is_of: is_gemini_line,
        reader: || Box::new(GeminiSessionReader::default()),
    },
    Known {
        is_of: is_pi_header,
        reader: || Box::new(PiReader::default()),
    },
    Known {
        is_of: is_opencode_session,
        reader: || Box::new(OpencodeReader::default()),
    },
    Known {
        is_of: is_goose_header,
        reader: || Box::new(GooseReader::default()),
    },
    Known {
        is_of: is_goose_event,
        reader: || Box::new(GooseReader::default()),
    },
    Known {
        is_of: is_openhands_run,
        reader: || Box::new(OpenHandsEvalReader),
    },
    Known {
        is_of: is_copilot_log,
        reader: || Box::new(CopilotChatReader::default()),
    },
    Known {
        is_of: is_copilot_cli_event,
        reader: || Box::new(CopilotCliReader::default()),
    },
    Known {
        is_of: is_hermes_header,
        reader: || Box::new(HermesReader::new()),
    },
    Known {
        is_of: is_hermes_export,
        reader: || Box::new(HermesReader::new()),
    },
    Known {
        is_of: is_nanobot_header,
        reader: || Box::new(NanobotReader::new()),
    },
    Known {
        is_of: is_pi_entry,
        reader: || Box::new(PiReader::default()),
    },
    Known {
        is_of: is_kimi_line,
        reader: || Box::new(KimiReader::new()),
    },
    Known {
        is_of: is_crush_row,
        reader: || Box::new(CrushReader),
    },
];

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
