//! `turnkeeper replay --compare`: what every profile says to the same sessions.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};
use turnkeeper_analysis::comparison::{Comparison, ProfileFindings, SessionFindings, Verdicts};
use turnkeeper_analysis::player::{PlaySettings, Saved};
use turnkeeper_analysis::profile::Profile;
use turnkeeper_analysis::report::{Action, Lack};
use turnkeeper_analysis::wording::{name_of, plural};

use super::compare_table::{Row, show_rows};
use super::sessions::{Part, each, problem_of, read};
use crate::each_file::Reading;
use crate::inputs::Input;
use crate::problem::{Kind, LeftOut, Problem, Result};
use crate::terminal::output::{Output, Style};

/// The files of a folder that are looked at.
const ENDINGS: &[&str] = &["json", "jsonl", "ndjson", "traj"];

pub(super) struct Compare {
    pub(super) profiles: Vec<Profile>,
    pub(super) settings: PlaySettings,
    pub(super) is_json: bool,
    pub(super) is_quiet: bool,
}

impl Compare {
    pub(super) fn run(&self, names: &[PathBuf], output: &mut Output) {
        let mut rows = Vec::new();
        let done = each(
            names,
            ENDINGS,
            true,
            output,
            &mut |input, reading, output| {
                let found = self.played(input, reading)?;
                let name = shown_name(input, names);
                match self.is_json {
                    true => output.json(&as_json(&name, input, &found)),
                    false => rows.push(Row::new(&name, &found)),
                }
                Ok(())
            },
        );
        if self.is_json {
            let code = output.code_so_far();
            let comparison = json!({ "sessions": done.sessions, "problems": done.problems });
            return output.json(&json!({ "comparison": comparison, "exitCode": code }));
        }
        if !self.is_quiet && !rows.is_empty() {
            show_rows(&self.profiles, &rows, output);
        }
        output.paragraph(&plural(done.sessions, "session"), "", Style::Plain);
    }

    /// The verdicts of all profiles. They are those on a whole session, or none.
    fn played(&self, input: &Input, reading: &mut Reading) -> Result<SessionFindings> {
        let file = input.file.as_path();
        let rules: Vec<_> = self
            .profiles
            .iter()
            .map(|profile| profile.rules())
            .collect();
        let comparison = Comparison::new(&file.to_string_lossy(), &rules, &self.settings);
        let mut comparison = comparison.map_err(|why| Problem::new(file, why.to_string()))?;
        let mut left_out = LeftOut::default();
        read(input, reading, &mut left_out, &mut |part| {
            if let Part::Event(read) = part {
                comparison.play(read.event, read.line);
            }
        })?;
        if let Some(problem) = problem_of(left_out) {
            return Err(problem);
        }
        let found = comparison.end();
        match found.events {
            0 => Err(Problem::new(file, "has no events").of_kind(Kind::Empty)),
            _ => Ok(found),
        }
    }
}

/// The name below the folder that was named, and then without its extension.
fn shown_name(input: &Input, names: &[PathBuf]) -> String {
    let file = &input.file;
    let name = match input.is_found {
        true => {
            let mut below = names
                .iter()
                .filter_map(|folder| file.strip_prefix(folder).ok());
            let below = below.find(|it| !it.as_os_str().is_empty());
            let name = below.unwrap_or_else(|| Path::new(file.file_name().unwrap_or_default()));
            match name.extension().and_then(|it| it.to_str()) {
                Some(ending) if ENDINGS.contains(&ending) => name.with_extension(""),
                _ => name.to_owned(),
            }
        }
        false => file.clone(),
    };
    let name = name.to_string_lossy();
    match &input.row {
        Some(row) => format!("{name} {}", row.session),
        None => name.into_owned(),
    }
}

#[derive(Serialize)]
struct OfProfile<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    nudge: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<Value>,
    nudges: usize,
    stops: usize,
    saved: &'a Saved,
    blind: &'a [Lack],
}

fn as_json(name: &str, input: &Input, found: &SessionFindings) -> Value {
    let profiles = found.profiles.iter().map(|of| {
        let value = OfProfile {
            nudge: of.first(Action::Nudge).map(place_of),
            stop: of.first(Action::Stop).map(place_of),
            nudges: count(of, Action::Nudge),
            stops: count(of, Action::Stop),
            saved: &of.saved,
            blind: &of.blind,
        };
        (of.profile.name().to_owned(), json!(value))
    });
    let profiles: Map<String, Value> = profiles.collect();
    json!({
        "session": name,
        "file": input.file.to_string_lossy(),
        "events": found.events,
        "calls": found.calls,
        "profiles": profiles,
    })
}

fn count(of: &ProfileFindings, action: Action) -> usize {
    of.findings
        .iter()
        .filter(|finding| finding.action == action)
        .count()
}

fn place_of(found: &Verdicts) -> Value {
    json!({
        "action": found.action,
        "call": found.call,
        "callsBefore": found.calls_before,
        "line": found.line,
        "type": name_of(found.report.loop_type),
        "rule": found.report.rule,
    })
}
