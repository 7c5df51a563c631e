//! Makes the lists of tools' names and words from the table `words.tsv`.

use std::error::Error;

mod word_table;

fn main() -> Result<(), Box<dyn Error>> {
    word_table::write_lists(&[
        ("tool name", "NAMES", "KnownTool"),
        ("tool word", "WORDS", "ToolKind"),
        ("editor verb", "EDITOR_VERBS", "ToolKind"),
    ])
}
