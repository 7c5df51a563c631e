//! The bar that shows on a terminal how much of the files has been read.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use turnkeeper_analysis::plain_text::one_line;

use crate::terminal::bar;
use crate::terminal::columns::{Side, clip, width_of};

/// A frame stays at least as long.
pub(crate) const BETWEEN_FRAMES: Duration = Duration::from_millis(60);

/// The bytes that have been read, counted by whoever reads, in any thread.
#[derive(Debug, Clone, Default)]
pub(crate) struct BytesRead(Arc<AtomicU64>);

impl BytesRead {
    pub(crate) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Shows how far the reading is, until it is dropped.
pub(crate) struct Progress {
    read: BytesRead,
    /// The bytes of all files.
    total: u64,
    /// The name of a file that is read.
    name: String,
    /// When the last frame was drawn; none where there is no bar.
    drawn: Option<Instant>,
}

impl Progress {
    /// A bar on a terminal; none where there is nothing to read, or where the output goes to another program, which may
    /// write to the same terminal.
    pub(crate) fn new(read: &BytesRead, total: u64, is_wanted: bool) -> Self {
        let is_shown = is_wanted && io::stderr().is_terminal() && !is_piped();
        let mut progress = Progress {
            read: read.clone(),
            total: total.max(1),
            name: String::new(),
            drawn: is_shown.then(Instant::now),
        };
        progress.draw();
        progress
    }

    /// Names the file that is read.
    pub(crate) fn file(&mut self, file: &Path) {
        if self.drawn.is_some() {
            self.name = one_line(&file.to_string_lossy(), 4_000);
            self.tick();
        }
    }

    /// Draws the bar again, if the last frame has been there long enough.
    pub(crate) fn tick(&mut self) {
        if self
            .drawn
            .is_some_and(|drawn| drawn.elapsed() >= BETWEEN_FRAMES)
        {
            self.draw();
        }
    }

    fn draw(&mut self) {
        if self.drawn.is_none() {
            return;
        }
        let read = self.read.0.load(Ordering::Relaxed);
        let columns = width_of(io::stderr()).filter(|&it| it > 0).unwrap_or(80);
        bar::show(frame(read, self.total, &self.name, columns));
        self.drawn = Some(Instant::now());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            self.draw();
            bar::end();
        }
    }
}

/// The bar's line: full cells, the share of what was read, and the end of the file's name.
fn frame(read: u64, total: u64, name: &str, columns: usize) -> String {
    let read = read.min(total);
    let cells = (columns / 3).min(30);
    let full = (u128::from(read) * cells as u128 / u128::from(total)) as usize;
    let percent = format!("{}%", u128::from(read) * 100 / u128::from(total));
    // One column stays free: a full line would be two on some terminals.
    let room = columns.saturating_sub(cells + percent.len() + 3).min(60);
    let cells = "█".repeat(full) + &"░".repeat(cells - full);
    format!("{cells} {percent} {}", clip(name, room, Side::Start))
}

/// Whether the output goes to another program. Where it is closed, nothing can be in the way of the bar.
#[cfg(unix)]
fn is_piped() -> bool {
    use rustix::fs::{FileType, fstat};
    let kind = fstat(io::stdout()).map(|found| FileType::from_raw_mode(found.st_mode));
    matches!(kind, Ok(FileType::Fifo | FileType::Socket))
}

#[cfg(not(unix))]
fn is_piped() -> bool {
    !io::stdout().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::columns::text_width;

    #[test]
    fn the_bar_is_as_full_as_what_was_read_and_fits() {
        assert_eq!(frame(0, 100, "a", 30), "░░░░░░░░░░ 0% a");
        assert_eq!(frame(55, 100, "a", 30), "█████░░░░░ 55% a");
        // A file may have grown.
        assert_eq!(frame(700, 100, "a", 30), "██████████ 100% a");
        for columns in [10, 40, 200] {
            let line = frame(50, 100, &"会话记录".repeat(40), columns);
            assert!(text_width(&line) < columns, "{columns}: {line}");
        }
    }
}
