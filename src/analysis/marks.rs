//! The records of a session that can have copies, and what each of them counts.

use turnkeeper_base::text::Size;

use super::report::{Counts, TokenKind, TokenKinds};

/// The place of a record among those that can have copies.
pub(crate) type Mark = Option<u32>;

/// Sizes of texts by their kinds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sizes([Size; TokenKind::ALL.len()]);

impl Sizes {
    pub(crate) fn add(&mut self, kind: TokenKind, size: Size) {
        self.0[kind as usize] += size;
    }

    /// Each rounded once, and their sum.
    pub(crate) fn tokens(&self) -> TokenKinds {
        let of = |kind: TokenKind| u64::from(self.0[kind as usize].tokens());
        let mut tokens = TokenKinds {
            system: of(TokenKind::System),
            environment: of(TokenKind::Environment),
            user: of(TokenKind::User),
            text: of(TokenKind::Text),
            reasoning: of(TokenKind::Reasoning),
            calls: of(TokenKind::Calls),
            results: of(TokenKind::Results),
            total: 0,
        };
        tokens.total = tokens.each().iter().map(|(_, tokens)| tokens).sum();
        tokens
    }
}

/// A record's part of the session's sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Added {
    pub(crate) events: u32,
    pub(crate) calls: u32,
    pub(crate) turns: u32,
    pub(crate) commands: u32,
    pub(crate) needed: u32,
    pub(crate) reusable: u32,
    pub(crate) left_out: u32,
}

impl Added {
    fn add_to(self, counts: &mut Counts) {
        counts.events += u64::from(self.events);
        counts.calls += u64::from(self.calls);
        counts.turns += u64::from(self.turns);
        counts.commands += u64::from(self.commands);
        counts.terminals_needed += u64::from(self.needed);
        counts.terminals_reusable += u64::from(self.reusable);
        counts.left_out += u64::from(self.left_out);
    }
}

#[derive(Debug, Clone, Copy)]
struct Marked {
    key: u64,
    added: Added,
    /// Where its texts end among those of all records.
    texts: u32,
}

/// The counts of a session's records: those that can have copies each, all others together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    marked: Vec<Marked>,
    texts: Vec<(TokenKind, Size)>,
    others: Counts,
    other_texts: Sizes,
}

impl Marks {
    /// Begins a record; what is added from now on is of it.
    pub(crate) fn begin(&mut self, key: u64) -> Mark {
        let at = u32::try_from(self.marked.len()).ok()?;
        self.marked.push(Marked {
            key,
            added: Added::default(),
            texts: self.texts_end(),
        });
        Some(at)
    }

    fn texts_end(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn add(&mut self, mark: Mark, added: Added) {
        let marked = mark.and_then(|at| self.marked.get_mut(at as usize));
        match marked {
            Some(marked) => marked.added = added,
            None => added.add_to(&mut self.others),
        }
    }

    pub(crate) fn add_text(&mut self, mark: Mark, kind: TokenKind, size: Size) {
        if size == Size::default() {
            return;
        }
        let Some(at) = mark else {
            self.other_texts.add(kind, size);
            return;
        };
        let begin = match at {
            0 => 0,
            at => self.marked[at as usize - 1].texts as usize,
        };
        let mut own = self.texts[begin..].iter_mut();
        match own.find(|(known, _)| *known == kind) {
            Some((_, sum)) => *sum += size,
            None => self.texts.push((kind, size)),
        }
        self.marked[at as usize].texts = self.texts_end();
    }

    /// The keys of the records, in the order of the file.
    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> {
        self.marked.iter().map(|marked| marked.key)
    }

    /// The sums of the records that are the session's own.
    pub(crate) fn own(&self, is_own: impl Fn(Mark) -> bool) -> (Counts, Sizes) {
        let (mut counts, mut sizes) = (self.others, self.other_texts);
        let mut begin = 0;
        for (at, marked) in (0_u32..).zip(&self.marked) {
            let end = marked.texts as usize;
            match is_own(Some(at)) {
                true => {
                    marked.added.add_to(&mut counts);
                    let texts = self.texts.get(begin..end).unwrap_or_default();
                    texts
                        .iter()
                        .for_each(|(kind, size)| sizes.add(*kind, *size));
                }
                false => counts.copied += 1,
            }
            begin = end;
        }
        (counts, sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_another_session_does_not_count() {
        let mut marks = Marks::default();
        let size = Size::plain(2);
        for key in [7, 8, 9] {
            let mark = marks.begin(key);
            marks.add_text(mark, TokenKind::Text, size);
            marks.add_text(mark, TokenKind::Text, size);
            marks.add_text(mark, TokenKind::Results, size);
            let added = Added {
                events: 3,
                ..Added::default()
            };
            marks.add(mark, added);
        }
        marks.add_text(None, TokenKind::Text, size);
        let (counts, sizes) = marks.own(|_| true);
        assert_eq!((counts.events, counts.copied), (9, 0));
        assert_eq!((sizes.tokens().text, sizes.tokens().results), (4, 2));
        let (counts, sizes) = marks.own(|mark| mark != Some(1));
        assert_eq!((counts.events, counts.copied), (6, 1));
        assert_eq!((sizes.tokens().text, sizes.tokens().results), (3, 1));
        assert_eq!(sizes.tokens().total, 4);
        assert!(marks.keys().eq([7, 8, 9]));
    }
}
