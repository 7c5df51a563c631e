//! What a call is compared by, and what it does: by the words of its tool's name, and of a shell by its
//! command line.

use rustc_hash::FxHashMap;

use super::CallFeatures;
use super::characters::{is_ascii, is_word, lower_case};
use super::command_line::{CommandLine, CommandLineReader};
use super::remembered::{MOST_COORDINATES, Remembered};
use super::tokens::{Source, Tokens};
use super::vocabulary::{ArgumentRole, ToolKind, VOCABULARY, WaitVerb, Words};
use super::word_lists;
use crate::call::{Call, Encoded};
use turnkeeper_base::text::hash::{UnitHash, fingerprint, mixed};

/// Times and ids are searched for in this many units of a string; the rest is compared as it is.
const SEARCHED_UNITS: usize = 512;

/// Stands for a string or a number that holds a time or an id; no value's encoding begins with it.
const REPLACED: u8 = b'~';

/// Reads calls.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct CallReader {
    /// The host's own tools and arguments, which come before the vocabulary's.
    own_tools: Words<ToolKind>,
    own_arguments: Words<ArgumentRole>,
    tool_memo: Memo<KnownTool>,
    argument_memo: Memo<ArgumentRole>,
    /// The units of the string that is read.
    units: Vec<u16>,
    /// The encoding of the value that is read, without times and ids.
    stable: Vec<u8>,
}

impl CallReader {
    /// Tools of these names are of this kind.
    pub(in super::super) fn add_tools(&mut self, kind: ToolKind, names: &Option<Vec<String>>) {
        for name in names.iter().flatten() {
            self.own_tools.add(name, kind, Ord::min);
        }
    }

    /// Arguments of these names are not compared.
    pub(in super::super) fn add_cosmetic_arguments(&mut self, names: &Option<Vec<String>>) {
        for name in names.iter().flatten() {
            self.own_arguments
                .add(name, ArgumentRole::COSMETIC, ArgumentRole::union);
        }
    }

    /// Reads a call after those of which something is remembered.
    #[inline(never)] // A large function is slow to compile at the first event.
    pub(in super::super) fn read(
        &mut self,
        call: &Call,
        index: u64,
        request: u64,
        remembered: &mut Remembered,
    ) -> CallFeatures {
        let mut reading = Reading::new(self.known_tool(call), call);
        let arguments = call.arguments();
        match arguments.tag() {
            b'u' => {}
            b'{' => {
                for (name, value) in fields(arguments) {
                    self.read_argument(name, value, &mut reading);
                }
            }
            tag => {
                reading.has_arguments = true;
                reading.says_what_to_do = true;
                reading.says_more_than_to_wait = true;
                // Some formats write all arguments into one text.
                reading.patches = is_string(tag);
                let is_command_line = is_string(tag);
                self.compare(arguments, is_command_line, &mut reading);
            }
        }
        if !reading.point.is_empty() {
            reading.loose = mixed(reading.loose, remembered.place(&reading.point));
        }
        let grows = match (reading.kind, reading.path, reading.content) {
            (Some(ToolKind::Write), Some(path), Some(content)) => remembered.grows(path, content),
            _ => false,
        };
        // What looks after a process that was started, and at nothing else, waits for it.
        let looks_after = remembered.has_started_process
            && reading.names_process
            && !reading.says_more_than_to_wait;
        remembered.has_started_process |= reading.starts_process;
        let features = reading.features(index, request);
        CallFeatures {
            grows,
            waits: features.waits || looks_after,
            ..features
        }
    }

    #[inline(never)] // A large function is slow to compile at the first event.
    fn read_argument<'a>(&mut self, name: Encoded, value: Encoded<'a>, reading: &mut Reading<'a>) {
        let tag = value.tag();
        let role = self.argument_role(name);
        if tag == b'n' {
            return;
        }
        let is_set = match tag {
            b'f' => false,
            _ if is_string(tag) => !value.units().is_empty(),
            _ => true,
        };
        if role.contains(ArgumentRole::DELAY) {
            reading.has_delay |= is_set;
        }
        reading.starts_process |= role.contains(ArgumentRole::BACKGROUND) && tag == b't';
        reading.names_process |=
            is_set && (role.contains(ArgumentRole::HANDLE) || names_an_id(name));
        if role.contains(ArgumentRole::COSMETIC) {
            reading.has_cosmetic_arguments = true;
            return;
        }
        reading.writes |= role.contains(ArgumentRole::CONTENT) && tag != b'f' && tag != b't';
        reading.patches |= role.contains(ArgumentRole::PATCH) || begins_a_patch(value);
        reading.names_lines |= role.contains(ArgumentRole::LINES);
        reading.asks |= role.contains(ArgumentRole::ASKS);
        if role.contains(ArgumentRole::CONTENT) && is_string(tag) {
            reading.content = reading.content.or(Some(value));
        }
        reading.moves |= role.contains(ArgumentRole::MOVES);
        let verb = match role.contains(ArgumentRole::VERB) && is_string(tag) {
            true => self.wait_verb(value),
            false => None,
        };
        let verb_waits = verb == Some(WaitVerb::Waits);
        reading.has_wait_verb |= verb_waits;
        reading.moves |= verb == Some(WaitVerb::MovesOn);
        if is_set
            && !verb_waits
            && !role.intersects(ArgumentRole::DELAY | ArgumentRole::HANDLE)
            && !names_an_id(name)
        {
            reading.says_more_than_to_wait = true;
        }
        reading.has_arguments = true;
        if role.contains(ArgumentRole::APPENDS)
            && tag == b't'
            && reading.kind == Some(ToolKind::Write)
        {
            // The file is not written whole.
            reading.kind = Some(ToolKind::Edit);
        }
        let name = fingerprint(name.0);
        reading.exact = mixed(reading.exact, name);
        reading.loose = mixed(reading.loose, name);
        if role.contains(ArgumentRole::POINT) && reading.points_to(value) {
            reading.exact = mixed(reading.exact, fingerprint(value.0));
            reading.says_what_to_do = true;
            return;
        }
        let is_command_line = role.contains(ArgumentRole::COMMAND_LINE)
            && reading.command_line.is_none()
            && (is_string(tag) || tag == b'[');
        self.compare(value, is_command_line, reading);

        if role.contains(ArgumentRole::PATH) {
            if reading.path.is_none() && is_string(tag) {
                reading.path = Some(hash_of_path(value));
            }
        } else if !role.contains(ArgumentRole::EDITOR_VERB)
            || reading.kind == Some(ToolKind::Command)
        {
            reading.says_what_to_do = true;
        } else if reading.kind == Some(ToolKind::Edit) && is_string(tag) {
            self.units.clear();
            value.units().push_to(SEARCHED_UNITS, &mut self.units);
            let verb = VOCABULARY.editor_verbs.meaning(&self.units);
            reading.kind = verb.or(reading.kind);
        }
    }

    /// Compares calls by a value, too: exactly, and with strings and numbers in it that hold times or
    /// ids replaced by what does not change in them.
    fn compare(&mut self, value: Encoded, is_command_line: bool, reading: &mut Reading) {
        if is_command_line {
            reading.command_line = Some(CommandLineReader::default());
        }
        let reads_line = is_command_line && reading.kind == Some(ToolKind::Command);
        let exact = fingerprint(value.0);
        self.stable.clear();
        // What comes after this place is not in `stable` yet.
        let mut copied = 0;
        let mut rest = value;
        while !rest.0.is_empty() {
            let tag = rest.tag();
            if matches!(tag, b'[' | b']' | b'{' | b'}') {
                rest = rest.inner();
                continue;
            }
            let start = value.0.len() - rest.0.len();
            let (one, after) = rest.split();
            if one.0.is_empty() {
                break;
            }
            rest = after;
            let units = match tag {
                b'd' => one.digits(),
                b's' | b'w' => one.units(),
                _ => continue,
            };
            if units.may_hold_time(SEARCHED_UNITS) {
                self.units.clear();
                let beyond = units.push_to(SEARCHED_UNITS, &mut self.units);
                let searched = Tokens::of(&self.units, Source::Argument);
                self.stable.extend_from_slice(&value.0[copied..start]);
                self.stable.push(REPLACED);
                for hash in [searched.stable.0, fingerprint(beyond)] {
                    self.stable.extend_from_slice(&hash.to_le_bytes());
                }
                copied = start + one.0.len();
            }
            if reads_line && let Some(line) = &mut reading.command_line {
                // The words of a list are one line.
                line.push(u16::from(b' '));
                units.for_each(|unit| line.push(unit));
            }
        }
        let loose = if self.stable.is_empty() {
            exact
        } else {
            self.stable.extend_from_slice(&value.0[copied..]);
            fingerprint(&self.stable)
        };
        reading.exact = mixed(reading.exact, exact);
        reading.loose = mixed(reading.loose, loose);
    }

    fn wait_verb(&mut self, value: Encoded) -> Option<WaitVerb> {
        self.units.clear();
        value.units().push_to(SEARCHED_UNITS, &mut self.units);
        VOCABULARY.wait_verbs.meaning(&self.units)
    }

    /// What a tool does, if that is known.
    fn known_tool(&mut self, call: &Call) -> KnownTool {
        let name = call.encoded_name();
        if let Some(kind) = self.tool_memo.get(name) {
            return kind;
        }
        let mut units = Vec::new();
        name.units().for_each(|unit| units.push(unit));
        let local = without_namespace(&units);
        let words = words_of_name(local);
        let of_own = words
            .iter()
            .chain([&local])
            .filter_map(|word| self.own_tools.meaning(word))
            .min();
        let kinds = || {
            words
                .iter()
                .filter_map(|word| VOCABULARY.tools.meaning(word))
        };
        // What reads notes is no note.
        let first = words.iter().find(|word| !word.is_empty());
        let looks = first.and_then(|word| VOCABULARY.tools.meaning(word)) == Some(ToolKind::Search);
        let of_known = kinds()
            .filter(|kind| !(looks && *kind == ToolKind::Note))
            .min();
        self.tool_memo.insert(
            name,
            KnownTool {
                kind: of_own.or(of_known),
                is_of_host: of_own.is_some(),
                is_for_person: words.iter().any(|word| {
                    word_lists::PERSONS
                        .iter()
                        .any(|person| is_word(word, person))
                }),
            },
        )
    }

    /// What an argument is for.
    fn argument_role(&mut self, name: Encoded) -> ArgumentRole {
        if let Some(role) = self.argument_memo.get(name) {
            return role;
        }
        self.units.clear();
        name.units().for_each(|unit| self.units.push(unit));
        let of_own = self.own_arguments.meaning(&self.units).unwrap_or_default();
        let of_known = VOCABULARY
            .arguments
            .meaning(&self.units)
            .unwrap_or_default();
        self.argument_memo.insert(name, of_own | of_known)
    }
}

/// What a tool does, if that is known, and whether the host said so.
#[derive(Debug, Clone, Copy, Default)]
struct KnownTool {
    kind: Option<ToolKind>,
    is_of_host: bool,
    /// Whether its name says that a person answers.
    is_for_person: bool,
}

/// What is known of a call so far.
struct Reading<'a> {
    kind: Option<ToolKind>,
    /// Whether the host said so, which is certain; a name says only what a tool may do.
    is_of_host: bool,
    is_for_person: bool,
    tool: u64,
    exact: u64,
    loose: u64,
    path: Option<u64>,
    command_line: Option<CommandLineReader>,
    /// Whether the call carries arguments, be they empty.
    carries_arguments: bool,
    has_cosmetic_arguments: bool,
    /// Whether there are arguments that are not cosmetic.
    has_arguments: bool,
    /// Whether one of them says what to do, and not only where.
    says_what_to_do: bool,
    /// Whether one of them is what an edit writes, ...
    writes: bool,
    /// or a patch, ...
    patches: bool,
    /// and whether one says on which lines.
    names_lines: bool,
    /// Whether one says how long it waits, ...
    has_delay: bool,
    /// or that it waits, ...
    has_wait_verb: bool,
    /// and whether one says anything else than that and for what.
    says_more_than_to_wait: bool,
    /// Whether one says where to go on to.
    moves: bool,
    /// Whether one says that a process is to run in the background, ...
    starts_process: bool,
    /// and whether one names what was started.
    names_process: bool,
    /// Whether one is a question.
    asks: bool,
    /// The first that an edit writes.
    content: Option<Encoded<'a>>,
    /// The coordinates of where it points.
    point: Vec<i32>,
}

impl Reading<'_> {
    fn new(known: KnownTool, call: &Call) -> Self {
        let tool = call.tool_fingerprint();
        Self {
            kind: known.kind,
            is_of_host: known.is_of_host,
            is_for_person: known.is_for_person,
            tool,
            exact: tool,
            loose: tool,
            path: None,
            command_line: None,
            carries_arguments: call.has_arguments(),
            has_cosmetic_arguments: false,
            has_arguments: false,
            says_what_to_do: false,
            writes: false,
            patches: false,
            names_lines: false,
            has_delay: false,
            has_wait_verb: false,
            says_more_than_to_wait: false,
            moves: false,
            starts_process: false,
            names_process: false,
            asks: false,
            content: None,
            point: Vec::new(),
        }
    }

    /// Takes a coordinate, or a list of them. False if there are none, or too many.
    fn points_to(&mut self, value: Encoded) -> bool {
        let before = self.point.len();
        let mut rest = match value.tag() {
            b'[' => value.inner(),
            _ => value,
        };
        loop {
            let (one, after) = rest.split();
            if one.0.is_empty() {
                break;
            }
            rest = after;
            let Some(coordinate) = coordinate(one) else {
                self.point.truncate(before);
                return false;
            };
            self.point.push(coordinate);
        }
        let is_known = (before + 1..=MOST_COORDINATES).contains(&self.point.len());
        if !is_known {
            self.point.truncate(before);
        }
        is_known
    }

    fn features(self, index: u64, request: u64) -> CallFeatures {
        let is_comparable = self.is_comparable();
        let line = match (self.kind, self.command_line) {
            (Some(ToolKind::Command), Some(line)) => line.finish(),
            _ => CommandLine::default(),
        };
        let is_of = |kind| self.kind == Some(kind);
        let is_write = is_of(ToolKind::Write);
        let edits = is_of(ToolKind::Edit) || is_write || self.patches && self.path.is_some();
        // Some formats leave out what is written.
        let names_its_file_alone = is_write && self.path.is_some() && !self.says_what_to_do;
        let says_what_it_edits = self.patches
            || self.writes && (self.path.is_some() || self.names_lines)
            || names_its_file_alone;
        let edits_for_certain = edits && (self.is_of_host || says_what_it_edits);
        let waits_for_certain = self.is_of_host
            && (is_of(ToolKind::Wait) || is_of(ToolKind::Browser) || is_of(ToolKind::Scroll));
        let pauses = !self.says_more_than_to_wait && (self.has_delay || self.has_wait_verb);
        CallFeatures {
            index,
            request,
            exact: is_comparable.then_some(self.exact),
            call: is_comparable.then_some(self.loose),
            rough: self.loose,
            tool: self.tool,
            path: self.path,
            is_note: is_of(ToolKind::Note),
            asks: self.is_for_person && self.asks,
            edits: edits_for_certain,
            may_edit: edits,
            rewrites: edits_for_certain && is_write,
            runs_command: is_of(ToolKind::Command),
            looks: is_of(ToolKind::Search) || is_of(ToolKind::Navigate) || line.looks,
            waits: pauses || self.moves || waits_for_certain || line.waits,
            sleeps: pauses && self.has_delay || line.sleeps,
            moves: !pauses && self.moves || line.moves,
            changes_shell: line.changes_shell,
            only_prints: line.only_prints,
            grows: false,
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

/// The names and values of an object's fields.
fn fields<'a>(object: Encoded<'a>) -> impl Iterator<Item = (Encoded<'a>, Encoded<'a>)> {
    let mut rest = object.inner();
    std::iter::from_fn(move || {
        let (name, after) = rest.split();
        let (value, after) = after.split();
        rest = after;
        (!value.0.is_empty()).then_some((name, value))
    })
}

/// Whether a text begins as the patches do that name their files themselves: `*** Begin Patch`.
fn begins_a_patch(value: Encoded) -> bool {
    value.units().has("*** ", 0)
}

/// A whole number of pixels.
fn coordinate(value: Encoded) -> Option<i32> {
    let digits = match value.tag() {
        b'd' => value.digits().as_ascii()?,
        _ => return None,
    };
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Whether a name ends like that of an id: `taskId`, `bash_id`, `job_ids`.
fn names_an_id(name: Encoded) -> bool {
    let units = name.units();
    let ends_with = |text: &str| {
        let start = units.len().checked_sub(text.len());
        start.is_some_and(|start| {
            let mut letters = text.bytes().enumerate();
            letters.all(|(at, letter)| is_ascii(lower_case(units.at(start + at)), letter))
        })
    };
    ends_with("id") || ends_with("ids")
}

fn is_string(tag: u8) -> bool {
    matches!(tag, b's' | b'w')
}

/// Equal for one path, whatever the case of ASCII letters.
fn hash_of_path(path: Encoded) -> u64 {
    let mut hash = UnitHash::EMPTY;
    path.units().for_each(|unit| hash.push(lower_case(unit)));
    hash.0
}

/// A tool's name without the name of a server or a namespace before it: `read_file` of
/// `mcp__files__read_file`, and of `files.read_file`.
fn without_namespace(name: &[u16]) -> &[u16] {
    let ends_namespace = |at: usize| {
        let is = |at: usize, mark| is_ascii(name[at], mark);
        is(at, b'.') || is(at, b'/') || is(at, b':') || at > 0 && is(at, b'_') && is(at - 1, b'_')
    };
    // What ends the name is no namespace.
    let last = (0..name.len().saturating_sub(1)).rfind(|at| ends_namespace(*at));
    last.map_or(name, |at| &name[at + 1..])
}

/// The words of a name, such as `read` and `File` of `readFile`, and of `read_File`.
fn words_of_name(name: &[u16]) -> Vec<&[u16]> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut was_lower_case = false;
    for (at, &unit) in name.iter().enumerate() {
        let letter = u8::try_from(unit).unwrap_or_default();
        let begins_word = letter.is_ascii_uppercase() && was_lower_case;
        if begins_word || !letter.is_ascii_alphabetic() {
            words.push(&name[start..at]);
            start = at + usize::from(!begins_word);
        }
        was_lower_case = letter.is_ascii_lowercase();
    }
    words.push(&name[start..]);
    words
}

/// What the names of tools and arguments were found to mean: a conversation has a few dozen of them,
/// over and over. Names are compared whole.
#[derive(Debug, Clone)]
struct Memo<M>(FxHashMap<Box<[u8]>, M>);

/// This many names are remembered; then all are forgotten.
const MOST_NAMES: usize = 128;
/// A longer name is not remembered. In bytes of its encoding.
const LONGEST_NAME: usize = 256;

impl<M> Default for Memo<M> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<M: Copy> Memo<M> {
    fn get(&self, name: Encoded) -> Option<M> {
        self.0.get(name.0).copied()
    }

    fn insert(&mut self, name: Encoded, meaning: M) -> M {
        if name.0.len() <= LONGEST_NAME {
            if self.0.len() == MOST_NAMES {
                self.0.clear();
            }
            self.0.insert(name.0.into(), meaning);
        }
        meaning
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::call::{KeyOrder, encode};

    fn read_by(reader: &mut CallReader, name: &str, arguments: Option<Value>) -> CallFeatures {
        let mut encoded = Vec::new();
        encode(name, arguments.as_ref(), &mut encoded).expect("not deep");
        let call = Call::decode(&encoded, KeyOrder::AsGiven).expect("a call");
        reader.read(&call, 0, 0, &mut Remembered::default())
    }

    fn read(name: &str, arguments: Value) -> CallFeatures {
        read_by(&mut CallReader::default(), name, Some(arguments))
    }

    /// What holds of a call.
    fn facts(call: CallFeatures) -> Vec<&'static str> {
        let facts = [
            ("note", call.is_note),
            ("edits", call.edits),
            ("rewrites", call.rewrites),
            ("looks", call.looks),
            ("waits", call.waits),
            ("changes shell", call.changes_shell),
            ("only prints", call.only_prints),
        ];
        let holding = facts.into_iter().filter(|(_, holds)| *holds);
        holding.map(|(fact, _)| fact).collect()
    }

    #[test]
    fn the_words_of_a_name_say_what_a_tool_does() {
        for (name, expected) in [
            ("read_file", vec!["looks"]),
            ("mcp__fs__ReadFile", vec!["looks"]),
            ("bash.readFile", vec!["looks"]),
            ("search_file_content", vec!["looks"]),
            ("replace", vec![]),
            ("move_north", vec![]),
            ("git_diff", vec![]),
            ("TodoWrite", vec!["note"]),
            ("update_plan", vec!["note"]),
            ("list_tasks", vec!["looks"]),
            ("BashOutput", vec![]),
            ("browser_action", vec![]),
            ("paint", vec![]),
            ("", vec![]),
            ("__", vec![]),
        ] {
            assert_eq!(facts(read(name, json!({"x": 1}))), expected, "{name}");
        }
    }

    #[test]
    fn an_editor_is_told_by_a_verb_what_to_do() {
        for (verb, expected) in [
            ("view", vec!["looks"]),
            ("create", vec!["edits", "rewrites"]),
            ("undo_edit", vec!["waits"]),
            ("insert", vec!["edits"]),
        ] {
            let arguments = json!({"command": verb, "path": "a", "new_str": "b"});
            assert_eq!(
                facts(read("str_replace_editor", arguments)),
                expected,
                "{verb}"
            );
        }
    }

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
        ] {
            assert_eq!(
                read(name, arguments.clone()).waits,
                waits,
                "{name} {arguments}"
            );
        }
    }

    #[test]
    fn what_is_appended_does_not_write_a_file_whole() {
        for (append, expected) in [
            (json!(true), vec!["edits"]),
            (json!(false), vec!["edits", "rewrites"]),
            (json!("more"), vec!["edits", "rewrites"]),
        ] {
            let arguments = json!({"path": "a", "content": "b", "append": append});
            assert_eq!(
                facts(read("write_to_file", arguments)),
                expected,
                "{append}"
            );
        }
    }

    #[test]
    fn a_shell_is_told_by_a_command_line_what_to_do() {
        let of_line = |line: Value| facts(read("bash", json!({ "command": line })));
        assert_eq!(of_line(json!("rg moth")), ["looks"]);
        assert_eq!(of_line(json!(["bash", "-lc", "rg moth"])), ["looks"]);
        assert_eq!(of_line(json!(["sleep", 30])), ["waits"]);
        assert_eq!(of_line(json!("cd /a")), ["changes shell"]);
        assert_eq!(
            of_line(json!(["bash", "-lc", "echo done"])),
            ["only prints"]
        );
        assert!(facts(read("paint", json!({"command": "echo done"}))).is_empty());
        assert_eq!(facts(read("bash", json!("rg moth"))), ["looks"]);
        let behind_much = format!("grep -r moth {} > a.txt", "garden ".repeat(1_000));
        assert!(of_line(json!(behind_much)).is_empty());
    }

    #[test]
    fn what_the_host_says_of_a_tool_comes_first() {
        let mut reader = CallReader::default();
        let names = |names: &[&str]| Some(names.iter().map(|name| name.to_string()).collect());
        reader.add_tools(ToolKind::Wait, &names(&["READ", "grep_for_news"]));
        reader.add_tools(ToolKind::Edit, &names(&["read", ""]));
        reader.add_cosmetic_arguments(&names(&["mood"]));
        let mut facts_of = |name| {
            facts(read_by(
                &mut reader,
                name,
                Some(json!({"x": 1, "mood": name})),
            ))
        };
        for _ in 0..2 {
            assert_eq!(facts_of("read_file"), ["waits"]);
            assert_eq!(facts_of("news.grep_for_news"), ["waits"]);
            assert_eq!(facts_of("grep_for"), ["looks"]);
            assert!(facts_of("paint").is_empty());
        }
        let calm = read_by(&mut reader, "paint", Some(json!({"x": 1, "mood": "calm"})));
        let merry = read_by(&mut reader, "paint", Some(json!({"x": 1, "mood": "merry"})));
        assert_eq!(calm.exact, merry.exact);
    }

    #[test]
    fn times_and_ids_are_not_compared_wherever_they_are() {
        let at = |time: &str| read("look_up", json!({"query": {"since": [time, "moss"]}}));
        let one = at("2026-01-02T10:00:00Z");
        let other = at("2026-11-22T09:30:00Z");
        assert_eq!(one.call, other.call);
        assert_ne!(one.exact, other.exact);
        assert_ne!(one.call, at("yesterday").call);
        let flat = read(
            "look_up",
            json!({"query": {"since": "2026-01-02T10:00:00Z moss"}}),
        );
        assert_ne!(one.call, flat.call);
    }

    #[test]
    fn white_space_is_compared() {
        let edit = |text: &str| read("replace", json!({"path": "a", "text": text}));
        // The second text is one that may hold a time, of which less is compared.
        for text in ["if moss:\n  water()", "at 10:00:00:\n  water()"] {
            let indented = text.replace("\n  ", "\n    ");
            assert_ne!(edit(text).call, edit(&indented).call, "{text}");
            assert_ne!(edit(text).call, edit(&format!("{text}\n")).call, "{text}");
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

    #[test]
    fn the_first_path_counts_whatever_its_case() {
        let path = |arguments| read("write_file", arguments).path;
        assert_eq!(
            path(json!({"path": "A.txt"})),
            path(json!({"path": "a.TXT", "uri": "b"}))
        );
        assert_ne!(path(json!({"path": "a"})), path(json!({"path": "b"})));
        assert_eq!(path(json!({"text": "a"})), None);
        let long = "x".repeat(10_000);
        let other = format!("{long}y");
        assert_ne!(path(json!({"path": long})), path(json!({"path": other})));
    }
}
