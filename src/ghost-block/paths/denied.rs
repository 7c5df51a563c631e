//! The reasons why a path may not be asked for.

/// A reason, for the model and the host. None repeats the path: whoever wrote it could speak through it to
/// the model or to the host's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Denied(pub(crate) &'static str);

impl Denied {
    pub(crate) const EMPTY: Self = Self("the path is empty");
    pub(crate) const TOO_LONG: Self = Self("the path is longer than 4096 UTF-16 units");
    pub(crate) const NUL: Self = Self("the path has a NUL");
    pub(crate) const CONTROL: Self = Self("the path has a control character or a line break");
    pub(crate) const DIRECTION: Self =
        Self("the path has a character that turns the direction of writing");
    pub(crate) const FILE_URL: Self = Self("a file: address is not a path");
    pub(crate) const URL: Self = Self("a URL is not a path");
    pub(crate) const OUTSIDE: Self = Self("the path leads outside the allowed folders");
    pub(crate) const NETWORK: Self = Self("a network path leads outside the allowed folders");
    pub(crate) const DEVICE_PATH: Self = Self("a device path leads outside the allowed folders");
    pub(crate) const DEVICE: Self = Self("a name in the path is that of a Windows device");
    pub(crate) const NO_DRIVE: Self =
        Self("the path starts at the top of a drive that it does not name");
    pub(crate) const DRIVE_RELATIVE: Self =
        Self("the path is relative to the current folder of a drive");
    pub(crate) const WINDOWS_PATH: Self =
        Self("the path is a Windows path, and this is not Windows");
    pub(crate) const BACKSLASH: Self =
        Self("a backslash in the path leads elsewhere where it separates names");
    pub(crate) const STREAM: Self = Self("a colon in the path names an alternate data stream");
    pub(crate) const FORBIDDEN: Self = Self("the path has one of the characters < > \" | ? *");
    pub(crate) const TRAILING: Self =
        Self("a name in the path ends with a dot or a space, which Windows leaves off");
    pub(crate) const ESCAPE: Self = Self(
        "a percent escape in the path hides a dot, a separator, a control character or a device",
    );
    pub(crate) const OVERLONG: Self = Self("a percent escape in the path is an overlong form");
    pub(crate) const NESTED_ESCAPES: Self =
        Self("percent escapes in the path are nested too deeply");
    pub(crate) const LOOK_ALIKE: Self =
        Self("a name in the path is blank, or looks like . or .. without being it");
    pub(crate) const DISGUISE: Self =
        Self("look-alikes in the path would make it absolute, a URL, a device or a stream");
    pub(crate) const HOME: Self = Self("home folders and environment variables are not expanded");
}
