//! Who an agent is: what the readers of sessions, the audit, the installer and the hooks call it.

macro_rules! agents {
    ($($variant:ident $name:literal $title:literal $installed:expr;)*) => {
        /// A coding agent that is known.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Agent {
            $(#[doc = $title] $variant,)*
        }

        impl Agent {
            /// All, in the order in which they are named to people.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name in options and reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Its name for people.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// Its name for `turnkeeper install`, if it has hooks or a plugin.
            pub const fn installed_as(self) -> Option<&'static str> {
                match self { $(Self::$variant => $installed,)* }
            }
        }
    };
}

agents! {
    ClaudeCode "claude-code" "Claude Code" Some("claude-code");
    Codex "codex" "Codex" Some("codex");
    GeminiCli "gemini-cli" "gemini-cli" Some("gemini-cli");
    QwenCode "qwen-code" "Qwen Code" Some("qwen-code");
    CopilotCli "copilot-cli" "Copilot CLI" Some("copilot-cli");
    CopilotChat "copilot-chat" "VS Code Copilot chat" Some("vscode-copilot");
    Cline "cline" "Cline" Some("cline");
    Roo "roo" "Roo Code" None;
    Kilo "kilo" "Kilo Code" Some("kilo");
    Cursor "cursor" "Cursor" Some("cursor");
    Opencode "opencode" "opencode" Some("opencode");
    Crush "crush" "crush" Some("crush");
    Goose "goose" "goose" Some("goose");
    Pi "pi" "pi" Some("pi");
    OpenHands "openhands" "OpenHands" None;
    Kimi "kimi" "Kimi CLI" None;
    Hermes "hermes" "Hermes" None;
    CodeBuddy "codebuddy" "CodeBuddy" None;
    Nanobot "nanobot" "nanobot" None;
    Kiro "kiro" "Kiro" None;
    Continue "continue" "Continue" None;
}

impl Agent {
    /// The agent with this [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }
}
