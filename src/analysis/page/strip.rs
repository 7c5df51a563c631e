//! The picture of a history: its blocks in their order, one beside the other.

use serde::Serialize;

use super::blocks::{BlockKind, Fate};

/// The most pieces that can be told apart on a wide screen.
const WIDEST: f64 = 500.0;

/// Neighbouring blocks of one kind and fate, by the tokens before them and their own.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct StripPiece {
    pub(super) kind: BlockKind,
    pub(super) fate: Fate,
    pub(super) start: u64,
    pub(super) tokens: u64,
}

/// The strip of these blocks. A piece that is too thin to be seen is part of its neighbour, and the larger one gives the
/// colour.
pub(super) fn strip_of(
    blocks: impl Iterator<Item = (BlockKind, Fate, u64)> + Clone,
) -> Vec<StripPiece> {
    let total: u64 = blocks.clone().map(|(_, _, tokens)| tokens).sum();
    let least = total as f64 / WIDEST;
    let mut strip: Vec<StripPiece> = Vec::new();
    let mut start = 0;
    for (kind, fate, tokens) in blocks {
        match strip.last_mut() {
            Some(last)
                if (last.kind, last.fate) == (kind, fate) || (last.tokens as f64) < least =>
            {
                if tokens > last.tokens {
                    (last.kind, last.fate) = (kind, fate);
                }
                last.tokens += tokens;
            }
            _ => strip.push(StripPiece {
                kind,
                fate,
                start,
                tokens,
            }),
        }
        start += tokens;
    }
    strip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_a_kind_are_one_and_thin_ones_are_part_of_the_next() {
        use {BlockKind::*, Fate::*};
        let blocks = [
            (User, Kept, 600),
            (User, Kept, 400),
            (Calls, Kept, 1),
            (Results, Removed, 500),
            (Results, New, 4),
        ];
        let pieces = strip_of(blocks.into_iter());
        let seen: Vec<_> = pieces
            .iter()
            .map(|it| (it.kind, it.fate, it.start, it.tokens))
            .collect();
        let expected = [
            (User, Kept, 0, 1_000),
            (Results, Removed, 1_000, 501),
            (Results, New, 1_501, 4),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_strip_has_no_more_pieces_than_can_be_seen() {
        let blocks = (0..20_000u64).map(|at| match at % 2 {
            0 => (BlockKind::Calls, Fate::Kept, 10),
            _ => (BlockKind::Results, Fate::Kept, 30),
        });
        let pieces = strip_of(blocks);
        assert!(pieces.len() <= 1_000, "{}", pieces.len());
        assert_eq!(pieces.iter().map(|it| it.tokens).sum::<u64>(), 400_000);
    }
}
