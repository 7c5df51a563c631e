//! The versions of agents, and what each of them takes: an event that an agent does not know may cost its user the
//! whole settings file.

use std::fmt;
use std::path::PathBuf;

use super::Wanted;
use crate::watch::Mode;

/// The version of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Before every version.
    pub const FIRST: Self = Self(0, 0, 0);
    /// After every version.
    pub const NEWEST: Self = Self(u32::MAX, 0, 0);

    /// The first version in a text: three numbers with dots between them.
    pub fn of(text: &str) -> Option<Self> {
        let is_part = |it: char| it.is_ascii_digit() || it == '.';
        let words = text.split(|it| !is_part(it));
        words.into_iter().find_map(|word| {
            let mut numbers = word.split('.').map(|it| it.parse().ok());
            let mut next = || numbers.next().flatten();
            Some(Self(next()?, next()?, next()?))
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The ways to find out which versions of an agent are here, and those that matter.
#[derive(Debug)]
pub struct Versions {
    /// Commands that say their version with `--version`.
    pub commands: &'static [&'static str],
    /// The names of npm packages that the commands are in.
    pub packages: &'static [&'static str],
    /// Folders that end with a version: of `folder/name-*` those that begin with the name.
    pub folders: Vec<PathBuf>,
    /// The first that takes what is written. Settings of an older one are left alone.
    pub since: Version,
    /// The one that stands for a version that is not known: the oldest of the last year.
    pub unknown: Version,
}

impl Default for Versions {
    fn default() -> Self {
        Self {
            commands: &[],
            packages: &[],
            folders: Vec::new(),
            since: Version::FIRST,
            unknown: Version::NEWEST,
        }
    }
}

/// An event that settings of an agent name.
#[derive(Clone, Copy, Debug)]
pub struct HookEvent {
    name: &'static str,
    since: Version,
    before: Option<Version>,
    when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// In every mode that says something.
    Speaking,
    /// In mode `stop`.
    Stopping,
    /// With an economy.
    Saving,
}

/// An event of every version and every mode.
pub(crate) const fn event(name: &'static str) -> HookEvent {
    HookEvent {
        name,
        since: Version::FIRST,
        before: None,
        when: When::Always,
    }
}

impl HookEvent {
    /// The first version that knows it.
    pub(crate) const fn since(self, since: Version) -> Self {
        Self { since, ..self }
    }

    /// The first version that has something better.
    pub(crate) const fn before(self, before: Version) -> Self {
        let before = Some(before);
        Self { before, ..self }
    }

    pub(crate) const fn unless_watching(self) -> Self {
        let when = When::Speaking;
        Self { when, ..self }
    }

    pub(crate) const fn in_stop(self) -> Self {
        let when = When::Stopping;
        Self { when, ..self }
    }

    pub(crate) const fn in_economy(self) -> Self {
        let when = When::Saving;
        Self { when, ..self }
    }

    fn is_wanted(&self, wanted: &Wanted) -> bool {
        let is_of_version = self.since <= wanted.agent_version
            && self.before.is_none_or(|it| wanted.agent_version < it);
        is_of_version
            && match self.when {
                When::Always => true,
                When::Speaking => wanted.mode != Mode::Watch,
                When::Stopping => wanted.mode == Mode::Stop,
                When::Saving => wanted.economy,
            }
    }
}

/// The names of the events that the agent's version takes, and that are wanted.
pub(crate) fn names(events: &[HookEvent], wanted: &Wanted) -> Vec<&'static str> {
    let events = events.iter().filter(|it| it.is_wanted(wanted));
    events.map(|it| it.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_in_what_a_program_says() {
        for (said, version) in [
            ("2.1.89 (Claude Code)\n", Some(Version(2, 1, 89))),
            ("codex-cli 0.169.0", Some(Version(0, 169, 0))),
            ("GitHub Copilot CLI 1.0.102.", Some(Version(1, 0, 102))),
            ("crush version v0.96.1-next", Some(Version(0, 96, 1))),
            (
                "anthropic.claude-code-2.1.89-linux-x64",
                Some(Version(2, 1, 89)),
            ),
            ("1.2", None),
            ("99999999999.1.1 and 1.2.3", Some(Version(1, 2, 3))),
            ("no such option", None),
            ("", None),
        ] {
            assert_eq!(Version::of(said), version, "{said}");
        }
        assert!(Version(2, 1, 97) < Version(2, 1, 104) && Version(2, 0, 200) < Version(2, 1, 0));
    }
}
