//! The files `turnkeeper.json`: where they are looked for, and how they are read.

use std::path::{Path, PathBuf};

use turnkeeper_agents::watch::{Owner, SETTINGS_FILE, UserSettings};

use crate::files::regular;
use crate::state::folder::home_folder;

/// The settings for a folder: of the home folder, and of its project, which count before those. Nothing in them can
/// make it fail.
pub(crate) fn settings_for(folder: &Path) -> (UserSettings, Vec<PathBuf>) {
    let home = home_folder().ok();
    let of_home = home.as_deref().map(|home| home.join(SETTINGS_FILE));
    let of_home = of_home.filter(|file| file.exists());
    let of_project = project_file(folder, home.as_deref());
    let of_home = of_home.map(|file| (file, Owner::User));
    let of_project = of_project.map(|file| (file, Owner::Project));
    let files: Vec<(PathBuf, Owner)> = of_home.into_iter().chain(of_project).collect();
    let mut settings = UserSettings::default();
    for (file, owner) in &files {
        let name = file.to_string_lossy();
        // A project is somebody else's, and may have a pipe or a device in the place of the file.
        match regular::read(file, LONGEST_FILE) {
            Ok(content) => settings.take(&name, &content, *owner),
            Err(error) => settings.mistake(&name, &error.to_string()),
        }
    }
    (settings, files.into_iter().map(|(file, _)| file).collect())
}

/// The nearest file, from the folder up to the root of its repository.
fn project_file(folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let above = || folder.ancestors().filter(|it| !it.as_os_str().is_empty());
    let root = above().position(|it| it.join(".git").exists()).unwrap_or(0);
    let within = above().take(root + 1).filter(|it| Some(*it) != home);
    let mut files = within.map(|it| it.join(SETTINGS_FILE));
    files.find(|file| file.exists())
}

/// In bytes.
const LONGEST_FILE: u64 = 65_536;
