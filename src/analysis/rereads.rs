//! Calls that bring back what a compaction has taken out of the model's sight.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use turnkeeper_base::text::Size;
use turnkeeper_base::text::hash::fingerprint;
use turnkeeper_messages::Event;

use super::marks::Mark;
use super::report::Rereads;
use super::tools::Work;

/// The results that are remembered at most.
const MOST_KEPT: usize = 20_000;

/// A call whose result had been there before a compaction.
#[derive(Debug, Clone, Copy)]
struct Reread {
    mark: Mark,
    size: Size,
    /// The request with which it was sent first, and how many sent it until the next compaction.
    since: u64,
    sent: u64,
}

/// The findings on them.
#[derive(Debug, Clone, Default)]
pub(crate) struct RereadList {
    compactions: Vec<Mark>,
    rereads: Vec<Reread>,
}

impl RereadList {
    /// Those in records that are the session's own.
    pub(crate) fn own(&self, is_own: impl Fn(Mark) -> bool) -> Rereads {
        let own = self.rereads.iter().filter(|reread| is_own(reread.mark));
        let mut total = Rereads {
            compactions: self
                .compactions
                .iter()
                .filter(|mark| is_own(**mark))
                .count() as u64,
            ..Rereads::default()
        };
        let mut size = Size::default();
        for reread in own {
            total.calls += 1;
            size += reread.size;
            let sent = u64::from(reread.size.tokens()).saturating_mul(reread.sent);
            total.tokens_sent = total.tokens_sent.saturating_add(sent);
        }
        total.tokens = size.tokens().into();
        total
    }
}

/// Finds such calls.
#[derive(Debug, Default)]
pub(crate) struct RereadCount {
    list: RereadList,
    /// The answers of calls before the last compaction, the oldest first, and since.
    before: FxHashMap<u64, u64>,
    order: VecDeque<u64>,
    since: FxHashMap<u64, u64>,
    open: FxHashMap<Option<u64>, u64>,
    /// Requests so far, and the first reread that the next ones send again.
    turns: u64,
    carried: usize,
}

impl RereadCount {
    /// Takes an event; `words` are what it says, of a call its name and arguments, and `work` is that of the tool.
    pub(crate) fn take(
        &mut self,
        event: &Event,
        work: Option<Work>,
        words: &str,
        size: Size,
        mark: Mark,
    ) {
        match event {
            Event::Condensation => self.condensed(mark),
            Event::TurnStarted => self.turns += 1,
            Event::ToolCall { id, .. } if work.is_some_and(Work::is_read) => {
                let id = id.as_deref().map(|id| fingerprint(id.as_bytes()));
                self.open.insert(id, fingerprint(words.as_bytes()));
            }
            Event::ToolResult { id, .. } => {
                let id = id.as_deref().map(|id| fingerprint(id.as_bytes()));
                if let Some(call) = self.open.remove(&id) {
                    self.answered(call, words, size, mark);
                }
            }
            _ => {}
        }
    }

    pub(crate) fn end(mut self) -> RereadList {
        self.drop_carried();
        self.list
    }

    fn condensed(&mut self, mark: Mark) {
        // Files often begin with the mark of one, or have it twice.
        if self.since.is_empty() {
            return;
        }
        self.list.compactions.push(mark);
        for (call, result) in self.since.drain() {
            if self.before.insert(call, result).is_none() {
                self.order.push_back(call);
            }
        }
        self.drop_carried();
        while self.order.len() > MOST_KEPT {
            if let Some(oldest) = self.order.pop_front() {
                self.before.remove(&oldest);
            }
        }
    }

    /// The requests from here on send none of what was read again.
    fn drop_carried(&mut self) {
        let rereads = &mut self.list.rereads;
        for reread in &mut rereads[self.carried..] {
            reread.sent = self.turns - reread.since;
        }
        self.carried = rereads.len();
    }

    fn answered(&mut self, call: u64, result: &str, size: Size, mark: Mark) {
        let answer = fingerprint(result.as_bytes());
        let was_there = self.before.get(&call) == Some(&answer);
        if was_there && !self.since.contains_key(&call) && !result.is_empty() {
            self.list.rereads.push(Reread {
                mark,
                size,
                since: self.turns,
                sent: 0,
            });
        }
        self.since.insert(call, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(count: &mut RereadCount, event: &Event, words: &str) {
        let work = matches!(event, Event::ToolCall { .. }).then(|| Work::of("read_file"));
        count.take(event, work, words, Size::of_text(words), None);
    }

    fn read(count: &mut RereadCount, path: &str, result: &str) {
        take(count, &Event::TurnStarted, "");
        let call = Event::ToolCall {
            key: None,
            id: Some("1".into()),
            name: "read_file".into(),
            args: None,
        };
        take(count, &call, path);
        let answer = Event::ToolResult {
            id: Some("1".into()),
            output: result.into(),
            is_error: None,
            exit_code: None,
        };
        take(count, &answer, result);
    }

    #[test]
    fn what_comes_back_after_a_compaction_was_read_again() {
        let mut count = RereadCount::default();
        take(&mut count, &Event::Condensation, "");
        read(&mut count, "a", "12345678");
        read(&mut count, "b", "old");
        take(&mut count, &Event::Condensation, "");
        read(&mut count, "a", "12345678");
        read(&mut count, "a", "12345678");
        read(&mut count, "b", "new");
        take(&mut count, &Event::Condensation, "");
        read(&mut count, "a", "12345678");
        let rereads = count.end().own(|_| true);
        assert_eq!((rereads.compactions, rereads.calls), (2, 2));
        assert_eq!((rereads.tokens, rereads.tokens_sent), (4, 4));
    }

    #[test]
    fn what_is_another_sessions_does_not_count() {
        let mut count = RereadCount::default();
        for mark in [None, Some(1)] {
            read(&mut count, "a", "x");
            count.take(&Event::Condensation, None, "", Size::default(), mark);
        }
        let rereads = count.end().own(|mark| mark.is_none());
        assert_eq!((rereads.compactions, rereads.calls), (1, 1));
    }
}
