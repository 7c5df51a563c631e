//! Where a repaired file goes, and what it is made of.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{FileState, leads_out, real_path, replaced_file};
use crate::inputs::Input;
use crate::problem::{InFile, Problem, Result};

/// Where a repaired file goes.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) file: PathBuf,
    /// The name that the old file keeps, if it is replaced in place.
    pub(super) backup: Option<PathBuf>,
    /// The file that is read, as it was before; none for what is no regular file.
    pub(super) read: Option<FileState>,
    /// The folder that was named, if the file is not in it: a link leads out, and nothing is written.
    out_of: Option<PathBuf>,
}

impl Target {
    /// The target of a repair in place: what a link leads to, for the link stays.
    pub(super) fn in_place(input: &Input, folder: Option<&Path>) -> Result<Self> {
        let file = &input.file;
        if input.is_standard_input() {
            return Err(Problem::new(file, "cannot be replaced; give -o"));
        }
        if !fs::metadata(file).reading(file)?.is_file() {
            return Err(Problem::new(file, "is no regular file"));
        }
        if file.extension().is_some_and(|it| it == "zst") {
            return Err(Problem::new(
                file,
                "cannot be replaced: it is packed; give -o",
            ));
        }
        let real = real_path(file).reading(file)?;
        let read = FileState::of(&real);
        // The path that is written to is the one that is judged: a link may lead elsewhere by now.
        let out_of = match folder {
            Some(folder) if !real.starts_with(real_path(folder).reading(folder)?) => Some(folder),
            _ => None,
        };
        let mut backup = real.clone().into_os_string();
        backup.push(".bak");
        Ok(Self {
            file: real,
            backup: Some(backup.into()),
            read: Some(read),
            out_of: out_of.map(Path::to_owned),
        })
    }

    /// The target of a copy; `output` is a file, or a folder, which may not be there yet.
    pub(super) fn copy_at(output: &Path, input: &Input, folder: Option<&Path>) -> Result<Self> {
        let file = &input.file;
        let mut target = match folder.and_then(|folder| file.strip_prefix(folder).ok()) {
            Some(below) => output.join(below),
            None => output.to_owned(),
        };
        if target.is_dir() {
            let name = match input.is_standard_input() {
                true => Some("stdin.json".as_ref()),
                false => file.file_name(),
            };
            target.extend(name);
        }
        let real = replaced_file(&target)?;
        if folder.is_some() && leads_out(&real, output).writing(&target)? {
            let why = format!("is not written: it leads out of {}", output.display());
            return Err(Problem::new(&target, why));
        }
        let is_regular = !input.is_standard_input() && file.is_file();
        let is_itself = || real.exists() && real_path(file).is_ok_and(|file| file == real);
        if is_regular && is_itself() {
            let why = "is its own output; --in-place keeps a backup";
            return Err(Problem::new(file, why));
        }
        Ok(Self {
            file: real,
            backup: None,
            read: is_regular.then(|| FileState::of(file)),
            out_of: None,
        })
    }

    /// Refuses to replace what must not be replaced.
    pub(super) fn check_before(&self, file: &Path) -> Result<()> {
        if let Some(folder) = &self.out_of {
            let (folder, target) = (folder.display(), self.file.display());
            let why = format!(
                "is not repaired: it leads out of {folder}, it is {target}; name that by itself"
            );
            return Err(Problem::new(file, why));
        }
        if let Some(backup) = self.backup.as_ref().filter(|backup| backup.exists()) {
            let name = backup.file_name().unwrap_or_default().display();
            return Err(Problem::new(
                file,
                format!("is not repaired: {name} exists already"),
            ));
        }
        Ok(())
    }

    /// Refuses a copy of what has changed while it was read.
    pub(super) fn check_after(&self, file: &Path) -> Result<()> {
        let is_copy = self.backup.is_none();
        if is_copy
            && self
                .read
                .as_ref()
                .is_some_and(|read| read.is_out_of_date(file))
        {
            let why = "was changed by another program while it was read; nothing is written";
            return Err(Problem::new(file, why));
        }
        Ok(())
    }
}

/// The folder that was named in which the input was found.
pub(super) fn folder_of<'a>(input: &Input, names: &'a [PathBuf]) -> Option<&'a Path> {
    let mut folders = names
        .iter()
        .filter(|name| input.file.starts_with(name) && input.file != **name);
    folders.find(|_| input.is_found).map(PathBuf::as_path)
}

/// Without what is in the folder that the copies go to, as when a repair is done again.
pub(super) fn without_copies(inputs: Vec<Input>, names: &[PathBuf], output: &Path) -> Vec<Input> {
    let Ok(copies) = real_path(output) else {
        return inputs;
    };
    let is_copy = |input: &Input| {
        let folder = folder_of(input, names)?;
        let real = real_path(folder).ok()?;
        let is_around = real != copies && copies.starts_with(&real);
        let below = input.file.strip_prefix(folder).ok()?;
        Some(is_around && real.join(below).starts_with(&copies))
    };
    let mut inputs = inputs;
    inputs.retain(|input| is_copy(input) != Some(true));
    inputs
}
