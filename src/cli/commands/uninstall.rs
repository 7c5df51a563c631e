//! `turnkeeper uninstall`

use std::path::PathBuf;

use clap::{ArgMatches, Command};
use turnkeeper_analysis::wording::plural;

use super::agents_argument;
use super::place::{self, AgentHere, Here, files_of, has_ours, within};
use crate::options::{flag, many};
use crate::program::called;
use crate::state::activity::Activity;
use crate::state::installed::Installation;
use crate::state::session_store::{Record, kept_records, remove_folder};
use crate::terminal::output::Output;

pub(super) fn command() -> Command {
    let yes = flag("yes", "accepted, as install does; it never asks");
    Command::new("uninstall")
        .about("take out what install has written")
        .long_about("Take out what install has written, here and in projects, and nothing else.")
        .arg(agents_argument("the agents (default: all)"))
        .arg(flag("project", "only in this folder's project"))
        .arg(yes.short('y'))
}

pub(super) fn run(given: &ArgMatches, output: &mut Output) {
    let Some(here) = place::here(output) else {
        return;
    };
    let is_project = given.get_flag("project");
    let mut installation = Installation::read(&here.state);
    let mut is_changed = false;
    let places = here.places(&many(given, "agents"));
    for place in &places {
        let (name, title) = (place.agent.name, place.agent.title());
        let known = installation.of(name);
        let known = known.filter(|it| !is_project || it.project.as_ref() == Some(&here.folder));
        let mut files: Vec<PathBuf> = known.map(|it| it.file.clone()).collect();
        let of_scope = files_of(place.scope(is_project)).into_iter();
        let is_mine = |file: &PathBuf| !is_project || within(&here.folder, file).is_ok();
        files.extend(of_scope.filter(is_mine));
        for file in &files {
            if output.attempt(installation.remove(file, name)) == Some(true) {
                is_changed = true;
                output.line(format!("{title}: taken out of {}", file.display()));
            }
        }
        // Entries that others have put into a project are theirs, unless this is asked for.
        let others = files_of(&place.setup.project)
            .into_iter()
            .filter(|it| !files.contains(it) && within(&here.folder, it).is_ok());
        for file in others.filter(|file| has_ours(file)) {
            is_changed = true;
            let command = called();
            output.line(format!(
                "{title}: left in {}; \"{command} uninstall --project\" takes it out",
                file.display()
            ));
        }
    }
    is_changed |= forget_sessions(&places, &installation, &here, output);
    if !output.is_well() {
        return;
    }
    if !is_changed {
        output.line("There was nothing to take out.");
    }
    if here
        .places(&[])
        .iter()
        .any(|it| is_watched(it, &installation))
    {
        return;
    }
    here.copy.remove();
    remove_folder(&here.state);
    Activity::in_folder(here.state).remove();
    installation.forget();
}

/// Removes what is kept of the sessions of agents that are watched no more: whether there was something.
fn forget_sessions(
    places: &[AgentHere],
    installation: &Installation,
    here: &Here,
    output: &mut Output,
) -> bool {
    let all = here.places(&[]);
    let watched = all.iter().filter(|it| is_watched(it, installation));
    let watched: Vec<&str> = watched.map(|it| it.agent.hook).collect();
    let mut kept = kept_records(&here.state);
    kept.retain(|record| {
        let is_asked = places.iter().any(|it| it.agent.hook == record.agent);
        is_asked && !watched.contains(&record.agent)
    });
    kept.iter().for_each(Record::remove);
    if !kept.is_empty() {
        let number = plural(kept.len() as u64, "session");
        output.line(format!("What was kept of {number} is gone."));
    }
    !kept.is_empty()
}

/// Whether something that is still there runs the program for an agent.
fn is_watched(place: &AgentHere, installation: &Installation) -> bool {
    installation.of(place.agent.name).next().is_some()
        || files_of(&place.setup.user)
            .iter()
            .any(|file| has_ours(file))
}
