//! The agents that have hooks or plugins: a folder for each, and one list.

mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod crush;
mod cursor;
mod gemini_cli;
mod goose;
mod kilo;
mod opencode;
mod pi;
mod qwen_code;
mod vscode_copilot;

use turnkeeper_messages::Agent as Known;

use super::dialect::Dialect;
#[cfg(feature = "setup")]
use crate::setup::{Setup, Surroundings};

/// Every agent, in the order in which lists name them.
pub static AGENTS: &[&Agent] = &[
    &claude_code::AGENT,
    &vscode_copilot::AGENT,
    &codex::AGENT,
    &gemini_cli::AGENT,
    &qwen_code::AGENT,
    &copilot_cli::AGENT,
    &cline::AGENT,
    &cursor::AGENT,
    &crush::AGENT,
    &goose::AGENT,
    &opencode::AGENT,
    &kilo::AGENT,
    &pi::AGENT,
];

/// An agent that can be watched.
pub struct Agent {
    /// Who it is.
    pub known: Known,
    /// The variable that it sets for its hooks to the root of the project.
    pub project_variable: Option<&'static str>,
    /// The language of its hooks; none, if it loads a plugin into its own process.
    pub dialect: Option<&'static Dialect>,
    /// The files in which it is configured, and what is written there.
    #[cfg(feature = "setup")]
    pub setup: fn(&Surroundings) -> Setup,
}

impl Agent {
    /// The name on the command line.
    pub fn name(&self) -> &'static str {
        let Self { known, .. } = self;
        known.installed_as().unwrap_or(known.name())
    }

    /// The name that people know.
    pub fn title(&self) -> &'static str {
        self.known.title()
    }
}

/// The agent with a name on the command line.
pub fn agent(name: &str) -> Option<&'static Agent> {
    AGENTS.iter().copied().find(|it| it.name() == name)
}
