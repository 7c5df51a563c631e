//! The regular expressions of `MATCHES`: the crate `regex`, with limits on how much work they are.
//!
//! `regex` takes time linear in the text, for each pattern. What remains to be bounded is how large
//! a pattern may become, and how much all patterns of one text cost together; see
//! [`Pattern::effort`].

use regex::{Error, Regex, RegexBuilder};

#[cfg(test)]
mod tests;

/// UTF-8 bytes that a pattern may have.
const MAX_LENGTH: usize = 1_000;

/// The deepest nesting of groups and classes.
const MAX_NESTING: u32 = 100;

/// Bytes that a compiled pattern may take. `regex` does not say how many bytes a pattern took, so
/// it is compiled within the smallest of these limits that it fits into. A pattern of ASCII
/// characters fits into the first, one with `\w` into the second, and `\w{1,64}` into the
/// third.
const SIZE_LIMITS: [usize; 3] = [4 << 10, 128 << 10, 4 << 20];

/// Effort for each byte of a pattern that is read. This is measured with the slowest that is known:
/// `(?i)` with a class of all characters.
const EFFORT_TO_READ: usize = 4_000;

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Pattern {
    regex: Regex,
    size_limit: usize,
}

/// A reason to refuse a pattern, and the effort that it took.
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
        for size_limit in SIZE_LIMITS {
            let regex = RegexBuilder::new(pattern)
                .nest_limit(MAX_NESTING)
                .size_limit(size_limit)
                .build();
            match regex {
                Ok(regex) => return Ok(Self { regex, size_limit }),
                Err(Error::CompiledTooBig(_)) => {}
                Err(error) => {
                    return Err(Refusal {
                        message: last_line_of(&error),
                        effort: effort_to_compile(pattern, 0),
                    });
                }
            }
        }
        Err(Refusal {
            message: "it is too large".to_owned(),
            effort: effort_to_compile(pattern, SIZE_LIMITS[2]),
        })
    }

    /// The most effort that it takes to compile this pattern and to search a text of this length with it.
    /// A unit of effort is about what it takes to compare two characters.
    pub(crate) fn effort(&self, text_length: usize) -> usize {
        let effort_per_unit = self.size_limit / 256;
        let effort_to_search = text_length.saturating_mul(effort_per_unit);
        effort_to_compile(self.regex.as_str(), self.size_limit).saturating_add(effort_to_search)
    }

    /// Whether anything in the text matches.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

fn effort_to_compile(pattern: &str, size: usize) -> usize {
    pattern.len() * EFFORT_TO_READ + size
}

/// The reason in an error of `regex`, which shows the pattern before it on lines of its own.
fn last_line_of(error: &Error) -> String {
    let whole = error.to_string();
    let last = whole.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
