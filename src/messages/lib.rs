//! Messages of any provider or agent: who wrote them, and what is in them.
//!
//! | file | |
//! |---|---|
//! | `parts.rs` | what the parts of a message are, whichever provider's it is |
//! | `authors.rs` | who wrote a message that stands in the user's name |
//! | `person.rs` | the same of a text: the notices of agents and hosts |
//! | `pattern.rs` | the beginnings of texts, read without regular expressions |

mod authors;
mod parts;
mod pattern;
mod person;

pub use self::authors::users_words_in;
pub use self::parts::{Part, parts_of_part, says_text};
pub use self::pattern::{is_blank, trimmed};
pub use self::person::users_words;
