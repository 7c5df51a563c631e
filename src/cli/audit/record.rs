//! The findings of an audit.

use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use turnkeeper_analysis::audited::{AuditedSession, iso_time};
use turnkeeper_analysis::groups::grouped;
use turnkeeper_analysis::report::By;
use turnkeeper_analysis::report::{
    AuditReport, Problem as Told, SCHEMA_VERSION, SessionReport, Skipped, TOKENS_ESTIMATED,
};
use turnkeeper_analysis::session::AuditSettings;
use turnkeeper_analysis::sum::sum;
use turnkeeper_analysis::timeline::Stretch;

use super::period::Period;
use super::trend::Trend;
use crate::problem::{Kind, Problem};
use crate::terminal::output::{MISTAKE, Output};

/// The findings of an audit so far.
pub(super) struct Record {
    pub(super) period: Period,
    /// The places that are not there, or cannot be looked at, in sentences.
    pub(super) missing: Vec<String>,
    /// Those of other times may own what those of this time have copied.
    sessions: Vec<AuditedSession>,
    /// Whether there is a session of this time.
    has_sessions: bool,
    skipped: Vec<Skipped>,
    problems: Vec<Told>,
}

/// All that an audit has found.
pub(super) struct AuditFindings {
    pub(super) report: AuditReport,
    /// The calls of each session, in the order of the report.
    pub(super) timelines: Vec<Vec<Stretch>>,
}

impl Record {
    pub(super) fn new(period: Period) -> Self {
        Record {
            period,
            missing: Vec::new(),
            sessions: Vec::new(),
            has_sessions: false,
            skipped: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Takes a session: its report as it is by itself, if it is of this time.
    pub(super) fn session(&mut self, session: AuditedSession) -> Option<&SessionReport> {
        let is_in_period = self.period.times.touches(session.times());
        self.has_sessions |= is_in_period;
        self.sessions.push(session);
        let session = self.sessions.last().filter(|_| is_in_period);
        session.map(|session| &session.report)
    }

    pub(super) fn skip(&mut self, file: &Path, reason: String) {
        self.skipped.push(Skipped {
            file: file.to_string_lossy().into_owned(),
            reason,
        });
    }

    pub(super) fn problem(&mut self, problem: &Problem, output: &mut Output) {
        self.problems.push(Told {
            file: problem.file.to_string_lossy().into_owned(),
            line: problem.line,
            reason: problem.why.clone(),
        });
        output.complain(problem);
        if problem.kind == Kind::Mistake {
            output.end_with(MISTAKE);
        }
    }

    /// Whether there is neither a session nor a problem.
    pub(super) fn is_empty(&self) -> bool {
        !self.has_sessions && self.problems.is_empty()
    }

    /// Adds the sessions up, each thing once, and to the trend.
    pub(super) fn end(
        self,
        settings: &AuditSettings,
        by: Option<By>,
        trend: Option<&mut Trend>,
    ) -> AuditFindings {
        let times = self.period.times;
        let summed = sum(self.sessions, times);
        let zone = TimeZone::system();
        let day_of = |time: f64| day(time, &zone);
        if let Some(trend) = trend {
            add_to(trend, &summed.sessions, &day_of);
        }
        let groups = by.map(|by| grouped(&summed.sessions, by, &day_of));
        let time = |time: f64| time.is_finite().then(|| iso_time(time));
        let mut timelines = Vec::with_capacity(summed.sessions.len());
        let mut sessions = Vec::with_capacity(summed.sessions.len());
        for session in summed.sessions {
            timelines.push(session.timeline);
            sessions.push(session.report);
        }
        let report = AuditReport {
            schema_version: SCHEMA_VERSION,
            sessions,
            total: summed.total,
            groups,
            skipped: self.skipped,
            problems: self.problems,
            profile: settings.rules.profile(),
            since: time(times.since),
            until: time(times.until),
            tokens_estimated: TOKENS_ESTIMATED.to_owned(),
            prices: settings.prices.list().clone(),
        };
        AuditFindings { report, timelines }
    }
}

/// The day of a time, by the user's clock.
fn day(time: f64, zone: &TimeZone) -> Date {
    let time = Timestamp::from_millisecond(time as i64);
    zone.to_datetime(time.unwrap_or_default()).date()
}

/// Adds what each project used on each day.
fn add_to(trend: &mut Trend, sessions: &[AuditedSession], day_of: &dyn Fn(f64) -> Date) {
    for session in sessions {
        let project = session
            .report
            .session
            .project
            .as_deref()
            .unwrap_or_default();
        for row in grouped(std::slice::from_ref(session), By::Day, day_of).rows {
            if let Some(day) = &row.key {
                trend.add(
                    day,
                    project,
                    row.requests,
                    row.tokens,
                    row.dollars.unwrap_or(0.0),
                );
            }
        }
    }
}
