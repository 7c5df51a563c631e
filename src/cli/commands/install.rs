//! `turnkeeper install`

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command};
use turnkeeper_agents::watch::Mode;
use turnkeeper_agents::watch::setup::{Change, Version, Wanted};

use super::place::{self, AgentHere, Here, all_names, file_of, files_of, within};
use super::settings_file::Given;
use super::{agents_argument, question, settings_file};
use crate::options::{flag, many, option};
use crate::problem::InFile;
use crate::program::{PLATFORM, called};
use crate::program::{VERSION, item};
use crate::state::installed::{Installation, Installing};
use crate::terminal::output::Output;

pub(super) fn command() -> Command {
    let mode = option("mode", "mode", "how far it goes").default_value(Mode::default().name());
    let modes = PossibleValuesParser::new(Mode::ALL.map(Mode::name));
    let economy = "send a long result that came before as one line (Claude Code, Copilot CLI)";
    Command::new("install")
        .about("watch the coding agents that you use")
        .long_about(
            "Let Turnkeeper watch the coding agents that you use, through their hooks and plugins.",
        )
        .arg(agents_argument(
            "the agents (default: those that are found)",
        ))
        .arg(flag("project", "only in this folder's project"))
        .arg(mode.value_parser(modes))
        .arg(flag("economy", economy))
        .args(settings_file::arguments())
        .arg(flag("yes", "do not ask").short('y'))
        .after_help(format!(
            "{MODES_EXPLAINED}\n\nAgents: {}.\nWithout a name, those that are found here.",
            all_names()
        ))
}

const MODES_EXPLAINED: &str = "Modes:
  watch   only a log, which \"turnkeeper status\" sums up
  hint    the model is told of a loop as a fact, and you of one that goes on;
          nothing is ended
  stop    a loop that goes on ends the turn";

/// The extent of the installation that is asked for.
struct Asked {
    mode: Mode,
    economy: bool,
    is_project: bool,
}

impl Asked {
    fn wanted<'a>(&self, place: &AgentHere, here: &'a Here) -> Wanted<'a> {
        let agent_version = place.version().unwrap_or(place.setup.versions.unknown);
        Wanted {
            agent_version,
            mode: self.mode,
            economy: self.economy
                && place
                    .setup
                    .replaces_results
                    .is_some_and(|it| it <= agent_version),
            state: &here.state,
            is_shared: self.is_project && !place.setup.is_personal,
            platform: PLATFORM,
            version: VERSION,
        }
    }
}

pub(super) fn run(given: &ArgMatches, output: &mut Output) {
    let Some(here) = place::here(output) else {
        return;
    };
    let asked = Asked {
        mode: given
            .get_one::<String>("mode")
            .and_then(|it| Mode::named(it))
            .unwrap_or_default(),
        economy: given.get_flag("economy"),
        is_project: given.get_flag("project"),
    };
    let settings = Given::of(given);
    let settings_file = settings.file(if asked.is_project {
        &here.folder
    } else {
        &here.home
    });
    if asked.is_project {
        let refused = settings.refused_in_project();
        if !refused.is_empty() {
            return output.complain(refused.join("; "));
        }
    }
    let names = many(given, "agents");
    let mut found = here.places(&names);
    found.retain(|place| !names.is_empty() || place.is_there());
    if found.is_empty() && settings.is_empty() {
        return output.complain(format!(
            "no agent is found here; name one of {}",
            all_names()
        ));
    }
    // Whoever switches it off has nothing to install.
    found.retain(|_| !settings.off);
    found.retain(|place| {
        let too_old = place.version().filter(|it| *it < place.setup.versions.since);
        if let Some(version) = too_old {
            let (title, since) = (place.agent.title(), place.setup.versions.since);
            let told = format!(
                "{title} {version} has no hooks or plugins that could tell of a loop, which came with {since}: nothing \
                 is written for it"
            );
            match names.is_empty() {
                true => output.line(told),
                false => output.complain(told),
            }
        }
        too_old.is_none()
    });
    found.retain(|place| {
        let has_files = !place.scope(asked.is_project).changes.is_empty();
        if !has_files {
            output.complain(without_files(place, asked.is_project));
        }
        has_files
    });
    if asked.is_project {
        found.retain(|place| {
            let mut changes = place.setup.project.changes.iter();
            let stays = changes.try_for_each(|change| within(&here.folder, &file_of(change)));
            output.attempt(stays).is_some()
        });
        let stays = within(&here.folder, &settings_file);
        if !settings.is_empty() && output.attempt(stays).is_none() {
            return;
        }
    }
    if found.is_empty() && settings.is_empty() {
        return;
    }
    for place in &found {
        announce(place, &asked, &here, output);
    }
    if !settings.is_empty() {
        output.line(format!(
            "{}: {}",
            settings_file.display(),
            settings.summary()
        ));
    }
    if !given.get_flag("yes") && !question::is_confirmed("Write this? [Y/n] ") {
        return output.complain("nothing was changed; --yes installs without a question");
    }
    if !settings.is_empty() && output.attempt(settings.write(&settings_file)).is_none() {
        return;
    }
    if found.is_empty() {
        return;
    }
    if output.attempt(here.copy.write()).is_none() {
        return;
    }
    let mut installation = Installation::read(&here.state);
    for place in &found {
        write(place, &asked, &here, &mut installation, output);
    }
    if output.is_well() {
        let (mode, command) = (asked.mode.name(), called());
        output.line(format!(
            "Installed in mode {mode}, for sessions that begin from now on."
        ));
        output.line(format!(
            "\"{command} status\" says what was said, \"{command} uninstall\" takes it out again."
        ));
    }
}

fn without_files(place: &AgentHere, is_project: bool) -> String {
    let title = place.agent.title();
    // Its files are there on any other system.
    if place.setup.user.changes.is_empty() {
        return format!("{title} has no settings here: it runs no hooks on Windows");
    }
    format!(
        "{title} has no settings {}",
        if is_project { "for a project" } else { "here" }
    )
}

fn announce(place: &AgentHere, asked: &Asked, here: &Here, output: &mut Output) {
    let wanted = asked.wanted(place, here);
    output.title(place.agent.title());
    output.line(format!("  {}", for_which(place.version(), place)));
    if asked.economy && !wanted.economy && place.setup.replaces_results.is_some() {
        output.line("  this version lets no hook replace a result: --economy changes nothing");
    }
    for change in &place.scope(asked.is_project).changes {
        output.line(format!(
            "  {}: {}",
            file_of(change).display(),
            change.summary(&wanted)
        ));
    }
    if asked.is_project {
        let shared = "shared if you commit it: it does nothing where Turnkeeper is not installed, and names no folder \
            of yours. To keep it to yourself, name it in .git/info/exclude.";
        let personal = "for you alone: leave it out of version control";
        output.line(format!(
            "  {}",
            if place.setup.is_personal {
                personal
            } else {
                shared
            }
        ));
    }
}

/// The version that is written for, in words.
fn for_which(version: Option<Version>, place: &AgentHere) -> String {
    match version {
        Some(version) => format!("for version {version}"),
        None if place.setup.versions.unknown == Version::NEWEST => {
            "its version cannot be told: for those of today".to_owned()
        }
        None => "its version cannot be told: for every one of the last year".to_owned(),
    }
}

fn write(
    place: &AgentHere,
    asked: &Asked,
    here: &Here,
    installation: &mut Installation,
    output: &mut Output,
) {
    let (agent, setup) = (place.agent, &place.setup);
    if let Some(plugin) = setup.plugin
        && output.attempt(here.copy.write_plugin(plugin)).is_none()
    {
        return;
    }
    let scope = place.scope(asked.is_project);
    let changed: Vec<PathBuf> = scope.changes.iter().map(file_of).collect();
    for file in files_of(scope)
        .iter()
        .filter(|file| !changed.contains(file))
    {
        if !asked.is_project || within(&here.folder, file).is_ok() {
            output.attempt(installation.remove(file, agent.name));
        }
    }
    let wanted = asked.wanted(place, here);
    let project = asked.is_project.then_some(here.folder.as_path());
    let for_whom = Installing {
        agent: agent.name,
        mode: asked.mode,
        project,
        version: place.version(),
    };
    let plugin = setup
        .plugin
        .map(|it| item(&here.copy.plugin(it), it.is_address));
    for (change, file) in scope.changes.iter().zip(&changed) {
        let is_executable = matches!(
            change,
            Change::Own {
                is_executable: true,
                ..
            }
        );
        let add = |content: Option<&str>| {
            let plugin = plugin.as_deref().unwrap_or_default();
            let added = change.added(content, agent.hook, &wanted, plugin);
            added.writing(file)
        };
        output.attempt(installation.add(file, is_executable, &for_whom, add));
    }
    for why in place.obstacles() {
        output.line(format!("{} does not run hooks: {why}", agent.title()));
    }
    if let Some(note) = setup.note {
        output.line(note);
    }
}
