//! Tokens by the kinds of blocks, before and after a repair. They are rounded so that what is shown adds up.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use turnkeeper_base::text::Size;

use super::blocks::BlockKind;

const KINDS: usize = BlockKind::ALL.len();

/// The exact sizes of blocks by kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sizes([Size; KINDS]);

impl Sizes {
    pub(super) fn add(&mut self, kind: BlockKind, size: Size) {
        self.0[kind as usize] += size;
    }

    fn quarters(&self) -> [u64; KINDS] {
        self.0.map(Size::quarter_tokens)
    }
}

/// Tokens by kind, and their sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KindTokens([u64; KINDS]);

impl Serialize for KindTokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (kind, tokens) in BlockKind::ALL.iter().zip(self.0) {
            map.serialize_entry(kind, &tokens)?;
        }
        map.serialize_entry("total", &self.0.iter().sum::<u64>())?;
        map.end()
    }
}

/// The tokens before and after, whose sums differ by those that the repair says it saves: it rounds each change by
/// itself. A kind of which nothing changed has the same number in both.
pub(super) fn before_and_after(
    before: &Sizes,
    after: &Sizes,
    saved: u64,
) -> (KindTokens, KindTokens) {
    let (before, after) = (before.quarters(), after.quarters());
    let left = apportioned(after.iter().sum::<u64>().div_ceil(4), after);
    let pairs = |at: usize| (before[at], after[at]);
    let grown: [u64; KINDS] = std::array::from_fn(|at| {
        let (before, after) = pairs(at);
        after.saturating_sub(before).div_ceil(4).min(left[at])
    });
    let shrunk: [u64; KINDS] = std::array::from_fn(|at| {
        let (before, after) = pairs(at);
        before.saturating_sub(after)
    });
    let gone = apportioned(saved + grown.iter().sum::<u64>(), shrunk);
    let whole = std::array::from_fn(|at| left[at] + gone[at] - grown[at]);
    (KindTokens(whole), KindTokens(left))
}

/// Whole numbers in proportion to the weights that add up to the total: those that lose most by rounding down get what
/// is left over. All are 0 if all weights are.
pub(super) fn apportioned<const N: usize>(total: u64, weights: [u64; N]) -> [u64; N] {
    let sum: u128 = weights.iter().map(|&it| u128::from(it)).sum();
    if sum == 0 {
        return [0; N];
    }
    let exact = weights.map(|it| u128::from(it) * u128::from(total));
    let mut shares = exact.map(|it| (it / sum) as u64);
    let left_over = total - shares.iter().sum::<u64>();
    let mut by_loss: [usize; N] = std::array::from_fn(|at| at);
    by_loss.sort_by_key(|&at| std::cmp::Reverse(exact[at] % sum));
    for &at in by_loss.iter().take(left_over as usize) {
        shares[at] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sizes(units: [u32; KINDS]) -> Sizes {
        Sizes(units.map(Size::plain))
    }

    #[test]
    fn those_that_lose_most_get_what_is_left_over() {
        assert_eq!(apportioned(2_095, [192, 1_049, 855]), [192, 1_048, 855]);
        assert_eq!(apportioned(10, [1, 1, 1]), [4, 3, 3]);
        assert_eq!(apportioned(7, [0, 0]), [0, 0]);
    }

    proptest! {
        #[test]
        fn what_is_shown_adds_up(
            before in any::<[u16; KINDS]>(),
            kept in any::<[u16; KINDS]>(),
            extra in 0..50u64,
        ) {
            let before = before.map(u32::from);
            let mut after: [u32; KINDS] = std::array::from_fn(|at| before[at].min(kept[at].into()));
            // Nothing of the last kind changes, and something of the first.
            after[KINDS - 1] = before[KINDS - 1];
            let before = { let mut it = before; it[0] = after[0] + 1; it };
            let exact: u32 = before.iter().sum::<u32>() - after.iter().sum::<u32>();
            let saved = u64::from(exact.div_ceil(4)) + extra;
            let (whole, left) = before_and_after(&sizes(before), &sizes(after), saved);
            prop_assert_eq!(whole.0.iter().sum::<u64>(), left.0.iter().sum::<u64>() + saved);
            prop_assert_eq!(whole.0[KINDS - 1], left.0[KINDS - 1]);
            for (tokens, units) in left.0.into_iter().zip(after) {
                prop_assert!(tokens.abs_diff(u64::from(units) / 4) <= 1);
            }
        }
    }

    #[test]
    fn a_kind_may_grow_while_others_give_way() {
        let (mut before, mut after) = ([0; KINDS], [0; KINDS]);
        (before[0], after[0]) = (4_000, 400);
        (before[1], after[1]) = (40, 80);
        let (whole, left) = before_and_after(&sizes(before), &sizes(after), 890);
        assert_eq!((whole.0[0], left.0[0]), (1_000, 100));
        assert_eq!((whole.0[1], left.0[1]), (10, 20));
    }
}
