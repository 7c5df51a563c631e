//! `turnkeeper uninstall`

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::agents_argument;
use super::place::{self, Here, files_of, has_ours};
use crate::options::{flag, many};
use crate::state::installed::Installation;
use crate::terminal::output::Output;

pub(super) fn command() -> Command {
    let yes = Arg::new("yes")
        .long("yes")
        .short('y')
        .action(ArgAction::SetTrue);
    Command::new("uninstall")
        .about("take out what install has written")
        .long_about("Take out what install has written, here and in projects, and nothing else.")
        .arg(agents_argument("the agents (default: all)"))
        .arg(flag("project", "only in this folder's project"))
        .arg(yes.help("accepted, as install does; it never asks"))
}

pub(super) fn run(given: &ArgMatches, output: &mut Output) {
    let Some(here) = place::here(output) else {
        return;
    };
    let is_project = given.get_flag("project");
    let mut installation = Installation::read(&here.state);
    let mut is_changed = false;
    for place in here.places(&many(given, "agents")) {
        let (name, title) = (place.agent.name, place.agent.title);
        let known = installation.of(name);
        let known = known.filter(|it| !is_project || it.project.as_ref() == Some(&here.folder));
        let mut files: Vec<PathBuf> = known.map(|it| it.file.clone()).collect();
        files.extend(files_of(place.scope(is_project)));
        for file in &files {
            if output.attempt(installation.remove(file, name)) == Some(true) {
                is_changed = true;
                output.line(format!("{title}: taken out of {}", file.display()));
            }
        }
        // Entries that others have put into a project are theirs, unless this is asked for.
        let others = files_of(&place.setup.project)
            .into_iter()
            .filter(|it| !files.contains(it));
        for file in others.filter(|file| has_ours(file)) {
            is_changed = true;
            let command = place::command();
            output.line(format!(
                "{title}: left in {}; \"{command} uninstall --project\" takes it out",
                file.display()
            ));
        }
    }
    if !output.is_well() {
        return;
    }
    if !is_changed {
        output.line("There was nothing to take out.");
    }
    if !is_needed(&installation, &here) {
        output.attempt(here.copy.remove());
        output.attempt(here.package.remove());
    }
}

/// Whether something that is still there runs the program.
fn is_needed(installation: &Installation, here: &Here) -> bool {
    !installation.files().is_empty() || {
        let places = here.places(&[]);
        places.iter().any(|place| {
            files_of(&place.setup.user)
                .iter()
                .any(|file| has_ours(file))
        })
    }
}
