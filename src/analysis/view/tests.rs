//! The report of a few sessions, some of which mean harm.

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::*;
use crate::tools::CallKind;

const HOSTILE: &str =
    "\"><img src=x onerror=\"owned=1\"><script>owned=1</script></style>\u{1b}\u{202e}";

fn usage(dollars: Option<f64>) -> Value {
    let mut usage = json!({
        "requests": 3, "input": 100, "cacheRead": 12_000, "cacheWrite": 200, "output": 50,
        "tokens": 12_350, "isEstimated": false,
    });
    if let Some(dollars) = dollars {
        usage["dollars"] = dollars.into();
    }
    usage
}

fn saveable(dollars: f64) -> Value {
    json!({
        "tokens": 2_398, "dollars": dollars,
        "loops": {"calls": 9, "requests": 2, "tokens": 400, "dollars": dollars},
        "outdated": {"tokens": 2_398, "tokensSent": 0, "kinds": {
            "duplicate": {"items": 0, "tokens": 0}, "environment": {"items": 0, "tokens": 0},
            "file": {"items": 2, "tokens": 2_398}}},
        "rereads": {"compactions": 0, "calls": 0, "tokens": 0, "tokensSent": 0},
        "pauses": {"requests": 0, "tokens": 0},
    })
}

fn session(title: &str, dollars: f64) -> Value {
    json!({
        "file": format!("{title}.json"), "format": "cline", "title": title, "project": "/home/user/site",
        "ended": "2026-11-03T09:00:00.000Z", "profile": "standard",
        "events": 30, "calls": 12, "turns": 12, "commands": 0, "terminalsNeeded": 0,
        "terminalsReusable": 0, "leftOut": 0, "unread": 2,
        "loops": [{
            "action": "stop", "type": "repeated_error", "rule": "same_error", "tool": "edit", "firstCall": 2,
            "lastCall": 9, "place": 7, "count": 8, "message": format!("It failed: {title}"), "evidence": "",
        }],
        "usage": usage(Some(dollars)), "saveable": saveable(dollars / 2.0),
        "tokens": {"system": 0, "environment": 0, "user": 30, "text": 20, "reasoning": 0, "calls": 25,
            "results": 25, "total": 100},
        "blind": ["results"],
    })
}

fn report(sessions: &[Value]) -> AuditReport {
    let mut total = sessions[0].clone();
    total["sessions"] = sessions.len().into();
    for field in ["sessionsEstimated", "stops", "nudges", "sessionsWithStops"] {
        total[field] = 1.into();
    }
    total["usage"]["unpriced"] = json!({"requests": 2, "tokens": 900_000, "models": ["new-model"]});
    let report = json!({
        "schemaVersion": 1, "sessions": sessions, "total": total,
        "skipped": [{"file": "/no/<b>file", "reason": "is in no format"}],
        "problems": [{"file": "bad.json", "line": 3, "reason": "is not JSON"}],
        "profile": "standard", "tokensEstimated": "", "prices": {"date": "2026-11-20", "source": "a list"},
    });
    serde_json::from_value(report).expect("a report")
}

fn today() -> Today {
    Today::new(1_795_766_399_123.0, TimeZone::UTC)
}

fn page(report: &AuditReport, words: &Words) -> String {
    let today = today();
    let view = View {
        words,
        today: &today,
        shell: Shell::Posix,
    };
    let stretch = |first, last, kind| Stretch {
        first,
        last,
        kind,
        in_loop: None,
    };
    let timeline = vec![
        stretch(0, 3, CallKind::Read),
        stretch(4, 5, CallKind::Read),
        stretch(6, 11, CallKind::Edit),
    ];
    let timelines = vec![timeline; report.sessions.len()];
    report_html(report, &timelines, "all time", view).collect()
}

#[test]
fn the_report_begins_with_the_money() {
    let html = page(
        &report(&[session("Dear", 2.5), session("Dearer", 5.0)]),
        &ENGLISH,
    );
    let order = [
        "<!doctype html>\n<html lang=\"en\">",
        "<h1>What 2 saved sessions cost</h1>",
        "all time: 2 sessions; 9 calls, $1.25 of $2.50 (50 %) could have been saved; 900k tokens have no price",
        "<div class=\"figure-cost\"><dt>cost</dt>",
        "figure-outdated\"><dt>outdated tokens</dt><dd>2,398</dd>",
        "new-model (2 requests, 900k tokens)",
        "2 records could not be read",
        "<b>$3.75</b> loops: 2 loops, 800 tokens after the first nudges; most by Cline in site",
        "repair --economy resume --in-place",
        "<th class=\"column-cost number\" scope=\"col\">cost</th>",
        "<a href=\"#s0\"><bdi>Dearer</bdi></a>",
        "Prices of 2026-11-20 from a list",
        "<article id=\"s0\"><h3><bdi>Dearer</bdi></h3>",
        "<rect class=\"call-read\" x=\"0\" y=\"0\" width=\"6\" height=\"18\"><title>calls 1 to 6: reads</title>",
        "<rect class=\"loop-stop\" x=\"2\" y=\"20\" width=\"8\" height=\"6\">",
        "repeated_error, same_error",
        "<code>bad.json</code> line 3: is not JSON",
    ];
    let mut from = 0;
    for part in order {
        let at = html[from..].find(part);
        from += at.unwrap_or_else(|| panic!("{part} is not after {from} in {html}"));
    }
}

#[test]
fn what_sessions_say_is_text() {
    let html = page(&report(&[session(HOSTILE, 1.0)]), &ENGLISH);
    for tag in [
        "<img", "<script", "<b>file", "onerror=\"", "http:", "https:", "url(",
    ] {
        assert!(!html.contains(tag), "{tag} in {html}");
    }
    assert!(html.contains("&lt;script>owned=1"));
    assert_eq!(html.matches("<style>").count(), 1);
    let is_control = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
    assert!(!html.contains(is_control));
}

#[test]
fn the_page_allows_its_own_style_alone() {
    let html = page(&report(&[session("One", 1.0)]), &ENGLISH);
    let hash = BASE64.encode(Sha256::digest(style::style()));
    let policy =
        format!("content=\"default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'");
    assert!(html.contains(&policy), "{html}");
    assert!(html.contains(&format!("<style>{}</style>", style::style())));
}

#[test]
fn the_report_is_also_in_chinese() {
    let html = page(&report(&[session("One", 1.0)]), &CHINESE);
    for part in [
        "lang=\"zh-CN\"",
        "9 个调用、US$1.00 中的 US$0.50（50 %）本可省下",
        "11月3日",
        "循环：1 个",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
}

#[test]
fn a_session_without_a_title_has_the_name_of_its_file_and_folder() {
    let mut session = session("One", 1.0);
    let fields = session.as_object_mut().expect("an object");
    fields.remove("title");
    fields.insert("file".to_owned(), "/home/user/tasks/17/history.json".into());
    let html = page(&report(&[session]), &ENGLISH);
    assert!(html.contains("<a href=\"#s0\"><bdi>17/history.json</bdi></a>"));
    assert!(html.contains("<h3><bdi>17/history.json</bdi></h3>"));
}

#[test]
fn a_column_that_says_nothing_is_not_there() {
    let mut session = session("One", 1.0);
    session
        .as_object_mut()
        .expect("an object")
        .remove("project");
    let html = page(&report(&[session]), &ENGLISH);
    assert!(!html.contains("column-project\""));
    assert!(html.contains("column-agent\""));
}
