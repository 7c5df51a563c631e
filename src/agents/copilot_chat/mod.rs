//! VS Code Copilot chat.

mod beside;
mod change_log;
mod folders;
mod panel;
pub(crate) mod reader;
mod rounds;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};
use crate::copilot_cli;

pub(crate) const AGENT: Known = Known {
    name: "copilot-chat",
    title: "VS Code Copilot chat",
    folders: Some(folders::folders),
    beside: Some(beside::beside),
    watched: Some(&Watched {
        hook: "copilot-cli",
        dialect: Some(&copilot_cli::dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::CopilotChat, "vscode-copilot")
    }),
    ..Known::NOTHING
};
