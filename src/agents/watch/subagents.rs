//! Subagents of an agent that gives them no ids. What happens between the call that runs one and its report happens
//! in it, or, if several run at once, in one of them: nobody can tell in which.

use super::event::{FinishedCall, Happening};
use super::record::{CallKey, Record, RunningSubagents, SeenCall};
use super::requests::call_key;

/// Notes the beginning and the end of subagents in the record of their session, and answers with the id that
/// stands for those which the event is of, if it is of any. Of its calls those that do not count are taken out.
pub(crate) fn running(happened: &mut Happening, record: &mut Record) -> Option<u64> {
    match happened {
        Happening::Prompt { .. } => {
            // One that was interrupted has made no report.
            record.subagents = None;
            None
        }
        Happening::SubagentAsked { name, args } => {
            let begun = &mut record.subagents_begun;
            let running = record.subagents.get_or_insert_with(|| {
                *begun += 1;
                RunningSubagents {
                    id: *begun,
                    ..RunningSubagents::default()
                }
            });
            running.calls.push(call_key(name, args.as_ref()));
            running.most = running.most.max(running.calls.len() as u64);
            None
        }
        Happening::Results(results) => {
            let running = record.subagents.as_mut()?;
            let key = |call: &FinishedCall| call_key(&call.name, Some(&call.args));
            if !results.ends_subagent {
                results.calls.retain(|call| counts(key(call), running));
                return Some(running.id);
            }
            let ended = results.calls.first().map(key);
            let at = running.calls.iter().position(|it| Some(*it) == ended);
            // A report that names none of them is the newest one's.
            match at {
                Some(at) => drop(running.calls.remove(at)),
                None => drop(running.calls.pop()),
            }
            if running.calls.is_empty() {
                record.subagents = None;
            }
            None
        }
        _ => record.subagents.as_ref().map(|it| it.id),
    }
}

const MOST_SEEN: usize = 256;

/// Whether a call counts. Where several subagents run at once, each may make it once: it counts again when it has
/// come more often than there are subagents, so a loop of one of them is found later, and none is blamed for all.
fn counts(key: CallKey, running: &mut RunningSubagents) -> bool {
    if running.most == 1 {
        return true;
    }
    let known = running.seen.iter().position(|it| it.key == key);
    let at = known.unwrap_or(running.seen.len());
    if at >= MOST_SEEN {
        return true;
    }
    if known.is_none() {
        running.seen.push(SeenCall { key, times: 0 });
    }
    let before = running.seen[at].times;
    running.seen[at].times = before.saturating_add(1);
    before.is_multiple_of(running.most)
}
