//! Saving a selector and going on later.

use super::TerminalSelector;
use super::created::{Created, MAX_CREATED};
use super::directory::Directory;
use super::location::Aftermath;
use super::path::PathRules;
use super::refusal::MACHINE;
use super::terminal::{COMMANDS_TO_SETTLE, Terminal};
use turnkeeper_base::error::Error;
use turnkeeper_base::options::MAX_SAFE_INTEGER;
use turnkeeper_base::path::is_too_long;
use turnkeeper_base::snapshot::{self, Corrupt, Format, SavedState};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b't',
    version: 1,
};

impl TerminalSelector {
    /// The selector as bytes, the same on every platform: the options and what is known of each
    /// terminal, with its directory and its task as they were written. The log is not in it.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        snapshot::seal(FORMAT, self)
    }

    /// A selector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        snapshot::open(FORMAT, snapshot)
    }
}

impl SavedState for TerminalSelector {
    fn validate(&self) -> Result<(), Corrupt> {
        let rules = self.options.path_rules();
        let known = &self.known;
        let is_created = |created: &Created| {
            let texts = [Some(&created.provider), created.task_id.as_ref()];
            are_short(texts.into_iter().flatten())
                && is_directory(&created.directory, rules)
                && is_aftermath(&created.command.aftermath, rules)
        };
        Corrupt::unless(
            known.now <= MAX_SAFE_INTEGER
                && known.created.len() <= MAX_CREATED
                && known.created.iter().all(is_created)
                && known.sent.is_short(),
        )?;
        let mut terminals = known.terminals.iter();
        Corrupt::unless(terminals.all(|(id, terminal)| {
            // Later news has a later time.
            let is_known = *id <= MAX_SAFE_INTEGER && terminal.used_at <= known.now;
            is_known && terminal.is_valid(rules)
        }))
    }
}

impl Terminal {
    fn is_valid(&self, rules: PathRules) -> bool {
        let reservation = self.reservation.as_ref();
        let before = reservation.map(|reservation| &reservation.binding_before);
        let bindings = [Some(&self.binding), before].into_iter().flatten();
        let tasks = bindings.flat_map(|it| [it.task_id.as_ref(), it.last_task_id.as_ref()]);
        let names = tasks.flatten().chain([&self.provider]);
        let mut locations = self.location.iter();
        let command_before = reservation.and_then(|it| it.command_before.as_ref());
        let mut commands = self.command.iter().chain(command_before);
        let there_before = reservation.map_or(0, |reservation| reservation.commands_there_before);
        are_short(names.chain(self.environment.keys()))
            && locations.all(|it| is_directory(&it.directory, rules))
            && commands.all(|it| is_aftermath(&it.aftermath, rules))
            && self.commands_there.max(there_before) < COMMANDS_TO_SETTLE
    }
}

fn are_short<'a>(mut texts: impl Iterator<Item = &'a String>) -> bool {
    texts.all(|text| !is_too_long(text))
}

/// Whether a directory is what its path says.
fn is_directory(directory: &Directory, rules: PathRules) -> bool {
    Directory::read(directory.written(), rules, "").as_ref() == Ok(directory)
}

fn is_aftermath(aftermath: &Aftermath, rules: PathRules) -> bool {
    match aftermath {
        Aftermath::Leads(directory) | Aftermath::Unknown(Some(directory)) => {
            is_directory(directory, rules)
        }
        Aftermath::Stays | Aftermath::Unknown(None) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TerminalRegistration, TerminalRequest, TerminalSelectorOptions};
    use turnkeeper_base::error::ErrorCode;
    use turnkeeper_base::path::{LONGEST, PathPlatform};

    /// A selector with one terminal, which was chosen and has to be led elsewhere.
    fn selector() -> TerminalSelector {
        let options = TerminalSelectorOptions::new(PathPlatform::Posix);
        let mut selector = TerminalSelector::new(options).expect("valid");
        let terminal = TerminalRegistration {
            working_directory: Some("/project/src".to_owned()),
            ..TerminalRegistration::new(1, "vscode")
        };
        selector.register(&terminal).expect("it is new");
        let request = TerminalRequest::new("make", "/project", "vscode");
        selector.select(&request).expect("a right request");
        selector
    }

    #[test]
    fn a_state_in_which_no_selector_can_be_is_corrupt() {
        assert!(TerminalSelector::restore(&selector().snapshot()).is_ok());
        let changes: [fn(&mut Terminal); 4] = [
            |terminal| terminal.commands_there = COMMANDS_TO_SETTLE,
            |terminal| terminal.provider = "x".repeat(LONGEST + 1),
            |terminal| _ = terminal.environment.insert("x".repeat(LONGEST + 1), ()),
            |terminal| {
                // Read by the rules of another platform.
                let rules = PathRules::new(PathPlatform::Win32);
                let target = Directory::read(r"C:\project", rules, "").expect("a path");
                let command = terminal.command.as_mut().expect("it was chosen");
                command.aftermath = Aftermath::Leads(target);
            },
        ];
        let mut states = Vec::new();
        for change in changes {
            let mut altered = selector();
            let terminals = altered.known.terminals.entries_mut();
            terminals.for_each(|(_, terminal)| change(terminal));
            states.push(altered);
        }
        let mut with_large_id = selector();
        let terminal = with_large_id.known.terminals.get(&1).cloned();
        let terminal = terminal.expect("it is registered");
        with_large_id.known.terminals.insert(u64::MAX, terminal);
        states.push(with_large_id);
        let mut before_its_time = selector();
        before_its_time.known.now = 0;
        let terminals = before_its_time.known.terminals.entries_mut();
        terminals.for_each(|(_, terminal)| terminal.used_at = 1);
        states.push(before_its_time);
        for state in states {
            let error = TerminalSelector::restore(&state.snapshot()).expect_err("corrupt");
            assert_eq!(error.code(), ErrorCode::SnapshotCorrupt);
        }
    }
}
