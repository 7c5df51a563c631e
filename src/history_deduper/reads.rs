//! File contents that were read again later.

use super::report::RepeatedFileRead;
use crate::text::push_number;
use turnkeeper_kernels::Size;

const NOTICE: &str = "[An older copy of ";

/// What a tool's result says of a file.
#[derive(Debug, Clone)]
struct Read {
    key: String,
    path: String,
    message: u32,
    part: u32,
    size: Size,
    is_newest: bool,
}

/// The reads of a history, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reads {
    reads: Vec<Read>,
}

impl Reads {
    /// A result came. One that is less than half as long as the copy before is rather a refusal or
    /// an error than the file, and a notice is no copy either: neither replaces anything.
    pub(crate) fn add(
        &mut self,
        key: &str,
        path: &str,
        place: (u32, u32),
        text: &[u16],
        size: Size,
    ) {
        if is_notice(text) {
            return;
        }
        let mut before = self.reads.iter_mut().rev();
        let before = before.find(|read| read.is_newest && read.key == key);
        if let Some(before) = before {
            if size.units < before.size.units.div_ceil(2) {
                return;
            }
            before.is_newest = false;
        }
        self.reads.push(Read {
            key: key.to_owned(),
            path: path.to_owned(),
            message: place.0,
            part: place.1,
            size,
            is_newest: true,
        });
    }

    /// The copies that can give way to a notice, which has to be shorter.
    pub(crate) fn repeated(&self) -> Vec<RepeatedFileRead> {
        let mut repeated = Vec::new();
        for read in &self.reads {
            if read.is_newest {
                continue;
            }
            let newest = self.reads.iter().rev().find(|other| other.key == read.key);
            // A copy is older than another, or it would be the newest.
            let newest = newest.map_or(0, |newest| newest.message);
            let notice = notice(&read.path, newest);
            let mut units = Vec::new();
            for unit in notice.encode_utf16() {
                units.push(unit);
            }
            let left = Size::of(&units);
            if left.units < read.size.units {
                repeated.push(RepeatedFileRead {
                    index: read.message,
                    part: read.part,
                    path: read.path.clone(),
                    newest,
                    notice,
                    characters: read.size.units - left.units,
                    tokens: read.size.tokens().saturating_sub(left.tokens()),
                    original: (),
                });
            }
        }
        repeated
    }
}

fn is_notice(text: &[u16]) -> bool {
    text.len() >= NOTICE.len()
        && (NOTICE.bytes().zip(text)).all(|(byte, unit)| u16::from(byte) == *unit)
}

fn notice(path: &str, newest: u32) -> String {
    let mut notice = NOTICE.to_owned();
    notice.push_str(path);
    notice.push_str(" was removed to save space; the newest stands in message ");
    push_number(&mut notice, newest.into());
    notice.push_str(" of this history.]");
    notice
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(reads: &mut Reads, message: u32, path: &str, text: &str) {
        let units: Vec<u16> = text.encode_utf16().collect();
        reads.add(path, path, (message, 0), &units, Size::of(&units));
    }

    #[test]
    fn every_copy_but_the_newest_gives_way() {
        let mut reads = Reads::default();
        let file = "let x = 1;\n".repeat(40);
        for (message, path) in [(1, "a"), (3, "b"), (5, "a"), (7, "a")] {
            add(&mut reads, message, path, &file);
        }
        let repeated = reads.repeated();
        let places: Vec<_> = repeated
            .iter()
            .map(|read| (read.index, read.newest))
            .collect();
        assert_eq!(places, [(1, 7), (5, 7)]);
        let notice = &repeated[0].notice;
        assert!(
            notice.contains("copy of a ") && notice.contains("message 7 "),
            "{notice}"
        );
        assert!(!notice.contains('\n'));
        assert_eq!(repeated[0].characters as usize, file.len() - notice.len());
    }

    #[test]
    fn refusals_notices_and_short_files_change_nothing() {
        let mut reads = Reads::default();
        let file = "let x = 1;\n".repeat(40);
        add(&mut reads, 1, "a", &file);
        add(&mut reads, 3, "a", "The user denied this operation.");
        assert_eq!(reads.repeated(), []);
        let notice = format!("{NOTICE}a was removed{}", " ".repeat(500));
        add(&mut reads, 5, "a", &notice);
        add(&mut reads, 7, "b", "short");
        add(&mut reads, 9, "b", "short");
        assert_eq!(reads.repeated(), []);
    }
}
