//! The reasons why a path may not be asked for.

/// One reason for each rule. None repeats the path: whoever wrote it could speak through it to
/// the model or to the host's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Denied {
    Empty,
    TooLong,
    Nul,
    Control,
    Direction,
    FileUrl,
    Url,
    Outside,
    Network,
    DevicePath,
    Device,
    NoDrive,
    DriveRelative,
    WindowsPath,
    Backslash,
    Stream,
    Forbidden,
    Trailing,
    Escape,
    Overlong,
    NestedEscapes,
    LookAlike,
    Disguise,
    Home,
}

impl Denied {
    /// For the model and the host.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Empty => "the path is empty",
            Self::TooLong => "the path is longer than 4096 UTF-16 units",
            Self::Nul => "the path has a NUL",
            Self::Control => "the path has a control character or a line break",
            Self::Direction => "the path has a character that turns the direction of writing",
            Self::FileUrl => "a file: address is not a path",
            Self::Url => "a URL is not a path",
            Self::Outside => "the path leads outside the allowed folders",
            Self::Network => "a network path leads outside the allowed folders",
            Self::DevicePath => "a device path leads outside the allowed folders",
            Self::Device => "a name in the path is that of a Windows device",
            Self::NoDrive => "the path starts at the top of a drive that it does not name",
            Self::DriveRelative => "the path is relative to the current folder of a drive",
            Self::WindowsPath => "the path is a Windows path, and this is not Windows",
            Self::Backslash => "a backslash in the path leads elsewhere where it separates names",
            Self::Stream => "a colon in the path names an alternate data stream",
            Self::Forbidden => "the path has one of the characters < > \" | ? *",
            Self::Trailing => {
                "a name in the path ends with a dot or a space, which Windows leaves off"
            }
            Self::Escape => {
                "a percent escape in the path hides a dot, a separator, a control character or a \
                 device"
            }
            Self::Overlong => "a percent escape in the path is an overlong form",
            Self::NestedEscapes => "percent escapes in the path are nested too deeply",
            Self::LookAlike => {
                "a name in the path is blank, or looks like . or .. without being it"
            }
            Self::Disguise => {
                "look-alikes in the path would make it absolute, a URL, a device or a stream"
            }
            Self::Home => "home folders and environment variables are not expanded",
        }
    }
}
