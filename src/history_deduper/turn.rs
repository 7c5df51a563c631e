//! The running turn: content that gets the fresh block, and the stack that it waits on.

use super::HistoryDeduper;
use super::message::{Layout, Message, Older, Plan};
use super::options::KeepBlock;

/// What becomes of a block that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnExisting {
    /// The fresh one takes its place.
    Replace,
    /// It stays and moves to the end, and the fresh one is not needed.
    Keep,
}

/// What to do to the content of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnPlan {
    /// The edits, as those of a message.
    pub edits: Plan,
    /// Whether the fresh block is to be appended after them.
    pub appends: bool,
    /// Whether blocks of other tags stay, behind which it then stands.
    pub follows: bool,
}

impl HistoryDeduper {
    /// Whether the content holds a block.
    pub fn has_block(&self, content: &Message) -> bool {
        !Layout::read(content, &self.tags, false).found.is_empty()
    }

    /// The edits that take all blocks out of the content; it may be left empty.
    pub fn strip(&self, content: &Message) -> Plan {
        let mut layout = Layout::read(content, &self.tags, false);
        for found in &mut layout.found {
            found.older = Older::Goes;
        }
        layout.edits(true).0
    }

    /// What makes a block of the tag with that place the last one of the content, and the only one
    /// of its tag.
    pub fn environment(&self, content: &Message, tag: usize, on_existing: OnExisting) -> TurnPlan {
        let mut layout = Layout::read(content, &self.tags, false);
        layout.keep_one(KeepBlock::Last, self.tags.len());
        let mut appends = true;
        let mut follows = false;
        for found in &mut layout.found {
            if !found.is_kept {
                continue;
            }
            if found.block.tag != tag {
                follows = true;
            } else if on_existing == OnExisting::Replace {
                found.is_kept = false;
            } else {
                appends = false;
            }
        }
        layout.place(content.parts);
        TurnPlan {
            edits: layout.edits(false).0,
            appends,
            follows,
        }
    }

    /// The block that `details` make, and its tag's place: white space at both ends goes, tags that
    /// are missing are added, and within the block a `<` that would begin or end it is written
    /// `&lt;`, for a block holds no other tag of its own.
    pub fn block(&self, details: &str) -> (String, usize) {
        let details = details.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        let names = self.tags();
        let forms = |name: &str| (format!("<{name}>"), format!("</{name}>"));
        let tagged = names.iter().enumerate().find_map(|(tag, name)| {
            let (open, close) = forms(name);
            let inside = details.strip_prefix(&open)?.strip_suffix(&close)?;
            Some((tag, inside.to_owned()))
        });
        let (tag, inside) = tagged.unwrap_or_else(|| (0, format!("\n{details}\n")));
        let (open, close) = forms(names[tag]);
        let inside = inside.replace(&open, &format!("&lt;{}", &open[1..]));
        let inside = inside.replace(&close, &format!("&lt;{}", &close[1..]));
        (format!("{open}{inside}{close}"), tag)
    }
}

/// What a host's loop has still to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackItem<T> {
    /// The content of a user message.
    pub user_content: T,
    /// Whether its environment is to list the files.
    pub include_file_details: bool,
    /// Whether it holds a block already; only an item without one gets one.
    pub has_environment: bool,
}

/// The stack of a host that loops over turns: the last item pushed is the first popped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnStack<T> {
    items: Vec<StackItem<T>>,
}

impl<T> Default for TurnStack<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> TurnStack<T> {
    /// Puts an item on top. `has_environment` may be left to `has_block`, which looks at the
    /// content, as [`HistoryDeduper::has_block`] does.
    pub fn push(
        &mut self,
        user_content: T,
        include_file_details: bool,
        has_environment: Option<bool>,
        has_block: impl FnOnce(&T) -> bool,
    ) {
        let has_environment = has_environment.unwrap_or_else(|| has_block(&user_content));
        self.items.push(StackItem {
            user_content,
            include_file_details,
            has_environment,
        });
    }

    /// Takes the item on top.
    pub fn pop(&mut self) -> Option<StackItem<T>> {
        self.items.pop()
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history_deduper::DedupeOptions;

    #[test]
    fn a_stack_reads_off_the_content_what_it_is_not_told() {
        let mut stack = TurnStack::default();
        stack.push("with", true, None, |_| true);
        stack.push("without", false, None, |_| false);
        stack.push("told", false, Some(true), |_| panic!("it was told"));
        assert_eq!(stack.len(), 3);
        let popped: Vec<_> = std::iter::from_fn(|| stack.pop())
            .map(|item| {
                (
                    item.user_content,
                    item.include_file_details,
                    item.has_environment,
                )
            })
            .collect();
        assert_eq!(
            popped,
            [
                ("told", false, true),
                ("without", false, false),
                ("with", true, true)
            ]
        );
        assert!(stack.is_empty());
    }

    #[test]
    fn details_become_exactly_one_block() {
        let options = DedupeOptions::from_json(r#"{"tags": ["a", "b"]}"#).expect("valid");
        let deduper = HistoryDeduper::new(options).expect("valid");
        for (details, block, tag) in [
            ("x", "<a>\nx\n</a>", 0),
            (" <b>x</b>\n", "<b>x</b>", 1),
            ("<a>x", "<a>\n&lt;a>x\n</a>", 0),
            ("<a>x</a>y</a>", "<a>x&lt;/a>y</a>", 0),
            ("<b><a>x</a></b>", "<b><a>x</a></b>", 1),
        ] {
            assert_eq!(deduper.block(details), (block.to_owned(), tag), "{details}");
        }
    }
}
