//! The record of what was installed, and copies of the files as they were before.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turnkeeper_agents::watch::Mode;
use turnkeeper_agents::watch::setup::Version;
use turnkeeper_agents::watch::setup::settings::{is_bare, without_ours};
use turnkeeper_base::text::hash::sha256_hex;

use super::folder::make_private;
use super::installed_mode::INSTALLED;
use super::own_file;
use crate::files::{content_of, read_file, real_path, target_of, write_file};
use crate::problem::{InFile, Problem, Result};

/// A file that was changed.
#[derive(Clone, Serialize, Deserialize, PartialEq)]
pub(crate) struct InstalledFile {
    pub(crate) agents: Vec<String>,
    #[serde(default)]
    pub(crate) mode: String,
    pub(crate) file: PathBuf,
    /// The folder of the project that it is for; left out for all projects of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<PathBuf>,
    /// The version of the agent that it was written for; left out if that could not be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent_version: Option<String>,
    /// The name of the copy of what was there; left out if there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    /// A hash of what was written.
    after: String,
}

#[derive(Default, Serialize, Deserialize)]
struct Record {
    version: u32,
    files: Vec<InstalledFile>,
    /// Folders that were made for files.
    folders: Vec<PathBuf>,
}

/// For whom and how far a change is made.
pub(crate) struct Installing<'a> {
    pub(crate) agent: &'a str,
    pub(crate) mode: Mode,
    pub(crate) project: Option<&'a Path>,
    pub(crate) version: Option<Version>,
}

/// Everything that is installed, by the record of a state folder.
pub(crate) struct Installation {
    state: PathBuf,
    record: Record,
}

impl Installation {
    /// A damaged record says nothing, since what is ours is also found by looking.
    pub(crate) fn read(state: &Path) -> Self {
        let text = own_file::read(&state.join(INSTALLED)).ok().flatten();
        let record = text
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        Installation {
            state: state.to_owned(),
            record,
        }
    }

    pub(crate) fn files(&self) -> &[InstalledFile] {
        &self.record.files
    }

    pub(crate) fn of<'a>(&'a self, agent: &'a str) -> impl Iterator<Item = &'a InstalledFile> {
        self.files()
            .iter()
            .filter(move |it| it.agents.iter().any(|it| it == agent))
    }

    /// Makes a change of a file for an agent. `added` gives the file with our part in it.
    pub(crate) fn add(
        &mut self,
        file: &Path,
        is_executable: bool,
        for_whom: &Installing<'_>,
        added: impl FnOnce(Option<&str>) -> Result<String>,
    ) -> Result<()> {
        let target = target_of(file)?;
        let known = self.known(&target);
        let read = read_file(&target)?;
        let before = self.before(&target, known.as_ref(), read.content.as_deref())?;
        let after = added(before.as_deref())?;
        let mut agents = known
            .as_ref()
            .map(|it| it.agents.clone())
            .unwrap_or_default();
        if !agents.iter().any(|it| it == for_whom.agent) {
            agents.push(for_whom.agent.to_owned());
        }
        let entry = InstalledFile {
            agents,
            mode: for_whom.mode.name().to_owned(),
            file: target.clone(),
            project: for_whom.project.map(Path::to_owned),
            agent_version: for_whom.version.map(|it| it.to_string()),
            before: before
                .map(|before| self.keep(&target, &before))
                .transpose()?,
            after: sha256_hex(after.as_bytes()),
        };
        let made = missing_folders(&target);
        let (others, folders) = (self.others(&target), self.record.folders.clone());
        // The record comes first: what it does not know of could not be taken out to the byte.
        let all = others.iter().cloned().chain([entry.clone()]).collect();
        self.save(all, folders.iter().chain(&made).cloned().collect())?;
        if read.content.as_ref() != Some(&after) {
            let written = write_file(&target, &after, Some(&read)).and_then(|()| {
                if is_executable {
                    make_executable(&target)
                } else {
                    Ok(())
                }
            });
            if let Err(problem) = written {
                made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
                // The first failure is the one that is told.
                let _ = self.save(others.into_iter().chain(known).collect(), folders);
                return Err(problem);
            }
        }
        if let Some(known) = known.filter(|it| it.before != entry.before) {
            self.drop_copy(&known);
        }
        Ok(())
    }

    /// Takes what is ours out of a file again, whether the record knows of it or not: whether it is another one now.
    pub(crate) fn remove(&mut self, file: &Path, agent: &str) -> Result<bool> {
        let is_there = file.exists();
        let real = real_path(file).unwrap_or_else(|_| file.to_owned());
        let known = self.known(&real);
        if known.is_none() && !has_ours(file)? {
            return Ok(false);
        }
        let target = if is_there {
            target_of(file)?
        } else {
            file.to_owned()
        };
        if let Some(known) = &known {
            let agents: Vec<String> = known
                .agents
                .iter()
                .filter(|it| *it != agent)
                .cloned()
                .collect();
            if !agents.is_empty() {
                let shared = InstalledFile {
                    agents,
                    ..known.clone()
                };
                let files = self
                    .files()
                    .iter()
                    .map(|it| if it == known { &shared } else { it });
                self.save(files.cloned().collect(), self.record.folders.clone())?;
                return Ok(false);
            }
        }
        let mut is_changed = false;
        if is_there {
            let read = read_file(&target)?;
            let left = self.left(&target, known.as_ref(), read.content.as_deref())?;
            is_changed = left != read.content;
            match left {
                Some(left) if is_changed => write_file(&target, &left, Some(&read))?,
                Some(_) => {}
                None => {
                    fs::remove_file(&target).writing(&target)?;
                    // The innermost first. Others may have put something there.
                    self.record
                        .folders
                        .sort_by_key(|it| std::cmp::Reverse(it.as_os_str().len()));
                    self.record
                        .folders
                        .retain(|it| fs::remove_dir(it).is_err() && it.exists());
                }
            }
        }
        if let Some(known) = known {
            let files = self
                .files()
                .iter()
                .filter(|it| **it != known)
                .cloned()
                .collect();
            self.save(files, self.record.folders.clone())?;
            self.drop_copy(&known);
        }
        Ok(is_changed)
    }

    fn known(&self, target: &Path) -> Option<InstalledFile> {
        self.files().iter().find(|it| it.file == target).cloned()
    }

    fn others(&self, target: &Path) -> Vec<InstalledFile> {
        self.files()
            .iter()
            .filter(|it| it.file != target)
            .cloned()
            .collect()
    }

    /// A file without what is ours: to the byte, if nobody has touched it since.
    fn before(
        &self,
        target: &Path,
        known: Option<&InstalledFile>,
        now: Option<&str>,
    ) -> Result<Option<String>> {
        let Some(now) = now else { return Ok(None) };
        match known.filter(|known| sha256_hex(now.as_bytes()) == known.after) {
            Some(InstalledFile { before: None, .. }) => Ok(None),
            Some(InstalledFile {
                before: Some(name), ..
            }) => match self.copied(name) {
                Some(copy) => Ok(Some(copy)),
                None => without_ours(target, now).reading(target),
            },
            None => without_ours(target, now).reading(target),
        }
    }

    /// The rest that stays of a file; none if the whole of it goes.
    fn left(
        &self,
        target: &Path,
        known: Option<&InstalledFile>,
        now: Option<&str>,
    ) -> Result<Option<String>> {
        let left = self.before(target, known, now)?;
        let was_made = known.is_some_and(|it| it.before.is_none());
        Ok(left.filter(|left| !(was_made && is_bare(left))))
    }

    fn drop_copy(&self, known: &InstalledFile) {
        if let Some(before) = &known.before {
            own_file::remove(&self.copy(before));
        }
    }

    /// Removes the record and the copies, of which nobody knows any more what they are of.
    pub(crate) fn forget(self) {
        let folder = self.state.join("backups");
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if is_copy(&entry.file_name().to_string_lossy()) {
                own_file::remove(&entry.path());
            }
        }
        let _ = fs::remove_dir(folder);
        own_file::remove(&self.state.join(INSTALLED));
    }

    fn copy(&self, name: &str) -> PathBuf {
        self.state.join("backups").join(name)
    }

    /// A copy that is whole: its name has the hash of what is in it.
    fn copied(&self, name: &str) -> Option<String> {
        let text = own_file::read(&self.copy(name)).ok()??;
        let text = String::from_utf8(text).ok()?;
        name.contains(&short_hash(&text)).then_some(text)
    }

    fn keep(&self, target: &Path, content: &str) -> Result<String> {
        let file = target.file_name().unwrap_or_default().to_string_lossy();
        let place = short_hash(&target.to_string_lossy());
        let name = format!("{place}-{}-{file}", short_hash(content));
        if self.copied(&name).is_none() {
            private(&self.state)?;
            private(&self.state.join("backups"))?;
            write_private(&self.copy(&name), content)?;
        }
        Ok(name)
    }

    fn save(&mut self, files: Vec<InstalledFile>, mut folders: Vec<PathBuf>) -> Result<()> {
        private(&self.state)?;
        folders.sort();
        folders.dedup();
        self.record = Record {
            version: 1,
            files,
            folders,
        };
        let file = self.state.join(INSTALLED);
        let text = serde_json::to_string_pretty(&self.record);
        let text =
            text.map_err(|error| Problem::new(&file, format!("cannot be written ({error})")))?;
        write_private(&file, &format!("{text}\n"))
    }
}

/// Makes a folder for this user alone.
pub(crate) fn private(folder: &Path) -> Result<()> {
    match make_private(folder) {
        // A refusal of ours names the folder itself.
        Err(error) if error.raw_os_error().is_none() => {
            let why = error.to_string();
            let name = format!("{} ", folder.display());
            Err(Problem::new(
                folder,
                why.strip_prefix(&name).unwrap_or(&why),
            ))
        }
        made => made.writing(folder),
    }
}

fn write_private(file: &Path, text: &str) -> Result<()> {
    own_file::keep(file, text.as_bytes()).writing(file)
}

fn make_executable(file: &Path) -> Result<()> {
    set_mode(file, 0o755)
}

#[cfg(unix)]
fn set_mode(file: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).writing(file)
}

#[cfg(not(unix))]
fn set_mode(_file: &Path, _mode: u32) -> Result<()> {
    Ok(())
}

/// Whether something of ours is in a file; what is no text has nothing.
fn has_ours(file: &Path) -> Result<bool> {
    match content_of(file) {
        Ok(Some(content)) => {
            Ok(without_ours(file, &content).reading(file)?.as_ref() != Some(&content))
        }
        _ => Ok(false),
    }
}

/// The folders that are not there yet, the innermost first.
fn missing_folders(target: &Path) -> Vec<PathBuf> {
    let above = target.ancestors().skip(1);
    above
        .take_while(|folder| !folder.exists())
        .map(Path::to_owned)
        .collect()
}

fn short_hash(text: &str) -> String {
    sha256_hex(text.as_bytes())[..SHORT_HASH].to_owned()
}

const SHORT_HASH: usize = 12;

/// Whether it is the name of a copy: a hash of its place, one of what is in it, and the file's own.
fn is_copy(name: &str) -> bool {
    let is_hash = |it: &str| it.len() == SHORT_HASH && it.bytes().all(|it| it.is_ascii_hexdigit());
    let mut parts = name.splitn(3, '-');
    let has_hashes = parts.by_ref().take(2).filter(|it| is_hash(it)).count() == 2;
    has_hashes && parts.next().is_some()
}
