use crate::folders::{LINES, SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
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
