//! All cores judge, the largest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;

use turnkeeper_analysis::session::AuditSettings;

use super::judge::{Judged, judge};
use crate::find::Beside;
use crate::inputs::{Chunks, Input};
use crate::problem::{Kind, Problem, Result};
use crate::progress::{BETWEEN_FRAMES, BytesRead, Progress};

/// Sessions of so many bytes are judged in the time that a thread takes to start.
const WORTH_A_THREAD: u64 = 500_000;

/// The threads that judge if nobody says how many.
fn usual_jobs(bytes: u64) -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let worth = bytes.div_ceil(WORTH_A_THREAD);
    cores.min(usize::try_from(worth).unwrap_or(cores))
}

/// The outcome of the input at an index.
type Outcome = (usize, Result<Judged>);

/// Judges sessions, several at once, and gives each outcome to this thread: in the order of the inputs, or as soon as
/// it is there.
pub(super) fn judge_all(
    inputs: &[Input],
    settings: &AuditSettings,
    jobs: Option<usize>,
    as_judged: bool,
    take: &mut dyn FnMut(usize, Result<Judged>),
) {
    let read = BytesRead::default();
    let sizes: Vec<u64> = inputs.iter().map(Input::size).collect();
    let total = sizes.iter().sum();
    let mut progress = Progress::new(&read, total, !inputs.is_empty());
    let jobs = jobs.unwrap_or_else(|| usual_jobs(total)).min(inputs.len());
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_key(|&at| Reverse(sizes[at]));
    let work = Work {
        inputs,
        order,
        next: AtomicUsize::new(0),
        settings,
        beside: Beside::default(),
        read,
    };
    let (send, outcomes) = mpsc::channel();
    thread::scope(|scope| {
        let work = &work;
        for number in 0..jobs {
            let own = send.clone();
            let started = thread::Builder::new().spawn_scoped(scope, move || work.run(&own));
            if started.is_err() {
                // Where no further thread can be made, those that are there do it all; if there is none, this one.
                if number == 0 {
                    work.run(&send);
                }
                break;
            }
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        loop {
            match outcomes.recv_timeout(BETWEEN_FRAMES) {
                Ok((at, outcome)) => {
                    progress.file(&inputs[at].file);
                    if as_judged {
                        take(at, outcome);
                        continue;
                    }
                    waiting.insert(at, outcome);
                    while let Some(outcome) = waiting.remove(&next) {
                        take(next, outcome);
                        next += 1;
                    }
                }
                Err(RecvTimeoutError::Timeout) => progress.tick(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
}

/// The work that the threads share.
struct Work<'a> {
    inputs: &'a [Input],
    /// The largest first, so that none is left alone with it at the end.
    order: Vec<usize>,
    next: AtomicUsize,
    settings: &'a AuditSettings,
    beside: Beside,
    read: BytesRead,
}

impl Work<'_> {
    fn run(&self, send: &Sender<Outcome>) {
        let mut chunks = Chunks::new(&self.read);
        while let Some(&at) = self.order.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let input = &self.inputs[at];
            let judged = || judge(input, self.settings, &mut chunks, &self.beside);
            // One file must not be the end of all others.
            let outcome = catch_unwind(AssertUnwindSafe(judged)).unwrap_or_else(|_| {
                let why = "cannot be judged: this program made a mistake";
                Err(Problem::new(&input.file, why).of_kind(Kind::Mistake))
            });
            if send.send((at, outcome)).is_err() {
                break;
            }
        }
    }
}
