//! Bytes become two paths, as they are and made of pieces that mean something, and a naive reader
//! says how they lie to each other.

use turnkeeper_core::PathPlatform;
use turnkeeper_core::terminal_selector::PathRules;

#[path = "../../../rust/properties/naive_path.rs"]
mod naive;

const PIECES: [&str; 24] = [
    "/", "\\", "/", "\\", "a", "A", "b", ".", "..", " ", ":", "C:", "c:", "D:", "\\\\?\\", "UNC",
    "\\\\", "é", "e\u{301}", "É", "\u{10428}", "~", "\0", "\n",
];

pub fn run(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else {
        return;
    };
    let platform = if first & 1 == 0 {
        PathPlatform::Posix
    } else {
        PathPlatform::Win32
    };
    let mut rules = PathRules::new(platform);
    rules.case_sensitive ^= first & 2 != 0;
    // The second path begins behind the byte 255.
    let middle = bytes.iter().position(|byte| *byte == 255);
    let (a, b) = bytes.split_at(middle.unwrap_or(bytes.len()));
    let written = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\u{fffd}', "");
    naive::check(&written(a), &written(b), rules);
    let pieces = |bytes: &[u8]| {
        let start = match (platform, bytes.first()) {
            (_, None | Some(200..)) => "",
            (PathPlatform::Posix, _) => "/",
            (_, Some(0..50)) => "C:\\",
            (_, Some(50..100)) => "\\\\?\\c:\\",
            (_, Some(100..150)) => "//a/b/",
            _ => "\\\\?\\UNC\\A\\B\\",
        };
        let mut path = start.to_owned();
        for byte in bytes {
            path.push_str(PIECES[usize::from(*byte) % PIECES.len()]);
        }
        path
    };
    naive::check(&pieces(a), &pieces(b), rules);
}
