//! Standard input of a hook, which is read to its end, so that no agent meets a broken pipe.

use std::io::{self, ErrorKind, Read};
use std::thread::sleep;
use std::time::Duration;

/// No agent shows its model as much as this.
const LONGEST_EVENT: usize = 32 * 1024 * 1024;
const PIECE: usize = 64 * 1024;
const WAIT: Duration = Duration::from_millis(2);

/// Everything on standard input.
///
/// # Errors
/// If it cannot be read, or is too much.
pub(super) fn read_all() -> io::Result<Vec<u8>> {
    let mut input = io::stdin().lock();
    let mut all = Vec::new();
    let mut piece = vec![0; PIECE];
    let mut is_too_long = false;
    loop {
        match input.read(&mut piece) {
            Ok(0) if is_too_long => return Err(io::Error::other("the event is too large")),
            Ok(0) => return Ok(all),
            Ok(count) if is_too_long || all.len() + count > LONGEST_EVENT => {
                is_too_long = true;
                all = Vec::new();
            }
            Ok(count) => all.extend_from_slice(&piece[..count]),
            // A pipe in which nothing is yet.
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(WAIT),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
