//! What a terminal selector and a naive one are told, made of bytes.

use turnkeeper_core::Shell;

/// What the two are told.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub win32: bool,
    pub most: u32,
    pub steals: bool,
    pub anywhere: bool,
    pub max_terminals: Option<u64>,
}

#[derive(Debug, Clone)]
pub enum Event {
    Register(Registered),
    Update(u64, Change),
    Select(Request),
    Cancel(u64),
    Release(&'static str),
    /// Which terminals there are, and whether it is said which of them are busy.
    Sync(Vec<Registered>, bool),
    Snapshot,
    /// More names than any terminal has, of one that is not there.
    Flood,
}

#[derive(Debug, Clone)]
pub struct Registered {
    pub id: u64,
    pub provider: &'static str,
    pub shell: Option<Shell>,
    pub directory: Option<&'static str>,
    pub task: Option<&'static str>,
    pub busy: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Change {
    pub closed: bool,
    pub task: Option<Option<&'static str>>,
    pub reset: bool,
    pub failed: bool,
    pub unobserved: bool,
    pub environment: Vec<&'static str>,
    pub directory: Option<Option<&'static str>>,
    pub busy: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct Request {
    pub command: Option<&'static str>,
    pub directory: &'static str,
    pub provider: &'static str,
    pub task: Option<&'static str>,
    pub shell: Option<Shell>,
    pub clean: Option<bool>,
}

const TASKS: [&str; 3] = ["A", "B", "任务"];
const COMMANDS: [Option<&str>; 4] = [Some("make"), Some("cd a"), Some("popd"), None];
const NAMES: [&str; 3] = ["PATH", "HOME", "A"];
const POSIX: [&str; 13] = [
    "/", "/p", "//p/./", "/p/a", "/p/x/../a/", "/p/a/b", "/p/a/b/c", "/p-two", "/p/A", "/q",
    "/q/../..", "p/a", "~",
];
const WIN32: [&str; 13] = [
    "C:\\", "C:\\p", "c:/P/.", "C:\\p\\a", "C:/p/x/../A. /", "C:\\p\\a\\%b%", "C:\\p\\a\\%b%\\c",
    "C:\\p-two", "D:\\p", "D:/", "d:\\..", "\\p", "C:p",
];
const POSIX_SHELLS: [Shell; 3] = [Shell::Bash, Shell::Fish, Shell::Sh];
const WIN32_SHELLS: [Shell; 3] = [Shell::Cmd, Shell::Pwsh, Shell::Powershell];

/// The settings and the events that bytes stand for.
pub fn read(bytes: &[u8]) -> (Settings, Vec<Event>) {
    let mut bytes = bytes.iter().copied();
    let mut byte = || bytes.next();
    let first = byte().unwrap_or_default();
    let settings = Settings {
        win32: first & 1 != 0,
        most: [5, 1, 0, 2][usize::from(first >> 1 & 3)],
        steals: first & 8 != 0,
        anywhere: first & 32 != 0,
        max_terminals: [None, None, Some(2), Some(1)][usize::from(first >> 6)],
    };
    let ids = if first & 16 == 0 { 3 } else { 10 };
    let mut events = Vec::new();
    // A byte that is missing ends the list.
    let mut floods = 0;
    while let Some(event) = next(settings, ids, &mut byte) {
        floods += u8::from(matches!(event, Event::Flood));
        // One is enough, and takes its time.
        if floods < 2 || !matches!(event, Event::Flood) {
            events.push(event);
        }
    }
    (settings, events)
}

fn next(settings: Settings, ids: u8, byte: &mut impl FnMut() -> Option<u8>) -> Option<Event> {
    let kind = byte()?;
    let id = u64::from(byte()? % ids);
    let more = byte()?;
    let directories = if settings.win32 { &WIN32 } else { &POSIX };
    let shells = if settings.win32 {
        &WIN32_SHELLS
    } else {
        &POSIX_SHELLS
    };
    let directory = directories[usize::from(more) % directories.len()];
    let task = |bits: u8| TASKS.get(usize::from(bits & 3)).copied();
    let shell = |bits: u8| shells.get(usize::from(bits & 3)).copied();
    let provider = if kind & 0x70 == 0 { "execa" } else { "vscode" };
    Some(match kind % 16 {
        0..=2 => {
            let other = byte()?;
            Event::Register(Registered {
                id,
                provider,
                shell: shell(other >> 2),
                directory: (other >> 4 != 0).then_some(directory),
                task: task(other),
                busy: other & 0xe0 == 0x20,
            })
        }
        3..=8 => {
            let other = byte()?;
            Event::Select(Request {
                directory,
                provider,
                task: task(other),
                shell: shell(other >> 2),
                command: COMMANDS[usize::from(other >> 6)],
                clean: [None, None, Some(true), Some(false)][usize::from(other >> 4 & 3)],
            })
        }
        9 => Event::Cancel(id),
        10 | 11 => Event::Update(
            id,
            Change {
                busy: Some(kind & 16 != 0),
                ..Change::default()
            },
        ),
        12 | 13 => {
            let other = byte()?;
            let mut environment = Vec::new();
            if other & 32 != 0 {
                environment.extend([NAMES[usize::from(other % 3)], NAMES[usize::from(more % 3)]]);
            }
            Event::Update(
                id,
                Change {
                    closed: other % 16 == 1,
                    task: (other & 4 != 0).then_some(task(other)),
                    reset: other % 16 == 2,
                    failed: other == 3,
                    environment,
                    unobserved: other & 0x81 == 0x80,
                    directory: (other & 8 != 0).then_some((other % 16 != 15).then_some(directory)),
                    busy: (other & 16 != 0).then_some(other & 64 != 0),
                },
            )
        }
        14 if kind & 16 == 0 && id == 0 => Event::Flood,
        14 => Event::Release(task(more).unwrap_or("nobody")),
        _ if kind & 16 == 0 => Event::Snapshot,
        _ => {
            let mut terminals = Vec::new();
            for _ in 0..id {
                let (name, other) = (byte()?, byte()?);
                let directory = directories[usize::from(name >> 2) % directories.len()];
                terminals.push(Registered {
                    id: u64::from(name & 3),
                    provider,
                    shell: shell(other >> 2),
                    directory: (other >> 4 != 0).then_some(directory),
                    task: task(other),
                    busy: other & 0xe0 == 0x20,
                });
            }
            Event::Sync(terminals, more & 1 != 0)
        }
    })
}
