use std::path::{Path, PathBuf};

use crate::watch::setup::{
    Files, HookEvent, Hooks, Setup, Surroundings, Switch, Version, Versions, event,
};

const EVENTS: &[HookEvent] = &[
    event("SessionStart"),
    event("UserPromptSubmit"),
    event("PostToolUse"),
    event("PreToolUse").in_stop(),
];

const HOOKS: Hooks = Hooks {
    events: EVENTS,
    is_nested: true,
    timeout: Some(10),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folder = around.named("CODEX_HOME", around.home(".codex"));
    let (users, project) = (folder.join("hooks.json"), around.here(".codex/hooks.json"));
    let config = folder.join("config.toml");
    let mut switches = vec![is_feature_off(config.clone())];
    // In the home folder the user's own file has the name of a project's.
    if project != users {
        switches.push(is_untrusted(config, project.clone()));
    }
    Setup {
        signs: vec![folder],
        command: Some("codex"),
        versions: Versions {
            commands: &["codex"],
            packages: &["@openai/codex"],
            // Before, hooks were a feature that was off.
            since: Version(0, 124, 0),
            ..Versions::default()
        },
        switches,
        note: Some(
            "Codex skips hooks in silence until you trust them: start `codex`, or type /hooks in it.",
        ),
        ..Setup::hooked([users], project, &HOOKS)
    }
}

fn is_feature_off(config: PathBuf) -> Switch {
    Box::new(move |files| {
        let text = files.text(&config)?;
        let mut settings = settings_in(&text);
        let is_off = settings.any(|(table, key, value)| {
            let name = if table.is_empty() {
                key.strip_prefix("features.")
            } else {
                Some(key)
            };
            matches!(table, "" | "features")
                && matches!(name, Some("hooks" | "codex_hooks"))
                && value.starts_with("false")
        });
        is_off.then(|| format!("\"features.hooks\" is false in {}", config.display()))
    })
}

/// Codex reads nothing of a project that it does not trust.
fn is_untrusted(config: PathBuf, hooks: PathBuf) -> Switch {
    Box::new(move |files: &dyn Files| {
        if !files.has_ours(&hooks) {
            return None;
        }
        let text = files.text(&config).unwrap_or_default();
        let is_trusted = settings_in(&text).any(|(table, key, value)| {
            let folder = table
                .strip_prefix("projects.")
                .map(|it| it.trim_matches(['"', '\'']));
            key == "trust_level"
                && value.starts_with("\"trusted\"")
                && folder.is_some_and(|folder| hooks.starts_with(Path::new(folder)))
        });
        let why = "Codex does not trust this project: start `codex` in it, which asks";
        (!is_trusted).then(|| why.to_owned())
    })
}

/// The settings of a file, each with its table's name, its own, and what follows the equals sign.
fn settings_in(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut table = "";
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            table = header
                .rsplit_once(']')
                .map_or(header, |(name, _)| name)
                .trim();
            return None;
        }
        let (key, value) = line.split_once('=')?;
        Some((table, key.trim(), value.trim()))
    })
}
