//! Makes the detector's lists of words from the table `words.tsv`.

use std::error::Error;

#[path = "../messages/word_table.rs"]
mod word_table;

fn main() -> Result<(), Box<dyn Error>> {
    word_table::write_lists(&[
        ("trait", "TRAITS", "ToolTrait"),
        ("wait verb", "WAIT_VERBS", "WaitVerb"),
        ("argument", "ARGUMENTS", "ArgumentRole"),
        ("program", "PROGRAMS", "Program"),
        ("result", "RESULTS", "ResultWord"),
    ])
}
