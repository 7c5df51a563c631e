//! Reads a call: what it is compared by, and what its tool, its arguments and a shell's command line say.

use super::characters::{Class, is, is_ascii, lower_case};
use super::command_line::CommandLineReader;
use super::names::{KnownArgument, Names};
use super::reading::Reading;
use super::remembered::Remembered;
use super::step::CallFeatures;
use super::tokens::{Source, Tokens};
use super::vocabulary::{ArgumentRole, ToolKind, ToolTrait, VOCABULARY, WaitVerb};
use crate::call::{Call, Encoded};
use turnkeeper_base::text::hash::{UnitHash, fingerprint, mixed};

/// Times are searched for in this many units of a string; the rest is compared as it is.
const SEARCHED_UNITS: usize = 512;

/// Stands for a string or a number that holds a time; no value's encoding begins with it.
const REPLACED: u8 = b'~';

/// Reads calls.
#[derive(Debug, Default)]
pub(in super::super) struct CallReader {
    pub(in super::super) names: Names,
    /// The units of the string that is read.
    units: Vec<u16>,
    /// The encoding of the value that is read, without times.
    stable: Vec<u8>,
}

impl CallReader {
    /// Reads a call after those of which something is remembered.
    #[inline(never)] // A large function is slow to compile at the first event.
    pub(in super::super) fn read(
        &mut self,
        call: &Call,
        index: u64,
        remembered: &mut Remembered,
    ) -> CallFeatures {
        let mut reading = Reading::new(self.names.tool(call.encoded_name()), call);
        let arguments = call.arguments();
        match arguments.tag() {
            b'u' => {}
            b'{' => {
                for (name, value) in arguments.fields() {
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
        reading.end_arguments();
        if !reading.point.is_empty() {
            reading.loose = mixed(reading.loose, remembered.place(&reading.point));
        }
        let adds = match (reading.kind, reading.path) {
            (Some(ToolKind::Write), Some(path)) => {
                remembered.adds(path, reading.place, reading.content)
            }
            _ => false,
        };
        // A call that looks after a started process, and at nothing else, waits for it.
        let looks_after = remembered.has_started_process
            && reading.names_process
            && !reading.says_more_than_to_wait;
        remembered.has_started_process |= reading.starts_process;
        let features = reading.features(index);
        CallFeatures {
            adds,
            waits: features.waits || looks_after,
            ..features
        }
    }

    #[inline(never)] // A large function is slow to compile at the first event.
    fn read_argument<'a>(&mut self, name: Encoded, value: Encoded<'a>, reading: &mut Reading<'a>) {
        let tag = value.tag();
        let KnownArgument { name, role } = self.names.argument(name);
        if tag == b'n' {
            return;
        }
        self.take_role(role, value, reading);
        if role.contains(ArgumentRole::COSMETIC) {
            return;
        }
        if role.contains(ArgumentRole::REQUEST) {
            reading.add_request(mixed(name, fingerprint(value.0)));
            return;
        }
        reading.has_arguments = true;
        reading.add(name, name);
        if role.contains(ArgumentRole::POINT) && reading.points_to(value) {
            reading.exact = mixed(reading.exact, fingerprint(value.0));
            reading.says_what_to_do = true;
            return;
        }
        let shortened = without_last_slash(role, value);
        let value = shortened.as_deref().map_or(value, Encoded);
        let is_command_line = role.contains(ArgumentRole::COMMAND_LINE)
            && reading.command_line.is_none()
            && (is_string(tag) || tag == b'[');
        if role.contains(ArgumentRole::ID) {
            // A number that could be a time is none in an id.
            let exact = fingerprint(value.0);
            reading.add(exact, exact);
        } else {
            self.compare(value, is_command_line, reading);
        }

        let names_place = is_string(tag) || role.contains(ArgumentRole::LINES);
        let is_beside = names_place && !role.intersects(ArgumentRole::PATH | ArgumentRole::CONTENT);
        if is_beside && reading.kind == Some(ToolKind::Write) {
            reading.place = mixed(reading.place, mixed(name, fingerprint(value.0)));
        }
        if role.contains(ArgumentRole::PATH) {
            if reading.path.is_none() && is_string(tag) {
                reading.path = Some(hash_of_path(value));
            }
        } else if !role.contains(ArgumentRole::EDITOR_VERB)
            || reading.kind == Some(ToolKind::Command)
        {
            reading.says_what_to_do = true;
        } else if reading.kind.is_some_and(ToolKind::edits) && is_string(tag) {
            let verb = VOCABULARY.editor_verbs.meaning(self.searched(value));
            reading.kind = verb.or(reading.kind);
        }
    }

    /// Takes what follows from an argument's name, and from whether it is set.
    fn take_role<'a>(&mut self, role: ArgumentRole, value: Encoded<'a>, reading: &mut Reading<'a>) {
        let tag = value.tag();
        let is_set = match tag {
            b'f' => false,
            _ if is_string(tag) => !value.units().is_empty(),
            _ => true,
        };
        let is_delay = role.contains(ArgumentRole::DELAY);
        let is_handle = role.intersects(ArgumentRole::HANDLE | ArgumentRole::ID);
        reading.has_delay |= is_delay && is_set;
        reading.waits_a_time |= role.contains(ArgumentRole::WAITS) && is_time_to_wait(value);
        reading.starts_process |= role.contains(ArgumentRole::BACKGROUND) && tag == b't';
        reading.names_process |= is_set && is_handle;
        if role.contains(ArgumentRole::COSMETIC) {
            reading.has_cosmetic_arguments = true;
            return;
        }
        if role.contains(ArgumentRole::REQUEST) {
            return;
        }
        let is_content = role.contains(ArgumentRole::CONTENT);
        reading.writes |= is_content && tag != b'f' && tag != b't';
        reading.patches |= role.contains(ArgumentRole::PATCH) || begins_a_patch(value);
        reading.names_lines |= role.contains(ArgumentRole::LINES);
        reading.asks |= role.contains(ArgumentRole::ASKS);
        // Two texts are what is searched for and what takes its place.
        let replaces = is_content && is_string(tag) && reading.content.is_some();
        if is_content && is_string(tag) {
            reading.content = reading.content.or(Some(value));
        }
        let verb = match role.contains(ArgumentRole::VERB) && is_string(tag) {
            true => VOCABULARY.wait_verbs.meaning(self.searched(value)),
            false => None,
        };
        reading.acts |= role.contains(ArgumentRole::VERB)
            && is_string(tag)
            && self.searched_trait(value).contains(ToolTrait::ACTS);
        let verb_waits = verb == Some(WaitVerb::Waits);
        reading.has_wait_verb |= verb_waits;
        reading.moves |= role.contains(ArgumentRole::MOVES) || verb == Some(WaitVerb::MovesOn);
        reading.says_more_than_to_wait |= is_set && !verb_waits && !is_handle && !is_delay;
        let appends = role.contains(ArgumentRole::APPENDS) && tag == b't';
        let edits = role.contains(ArgumentRole::EDITS) && is_set;
        if (appends || edits || replaces) && reading.kind == Some(ToolKind::Write) {
            // The file is not written whole.
            reading.kind = Some(ToolKind::Edit);
        }
    }

    fn searched_trait(&mut self, value: Encoded) -> ToolTrait {
        let traits = VOCABULARY.traits.meaning(self.searched(value));
        traits.unwrap_or_default()
    }

    /// The units of a string as far as they are searched.
    fn searched(&mut self, value: Encoded) -> &[u16] {
        self.units.clear();
        value.units().up_to(SEARCHED_UNITS).push_to(&mut self.units);
        &self.units
    }

    /// Compares calls by a value, too: exactly, and with strings and numbers in it that hold times
    /// replaced by what does not change in them.
    fn compare(&mut self, value: Encoded, is_command_line: bool, reading: &mut Reading) {
        if is_command_line {
            reading.command_line = Some(CommandLineReader::default());
        }
        let reads_line = is_command_line && reading.kind == Some(ToolKind::Command);
        let exact = fingerprint(value.0);
        self.stable.clear();
        // The value after this place is not in `stable` yet.
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
            let mut pause = None;
            if reads_line && let Some(line) = &mut reading.command_line {
                // The words of a list are one line.
                line.push(u16::from(b' '));
                let begin = line.units_read();
                units.for_each(|unit| line.push(unit));
                let place = line.pause().filter(|place| place.start >= begin);
                pause = place.map(|place| place.start - begin..place.end - begin);
            }
            let pause = pause.filter(|place| place.end <= SEARCHED_UNITS);
            if pause.is_some() || units.up_to(SEARCHED_UNITS).may_hold_time() {
                self.units.clear();
                units.up_to(SEARCHED_UNITS).push_to(&mut self.units);
                if let Some(place) = pause {
                    self.units.drain(place);
                }
                let searched = Tokens::of(&self.units, Source::Argument);
                self.stable.extend_from_slice(&value.0[copied..start]);
                self.stable.push(REPLACED);
                let beyond = units.from(SEARCHED_UNITS);
                for hash in [searched.stable.0, fingerprint(beyond.bytes())] {
                    self.stable.extend_from_slice(&hash.to_le_bytes());
                }
                copied = start + one.0.len();
            }
        }
        let loose = if self.stable.is_empty() {
            exact
        } else {
            self.stable.extend_from_slice(&value.0[copied..]);
            fingerprint(&self.stable)
        };
        reading.add(exact, loose);
    }
}

/// Whether a text begins as the patches do that name their files themselves: `*** Begin Patch`.
fn begins_a_patch(value: Encoded) -> bool {
    value.units().has("*** ", 0)
}

/// True for a number above 0, be it a text that a unit follows: `600`, `"10m"`.
fn is_time_to_wait(value: Encoded) -> bool {
    let units = match value.tag() {
        b'd' => value.digits(),
        tag if is_string(tag) => value.units(),
        _ => return false,
    };
    let digits = (0..units.len()).map(|place| units.at(place));
    let mut digits = digits.take_while(|unit| is(*unit, Class::DIGIT) || is_ascii(*unit, b'.'));
    digits.any(|unit| is(unit, Class::DIGIT) && !is_ascii(unit, b'0'))
}

fn is_string(tag: u8) -> bool {
    matches!(tag, b's' | b'w')
}

/// The encoding of a folder's path without the slash at its end, which says nothing; `None` if there is none.
fn without_last_slash(role: ArgumentRole, value: Encoded) -> Option<Vec<u8>> {
    let units = value.units();
    let shorter = units.len().checked_sub(1).filter(|length| *length > 0)?;
    if !role.contains(ArgumentRole::PATH) || units.at(shorter) != u16::from(b'/') {
        return None;
    }
    Some(units.up_to(shorter).encoded())
}

/// Equal for one path, whatever the case of ASCII letters.
fn hash_of_path(path: Encoded) -> u64 {
    let mut hash = UnitHash::EMPTY;
    path.units().for_each(|unit| hash.push(lower_case(unit)));
    hash.0
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::example::{facts, read};

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
    fn times_are_not_compared_wherever_they_are() {
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
    fn an_id_says_which_thing_is_meant() {
        let ids = [
            "0d9f2c1a-5c6f-4bea-b93d-3f1e8a7b2c4d",
            "7b21c0de-5c6f-4bea-b93d-90aa41c2e5f8",
        ];
        let differ = |name: &str, arguments: fn(&str) -> Value| {
            read(name, arguments(ids[0])).call != read(name, arguments(ids[1])).call
        };
        assert!(differ(
            "cron",
            |id| json!({"action": "remove", "jobId": id})
        ));
        assert!(differ(
            "bash",
            |id| json!({"command": format!("kubectl delete pod {id}")})
        ));
        assert!(differ("paint", |id| json!({"where": [{"gate": id}]})));
        let message = |id| read("get_message", json!({"message_id": id})).call;
        assert_ne!(message(1_712_345_678), message(1_712_345_679));
        // One that only numbers the request does not.
        assert!(!differ(
            "read_file",
            |id| json!({"path": "a", "request_id": id})
        ));
        assert!(!differ("search", |id| json!({"query": "a", "traceId": id})));
        assert!(differ("get_request", |id| json!({"request_id": id})));
        assert!(differ(
            "decide",
            |id| json!({"request_id": id, "answer": "yes"})
        ));
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
