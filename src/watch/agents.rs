//! The agents that have hooks or plugins: a folder for each, from which every list is made.

use super::dialect::Dialect;
#[cfg(feature = "setup")]
use crate::setup::{Setup, Surroundings};

macro_rules! agents {
    ($($module:ident),* $(,)?) => {
        $(mod $module;)*

        /// Every agent, in the order in which lists name them.
        pub static AGENTS: &[&Agent] = &[$(&$module::AGENT),*];
    };
}

agents! {
    claude_code, vscode_copilot, codex, gemini_cli, qwen_code, copilot_cli, cline, cursor, crush, goose, opencode,
    kilo, pi,
}

/// An agent that can be watched.
pub struct Agent {
    /// The name on the command line.
    pub name: &'static str,
    /// The name that people know.
    pub title: &'static str,
    /// The variable that it sets for its hooks to the root of the project.
    pub project_variable: Option<&'static str>,
    /// The language of its hooks; none, if it loads a plugin into its own process.
    pub dialect: Option<&'static Dialect>,
    /// The files in which it is configured, and what is written there.
    #[cfg(feature = "setup")]
    pub setup: fn(&Surroundings) -> Setup,
}

/// The agent with a name on the command line.
pub fn agent(name: &str) -> Option<&'static Agent> {
    AGENTS.iter().copied().find(|it| it.name == name)
}
