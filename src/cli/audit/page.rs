//! The report with pictures.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use turnkeeper_analysis::plain_text::one_line;

use crate::files::{open_regular, replace, target_of};
use crate::problem::{InFile, Problem, Result};
use crate::terminal::output::Output;

/// The file that the page replaces. Whoever forgets to name it after `--html` names a session instead, so nothing is
/// replaced but a page or an empty file.
pub(super) fn place_of(file: &Path) -> Result<PathBuf> {
    let target = target_of(file)?;
    // Whoever misspells the folder hears so before the sessions are read.
    let folder = target.parent().filter(|it| !it.as_os_str().is_empty());
    fs::metadata(folder.unwrap_or(Path::new("."))).writing(file)?;
    let beginning = beginning_of(&target);
    let beginning = beginning
        .trim_start_matches('\u{feff}')
        .trim_start()
        .to_ascii_lowercase();
    if beginning.is_empty()
        || ["<!doctype html", "<html"]
            .iter()
            .any(|it| beginning.starts_with(it))
    {
        Ok(target)
    } else {
        Err(Problem::new(file, "is no page, so no page replaces it"))
    }
}

/// The first characters of a file; none of one that is not there, or is a folder, which cannot be replaced: whoever
/// writes to it will say why that cannot be.
fn beginning_of(file: &Path) -> String {
    let mut bytes = Vec::new();
    let mut read = |opened: File| opened.take(256).read_to_end(&mut bytes);
    if open_regular(file)
        .ok()
        .and_then(|it| read(it).ok())
        .is_none()
    {
        return String::new();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes the page.
pub(super) fn write(file: &Path, parts: impl Iterator<Item = String>, output: &mut Output) {
    let page: String = parts.collect();
    let written = place_of(file).and_then(|target| replace(&target, page.as_bytes(), None));
    if output.attempt(written).is_some() {
        let name = one_line(&file.to_string_lossy(), 2_000);
        output.tell(&format!("the report is in {name}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_replaces_pages_and_nothing_else() {
        let root = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let file = root.path().join(name);
            fs::write(&file, text).expect("written");
            file
        };
        for (name, text) in [
            ("empty.html", ""),
            ("blank.html", " \n"),
            ("page.html", "\u{feff}\n<!DOCTYPE html>old"),
            ("other.html", "<html lang=en>"),
        ] {
            assert!(place_of(&file(name, text)).is_ok(), "{name}");
        }
        assert!(place_of(&root.path().join("new.html")).is_ok());
        let why = |file: &Path| place_of(file).expect_err("refused").why;
        assert_eq!(
            why(&file("a.jsonl", "{}")),
            "is no page, so no page replaces it"
        );
        let missing = root.path().join("no-such-folder/a.html");
        assert_eq!(
            why(&missing),
            "cannot be written: its folder does not exist"
        );
    }
}
