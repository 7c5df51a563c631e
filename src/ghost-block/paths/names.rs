//! One name of a path, as a platform reads it.
//!
//! The Windows rules are those of "Naming Files, Paths, and Namespaces" in Microsoft's
//! documentation, and of what `RtlIsDosDeviceName_U` and `GetFullPathName` are known to do beyond
//! it. Windows 11 knows fewer device names in fewer places; the path is denied on all versions.

use super::denied::Denied;
use turnkeeper_base::path::{PathPlatform as Platform, fold_case};

/// The fault of a name whoever wrote it, control characters aside.
pub(super) fn name_fault(platform: Platform, name: &str) -> Option<Denied> {
    if platform == Platform::Posix {
        return None;
    }
    // A device may have a colon or a dot after it, so it is looked for first.
    if is_device(name) {
        Some(Denied::DEVICE)
    } else if name.as_bytes().contains(&b':') {
        Some(Denied::STREAM)
    } else if name.bytes().any(is_forbidden) {
        Some(Denied::FORBIDDEN)
    } else if matches!(name.as_bytes(), [.., b'.' | b' ']) {
        // Depending on the call and on where the name is, Windows leaves them off: `a.ts.` is
        // `a.ts`, and `...` or `.. ` may become `..`.
        Some(Denied::TRAILING)
    } else {
        None
    }
}

/// Whether a Windows name is a device: in every folder, in any case, with any extension, and with
/// spaces, dots or a colon after it.
pub(super) fn is_device(name: &str) -> bool {
    // `CLOCK$` is MS-DOS's; nobody loses a file by it.
    const DEVICES: [&str; 7] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
    let stem = name.split(['.', ':']).next().unwrap_or_default();
    let stem = stem.trim_end_matches(' ');
    if DEVICES
        .iter()
        .any(|device| stem.eq_ignore_ascii_case(device))
    {
        return true;
    }
    // Microsoft lists 0, and Latin-1's superscript digits, which Windows takes for digits.
    let port = match stem.as_bytes() {
        [port @ .., b'0'..=b'9'] => port,
        [port @ .., 0xc2, 0xb2 | 0xb3 | 0xb9] => port,
        _ => return false,
    };
    port.eq_ignore_ascii_case(b"COM") || port.eq_ignore_ascii_case(b"LPT")
}

/// Characters of a Windows name that are wildcards or forbidden. NT reads `<`, `>` and `"` as
/// wildcards of DOS.
fn is_forbidden(byte: u8) -> bool {
    matches!(byte, b'<' | b'>' | b'"' | b'|' | b'?' | b'*')
}

/// `text` for comparing: without case on Windows, itself elsewhere. Whether a path is inside a root
/// never hangs on which letters are equal: a request repeats the root's spelling, not the path's.
pub(super) fn fold(platform: Platform, text: &str) -> String {
    match platform {
        Platform::Posix => text.to_owned(),
        Platform::Win32 => fold_case(text),
    }
}
