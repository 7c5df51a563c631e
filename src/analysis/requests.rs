//! The requests of a session, as far as its texts tell what they sent.

use turnkeeper_base::text::Size;
use turnkeeper_messages::Event;

use super::marks::Mark;

/// Tokens that are estimated from texts: sent for the first time, sent again, and written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Estimate {
    pub(crate) sent: u64,
    pub(crate) again: u64,
    pub(crate) written: u64,
}

impl Estimate {
    pub(crate) fn all(self) -> u64 {
        self.sent
            .saturating_add(self.again)
            .saturating_add(self.written)
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.sent = self.sent.saturating_add(more.sent);
        self.again = self.again.saturating_add(more.again);
        self.written = self.written.saturating_add(more.written);
    }

    pub(crate) fn less(self, other: Self) -> Self {
        Self {
            sent: self.sent.saturating_sub(other.sent),
            again: self.again.saturating_sub(other.again),
            written: self.written.saturating_sub(other.written),
        }
    }
}

/// A request to the model, and what it sent and brought.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// The record in which its answer begins.
    pub(crate) mark: Mark,
    pub(crate) estimate: Estimate,
    /// The tokens of the history before it, of which it may send a part alone.
    pub(crate) history: u64,
}

/// Counts the requests of a session.
#[derive(Debug)]
pub(crate) struct Requests {
    pub(crate) list: Vec<Request>,
    pub(crate) spent: Estimate,
    pub(crate) calls: u64,
    /// The history, and the tokens of it that the last request sent.
    history: Size,
    sent: u64,
    /// The tokens that a request can send. An agent that has more leaves some out.
    window: u64,
    written: Size,
    /// Whether the next thing that the model says answers a new request.
    is_asked: bool,
    /// The sums when the last answer was recorded.
    at_last_answer: Estimate,
}

impl Requests {
    /// Of a model that takes this many tokens in a request.
    pub(crate) fn of(window: u64) -> Self {
        Self {
            list: Vec::new(),
            spent: Estimate::default(),
            calls: 0,
            history: Size::default(),
            sent: 0,
            window,
            written: Size::default(),
            is_asked: true,
            at_last_answer: Estimate::default(),
        }
    }

    /// From here on another model answers.
    pub(crate) fn set_window(&mut self, window: u64) {
        self.window = window;
    }

    /// Takes an event. `size` is that of its words and of what was said with it.
    pub(crate) fn take(&mut self, event: &Event, size: Size, mark: Mark) {
        match event {
            Event::Text { .. } | Event::Reasoning { .. } | Event::ToolCall { .. } => {
                if self.is_asked {
                    self.begin(mark);
                }
                self.calls += u64::from(matches!(event, Event::ToolCall { .. }));
                let before = self.written.tokens();
                self.written += size;
                let more = u64::from(self.written.tokens() - before);
                self.spent.written += more;
                if let Some(request) = self.list.last_mut() {
                    request.estimate.written += more;
                }
            }
            Event::Other => {}
            _ => self.is_asked = true,
        }
        self.history += size;
    }

    /// The texts sent since the answer before this one.
    pub(crate) fn since_last_answer(&mut self) -> Estimate {
        let since = self.spent.less(self.at_last_answer);
        self.at_last_answer = self.spent;
        since
    }

    fn begin(&mut self, mark: Mark) {
        self.is_asked = false;
        let history = u64::from(self.history.tokens());
        let sent = (history - self.sent).min(self.window);
        let estimate = Estimate {
            sent,
            again: self.sent.min(self.window - sent),
            written: 0,
        };
        self.spent.add(estimate);
        self.list.push(Request {
            mark,
            estimate,
            history,
        });
        self.sent = history;
    }
}
