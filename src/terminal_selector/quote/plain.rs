//! Commands that a person would join with `&&`.

/// Words that begin what lasts until another word, and a shell waits for that, and those that join
/// commands in fish.
const RESERVED: &[u8] =
    b"and begin case coproc for foreach function if or repeat select switch until while";

/// Whether POSIX shells and fish all read `command` as commands joined with `&&` and `|` alone,
/// which ends with its last character. What is not certain is not plain.
pub(super) fn is_plain(command: &str) -> bool {
    let bytes = command.as_bytes();
    let mut quote = 0;
    let mut previous = 0;
    // Whether a command has to begin.
    let mut is_open = true;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let next = if at + 1 < bytes.len() {
            bytes[at + 1]
        } else {
            0
        };
        let is_c1 = previous == 0xc2 && (0x80..0xa0).contains(&byte);
        if byte < b' ' || byte == 0x7f || is_c1 || matches!(byte, b'\\' | b'!') {
            return false;
        }
        let is_word = match (byte, quote) {
            (b'\'' | b'"', 0) => {
                quote = byte;
                true
            }
            (b'`' | b'$', b'"') => return false,
            (_, 1..) => {
                if byte == quote {
                    quote = 0;
                }
                false
            }
            (b' ', _) => false,
            (b'&', _) if previous == b'>' && next.is_ascii_digit() => false,
            (b'&' | b'|', _) => {
                if is_open || (byte == b'&') != (next == b'&') || next == b'|' {
                    return false;
                }
                at += usize::from(byte == b'&');
                is_open = true;
                false
            }
            (b'>', _) => !is_open,
            (
                b'-'
                | b'_'
                | b'.'
                | b'/'
                | b':'
                | b'='
                | b','
                | b'@'
                | b'%'
                | b'+'
                | b'~'
                | b'*'
                | b'?'
                | b'$'
                | 0x80..,
                _,
            ) => true,
            _ if byte.is_ascii_alphanumeric() => true,
            _ => return false,
        };
        if is_word && is_open {
            if is_reserved(&bytes[at..]) {
                return false;
            }
            is_open = false;
        }
        previous = byte;
        at += 1;
    }
    !is_open && quote == 0
}

/// Whether the text begins with one of the words, and that ends there.
fn is_reserved(text: &[u8]) -> bool {
    let mut length = 0;
    while length < text.len() && text[length].is_ascii_lowercase() {
        length += 1;
    }
    for word in RESERVED.split(|byte| *byte == b' ') {
        if *word == text[..length] {
            return true;
        }
    }
    false
}
