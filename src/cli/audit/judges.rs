//! All cores judge, the largest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use turnkeeper_analysis::session::AuditSettings;

use super::files::How;
use super::judge::{Asked, Judged, judge};
use crate::find::Beside;
use crate::inputs::{Chunks, Input};
use crate::problem::{Kind, Problem, Result};
use crate::progress::{BETWEEN_FRAMES, BytesRead, Progress};

/// Sessions of this many bytes are judged in the time that a thread takes to start.
const WORTH_A_THREAD: u64 = 500_000;

/// The threads that judge if nobody says how many.
fn usual_jobs(bytes: u64) -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    // Standard input does not say how long it is.
    let worth = bytes.div_ceil(WORTH_A_THREAD).max(1);
    cores.min(usize::try_from(worth).unwrap_or(cores))
}

/// The longest that an outcome waits to be taken together with others: to be woken for each costs what reading a small
/// session does.
const BETWEEN_OUTCOMES: Duration = Duration::from_millis(1);

/// The outcome of the input at an index.
type JudgedInput = (usize, Result<Judged>);

/// Judges a session; any thread may ask it to.
type Judge<'a> = &'a (dyn Fn(&Input, &mut Chunks) -> Result<Judged> + Sync);

/// Judges sessions, several at once, and gives each outcome to this thread: in the order of the inputs, or as soon as
/// it is there.
pub(super) fn judge_all(
    inputs: &[Input],
    settings: &AuditSettings,
    how: &How,
    take: &mut dyn FnMut(usize, Result<Judged>),
) {
    let beside = Beside::default();
    let judge =
        |input: &Input, chunks: &mut Chunks| judge(input, settings, how.asked, chunks, &beside);
    share_out(inputs, &judge, how, take);
}

fn share_out(
    inputs: &[Input],
    judge: Judge,
    how: &How,
    take: &mut dyn FnMut(usize, Result<Judged>),
) {
    let read = BytesRead::default();
    let sizes: Vec<u64> = inputs.iter().map(Input::size).collect();
    let total = sizes.iter().sum();
    let mut progress = Progress::new(&read, total, !inputs.is_empty());
    let jobs = how.jobs.unwrap_or_else(|| usual_jobs(total));
    let jobs = jobs.min(inputs.len());
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    // Whoever asks for the usage sees the first row with the first session.
    if how.asked == Asked::All {
        order.sort_by_key(|&at| Reverse(sizes[at]));
    }
    let work = Work {
        inputs,
        order,
        next: AtomicUsize::new(0),
        judge,
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
        let (mut next, mut missing) = (0, inputs.len());
        loop {
            match outcomes.recv_timeout(BETWEEN_FRAMES) {
                Ok(first) => {
                    for (at, outcome) in iter::once(first).chain(outcomes.try_iter()) {
                        missing -= 1;
                        progress.file(&inputs[at].file);
                        if how.as_judged {
                            take(at, outcome);
                            continue;
                        }
                        waiting.insert(at, outcome);
                        while let Some(outcome) = waiting.remove(&next) {
                            take(next, outcome);
                            next += 1;
                        }
                    }
                    if missing > 0 {
                        thread::sleep(BETWEEN_OUTCOMES);
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
    /// Mostly the largest first, so that none is left alone with it at the end.
    order: Vec<usize>,
    next: AtomicUsize,
    judge: Judge<'a>,
    read: BytesRead,
}

impl Work<'_> {
    fn run(&self, send: &Sender<JudgedInput>) {
        let mut chunks = Chunks::new(&self.read);
        while let Some(&at) = self.order.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let input = &self.inputs[at];
            let judged = || (self.judge)(input, &mut chunks);
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use turnkeeper_analysis::prices::Prices;
    use turnkeeper_analysis::profile::Profile;

    use super::*;

    /// Sessions of these numbers of calls.
    fn sessions(folder: &Path, calls: &[usize]) -> Vec<Input> {
        let inputs = calls.iter().enumerate().map(|(at, &count)| {
            let file = folder.join(format!("{at}.jsonl"));
            fs::write(
                &file,
                "{\"type\":\"tool_call\",\"name\":\"ls\"}\n".repeat(count),
            )
            .expect("written");
            Input::found(file)
        });
        inputs.collect()
    }

    fn settings() -> AuditSettings {
        AuditSettings {
            rules: Profile::default().rules(),
            model: None,
            prices: Prices::listed(),
        }
    }

    fn how(jobs: usize, as_judged: bool) -> How {
        How {
            asked: Asked::All,
            jobs: Some(jobs),
            as_judged,
            agents: Vec::new(),
        }
    }

    /// The order in which the outcomes of sessions come, which are of these numbers of calls.
    fn order(calls: &[usize], jobs: usize, as_judged: bool) -> Vec<usize> {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = sessions(folder.path(), calls);
        let mut order = Vec::new();
        let how = how(jobs, as_judged);
        judge_all(&inputs, &settings(), &how, &mut |at, outcome| {
            let judged = outcome.unwrap_or_else(|problem| panic!("{problem}"));
            assert_eq!(judged.session.report.counts.calls, calls[at] as u64);
            order.push(at);
        });
        order
    }

    #[test]
    fn outcomes_come_in_the_order_of_their_inputs_or_of_the_work() {
        for jobs in [1, 2, 3, 9] {
            assert_eq!(
                order(&[1, 5, 2, 40, 3], jobs, false),
                [0, 1, 2, 3, 4],
                "{jobs}"
            );
            let mut all = order(&[1, 5, 2, 40, 3], jobs, true);
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2, 3, 4]);
        }
        // One thread takes the largest first.
        assert_eq!(order(&[1, 5, 2, 40, 3], 1, true), [3, 1, 4, 2, 0]);
        assert_eq!(order(&[], 2, false), [0; 0]);
    }

    #[test]
    fn a_mistake_with_one_session_is_not_the_end_of_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = sessions(folder.path(), &[1, 2, 3, 4]);
        let (settings, beside) = (settings(), Beside::default());
        let deadly = &inputs[1].file;
        let judge = |input: &Input, chunks: &mut Chunks| {
            assert!(input.file != *deadly, "a mistake");
            judge(input, &settings, Asked::All, chunks, &beside)
        };
        for jobs in [1, 2] {
            let mut outcomes = Vec::new();
            let how = how(jobs, false);
            share_out(&inputs, &judge, &how, &mut |_, outcome| {
                outcomes.push(outcome)
            });
            let judged: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
            assert_eq!(judged, [true, false, true, true]);
            let problem = outcomes.remove(1).err().expect("a problem");
            assert_eq!((problem.kind, &problem.file), (Kind::Mistake, deadly));
        }
    }

    #[test]
    fn threads_are_made_for_work_that_is_worth_them() {
        assert_eq!((usual_jobs(0), usual_jobs(1)), (1, 1));
        assert!(usual_jobs(u64::MAX) >= 1);
    }
}
