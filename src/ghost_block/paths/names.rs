//! What a platform makes of one name.
//!
//! The Windows rules are those of "Naming Files, Paths, and Namespaces" in Microsoft's
//! documentation, and of what `RtlIsDosDeviceName_U` and `GetFullPathName` are known to do beyond
//! it. Windows 11 knows fewer device names in fewer places; the path is denied on all versions.

use super::{Denied, Platform};

/// Characters of a Windows name that are wildcards or forbidden. NT reads `<`, `>` and `"` as
/// wildcards of DOS.
const FORBIDDEN: [char; 6] = ['<', '>', '"', '|', '?', '*'];

/// What is wrong with a name whoever wrote it, control characters aside.
pub(super) fn name_fault(platform: Platform, name: &str) -> Option<Denied> {
    if platform == Platform::Posix {
        return None;
    }
    // A device may have a colon or a dot behind it, so it is looked for first.
    if is_device(name) {
        Some(Denied::Device)
    } else if name.contains(':') {
        Some(Denied::Stream)
    } else if name.contains(FORBIDDEN) {
        Some(Denied::Forbidden)
    } else if name.ends_with(['.', ' ']) {
        // Depending on the call and on where the name stands, Windows leaves them off: `a.ts.` is
        // `a.ts`, and `...` or `.. ` may become `..`.
        Some(Denied::Trailing)
    } else {
        None
    }
}

/// Whether a Windows name is a device: in every folder, in any case, with any extension, and with
/// spaces, dots or a colon behind it.
pub(super) fn is_device(name: &str) -> bool {
    // `CLOCK$` is MS-DOS's; nobody loses a file by it.
    const DEVICES: [&str; 7] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
    let stem = name.split(['.', ':']).next().unwrap_or_default();
    let stem = stem.trim_end_matches(' ');
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    if DEVICES.into_iter().any(is) {
        return true;
    }
    // Microsoft lists 0, and Latin-1's superscript digits, which Windows takes for digits.
    let port = stem.strip_suffix(|last: char| last.is_ascii_digit() || "¹²³".contains(last));
    port.is_some_and(|port| {
        ["COM", "LPT"]
            .iter()
            .any(|name| port.eq_ignore_ascii_case(name))
    })
}

/// `text` for comparing: without case on Windows, itself elsewhere.
///
/// NTFS compares by a table of upper-case letters, one UTF-16 unit for one, that is made when a
/// volume is formatted. Unicode's simple upper case is near it. No letter folds into an ASCII one
/// (`ı` is no `i`, `ſ` no `s`), so that two files are not taken for one. Whether a path is inside
/// a root never hangs on it: a request repeats the root's spelling, not the path's.
pub(super) fn fold(platform: Platform, text: &str) -> String {
    match platform {
        Platform::Posix => text.to_owned(),
        Platform::Win32 => text.chars().map(upper).collect(),
    }
}

fn upper(character: char) -> char {
    let mut upper = character.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None)
            if one.len_utf16() == 1
                && character.len_utf16() == 1
                && one.is_ascii() == character.is_ascii() =>
        {
            one
        }
        _ => character,
    }
}
