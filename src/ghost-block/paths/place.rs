//! The beginning of a path, and absolute paths without `.` and `..`.

use super::denied::Denied;
use super::disguise::check_text;
use super::names::{fold, name_fault};
use turnkeeper_base::path::{PathPlatform as Platform, is_dots, split_drive};

/// The names of a path, and whether only a directory can be meant by it.
pub(super) fn names(platform: Platform, text: &str) -> (Vec<String>, bool) {
    let mut names = Vec::new();
    let mut is_directory = false;
    for name in platform.names(text) {
        is_directory = matches!(name, "" | "." | "..");
        if !matches!(name, "" | ".") {
            names.push(name.to_owned());
        }
    }
    (names, is_directory)
}

/// The volume that a path starts from, none if it is relative, and the names that follow.
pub(super) fn start(platform: Platform, text: &str) -> Result<(Option<String>, &str), Denied> {
    match platform {
        Platform::Posix => start_posix(text),
        Platform::Win32 => start_win32(text),
    }
}

fn start_posix(text: &str) -> Result<(Option<String>, &str), Denied> {
    // A path from a Windows machine means nothing here. As the odd name that it would be, it
    // could still reach a host that reads it as Windows does.
    let is_drive =
        split_drive(text).is_some_and(|(_, rest)| is_dots(Platform::Win32.split(rest).0));
    if text.starts_with('\\') || is_drive {
        return Err(Denied::WINDOWS_PATH);
    }
    match text.strip_prefix('/') {
        // POSIX leaves two slashes to the system, and Windows means a server.
        Some(rest) if Platform::Win32.strip_separator(rest).is_some() => Err(Denied::NETWORK),
        Some(rest) => Ok((Some(String::new()), rest)),
        None => Ok((None, text)),
    }
}

fn start_win32(text: &str) -> Result<(Option<String>, &str), Denied> {
    let platform = Platform::Win32;
    if let Some((letter, rest)) = split_drive(text) {
        return match platform.strip_separator(rest) {
            Some(rest) => Ok((Some(letter), rest)),
            // `a:b.md` too: a stream of the file `a`, if it is no drive.
            None => Err(Denied::DRIVE_RELATIVE),
        };
    }
    let Some(rest) = platform.strip_separator(text) else {
        return Ok((None, text));
    };
    // `\??\` is the object manager's own prefix, which some calls accept.
    if rest.starts_with("??") {
        return Err(Denied::DEVICE_PATH);
    }
    let Some(rest) = platform.strip_separator(rest) else {
        return Err(Denied::NO_DRIVE);
    };
    let (server, rest) = platform.split(rest);
    let (share, rest) = platform.split(rest.unwrap_or_default());
    // `\\?\` switches off every rule that this module relies on, and `\\.\` opens devices.
    if matches!(server, "?" | ".") {
        return Err(Denied::DEVICE_PATH);
    }
    let is_unfit = |name: &str| name.is_empty() || name_fault(platform, name).is_some();
    // `\\server\pipe` and `mailslot` are not folders but ways to other programs.
    let is_channel = share.eq_ignore_ascii_case("pipe") || share.eq_ignore_ascii_case("mailslot");
    if is_unfit(server) || is_unfit(share) || is_channel {
        return Err(Denied::NETWORK);
    }
    let volume = format!("//{server}/{share}");
    Ok((Some(volume), rest.unwrap_or_default()))
}

/// A normalised absolute path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NormalPath {
    /// The root that it is absolute in, with no separator at the end: nothing for the one tree of a Posix
    /// system, `C:` for a Windows drive, `//server/share` for a network share, in which WSL's
    /// files are, too.
    pub(super) volume: String,
    pub(super) names: Vec<String>,
}

impl NormalPath {
    pub(super) fn of_root(platform: Platform, text: &str) -> Result<Self, &'static str> {
        const ABSOLUTE: &str = "must be an absolute path of this platform";
        match check_text(text) {
            Err(Denied::NUL) => return Err("must not have a NUL"),
            Err(Denied::CONTROL | Denied::DIRECTION) => {
                return Err("must not have a control character");
            }
            Err(Denied::TOO_LONG) => return Err("must have at most 4096 UTF-16 units"),
            Err(_) => return Err(ABSOLUTE),
            Ok(()) => {}
        }
        let (volume, rest) = match start(platform, text) {
            Ok((Some(volume), rest)) => (volume, rest),
            Err(Denied::DEVICE_PATH) => return Err(r"must not be a device path, such as \\?\C:\x"),
            _ => return Err(ABSOLUTE),
        };
        let (names, _) = names(platform, rest);
        for name in &names {
            if name == ".." {
                continue;
            }
            match name_fault(platform, name) {
                None => {}
                Some(Denied::DEVICE) => return Err("must not name a device"),
                Some(Denied::STREAM) => return Err("must not name an alternate data stream"),
                Some(_) => return Err("has a name that Windows changes or refuses"),
            }
        }
        let mut place = Self {
            volume,
            names: Vec::new(),
        };
        if place.walk(&names) {
            Ok(place)
        } else {
            Err("must not lead above its top")
        }
    }

    /// Follows `names` one after the other; says no if they lead above the top. An operating
    /// system would stay at the top instead, but an honest path does not try.
    pub(super) fn walk(&mut self, names: &[String]) -> bool {
        for name in names {
            if name != ".." {
                self.names.push(name.clone());
            } else if self.names.pop().is_none() {
                return false;
            }
        }
        true
    }

    /// Whether this is a root or inside it. Names are compared whole: `C:\Workshop` is not in
    /// `C:\Work`.
    pub(super) fn is_in(&self, root: &Self, platform: Platform) -> bool {
        let mut names = root.names.iter().zip(&self.names);
        self.names.len() >= root.names.len()
            && fold(Platform::Win32, &self.volume) == fold(Platform::Win32, &root.volume)
            && names.all(|(own, name)| fold(platform, own) == fold(platform, name))
    }
}
