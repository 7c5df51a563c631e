//! Looks at a session record by record.

use std::borrow::Cow;

use turnkeeper_agents::sessions::{Format, Item, Piece, Record, Speaker};
use turnkeeper_base::Error;
use turnkeeper_base::text::Size;
use turnkeeper_messages::Event;

use super::audited::AuditedSession;
use super::commands::{CommandCount, CommandTotals};
use super::comparison::found;
use super::facts::SessionFacts;
use super::loops::{EventPlace, LoopList, Spent};
use super::marks::{Added, Mark, Marks};
use super::outdated::OutdatedCount;
use super::player::{PlaySettings, Player, Step};
use super::prices::Prices;
use super::profile::Rules;
use super::report::TokenKind;
use super::requests::Requests;
use super::rereads::RereadCount;
use super::timeline::Timeline;
use super::tools::Tools;
use super::usage::{Given, UsageCount};
use super::words::words_of;

/// The settings by which sessions are looked at.
#[derive(Debug, Clone)]
pub struct AuditSettings {
    /// The rules that judge.
    pub rules: Rules,
    /// The model, where a session does not name it.
    pub model: Option<String>,
    /// The prices of tokens.
    pub prices: Prices,
}

/// A way to look at a session, record by record.
pub trait Audit {
    /// Takes the next record. What a record says that came before was done once.
    fn take(&mut self, record: &Record);

    /// Notes that a line or an element could not be read, and is left out.
    fn lost(&mut self) {}

    /// Takes the next piece of a file.
    fn take_piece(&mut self, piece: &Piece) {
        if let Some(record) = &piece.record {
            self.take(record);
        }
        if piece.problem.is_some() {
            self.lost();
        }
    }

    /// Ends the session. None if nothing happened in it, if its format was not recognised, or if this way cannot tell.
    fn end(self, format: Option<Format>) -> Option<AuditedSession>;
}

/// Looks at all of a session.
#[derive(Debug)]
pub struct SessionAudit<'s> {
    pub(crate) settings: Cow<'s, AuditSettings>,
    pub(crate) file: String,
    pub(crate) player: Player,
    pub(crate) loops: LoopList,
    pub(crate) usage: UsageCount,
    pub(crate) requests: Requests,
    pub(crate) rereads: RereadCount,
    commands: CommandCount,
    pub(crate) outdated: OutdatedCount,
    pub(crate) timeline: Timeline,
    tools: Tools,
    pub(crate) marks: Marks,
    calls: u64,
    prompt_calls: u64,
    pub(crate) unread: u64,
    pub(crate) facts: SessionFacts,
    room: String,
}

impl<'s> SessionAudit<'s> {
    /// Begins with the session in `file`.
    ///
    /// # Errors
    /// `invalid_config`, naming the threshold of the settings that is out of range.
    pub fn new(file: &str, settings: &'s AuditSettings) -> Result<Self, Error> {
        Self::with(file, Cow::Borrowed(settings))
    }

    /// The same with settings that may be its own.
    pub(crate) fn with(file: &str, settings: Cow<'s, AuditSettings>) -> Result<Self, Error> {
        let played = PlaySettings {
            model: settings.model.clone(),
            goes_on: true,
            ..PlaySettings::default()
        };
        let player = Player::new(file, settings.rules.clone(), played)?;
        let window = settings.prices.window(settings.model.as_deref());
        Ok(Self {
            settings,
            file: file.to_owned(),
            player,
            loops: LoopList::default(),
            usage: UsageCount::default(),
            requests: Requests::of(window),
            rereads: RereadCount::default(),
            commands: CommandCount::default(),
            outdated: OutdatedCount::default(),
            timeline: Timeline::default(),
            tools: Tools::default(),
            marks: Marks::default(),
            calls: 0,
            prompt_calls: 0,
            unread: 0,
            facts: SessionFacts::default(),
            room: String::new(),
        })
    }

    fn take_facts(&mut self, record: &Record) {
        let prices = &self.settings.prices;
        let named = record.facts.model.as_deref();
        let is_another = named.is_some() && named != self.facts.model.as_deref();
        self.facts.take(record, &mut self.usage, prices);
        if is_another {
            self.requests.set_window(prices.window(named));
        }
    }

    fn take_items(&mut self, record: &Record, mark: Mark) {
        let mut added = Added {
            left_out: u32::from(record.left_out),
            ..Added::default()
        };
        let before = self.commands.totals();
        for item in &record.items {
            self.take_item(item, record.place, mark, &mut added);
        }
        add_commands(&mut added, before, self.commands.totals());
        self.marks.add(mark, added);
    }

    fn take_item(&mut self, item: &Item, line: u32, mark: Mark, added: &mut Added) {
        let Item { event, said } = item;
        let mut said_size = Size::default();
        if let Some(said) = said {
            said_size = Size::of_text(&said.text);
            self.marks
                .add_text(mark, kind_of_speaker(said.kind), said_size);
            self.facts.hear(said);
        }
        let prompts = self.player.tally().prompts;
        let step = self.player.play(event, line);
        if self.player.tally().prompts > prompts {
            self.prompt_calls = self.calls;
        }
        let Step::Event { verdict, .. } = step else {
            return;
        };
        added.events += 1;
        let is_call = matches!(event, Event::ToolCall { .. });
        if let Some((action, report)) = found(&verdict) {
            let place = EventPlace {
                line,
                call: match is_call {
                    true => Some(self.calls),
                    false => self.calls.checked_sub(1),
                },
                before_prompt: self.prompt_calls,
                mark,
            };
            let now = Spent::so_far(&self.requests, self.usage.spent);
            self.loops.add(action, report, place, now);
        }
        let work = match event {
            Event::ToolCall { name, .. } => Some(self.tools.of(name)),
            _ => None,
        };
        self.commands
            .take(event, work, self.facts.working_directory.as_deref());
        if let Some(work) = work {
            self.timeline.take(work.kind);
            self.calls += 1;
            added.calls += 1;
        }
        added.turns += u32::from(matches!(event, Event::TurnStarted));
        let words = words_of(event, &mut self.room);
        let size = Size::of_text(words);
        self.rereads.take(event, work, words, size, mark);
        if let Some(kind) = kind_of_event(event) {
            self.marks.add_text(mark, kind, size);
        }
        self.requests.take(event, said_size + size, mark);
    }
}

impl Audit for SessionAudit<'_> {
    fn take(&mut self, record: &Record) {
        self.take_facts(record);
        let is_again = record.is_again;
        let mark = record
            .key
            .filter(|_| !is_again)
            .and_then(|key| self.marks.begin(key));
        if !is_again {
            self.outdated.take(record);
            self.take_items(record, mark);
        }
        for usage in &record.usage {
            // An answer that grows is known by its id; one without was counted with the record.
            if is_again && usage.id.is_none() {
                continue;
            }
            let since = self.requests.since_last_answer();
            let given = Given {
                usage,
                model: self.facts.model.as_deref(),
                assumed_model: self.settings.model.as_deref(),
                mark,
                time: record.time,
                since,
            };
            self.usage.take(given, &self.settings.prices);
        }
    }

    fn lost(&mut self) {
        self.unread += 1;
    }

    fn end(self, format: Option<Format>) -> Option<AuditedSession> {
        let format = format?;
        (self.player.tally().events > 0).then(|| AuditedSession::of(self, format))
    }
}

fn add_commands(added: &mut Added, before: CommandTotals, after: CommandTotals) {
    let more = |before: u64, after: u64| u32::try_from(after - before).unwrap_or(u32::MAX);
    added.commands = more(before.commands, after.commands);
    added.needed = more(before.needed, after.needed);
    added.reusable = more(before.reusable, after.reusable);
}

fn kind_of_speaker(speaker: Speaker) -> TokenKind {
    match speaker {
        Speaker::User => TokenKind::User,
        Speaker::System => TokenKind::System,
        Speaker::Environment => TokenKind::Environment,
    }
}

fn kind_of_event(event: &Event) -> Option<TokenKind> {
    match event {
        Event::Text { .. } => Some(TokenKind::Text),
        Event::Reasoning { .. } => Some(TokenKind::Reasoning),
        Event::ToolCall { .. } => Some(TokenKind::Calls),
        Event::ToolResult { .. } => Some(TokenKind::Results),
        _ => None,
    }
}
