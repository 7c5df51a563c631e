//! Where sessions are looked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use turnkeeper_agents::folders::Platform;

use super::*;

/// A file that each agent keeps, below the home folder on Linux.
const FILES: &[(&str, &str)] = &[
    ("claude-code", ".claude/projects/-home-user-site/a.jsonl"),
    (
        "claude-code",
        ".config/Claude/local-agent-mode-sessions/x/local_1/.claude/projects/p/a.jsonl",
    ),
    ("codex", ".codex/sessions/2026/01/01/rollout-a.jsonl"),
    ("codex", ".codex/archived_sessions/rollout-b.jsonl.zst"),
    ("gemini-cli", ".gemini/tmp/site/chats/session-a.json"),
    ("qwen-code", ".qwen/projects/-home-user-site/chats/a.jsonl"),
    ("copilot-cli", ".copilot/session-state/a/events.jsonl"),
    (
        "copilot-chat",
        ".config/Code/User/workspaceStorage/01ab/chatSessions/a.json",
    ),
    (
        "cline",
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
    ),
    ("cline", ".cline/data/sessions/1/1.messages.json"),
    (
        "roo",
        ".config/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json",
    ),
    (
        "kilo",
        ".config/VSCodium/User/globalStorage/kilocode.kilo-code/tasks/1/ui_messages.json",
    ),
    ("goose", ".local/share/goose/sessions/20260101_090000.jsonl"),
    ("pi", ".pi/agent/sessions/--home--/a.jsonl"),
    ("openhands", ".openhands/conversations/1/base_state.json"),
    ("kimi", ".kimi/sessions/01ab/2/wire.jsonl"),
    ("hermes", ".hermes/sessions/20260901_100000_abcdef.jsonl"),
    ("codebuddy", ".codebuddy/projects/srv-app/s.jsonl"),
    ("nanobot", ".nanobot/workspace/sessions/cli_direct.jsonl"),
    ("continue", ".continue/sessions/a.json"),
];

/// The files that are found, by agent, and what is complained of.
fn find(
    home: &Path,
    platform: Platform,
    variables: &[(&str, &Path)],
) -> BTreeMap<&'static str, Vec<PathBuf>> {
    let value = |name: &str| {
        let mut named = variables.iter();
        named
            .find(|it| it.0 == name)
            .map(|it| it.1.to_string_lossy().into_owned())
    };
    let mut complain = |problem: Problem| panic!("{problem}");
    let mut search = Search {
        around: Where {
            home,
            platform,
            variable: &value,
        },
        since: f64::NEG_INFINITY,
        complain: &mut complain,
    };
    let mut found: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    for input in search.find(Agent::with_sessions()) {
        found
            .entry(input.agent.expect("an agent"))
            .or_default()
            .push(input.file);
    }
    found
}

fn write(file: &Path) {
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    fs::write(file, "{}").expect("written");
}

fn expected(home: &Path, files: &[(&'static str, String)]) -> BTreeMap<&'static str, Vec<PathBuf>> {
    let mut expected: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    for (agent, file) in files {
        expected.entry(agent).or_default().push(home.join(file));
    }
    expected
}

#[test]
fn each_agent_has_its_folders_on_each_system() {
    for (platform, desktop) in [
        (Platform::Unix, ".config"),
        (Platform::MacOs, "Library/Application Support"),
        (Platform::Windows, "AppData/Roaming"),
    ] {
        let home = tempfile::tempdir().expect("a folder");
        let own = |file: &str| match file.strip_prefix(".config/") {
            Some(below) => format!("{desktop}/{below}"),
            None => file.to_owned(),
        };
        let files: Vec<(&str, String)> = FILES
            .iter()
            .map(|(agent, file)| (*agent, own(file)))
            .collect();
        for (_, file) in &files {
            write(&home.path().join(file));
        }
        // Files that are none of theirs.
        for other in [
            ".claude/settings.json",
            ".codex/history.jsonl",
            ".gemini/tmp/site/logs.json",
        ] {
            write(&home.path().join(other));
        }
        assert_eq!(
            find(home.path(), platform, &[]),
            expected(home.path(), &files),
            "{platform:?}"
        );
    }
}

#[test]
fn variables_move_the_folders_and_the_usual_ones_are_not_looked_at() {
    let root = tempfile::tempdir().expect("a folder");
    let (home, moved) = (root.path().join("home"), root.path().join("moved"));
    for (_, file) in FILES {
        write(&home.join(file));
    }
    for (agent, variable, folder, file) in [
        (
            "claude-code",
            "CLAUDE_CONFIG_DIR",
            "claude",
            "claude/projects/-site/a.jsonl",
        ),
        (
            "codex",
            "CODEX_HOME",
            "codex",
            "codex/sessions/2026/rollout-b.jsonl",
        ),
        (
            "gemini-cli",
            "GEMINI_CLI_HOME",
            "gemini",
            "gemini/.gemini/tmp/site/chats/c.json",
        ),
        (
            "copilot-cli",
            "COPILOT_HOME",
            "copilot",
            "copilot/session-state/d/events.jsonl",
        ),
        (
            "pi",
            "PI_CODING_AGENT_DIR",
            "pi",
            "pi/sessions/--site--/e.jsonl",
        ),
        (
            "kimi",
            "KIMI_SHARE_DIR",
            "kimi",
            "kimi/sessions/0a/f/wire.jsonl",
        ),
        (
            "qwen-code",
            "QWEN_RUNTIME_DIR",
            "qwen",
            "qwen/projects/-site/chats/g.jsonl",
        ),
        (
            "goose",
            "GOOSE_PATH_ROOT",
            "goose",
            "goose/data/sessions/h.jsonl",
        ),
        ("hermes", "HERMES_HOME", "hermes", "hermes/sessions/i.jsonl"),
    ] {
        write(&moved.join(file));
        let found = find(&home, Platform::Unix, &[(variable, &moved.join(folder))]);
        let files: Vec<&PathBuf> = found[agent]
            .iter()
            .filter(|it| !it.starts_with(home.join(".config")))
            .collect();
        assert_eq!(files, [&moved.join(file)], "{variable}");
    }
}

#[test]
fn kimi_code_has_a_folder_beside_that_of_kimi_cli() {
    let home = tempfile::tempdir().expect("a folder");
    let files = ["sessions", "moved/sessions"]
        .map(|folder| format!(".kimi-code/{folder}/wd_a/session_1/agents/main/wire.jsonl"));
    let files = files.map(|file| home.path().join(file));
    files.iter().for_each(|file| write(file));
    let found = |variables: &[_]| find(home.path(), Platform::Unix, variables)["kimi"].clone();
    assert_eq!(found(&[]), files[..1]);
    let moved = home.path().join(".kimi-code/moved");
    assert_eq!(found(&[("KIMI_CODE_HOME", &moved)]), files[1..]);
}

#[test]
fn files_that_were_written_before_are_not_looked_at() {
    let home = tempfile::tempdir().expect("a folder");
    write(&home.path().join(FILES[0].1));
    let mut complain = |problem: Problem| panic!("{problem}");
    let mut search = Search {
        around: Where {
            home: home.path(),
            platform: Platform::Unix,
            variable: &|_| None,
        },
        since: 4e12,
        complain: &mut complain,
    };
    assert!(search.find([Agent::ClaudeCode]).is_empty());
    search.since = 1e12;
    assert_eq!(search.find([Agent::ClaudeCode]).len(), 1);
}

#[test]
fn the_page_names_a_folder_of_each_agent_in_which_sessions_are_looked_for() {
    let page = include_str!("../../../www/src/frame/places.tsx");
    let home = Path::new("/home/user");
    let around = Where {
        home,
        platform: Platform::Unix,
        variable: &|_| None,
    };
    let told = page.lines().filter_map(|line| {
        let line = line.strip_prefix("  [\"")?.strip_suffix("\"],")?;
        line.split_once("\", \"")
    });
    let told: Vec<_> = told.collect();
    for agent in Agent::with_sessions() {
        let places = agent.session_folders(&around);
        let title = agent.title();
        let Some((_, folder)) = told.iter().find(|it| it.0 == title) else {
            let has_files = places.iter().any(|it| it.kind == Kind::Files);
            assert!(!has_files, "the page lacks {title}");
            continue;
        };
        let folder = home.join(folder.replace("EDITOR", ".config/Code/User"));
        let is_near = |place: &Path| folder.starts_with(place) || place.starts_with(&folder);
        assert!(places.iter().any(|it| is_near(&it.folder)), "{title}");
    }
    let is_known = |title: &str| Agent::with_sessions().any(|it| it.title() == title);
    assert!(told.iter().all(|it| is_known(it.0)));
}
