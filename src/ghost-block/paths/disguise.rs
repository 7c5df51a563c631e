//! Paths that are not what they seem, which only an untrusted writer has a use for.

use super::denied::Denied;
use super::names::{is_device, name_fault};
use super::plain::{is_compatible, plain};
use turnkeeper_base::path::{PathPlatform as Platform, is_dots, is_too_long, split_drive};

/// Escapes within escapes are followed this many rounds. One round is a careless host, two are a
/// careless host after a careless library.
const ROUNDS: usize = 8;

/// Finds faults of a path before its names are looked at.
pub(super) fn check_text(text: &str) -> Result<(), Denied> {
    let faults = [
        (is_too_long(text), Denied::TOO_LONG),
        (text.contains('\0'), Denied::NUL),
        (text.contains(breaks), Denied::CONTROL),
        (text.contains(turns), Denied::DIRECTION),
        (text.trim().is_empty(), Denied::EMPTY),
    ];
    let mut found = faults.into_iter().filter(|(is_there, _)| *is_there);
    found
        .next()
        .map_or_else(|| check_scheme(text), |(_, fault)| Err(fault))
}

/// Control characters and line breaks. They have no honest use in a path, and would forge lines
/// in a list that a person approves or in a log.
fn breaks(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Embeddings, overrides and isolates: with them the path that a person sees and approves is not
/// the one that is opened. Explorer puts one before a path that is copied from its dialogs. Mere
/// marks and joiners stay, because names in several scripts need them.
fn turns(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `file:` is a scheme whatever follows it. Others are if a separator follows, since `a:b.md` is
/// a name on Posix. One letter is a drive. Readers of URLs skip spaces in front.
fn check_scheme(text: &str) -> Result<(), Denied> {
    let Some((scheme, rest)) = text.trim_start().split_once(':') else {
        return Ok(());
    };
    if scheme.eq_ignore_ascii_case("file") {
        return Err(Denied::FILE_URL);
    }
    let is_letter = |one: &u8| one.is_ascii_alphanumeric() || matches!(one, b'+' | b'-' | b'.');
    let is_scheme = scheme.len() > 1
        && scheme.as_bytes()[0].is_ascii_alphabetic()
        && scheme.as_bytes().iter().all(is_letter);
    if is_scheme && Platform::Win32.strip_separator(rest).is_some() {
        return Err(Denied::URL);
    }
    Ok(())
}

/// Finds faults of one name, other than `.` and `..`, in a path that anyone may have written.
pub(super) fn check_name(platform: Platform, name: &str) -> Result<(), Denied> {
    if let Some(fault) = name_fault(platform, name) {
        return Err(fault);
    }
    // On Posix a backslash is a character as any other, and systemd's units have it in their
    // names: `src\a.ts` is one name and stays it. Where a reader who takes it for a separator
    // would be led away from there, the path is denied.
    let leads_away = |part: &str| {
        // The drive in front is left off.
        let part = match part.get(..2) {
            Some(drive) if drive.ends_with(':') => part.get(2..).unwrap_or_default(),
            _ => part,
        };
        !part.is_empty() && is_dots(part)
    };
    if name.contains('\\') && Platform::Win32.names(name).any(leads_away) {
        return Err(Denied::BACKSLASH);
    }
    check_look_alike(platform, name, name)?;
    if let Some(decoded) = without_escapes(&plain(name).unwrap_or_else(|| name.to_owned()))? {
        if check_text(&decoded).is_err_and(|fault| fault != Denied::EMPTY) || is_device(&decoded) {
            return Err(Denied::ESCAPE);
        }
        check_look_alike(platform, &decoded, name)?;
    }
    Ok(())
}

/// Finds faults of a name, `read` in some way, to a reader who takes look-alikes for what they
/// look like: whether it would be `.`, `..` or nothing, a device or a stream, or would have such a
/// part between separators.
///
/// Names such as `１．２節`, `読み／書き.md` and `第一章：開始.md` are honest ones, so only what leads
/// elsewhere is denied. A system that has no devices has no honest use for such a disguise, either.
fn check_look_alike(platform: Platform, read: &str, name: &str) -> Result<(), Denied> {
    let plain = plain(read).unwrap_or_else(|| read.to_owned());
    for part in Platform::Win32.names(&plain) {
        if plain != name && (is_device(part) || is_stream(part)) {
            return Err(Denied::DISGUISE);
        }
        let dots = part.split_whitespace().collect::<String>();
        let climbs = match platform {
            Platform::Posix => matches!(&dots[..], "." | ".."),
            // Some calls of Windows take more dots for two.
            Platform::Win32 => !dots.is_empty() && is_dots(&dots),
        };
        if climbs {
            return Err(Denied::LOOK_ALIKE);
        }
    }
    match plain.trim().is_empty() {
        true => Err(Denied::LOOK_ALIKE),
        false => Ok(()),
    }
}

/// Whether a name is the same to every reader: not of dots alone, without an escape or a character that
/// may be taken for others.
pub(super) fn is_plain_name(name: &str) -> bool {
    let is_clear = !name.starts_with(char::is_whitespace) && !name.contains([':', '\\', '%']);
    is_clear && !is_dots(name) && plain(name).is_none() && !name.chars().any(is_compatible)
}

/// Whether a name is that of a stream of a file: with the stream's type, or of what has an
/// extension. A colon alone often stands in names, where it is not the ASCII one.
fn is_stream(name: &str) -> bool {
    let Some((file, stream)) = name.split_once(':') else {
        return false;
    };
    let has_extension = file.rsplit_once('.').is_some_and(|(_, extension)| {
        extension.starts_with(|first: char| first.is_ascii_alphabetic())
            && extension.len() <= 8
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_typed = stream.starts_with([':', '$']) || stream.contains(":$");
    is_typed || has_extension && stream.is_ascii()
}

/// Finds faults of a path that is relative, but not to a reader who takes look-alikes for what
/// they look like.
pub(super) fn check_start(platform: Platform, text: &str) -> Result<(), Denied> {
    check_plain_start(platform, text)?;
    match without_escapes(&plain(text).unwrap_or_else(|| text.to_owned()))? {
        Some(decoded) => check_plain_start(platform, &decoded),
        None => Ok(()),
    }
}

fn check_plain_start(platform: Platform, text: &str) -> Result<(), Denied> {
    let Some(plain) = plain(text) else {
        return Ok(());
    };
    let plain = plain.trim_start();
    // A currency sign before a number, which some 8-bit calls would take for a backslash.
    let is_price = text
        .trim_start()
        .starts_with(['¥', '₩', '\u{ffe5}', '\u{ffe6}'])
        && plain[1..].starts_with(|digit: char| digit.is_ascii_digit());
    let is_absolute = !is_price && Platform::Win32.strip_separator(plain).is_some();
    let is_drive = split_drive(plain).is_some_and(|(_, rest)| {
        platform == Platform::Win32 || is_dots(Platform::Win32.split(rest).0)
    });
    if is_absolute || is_drive || check_scheme(plain).is_err() {
        return Err(Denied::DISGUISE);
    }
    Ok(())
}

/// The name with its percent escapes decoded, if it has any. The path itself is never
/// decoded: `a%20b.md` is a name, and so is `100%.md`.
///
/// An escape has no business to decode to what has a meaning in a path: a dot, a separator, the
/// colon of a drive, a stream or a scheme, NUL or another control character. Nor to be overlong:
/// UTF-8 that takes more bytes than it needs, which lax decoders accept.
fn without_escapes(name: &str) -> Result<Option<String>, Denied> {
    if !name.as_bytes().contains(&b'%') {
        return Ok(None);
    }
    let mut bytes = name.as_bytes().to_vec();
    for _ in 0..ROUNDS {
        let plain = decode_once(&bytes)?;
        if is_overlong(&plain) {
            return Err(Denied::OVERLONG);
        }
        if plain == bytes {
            return Ok(Some(as_text(plain)));
        }
        bytes = plain;
    }
    Err(Denied::NESTED_ESCAPES)
}

/// The text of a name, in which a byte that belongs to no character counts as some letter.
fn as_text(mut bytes: Vec<u8>) -> String {
    while let Err(fault) = std::str::from_utf8(&bytes) {
        bytes[fault.valid_up_to()] = b'_';
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Decodes `%2e` and the `%u002e` of old Microsoft servers. What is no escape stays.
fn decode_once(bytes: &[u8]) -> Result<Vec<u8>, Denied> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        let escape = (*first == b'%').then(|| escape(after)).flatten();
        let Some(Escape { code, length }) = escape else {
            plain.push(*first);
            rest = after;
            continue;
        };
        if matches!(code, 0..=0x1f | 0x7f | 0x2e | 0x2f | 0x3a | 0x5c) {
            return Err(Denied::ESCAPE);
        }
        if length == 2 {
            // Two digits are a byte.
            plain.push(code as u8);
        } else {
            let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        rest = &after[length..];
    }
    Ok(plain)
}

/// An escape after its `%`.
struct Escape {
    /// A byte, or a code point in the form with `u`.
    code: u32,
    /// In bytes.
    length: usize,
}

fn escape(after: &[u8]) -> Option<Escape> {
    let (digits, length) = match after.first()? {
        b'u' | b'U' => (1..5, 5),
        _ => (0..2, 2),
    };
    let mut code = 0;
    for &digit in after.get(digits)? {
        code = code * 16 + char::from(digit).to_digit(16)?;
    }
    Some(Escape { code, length })
}

/// Whether UTF-8 is longer than it need be. `C0` and `C1` can start nothing else, whatever
/// follows them; no well-formed text has any of these, so an escape put them there.
fn is_overlong(bytes: &[u8]) -> bool {
    let mut pairs = bytes.windows(2);
    bytes.iter().any(|byte| matches!(byte, 0xc0 | 0xc1))
        || pairs.any(|pair| {
            matches!(
                pair,
                [0xe0, 0x80..=0x9f]
                    | [0xf0, 0x80..=0x8f]
                    | [0xf8, 0x80..=0x87]
                    | [0xfc, 0x80..=0x83]
            )
        })
}

/// Home folders and variables are a shell's matter and are not expanded here. A host that hands
/// the request to a shell would, so the ways to say "home" are denied as the first name, where
/// alone they work. `~$draft.docx`, a file `~backup` and the `$types.ts` of frameworks are names.
pub(super) fn check_home(first: &str, is_directory: bool) -> Result<(), Denied> {
    let plain = plain(first).unwrap_or_else(|| first.to_owned());
    let decoded = without_escapes(&plain)?;
    if is_home(&plain, is_directory) || decoded.is_some_and(|first| is_home(&first, is_directory)) {
        return Err(Denied::HOME);
    }
    Ok(())
}

fn is_home(first: &str, is_directory: bool) -> bool {
    let first = first.trim_start();
    // On Posix, the path may still have been written on Windows.
    let (first, is_directory) = match first.split_once(['/', '\\']) {
        Some((first, _)) => (first, true),
        None => (first, is_directory),
    };
    let is_word = |text: &[u8]| {
        let is_letter = |one: &u8| {
            one.is_ascii_alphanumeric() || matches!(one, b'_' | b'-' | b'.' | b'(' | b')')
        };
        text.iter().all(is_letter)
    };
    match first.as_bytes() {
        b"~" | b"~+" | b"~-" | b"$HOME" | b"${HOME}" => true,
        [b'~', user @ ..] => is_directory && is_word(user),
        [b'%', name @ .., b'%'] => {
            name.first()
                .is_some_and(|one| one.is_ascii_alphabetic() || *one == b'_')
                && is_word(name)
        }
        _ => false,
    }
}
