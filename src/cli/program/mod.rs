//! The copy of this program that agents run, since `npx` clears its cache and an update moves the package.

mod plugins;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use turnkeeper_agents::watch::setup::{PROGRAM_FILE, Platform, Plugin};

use crate::files::replace;
use crate::problem::{InFile, Problem, Result};
use crate::state::folder::create;
use crate::state::installed::private;
use crate::state::own_file;

/// The system that this program runs on.
pub(crate) const PLATFORM: Platform = if cfg!(windows) {
    Platform::Windows
} else if cfg!(target_os = "macos") {
    Platform::MacOs
} else {
    Platform::Unix
};

/// The words with which the user calls this program again, to paste: `npx` puts nothing on the path.
pub(crate) fn called() -> &'static str {
    if env::var_os("npm_command").is_some_and(|it| it == "exec") {
        "npx turnkeeper"
    } else {
        "turnkeeper"
    }
}

/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The copy in a state folder.
pub(crate) struct Copy {
    folder: PathBuf,
    file: PathBuf,
}

impl Copy {
    pub(crate) fn below(state: &Path) -> Self {
        let file: PathBuf = state
            .iter()
            .map(Path::new)
            .chain(PROGRAM_FILE.split('/').map(Path::new))
            .collect();
        let file = file.with_extension(env::consts::EXE_EXTENSION);
        Copy {
            folder: state.join("bin"),
            file,
        }
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The file of a plugin beside the program.
    pub(crate) fn plugin(&self, plugin: Plugin) -> PathBuf {
        self.folder.join(plugin.file())
    }

    /// Copies this program. The new file takes its place in one step, since an agent may be running the old one.
    pub(crate) fn write(&self) -> Result<()> {
        let own = env::current_exe().reading(&self.file)?;
        self.make_folder()?;
        if fs::canonicalize(&self.file).is_ok_and(|it| Some(it) == fs::canonicalize(&own).ok()) {
            return Ok(());
        }
        let bytes = fs::read(&own).reading(&own)?;
        let aside = set_aside(&self.file);
        if let Err(problem) = replace(&self.file, &bytes, None) {
            // The old one is better than none.
            let _ = aside.map(|aside| fs::rename(aside, &self.file));
            return Err(problem);
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&self.file, fs::Permissions::from_mode(0o700))
                .writing(&self.file)?;
        }
        Ok(())
    }

    /// Copies a plugin.
    pub(crate) fn write_plugin(&self, plugin: Plugin) -> Result<()> {
        let file = self.plugin(plugin);
        self.make_folder()?;
        match (plugins::plugin(plugin.name), plugins::module()) {
            (Some(bytes), Some(module)) => {
                replace(&self.folder.join(plugins::MODULE), &module, None)?;
                replace(&file, &bytes, None)
            }
            _ => Err(Problem::new(
                &file,
                "cannot be written: plugins are in the npm package (npx turnkeeper install)",
            )),
        }
    }

    /// The version as the copy states it, if it starts.
    pub(crate) fn version(&self) -> std::result::Result<String, String> {
        version_of(&self.file)
    }

    /// Takes the copy away. The folder may have files of others, as one that is on the PATH.
    pub(crate) fn remove(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path() == self.file || plugins::is_file(&name) || is_set_aside(&name) {
                own_file::remove(&entry.path());
            }
        }
        let _ = fs::remove_dir(&self.folder);
    }

    fn make_folder(&self) -> Result<()> {
        let state = self.folder.parent().unwrap_or(&self.folder);
        private(state)?;
        refuse_shared(state)?;
        create(&self.folder).writing(&self.folder)
    }
}

/// A folder in which everybody may put something else in the place of what is there is none for a program that agents
/// run.
#[cfg(unix)]
fn refuse_shared(folder: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    const WRITTEN_BY_ALL: u32 = 0o002;
    const BY_OWNERS_ALONE: u32 = 0o1000;
    let mode = fs::metadata(folder).reading(folder)?.mode();
    if mode & (WRITTEN_BY_ALL | BY_OWNERS_ALONE) != WRITTEN_BY_ALL {
        return Ok(());
    }
    let why = "may be written to by everybody, so agents would run whatever somebody puts there; close it (chmod o-w)";
    Err(Problem::new(folder, why))
}

#[cfg(not(unix))]
fn refuse_shared(_folder: &Path) -> Result<()> {
    Ok(())
}

/// The version as a program states it, or the reason why it does not start.
pub(crate) fn version_of(program: &Path) -> std::result::Result<String, String> {
    let mut command = Command::new(program);
    let output = command.arg("--version").stdin(Stdio::null()).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(output.status.to_string());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The name of a plugin's file in an agent's list.
pub(crate) fn item(file: &Path, is_address: bool) -> String {
    let name = file.to_string_lossy();
    if !is_address {
        return name.into_owned();
    }
    format!("file://{}", path_in_address(&name))
}

/// An absolute path as addresses have it.
pub(crate) fn path_in_address(path: &str) -> String {
    let path = path.replace('\\', "/");
    // A drive's letter stands after a slash.
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{slash}{}", utf8_percent_encode(&path, ENCODED))
}

/// The file that an item of such a list names.
pub(crate) fn file_of_item(item: &str) -> PathBuf {
    match item.strip_prefix("file://") {
        Some(name) => {
            let name = if cfg!(windows) {
                name.trim_start_matches('/')
            } else {
                name
            };
            percent_decode_str(name)
                .decode_utf8_lossy()
                .into_owned()
                .into()
        }
        None => item.into(),
    }
}

/// The characters of a path that an address has as they are.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b':')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

const OLD: &str = ".old.exe";

/// Whether it is the name of a program that gave way to a newer one.
fn is_set_aside(name: &str) -> bool {
    let process = name
        .strip_prefix("turnkeeper-")
        .and_then(|it| it.strip_suffix(OLD));
    process.is_some_and(|it| it.parse::<u32>().is_ok())
}

/// Windows replaces no program that runs, and lets it be renamed: the name that it has then.
fn set_aside(file: &Path) -> Option<PathBuf> {
    if !cfg!(windows) {
        return None;
    }
    let folder = file.parent()?;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_set_aside(&entry.file_name().to_string_lossy()) {
            // One that still runs goes another time.
            own_file::remove(&entry.path());
        }
    }
    let aside = folder.join(format!("turnkeeper-{}{OLD}", std::process::id()));
    fs::rename(file, &aside).ok().map(|()| aside)
}

/// The files on the PATH that a command may mean, in the order in which they are looked for.
pub(crate) fn on_path(command: &str) -> Vec<PathBuf> {
    let ends: &[&str] = if cfg!(windows) {
        &[".exe", ".cmd", ".bat"]
    } else {
        &[""]
    };
    let path = env::var_os("PATH").unwrap_or_default();
    // A folder that is not whole is one of the current folder's, which may be anybody's.
    let folders = env::split_paths(&path).filter(|it| it.is_absolute());
    let files = folders.flat_map(|folder| {
        ends.iter()
            .map(move |end| folder.join(format!("{command}{end}")))
    });
    files.filter(|file| file.is_file()).collect()
}
