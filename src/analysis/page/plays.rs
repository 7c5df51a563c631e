//! Where a profile would have nudged or stopped the agent of a session.

use std::rc::Rc;

use serde::Serialize;
use turnkeeper_base::Error;
use turnkeeper_base::json::written;
use turnkeeper_base::text::first_units;
use turnkeeper_loop_detector::{Channel, LoopType};

use super::session::KeptSession;
use crate::comparison::{Comparison, ProfileFindings, Verdicts};
use crate::plain_text::one_line;
use crate::player::{PlaySettings, Prompts, Saved};
use crate::profile::{Profile, Rules};
use crate::report::{Action, Lack};

/// Texts of a report are cut: evidence of a megabyte says no more.
const LONGEST: usize = 4_000;
/// The most marks that are shown; a session with more is stuck anyway.
const MOST_MARKS: usize = 2_000;

/// A nudge or a stop.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Mark<'f> {
    action: Action,
    /// The call that it came at, or the last before it; from 0 over the session.
    call: Option<u64>,
    /// Calls that had been run by then.
    calls_before: u64,
    #[serde(rename = "type")]
    loop_type: LoopType,
    rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<Channel>,
    count: u64,
    threshold: u64,
    /// In the package's words, for the model.
    feedback: &'f str,
    evidence: &'f str,
}

impl<'f> Mark<'f> {
    fn of(found: &'f Verdicts) -> Self {
        let report = &found.report;
        Self {
            action: found.action,
            call: found.call,
            calls_before: found.calls_before,
            loop_type: report.loop_type,
            rule: report.rule.to_string(),
            tool: report.tool.as_ref().map(|tool| one_line(tool, 120)),
            channel: report.channel,
            count: report.count,
            threshold: report.threshold,
            feedback: first_units(&report.feedback, LONGEST),
            evidence: first_units(&report.evidence, LONGEST),
        }
    }
}

/// The verdicts of one profile on a session.
#[derive(Debug, Serialize)]
pub(super) struct ProfilePlay<'f> {
    profile: Profile,
    marks: Vec<Mark<'f>>,
    /// Everything that came after stops in their prompts.
    saved: Saved,
    blind: &'f [Lack],
}

impl<'f> ProfilePlay<'f> {
    pub(super) fn of(found: &'f ProfileFindings) -> Self {
        Self {
            profile: found.profile,
            marks: found
                .findings
                .iter()
                .take(MOST_MARKS)
                .map(Mark::of)
                .collect(),
            saved: found.saved,
            blind: &found.blind,
        }
    }
}

/// A comparison with one set of rules, on a whole session.
pub(super) fn comparison(
    file: &str,
    rules: Rules,
    model: Option<String>,
) -> Result<Comparison, Error> {
    let settings = PlaySettings {
        model,
        prompts: Prompts::Session,
        ..PlaySettings::default()
    };
    Comparison::new(file, &[rules], &settings)
}

/// Plays a session by the rules of a profile.
#[derive(Debug)]
pub struct Play {
    session: Rc<KeptSession>,
    comparison: Option<Comparison>,
    found: Option<ProfileFindings>,
    next: usize,
}

impl Play {
    pub(super) fn new(session: Rc<KeptSession>, profile: Profile) -> Result<Self, Error> {
        Ok(Self {
            comparison: Some(comparison(&session.name, profile.rules(), None)?),
            session,
            found: None,
            next: 0,
        })
    }

    /// Goes on with the next records. Returns the part that is done, from 0 to 1.
    pub fn go(&mut self, records: usize) -> f64 {
        let all = &self.session.records;
        let end = all.len().min(self.next.saturating_add(records));
        if let Some(comparison) = &mut self.comparison {
            for record in &all[self.next..end] {
                for item in &record.items {
                    comparison.play(&item.event, record.place);
                }
            }
        }
        self.next = end;
        if end == all.len()
            && let Some(comparison) = self.comparison.take()
        {
            self.found = comparison.end().profiles.pop();
        }
        self.session.part(end)
    }

    /// The profile's answer as JSON, once all is done.
    pub fn result(&self) -> Option<String> {
        let found = self.found.as_ref()?;
        Some(written(&ProfilePlay::of(found)))
    }
}
