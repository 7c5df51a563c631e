//! Qwen Code.

mod dialect;
mod folders;
pub(crate) mod reader;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "qwen-code",
    title: "Qwen Code",
    folders: Some(folders::folders),
    watched: Some(&Watched {
        project_variable: Some("QWEN_PROJECT_DIR"),
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::QwenCode, "qwen-code")
    }),
    ..Known::NOTHING
};
