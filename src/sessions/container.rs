//! How a file is built.

/// How a file is built: values a line, an array, an object, or an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Lines,
    Array,
    Object,
    Markdown,
}

/// The properties of an object that hold a session.
pub(crate) const HOLDERS: &[&str] = &[
    "messages", "trajectory", "history", "events", "items", "input", "conversation", "requests",
    "steps",
];
