//! Plays one session through a loop detector.

use serde::Serialize;
use turnkeeper_base::Error;
use turnkeeper_base::text::Size;
use turnkeeper_loop_detector::{Counts, Prompt};
use turnkeeper_messages::Event;

use super::profile::Rules;
use super::report::Lack;
use super::verdict::{AnyDetector, Report, Verdict};
use super::words::size_of;

/// The settings of a [`Player`], but for its rules.
#[derive(Debug, Clone, Default)]
pub struct PlaySettings {
    /// The model, where the session does not name it.
    pub model: Option<String>,
    /// The id of the first prompt; the file's name if there is none.
    pub prompt_id: Option<String>,
    /// Whether it goes on after a stop, as a host does that gives the model another chance.
    pub goes_on: bool,
    /// Where prompts start, if the session does not say so itself.
    pub prompts: Prompts,
}

/// The places at which prompts start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Prompts {
    /// Each message of the user.
    #[default]
    User,
    /// The beginning alone.
    Session,
}

/// The result of one event of a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The line that says where a prompt starts, which is no event.
    Prompt {
        /// The prompt.
        prompt_id: String,
        /// The model that answers it.
        model: Option<String>,
    },
    /// An event, and what the detector says to it.
    Event {
        /// Counts the events of the file from 0.
        index: u64,
        /// For a tool call its index in its prompt, from 0, as reports count.
        call: Option<u64>,
        /// The detector's answer.
        verdict: Verdict,
        /// Whether it comes after a stop, which saves it.
        is_saved: bool,
    },
}

/// The result of one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Everything that happened.
    pub events: u64,
    /// Tool calls.
    pub calls: u64,
    /// Prompts of the user.
    pub prompts: u64,
    /// Verdicts that told the model.
    pub nudges: u64,
    /// Verdicts that stopped it.
    pub stops: Vec<Stop>,
    /// The savings of the stops.
    pub saved: Saved,
    /// Everything that the events lack, so that rules which need it stayed silent.
    pub blind: Vec<Lack>,
}

/// A verdict that stopped the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stop {
    /// The line or element of the file, from 1.
    pub line: u32,
    /// The event, from 0.
    pub index: u64,
    /// Why.
    pub report: Box<Report>,
}

/// Events and calls after stops, which a host that obeys them saves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// Everything that happened.
    pub events: u64,
    /// Tool calls.
    pub calls: u64,
    /// UTF-16 code units of assistant text and reasoning.
    pub characters: u64,
    /// Estimated, of all that was said, called and answered.
    pub tokens: u64,
}

/// Plays one session through a loop detector of its own.
#[derive(Debug)]
pub struct Player {
    tally: Tally,
    detector: AnyDetector,
    settings: PlaySettings,
    first_id: String,
    prompt_id: Option<String>,
    call: u64,
    is_stopped: bool,
    saved: Size,
    says_its_prompts: bool,
    is_after_user: bool,
}

impl Player {
    /// A player for the session in `file`.
    ///
    /// # Errors
    /// `invalid_config`, naming the threshold that is out of range.
    pub fn new(file: &str, rules: Rules, settings: PlaySettings) -> Result<Self, Error> {
        let first_id = settings.prompt_id.clone();
        Ok(Self {
            tally: Tally::default(),
            detector: AnyDetector::new(rules)?,
            first_id: first_id.unwrap_or_else(|| file.to_owned()),
            settings,
            prompt_id: None,
            call: 0,
            is_stopped: false,
            saved: Size::default(),
            says_its_prompts: false,
            is_after_user: false,
        })
    }

    /// Plays the next event, which stands at `line`, the line or element of the file from 1.
    pub fn play(&mut self, event: &Event, line: u32) -> Step {
        if let Event::PromptStarted {
            prompt_id,
            model,
            user_prompt,
        } = event
        {
            self.says_its_prompts = true;
            let own = self.settings.model.clone();
            let model = model.as_deref().map(str::to_owned).or(own);
            self.start_prompt(prompt_id, model.as_deref(), user_prompt.as_deref());
            return Step::Prompt {
                prompt_id: prompt_id.to_string(),
                model,
            };
        }
        self.start_prompt_for(event);
        let verdict = self.detector.observe(event);
        let is_call = matches!(event, Event::ToolCall { .. });
        let call = is_call.then_some(self.call);
        let index = self.tally.events;
        self.tally.events += 1;
        self.call += u64::from(is_call);
        self.tally.calls += u64::from(is_call);
        let is_saved = self.is_stopped;
        match is_saved {
            true => self.save(event),
            false => self.found(&verdict, line, index),
        }
        Step::Event {
            index,
            call,
            verdict,
            is_saved,
        }
    }

    /// The findings so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The longest run of calls under way.
    pub fn counts(&self) -> Counts<'_> {
        self.detector.counts()
    }

    /// Ends the session.
    pub fn end(mut self) -> Tally {
        self.note_blindness();
        self.tally
    }

    /// A host starts a prompt, with the user's words, when the user sends a message, so a recorded one starts one, too;
    /// several in a row are one. A file that says itself where its prompts start is taken at its word.
    fn start_prompt_for(&mut self, event: &Event) {
        let (is_user, words) = match event {
            Event::UserMessage { words, .. } => (true, words.as_deref()),
            _ => (false, None),
        };
        let begins = is_user
            && !self.is_after_user
            && !self.says_its_prompts
            && self.settings.prompts == Prompts::User;
        if begins || self.prompt_id.is_none() {
            let id = match self.tally.prompts + 1 {
                1 => self.first_id.clone(),
                count => format!("{}#{count}", self.first_id),
            };
            let model = self.settings.model.clone();
            self.start_prompt(&id, model.as_deref(), words);
        }
        self.is_after_user = is_user;
    }

    fn start_prompt(&mut self, id: &str, model: Option<&str>, words: Option<&str>) {
        if self.prompt_id.as_deref() == Some(id) {
            return;
        }
        self.note_blindness();
        let mut prompt = Prompt::new(id);
        if let Some(model) = model {
            prompt = prompt.model(model);
        }
        if let Some(words) = words {
            prompt = prompt.user_prompt(words);
        }
        self.detector.start_prompt(prompt);
        self.prompt_id = Some(id.to_owned());
        self.call = 0;
        self.is_stopped = false;
        self.tally.prompts += 1;
    }

    fn found(&mut self, verdict: &Verdict, line: u32, index: u64) {
        match verdict {
            Verdict::Ok => {}
            Verdict::Nudge { .. } => self.tally.nudges += 1,
            Verdict::Stop { report } => {
                let report = report.clone();
                self.tally.stops.push(Stop {
                    line,
                    index,
                    report,
                });
                match self.settings.goes_on {
                    true => self.detector.clear(),
                    false => self.is_stopped = true,
                }
            }
        }
    }

    fn save(&mut self, event: &Event) {
        let size = size_of(event);
        self.saved += size;
        let saved = &mut self.tally.saved;
        saved.events += 1;
        saved.tokens = self.saved.tokens().into();
        match event {
            Event::ToolCall { .. } => saved.calls += 1,
            Event::Text { .. } | Event::Reasoning { .. } => {
                saved.characters += u64::from(size.units)
            }
            _ => {}
        }
    }

    fn note_blindness(&mut self) {
        let blind = self.detector.blind();
        let lacks = [
            (blind.calls, Lack::Calls),
            (blind.arguments, Lack::Arguments),
            (blind.results, Lack::Results),
            (blind.prompts, Lack::Prompts),
        ];
        for (_, lack) in lacks.into_iter().filter(|(is_lacking, _)| *is_lacking) {
            if !self.tally.blind.contains(&lack) {
                self.tally.blind.push(lack);
            }
        }
    }
}
