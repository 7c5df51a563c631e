use std::fs;
use std::path::{Path, PathBuf};

use super::*;

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A folder with a file, its name, and the file's state.
fn old_file() -> (tempfile::TempDir, PathBuf, FileState) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("history.json");
    fs::write(&file, "old").expect("written");
    let read = FileState::of(&file);
    (folder, file, read)
}

fn new_file(target: &Path) -> AtomicFile {
    let mut new = AtomicFile::new(target, None).expect("a new file");
    new.write(b"ne").expect("written");
    new.write(b"w").expect("written");
    new
}

#[test]
fn until_it_is_committed_nothing_is_there() {
    let (folder, file, read) = old_file();
    let new = new_file(&file);
    if cfg!(target_os = "linux") {
        assert_eq!(names_in(folder.path()), ["history.json"]);
    }
    drop(new);
    assert_eq!(names_in(folder.path()), ["history.json"]);
    let backup = folder.path().join("history.json.bak");
    let replacement = Replacement {
        backup: Some(&backup),
        read: Some(&read),
    };
    new_file(&file).commit(&replacement).expect("committed");
    assert_eq!(
        names_in(folder.path()),
        ["history.json", "history.json.bak"]
    );
    assert_eq!(fs::read_to_string(&file).expect("text"), "new");
    assert_eq!(fs::read_to_string(&backup).expect("text"), "old");
}

#[test]
fn a_file_that_changed_since_it_was_read_stays() {
    let changes: [fn(&Path); 3] = [
        |file| fs::write(file, "old and more").expect("written"),
        |file| {
            let newer = file.with_extension("newer");
            fs::write(&newer, "old").expect("written");
            fs::rename(newer, file).expect("renamed");
        },
        |file| fs::remove_file(file).expect("removed"),
    ];
    for change in changes {
        let (folder, file, read) = old_file();
        let new = new_file(&file);
        change(&file);
        let now = fs::read_to_string(&file).ok();
        let backup = folder.path().join("history.json.bak");
        let replacement = Replacement {
            backup: Some(&backup),
            read: Some(&read),
        };
        let problem = new.commit(&replacement).expect_err("it has changed");
        assert!(
            problem.why.contains("was changed by another program"),
            "{problem}"
        );
        assert_eq!(fs::read_to_string(&file).ok(), now);
        assert!(!backup.exists());
        assert!(names_in(folder.path()).len() <= 1);
    }
}

#[test]
fn a_backup_is_never_written_over() {
    let (folder, file, read) = old_file();
    let backup = folder.path().join("history.json.bak");
    fs::write(&backup, "older").expect("written");
    let replacement = Replacement {
        backup: Some(&backup),
        read: Some(&read),
    };
    new_file(&file)
        .commit(&replacement)
        .expect_err("it is there");
    copy_to(&file, &backup).expect_err("it is there");
    assert_eq!(fs::read_to_string(&backup).expect("text"), "older");
    assert_eq!(fs::read_to_string(&file).expect("text"), "old");
    assert_eq!(
        names_in(folder.path()),
        ["history.json", "history.json.bak"]
    );
}

#[test]
fn a_backup_that_had_to_be_copied_is_whole() {
    let (folder, file, _) = old_file();
    let backup = folder.path().join("history.json.bak");
    copy_to(&file, &backup).expect("copied");
    assert_eq!(fs::read_to_string(&backup).expect("text"), "old");
    assert_eq!(
        names_in(folder.path()),
        ["history.json", "history.json.bak"]
    );
}

#[cfg(unix)]
#[test]
fn the_new_file_has_the_permissions_of_what_it_replaces_or_of_its_model() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |file: &Path| fs::metadata(file).expect("a file").permissions().mode() & 0o777;
    let (folder, file, _) = old_file();
    for wanted in [0o600, 0o640, 0o644] {
        fs::set_permissions(&file, fs::Permissions::from_mode(wanted)).expect("set");
        new_file(&file)
            .commit(&Replacement::default())
            .expect("committed");
        assert_eq!(mode(&file), wanted);
        let copy = folder.path().join(format!("copy-{wanted:o}.json"));
        let mut new = AtomicFile::new(&copy, Some(&file)).expect("a new file");
        assert_eq!(
            new.file().metadata().expect("a file").permissions().mode() & 0o777,
            wanted
        );
        new.write(b"copy").expect("written");
        new.commit(&Replacement::default()).expect("committed");
        assert_eq!(mode(&copy), wanted);
    }
}

#[test]
fn what_an_ended_program_has_left_is_removed() {
    let (folder, file, _) = old_file();
    let left = folder
        .path()
        .join(".turnkeeper-999999999-0123456789abcdef.tmp");
    let own = folder.path().join(format!(
        ".turnkeeper-{}-0123456789abcdef.tmp",
        std::process::id()
    ));
    for file in [&left, &own] {
        fs::write(file, "half").expect("written");
    }
    drop(new_file(&file));
    assert_eq!((left.exists(), own.exists()), (!cfg!(unix), true));
}
