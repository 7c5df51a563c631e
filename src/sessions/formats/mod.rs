//! A file a format, and the table by which a value's format is recognised.

mod claude;
mod codex;
mod codex_stream;
mod events;
mod features;
#[cfg(test)]
mod fixtures;
mod gemini_session;
mod gemini_stream;
mod kimi;
pub(crate) mod messages;
mod pi;
mod qwen_code;
#[cfg(test)]
mod testing;

use turnkeeper_base::json::Json;

use self::claude::{
    ClaudeCodeReader, ClaudeStreamReader, is_claude_line, is_claude_stream_message,
};
use self::codex::{CodexReader, is_codex_line};
use self::codex_stream::{CodexStreamReader, is_codex_event};
use self::events::{EventReader, is_event_line};
use self::gemini_session::{GeminiSessionReader, is_gemini_line, is_gemini_message};
use self::gemini_stream::{GeminiStreamReader, is_gemini_stream_event};
use self::kimi::{KimiReader, is_kimi_line};
use self::pi::{PiReader, is_pi_entry, is_pi_header};
use self::qwen_code::{QwenCodeReader, is_qwen_record};
use crate::format::{Format, RecordReader};

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
        is_of: is_event_line,
        reader: || Box::new(EventReader),
    },
    Known {
        is_of: is_gemini_message,
        reader: || Box::new(GeminiSessionReader::default()),
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
        is_of: is_codex_line,
        reader: || Box::new(CodexReader::new()),
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
        is_of: is_pi_entry,
        reader: || Box::new(PiReader::default()),
    },
    Known {
        is_of: is_kimi_line,
        reader: || Box::new(KimiReader::new()),
    },
];

/// Formats of one object, by what is beside its elements; asked before those above.
pub(crate) const BESIDE: &[Beside] = &[Beside {
    is_of: |key, _| key == "projectHash",
    takes: |_| true,
    reader: || Box::new(GeminiSessionReader::default()),
}];

/// Formats that show in the beginning of a text that may be cut off before its first value ends.
pub(crate) const BEGINNINGS: &[(fn(&str) -> bool, Format)] = &[];
