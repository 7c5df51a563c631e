//! The line below all others that shows on a terminal how far the work is.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The line that is on the terminal now; there is one terminal, so there is at most one.
static LINE: Mutex<Option<String>> = Mutex::new(None);

/// Takes the line away, and leaves the cursor where it began.
const CLEAR: &str = "\r\u{1b}[2K";

/// Shows a line instead of the one before; it must be shorter than the terminal is wide.
pub(crate) fn show(line: String) {
    let mut shown = shown();
    let mut bytes = String::new();
    if shown.is_some() {
        bytes.push_str(CLEAR);
    }
    bytes.push_str(&line);
    write(&bytes);
    *shown = Some(line);
}

/// Takes the line away for good.
pub(crate) fn end() {
    if shown().take().is_some() {
        write(CLEAR);
    }
}

/// Writes something while the line is out of the way, and shows it again below.
pub(crate) fn beside<T>(work: impl FnOnce() -> T) -> T {
    let shown = shown();
    if shown.is_some() {
        write(CLEAR);
    }
    let result = work();
    if let Some(line) = &*shown {
        write(line);
    }
    result
}

fn shown() -> MutexGuard<'static, Option<String>> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bar that cannot be shown is not missed.
fn write(text: &str) {
    let mut terminal = io::stderr();
    let _ = terminal.write_all(text.as_bytes());
    let _ = terminal.flush();
}
