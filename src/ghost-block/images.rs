//! Where an image comes from.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD};
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use turnkeeper_base::path::{PathPlatform, split_drive};

/// What an image's address asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A path.
    Path,
    /// A path that was written as a `file:` URI, decoded.
    File(String),
    /// `http:` or `https:`
    Remote,
    /// The image itself: its type, such as `image/png`, and its bytes in base64.
    Data { media_type: String, data: String },
    /// Anything else, or `data:` that is no image.
    Other,
}

pub(crate) fn address(uri: &str, platform: PathPlatform) -> Address {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return Address::Path;
    };
    match &scheme.to_ascii_lowercase()[..] {
        "http" | "https" => Address::Remote,
        "data" => data(rest).unwrap_or(Address::Other),
        "file" => file(rest, platform).map_or(Address::Other, Address::File),
        // A drive; the rules of paths decide.
        scheme if scheme.len() == 1 => Address::Path,
        scheme if scheme.contains(['/', '\\', '.']) => Address::Path,
        _ => Address::Other,
    }
}

/// The path of what follows `file:`, as editors write it: percent-encoded, with a slash before a drive, a
/// server after two slashes. It is a path as any other then, and has to be allowed. None if no path is in it.
fn file(rest: &str, platform: PathPlatform) -> Option<String> {
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let path = percent_decode_str(&rest[..end]).decode_utf8().ok()?;
    let (server, path) = match path.strip_prefix("//") {
        Some(after) => after.split_at(after.find('/')?),
        None => ("", &*path),
    };
    if !server.is_empty() && !server.eq_ignore_ascii_case("localhost") {
        return Some(format!("//{server}{path}"));
    }
    let below = path.strip_prefix('/')?;
    let is_drive = platform == PathPlatform::Win32 && split_drive(below).is_some();
    Some(if is_drive { below } else { path }.to_owned())
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
            (
                "file:///etc/passwd",
                Address::File("/etc/passwd".to_owned()),
            ),
            (
                "file:///work/a%20b/%E5%9B%BE.png?x#y",
                Address::File("/work/a b/图.png".to_owned()),
            ),
            ("file:/work/a.png", Address::File("/work/a.png".to_owned())),
            ("FILE://localhost/a", Address::File("/a".to_owned())),
            ("file:///c%3A/a.png", Address::File("/c:/a.png".to_owned())),
            (
                "file://server/share/a.png",
                Address::File("//server/share/a.png".to_owned()),
            ),
            ("file:a.png", Address::Other),
            ("file:///%ff.png", Address::Other),
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
            assert_eq!(address(uri, PathPlatform::Posix), expected, "{uri}");
        }
        for uri in ["file:///c%3A/a.png", "file:///c:/a.png"] {
            let path = address(uri, PathPlatform::Win32);
            assert_eq!(path, Address::File("c:/a.png".to_owned()), "{uri}");
        }
    }
}
