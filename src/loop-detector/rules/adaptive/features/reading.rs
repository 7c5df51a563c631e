//! The arguments of a call as far as they were read, and the features that follow from them.

use super::command_line::CommandLineReader;
use super::names::KnownTool;
use super::remembered::MOST_COORDINATES;
use super::step::CallFeatures;
use super::vocabulary::{ToolKind, ToolTrait};
use crate::call::{Call, Encoded};
use turnkeeper_base::text::hash::mixed;

/// A call, as far as it was read.
#[derive(Default)]
pub(super) struct Reading<'a> {
    pub(super) kind: Option<ToolKind>,
    /// What its name says, which is certain if the host has said so; otherwise it is only what a tool may do.
    tool: KnownTool,
    pub(super) exact: u64,
    pub(super) loose: u64,
    pub(super) path: Option<u64>,
    pub(super) command_line: Option<CommandLineReader>,
    /// Whether the call carries arguments, be they empty.
    carries_arguments: bool,
    pub(super) has_cosmetic_arguments: bool,
    /// Whether there are arguments that are not cosmetic.
    pub(super) has_arguments: bool,
    /// Whether one of them says what to do, and not only where.
    pub(super) says_what_to_do: bool,
    /// Whether one of them is what an edit writes, ...
    pub(super) writes: bool,
    /// or a patch, ...
    pub(super) patches: bool,
    /// and whether one says on which lines.
    pub(super) names_lines: bool,
    /// Whether one says how long it waits, ...
    pub(super) has_delay: bool,
    /// or that it waits, ...
    pub(super) has_wait_verb: bool,
    /// or for how long, beside what it asks for, ...
    pub(super) waits_a_time: bool,
    /// and whether one says anything else than that and for what.
    pub(super) says_more_than_to_wait: bool,
    /// Whether one says where to go on to.
    pub(super) moves: bool,
    /// Whether one says that a process is to run in the background, ...
    pub(super) starts_process: bool,
    /// and whether one names what was started.
    pub(super) names_process: bool,
    /// Whether one says that the world is to be acted on.
    pub(super) acts: bool,
    /// Whether one is a question.
    pub(super) asks: bool,
    /// The arguments of what writes, but for its path and what it writes.
    pub(super) place: u64,
    /// The first that an edit writes.
    pub(super) content: Option<Encoded<'a>>,
    /// The part of the arguments that may only number the request.
    request: Option<u64>,
    /// The coordinates of where it points.
    pub(super) point: Vec<i32>,
}

impl Reading<'_> {
    pub(super) fn new(known: KnownTool, call: &Call) -> Self {
        Self {
            kind: known.kind,
            tool: known,
            exact: known.name,
            loose: known.name,
            carries_arguments: call.has_arguments(),
            ..Self::default()
        }
    }

    /// Adds an argument that may only number the request.
    pub(super) fn add_request(&mut self, argument: u64) {
        self.request = Some(mixed(self.request.unwrap_or_default(), argument));
    }

    /// All arguments are read. What numbers the request is compared unless the call says without it what it looks at
    /// or runs: the tool may be about requests.
    pub(super) fn end_arguments(&mut self) {
        use ToolKind::{Browser, Check, Wait};
        let may_say_more = self.looks() || matches!(self.kind, Some(Browser | Check | Wait));
        let says_what = self.path.is_some()
            || self.command_line.is_some()
            || may_say_more && self.has_arguments;
        if let Some(request) = self.request.filter(|_| !says_what) {
            self.add(request, request);
            self.has_arguments = true;
            self.says_what_to_do = true;
        }
    }

    fn looks(&self) -> bool {
        use ToolKind::{Lookup, Navigate, Search};
        matches!(self.kind, Some(Search | Lookup | Navigate))
    }

    /// Whether neither a file, a command nor the id of a thing is named, and nothing is noted.
    fn names_nothing(&self) -> bool {
        let is_of_another_kind = matches!(self.kind, Some(ToolKind::Command | ToolKind::Note));
        !is_of_another_kind && self.path.is_none() && !self.names_process
    }

    /// Adds what a part of the call is compared by.
    pub(super) fn add(&mut self, exact: u64, loose: u64) {
        let is_same = self.loose == self.exact && loose == exact;
        self.exact = mixed(self.exact, exact);
        self.loose = match is_same {
            true => self.exact,
            false => mixed(self.loose, loose),
        };
    }

    /// Takes a coordinate, or a list of them. False if there are none, or too many.
    pub(super) fn points_to(&mut self, value: Encoded) -> bool {
        let before = self.point.len();
        let coordinates: Option<Vec<i32>> = match value.tag() {
            b'[' => value.items().map(coordinate).collect(),
            _ => coordinate(value).map(|one| vec![one]),
        };
        self.point.extend(coordinates.into_iter().flatten());
        let is_known = (before + 1..=MOST_COORDINATES).contains(&self.point.len());
        if !is_known {
            self.point.truncate(before);
        }
        is_known
    }

    pub(super) fn features(mut self, index: u64) -> CallFeatures {
        let is_comparable = self.is_comparable();
        let line = match (self.kind, self.command_line.take()) {
            (Some(ToolKind::Command), Some(line)) => line.finish(),
            _ => CallFeatures::default(),
        };
        let is_of = |kind| self.kind == Some(kind);
        let is_write = is_of(ToolKind::Write);
        let edits = self.kind.is_some_and(ToolKind::edits) || self.patches && self.path.is_some();
        // Some formats leave out what is written.
        let names_its_file_alone = is_write && self.path.is_some() && !self.says_what_to_do;
        let says_what_it_edits = self.patches
            || self.writes && (self.path.is_some() || self.names_lines)
            || names_its_file_alone;
        let edits_for_certain = edits && (self.tool.is_of_host || says_what_it_edits);
        let waits_for_certain = self.tool.is_of_host
            && (is_of(ToolKind::Wait) || is_of(ToolKind::Browser) || is_of(ToolKind::Scroll));
        let has = |of_tool| self.tool.traits.contains(of_tool);
        let steps = has(ToolTrait::STEPS) && is_of(ToolKind::Wait) && !self.says_more_than_to_wait
            || has(ToolTrait::DEBUGGER) && line.steps;
        let acts_by_name =
            has(ToolTrait::ACTS) && !is_of(ToolKind::Command) && !is_of(ToolKind::Note);
        let delegates = has(ToolTrait::DELEGATES)
            && is_of(ToolKind::Lookup)
            && self.says_what_to_do
            && !self.names_process;
        let acts = (acts_by_name || self.acts || delegates) && self.has_arguments || line.acts;
        let looks = self.looks() && !delegates || line.looks;
        // That of a command is how long its output is waited for.
        let waits_a_time = self.waits_a_time && !is_of(ToolKind::Command) && !edits && !acts;
        let pauses = !self.says_more_than_to_wait && (self.has_delay || self.has_wait_verb);
        CallFeatures {
            index,
            exact: is_comparable.then_some(self.exact),
            call: is_comparable.then_some(self.loose),
            rough: (!is_comparable).then_some(self.loose),
            tool: self.tool.name,
            path: self.path,
            is_note: is_of(ToolKind::Note),
            asks: self.tool.traits.contains(ToolTrait::PERSON) && self.asks,
            edits: edits_for_certain,
            may_edit: edits,
            rewrites: edits_for_certain && is_write,
            runs_command: is_of(ToolKind::Command),
            looks,
            looks_up: is_of(ToolKind::Lookup),
            waits: pauses || waits_a_time || self.moves || waits_for_certain || line.waits || steps,
            sleeps: pauses && self.has_delay || line.sleeps,
            moves: !pauses && (self.moves || steps) || line.moves,
            steps,
            may_create: (self.kind.is_none() || is_write) && self.has_arguments,
            leads_on: !looks && !edits_for_certain && self.names_nothing(),
            acts: acts && !edits_for_certain,
            closes: has(ToolTrait::CLOSES) && !self.names_process && self.path.is_none(),
            takes_stock: has(ToolTrait::TAKES_STOCK),
            ..line
        }
    }

    /// Whether there is enough to tell two calls apart. A format may leave arguments out: then there
    /// are none at all or only cosmetic ones, an edit does not say what it writes, or a search or a
    /// command says nothing. Of other tools, a call whose arguments are empty may be complete.
    fn is_comparable(&self) -> bool {
        self.carries_arguments
            && match self.kind {
                Some(ToolKind::Edit | ToolKind::Write) if self.path.is_some() => {
                    self.says_what_to_do
                }
                Some(ToolKind::Command) => self.has_arguments,
                _ => self.has_arguments || !self.has_cosmetic_arguments,
            }
    }
}

/// A whole number of pixels.
fn coordinate(value: Encoded) -> Option<i32> {
    let digits = (value.tag() == b'd').then(|| value.digits().as_ascii())??;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::CallReader;
    use super::super::example::{facts, read, read_by};

    #[test]
    fn an_edit_is_certain_where_the_arguments_say_what_is_written_and_where() {
        for (name, arguments, expected) in [
            (
                "replace",
                json!({"path": "a", "new_string": "b"}),
                vec!["edits"],
            ),
            (
                "edit",
                json!({"start_line": 1, "replacement_text": "b"}),
                vec!["edits"],
            ),
            (
                "edit",
                json!({"line_range": "3:4", "replacement_text": "b"}),
                vec!["edits"],
            ),
            ("apply_patch", json!({"patch": "b"}), vec!["edits"]),
            ("Edit", json!("a: b => c"), vec!["edits"]),
            ("append_row", json!({"sheet": "a", "row": 3}), vec![]),
            ("create_issue", json!({"title": "a", "body": "b"}), vec![]),
        ] {
            assert_eq!(facts(read(name, arguments)), expected, "{name}");
        }
    }

    #[test]
    fn the_arguments_say_whether_a_call_waits() {
        for (name, arguments, waits) in [
            ("wait", json!({"seconds": 30}), true),
            ("wait", json!({"minutes": 10}), true),
            ("task", json!({"task_id": "a", "block": true}), true),
            ("process", json!({"action": "poll", "sessionId": "a"}), true),
            (
                "write_stdin",
                json!({"session_id": 1, "chars": "", "yield_time_ms": 9}),
                true,
            ),
            ("press", json!({"key": "Down"}), true),
            (
                "write_stdin",
                json!({"session_id": 1, "chars": "ls", "yield_time_ms": 9}),
                false,
            ),
            ("bash", json!({"command": "make", "timeout": 9}), false),
            ("fetch", json!({"url": "a", "timeout": 9}), false),
            ("wait_for", json!({"what": "a"}), false),
            ("click", json!({"x": 1, "y": 2}), false),
            ("get_job", json!({"job": 7, "wait_s": 600}), true),
            ("get_job", json!({"job": 7, "pollIntervalMs": "30s"}), true),
            ("get_job", json!({"job": 7, "delay_seconds": 0.5}), true),
            ("get_job", json!({"job": 7, "wait_s": 0}), false),
            ("get_job", json!({"job": 7, "wait_for": "done"}), false),
            ("get_job", json!({"job": 7, "timeout_s": 600}), false),
            (
                "run_command",
                json!({"command": "make", "WaitMsBeforeAsync": 500}),
                false,
            ),
            (
                "edit",
                json!({"path": "a", "text": "b", "wait_ms": 9}),
                false,
            ),
        ] {
            assert_eq!(
                read(name, arguments.clone()).waits,
                waits,
                "{name} {arguments}"
            );
        }
    }

    #[test]
    fn a_call_without_much_is_not_compared() {
        let is_compared = |name, arguments| {
            let call = read_by(&mut CallReader::default(), name, arguments);
            assert_eq!(call.call.is_some(), call.exact.is_some());
            call.call.is_some()
        };
        assert!(!is_compared("paint", None));
        assert!(is_compared("paint", Some(json!({}))));
        assert!(is_compared("paint", Some(json!({"x": 1}))));
        assert!(!is_compared("paint", Some(json!({"timeout": 1}))));
        assert!(is_compared("list_tables", Some(json!({}))));
        assert!(!is_compared("bash", Some(json!({}))));
        assert!(is_compared("move_north", Some(json!({}))));
        assert!(is_compared("read_file", Some(json!({"path": "a"}))));
        assert!(!is_compared("replace", Some(json!({"path": "a"}))));
        assert!(is_compared(
            "replace",
            Some(json!({"path": "a", "text": "b"}))
        ));
    }
}
