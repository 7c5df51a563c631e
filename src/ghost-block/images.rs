//! Where an image comes from.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD};
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

/// What an image's address asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A path, or `file:`, which is never allowed.
    Path,
    /// `http:` or `https:`
    Remote,
    /// The image itself: its type, such as `image/png`, and its bytes in base64.
    Data { media_type: String, data: String },
    /// Anything else, or `data:` that is no image.
    Other,
}

pub(crate) fn address(uri: &str) -> Address {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return Address::Path;
    };
    match &scheme.to_ascii_lowercase()[..] {
        "http" | "https" => Address::Remote,
        "data" => data(rest).unwrap_or(Address::Other),
        // A drive, or `file:`; the rules of paths decide.
        "file" => Address::Path,
        scheme if scheme.len() == 1 => Address::Path,
        scheme if scheme.contains(['/', '\\', '.']) => Address::Path,
        _ => Address::Other,
    }
}

/// Base64 as hosts write it, with its padding or without.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Reads what follows `data:`, which is an image or nothing.
fn data(rest: &str) -> Option<Address> {
    let (head, body) = rest.split_once(',')?;
    let head = head.to_ascii_lowercase();
    let mut parts = head.split(';').map(str::trim);
    let media_type = parts.next()?;
    if !media_type.starts_with("image/") {
        return None;
    }
    let mut bytes: Vec<u8> = percent_decode_str(body).collect();
    if parts.any(|parameter| parameter == "base64") {
        bytes.retain(|byte| !byte.is_ascii_whitespace());
        while bytes.last() == Some(&b'=') {
            bytes.pop();
        }
        bytes = LENIENT.decode(bytes).ok()?;
    }
    Some(Address::Data {
        media_type: media_type.to_owned(),
        data: STANDARD.encode(bytes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let data = |media_type: &str, data: &str| Address::Data {
            media_type: media_type.to_owned(),
            data: data.to_owned(),
        };
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
            // An escape that is none stays, as browsers have it.
            ("data:image/svg+xml,100%", data("image/svg+xml", "MTAwJQ==")),
            ("data:image/png;base64,A A F", data("image/png", "AAE=")),
            ("data:image/png;base64,AAE===", data("image/png", "AAE=")),
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
