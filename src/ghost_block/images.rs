//! Where an image comes from.

use super::text::split_once;

/// What an image's address asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A path, or `file:`, which is never allowed.
    Path,
    /// `http:` or `https:`
    Remote,
    /// The image itself: its media type, and its bytes in base64.
    Data(String, String),
    /// Anything else, or `data:` that is no image.
    Other,
}

pub(crate) fn address(uri: &str) -> Address {
    let Some((scheme, rest)) = split_once(uri, b':') else {
        return Address::Path;
    };
    match &scheme.to_ascii_lowercase()[..] {
        "http" | "https" => Address::Remote,
        "data" => data(rest).unwrap_or(Address::Other),
        // A drive, or `file:`; the rules of paths decide.
        "file" => Address::Path,
        scheme if scheme.len() == 1 => Address::Path,
        scheme
            if scheme
                .bytes()
                .any(|byte| matches!(byte, b'/' | b'\\' | b'.')) =>
        {
            Address::Path
        }
        _ => Address::Other,
    }
}

fn data(rest: &str) -> Option<Address> {
    let (head, body) = split_once(rest, b',')?;
    let head = head.to_ascii_lowercase();
    let (media_type, mut parameters) = split_once(&head, b';').unwrap_or((&head, ""));
    let media_type = media_type.trim();
    if !media_type.starts_with("image/") {
        return None;
    }
    let mut is_base64 = false;
    while !parameters.is_empty() {
        let (parameter, rest) = split_once(parameters, b';').unwrap_or((parameters, ""));
        is_base64 |= parameter.trim() == "base64";
        parameters = rest;
    }
    let bytes = percent_decoded(body.as_bytes())?;
    let text = if is_base64 {
        padded(&bytes)?
    } else {
        base64(&bytes)
    };
    Some(Address::Data(media_type.to_owned(), text))
}

fn percent_decoded(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let mut byte = text[at];
        at += 1;
        if byte == b'%' {
            byte = 0;
            for _ in 0..2 {
                let digit = char::from(*text.get(at)?).to_digit(16)?;
                byte = byte << 4 | digit as u8;
                at += 1;
            }
        }
        out.push(byte);
    }
    Some(out)
}

/// Base64 without white space, and with all of its padding.
fn padded(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len() + 2);
    let mut is_over = false;
    for &byte in bytes {
        match byte {
            b'=' => is_over = true,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c => {}
            b'+' | b'/' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' if !is_over => {
                text.push(char::from(byte));
            }
            _ => return None,
        }
    }
    if text.len() % 4 == 1 {
        return None;
    }
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    Some(text)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    let mut at = 0;
    while at < bytes.len() {
        let mut bits: u32 = 0;
        for place in at..at + 3 {
            bits = bits << 8 | u32::from(bytes.get(place).copied().unwrap_or(0));
        }
        for place in 0..4 {
            text.push(if at + place <= bytes.len() {
                char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize])
            } else {
                '='
            });
        }
        at += 3;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let data = |media_type: &str, data: &str| Address::Data(media_type.into(), data.into());
        let table = [
            ("img/a.png", Address::Path),
            ("file:///etc/passwd", Address::Path),
            (r"C:\a.png", Address::Path),
            ("./a:b.png", Address::Path),
            ("HTTPS://x.org/a.png", Address::Remote),
            ("data:image/png;base64,AAE=", data("image/png", "AAE=")),
            ("data:image/PNG;BASE64,AA%20E", data("image/png", "AAE=")),
            (
                "data:image/svg+xml,%3Csvg/%3E",
                data("image/svg+xml", "PHN2Zy8+"),
            ),
            ("data:text/html,x", Address::Other),
            ("data:image/png;base64,A", Address::Other),
            ("data:image/png;base64,A*AA", Address::Other),
            ("javascript:alert(1)", Address::Other),
        ];
        for (uri, expected) in table {
            assert_eq!(address(uri), expected, "{uri}");
        }
    }
}
