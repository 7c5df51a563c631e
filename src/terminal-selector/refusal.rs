//! Refusals that do not depend on what the selector knows.

use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::path::is_too_long;

/// The name that errors give this machine.
pub const MACHINE: &str = "terminal_selector";

/// The error of a field of this machine's arguments.
pub(super) fn refusal(code: ErrorCode, field: &str, message: &str) -> Error {
    Error::new(code, MACHINE, message).at(field)
}

/// Refuses a text that is longer than a path may be. Names of providers, tasks and variables have
/// the same limit.
pub(super) fn check_length(text: &str, field: &str) -> Result<(), Error> {
    if is_too_long(text) {
        let message = "must have at most 4096 UTF-16 units";
        return Err(refusal(ErrorCode::LimitExceeded, field, message));
    }
    Ok(())
}

/// UTF-16 code units that a command may have: more than any shell takes, and few enough to be read and kept.
const LONGEST_COMMAND: usize = 16 << 20;

pub(super) fn check_command(command: &str) -> Result<(), Error> {
    if command.len() <= LONGEST_COMMAND || command.encode_utf16().count() <= LONGEST_COMMAND {
        return Ok(());
    }
    let message = format!("must have at most {LONGEST_COMMAND} UTF-16 units");
    Err(refusal(
        ErrorCode::LimitExceeded,
        "request.command",
        &message,
    ))
}

pub(super) fn check_optional_length(text: Option<&str>, field: &str) -> Result<(), Error> {
    text.map_or(Ok(()), |text| check_length(text, field))
}
