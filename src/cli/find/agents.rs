//! The agents whose folders are known: where each keeps its sessions, and the variables that move them.

use std::path::Path;

use turnkeeper_messages::Agent;

use super::place::{SessionFolder, Where, joined};

/// An agent that keeps sessions.
pub(crate) struct SessionAgent {
    pub(crate) agent: Agent,
    pub(super) places: fn(&Where) -> Vec<SessionFolder>,
}

macro_rules! agents {
    ($($agent:ident $places:ident,)*) => {
        /// Every agent, in the order in which they are named to people.
        pub(crate) static AGENTS: &[SessionAgent] = &[
            $(SessionAgent { agent: Agent::$agent, places: $places },)*
        ];
    };
}

agents! {
    ClaudeCode claude_code,
    Codex codex,
    GeminiCli gemini_cli,
    QwenCode qwen_code,
    CopilotCli copilot_cli,
    CopilotChat copilot_chat,
    Cline cline,
    Roo roo,
    Kilo kilo,
    Opencode opencode,
    Crush crush,
    Goose goose,
    Pi pi,
    OpenHands openhands,
    Kimi kimi,
    Hermes hermes,
    CodeBuddy codebuddy,
    Nanobot nanobot,
    Kiro kiro,
    Continue continue_dev,
}

const LINES: &[&str] = &["**/*.jsonl"];

fn claude_code(around: &Where) -> Vec<SessionFolder> {
    let homes = match around.value("CLAUDE_CONFIG_DIR") {
        Some(named) => named
            .split(',')
            .map(|home| around.expanded(home.trim()))
            .collect(),
        None => vec![around.home(".claude"), around.home(".config/claude")],
    };
    let projects = homes
        .iter()
        .map(|home| SessionFolder::files(home.join("projects"), LINES));
    let desktop = around.desktop("Claude").join("local-agent-mode-sessions");
    projects
        .chain([SessionFolder::files(
            desktop,
            &["**/.claude/projects/**/*.jsonl"],
        )])
        .collect()
}

fn codex(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("CODEX_HOME")
        .unwrap_or_else(|| around.home(".codex"));
    let files = &["**/rollout-*.jsonl", "**/rollout-*.jsonl.zst"];
    ["sessions", "archived_sessions"]
        .map(|name| SessionFolder::files(home.join(name), files))
        .into()
}

fn gemini_cli(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("GEMINI_CLI_HOME")
        .unwrap_or_else(|| around.home(""));
    let files = &["*/chats/**/*.json", "*/chats/**/*.jsonl"];
    vec![SessionFolder::files(joined(&home, ".gemini/tmp"), files)]
}

fn qwen_code(around: &Where) -> Vec<SessionFolder> {
    let named = around
        .set("QWEN_RUNTIME_DIR")
        .or_else(|| around.set("QWEN_HOME"));
    let home = named.unwrap_or_else(|| around.home(".qwen"));
    vec![
        SessionFolder::files(
            home.join("projects"),
            &["*/**/chats/**/*.jsonl", "*/**/subagents/**/*.jsonl"],
        ),
        // Versions of last year kept them as gemini-cli does.
        SessionFolder::files(
            home.join("tmp"),
            &["*/chats/**/*.json", "*/chats/**/*.jsonl"],
        ),
    ]
}

fn copilot_cli(around: &Where) -> Vec<SessionFolder> {
    let usual = around
        .set("COPILOT_HOME")
        .unwrap_or_else(|| around.home(".copilot"));
    let former = around.under("XDG_STATE_HOME", ".copilot");
    let folders = [usual].into_iter().chain(former);
    let files = &["*.jsonl", "*/events.jsonl"];
    folders
        .map(|folder| SessionFolder::files(folder.join("session-state"), files))
        .collect()
}

fn copilot_chat(around: &Where) -> Vec<SessionFolder> {
    let places = around.editors().flat_map(|user| {
        let workspaces = &["*/chatSessions/*.json", "*/chatSessions/*.jsonl"];
        let empty = joined(&user, "globalStorage/emptyWindowChatSessions");
        [
            SessionFolder::files(user.join("workspaceStorage"), workspaces),
            SessionFolder::files(empty, &["*.json", "*.jsonl"]),
        ]
    });
    places.collect()
}

/// A task's history, or what the panel showed if there is no history.
const TASK: &[&str] = &["*/api_conversation_history.json", "*/ui_messages.json"];

fn tasks_of<'a>(around: &'a Where, extension: &'a str) -> impl Iterator<Item = SessionFolder> + 'a {
    let folders = around
        .editors()
        .map(move |user| user.join("globalStorage").join(extension));
    folders.map(|folder| SessionFolder::files(folder.join("tasks"), TASK))
}

fn cline(around: &Where) -> Vec<SessionFolder> {
    let sessions = around
        .set("CLINE_SESSION_DATA_DIR")
        .or_else(|| around.under("CLINE_DATA_DIR", "sessions"))
        .or_else(|| around.under("CLINE_DIR", "data/sessions"))
        .unwrap_or_else(|| around.home(".cline/data/sessions"));
    let own = [
        SessionFolder::files(around.home(".cline/data/tasks"), TASK),
        SessionFolder::files(sessions, &["**/*.messages.json"]),
    ];
    tasks_of(around, "saoudrizwan.claude-dev")
        .chain(own)
        .collect()
}

fn roo(around: &Where) -> Vec<SessionFolder> {
    tasks_of(around, "rooveterinaryinc.roo-cline").collect()
}

fn kilo(around: &Where) -> Vec<SessionFolder> {
    let database = SessionFolder::databases(around.data("kilo"), "kilo*.db");
    tasks_of(around, "kilocode.kilo-code")
        .chain([database])
        .collect()
}

fn opencode(around: &Where) -> Vec<SessionFolder> {
    let folder = around.data("opencode");
    let database = around.set("OPENCODE_DB").and_then(|named| {
        let name = named.file_name()?.to_str()?;
        Some(SessionFolder::databases(named.parent()?.to_owned(), name))
    });
    let usual = || SessionFolder::databases(folder.clone(), "opencode*.db");
    vec![
        database.unwrap_or_else(usual),
        SessionFolder::files(folder.join("storage"), &["**/*"]),
    ]
}

fn crush(around: &Where) -> Vec<SessionFolder> {
    let local = if around.is_windows() {
        around.under("LOCALAPPDATA", "crush")
    } else {
        None
    };
    let folder = around.set("CRUSH_GLOBAL_DATA").or(local);
    vec![SessionFolder::crush_projects(
        folder.unwrap_or_else(|| around.data("crush")),
    )]
}

fn goose(around: &Where) -> Vec<SessionFolder> {
    const ON_WINDOWS: &str = "Block/goose/data/sessions";
    let roaming = if around.is_windows() {
        around.under("APPDATA", ON_WINDOWS)
    } else {
        None
    };
    let folder = around.under("GOOSE_PATH_ROOT", "data/sessions").or(roaming);
    let folder = folder.unwrap_or_else(|| around.data("goose/sessions"));
    vec![
        SessionFolder::databases(folder.clone(), "sessions.db"),
        SessionFolder::files(folder, &["*.jsonl"]),
    ]
}

fn pi(around: &Where) -> Vec<SessionFolder> {
    let own = around.under("PI_CODING_AGENT_DIR", "sessions");
    vec![
        SessionFolder::files(
            own.unwrap_or_else(|| around.home(".pi/agent/sessions")),
            LINES,
        ),
        SessionFolder::files(around.home(".openclaw/agents"), &["*/sessions/**/*.jsonl"]),
        SessionFolder::files(around.home(".omp/agent/sessions"), LINES),
    ]
}

fn openhands(around: &Where) -> Vec<SessionFolder> {
    let named = around.set("OPENHANDS_CONVERSATIONS_DIR");
    let conversations = named
        .or_else(|| around.set("OH_CONVERSATIONS_PATH"))
        .unwrap_or_else(|| around.home(".openhands/conversations"));
    let canvas = around.home(".openhands/agent-canvas/conversations");
    let folders = [around.home(".openhands/sessions"), conversations, canvas];
    folders
        .map(|folder| SessionFolder::files(folder, &["**/*"]))
        .into()
}

fn kimi(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("KIMI_SHARE_DIR")
        .unwrap_or_else(|| around.home(".kimi"));
    let code = around
        .set("KIMI_CODE_HOME")
        .unwrap_or_else(|| around.home(".kimi-code"));
    vec![
        SessionFolder::files(
            home.join("sessions"),
            &["**/wire.jsonl", "**/context.jsonl"],
        ),
        SessionFolder::files(code.join("sessions"), &["**/wire.jsonl"]),
    ]
}

/// The database, and before it files; each profile has its own.
fn hermes(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("HERMES_HOME")
        .unwrap_or_else(|| around.home(".hermes"));
    let places = |home: &Path| {
        [
            SessionFolder::databases(home.to_owned(), "state.db"),
            SessionFolder::files(home.join("sessions"), &["*.jsonl", "session_*.json"]),
        ]
    };
    let profiles = home.join("profiles");
    let mut found: Vec<SessionFolder> = places(&home).into();
    found.push(SessionFolder::databases(profiles.clone(), "*/state.db"));
    found.push(SessionFolder::files(
        profiles,
        &["*/sessions/*.jsonl", "*/sessions/session_*.json"],
    ));
    found
}

fn codebuddy(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("CODEBUDDY_CONFIG_DIR")
        .unwrap_or_else(|| around.home(".codebuddy"));
    vec![SessionFolder::files(home.join("projects"), LINES)]
}

fn nanobot(around: &Where) -> Vec<SessionFolder> {
    vec![
        SessionFolder::files(around.home(".nanobot/sessions"), LINES),
        SessionFolder::files(around.home(".nanobot/workspace/sessions"), LINES),
    ]
}

fn kiro(around: &Where) -> Vec<SessionFolder> {
    vec![SessionFolder::files(
        around.home(".kiro/sessions/cli"),
        LINES,
    )]
}

fn continue_dev(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("CONTINUE_GLOBAL_DIR")
        .unwrap_or_else(|| around.home(".continue"));
    vec![SessionFolder::files(home.join("sessions"), &["*.json"])]
}
