//! The command line of a hook.

use std::ffi::OsString;

use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::Mode;

pub(super) struct Arguments {
    pub(super) agent: &'static Watched,
    /// The event's name, where the payload does not have it.
    pub(super) event: Option<String>,
    pub(super) mode: Mode,
    pub(super) economy: bool,
}

impl Arguments {
    /// Reads `<agent> [event] [--mode MODE] [--economy]`, and passes over options of another version. `None` if the
    /// agent or the mode is not known: an agent may take an exit code for a refusal, so a mistake has to be silent.
    pub(super) fn read(args: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut args = args.map(|it| it.to_string_lossy().into_owned());
        let mut words = Vec::new();
        let mut mode = Mode::default();
        let mut economy = false;
        while let Some(arg) = args.next() {
            if arg == "--mode" {
                mode = Mode::named(&args.next()?)?;
            } else if let Some(name) = arg.strip_prefix("--mode=") {
                mode = Mode::named(name)?;
            } else if arg == "--economy" {
                economy = true;
            } else if !arg.starts_with('-') {
                words.push(arg);
            }
        }
        let mut words = words.into_iter();
        Some(Self {
            agent: Watched::named(&words.next()?)?,
            event: words.next(),
            mode,
            economy,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_agent_event_and_mode_and_what_is_not_known_is_passed_over() {
        let read = |line: &str| Arguments::read(line.split(' ').map(Into::into));
        let all = read("cline --quiet PostToolUse x --mode=stop --economy").expect("known");
        assert_eq!(
            (all.agent.name, all.mode, all.economy),
            ("cline", Mode::Stop, true)
        );
        assert_eq!(all.event.as_deref(), Some("PostToolUse"));
        assert_eq!(
            read("codex --mode watch").map(|it| it.mode),
            Some(Mode::Watch)
        );
        for line in ["", "claude", "codex --mode", "codex --mode loud", "--x"] {
            assert!(read(line).is_none(), "{line}");
        }
    }
}
