// A part of build scripts: makes lists of words from the table `words.tsv` of a crate.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// Writes `word_lists.rs` with a constant for each list of the table: its name there, the constant's, and the type of
/// its meanings.
pub(crate) fn write_lists(lists: &[(&str, &str, &str)]) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=words.tsv");
    let table = fs::read_to_string("words.tsv")?;
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect())
        .collect();
    let mut made = String::new();
    for (list, constant, meanings) in lists {
        let of_list: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == *list).collect();
        write!(
            made,
            "pub(super) const {constant}: &[({meanings}, &str)] = &["
        )?;
        for rows in of_list.chunk_by(|one, next| one[1] == next[1]) {
            let words: Vec<&str> = rows.iter().map(|row| row[3]).collect();
            write!(made, "({meanings}::{}, {:?}),", rows[0][1], words.join(" "))?;
        }
        made.push_str("];\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("word_lists.rs"), made)?;
    Ok(())
}
