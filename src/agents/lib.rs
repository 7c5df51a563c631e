//! Other people's coding agents: a folder for each, with all that is known of it. Pure: it reads no clock, no
//! environment and no file.
//!
//! | file | |
//! |---|---|
//! | `agent.rs` | the list of agents, and what a folder says of one |
//! | `claude_code/` and the like | an agent: where its sessions are, what they say, its hooks, how it is configured |
//! | `beside.rs` | the files beside a session's |
//! | `database.rs` | sessions in databases |
//! | `folders.rs` | how a system names folders, and which files in them are wanted |
//! | `formats/` | formats that belong to no agent, and the table of all |
//! | `sessions/` | reads saved sessions, bytes in and records out |
//! | `watch/` | the events of hooks, the judgement, and what is kept of a session |

mod agent;
pub mod beside;
mod claude_code;
mod cline;
mod codebuddy;
mod codex;
mod continue_dev;
mod copilot_chat;
mod copilot_cli;
mod crush;
mod cursor;
pub mod database;
pub mod folders;
mod formats;
mod gemini_cli;
mod goose;
mod hermes;
mod kilo;
mod kimi;
mod kiro;
mod nanobot;
mod opencode;
mod openhands;
mod pi;
mod qwen_code;
mod roo;
pub mod sessions;
pub mod watch;

pub use self::agent::{Agent, SavedSession, Watched};
