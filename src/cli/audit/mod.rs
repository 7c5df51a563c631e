//! `turnkeeper audit`: what did my agents waste, and on what?
//!
//! | file | |
//! |---|---|
//! | `files.rs` | the sessions, and what becomes of each |
//! | `judges.rs` | all cores judge, the largest first |
//! | `judge.rs` | one session |
//! | `record.rs` | what has been found so far |
//! | `period.rs` | the time that it is of |
//! | `trend.rs` | what was spent on the days before |
//! | `screen.rs`, `usage.rs`, `json.rs`, `page.rs` | what is shown of it |

mod files;
mod json;
mod judge;
mod judges;
mod page;
mod period;
mod record;
mod screen;
mod trend;
mod usage;

use std::fs;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use jiff::tz::TimeZone;
use turnkeeper_agents::Agent;
use turnkeeper_analysis::audit_words::Today;
use turnkeeper_analysis::prices::Prices;
use turnkeeper_analysis::quoting::Shell;
use turnkeeper_analysis::report::By;
use turnkeeper_analysis::report::{Saveable, SessionReport, SessionUsage, UsageReport};
use turnkeeper_analysis::session::AuditSettings;
use turnkeeper_analysis::view::{ENGLISH, View, report_html};
use turnkeeper_analysis::wording::name_of;

use crate::clock;
use crate::options::{
    fails_option, flag, given_paths, given_profile, many, model_option, option, paths,
    profile_option, whole_number,
};
use crate::terminal::output::{LOOP, Output};
use files::How;
use judge::Asked;
use period::{Moment, Period};
use record::Record;
use screen::Screen;
use trend::Trend;
use usage::UsageRows;

const DETAILS: &str = "\
Without a path it looks where agents keep their sessions, and shows the last
seven days. It shows what they cost, what of it could have been saved, on what
it went with a command to paste, and the sessions that wasted most. \"~\" marks
what is estimated, where a file does not record it.

  turnkeeper                                  the last seven days
  turnkeeper audit --since 30d --agent codex  one agent, a month
  turnkeeper audit --since all --by month     each month, and its sum
  turnkeeper audit ~/tasks --html report.html a folder, with pictures

--json, --jsonl and --html hold titles of sessions and up to 300 characters of
calls and results in loops; --no-text leaves them out. Nothing leaves this
computer. docs/audit.md in the npm package turnkeeper explains the figures.

Exit code: 0; 1 with --fail-on-loop if a loop was stopped; 2 if any input was
bad.";

pub(crate) fn command() -> Command {
    let names: Vec<&str> = agent_names().collect();
    Command::new("audit")
        .about("show what your agents cost, and what of it was wasted")
        .long_about("Show what your agents cost, and what of it was wasted.")
        .after_help(DETAILS)
        .arg(paths(
            false,
            "sessions, and folders of sessions (default: where agents keep them)",
        ))
        .arg(
            option(
                "agent",
                "names",
                &format!("only these: {}", names.join(", ")),
            )
            .value_delimiter(',')
            .action(ArgAction::Append)
            .value_parser(agent_named),
        )
        .arg(
            option(
                "since",
                "when",
                "from when on: 24h, 7d, 2w, 2026-11-01, all (default: 7d without a path)",
            )
            .value_parser(Moment::read),
        )
        .arg(option("until", "when", "up to when; a day is whole").value_parser(Moment::read))
        .arg(
            option("by", "what", &format!("sums by {}", group_names()))
                .value_parser(group_named),
        )
        .arg(
            option("top", "n", "how many sessions are listed")
                .value_parser(whole_number(0, 1_000_000))
                .default_value("10"),
        )
        .arg(flag("all", "list all sessions"))
        .arg(
            option(
                "html",
                "file",
                "write the report with pictures: one page that needs nothing else",
            )
            .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            flag(
                "usage",
                "only what was used: the same figures in a fraction of the time, a row for each session as soon as it is read",
            )
            .conflicts_with_all(["html", "fail-on-loop", "profile", "top", "all"]),
        )
        .arg(flag("json", "one JSON object instead of the table").conflicts_with("jsonl"))
        .arg(flag(
            "jsonl",
            "one JSON line for each session, as soon as it is judged",
        ))
        .arg(flag(
            "no-text",
            "leave out what users, models and tools wrote",
        ))
        .arg(flag(
            "no-history",
            "keep no line a day for the comparison with the week before",
        ))
        .arg(fails_option())
        .arg(prices_option())
        .arg(profile_option())
        .arg(model_option())
        .arg(
            option(
                "jobs",
                "n",
                "how many files to judge at once (default: one for each core)",
            )
            .value_parser(whole_number(1, 256)),
        )
        .arg(flag("verbose", "name the files that are no sessions").short('v'))
        .arg(flag("quiet", "only the headline").short('q'))
}

/// `--prices FILE`, whose entries go before those of the published table.
fn prices_option() -> Arg {
    let text = "prices as JSON: {\"<model>\": {\"input\", \"output\", \"cacheRead\", \"cacheWrite\"}}, in \
        dollars for a million tokens; \"*\" stands for models that have none (default: list prices)";
    option("prices", "file", text).value_parser(read_prices)
}

fn read_prices(file: &str) -> Result<Prices, String> {
    let text = fs::read_to_string(file).map_err(|_| "it cannot be read".to_owned())?;
    Prices::listed().with(&text)
}

fn agent_names() -> impl Iterator<Item = &'static str> {
    Agent::with_sessions().map(Agent::name)
}

fn agent_named(name: &str) -> Result<&'static str, String> {
    agent_names()
        .find(|known| *known == name.trim())
        .ok_or_else(|| {
            let names: Vec<&str> = agent_names().collect();
            format!("\"{name}\" is none of {}", names.join(", "))
        })
}

fn group_names() -> String {
    By::ALL.iter().map(name_of).collect::<Vec<_>>().join(", ")
}

fn group_named(name: &str) -> Result<By, String> {
    let found = By::ALL.iter().find(|by| name_of(by) == name);
    found
        .copied()
        .ok_or_else(|| format!("it is one of {}", group_names()))
}

pub(crate) fn run(given: &ArgMatches, output: &mut Output) {
    let names = given_paths(given);
    let is_found = names.is_empty();
    let html = given.get_one::<PathBuf>("html");
    if let Some(html) = html
        && output.attempt(page::place_of(html)).is_none()
    {
        return;
    }
    let (since, until) = (
        given.get_one::<Moment>("since"),
        given.get_one::<Moment>("until"),
    );
    let period = Period::between(since, until, is_found);
    if period.times.since > period.times.until {
        return output.complain("--since is later than --until");
    }
    let [json, jsonl, fails, no_text, is_of_usage, is_quiet] =
        ["json", "jsonl", "fail-on-loop", "no-text", "usage", "quiet"]
            .map(|name| given.get_flag(name));
    if html.is_none() && !fails {
        output.end_when_unread();
    }
    let settings = AuditSettings {
        rules: given_profile(given).rules(),
        model: given.get_one::<String>("model").cloned(),
        prices: given
            .get_one::<Prices>("prices")
            .cloned()
            .unwrap_or_default(),
    };
    let how = How {
        asked: match is_of_usage {
            true => Asked::Usage,
            false => Asked::All,
        },
        jobs: given.get_one::<u32>("jobs").map(|&jobs| jobs as usize),
        as_judged: jsonl,
        agents: many(given, "agent"),
    };
    // Only what all agents did can be compared with the week before.
    let is_whole = is_found && how.agents.is_empty() && since.is_none() && until.is_none();
    let mut trend = (is_whole && !given.get_flag("no-history")).then(Trend::read);
    let title = period.title.clone();
    let mut record = Record::new(period);
    let today = Today::new(clock::now(), TimeZone::system());
    let rows = UsageRows {
        today: &today,
        has_head: false.into(),
    };
    let on_session = |report: &SessionReport, output: &mut Output| {
        if jsonl {
            let mut report = report.clone();
            if no_text {
                report.leave_out_texts();
            }
            match is_of_usage {
                true => output.json(&SessionUsage::from(report)),
                false => output.json(&report),
            }
            output.flush();
        } else if is_of_usage && !json && !is_quiet {
            rows.show(report, output);
        }
    };
    files::judge_files(&names, &settings, &how, &mut record, output, &on_session);
    let missing = std::mem::take(&mut record.missing);
    let by = given.get_one::<By>("by").copied();
    let mut found = record.end(&settings, by, trend.as_mut());
    if is_of_usage {
        // What is known of it is not all that could have been saved.
        found.report.total.saveable = Saveable::default();
    }
    if !json && !jsonl {
        let top = given.get_one::<u32>("top").map_or(0, |&top| top as usize);
        let screen = Screen {
            report: &found.report,
            period: &title,
            week_before: trend.as_ref().and_then(Trend::week_before),
            missing: &missing,
            today: &today,
            top: if given.get_flag("all") {
                usize::MAX
            } else {
                top
            },
            is_quiet,
            is_of_usage,
            is_verbose: given.get_flag("verbose"),
        };
        screen.show(output);
    }
    if no_text {
        found
            .report
            .sessions
            .iter_mut()
            .for_each(SessionReport::leave_out_texts);
    }
    match json {
        true if is_of_usage => json::show(output, &UsageReport::from(found.report.clone())),
        true => json::show(output, &found.report),
        false => {}
    }
    if fails && found.report.total.stops > 0 {
        output.end_with(LOOP);
    }
    if let Some(trend) = trend {
        trend.save();
    }
    if let Some(html) = html {
        let view = View {
            words: &ENGLISH,
            today: &today,
            shell: Shell::HERE,
        };
        let parts = report_html(&found.report, &found.timelines, &title, view);
        page::write(html, parts, output);
    }
}
