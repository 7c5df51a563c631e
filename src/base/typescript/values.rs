//! Values that JavaScript has to know as well as Rust: how calls are written as numbers.

use crate::tag::{self, MAX_ARGUMENT_DEPTH};

/// The declarations of all of them.
pub(super) fn declarations() -> String {
    let tags = tag::ALL.iter();
    let tags: String = tags
        .map(|(name, byte)| format!("{} = {byte:#x},", pascal_case(name)))
        .collect();
    format!(
        "\n/** The bytes with which the values of an encoded call begin, and the lists in it end. */\n\
         export const enum CallTag {{ {tags} }}\n\
         \n/** Arguments nested deeper than this are refused. */\n\
         export const MAX_ARGUMENT_DEPTH = {MAX_ARGUMENT_DEPTH};\n"
    )
}

/// `ArrayEnd` of `ARRAY_END`.
fn pascal_case(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_owned() + &rest.to_lowercase()
    });
    words.collect()
}
