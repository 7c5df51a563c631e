//! A session's report by some rules, and the list of its events.

use std::borrow::Cow;
use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;
use turnkeeper_agents::sessions::{Format, Record};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json::written;
use turnkeeper_loop_detector::LoopDetectorOptions;
use turnkeeper_loop_detector::detecting::DetectorOptions;

use super::kept::with_model;
use super::plays::{ProfilePlay, comparison};
use super::rows::{At, Rows, Run};
use super::saved_page::saved_page;
use super::session::KeptSession;
use super::tool_shares::{ToolShare, ToolShares};
use crate::comparison::{Comparison, ProfileFindings};
use crate::prices::Prices;
use crate::profile::{Profile, Rules};
use crate::report::SessionReport;
use crate::session::{Audit, AuditSettings, SessionAudit};
use crate::timeline::Stretch;

/// Judges a session as the command does, and makes the list of its events.
#[derive(Debug)]
pub struct Judgement {
    session: Rc<KeptSession>,
    model: Option<String>,
    under_way: Option<UnderWay>,
    rows: Rows,
    next: usize,
    done: Option<Done>,
}

#[derive(Debug)]
struct UnderWay {
    audit: SessionAudit<'static>,
    comparison: Comparison,
    tools: ToolShares,
}

#[derive(Debug)]
struct Done {
    report: SessionReport,
    stretches: Vec<Stretch>,
    play: ProfileFindings,
    tools: Vec<ToolShare>,
}

#[derive(Debug, Serialize)]
struct JudgedSession<'d> {
    report: &'d SessionReport,
    stretches: &'d [Stretch],
    play: ProfilePlay<'d>,
    tools: &'d [ToolShare],
    rows: usize,
}

impl Judgement {
    pub(super) fn new(session: Rc<KeptSession>, rules: &str) -> Result<Self, Error> {
        let (rules, model) = rules_of(rules)?;
        let settings = AuditSettings {
            rules: rules.clone(),
            model: model.clone(),
            prices: Prices::listed(),
        };
        let mut audit = SessionAudit::with(&session.name, Cow::Owned(settings))?;
        audit.outdated = session.outdated.clone();
        (0..session.unread).for_each(|_| audit.lost());
        let comparison = comparison(&session.name, rules, model.clone())?;
        Ok(Self {
            session,
            model,
            under_way: Some(UnderWay {
                audit,
                comparison,
                tools: ToolShares::default(),
            }),
            rows: Rows::default(),
            next: 0,
            done: None,
        })
    }

    /// Goes on with the next records. Returns the part that is done, from 0 to 1.
    pub fn go(&mut self, records: usize) -> f64 {
        let session = &self.session;
        let end = session.records.len().min(self.next.saturating_add(records));
        if let Some(under_way) = &mut self.under_way {
            for (at, record) in (self.next..end).zip(&session.records[self.next..end]) {
                let model = self.model.as_deref();
                let changed = model.and_then(|model| with_model(record, model));
                under_way.take(
                    at as u32,
                    changed.as_ref().unwrap_or(record),
                    &mut self.rows,
                );
            }
        }
        self.next = end;
        if end == session.records.len()
            && let Some(under_way) = self.under_way.take()
        {
            self.done = under_way.end(session.format);
        }
        session.part(end)
    }

    /// The judgement as JSON, once all is done.
    pub fn result(&self) -> Option<String> {
        let Done {
            report,
            stretches,
            play,
            tools,
        } = self.done.as_ref()?;
        Some(written(&JudgedSession {
            report,
            stretches,
            play: ProfilePlay::of(play),
            tools,
            rows: self.rows.len(),
        }))
    }

    /// Some rows of the list of events, from `from` up to `to`, as JSON.
    pub fn rows(&self, from: usize, to: usize) -> String {
        written(&self.rows.between(&self.session.records, from, to))
    }

    /// All that a row stands for, as JSON.
    pub fn row(&self, at: usize) -> Option<String> {
        let row = self.rows.whole(&self.session.records, at)?;
        Some(written(&row))
    }

    /// Its report as a page, once all is done; the session's own texts are in it if they are asked for. `now` is the
    /// user's clock, in milliseconds since 1970.
    pub fn page(&self, language: &str, has_texts: bool, now: f64) -> Option<String> {
        let Done {
            report, stretches, ..
        } = self.done.as_ref()?;
        Some(saved_page(report, stretches, language, has_texts, now))
    }

    /// The next row after a row that has these words, in whatever case; after the last comes the first.
    pub fn find(&self, words: &str, after: usize) -> Option<usize> {
        self.rows.find(&self.session.records, words, after)
    }

    /// The row of a call, from 0 over the session.
    pub fn row_of_call(&self, call: u32) -> usize {
        self.rows.of_call(call)
    }
}

impl UnderWay {
    /// Takes the next record of the session, which has this number.
    fn take(&mut self, number: u32, record: &Record, rows: &mut Rows) {
        self.audit.take(record);
        for (item, it) in (0..).zip(&record.items) {
            // What a record says that came before was counted once.
            if !record.is_again {
                self.tools.take(&it.event);
            }
            let steps = self.comparison.play(&it.event, record.place);
            let counts = self.comparison.counts();
            let (count, threshold) = counts.map_or((0, 0), |it| (it.run, it.threshold));
            let place = At {
                record: number,
                item,
            };
            if let [step] = &steps[..] {
                rows.take(place, &it.event, step, Run { count, threshold });
            }
        }
    }

    /// None of a session in which nothing happened.
    fn end(self, format: Format) -> Option<Done> {
        let audited = self.audit.end(Some(format))?;
        Some(Done {
            report: audited.report,
            stretches: audited.timeline,
            play: self.comparison.end().profiles.pop()?,
            tools: self.tools.end(),
        })
    }
}

/// The rules that the page asks for, as JSON: a profile, thresholds of the user's own, and the model to judge by.
fn rules_of(json: &str) -> Result<(Rules, Option<String>), Error> {
    let wrong = |message: &str| Error::new(ErrorCode::InvalidConfig, "page", message).at("rules");
    let mut asked: Value = serde_json::from_str(json).map_err(|_| wrong("is no JSON"))?;
    let fields = asked
        .as_object_mut()
        .ok_or_else(|| wrong("must be an object"))?;
    let model = fields.remove("model");
    let model = model.and_then(|model| model.as_str().map(str::to_owned));
    let profile = fields.get("profile").and_then(Value::as_str);
    let profile = profile.and_then(Profile::of).unwrap_or_default();
    let rules = match profile.is_own() {
        true => Rules::Own(Box::new(LoopDetectorOptions::from_value(&asked)?)),
        false => profile.rules(),
    };
    Ok((rules, model))
}
