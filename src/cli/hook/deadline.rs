//! A hook that takes too long says nothing: the agent waits for it.
//!
//! Time counts in looks, not by the clock: on a machine that is too busy, or asleep, the looks come late as well, and
//! an event that only waited for its turn would be lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, park, sleep};
use std::time::{Duration, Instant};

/// An agent may be slow to write an event, and takes it ill if nobody reads it.
const TO_READ: Duration = Duration::from_secs(8);
const TO_ANSWER: Duration = Duration::from_secs(1);
/// The time that a line of the log may take, on a disk that may be the reason.
const TO_LOG: Duration = Duration::from_millis(200);
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Watches over one event from the start of this process.
pub(super) struct Deadline {
    is_read: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
}

impl Deadline {
    /// Ends this process when an event is late, after `silence`, or when whoever started it has ended.
    pub(super) fn new(silence: impl FnOnce() + Send + 'static) -> Self {
        let is_read = Arc::new(AtomicBool::new(false));
        let is_over = Arc::new(AtomicBool::new(false));
        let deadline = Self {
            is_read: Arc::clone(&is_read),
            is_over: Arc::clone(&is_over),
        };
        let starter = starter();
        // Without a thread to be had there is no deadline, and an answer.
        let _ = Builder::new().spawn(move || {
            let mut left = TO_READ;
            let mut was_read = false;
            while !left.is_zero() && starter == self::starter() {
                sleep(BETWEEN_LOOKS);
                left = left.saturating_sub(BETWEEN_LOOKS);
                if !was_read && is_read.load(Ordering::Acquire) {
                    was_read = true;
                    left = TO_ANSWER;
                }
            }
            if !is_over.swap(true, Ordering::AcqRel) {
                let until = Instant::now() + TO_LOG;
                let logging = Builder::new().spawn(silence);
                let is_logging = || logging.as_ref().is_ok_and(|it| !it.is_finished());
                while is_logging() && Instant::now() < until {
                    sleep(Duration::from_millis(1));
                }
                std::process::exit(0);
            }
        });
        deadline
    }

    /// The event has been read.
    pub(super) fn read(&self) {
        self.is_read.store(true, Ordering::Release);
    }

    /// From now on the answer is printed, unless it is too late.
    pub(super) fn answer(&self) {
        while self.is_over.swap(true, Ordering::AcqRel) {
            park();
        }
    }
}

/// The process that started this one; another once that has ended.
#[cfg(unix)]
fn starter() -> Option<rustix::process::Pid> {
    rustix::process::getppid()
}

#[cfg(not(unix))]
fn starter() {}
