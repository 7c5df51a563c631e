//! How far the watch of an agent may go.

/// How far the watch of an agent may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Only a log is written.
    Watch,
    /// The model is told of a loop, the user of one that goes on, and nothing is ended.
    #[default]
    Hint,
    /// A loop that goes on ends the turn.
    Stop,
}

impl Mode {
    /// Every mode, the most careful first.
    pub const ALL: [Mode; 3] = [Mode::Watch, Mode::Hint, Mode::Stop];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Watch => "watch",
            Mode::Hint => "hint",
            Mode::Stop => "stop",
        }
    }

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
