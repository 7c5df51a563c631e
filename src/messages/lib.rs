//! Messages of any provider or agent: who wrote them, and what is in them.
//!
//! | file | |
//! |---|---|
//! | `event.rs`, `event_reader.rs` | the events of a conversation, and as JSON has them |
//! | `part.rs`, `parts.rs` | what the parts of a message are, whichever provider's it is |
//! | `anthropic.rs`, `openai.rs`, `gemini.rs`, `ai_sdk.rs`, `vscode.rs` | the parts of each provider |
//! | `events.rs` | the events that all of them become |
//! | `tool_output.rs` | the text of a tool's result, whatever it is made of |
//! | `command_end.rs` | how a command ended, where an agent says so in the text of its result |
//! | `providers.rs` | whose messages they are |
//! | `authors.rs` | whether a message in the user's name begins a prompt, and whose words it holds |
//! | `person.rs` | the same of a text: the notices of agents and hosts |
//! | `calls_in_text.rs` | calls that a model writes into its text |
//! | `tools.rs` | the work of a tool, by its name or the words of it, which stand in `words.tsv` |
//! | `arguments.rs` | the names of their arguments |
//! | `lines.rs` | the lines of a file that they ask for |
//! | `lines_shown.rs` | the lines that a result says it shows |
//! | `pieces.rs` | pieces of texts, by words and digits |
//! | `pattern.rs` | the beginnings of texts, read without regular expressions |

mod ai_sdk;
mod anthropic;
pub mod arguments;
mod authors;
mod calls_in_text;
mod command_end;
mod event;
mod event_reader;
mod events;
pub mod gemini;
mod lines;
mod lines_shown;
pub mod openai;
mod part;
mod parts;
mod pattern;
mod person;
pub mod pieces;
mod providers;
pub mod tool_output;
mod tools;
mod vscode;

pub use self::authors::{is_hosts_answer, prompt_start_in};
pub use self::calls_in_text::{CallInText, CallsInText, TOOLS_IN_TEXT};
pub use self::command_end::{exit_code_in, without_frame};
pub use self::event::Event;
pub use self::event_reader::EVENT_TYPES;
pub use self::events::{answered, answered_with, called, called_with, exit_code, identified};
pub use self::lines::{LineRange, LinesAsked, chooses_lines, is_said};
pub use self::lines_shown::{LinesShown, are_part, lines_shown, numbered_lines};
pub use self::pattern::{is_blank, is_of_word, is_white, trimmed};
pub use self::person::{PromptStart, prompt_start, users_words};
pub use self::providers::{Provider, Providers, role_of};
pub use self::tools::{
    EDITOR_VERBS, KnownTool, TOOL_WORDS, ToolKind, command_of, is_of_pattern, plain_name, words_of,
};
pub use part::Part;
pub use parts::{parts_and_providers, parts_of, parts_of_part};
