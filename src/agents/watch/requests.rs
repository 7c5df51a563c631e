//! The calls that belong to one request to the model: they were all made before any had a result, and are one step.

use turnkeeper_base::json::{Json, written};
use turnkeeper_base::text::hash::fingerprint;

use super::dialect::Dialect;
use super::event::Requests;
use super::record::{AskedCall, AskedCalls, CallKey, Record};

/// The key of a call.
pub(crate) fn call_key(name: &str, args: Option<&Json>) -> CallKey {
    let args = args.map_or_else(|| "{}".to_owned(), written);
    fingerprint(format!("{name} {args}").as_bytes())
}

/// A call that was refused gets no result, so no more than this many others wait for it.
const MOST_LATE: u32 = 3;
const MOST_ASKED: usize = 64;

/// The milliseconds that an agent and its model take at the least, from the end of the last hook of a request to the
/// first hook of the next. Tools that are quicker than their hooks end one after the other within it.
const QUICKEST_MODEL: f64 = 25.0;

/// Whether a hook that began at `started_at` may be of another request than the last results.
fn may_follow(started_at: f64, record: &Record) -> bool {
    started_at > record.results_at + QUICKEST_MODEL
}

/// Notes a call that is about to run. The first one after the results of all before it begins a request, unless its
/// hook ran beside that of the last result: it was only slower. So does one that has run since the request began: what
/// has no result by then was refused, or its hook was lost.
pub(crate) fn note_asked(key: CallKey, record: &mut Record, started_at: f64) {
    let runs_beside = !may_follow(started_at, record);
    let asked = record.asked.get_or_insert_default();
    if asked.is_answered && !runs_beside {
        let has_run = asked.calls.iter().any(|it| it.key == key && !it.is_open);
        let is_open = asked.calls.iter().any(|it| it.is_open);
        if is_open && !has_run && asked.late < MOST_LATE {
            asked.late += 1;
            asked.is_answered = false;
        } else {
            record.request_began = true;
            *asked = AskedCalls::default();
        }
    }
    if let Some(known) = asked.calls.iter_mut().find(|it| it.key == key) {
        known.is_open = true;
    } else if asked.calls.len() < MOST_ASKED {
        asked.calls.push(AskedCall { key, is_open: true });
    }
}

/// Notes results, which may be the first of a request that nothing else told of.
pub(crate) fn note_results(
    keys: &[CallKey],
    request: Option<&str>,
    record: &mut Record,
    requests: Requests,
    started_at: f64,
) {
    let answered = keys.iter().map(|key| note_answered(*key, record));
    // Each of them is noted.
    let were_asked = answered.fold(true, |all, was_asked| all & was_asked);
    match requests {
        Requests::Batch => record.request_began = true,
        Requests::Marked => {}
        Requests::Numbered => {
            if request.is_none() || request != record.last_request.as_deref() {
                record.request_began = true;
            }
            if let Some(request) = request {
                record.last_request = Some(request.to_owned());
            }
        }
        // The agent asks the model again when its hooks have ended; one that began before the last ended runs
        // beside it.
        Requests::Untold => record.request_began |= !were_asked && may_follow(started_at, record),
    }
}

/// Whether the agent told of the call before it ran, in this request. Equal calls of a request end together.
fn note_answered(key: CallKey, record: &mut Record) -> bool {
    let Some(asked) = &mut record.asked else {
        return false;
    };
    let Some(known) = asked.calls.iter_mut().find(|it| it.key == key) else {
        return false;
    };
    known.is_open = false;
    asked.is_answered = true;
    true
}

/// No model asks for more at once: an agent that seems to has stopped telling where a request begins.
const MOST_AT_ONCE: usize = 16;

/// Whether a call is the first of its kind in its request: equal ones that ran beside it are the same step,
/// which the detector sees for itself where the agent tells of all of them at once.
pub(crate) fn is_first(key: CallKey, record: &mut Record, asks: &Asks) -> bool {
    if asks.requests == Requests::Batch || !asks.tells_results {
        return true;
    }
    let seen = &mut record.request_calls;
    if seen.len() >= MOST_AT_ONCE {
        return true;
    }
    let is_first = !seen.contains(&key);
    seen.push(key);
    is_first
}

/// The facts about an agent that this needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asks {
    pub(crate) requests: Requests,
    pub(crate) tells_results: bool,
    pub(crate) tells_prompts: bool,
}

impl Asks {
    pub(crate) fn of(dialect: &Dialect) -> Self {
        Self {
            requests: dialect.requests,
            tells_results: dialect.tells_results,
            tells_prompts: dialect.tells_prompts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_call_after_all_results_begins_a_request() {
        let mut record = Record {
            request_began: false,
            ..Record::default()
        };
        let results = |keys: &[CallKey], record: &mut Record| {
            note_results(keys, None, record, Requests::Untold, 1_000.0);
            std::mem::take(&mut record.request_began)
        };
        let asked = |key, record: &mut Record| {
            note_asked(key, record, 1_000.0);
            std::mem::take(&mut record.request_began)
        };
        assert!(!asked(1, &mut record) && !asked(2, &mut record));
        assert!(!results(&[1], &mut record));
        assert!(!asked(3, &mut record), "2 has no result yet");
        assert!(!results(&[2, 3], &mut record));
        assert!(asked(1, &mut record));
        assert!(!results(&[1], &mut record));
        record.results_at = 1_000.0;
        assert!(!asked(1, &mut record), "its hook ran beside the last");
        record.results_at = 980.0;
        assert!(!asked(1, &mut record), "no model is so quick");
        record.results_at = 900.0;
        assert!(results(&[9], &mut record), "nobody told of it");
    }

    #[test]
    fn a_result_whose_hook_is_lost_joins_no_more_requests_than_its_own_and_the_next() {
        for (lost, again) in [(1, 1), (2, 1)] {
            let mut record = Record {
                request_began: false,
                ..Record::default()
            };
            let asked = |key, record: &mut Record| {
                note_asked(key, record, 1_000.0);
                std::mem::take(&mut record.request_began)
            };
            let answered = |key, record: &mut Record| {
                note_results(&[key], None, record, Requests::Untold, 1_000.0);
            };
            asked(lost, &mut record);
            let began: Vec<_> = [again; 3]
                .map(|key| {
                    let began = asked(key, &mut record);
                    answered(key, &mut record);
                    began
                })
                .into();
            assert_eq!(began, [false, true, true], "{lost} is lost");
        }
    }
}
