//! Commands that begin with a `cd`: the terminals that those of one task open, and what is read of a long one.

use super::{
    DirectoryCertainty, TerminalChange, TerminalChoice, TerminalRegistration, TerminalRequest,
    TerminalSelector, TerminalSelectorOptions, TerminalShell,
};
use turnkeeper_base::path::PathPlatform;

/// Projects, and the folders in which a task's commands run beside the project's own.
const LAYOUTS: [(&str, &[&str]); 5] = [
    ("beside each other", &["docs", "server", "tools", "web"]),
    (
        "one in another",
        &["web", "web/src", "web/src/pages", "web/src/pages/admin"],
    ),
    ("two and one in them", &["server", "web", "web/src"]),
    (
        "packages",
        &[
            "packages/a", "packages/b", "packages/c", "packages/d", "packages/e",
        ],
    ),
    (
        "applications and libraries",
        &[
            "apps/api", "apps/web", "apps/web/src", "docs", "libs/ui", "libs/ui/src",
        ],
    ),
];

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

/// The directory where the last command of a line runs, as a shell that stands in `from` would have it.
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

/// The number of terminals that the commands open, and how many changes of directory are written or made.
fn opened_by(folders: &[&str], seed: u64) -> (usize, u32) {
    let mut numbers = Numbers(seed);
    let mut selector =
        TerminalSelector::new(TerminalSelectorOptions::new(PathPlatform::Posix)).expect("valid");
    // The directory of each terminal's shell.
    let mut terminals: Vec<String> = Vec::new();
    let mut changes = 0;
    for _ in 0..300 {
        let folder = folders[numbers.below(folders.len() as u64) as usize];
        let in_folder = format!("/project/{folder}");
        let (command, expected) = match numbers.below(10) {
            0 => (format!("cd {folder}; npm test"), in_folder),
            1 => (format!("cd {in_folder} && npm test"), in_folder),
            2 | 3 => (format!("cd {folder} && npm test"), in_folder),
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
        let before = shell.clone();
        *shell = runs_in(shell, choice.command());
        changes += u32::from(*shell != before);
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
    (terminals.len(), changes)
}

#[test]
fn three_hundred_commands_of_a_task_open_at_most_four_terminals() {
    for (layout, folders) in LAYOUTS {
        let opened: Vec<(usize, u32)> = (1..=50).map(|seed| opened_by(folders, seed)).collect();
        let most = opened.iter().map(|(terminals, _)| *terminals).max();
        let changes: u32 = opened.iter().map(|(_, changes)| changes).sum();
        println!(
            "{layout}: at most {most:?} terminals, {} changes on average",
            changes / 50
        );
        assert!(most <= Some(4), "{layout}: {opened:?}");
    }
}

#[test]
fn of_a_long_command_the_beginning_is_read_and_the_rest_may_change_the_directory() {
    for (words, certainty) in [
        (1_000, DirectoryCertainty::Expected),
        (100_000, DirectoryCertainty::Uncertain),
    ] {
        let options = TerminalSelectorOptions::new(PathPlatform::Posix);
        let mut selector = TerminalSelector::new(options).expect("valid");
        let terminal = TerminalRegistration {
            shell: TerminalShell::named("bash"),
            working_directory: Some("/project".to_owned()),
            ..TerminalRegistration::new(1, "vscode")
        };
        selector.register(&terminal).expect("it is new");
        let command = format!("cd web && echo{}", " a".repeat(words));
        let request = TerminalRequest::new(command, "/project", "vscode");
        selector.select(&request).expect("a right request");
        let idle = TerminalChange {
            busy: Some(false),
            ..TerminalChange::default()
        };
        selector.update(1, &idle).expect("it is known");
        let state = selector.terminals().remove(0);
        let directory = state.working_directory.as_deref();
        assert_eq!(directory, Some("/project/web"), "{words}");
        assert_eq!(state.directory, Some(certainty), "{words}");
    }
}
