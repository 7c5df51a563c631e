//! The images of a prompt: their addresses, and how each takes the place of its reference.

use super::assembled::Image;
use super::diagnostic::{DiagnosticCode, Problem};
use super::document::Document;
use super::evaluation::Evaluation;
use super::items::Outcome;
use super::source::Source;
use super::syntax::part;
use super::syntax::preprocess::Expanded;
use super::syntax::reference::{Reference, ReferenceKind};
use turnkeeper_base::text::Text;

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD};
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use turnkeeper_base::path::{PathPlatform, split_drive};

/// The images of a prompt that are there. Why others stay text is told.
pub(crate) fn of(
    references: &[Reference],
    prompt: &Expanded,
    document: &Document,
    evaluation: &mut Evaluation,
) -> Vec<Image> {
    let is_image = |reference: &&Reference| reference.kind == ReferenceKind::Image;
    let max_images = evaluation.settings.max_items;
    let all: Vec<&Reference> = references.iter().filter(is_image).collect();
    let mut images = Vec::new();
    for (number, reference) in all.iter().enumerate().take(max_images.saturating_add(1)) {
        let image = if number == max_images {
            let more = all.len() - max_images;
            Err(format!(
                "{more} images more than the limit of {max_images} stay text"
            ))
        } else {
            image_of(reference, &prompt.units, evaluation)
        };
        match image {
            Ok(image) => images.extend(image),
            Err(reason) => {
                let offset = prompt.origin(reference.start);
                let problem = Problem::new(offset, DiagnosticCode::Image, reason);
                evaluation.diagnostics.push(document.diagnostic(problem));
            }
        }
    }
    images
}

/// An image, once it is there, or why it stays text.
fn image_of(
    reference: &Reference,
    user: &[u16],
    evaluation: &mut Evaluation,
) -> Result<Option<Image>, String> {
    let uri = reference.path.as_deref().unwrap_or_default();
    let roots = &evaluation.settings.roots;
    let outcome = match address(uri, roots.platform()) {
        Address::Data { media_type, data } => Some(Outcome::Image {
            media_type,
            data: Text::from(data.as_str()),
        }),
        Address::Remote if evaluation.settings.options.remote_images == Some(true) => {
            evaluation.need(&Source::image(uri))
        }
        Address::Path(path) => match roots.resolve(&path) {
            Ok(file) => evaluation.need(&Source::image(&file.request)),
            Err(denied) => return Err(format!("denied: {}", denied.0)),
        },
        Address::Remote => return Err("images of other hosts are not asked for".to_owned()),
        Address::Other => return Err("this is no address of an image".to_owned()),
    };
    let Some(outcome) = outcome else {
        return Ok(None);
    };
    match outcome {
        Outcome::Image { media_type, data } => {
            let alt = part(user, reference.start + "![".len(), reference.alt_end);
            Ok(Some(Image {
                start: reference.start,
                end: reference.end,
                alt: Text::from_units(alt),
                media_type,
                data,
            }))
        }
        other => Err(match other.as_result() {
            Err(error) => error.to_lossy(),
            Ok(_) => "the host gave an answer of the wrong kind".to_owned(),
        }),
    }
}

/// The kinds of addresses of images.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Address {
    /// A path, decoded if it was written as a `file:` URI.
    Path(String),
    /// `http:` or `https:`
    Remote,
    /// The image itself: its type, such as `image/png`, and its bytes in base64.
    Data { media_type: String, data: String },
    /// Anything else, or `data:` that is no image.
    Other,
}

fn address(uri: &str, platform: PathPlatform) -> Address {
    let path = || Address::Path(uri.to_owned());
    let Some((scheme, rest)) = uri.split_once(':') else {
        return path();
    };
    match &scheme.to_ascii_lowercase()[..] {
        "http" | "https" => Address::Remote,
        "data" => data(rest).unwrap_or(Address::Other),
        "file" => file(rest, platform).map_or(Address::Other, Address::Path),
        // A drive; the rules of paths decide.
        scheme if scheme.len() == 1 => path(),
        scheme if scheme.contains(['/', '\\', '.']) => path(),
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
            ("img/a.png", Address::Path("img/a.png".to_owned())),
            (
                "file:///etc/passwd",
                Address::Path("/etc/passwd".to_owned()),
            ),
            (
                "file:///work/a%20b/%E5%9B%BE.png?x#y",
                Address::Path("/work/a b/图.png".to_owned()),
            ),
            ("file:/work/a.png", Address::Path("/work/a.png".to_owned())),
            ("FILE://localhost/a", Address::Path("/a".to_owned())),
            ("file:///c%3A/a.png", Address::Path("/c:/a.png".to_owned())),
            (
                "file://server/share/a.png",
                Address::Path("//server/share/a.png".to_owned()),
            ),
            ("file:a.png", Address::Other),
            ("file:///%ff.png", Address::Other),
            (r"C:\a.png", Address::Path(r"C:\a.png".to_owned())),
            ("./a:b.png", Address::Path("./a:b.png".to_owned())),
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
            assert_eq!(path, Address::Path("c:/a.png".to_owned()), "{uri}");
        }
    }
}
