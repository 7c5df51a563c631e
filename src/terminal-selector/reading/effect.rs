//! The effect of a command on the working directory.

use super::change::{follow, target_of};
use super::command::Reading;
use super::vocabulary::{self, Role};
use super::words::{Joint, Parts};
use crate::Shell;
use crate::directory::Directory;
use crate::location::Aftermath;

impl Reading<'_> {
    /// The place where the command leaves a shell that runs it in `directory`. One that was not shown is empty, and
    /// may do anything.
    pub(crate) fn aftermath(&self, directory: &Directory) -> Aftermath {
        let known = match self.effect() {
            Effect::Stays => Some(Aftermath::Stays),
            Effect::Changes(paths) => {
                follow(directory, &paths, &self.shells, self.rules).map(Aftermath::Leads)
            }
            Effect::Unknown => None,
        };
        known.unwrap_or_else(|| {
            let leading = self.leading(directory);
            let last = leading.map_or_else(|| directory.clone(), |leading| leading.target);
            Aftermath::Unknown(Some(last))
        })
    }

    /// The effect that it has in each of the shells.
    fn effect(&self) -> Effect<'_> {
        if self.command.trim_ascii().is_empty() {
            return Effect::Unknown;
        }
        let mut effects = self.each().map(|(shell, parts)| effect_of(shell, parts));
        let effect = effects.next().unwrap_or(Effect::Unknown);
        match effects.all(|other| other == effect) {
            true => effect,
            false => Effect::Unknown,
        }
    }
}

/// The effect of a command on the working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Effect<'a> {
    /// Nothing.
    Stays,
    /// It changes it to these paths, absolute or relative, one after the other, or fails.
    Changes(Vec<&'a str>),
    /// It may change it.
    Unknown,
}

/// The effect of a command in a shell.
fn effect_of<'a>(shell: Shell, command: &'a Parts) -> Effect<'a> {
    let Parts { parts, is_whole } = command;
    if !is_whole {
        return Effect::Unknown;
    }
    let mut paths = Vec::new();
    // Whether each command so far is run only if all before it succeed.
    let mut is_row = true;
    let mut is_piped = false;
    // Whether a loop or a condition has begun, which runs what is in it several times or never.
    let mut is_within = false;
    for part in parts {
        match vocabulary::role_of(shell, &part.words) {
            Role::Stays => {}
            Role::Unknown => return Effect::Unknown,
            Role::ChangesDirectory => {
                let is_alone = !is_piped && part.joint != Joint::Pipe && !part.is_redirected;
                match target_of(shell, &part.words) {
                    Some(path) if is_row && is_alone && !is_within => paths.push(path),
                    _ => return Effect::Unknown,
                }
            }
        }
        is_within |= vocabulary::begins_block(&part.words);
        is_piped = part.joint == Joint::Pipe;
        is_row &= matches!(part.joint, Joint::And | Joint::Pipe | Joint::End);
    }
    match parts.iter().any(|part| part.joint == Joint::Background) {
        _ if paths.is_empty() => Effect::Stays,
        // The shell stays where it is if the row of the change is the one that runs there.
        true => Effect::Unknown,
        false => Effect::Changes(paths),
    }
}
