//! Whose messages they are.

use turnkeeper_base::json::Json;

use crate::events::text_at;
use crate::vscode;

/// A provider whose messages look like nobody else's in some part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Provider {
    /// Anthropic.
    Anthropic = 1,
    /// OpenAI, and whoever speaks as it does.
    OpenAi = 2,
    /// Google's Gemini.
    Gemini = 4,
    /// The AI SDK.
    AiSdk = 8,
}

/// The providers that have shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Providers(u8);

impl Providers {
    /// Adds one.
    pub fn add(&mut self, provider: Provider) {
        self.0 |= provider as u8;
    }

    /// Whether one has shown.
    pub fn has(self, provider: Provider) -> bool {
        self.0 & provider as u8 != 0
    }
}

/// The role of a message, in words, if any agent's message has it.
pub fn role_of<'a>(message: &'a Json<'a>) -> Option<&'a str> {
    let role = text_at(message, "role").or_else(|| vscode::role_of(message))?;
    let is_known = matches!(
        role,
        "system" | "developer" | "user" | "assistant" | "tool" | "function" | "model" | "exit"
    );
    is_known.then_some(role)
}
