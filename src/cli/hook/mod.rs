//! `turnkeeper hook`: one event of an agent, read, judged and answered.

mod arguments;
mod deadline;
mod input;

use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, io};

use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::{Dialect, LogLine, Setting, answer, read};

use self::arguments::Arguments;
use self::deadline::Deadline;
use crate::clock;
use crate::settings_files::settings_for;
use crate::state::activity::Activity;
use crate::state::folder::state_folder;
use crate::state::installed_mode::mode_of_project;
use crate::state::session_store::SessionStore;

/// Answers the event on standard input, and never breaks the agent, whatever happens: a failure is a line of the
/// log.
pub(crate) fn run(args: impl Iterator<Item = OsString>, started_at: f64) -> ExitCode {
    // An agent may show what stands on standard error, or take it for a refusal.
    std::panic::set_hook(Box::new(|_| ()));
    let hook = Arguments::read(args).and_then(|arguments| {
        let dialect = arguments.agent.dialect?;
        Some(Hook {
            arguments,
            dialect,
            started_at,
        })
    });
    let is_off = env::var_os("TURNKEEPER").is_some_and(|it| it == "off");
    let hook = hook.filter(|_| !is_off);
    let late = hook
        .as_ref()
        .map(|it| (it.arguments.agent.name, it.dialect.silence));
    let deadline = Deadline::new(move || {
        late.into_iter()
            .for_each(|(agent, silence)| be_silent(agent, silence))
    });
    // An agent may not expect that nobody reads what it writes.
    let input = input::read_all();
    deadline.read();
    let printed = hook.map(|it| it.answer(input)).unwrap_or_default();
    deadline.answer();
    // An agent may go away before it has the answer.
    let _ = io::stdout().write_all(printed.as_bytes());
    ExitCode::SUCCESS
}

/// The answer to an event that takes too long.
fn be_silent(agent: &str, silence: &str) {
    let _ = io::stdout().write_all(silence.as_bytes());
    if let Ok(activity) = state_folder().and_then(Activity::new) {
        activity.log(agent, &LogLine::failure("the event took too long"));
    }
}

struct Hook {
    arguments: Arguments,
    dialect: &'static Dialect,
    started_at: f64,
}

impl Hook {
    /// The text that is printed for an event: one JSON object, or the agent's way of saying nothing.
    fn answer(&self, input: io::Result<Vec<u8>>) -> String {
        let answered = catch_unwind(AssertUnwindSafe(|| self.judge(input)));
        let failure = match answered {
            Ok(Ok(answer)) => return answer.unwrap_or_else(|| self.dialect.silence.to_owned()),
            Ok(Err(failure)) => failure,
            Err(_) => Failure::here("Turnkeeper's hook has a fault"),
        };
        let _ = catch_unwind(|| self.log(&failure));
        self.dialect.silence.to_owned()
    }

    fn judge(&self, input: io::Result<Vec<u8>>) -> Result<Option<String>, Failure> {
        let mut input = input.map_err(Failure::here)?;
        let payload = read(&mut input).map_err(Failure::here)?;
        let folders = payload.folders();
        let Some(event) = payload.event(self.dialect, self.arguments.event.as_deref()) else {
            return Ok(None);
        };
        let folder = folder_of(folders);
        let (settings, _) = settings_for(&folder);
        if settings.off && settings.silenced().is_none() {
            return Ok(None);
        }
        let answered = || {
            let Arguments { agent, economy, .. } = self.arguments;
            let state = state_folder()?;
            let activity = Activity::new(state.clone())?;
            activity.hear(agent.name);
            let mode = mode_of_project(&state, agent.name, &folder);
            let mut store = SessionStore::new(&state, &activity, agent.name)?;
            let setting = Setting {
                agent: agent.name,
                dialect: self.dialect,
                mode: mode.unwrap_or(self.arguments.mode),
                economy,
                settings: &settings,
                started_at: self.started_at,
                now: &clock::now,
            };
            answer(event, &setting, &mut store).map_err(io::Error::other)
        };
        answered().map_err(|error| Failure::in_folder(error, &folder))
    }

    /// Logs a failure, unless nothing is watched there.
    fn log(&self, failure: &Failure) {
        let (settings, _) = settings_for(&failure.folder);
        let activity = state_folder().and_then(Activity::new);
        if let (Ok(activity), false) = (activity, settings.off) {
            activity.log(self.arguments.agent.name, &LogLine::failure(&failure.why));
        }
    }
}

/// The reason why an event was not answered, and where.
struct Failure {
    why: String,
    folder: PathBuf,
}

impl Failure {
    fn here(why: impl ToString) -> Self {
        Self::in_folder(why, &folder_of(vec![]))
    }

    fn in_folder(why: impl ToString, folder: &Path) -> Self {
        Self {
            why: why.to_string(),
            folder: folder.to_owned(),
        }
    }
}

/// The folder in which an agent works: the project's by the environment, by the event, or where the hook was started.
fn folder_of(by_event: Vec<String>) -> PathBuf {
    let variables = Watched::all().filter_map(|agent| agent.project_variable);
    let by_environment = variables.filter_map(env::var_os).map(PathBuf::from);
    let mut named = by_environment.chain(by_event.into_iter().map(PathBuf::from));
    let named = named.find(|folder| !folder.as_os_str().is_empty() && folder.exists());
    named.unwrap_or_else(|| env::current_dir().unwrap_or_default())
}
