//! One session's report as a page of its own, as `turnkeeper audit --html` makes it.

use jiff::tz::TimeZone;

use crate::agents::agent_title;
use crate::audit_words::Today;
use crate::prices::Prices;
use crate::quoting::Shell;
use crate::report::{AuditReport, SCHEMA_VERSION, SessionReport, TOKENS_ESTIMATED};
use crate::sum::total_of;
use crate::timeline::Stretch;
use crate::view::{CHINESE, ENGLISH, View, report_html};

/// A file whose name is not told.
const NAMELESS: &str = "session";

/// The page in a language, at a time in milliseconds since 1970. Nothing that the session says is in it but by `has_texts`.
pub(super) fn saved_page(
    report: &SessionReport,
    stretches: &[Stretch],
    language: &str,
    has_texts: bool,
    now: f64,
) -> String {
    let mut session = report.clone();
    if !has_texts {
        NAMELESS.clone_into(&mut session.session.file);
        session.session.project = None;
        session.leave_out_texts();
    }
    let agent = session.session.agent_or_format();
    let period = agent_title(agent).to_owned();
    let whole = AuditReport {
        schema_version: SCHEMA_VERSION,
        total: total_of(&session),
        groups: None,
        skipped: Vec::new(),
        problems: Vec::new(),
        profile: session.profile,
        since: None,
        until: None,
        tokens_estimated: TOKENS_ESTIMATED.to_owned(),
        prices: Prices::listed().list().clone(),
        sessions: vec![session],
    };
    let view = View {
        words: if language == "zh" { &CHINESE } else { &ENGLISH },
        today: &Today::new(now, TimeZone::UTC),
        shell: Shell::Posix,
    };
    report_html(&whole, &[stretches.to_vec()], &period, view).collect()
}
