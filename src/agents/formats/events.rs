//! Event lines: the detector's own events, an object a line, and lines that start a prompt
//! (`{"type":"prompt_started","promptId":"p1","model":"…","userPrompt":"…"}`).

use turnkeeper_base::json::Json;
use turnkeeper_messages::{EVENT_TYPES, Event};

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::items::item;
use crate::sessions::record::{Record, Unreadable};

/// Whether it is an event as the detector takes it, or the line that starts a prompt.
pub(super) fn is_event_line(value: &Json) -> bool {
    let kind = value.get("type").and_then(Json::as_text);
    kind.is_some_and(|kind| EVENT_TYPES.contains(&kind))
}

/// Reads event lines.
#[derive(Debug)]
pub(super) struct EventReader;

impl RecordReader for EventReader {
    fn format(&self) -> Format {
        Format::Events
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let event = Event::read(value).map_err(Unreadable::new)?;
        let items = vec![item(event)];
        Ok(Record {
            items,
            ..Record::default()
        })
    }
}
