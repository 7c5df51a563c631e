//! A part of a message.

use crate::event::Event;

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Part<'a> {
    /// A text, thinking, a call, a result, or the mark of a condensation.
    Event(Event<'a>),
    /// A call that names no tool, which no rule can look at.
    NamelessCall,
    /// A picture or another file.
    Image,
}

pub(crate) fn is_result(part: &Part) -> bool {
    matches!(part, Part::Event(Event::ToolResult { .. }))
}
