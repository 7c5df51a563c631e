//! Messages of any provider or agent: who wrote them, and what is in them.
//!
//! | file | |
//! |---|---|
//! | `event.rs` | the events of a conversation |
//! | `parts.rs` | what the parts of a message are, whichever provider's it is |
//! | `authors.rs` | who wrote a message that stands in the user's name |
//! | `person.rs` | the same of a text: the notices of agents and hosts |
//! | `calls_in_text.rs` | calls that a model writes into its text |
//! | `tools.rs` | the work of a tool, by its name |
//! | `pattern.rs` | the beginnings of texts, read without regular expressions |

mod authors;
mod calls_in_text;
mod event;
mod parts;
mod pattern;
mod person;
mod tools;

pub use self::authors::users_words_in;
pub use self::calls_in_text::{CallInText, CallsInText, TOOLS_IN_TEXT};
pub use self::event::Event;
pub use self::parts::{Part, parts_of_part, says_text};
pub use self::pattern::{is_blank, is_of_word, is_white, trimmed};
pub use self::person::users_words;
pub use self::tools::{KnownTool, command_of, known_tools, plain_name};
