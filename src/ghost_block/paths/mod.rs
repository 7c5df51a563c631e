//! Which files a reference may name.
//!
//! A prompt, a rule or an issue pasted into either may have been written by anyone, so a path in
//! it is untrusted until it has passed here, and nothing is asked of the host before it has. The
//! work is lexical: no file system is looked at, and the platform is an argument, because the
//! extension may run on another one than the files, and always runs in WebAssembly. What a
//! lexical rule cannot see, symbolic links above all, is the host's to check.
//!
//! Two readings are guarded against: what the path says, and what software behind the host may
//! make of it (a percent escape that is decoded once too often, a name that Windows shortens, a
//! `~` that meets a shell). A path is denied if either leads out. None is ever repaired: a request
//! is made of the names as they were written.

mod denied;
mod disguise;
mod names;
#[cfg(test)]
mod tests;

pub(crate) use self::denied::Denied;
use self::disguise::{check_home, check_name, check_text, is_dots};
use self::names::{fold, name_fault};

/// Longer paths, in UTF-16 units, are denied: no system opens them as they are, Linux's limit
/// being 4,096 bytes and Windows' mostly 260 units.
const LONGEST: usize = 4_096;

/// Whose rules the paths follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    /// `/` separates, and every other character may stand in a name.
    Posix,
    /// `/` and `\` separate, case is ignored, and many names are not what they seem.
    Win32,
}

impl Platform {
    fn separates(self, character: char) -> bool {
        character == '/' || (self == Self::Win32 && character == '\\')
    }
}

/// The folders that a session may read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Roots {
    platform: Platform,
    root: Place,
    /// The other allowed roots.
    others: Vec<Place>,
}

/// A path that may be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// What the host is asked for, with `/`: relative to the root (`.` for the root itself), or
    /// absolute in another allowed root. It never ends with a separator, unless it is the top of
    /// a volume. It is also what the file is called from then on.
    pub(crate) request: String,
    /// The request with case folded where the platform ignores it: two spellings of one file are
    /// equal here, and the first is the one to keep and show.
    pub(crate) folded: String,
    /// Whether only a directory can be meant: the path ends with a separator, `.` or `..`, or is
    /// a root. A path without such a sign may still turn out to be a directory.
    pub(crate) is_directory: bool,
}

impl Roots {
    /// The roots that a host configures. An error is the field at fault and what is wrong.
    ///
    /// Unlike a reference a root is trusted, so that a percent escape, `~` or a look-alike in it is
    /// a name as any other, and a Windows share can be one. It must still say one place, the same
    /// for every reader.
    pub(crate) fn new(
        platform: Platform,
        root: &str,
        allowed: &[String],
    ) -> Result<Self, (String, String)> {
        let place = |field: String, text: &str| {
            Place::of_root(platform, text).map_err(|why| (field, why.to_owned()))
        };
        Ok(Self {
            platform,
            root: place("root".to_owned(), root)?,
            others: allowed
                .iter()
                .enumerate()
                .map(|(at, text)| place(format!("allowedRoots[{at}]"), text))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Where a path as it was written in a reference leads, or why it may not be asked for. It
    /// serves a file, a directory, and an image's address if that has no scheme or `file:`.
    pub(crate) fn resolve(&self, written: &str) -> Result<Resolved, Denied> {
        let resolved = self.locate(written)?;
        // A request must itself be a harmless path: `./file:/x` is one, its request `file:/x` not.
        self.locate(&resolved.request)?;
        Ok(resolved)
    }

    fn locate(&self, written: &str) -> Result<Resolved, Denied> {
        check_text(written)?;
        let (start, rest) = Start::of(self.platform, written)?;
        let names: Vec<&str> = rest
            .split(|character| self.platform.separates(character))
            .collect();
        let is_directory = matches!(names.last(), None | Some(&("" | "." | "..")));
        let names = || {
            let names = names.iter().copied();
            names.filter(|name| !matches!(*name, "" | "."))
        };

        // The names of a root are the host's own, so only what is below it is checked.
        let (mut place, known) = match start {
            Start::Relative => (self.root.clone(), 0),
            Start::Absolute(volume) => {
                let known = self.known(&volume, names());
                (Place::top(self.platform, volume), known)
            }
        };
        for name in names().skip(known).filter(|name| *name != "..") {
            check_name(self.platform, name)?;
        }
        place.walk(names()).ok_or(Denied::Outside)?;
        self.hand_out(&place, is_directory)
    }

    /// How many of `names` only repeat a root.
    fn known<'a>(&self, volume: &Volume, names: impl Iterator<Item = &'a str> + Clone) -> usize {
        let same =
            |(own, name): (&String, &str)| fold(self.platform, own) == fold(self.platform, name);
        let repeats = |root: &&Place| {
            let pairs = root.names.iter().zip(names.clone());
            let length = root.names.len();
            root.volume.is(volume) && pairs.filter(|pair| same(*pair)).count() == length
        };
        let roots = std::iter::once(&self.root).chain(&self.others);
        let lengths = roots.filter(repeats).map(|root| root.names.len());
        lengths.max().unwrap_or(0)
    }

    fn hand_out(&self, place: &Place, is_directory: bool) -> Result<Resolved, Denied> {
        let (request, is_root) = if let Some(names) = place.below(&self.root) {
            names.first().map_or(Ok(()), |first| {
                check_home(first, names.len() > 1 || is_directory)
            })?;
            let request = match names {
                [] => ".".to_owned(),
                names => names.join("/"),
            };
            (request, names.is_empty())
        } else {
            let outside = match place.volume {
                Volume::Share { .. } => Denied::Network,
                _ => Denied::Outside,
            };
            let inside = |root| place.below(root).map(|names| (root, names));
            let found = self.others.iter().find_map(inside);
            let (root, names) = found.ok_or(outside)?;
            (root.spelled_with(names), names.is_empty())
        };
        if request.encode_utf16().count() > LONGEST {
            return Err(Denied::TooLong);
        }
        Ok(Resolved {
            folded: fold(self.platform, &request),
            request,
            is_directory: is_directory || is_root,
        })
    }
}

/// What a path starts from.
enum Start {
    Relative,
    Absolute(Volume),
}

impl Start {
    /// The start of `text`, and the names that follow it.
    fn of(platform: Platform, text: &str) -> Result<(Self, &str), Denied> {
        match platform {
            Platform::Posix => Self::of_posix(text),
            Platform::Win32 => Self::of_win32(text),
        }
    }

    fn of_posix(text: &str) -> Result<(Self, &str), Denied> {
        // A path from a Windows machine means nothing here. As the odd name that it would be, it
        // could still reach a host that reads it as Windows does.
        let after_drive = |(_, rest): (_, &str)| {
            let first = rest.split(['/', '\\']).next().unwrap_or_default();
            is_dots(first)
        };
        if text.starts_with('\\') || drive(text).is_some_and(after_drive) {
            return Err(Denied::WindowsPath);
        }
        match text.strip_prefix('/') {
            // POSIX leaves two slashes to the system, and Windows means a server.
            Some(rest) if rest.starts_with(['/', '\\']) => Err(Denied::Network),
            Some(rest) => Ok((Self::Absolute(Volume::Top), rest)),
            None => Ok((Self::Relative, text)),
        }
    }

    fn of_win32(text: &str) -> Result<(Self, &str), Denied> {
        let separator = |character| Platform::Win32.separates(character);
        if let Some((letter, rest)) = drive(text) {
            return match rest.strip_prefix(separator) {
                Some(rest) => Ok((Self::Absolute(Volume::Drive(letter)), rest)),
                // `a:b.md` too: a stream of the file `a`, if it is no drive.
                None => Err(Denied::DriveRelative),
            };
        }
        let Some(rest) = text.strip_prefix(separator) else {
            return Ok((Self::Relative, text));
        };
        // `\??\` is the object manager's own prefix, which some calls accept.
        if rest.starts_with("??") {
            return Err(Denied::DevicePath);
        }
        let Some(rest) = rest.strip_prefix(separator) else {
            return Err(Denied::NoDrive);
        };
        let mut parts = rest.splitn(3, separator);
        let mut part = || parts.next().unwrap_or_default();
        let (server, share, rest) = (part(), part(), part());
        // `\\?\` switches off every rule that this module relies on, and `\\.\` opens devices.
        if matches!(server, "?" | ".") {
            return Err(Denied::DevicePath);
        }
        let unfit = |name: &str| name.is_empty() || name_fault(Platform::Win32, name).is_some();
        // `\\server\pipe` and `mailslot` are not folders but ways to other programs.
        let channel = ["pipe", "mailslot"]
            .into_iter()
            .any(|name| share.eq_ignore_ascii_case(name));
        if unfit(server) || unfit(share) || channel {
            return Err(Denied::Network);
        }
        let (server, share) = (server.to_owned(), share.to_owned());
        Ok((Self::Absolute(Volume::Share { server, share }), rest))
    }
}

/// A drive's letter and what follows its colon.
fn drive(text: &str) -> Option<(char, &str)> {
    let (letter, rest) = text.split_at_checked(1)?;
    let letter = letter.chars().next().filter(char::is_ascii_alphabetic)?;
    Some((letter.to_ascii_uppercase(), rest.strip_prefix(':')?))
}

/// What an absolute path is absolute in.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Volume {
    /// The one tree of a Posix system.
    Top,
    /// A Windows drive, its letter upper case.
    Drive(char),
    /// A Windows network share. WSL's files are in one, too.
    Share { server: String, share: String },
}

impl Volume {
    fn is(&self, other: &Self) -> bool {
        fold(Platform::Win32, &self.spelled()) == fold(Platform::Win32, &other.spelled())
    }

    /// With no separator at the end, so that names can follow after one.
    fn spelled(&self) -> String {
        match self {
            Self::Top => String::new(),
            Self::Drive(letter) => format!("{letter}:"),
            Self::Share { server, share } => format!("//{server}/{share}"),
        }
    }
}

/// A normalised absolute path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    platform: Platform,
    volume: Volume,
    names: Vec<String>,
}

impl Place {
    fn top(platform: Platform, volume: Volume) -> Self {
        Self {
            platform,
            volume,
            names: Vec::new(),
        }
    }

    fn of_root(platform: Platform, text: &str) -> Result<Self, &'static str> {
        const ABSOLUTE: &str = "must be an absolute path of this platform";
        match check_text(text) {
            Err(Denied::Nul) => return Err("must not have a NUL"),
            Err(Denied::Control | Denied::Direction) => {
                return Err("must not have a control character");
            }
            Err(Denied::TooLong) => return Err("must have at most 4096 UTF-16 units"),
            Err(_) => return Err(ABSOLUTE),
            Ok(()) => {}
        }
        let (volume, rest) = match Start::of(platform, text) {
            Ok((Start::Absolute(volume), rest)) => (volume, rest),
            Err(Denied::DevicePath) => return Err(r"must not be a device path, such as \\?\C:\x"),
            Ok((Start::Relative, _)) | Err(_) => return Err(ABSOLUTE),
        };
        let names: Vec<&str> = rest
            .split(|character| platform.separates(character))
            .filter(|name| !matches!(*name, "" | "."))
            .collect();
        let parent = |name: &str| name == "..";
        for name in names.iter().filter(|name| !parent(name)) {
            match name_fault(platform, name) {
                None => {}
                Some(Denied::Device) => return Err("must not name a device"),
                Some(Denied::Stream) => return Err("must not name an alternate data stream"),
                Some(_) => return Err("has a name that Windows changes or refuses"),
            }
        }
        let mut place = Self::top(platform, volume);
        let walked = place.walk(names.into_iter());
        walked.map(|()| place).ok_or("must not lead above its top")
    }

    /// Follows `names` one after the other; nothing if they lead above the top. An operating
    /// system would stay at the top instead, but an honest path does not try.
    fn walk<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Option<()> {
        for name in names {
            if name == ".." {
                self.names.pop()?;
            } else {
                self.names.push(name.to_owned());
            }
        }
        Some(())
    }

    /// The names that lead here from `root`, if this is inside it. Names are compared whole:
    /// `C:\Workshop` is not in `C:\Work`.
    fn below(&self, root: &Self) -> Option<&[String]> {
        let (above, below) = self.names.split_at_checked(root.names.len())?;
        let folded = |names: &[String]| -> Vec<String> {
            let names = names.iter();
            names.map(|name| fold(self.platform, name)).collect()
        };
        let inside = self.volume.is(&root.volume) && folded(above) == folded(&root.names);
        inside.then_some(below)
    }

    /// The absolute path of `names` below this root, which keeps its own spelling.
    fn spelled_with(&self, names: &[String]) -> String {
        let mut path = self.volume.spelled();
        for name in self.names.iter().chain(names) {
            path.push('/');
            path.push_str(name);
        }
        if self.names.is_empty() && names.is_empty() {
            path.push('/');
        }
        path
    }
}
