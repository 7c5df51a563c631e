//! The mode that was installed for a project, which holds there beside another for all projects of the user.

use std::path::{Path, PathBuf};

use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::Mode;
use turnkeeper_base::json::{Json, parse};

use super::own_file;

/// The file with the record of what was installed.
pub(crate) const INSTALLED: &str = "installed.json";

/// The mode of the project that a folder is in, the innermost one. `None` if none is installed there: the mode is
/// then that of the hook's own line.
pub(crate) fn mode_of_project(state: &Path, agent: &str, folder: &Path) -> Option<Mode> {
    let record = own_file::read(&state.join(INSTALLED)).ok()??;
    let mut room = Vec::new();
    let record = parse(&record, &mut room).ok()?;
    let files = record.get("files")?.items().iter();
    let projects = files.filter(|file| is_for(file, agent)).filter_map(|file| {
        let project = file.get("project")?.as_text()?;
        is_within(folder, project).then_some((project, file))
    });
    let (_, file) = projects.max_by_key(|(project, _)| project.len())?;
    Mode::named(file.get("mode")?.as_text()?)
}

/// Whether it was written for an agent that runs a hook.
fn is_for(file: &Json, hook: &str) -> bool {
    let agents = file.get("agents").map_or(&[][..], Json::items).iter();
    let mut agents = agents.filter_map(|it| Watched::named(it.as_text()?));
    agents.any(|it| it.hook == hook)
}

fn is_within(folder: &Path, outer: &str) -> bool {
    match (comparable(folder), comparable(Path::new(outer))) {
        (Some(folder), Some(outer)) => folder.starts_with(outer),
        _ => false,
    }
}

/// A path as it is compared: Windows knows no case.
fn comparable(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    Some(match cfg!(windows) {
        true => path.to_string_lossy().to_lowercase().into(),
        false => path,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_mode_is_that_of_the_innermost_project() {
        let root = tempfile::tempdir().expect("a folder");
        let project = |name: &str, mode: &str| {
            let project = root.path().join(name);
            let project = turnkeeper_base::json::written(&*project.to_string_lossy());
            format!(
                r#"{{"agents":["vscode-copilot","codex"],"mode":"{mode}","project":{project}}}"#
            )
        };
        let of_user = r#"{"agents":["codex"],"mode":"watch"}"#;
        let files = [of_user, &project("a", "stop"), &project("a/b", "hint")].join(",");
        let record = format!(r#"{{"version":1,"files":[{files}]}}"#);
        fs::write(root.path().join(INSTALLED), record).expect("written");
        let mode = |agent, folder| mode_of_project(root.path(), agent, &root.path().join(folder));
        assert_eq!(mode("codex", "a/c"), Some(Mode::Stop));
        assert_eq!(mode("copilot-cli", "a/b/c"), Some(Mode::Hint));
        assert_eq!(mode("codex", "ab"), None);
        assert_eq!(mode("cline", "a"), None);
        assert_eq!(
            mode_of_project(&root.path().join("none"), "codex", root.path()),
            None
        );
    }
}
