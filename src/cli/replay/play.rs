//! Plays sessions event by event.

use std::path::{Path, PathBuf};

use turnkeeper_analysis::player::{PlaySettings, Player, Step, Tally};
use turnkeeper_analysis::profile::Profile;
use turnkeeper_messages::Event;

use super::json::JsonView;
use super::sessions::{Part, Read, each, problem_of, read};
use super::table::TableView;
use crate::each_file::{Reading, is_passed_over};
use crate::inputs::Input;
use crate::problem::{Kind, LeftOut, Problem, Result};
use crate::terminal::output::{LOOP, Output};

/// The files of a folder that are looked at.
const ENDINGS: &[&str] = &["json", "jsonl", "ndjson", "traj", "md"];

pub(super) struct Play {
    pub(super) profile: Profile,
    pub(super) settings: PlaySettings,
    pub(super) is_json: bool,
    /// Whether there is only the outcome of each file.
    pub(super) is_quiet: bool,
    /// Whether the exit code tells of loops.
    pub(super) fails_on_loop: bool,
}

/// The looks of a replay: a table for people, or JSON for programs.
pub(super) trait View {
    fn begin(&mut self, file: &Path, output: &mut Output);
    fn step(&mut self, file: &Path, read: &Read, step: &Step, output: &mut Output);
    /// The end of a file; `left_out` of its records could not be read, for this reason.
    fn end(
        &mut self,
        file: &Path,
        tally: Tally,
        left_out: u64,
        problem: Option<String>,
        output: &mut Output,
    );
    fn close(&mut self, output: &mut Output);
}

impl Play {
    pub(super) fn run(&self, names: &[PathBuf], output: &mut Output) {
        let mut view: Box<dyn View> = match self.is_json {
            true => Box::new(JsonView::default()),
            false => Box::new(TableView::default()),
        };
        each(
            names,
            ENDINGS,
            false,
            output,
            &mut |input, reading, output| self.play(input, reading, view.as_mut(), output),
        );
        view.close(output);
    }

    fn play(
        &self,
        input: &Input,
        reading: &mut Reading,
        view: &mut dyn View,
        output: &mut Output,
    ) -> Result<()> {
        let file = input.file.as_path();
        let name = file.to_string_lossy();
        let player = Player::new(&name, self.profile.rules(), self.settings.clone());
        let mut player = player.map_err(|why| Problem::new(file, why.to_string()))?;
        let mut has_begun = false;
        let mut left_out = LeftOut::default();
        let read = read(input, reading, &mut left_out, &mut |part| match part {
            Part::Chunk => output.flush(),
            Part::Event(read) => {
                let step = player.play(read.event, read.line);
                if !has_begun && !self.is_quiet {
                    view.begin(file, output);
                }
                has_begun = true;
                if !self.is_quiet {
                    view.step(file, &read, &step, output);
                }
            }
        });
        let tally = player.end();
        let is_stopped = !tally.stops.is_empty();
        let count = u64::from(left_out.count) + u64::from(read.is_err());
        let problem = problem_of(left_out);
        let is_empty = tally.events == 0 && problem.is_none();
        let problem = match read {
            Ok(()) if is_empty => Some(Problem::new(file, "has no events").of_kind(Kind::Empty)),
            Ok(()) => problem,
            Err(why) => Some(why),
        };
        let is_nothing = |problem| is_passed_over(problem, input);
        let is_other = !has_begun && problem.as_ref().is_some_and(is_nothing);
        if !is_other {
            let told = problem.as_ref().map(ToString::to_string);
            view.end(file, tally, count, told, output);
        }
        if is_stopped && self.fails_on_loop {
            output.end_with(LOOP);
        }
        problem.map_or(Ok(()), Err)
    }
}

/// Whether an event is assistant text or thinking, of which a row has many.
pub(super) fn is_prose(event: &Event) -> bool {
    matches!(event, Event::Text { .. } | Event::Reasoning { .. })
}
