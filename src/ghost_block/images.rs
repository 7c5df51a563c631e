//! Where an image comes from.

/// What an image's address asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address<'a> {
    /// A path, or `file:`, which is never allowed.
    Path(&'a str),
    /// `http:` or `https:`
    Remote(&'a str),
    /// The image itself: its media type, and its bytes in base64.
    Data(String, String),
    /// Anything else, or `data:` that is no image.
    Other,
}

pub(crate) fn address(uri: &str) -> Address<'_> {
    let scheme = uri
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("http" | "https") => Address::Remote(uri),
        Some("data") => data(&uri["data:".len()..]).map_or(Address::Other, |(media_type, data)| {
            Address::Data(media_type, data)
        }),
        // A drive, or `file:`; the rules of paths decide.
        Some("file") | None => Address::Path(uri),
        Some(scheme) if scheme.len() == 1 || scheme.contains(['/', '\\', '.']) => {
            Address::Path(uri)
        }
        Some(_) => Address::Other,
    }
}

fn data(rest: &str) -> Option<(String, String)> {
    let (head, body) = rest.split_once(',')?;
    let mut parts = head.split(';');
    let media_type = parts.next()?.trim().to_ascii_lowercase();
    if !media_type.starts_with("image/") {
        return None;
    }
    let is_base64 = parts.any(|part| part.trim().eq_ignore_ascii_case("base64"));
    let bytes = percent_decoded(body)?;
    if !is_base64 {
        return Some((media_type, base64(&bytes)));
    }
    let text: String = bytes
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|&byte| char::from(byte))
        .collect();
    let digits = text.trim_end_matches('=');
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/');
    let is_whole = digits.chars().all(is_digit) && digits.len() % 4 != 1;
    let padded = format!("{digits}{}", &"==="[..(4 - digits.len() % 4) % 4]);
    is_whole.then_some((media_type, padded))
}

fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let mut digit = || char::from(bytes.next()?).to_digit(16);
            out.push((digit()? << 4 | digit()?) as u8);
        } else {
            out.push(byte);
        }
    }
    Some(out)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            text.push(if place <= chunk.len() {
                char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize])
            } else {
                '='
            });
        }
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
            ("img/a.png", Address::Path("img/a.png")),
            ("file:///etc/passwd", Address::Path("file:///etc/passwd")),
            (r"C:\a.png", Address::Path(r"C:\a.png")),
            ("./a:b.png", Address::Path("./a:b.png")),
            (
                "HTTPS://x.org/a.png",
                Address::Remote("HTTPS://x.org/a.png"),
            ),
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
