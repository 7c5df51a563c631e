//! Standard input of a hook, which is read to its end, so that no agent meets a broken pipe.

use std::io::{self, ErrorKind, Read};
use std::thread::sleep;
use std::time::Duration;

/// No agent shows its model as much as this.
const LONGEST_EVENT: usize = 32 * 1024 * 1024;
/// Most events are shorter.
const USUAL_EVENT: usize = 64 * 1024;
const WAIT: Duration = Duration::from_millis(2);

/// Everything on standard input.
///
/// # Errors
/// If it cannot be read, or is too much.
pub(super) fn read_all() -> io::Result<Vec<u8>> {
    let mut all = Vec::with_capacity(USUAL_EVENT);
    read_up_to(USUAL_EVENT, &mut all)?;
    if all.len() == USUAL_EVENT {
        // The system gives memory for what is written, and room that grows is copied.
        let _ = all.try_reserve_exact(LONGEST_EVENT);
        read_up_to(LONGEST_EVENT + 1, &mut all)?;
    }
    if all.len() <= LONGEST_EVENT {
        return Ok(all);
    }
    while !all.is_empty() {
        all.clear();
        read_up_to(USUAL_EVENT, &mut all)?;
    }
    Err(io::Error::other("the event is too large"))
}

/// Reads up to this length, or to the end.
fn read_up_to(most: usize, all: &mut Vec<u8>) -> io::Result<()> {
    let mut input = io::stdin().lock();
    loop {
        let left = (most - all.len()) as u64;
        match input.by_ref().take(left).read_to_end(all) {
            // A pipe in which nothing is yet.
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(WAIT),
            read => return read.map(drop),
        }
    }
}
