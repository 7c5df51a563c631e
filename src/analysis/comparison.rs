//! Plays one session by several rules at once.

use serde::Serialize;
use turnkeeper_base::Error;
use turnkeeper_loop_detector::Counts;
use turnkeeper_messages::Event;

use super::player::{PlaySettings, Player, Saved, Step};
use super::profile::{Profile, Rules};
use super::report::{Action, Lack};
use super::verdict::{Report, Verdict};

/// A nudge or a stop, and where in the session it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdicts {
    /// The verdict.
    pub action: Action,
    /// The call that it came at, or else the last one before it. Calls count from 0 over the whole session; none if
    /// there was none yet.
    pub call: Option<u64>,
    /// The number of calls that had been made when it came. A call at which the verdict comes is not among them, for it
    /// has not been run yet; one whose result brings the verdict is.
    pub calls_before: u64,
    /// The line or element of the file, from 1.
    pub line: u32,
    /// Why.
    pub report: Box<Report>,
}

/// One profile's verdicts on a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileFindings {
    /// The profile.
    pub profile: Profile,
    /// In their order, without those after a stop of the same prompt.
    pub findings: Vec<Verdicts>,
    /// Events and calls after stops.
    pub saved: Saved,
    /// Everything that the session's events lack.
    pub blind: Vec<Lack>,
}

impl ProfileFindings {
    /// The first verdict of this kind.
    pub fn first(&self, action: Action) -> Option<&Verdicts> {
        self.findings
            .iter()
            .find(|finding| finding.action == action)
    }
}

/// One session, and what every profile says to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionFindings {
    /// Everything that happened.
    pub events: u64,
    /// Tool calls.
    pub calls: u64,
    /// By profile, in the order of the rules.
    pub profiles: Vec<ProfileFindings>,
}

#[derive(Debug)]
struct Compared {
    profile: Profile,
    player: Player,
    findings: Vec<Verdicts>,
}

/// Plays one session by several rules at once.
#[derive(Debug)]
pub struct Comparison {
    players: Vec<Compared>,
    events: u64,
    calls: u64,
}

impl Comparison {
    /// A comparison of these rules on the session in `file`.
    ///
    /// # Errors
    /// `invalid_config`, naming the threshold that is out of range.
    pub fn new(file: &str, rules: &[Rules], settings: &PlaySettings) -> Result<Self, Error> {
        let players = rules.iter().map(|rules| {
            Ok(Compared {
                profile: rules.profile(),
                player: Player::new(file, rules.clone(), settings.clone())?,
                findings: Vec::new(),
            })
        });
        Ok(Self {
            players: players.collect::<Result<_, _>>()?,
            events: 0,
            calls: 0,
        })
    }

    /// The longest run of calls under way, by the first rules.
    pub fn counts(&self) -> Option<Counts<'_>> {
        self.players.first().map(|first| first.player.counts())
    }

    /// The answers of each of the rules to an event.
    pub fn play(&mut self, event: &Event, line: u32) -> Vec<Step> {
        let is_call = matches!(event, Event::ToolCall { .. });
        let calls_before = self.calls;
        let call = match is_call {
            true => Some(calls_before),
            false => calls_before.checked_sub(1),
        };
        let steps = self.players.iter_mut().map(|compared| {
            let step = compared.player.play(event, line);
            if let Step::Event {
                verdict,
                is_saved: false,
                ..
            } = &step
                && let Some((action, report)) = found(verdict)
            {
                let report = Box::new(report.clone());
                compared.findings.push(Verdicts {
                    action,
                    call,
                    calls_before,
                    line,
                    report,
                });
            }
            step
        });
        let steps: Vec<Step> = steps.collect();
        let is_event = steps.iter().any(|step| matches!(step, Step::Event { .. }));
        self.events += u64::from(is_event);
        self.calls += u64::from(is_call);
        steps
    }

    /// Ends the session.
    pub fn end(self) -> SessionFindings {
        let profiles = self.players.into_iter().map(|compared| {
            let tally = compared.player.end();
            ProfileFindings {
                profile: compared.profile,
                findings: compared.findings,
                saved: tally.saved,
                blind: tally.blind,
            }
        });
        SessionFindings {
            profiles: profiles.collect(),
            events: self.events,
            calls: self.calls,
        }
    }
}

/// A verdict other than `ok`.
pub(crate) fn found(verdict: &Verdict) -> Option<(Action, &Report)> {
    match verdict {
        Verdict::Ok => None,
        Verdict::Nudge { report } => Some((Action::Nudge, report)),
        Verdict::Stop { report } => Some((Action::Stop, report)),
    }
}
