//! `turnkeeper status`

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Command;
use turnkeeper_agents::watch::Mode;
use turnkeeper_agents::watch::setup::{Version, Wanted, is_hook_line, words_of};
use turnkeeper_analysis::audited::iso_time;
use turnkeeper_analysis::wording::plural;
use turnkeeper_base::json::Json;

use super::place::{self, AgentHere, Here, files_of, ours};
use super::settings_file::settings_here;
use crate::clock;
use crate::files::real_path;
use crate::problem::InFile;
use crate::program::{PLATFORM, called};
use crate::program::{VERSION, file_of_item, version_of};
use crate::state::activity::Activity;
use crate::state::installed::{Installation, InstalledFile, private};
use crate::state::session_store::kept_records;
use crate::terminal::output::Output;

/// In milliseconds.
const WEEK: f64 = 7.0 * 24.0 * 60.0 * 60.0 * 1e3;

pub(super) fn command() -> Command {
    Command::new("status")
        .about("show which agents are watched, and what was said to them")
        .long_about("Show which agents are watched, and what was said in the last seven days.")
}

pub(super) fn run(output: &mut Output) {
    let Some(here) = place::here(output) else {
        return;
    };
    let made =
        private(&here.state).and_then(|()| Activity::new(here.state.clone()).writing(&here.state));
    let Some(activity) = output.attempt(made) else {
        return;
    };
    let installation = Installation::read(&here.state);
    let since = iso_time(clock::now() - WEEK);
    let mut lines = activity.lines();
    lines.retain(|line| text(line, "at") >= since.as_str());
    for place in here.places(&[]) {
        let told = installations_of(&place, &installation, &here);
        if told.is_empty() && !place.is_there() {
            continue;
        }
        output.title(place.agent.title());
        for line in &told {
            output.line(format!("  {line}"));
        }
        if told.is_empty() {
            output.line(format!(
                "  not installed: {} install {}",
                called(),
                place.agent.name
            ));
            continue;
        }
        for why in place.obstacles() {
            output.line(format!("  does not run: {why}"));
        }
        let hook = place.agent.hook;
        output.line(format!("  {}", last_event(activity.last_heard(hook), hook)));
        let said: Vec<&Json> = lines
            .iter()
            .filter(|line| text(line, "agent") == hook)
            .collect();
        for line in summary(&said) {
            output.line(format!("  {line}"));
        }
    }
    if let Ok(copied) = here.copy.version()
        && copied != VERSION
    {
        let command = called();
        output.line(format!(
            "The agents run version {copied}; \"{command} install\" renews it to {VERSION}."
        ));
    }
    for line in settings_here(&here) {
        output.line(line);
    }
    output.line(kept_of_sessions(&here));
    output.line(format!("Log: {}", activity.file().display()));
}

/// How much is kept of sessions, and of which of them the words.
fn kept_of_sessions(here: &Here) -> String {
    let kept = kept_records(&here.state);
    if kept.is_empty() {
        return "Nothing is kept of sessions.".to_owned();
    }
    let bytes: u64 = kept.iter().map(|it| it.bytes).sum();
    let remembers = |place: &&AgentHere| {
        let is_kept = kept.iter().any(|it| it.agent == place.agent.name);
        let dialect = place.agent.dialect.filter(|_| is_kept);
        dialect.is_some_and(|it| it.tells_compactions())
    };
    let places = here.places(&[]);
    let titles: Vec<&str> = places
        .iter()
        .filter(remembers)
        .map(|it| it.agent.title())
        .collect();
    let words = match titles.is_empty() {
        true => "hashes alone".to_owned(),
        false => format!(
            "hashes, and for {} what was said and done",
            titles.join(", ")
        ),
    };
    let (number, size) = (plural(kept.len() as u64, "session"), bytes.div_ceil(1_000));
    format!("Kept of {number}, for seven days: {size} KB, {words}.")
}

/// Lines on what stands in an agent's files, as they are now, and whether it runs.
fn installations_of(place: &AgentHere, installation: &Installation, here: &Here) -> Vec<String> {
    let known: Vec<&InstalledFile> = installation.of(place.agent.name).collect();
    let mut files: Vec<PathBuf> = known.iter().map(|it| it.file.clone()).collect();
    let looked_at = files_of(&place.setup.user)
        .into_iter()
        .chain(files_of(&place.setup.project));
    for file in looked_at {
        if !files.contains(&real_path(&file).unwrap_or_else(|_| file.clone())) {
            files.push(file);
        }
    }
    let told = files.iter().flat_map(|file| {
        let record = known.iter().copied().find(|it| it.file == *file);
        file_lines(file, place, here, record)
    });
    told.collect()
}

fn file_lines(
    file: &Path,
    place: &AgentHere,
    here: &Here,
    record: Option<&InstalledFile>,
) -> Vec<String> {
    let found = match ours(file) {
        Ok(found) => found,
        Err(problem) if record.is_some() => return vec![problem.to_string()],
        Err(_) => return Vec::new(),
    };
    let repair = format!("\"{} install {}\"", called(), place.agent.name);
    // Modules and manifests of ours name no program.
    let is_whole = record.is_some() && file.exists() && is_own_module(file);
    if found.is_empty() && !is_whole {
        let gone = format!("gone from {}; {repair} writes it again", file.display());
        return record.map(|_| gone).into_iter().collect();
    }
    let mode = found.iter().find_map(|line| mode_in(line));
    let mode = mode.or(record.map(|it| it.mode.as_str()));
    let mode = mode
        .map(|mode| format!(" in mode {mode}"))
        .unwrap_or_default();
    let mut lines = vec![format!("installed{mode}: {}", file.display())];
    lines.extend(record.and_then(|it| version_line(it, place, here)));
    for why in missing_for(&found, here) {
        lines.push(format!("does not run: {why}; {repair} repairs it"));
    }
    lines
}

/// The version of the agent that a file was written for, and whether the one of today takes something else.
fn version_line(record: &InstalledFile, place: &AgentHere, here: &Here) -> Option<String> {
    let title = place.agent.title();
    let known = record.agent_version.as_deref().and_then(Version::of);
    let version = place.version();
    let Some(version) = version else {
        return known.map(|known| format!("written for version {known}"));
    };
    let Some(known) = known else {
        let is_same = written_for(place.setup.versions.unknown, record, place, here)
            == written_for(version, record, place, here);
        return (!is_same).then(|| changed(title, "a version that was not known", version, place));
    };
    if known == version {
        return Some(format!("written for version {known}"));
    }
    let told = format!("version {known}");
    let is_same =
        written_for(known, record, place, here) == written_for(version, record, place, here);
    Some(match is_same {
        true => {
            format!("written for version {known}, and the same for {version}, which is here now")
        }
        false => changed(title, &told, version, place),
    })
}

fn changed(title: &str, known: &str, version: Version, place: &AgentHere) -> String {
    let (command, name) = (called(), place.agent.name);
    format!(
        "written for {known}; {title} is {version} now, which takes other hooks: \"{command} install {name}\" writes them"
    )
}

/// The texts that a version of the agent gets.
fn written_for(
    version: Version,
    record: &InstalledFile,
    place: &AgentHere,
    here: &Here,
) -> Vec<Option<String>> {
    let wanted = Wanted {
        mode: Mode::named(&record.mode).unwrap_or_default(),
        economy: false,
        state: &here.state,
        is_shared: record.project.is_some(),
        platform: PLATFORM,
        version: VERSION,
        agent_version: version,
    };
    if version < place.setup.versions.since {
        return Vec::new();
    }
    let changes = &place.scope(record.project.is_some()).changes;
    let added = changes
        .iter()
        .map(|it| it.added(None, place.agent.hook, &wanted, "").ok());
    added.collect()
}

fn is_own_module(file: &Path) -> bool {
    file.ends_with("turnkeeper.js") || file.ends_with("turnkeeper/plugin.json")
}

fn mode_in(line: &str) -> Option<&str> {
    line.split_once(" --mode ")?.1.split_whitespace().next()
}

/// Everything that lines of hooks, or plugins, need and that is not there, or does not start. Nothing but the copy is
/// started: a project may name any program.
fn missing_for(found: &[String], here: &Here) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    let mut known: Vec<PathBuf> = Vec::new();
    for item in found {
        for file in needed_by(item, here) {
            if known.contains(&file) {
                continue;
            }
            if !file.exists() {
                missing.push(format!("{} is gone", file.display()));
            } else if file == here.copy.file()
                && let Err(why) = version_of(&file)
            {
                missing.push(format!("{} does not start ({why})", file.display()));
            }
            known.push(file);
        }
    }
    missing
}

/// The program that a line runs, or the file of a plugin.
fn needed_by(item: &str, here: &Here) -> Vec<PathBuf> {
    if !is_hook_line(item) {
        return vec![file_of_item(item)];
    }
    let words = words_of(item).into_iter().map(PathBuf::from);
    let is_program = |file: &PathBuf| {
        file.is_absolute()
            && file
                .file_name()
                .is_some_and(|it| it.to_string_lossy().starts_with("turnkeeper"))
    };
    let named: Vec<PathBuf> = words.filter(is_program).collect();
    if !named.is_empty() {
        return named;
    }
    // A line that is shared looks for the program of whoever runs it.
    vec![here.copy.file().to_owned()]
}

fn last_event(heard: Option<SystemTime>, hook: &str) -> String {
    match heard {
        Some(time) => {
            let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
            format!("last event: {}", iso_time(since.as_secs_f64() * 1e3))
        }
        None if hook == "codex" => {
            "no event yet: it may not trust the hooks, which /hooks in it shows".into()
        }
        None => "no event yet".into(),
    }
}

/// Reasons of a kind that are shown of the last seven days.
const MOST_REASONS: usize = 5;

/// A loop that nobody ended is no stop, whatever the detector has asked for.
fn summary(lines: &[&Json]) -> Vec<String> {
    let told = [
        ("nudge", "hint", "hints"),
        ("found", "loop found", "loops found"),
        ("went_on", "loop that went on", "loops that went on"),
        ("stop", "stop", "stops"),
        ("ledger", "ledger", "ledgers"),
    ];
    let counted = told.iter().filter_map(|(what, one, several)| {
        match lines
            .iter()
            .filter(|line| text(line, "what") == *what)
            .count()
        {
            0 => None,
            1 => Some(format!("1 {one}")),
            number => Some(format!("{number} {several}")),
        }
    });
    let said: Vec<String> = counted.collect();
    let said = if said.is_empty() {
        "nothing to say".to_owned()
    } else {
        said.join(", ")
    };
    let mut told = vec![format!("in the last seven days: {said}")];
    for what in ["silenced", "ignored"] {
        let mut reasons: Vec<&str> = lines
            .iter()
            .filter(|line| text(line, "what") == what)
            .map(|line| text(line, "why"))
            .collect();
        reasons.sort_unstable();
        reasons.dedup();
        told.extend(
            reasons
                .iter()
                .take(MOST_REASONS)
                .map(|why| format!("by a project's file: {why}")),
        );
    }
    let failures: Vec<_> = lines
        .iter()
        .filter(|line| text(line, "what") == "failure")
        .collect();
    if let Some(last) = failures.last() {
        let (at, why) = (text(last, "at"), text(last, "why"));
        told.push(format!("last failure, of {}: {at} {why}", failures.len()));
    }
    told
}

/// A field of a line of the log; empty if it has none.
fn text<'a>(line: &'a Json, name: &str) -> &'a str {
    line.get(name).and_then(Json::as_text).unwrap_or_default()
}
