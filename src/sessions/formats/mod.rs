//! A file a format, and the table by which a value's format is recognised.

mod events;
mod features;
pub(crate) mod messages;

use turnkeeper_base::json::Json;

use self::events::{EventReader, is_event_line};
use crate::format::{Format, RecordReader};

pub(crate) use self::features::is_message;

/// Makes a reader of a format.
pub(crate) type NewReader = fn() -> Box<dyn RecordReader>;

/// A format that shows in its values.
pub(crate) struct Known {
    /// Whether a value is the format's.
    pub(crate) is_of: fn(&Json) -> bool,
    /// Reads the values.
    pub(crate) reader: NewReader,
}

/// A format of files that are one object, in which a property beside the session's elements tells whose they are.
pub(crate) struct Beside {
    /// Whether a property, by its key and value, tells it.
    pub(crate) is_of: fn(&str, &Json) -> bool,
    /// Whether an element is the format's, then.
    pub(crate) takes: fn(&Json) -> bool,
    /// Reads the elements.
    pub(crate) reader: NewReader,
}

/// Formats whose values show it wherever they are. Those with more conditions are asked first.
pub(crate) const ANYWHERE: &[Known] = &[Known {
    is_of: is_event_line,
    reader: || Box::new(EventReader),
}];

/// Formats of lines, by one of their first lines; asked after those above.
pub(crate) const LINES: &[Known] = &[];

/// Formats of one object, by what is beside its elements; asked before those above.
pub(crate) const BESIDE: &[Beside] = &[];

/// Formats that show in the beginning of a text that may be cut off before its first value ends.
pub(crate) const BEGINNINGS: &[(fn(&str) -> bool, Format)] = &[];
