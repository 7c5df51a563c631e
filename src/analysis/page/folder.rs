//! A folder of sessions, as the audit sees it.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde::Serialize;
use turnkeeper_agents::sessions::SessionReader;
use turnkeeper_base::json::written;

use crate::agents::agent_title;
use crate::audit_words::{
    finding_advice, finding_place, finding_title, project_name, session_title,
};
use crate::audited::AuditedSession;
use crate::findings::{Finding, Waste, findings_of, worst_first};
use crate::plain_text::one_line;
use crate::prices::Prices;
use crate::profile::Profile;
use crate::quoting::Shell;
use crate::report::{SessionReport, Total, Usage};
use crate::session::{Audit, AuditSettings, SessionAudit};
use crate::sum::{Period, sum};
use crate::twins::twin_of;

/// The most sessions that are listed.
const MOST_ROWS: usize = 500;
/// The most findings that are told.
const MOST_FINDINGS: usize = 5;

static SETTINGS: LazyLock<AuditSettings> = LazyLock::new(|| AuditSettings {
    rules: Profile::default().rules(),
    model: None,
    prices: Prices::listed(),
});

/// Looks at the files of a folder, one after the other.
#[derive(Debug)]
pub struct FolderAudit {
    paths: HashSet<String>,
    audited: Vec<AuditedSession>,
    current: Option<Current>,
    /// Files that are no sessions.
    skipped: u32,
}

/// The file that is read.
#[derive(Debug)]
struct Current {
    reader: SessionReader,
    audit: SessionAudit<'static>,
    is_broken: bool,
}

#[derive(Debug, Serialize)]
struct AuditedFolder<'f> {
    sessions: Vec<FolderRow<'f>>,
    findings: Vec<ShownFinding<'f>>,
    total: &'f Total,
    skipped: u32,
}

/// A session of the folder.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FolderRow<'f> {
    /// Below the folder.
    file: &'f str,
    title: String,
    agent: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<&'f str>,
    calls: u64,
    usage: &'f Usage,
    /// In US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_save: Option<f64>,
    /// Outdated tokens.
    outdated: u64,
    loops: usize,
    /// The first call of its first loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_call: Option<u64>,
}

/// A finding, and its words in English.
#[derive(Debug, Serialize)]
struct ShownFinding<'f> {
    waste: Waste,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
    count: u64,
    tokens: u64,
    agent: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    title: String,
    place: String,
    does: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

impl FolderAudit {
    /// A folder with files at these paths.
    pub fn new(paths: Vec<String>) -> Self {
        Self {
            paths: paths.into_iter().collect(),
            audited: Vec::new(),
            current: None,
            skipped: 0,
        }
    }

    /// Begins the next file. Returns whether its bytes are wanted: another one beside it may say the same, and more. If
    /// not, it need not be ended.
    pub fn file(&mut self, path: &str) -> bool {
        let is_twin = twin_of(path, |other| self.paths.contains(other)).is_some();
        let audit = (!is_twin)
            .then(|| SessionAudit::new(path, &SETTINGS).ok())
            .flatten();
        self.skipped += u32::from(audit.is_none());
        self.current = audit.map(|audit| Current {
            reader: SessionReader::new(path),
            audit,
            is_broken: false,
        });
        self.current.is_some()
    }

    /// Takes the next bytes. Returns whether more of them are wanted.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let Some(current) = &mut self.current else {
            return false;
        };
        let Current { reader, audit, .. } = current;
        current.is_broken = reader
            .push(bytes, &mut |piece| audit.take_piece(piece))
            .is_err();
        !current.is_broken
    }

    /// Ends the file. A session that breaks off is judged up to there.
    pub fn end(&mut self) {
        let Some(mut current) = self.current.take() else {
            return;
        };
        if !current.is_broken {
            let Current { reader, audit, .. } = &mut current;
            let _ = reader.end(&mut |piece| audit.take_piece(piece));
        }
        let format = current.reader.format();
        match current.audit.end(format) {
            Some(audited) => self.audited.push(audited),
            None => self.skipped += 1,
        }
    }

    /// The cost of all sessions, as JSON; the folder is of no more use.
    pub fn result(&mut self) -> String {
        let summed = sum(std::mem::take(&mut self.audited), Period::ALL);
        let reports: Vec<&SessionReport> = summed.sessions.iter().map(|it| &it.report).collect();
        let findings = findings_of(&reports);
        let sessions = worst_first(&reports);
        written(&AuditedFolder {
            sessions: sessions.into_iter().take(MOST_ROWS).map(row).collect(),
            findings: findings.iter().take(MOST_FINDINGS).map(found).collect(),
            total: &summed.total,
            skipped: self.skipped,
        })
    }
}

fn row(report: &SessionReport) -> FolderRow<'_> {
    let agent = report.session.agent_or_format();
    FolderRow {
        file: &report.session.file,
        title: one_line(session_title(report), 120),
        agent: agent_title(agent),
        project: report.session.project.as_deref().map(shown_project),
        ended: report.session.ended.as_deref(),
        calls: report.counts.calls,
        usage: &report.usage,
        to_save: report.saveable.dollars,
        outdated: report.saveable.tokens,
        loops: report.loops.len(),
        first_call: report.loops.first().and_then(|found| found.first_call),
    }
}

fn shown_project(project: &str) -> String {
    one_line(project_name(project), 60)
}

fn found<'f>(finding: &Finding<'f>) -> ShownFinding<'f> {
    let advice = finding_advice(finding, Shell::Posix);
    ShownFinding {
        waste: finding.waste,
        dollars: finding.dollars,
        count: finding.count,
        tokens: finding.tokens,
        agent: agent_title(finding.agent),
        project: finding.project.map(shown_project),
        title: finding_title(finding),
        place: one_line(&finding_place(finding), 200),
        does: advice.does,
        command: advice.command.map(|command| one_line(&command, 4_000)),
    }
}
