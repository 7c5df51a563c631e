//! The agents whose sessions are known.

use turnkeeper_sessions::Format;

/// The agents whose folders are known, in the order in which they are named to people: each with its name for people.
pub const AGENTS: &[(&str, &str)] = &[
    ("claude-code", "Claude Code"),
    ("codex", "Codex"),
    ("gemini-cli", "gemini-cli"),
    ("qwen-code", "Qwen Code"),
    ("copilot-cli", "Copilot CLI"),
    ("copilot-chat", "VS Code Copilot chat"),
    ("cline", "Cline"),
    ("roo", "Roo Code"),
    ("kilo", "Kilo Code"),
    ("opencode", "opencode"),
    ("crush", "crush"),
    ("goose", "goose"),
    ("pi", "pi"),
    ("openhands", "OpenHands"),
    ("kimi", "Kimi CLI"),
    ("hermes", "Hermes"),
    ("codebuddy", "CodeBuddy"),
    ("nanobot", "nanobot"),
    ("kiro", "Kiro"),
    ("continue", "Continue"),
];

/// The name for people of an agent, or else of a format; the given name of neither.
pub fn agent_title(agent: &str) -> &str {
    let known = AGENTS.iter().find(|(name, _)| *name == agent);
    let of_format = || Format::ALL.iter().find(|format| format.name() == agent);
    known
        .map(|(_, title)| *title)
        .or_else(|| of_format().map(|format| format.title()))
        .unwrap_or(agent)
}
