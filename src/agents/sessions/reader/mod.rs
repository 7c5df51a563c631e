//! Reads a session that an agent has saved, whichever agent it was.

use crate::sessions::container::{Container, begins_with_record, container_of, shows_container};
use crate::sessions::cut::{Cut, Cutter};
use crate::sessions::format::Format;
use crate::sessions::input_error::{InputError, InputFailure};
use crate::sessions::record::Piece;
use crate::sessions::values::{Values, Wanted};

/// The most bytes of a file that are looked at to see how it is built.
const BEGINNING: usize = 262_144;

/// Reads a session that an agent has saved, whichever agent it was, from the bytes of its file, in chunks of any size.
///
/// It keeps these promises:
/// - All [pieces](Piece), one after the other, are the file, byte for byte, whatever it holds.
/// - No more is held than one line or element, and of a file whose first values do not say whose they are, those few;
///   128 MB at most.
/// - What cannot be read costs itself alone: a line that is cut or no UTF-8, two records on one line, a run of NULs, an
///   element that is no JSON or not what its format says. Such a piece has a [problem](Piece::problem) with the place and
///   the reason instead of a record, and the rest is read. Only where an array or an object breaks off, or its quotes and
///   brackets do not match, all that follows is lost, and told.
/// - An error says that nothing could be read at all: the file is empty, or in no known format, or no value of it is
///   whole.
///
/// ```
/// use turnkeeper_agents::sessions::SessionReader;
///
/// let mut reader = SessionReader::new("session.jsonl");
/// let mut events = 0;
/// let mut take = |piece: &turnkeeper_agents::sessions::Piece| {
///     events += piece.record.iter().flat_map(|record| &record.items).count();
/// };
/// reader.push(b"{\"role\":\"user\",\"content\":\"Go on.\"}\n", &mut take)?;
/// reader.push(b"{\"role\":\"assistant\",\"content\":\"Done.\"}\n{\"ro", &mut take)?;
/// reader.end(&mut take)?;
/// assert_eq!(events, 3);
/// assert!(reader.is_cut_off(3));
/// # Ok::<(), turnkeeper_agents::sessions::InputError>(())
/// ```
#[derive(Debug)]
pub struct SessionReader {
    file: String,
    wanted: Wanted,
    /// The bytes that show how the file is built, until there are enough of them.
    beginning: Vec<u8>,
    cutting: Option<Cutting>,
}

/// A file of which it is known how it is built.
#[derive(Debug)]
struct Cutting {
    container: Container,
    begins_with_record: bool,
    cutter: Cutter,
    values: Values,
    /// The last line, if nothing ends it.
    open_line: Option<u32>,
}

impl SessionReader {
    /// Of a file whose name errors carry. The name does not tell the format: the contents do.
    pub fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            wanted: Wanted::All,
            beginning: Vec::new(),
            cutting: None,
        }
    }

    /// The same for whoever asks for the usage, the facts and the times alone: of formats where these are the same
    /// without them, the records lack most texts, arguments and results, which are passed over.
    pub fn for_usage(file: &str) -> Self {
        Self {
            wanted: Wanted::Usage,
            ..Self::new(file)
        }
    }

    /// The same for whoever asks for neither usage nor times, which the records lack.
    pub fn for_words(file: &str) -> Self {
        Self {
            wanted: Wanted::Words,
            ..Self::new(file)
        }
    }

    /// Reads the next bytes.
    ///
    /// # Errors
    /// If the file is in no known format; then nothing more is to be pushed.
    pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&Piece)) -> Result<(), InputError> {
        if let Some(cutting) = &mut self.cutting {
            return cutting.push(bytes, take);
        }
        // Most files show it in the first bytes that come, which are not copied then.
        if self.beginning.is_empty() && shows_container(bytes) {
            return self.start(bytes, take);
        }
        let before = self.beginning.len();
        self.beginning.extend_from_slice(bytes);
        let count = self.beginning.len();
        // The beginning is looked at again when there is twice as much of it.
        let is_much_more = before.next_power_of_two() < count;
        match count >= BEGINNING || is_much_more && shows_container(&self.beginning) {
            true => {
                let beginning = std::mem::take(&mut self.beginning);
                self.start(&beginning, take)
            }
            false => Ok(()),
        }
    }

    /// Reads what the end of the file ends.
    ///
    /// # Errors
    /// If nothing of the file could be read.
    pub fn end(&mut self, take: &mut dyn FnMut(&Piece)) -> Result<(), InputError> {
        if self.cutting.is_none() {
            let beginning = std::mem::take(&mut self.beginning);
            self.start(&beginning, take)?;
        }
        match &mut self.cutting {
            Some(cutting) => cutting.end(&self.file, take),
            None => Ok(()),
        }
    }

    /// The format, once something has been read.
    pub fn format(&self) -> Option<Format> {
        self.cutting.as_ref()?.values.format()
    }

    /// The places that are counted: `line` of a file of lines, `element` of any other.
    pub fn unit(&self) -> &'static str {
        let container = self.cutting.as_ref().map(|it| it.container);
        match container {
            None | Some(Container::Lines) => "line",
            Some(_) => "element",
        }
    }

    /// Whether a line that could not be read, counting from 1, is the last, and nothing ends it: then it was cut off,
    /// as when the agent was writing it. It is known at the end.
    pub fn is_cut_off(&self, line: u32) -> bool {
        let cutting = self.cutting.as_ref();
        cutting.and_then(|it| it.open_line) == Some(line)
    }

    /// Cuts what has come, once it shows how the file is built.
    fn start(&mut self, beginning: &[u8], take: &mut dyn FnMut(&Piece)) -> Result<(), InputError> {
        let shown = &beginning[..beginning.len().min(BEGINNING)];
        let container = container_of(&self.file, shown)?;
        let cutting = self.cutting.insert(Cutting {
            container,
            begins_with_record: container == Container::Markdown || begins_with_record(shown),
            cutter: Cutter::new(container),
            values: Values::new(&self.file, container, self.wanted),
            open_line: None,
        });
        cutting.push(beginning, take)
    }
}

impl Cutting {
    fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&Piece)) -> Result<(), InputError> {
        let Self { cutter, values, .. } = self;
        cutter.push(bytes, &mut |cut| values.take(cut, take))
    }

    fn end(&mut self, file: &str, take: &mut dyn FnMut(&Piece)) -> Result<(), InputError> {
        let Self {
            cutter,
            values,
            open_line,
            ..
        } = self;
        let is_lines = self.container == Container::Lines;
        cutter.end(&mut |cut| {
            *open_line = match &cut {
                Cut::Value(_, at) => Some(at.place),
                Cut::Bad(_, left_out) => Some(left_out.place),
                _ => None,
            };
            open_line.take_if(|_| !is_lines);
            values.take(cut, take)
        })?;
        let Err(error) = values.end(take) else {
            return Ok(());
        };
        // An object of which nothing could be read is somebody's settings rather than a session: those may have
        // comments. So is text that begins with a bracket and goes on otherwise than records do. A line that breaks off
        // at once is a session that has just begun.
        let is_object = self.container == Container::Object;
        let is_strange = is_object && !values.has_elements() || !self.begins_with_record;
        let is_unknown = is_strange && values.format().is_none();
        match is_unknown && error.kind == InputFailure::Broken {
            true => Err(InputError {
                file: file.to_owned(),
                kind: InputFailure::Unknown,
                ..error
            }),
            false => Err(error),
        }
    }
}

#[cfg(test)]
mod tests;
