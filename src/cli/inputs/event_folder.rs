//! OpenHands' folders with a file for each event.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use turnkeeper_agents::sessions::is_openhands_event;
use turnkeeper_base::json::parse;

use crate::files::read_regular;

/// The most files that are looked at for one that is an event; others may be broken.
const LOOKED_AT: usize = 8;
/// The first events of a session, which say what the task is, are shorter, in bytes.
const LONGEST_LOOKED_AT: u64 = 4 << 20;

/// The files of a folder in the order of their numbers, if OpenHands has written one event into each; none of any
/// other folder, whatever its files are called. `entries` are the names in it.
pub(super) fn event_files(folder: &Path, entries: &[OsString]) -> Option<Vec<PathBuf>> {
    if entries.len() < 2 {
        return None;
    }
    let numbered = entries
        .iter()
        .map(|entry| Some((number_of(entry.to_str()?)?, entry)));
    let mut numbered = numbered.collect::<Option<Vec<_>>>()?;
    numbered.sort_by_key(|(number, _)| *number);
    let files: Vec<PathBuf> = numbered
        .iter()
        .map(|(_, entry)| folder.join(entry))
        .collect();
    files
        .iter()
        .take(LOOKED_AT)
        .any(|file| is_event(file))
        .then_some(files)
}

/// The number in `0.json` or `event-00000-….json`.
fn number_of(name: &str) -> Option<u32> {
    let name = name.strip_suffix(".json")?;
    let name = name.strip_prefix("event-").unwrap_or(name);
    let (number, id) = name
        .split_once('-')
        .map_or((name, None), |(number, id)| (number, Some(id)));
    let is_id = |id: &str| {
        let is_of_id = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f' | b'-');
        (1..=64).contains(&id.len()) && id.bytes().all(is_of_id)
    };
    let is_number = (1..=9).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit());
    (is_number && id.is_none_or(is_id)).then(|| number.parse().ok())?
}

/// Whether a file is an event of OpenHands. Another may tell; whoever reads this one will say what is wrong with it.
fn is_event(file: &Path) -> bool {
    let Ok(bytes) = read_regular(file, LONGEST_LOOKED_AT) else {
        return false;
    };
    let mut room = Vec::new();
    parse(&bytes, &mut room).is_ok_and(|value| is_openhands_event(&value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_numbered_files() {
        for (name, number) in [
            ("0.json", Some(0)),
            ("17.json", Some(17)),
            ("event-00003-0badcafe-12.json", Some(3)),
            ("000000007-0.json", Some(7)),
            ("1234567890.json", None),
            ("event-.json", None),
            ("3-xyz.json", None),
            ("3-.json", None),
            ("3.jsonl", None),
            ("a.json", None),
        ] {
            assert_eq!(number_of(name), number, "{name}");
        }
    }
}
