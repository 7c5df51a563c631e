//! The sessions, and what becomes of each.

use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};

use turnkeeper_agents::Agent;
use turnkeeper_agents::folders::Where;
use turnkeeper_analysis::report::SessionReport;
use turnkeeper_analysis::session::AuditSettings;
use turnkeeper_analysis::sum::Period as Times;
use turnkeeper_analysis::twins::twin_of;

use super::judge::{Asked, Judged};
use super::judges::judge_all;
use super::record::Record;
use crate::find::Search;
use crate::inputs::{Input, find_inputs};
use crate::problem::{Kind, Problem, Result};
use crate::program::PLATFORM;
use crate::state::folder::home_folder;
use crate::terminal::output::Output;

/// The way in which sessions are judged.
pub(super) struct How {
    pub(super) asked: Asked,
    /// Threads; as many as are of use, if nothing is said.
    pub(super) jobs: Option<usize>,
    /// In the order in which they are done.
    pub(super) as_judged: bool,
    /// Only theirs; all, if there is none.
    pub(super) agents: Vec<&'static str>,
}

/// Hears of each session that is in the period, as it is judged.
pub(super) type OnSession<'a> = &'a dyn Fn(&SessionReport, &mut Output);

/// Judges the sessions in files and folders; without any, those in the folders of agents.
pub(super) fn judge_files(
    names: &[PathBuf],
    settings: &AuditSettings,
    how: &How,
    record: &mut Record,
    output: &mut Output,
    on_session: OnSession,
) {
    let is_found = names.is_empty();
    let since = record.period.times.since;
    let mut complain = |problem: Problem| record.problem(&problem, output);
    let found = if is_found {
        found_sessions(how, since, &mut complain)
    } else {
        find_inputs(names, &|_| true, &mut complain)
    };
    // Who looks for sessions is not told of files that stand beside them.
    let inputs = without_twins(found, if is_found { None } else { Some(&mut *record) });
    judge_all(&inputs, settings, how, &mut |at, outcome| {
        take(&inputs[at], outcome, how, record, output, on_session);
    });
    if record.is_empty() {
        told_nothing(names, how, record, output);
    }
}

fn found_sessions(how: &How, since: f64, complain: &mut dyn FnMut(Problem)) -> Vec<Input> {
    // Without a home folder there are those that variables name.
    let home = home_folder().unwrap_or_default();
    let variable = |name: &str| env::var(name).ok();
    let mut search = Search {
        around: Where {
            home: &home,
            platform: PLATFORM,
            variable: &variable,
        },
        since,
        complain,
    };
    let wanted = |agent: &Agent| how.agents.is_empty() || how.agents.contains(&agent.name());
    search.find(Agent::with_sessions().filter(wanted))
}

/// Without files that others beside them stand for.
fn without_twins(mut inputs: Vec<Input>, mut record: Option<&mut Record>) -> Vec<Input> {
    let files: HashSet<PathBuf> = inputs.iter().map(|input| input.file.clone()).collect();
    inputs.retain(|input| {
        let has = |name: &str| files.contains(Path::new(name));
        let twin = input
            .file
            .to_str()
            .filter(|_| input.is_found)
            .and_then(|it| twin_of(it, has));
        if let (Some(reason), Some(record)) = (&twin, &mut record) {
            record.skip(&input.file, reason.clone());
        }
        twin.is_none()
    });
    inputs
}

fn take(
    input: &Input,
    outcome: Result<Judged>,
    how: &How,
    record: &mut Record,
    output: &mut Output,
    on_session: OnSession,
) {
    match outcome {
        Ok(judged) => {
            let agent = judged.session.report.session.agent.as_deref();
            if !how.agents.is_empty() && !how.agents.iter().any(|name| agent == Some(name)) {
                return;
            }
            if let Some(report) = record.session(judged.session) {
                on_session(report, output);
            }
            if let Some(problem) = &judged.problem {
                record.problem(problem, output);
            }
        }
        Err(problem) if is_skipped(&problem, input) => {
            record.skip(&problem.file, problem.reason());
        }
        Err(problem) => record.problem(&problem, output),
    }
}

/// Whether a file that nobody named may be passed over: it is empty, or is not even called like a session.
fn is_skipped(problem: &Problem, input: &Input) -> bool {
    // A session that is kept in several files was recognised by them.
    let is_alone = input.is_found && input.parts.is_none();
    match problem.kind {
        Kind::Empty => input.is_found || input.row.is_some(),
        Kind::Unknown => is_alone,
        Kind::Bad => is_alone && !is_called_so(&input.file),
        Kind::Refused | Kind::Mistake => false,
    }
}

fn is_called_so(file: &Path) -> bool {
    let extension = file.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| matches!(it, "json" | "jsonl" | "ndjson" | "traj" | "zst"))
}

/// Says that there is nothing, in the words of who asked.
fn told_nothing(names: &[PathBuf], how: &How, record: &mut Record, output: &mut Output) {
    let title = &record.period.title;
    let agents = how.agents.join(", ");
    if names.is_empty() {
        let whose = if agents.is_empty() {
            "any agent"
        } else {
            &agents
        };
        let further = if record.period.times.since > f64::NEG_INFINITY {
            "; --since all looks further back"
        } else {
            ""
        };
        let message = format!("{title}: no session of {whose} was found{further}");
        record.missing.push(message);
    } else if record.period.times == Times::ALL && agents.is_empty() {
        for name in names {
            record.problem(&Problem::new(name, "has no sessions"), output);
        }
    } else {
        let whose = if agents.is_empty() {
            String::new()
        } else {
            format!(" of {agents}")
        };
        let message = format!("{title}: no session{whose} is in what was named");
        record.missing.push(message);
    }
}
