//! The format of a session, from the beginning of its file.

use crate::formats::BEGINNINGS;
use crate::sessions::container::{Container, container_of};
use crate::sessions::cut::Cutter;
use crate::sessions::format::Format;
use crate::sessions::values::{Values, Wanted};

/// The format of a saved session, from the beginning of its file, which may be cut off anywhere. Some 64 KB are enough
/// for most files; what is cut off is not looked at, so the first message should be whole. Of messages that do not show
/// whose they are, more of the file may tell more. `None` if it is no session, or if the beginning does not say.
///
/// ```
/// use turnkeeper_agents::sessions::{Format, detect_format};
///
/// let start = r#"[{"role":"user","parts":[{"text":"Fix it."}]},{"role":"mo"#;
/// assert_eq!(detect_format(start.as_bytes()), Some(Format::Gemini));
/// assert_eq!(detect_format(br#"{"name":"a package"}"#), None);
/// ```
pub fn detect_format(start: &[u8]) -> Option<Format> {
    let container = container_of("", start).ok()?;
    if container == Container::Markdown {
        return Some(Format::ClineMarkdown);
    }
    let mut values = Values::new("", container, Wanted::Words);
    let mut cutter = Cutter::new(container);
    let take = &mut |cut: crate::sessions::cut::Cut| values.take(cut, &mut |_| {});
    // The values before tell the format, if one is of none.
    let is_known = cutter.push(start, take).is_ok();
    if is_known && container == Container::Lines {
        // The last line may be whole.
        let _ = cutter.end(take);
    }
    values.settle(&mut |_| {});
    values.format().or_else(|| {
        let text = String::from_utf8_lossy(start);
        let mut shown = BEGINNINGS.iter().filter(|(is_of, _)| is_of(&text));
        shown.next().map(|(_, format)| *format)
    })
}
