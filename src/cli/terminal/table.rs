//! Tables whose columns never touch.

use turnkeeper_analysis::plain_text::escape_controls;

use super::columns::{Side, clip, pad_end, pad_start, text_width, widest_of};

/// A column of a table, with its cells.
pub(crate) struct Column {
    /// One heading, or two of which the long one is taken where there is room; never broken.
    pub(crate) title: Title,
    /// Where a cell stands in its column.
    pub(crate) align: Align,
    pub(crate) cells: Vec<Cell>,
}

/// Text as it is shown, which is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    /// Where it is cut if it stands in the first column and has no room.
    clip: Side,
}

impl Cell {
    pub(crate) fn new(text: &str, clip: Side) -> Self {
        Cell {
            text: escape_controls(text),
            clip,
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::new(&text, Side::End)
    }
}

pub(crate) struct Title {
    pub(crate) long: String,
    pub(crate) short: String,
}

impl From<&str> for Title {
    fn from(title: &str) -> Self {
        Title {
            long: title.to_owned(),
            short: title.to_owned(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Columns of the terminal between two columns of the table, whatever is in them.
const GAP: usize = 2;

/// Whether a table has room, if its first column gets `narrowest`.
pub(crate) fn fits<'a>(
    columns: impl IntoIterator<Item = &'a Column>,
    narrowest: usize,
    room: usize,
) -> bool {
    narrowest + span_of(columns, Column::short) <= room
}

/// The lines of a table, the headings first; none if there is no room for it. All columns have as many cells. The first column takes what the others
/// leave, at least `narrowest`, and is cut; the others are as wide as their widest cell.
pub(crate) fn table_lines(
    columns: &[&Column],
    narrowest: usize,
    room: usize,
) -> Option<Vec<String>> {
    if !fits(columns.iter().copied(), narrowest, room) {
        return None;
    }
    let first = columns.first()?;
    let widest = narrowest.max(widest_of(first.texts()));
    let span = span_of(columns.iter().copied(), Column::long);
    let title = if widest.min(2 * narrowest) + span <= room {
        Column::long
    } else {
        Column::short
    };
    let mut widths: Vec<usize> = columns.iter().map(|it| it.width(title)).collect();
    // A table of short names is not drawn across a wide terminal.
    let longest = widest.max(text_width(title(first)));
    widths[0] = longest.min(room - span_of(columns.iter().copied(), title));
    let line = |cell: &dyn Fn(&Column) -> Cell| {
        let cells = columns.iter().enumerate().map(|(at, column)| {
            let Cell { text, clip: side } = cell(column);
            let shown = match at {
                0 => clip(&text, widths[0], side),
                _ => text,
            };
            match column.align {
                Align::Left => pad_end(&shown, widths[at]),
                Align::Right => pad_start(&shown, widths[at]),
            }
        });
        let cells: Vec<String> = cells.collect();
        cells.join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    let head = line(&|column| title(column).to_owned().into());
    let rows = (0..first.cells.len()).map(|row| line(&|column| column.cells[row].clone()));
    Some([head].into_iter().chain(rows).collect())
}

impl Column {
    fn long(&self) -> &str {
        &self.title.long
    }

    fn short(&self) -> &str {
        &self.title.short
    }

    fn width(&self, title: fn(&Column) -> &str) -> usize {
        widest_of(self.texts().chain([title(self)]))
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|cell| cell.text.as_str())
    }
}

/// The room of all columns but the first, with the gaps before them.
fn span_of<'a>(columns: impl IntoIterator<Item = &'a Column>, title: fn(&Column) -> &str) -> usize {
    let others = columns.into_iter().skip(1);
    others.map(|column| GAP + column.width(title)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(title: &str, align: Align, cells: &[&str]) -> Column {
        Column {
            title: title.into(),
            align,
            cells: cells.iter().map(|&it| it.to_owned().into()).collect(),
        }
    }

    #[test]
    fn columns_are_apart_and_the_first_is_cut() {
        let names = column("session", Align::Left, &["会话记录会话记录", "b"]);
        let calls = column("calls", Align::Right, &["10,020", "7"]);
        let lines = table_lines(&[&names, &calls], 7, 18);
        let expected = [
            "session      calls",
            "会话记录…   10,020",
            "b                7",
        ];
        assert_eq!(
            lines.as_deref(),
            Some(expected.map(str::to_owned).as_slice())
        );
        assert_eq!(table_lines(&[&names, &calls], 11, 18), None);
    }

    #[test]
    fn a_heading_has_its_long_form_where_there_is_room() {
        let names = column("session", Align::Left, &["a"]);
        let mut outdated = column("", Align::Right, &["1"]);
        outdated.title = Title {
            long: "outdated tokens".into(),
            short: "outdated".into(),
        };
        let head = |room| table_lines(&[&names, &outdated], 7, room).map(|mut it| it.remove(0));
        assert_eq!(head(24).as_deref(), Some("session  outdated tokens"));
        assert_eq!(head(23).as_deref(), Some("session  outdated"));
    }
}
