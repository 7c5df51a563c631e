//! The formats as TypeScript.

use crate::sessions::format::Format;

/// The names of all formats.
pub fn declarations() -> String {
    let names: String = Format::ALL
        .iter()
        .map(|format| format!("\n  | \"{}\"", format.name()))
        .collect();
    format!(
        "\n/** The formats of saved sessions that are read. */\nexport type SessionFormat ={names};\n"
    )
}
