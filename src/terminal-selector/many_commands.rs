//! How many terminals the commands of one task open, where models begin many of them with a `cd`.

use super::{
    TerminalChange, TerminalChoice, TerminalRegistration, TerminalRequest, TerminalSelector,
    TerminalSelectorOptions, TerminalShell,
};
use turnkeeper_base::path::PathPlatform;

const FOLDERS: [&str; 3] = ["server", "web", "web/src"];

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// Where the last command of a line runs, as a shell that stands in `from` would have it.
fn runs_in(from: &str, line: &str) -> String {
    let mut at = from.to_owned();
    let mut rest = line;
    while let Some(change) = rest.strip_prefix("cd ") {
        let change = change.strip_prefix("-- ").unwrap_or(change);
        let end = change.find([' ', ';']).expect("something follows");
        let path = change[..end].trim_matches('\'');
        at = match path.starts_with('/') {
            true => path.to_owned(),
            false => format!("{at}/{path}"),
        };
        rest = change[end..].trim_start_matches([' ', '&', ';']);
        if let Some(evaluated) = rest.strip_prefix("eval '") {
            rest = evaluated.trim_end_matches('\'');
        }
    }
    assert_eq!(rest, "npm test", "{line}");
    at
}

#[test]
fn three_hundred_commands_of_a_task_open_at_most_four_terminals() {
    for seed in 1..=50 {
        let mut numbers = Numbers(seed);
        let mut selector = TerminalSelector::new(TerminalSelectorOptions::new(PathPlatform::Posix));
        // Where each terminal's shell stands.
        let mut terminals: Vec<String> = Vec::new();
        for _ in 0..300 {
            let folder = FOLDERS[numbers.below(3) as usize];
            let (command, expected) = match numbers.below(10) {
                0 => (
                    format!("cd {folder}; npm test"),
                    format!("/project/{folder}"),
                ),
                1 => (
                    format!("cd /project/{folder} && npm test"),
                    format!("/project/{folder}"),
                ),
                2 | 3 => (
                    format!("cd {folder} && npm test"),
                    format!("/project/{folder}"),
                ),
                _ => ("npm test".to_owned(), "/project".to_owned()),
            };
            let choice = selector.select(&TerminalRequest {
                task_id: Some("A".to_owned()),
                ..TerminalRequest::new(command, "/project", "vscode")
            });
            let choice = choice.expect("a right request");
            let id = match choice {
                TerminalChoice::Create { .. } => {
                    let id = terminals.len() as u64;
                    terminals.push("/project".to_owned());
                    let terminal = TerminalRegistration {
                        shell: TerminalShell::named("bash"),
                        working_directory: Some("/project".to_owned()),
                        task_id: Some("A".to_owned()),
                        ..TerminalRegistration::new(id, "vscode")
                    };
                    selector.register(&terminal).expect("it is new");
                    id
                }
                _ => choice.terminal_id().expect("one that is there"),
            };
            let shell = &mut terminals[id as usize];
            *shell = runs_in(shell, choice.command());
            assert_eq!(*shell, expected, "seed {seed}: {choice:?}");
            for busy in [true, false] {
                let change = TerminalChange {
                    busy: Some(busy),
                    working_directory: Some(Some(shell.clone())),
                    ..TerminalChange::default()
                };
                selector.update(id, &change).expect("it is known");
            }
        }
        assert!(terminals.len() <= 4, "seed {seed}: {}", terminals.len());
    }
}
