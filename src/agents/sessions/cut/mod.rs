//! Cuts a file's bytes, as they come, into its values and what is between them.

mod json;
mod lines;
pub(crate) mod markdown;
mod piece;
mod salvage;
pub(crate) mod value;

use self::json::JsonCutter;
use self::lines::LineCutter;
use self::markdown::MarkdownCutter;
pub(crate) use self::piece::{At, Cut, LONGEST, Take};
use crate::sessions::container::Container;
use crate::sessions::input_error::InputError;

/// Cuts a file; all parts, one after the other, are the file.
#[derive(Debug)]
pub(crate) enum Cutter {
    Lines(LineCutter),
    Json(JsonCutter),
    Markdown(MarkdownCutter),
}

impl Cutter {
    /// Of a file that is built so.
    pub(crate) fn new(container: Container) -> Self {
        match container {
            Container::Lines => Self::Lines(LineCutter::default()),
            Container::Array | Container::Object => Self::Json(JsonCutter::default()),
            Container::Markdown => Self::Markdown(MarkdownCutter::default()),
        }
    }

    /// The parts that end in the next bytes.
    pub(crate) fn push(&mut self, chunk: &[u8], take: &mut Take) -> Result<(), InputError> {
        match self {
            Self::Lines(cutter) => cutter.push(chunk, take),
            Self::Json(cutter) => cutter.push(chunk, take),
            Self::Markdown(cutter) => cutter.push(chunk, take),
        }
    }

    /// The parts that the end of the file ends.
    pub(crate) fn end(&mut self, take: &mut Take) -> Result<(), InputError> {
        match self {
            Self::Lines(cutter) => cutter.end(take),
            Self::Json(cutter) => cutter.end(take),
            Self::Markdown(cutter) => cutter.end(take),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::piece::TOO_LONG;
    use super::*;

    /// The values of a file that is cut into chunks of these sizes, with what is left out, and all its bytes.
    fn cut_in(container: Container, file: &[u8], sizes: &[usize]) -> (Vec<String>, Vec<u8>) {
        let (mut values, mut all) = (Vec::new(), Vec::new());
        let mut take = |cut: Cut| {
            match &cut {
                Cut::Between(bytes) | Cut::Value(bytes, _) | Cut::Bad(bytes, _) => {
                    all.extend_from_slice(bytes)
                }
                Cut::Made(..) | Cut::AnotherLine => {}
            }
            match cut {
                Cut::Between(_) => {}
                // Of what is too long, the last bytes are those of a chunk.
                Cut::Bad(_, left_out) => values.push(format!("{left_out:?}")),
                cut => values.push(format!("{cut:?}")),
            }
            Ok(())
        };
        let mut cutter = Cutter::new(container);
        let mut rest = file;
        for size in sizes {
            let (chunk, after) = rest.split_at((*size).min(rest.len()));
            rest = after;
            cutter.push(chunk, &mut take).expect("nothing refuses");
        }
        cutter.push(rest, &mut take).expect("nothing refuses");
        cutter.end(&mut take).expect("nothing refuses");
        (values, all)
    }

    const CONTAINERS: [Container; 4] = [
        Container::Lines,
        Container::Array,
        Container::Object,
        Container::Markdown,
    ];

    fn files() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            Just(br#"{"a":[{"b":"\\\"}"},-1.5,true],"c":{}}"#.to_vec()),
            Just(
                "**User:**\n\nGo on.\n\n---\n\n**Assistant:**\n"
                    .as_bytes()
                    .to_vec()
            ),
            "[\\[\\]{}\":,\n 0\\\\]".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..3),
        ];
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn chunks_decide_nothing(file in files(), sizes in prop::collection::vec(0..20_usize, 0..24)) {
            for container in CONTAINERS {
                let whole = cut_in(container, &file, &[]);
                prop_assert_eq!(&cut_in(container, &file, &sizes), &whole);
                prop_assert_eq!(&whole.1, &file);
            }
        }
    }

    #[test]
    fn what_is_too_long_is_not_held_and_costs_itself_alone() {
        let long = "o".repeat(2 * LONGEST);
        for (container, file, count) in [
            (Container::Lines, format!("1\n{long}\n2\n"), 3),
            (Container::Array, format!("[1,\"{long}\",2]"), 3),
            (
                Container::Object,
                format!("{{\"a\":\"{long}\",\"b\":2}}"),
                2,
            ),
        ] {
            let sizes = vec![65_536; 40];
            let (values, bytes) = cut_in(container, file.as_bytes(), &sizes);
            assert_eq!(values.len(), count, "{values:?}");
            assert!(values.iter().any(|it| it.contains(TOO_LONG)));
            assert!(bytes == file.as_bytes());
        }
    }
}
