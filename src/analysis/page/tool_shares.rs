//! The share of each tool in a session: its calls, those that failed, and the room that they took.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use serde::Serialize;
use turnkeeper_base::text::Size;
use turnkeeper_messages::Event;

use super::events::has_failed;
use crate::plain_text::one_line;
use crate::words::words_of;

/// The tools that are shown; nobody reads more.
const MOST: usize = 50;
/// The units of a name.
const LONGEST_NAME: usize = 100;

/// A tool's part.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolShare {
    tool: String,
    calls: u64,
    /// Calls that failed.
    failed: u64,
    /// Of its calls and their results, estimated.
    tokens: u32,
    #[serde(skip)]
    size: Size,
    /// The first of its calls, from 0 over the session.
    first_call: u64,
}

/// The tools so far.
#[derive(Debug, Default)]
pub(super) struct ToolShares {
    tools: Vec<ToolShare>,
    by_name: FxHashMap<String, usize>,
    /// The tools of calls without a result so far, by the call's id.
    waiting: FxHashMap<String, usize>,
    /// The tool of the last call, which a result without an id is of.
    last: Option<usize>,
    calls: u64,
    room: String,
}

impl ToolShares {
    pub(super) fn take(&mut self, event: &Event) {
        let at = match event {
            Event::ToolCall { id, name, .. } => {
                let at = self.called(name);
                if let Some(id) = id {
                    self.waiting.insert(id.to_string(), at);
                }
                self.last = Some(at);
                Some(at)
            }
            Event::ToolResult { id: Some(id), .. } => self.waiting.remove(id.as_ref()),
            Event::ToolResult { id: None, .. } => self.last,
            _ => None,
        };
        let Some(tool) = at.and_then(|at| self.tools.get_mut(at)) else {
            return;
        };
        tool.size += Size::of_text(words_of(event, &mut self.room));
        tool.failed += u64::from(has_failed(event));
    }

    /// Counts a call of a tool. Returns the tool's place.
    fn called(&mut self, name: &str) -> usize {
        let at = match self.by_name.get(name) {
            Some(&at) => at,
            None => {
                self.by_name.insert(name.to_owned(), self.tools.len());
                self.tools.push(ToolShare {
                    tool: one_line(name, LONGEST_NAME),
                    calls: 0,
                    failed: 0,
                    tokens: 0,
                    size: Size::default(),
                    first_call: self.calls,
                });
                self.tools.len() - 1
            }
        };
        self.tools[at].calls += 1;
        self.calls += 1;
        at
    }

    /// The tools, those first that took most room.
    pub(super) fn end(mut self) -> Vec<ToolShare> {
        for tool in &mut self.tools {
            tool.tokens = tool.size.tokens();
        }
        self.tools.sort_by_key(|tool| Reverse(tool.tokens));
        self.tools.truncate(MOST);
        self.tools
    }
}
