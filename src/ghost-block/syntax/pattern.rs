//! The regular expressions of `MATCHES`: those of the crate `regex`, with limits on how much work they are.
//!
//! `regex` takes time linear in the text, for each pattern. What remains to be bounded is how large
//! a pattern may become, and how much all patterns of one text cost together; see
//! [`Pattern::effort`].
//!
//! `regex` chooses among engines, which takes 17 KB of the compressed module, and would choose the one of
//! `regex-automata` that is asked here.

use std::fmt::Display;

use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{Compiler, Config};
use regex_automata::util::syntax;

#[cfg(test)]
mod tests;

/// UTF-8 bytes that a pattern may have.
const MAX_LENGTH: usize = 1_000;

/// How deep groups and classes may be nested.
const MAX_NESTING: u32 = 100;

/// Bytes that a compiled pattern may take. It is compiled within the smallest of these limits that it
/// fits into. A pattern of ASCII characters fits into the first, one with `\w` into the second, and
/// `\w{1,64}` into the third.
const SIZE_LIMITS: [usize; 3] = [4 << 10, 128 << 10, 4 << 20];

/// Effort for each byte of a pattern that is read. This is measured with the slowest that is known:
/// `(?i)` with a class of all characters.
const EFFORT_TO_READ: usize = 4_000;

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Pattern {
    engine: PikeVM,
    effort_to_compile: usize,
    size_limit: usize,
}

/// Why a pattern is refused, and what the refusal cost.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) effort: usize,
}

impl Pattern {
    /// Compiles a pattern.
    pub(crate) fn new(pattern: &str) -> Result<Self, Refusal> {
        if pattern.len() > MAX_LENGTH {
            let message = format!("it is longer than {MAX_LENGTH} bytes");
            return Err(Refusal { message, effort: 0 });
        }
        let effort_within = |size| pattern.len() * EFFORT_TO_READ + size;
        let refuse = |message: String, size| Refusal {
            message,
            effort: effort_within(size),
        };
        let limits = syntax::Config::new().nest_limit(MAX_NESTING);
        let read = syntax::parse_with(pattern, &limits)
            .map_err(|error| refuse(last_line_of(&error), 0))?;
        for size_limit in SIZE_LIMITS {
            let limits = Config::new().nfa_size_limit(Some(size_limit));
            let compiled = Compiler::new().configure(limits).build_from_hir(&read);
            match compiled.and_then(PikeVM::new_from_nfa) {
                Ok(engine) => {
                    return Ok(Self {
                        engine,
                        effort_to_compile: effort_within(size_limit),
                        size_limit,
                    });
                }
                Err(error) if error.size_limit().is_some() => {}
                Err(error) => return Err(refuse(last_line_of(&error), 0)),
            }
        }
        Err(refuse("it is too large".to_owned(), SIZE_LIMITS[2]))
    }

    /// What it costs at most to compile this pattern and to search a text of this length with it.
    /// A unit of effort is about what it takes to compare two characters.
    pub(crate) fn effort(&self, text_length: usize) -> usize {
        let effort_per_unit = self.size_limit / 256;
        let effort_to_search = text_length.saturating_mul(effort_per_unit);
        self.effort_to_compile.saturating_add(effort_to_search)
    }

    /// Whether anything in the text matches.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.engine.is_match(&mut self.engine.create_cache(), text)
    }
}

/// The reason in an error, which shows the pattern before it on lines of its own.
fn last_line_of(error: &impl Display) -> String {
    let whole = error.to_string();
    let last = whole.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
