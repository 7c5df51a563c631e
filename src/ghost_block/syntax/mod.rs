//! What a prompt or a rule says: directives, references, and what is code and therefore text.

pub(crate) mod code;
pub(crate) mod directives;
mod pattern;
pub(crate) mod preprocess;
pub(crate) mod references;

pub(crate) const AT: u16 = b'@' as u16;
pub(crate) const BACKSLASH: u16 = b'\\' as u16;
pub(crate) const OPEN_BRACE: u16 = b'{' as u16;
pub(crate) const CLOSE_BRACE: u16 = b'}' as u16;
pub(crate) const OPEN_BRACKET: u16 = b'[' as u16;
pub(crate) const CLOSE_BRACKET: u16 = b']' as u16;
pub(crate) const QUOTE: u16 = b'"' as u16;
pub(crate) const NEWLINE: u16 = b'\n' as u16;

/// Something to tell about a text, at an offset of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) at: usize,
    pub(crate) is_error: bool,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Remark {
    pub(crate) fn error(at: usize, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            at,
            is_error: true,
            code,
            message: message.into(),
        }
    }

    pub(crate) fn warning(at: usize, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            is_error: false,
            ..Self::error(at, code, message)
        }
    }
}

pub(crate) fn is_blank(unit: u16) -> bool {
    matches!(unit, 0x20 | 0x09 | 0x0d)
}

/// A letter, a digit, `_`, or anything beyond ASCII.
fn is_name(unit: u16) -> bool {
    unit >= 0x80 || unit == 0x5f || (unit as u8).is_ascii_alphanumeric()
}

fn is_name_start(unit: u16) -> bool {
    is_name(unit) && !(0x30..=0x39).contains(&unit)
}
