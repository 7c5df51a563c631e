//! The folder of the user's documents, which a desktop names in the user's language.

use std::fs;
use std::path::{Path, PathBuf};

use turnkeeper_agents::watch::setup::Platform;

use super::asking::answer_of;
use crate::program::PLATFORM;
use crate::program::on_path;

/// As the desktop says, by its own program or in its file; else the usual one.
pub(super) fn documents(home: &Path, config: &Path) -> PathBuf {
    let usual = home.join("Documents");
    if PLATFORM != Platform::Unix {
        return usual;
    }
    let told = on_path("xdg-user-dir")
        .iter()
        .find_map(|it| answer_of(it, "DOCUMENTS"));
    let told = told.map(|it| PathBuf::from(it.trim()));
    let named = told.or_else(|| in_file(&config.join("user-dirs.dirs"), home));
    named.filter(|it| it.is_absolute()).unwrap_or(usual)
}

/// The folder as a line of the file has it: `XDG_DOCUMENTS_DIR="$HOME/Dokumente"`.
fn in_file(file: &Path, home: &Path) -> Option<PathBuf> {
    let content = fs::read_to_string(file).ok()?;
    let mut lines = content.lines().rev().map(str::trim);
    let named = lines.find_map(|it| it.strip_prefix("XDG_DOCUMENTS_DIR="))?;
    let named = named.trim_matches('"');
    Some(match named.strip_prefix("$HOME") {
        Some(below) => home.join(below.trim_start_matches('/')),
        None => named.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_desktop_names_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("user-dirs.dirs");
        let named = |content: &str| {
            fs::write(&file, content).expect("written");
            in_file(&file, Path::new("/home/me"))
        };
        let dirs = "# XDG_DOCUMENTS_DIR=\"$HOME/no\"\nXDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n";
        assert_eq!(named(dirs), Some("/home/me/Dokumente".into()));
        assert_eq!(
            named("XDG_DOCUMENTS_DIR=\"/mnt/文档\"\n"),
            Some("/mnt/文档".into())
        );
        assert_eq!(
            named("XDG_DOCUMENTS_DIR=\"$HOME/\"\n"),
            Some("/home/me".into())
        );
        assert_eq!(named("XDG_MUSIC_DIR=\"$HOME/Musik\"\n"), None);
    }
}
