//! What a call is: what its tool does, by the words of its name, and what it is compared by.

use super::step::{self, Step, bit};
use super::tokens::{Tokens, unit_at};
use super::words::*;
use crate::call::{Call, Encoded};
use crate::hash::{fingerprint, mixed};

/// So much of a string is searched for times and ids, in UTF-16 code units; the rest is compared as it
/// is.
const SEARCHED_UNITS: usize = 512;
/// So much of a command line is looked at.
const COMMAND_UNITS: usize = 2_048;

/// Reads a call.
struct Reader<'a> {
    words: &'a mut Words,
    /// The last string.
    units: Vec<u16>,
    /// The command line, if there is one.
    command: Vec<u16>,
    has_command: bool,
    /// Whether the strings to come are the command line.
    is_command: bool,
    /// What the call is compared by, but for cosmetic arguments, and but for times and ids.
    exact: u64,
    loose: u64,
    /// Whether there are arguments, whether any is not cosmetic, and whether one says what to do and
    /// not only where.
    has_arguments: bool,
    says: bool,
    says_what: bool,
}

pub(super) fn read(call: &Call, step: &mut Step, words: &mut Words) {
    let tool = call.tool_fingerprint();
    let mut reader = Reader {
        words,
        units: Vec::new(),
        command: Vec::new(),
        has_command: false,
        is_command: false,
        exact: tool,
        loose: tool,
        has_arguments: false,
        says: false,
        says_what: false,
    };
    reader.read(call, step);
}

impl Reader<'_> {
    fn read(&mut self, call: &Call, step: &mut Step) {
        let mut kind = self.kind(call);
        let arguments = call.arguments();
        let tag = arguments.tag();
        if tag == b'{' {
            let mut rest = arguments.inner();
            loop {
                let (key, behind) = rest.split();
                let (value, behind) = behind.split();
                if value.0.is_empty() {
                    break;
                }
                rest = behind;
                self.field(key, value, &mut kind, step);
            }
        } else if tag != b'u' {
            self.says = true;
            self.says_what = true;
            self.is_command = is_string(tag);
            self.has_command = self.is_command;
            self.push(arguments);
        }
        // Cosmetic arguments alone, an edit that does not say what it writes, and a known tool without
        // anything are no arguments to compare.
        let is_blind = tag == b'u'
            || self.has_arguments && !self.says
            || kind & (EDIT | WRITE) != 0 && !self.says_what
            || kind & (SEARCH | COMMAND) != 0 && !self.says;
        if !is_blind {
            step[step::EXACT] = self.exact;
            step[step::CALL] = self.loose;
        }
        step[step::TRAITS] = match kind {
            NOTE => step::IS_NOTE,
            WAIT => step::WAITS,
            EDIT => step::EDITS,
            WRITE => step::EDITS | step::REWRITES,
            SEARCH => step::LOOKS,
            COMMAND if self.has_command => self.command_traits(),
            _ => 0,
        };
    }

    /// What the tool does, 0 if that is not known.
    fn kind(&mut self, call: &Call) -> u16 {
        let tool = call.tool_fingerprint();
        if let Some(kind) = self.words.remembered(tool) {
            return kind;
        }
        call.name().push_to(SEARCHED_UNITS, &mut self.units);
        let name = &self.units[..];
        let mut meaning = 0;
        // The name of a server or a namespace stands before it.
        let mut begin = 0;
        let mut start = 0;
        let mut was_small = false;
        for at in 0..=name.len() {
            let unit = unit_at(name, at);
            let is_capital = matches!(unit, 0x41..=0x5a);
            let is_small = matches!(unit, 0x61..=0x7a);
            if is_small || is_capital && !was_small {
                was_small = is_small;
                continue;
            }
            was_small = false;
            meaning |= self
                .words
                .meaning(name.get(start..at).unwrap_or_default(), TOOLS);
            start = at + usize::from(!is_capital);
            let is_end = matches!(unit, 0x2e | 0x2f | 0x3a)
                || unit == 0x5f && at > 0 && unit_at(name, at - 1) == 0x5f;
            if is_end && start < name.len() {
                begin = start;
                meaning = 0;
            }
        }
        meaning |= self
            .words
            .meaning(name.get(begin..).unwrap_or_default(), TOOLS)
            & !KINDS;
        let own = meaning >> OWN;
        let kinds = if own > 0 { own } else { meaning };
        // The first of them.
        self.words.remember(tool, kinds & kinds.wrapping_neg())
    }

    /// What the name of an argument means.
    fn meaning(&mut self, key: Encoded, memo: u64) -> u16 {
        if let Some(meaning) = self.words.remembered(memo) {
            return meaning;
        }
        self.units.clear();
        key.units().push_to(SEARCHED_UNITS, &mut self.units);
        let meaning = self.words.meaning(&self.units, KEYS);
        self.words.remember(memo, meaning)
    }

    fn field(&mut self, key: Encoded, value: Encoded, kind: &mut u16, step: &mut Step) {
        let tag = value.tag();
        let name = fingerprint(key.0);
        let meaning = self.meaning(key, name.rotate_left(1));
        if tag == b'n' || meaning & COSMETIC != 0 {
            self.has_arguments |= tag != b'n';
            return;
        }
        self.says = true;
        self.is_command =
            meaning & COMMAND_LINE != 0 && !self.has_command && (is_string(tag) || tag == b'[');
        self.has_command |= self.is_command;
        self.exact = mixed(self.exact, name);
        self.loose = mixed(self.loose, name);
        self.push(value);
        self.units.clear();
        if meaning & (PATH | VERB) != 0 {
            value.units().push_to(SEARCHED_UNITS, &mut self.units);
        }
        if meaning & PATH != 0 {
            if step[step::PATH] == 0 && is_string(tag) {
                step[step::PATH] = hash(&self.units, PATHS);
            }
        } else if meaning & VERB == 0 || *kind == COMMAND {
            self.says_what = true;
        } else if *kind == EDIT && is_string(tag) {
            let verb = self.words.meaning(&self.units, KEYS) & KINDS;
            if verb != 0 {
                *kind = verb;
            }
        }
    }

    /// Compares by a value.
    fn push(&mut self, value: Encoded) {
        let exact = fingerprint(value.0);
        self.exact = mixed(self.exact, exact);
        let mut rest = value;
        while !rest.0.is_empty() {
            let tag = rest.tag();
            if matches!(tag, b'[' | b']' | b'{' | b'}') {
                self.loose = mixed(self.loose, u64::from(tag));
                rest = rest.inner();
                continue;
            }
            let (one, behind) = rest.split();
            if one.0.is_empty() {
                break;
            }
            let mut loose = u64::from(tag);
            if is_string(tag) || tag == b'd' {
                let units = if tag == b'd' {
                    one.digits()
                } else {
                    one.units()
                };
                loose = if units.may_hold_time(SEARCHED_UNITS) {
                    self.units.clear();
                    let beyond = units.push_to(SEARCHED_UNITS, &mut self.units);
                    let tokens = Tokens::of(&self.units, self.words, None);
                    mixed(tokens.near.0, fingerprint(beyond))
                } else if one.0.len() == value.0.len() {
                    exact
                } else {
                    fingerprint(one.0)
                };
                if self.is_command {
                    self.command.push(0x20);
                    units.push_to(COMMAND_UNITS, &mut self.command);
                    self.command.truncate(COMMAND_UNITS);
                }
            }
            self.loose = mixed(self.loose, loose);
            rest = behind;
        }
        self.is_command = false;
    }

    /// What the command line does: the first word of what is run says it, behind words such as `sudo`,
    /// assignments and `cd … &&`. Nothing to run is a way to wait, and so is a word `sleep` anywhere.
    fn command_traits(&self) -> u64 {
        let line = &self.command[..];
        let mut first = None;
        let (mut sleeps, mut writes, mut goes) = (false, false, false);
        let mut at = 0;
        while at < line.len() {
            let mut start = at;
            let mut assigns = false;
            while at < line.len() && class_of(unit_at(line, at)) & (SPACE | MARK) == 0 {
                let unit = unit_at(line, at);
                assigns |= unit == 0x3d;
                at += 1;
                if matches!(unit, 0x2f | 0x5c) {
                    start = at;
                }
            }
            let word = line.get(start..at).unwrap_or_default();
            let meaning = self.words.meaning(word, COMMANDS);
            sleeps |= meaning & SLEEP != 0;
            let is_other = !word.is_empty() && !assigns && class_of(unit_at(word, 0)) != DIGIT;
            if is_other && !goes && meaning & RUNS == 0 && first.is_none() {
                goes = meaning & GOES != 0;
                if !goes {
                    first = Some(meaning);
                }
            }
            let mark = unit_at(line, at);
            goes &= !matches!(mark, 0x26 | 0x3b | 0x0a);
            // ">" and ">>" write, unless it is "->", "=>", "2>", "&>" or ">&"
            let before = unit_at(line, at.saturating_sub(1));
            writes |= mark == 0x3e
                && !matches!(before, 0x26 | 0x2d | 0x32 | 0x3d)
                && unit_at(line, at + 1) != 0x26;
            at += 1;
        }
        let meaning = first.unwrap_or(if goes { STATE } else { SLEEP });
        bit(meaning & LOOKS_UP != 0 && !writes, step::LOOKS)
            | bit(sleeps || meaning & SLEEP != 0, step::WAITS)
            | bit(meaning & STATE != 0, step::SETS)
    }
}

fn is_string(tag: u8) -> bool {
    matches!(tag, b's' | b'w')
}

#[cfg(test)]
mod tests {
    use super::step::{EDITS, IS_NOTE, LOOKS, REWRITES, SETS, TRAITS, WAITS};
    use super::*;
    use crate::call::encode;

    fn traits(name: &str, arguments: serde_json::Value) -> u64 {
        let mut encoded = Vec::new();
        encode(name, Some(&arguments), &mut encoded).expect("not deep");
        let mut step = Step::default();
        let call = Call::decode(&encoded).expect("a call");
        read(&call, &mut step, &mut Words::known());
        step[TRAITS]
    }

    #[test]
    fn what_a_tool_does() {
        for (name, expected) in [
            ("read_file", LOOKS),
            ("mcp__fs__ReadFile", LOOKS),
            ("search_file_content", LOOKS),
            ("replace", EDITS),
            ("str_replace_editor", EDITS),
            ("write_to_file", EDITS | REWRITES),
            ("TodoWrite", IS_NOTE),
            ("update_plan", IS_NOTE),
            ("BashOutput", WAITS),
            ("browser_action", WAITS),
            ("paint", 0),
        ] {
            assert_eq!(
                traits(name, serde_json::json!({"x": 1})),
                expected,
                "{name}"
            );
        }
        for (verb, expected) in [
            ("view", LOOKS),
            ("create", EDITS | REWRITES),
            ("undo_edit", WAITS),
            ("insert", EDITS),
        ] {
            let arguments = serde_json::json!({"command": verb, "path": "a"});
            assert_eq!(traits("str_replace_editor", arguments), expected, "{verb}");
        }
    }

    #[test]
    fn what_a_command_line_does() {
        for (line, expected) in [
            ("grep -rn moth .", LOOKS),
            ("cd /a && LANG=C sudo /usr/bin/find . 2>/dev/null", LOOKS),
            ("bash -lc 'ls -la'", LOOKS),
            ("timeout 30s rg moth", LOOKS),
            ("cat > a.txt <<'E'\nls\nE", 0),
            ("npm test 2>&1 | tail -5", 0),
            ("cd /a", SETS),
            ("export A=1", SETS),
            ("sleep 30; curl x", WAITS),
            ("", WAITS),
        ] {
            let arguments = serde_json::json!({ "command": line });
            assert_eq!(traits("bash", arguments), expected, "{line}");
        }
        let arguments = serde_json::json!({"command": ["bash", "-lc", "rg moth"]});
        assert_eq!(traits("shell", arguments), LOOKS);
    }
}
