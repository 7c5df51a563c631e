//! Chooses which of the things that could go do go, if the history has to reach a size.

use turnkeeper_base::order;

/// Something that could go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// The index of its message in the history.
    pub(super) index: u32,
    /// The tokens that it saves, estimated. Rounding may make it one less.
    pub(super) tokens: u32,
}

/// Says for each candidate whether it goes, so that at least `excess` tokens do, if that many can: the
/// oldest and largest first, that is by tokens times age.
pub(super) fn choose(candidates: &[Candidate], excess: u64) -> Vec<bool> {
    let newest = candidates.iter().map(|one| one.index).max().unwrap_or(0);
    let weight = |at: &usize| {
        let Candidate { index, tokens } = candidates[*at];
        u64::from(tokens) * u64::from(newest - index + 1)
    };
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    // A stable sort, so of equal ones the older goes first.
    order::sort_by_key(&mut order, |at| std::cmp::Reverse(weight(at)));
    let mut goes = vec![false; candidates.len()];
    let mut left = excess;
    for at in order {
        if left == 0 {
            break;
        }
        goes[at] = true;
        left = left.saturating_sub(u64::from(candidates[at].tokens.saturating_sub(1)));
    }
    goes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(candidates: &[(u32, u32)], excess: u64) -> Vec<usize> {
        let candidates: Vec<Candidate> = candidates
            .iter()
            .map(|&(index, tokens)| Candidate { index, tokens })
            .collect();
        let goes = choose(&candidates, excess);
        (0..goes.len()).filter(|at| goes[*at]).collect()
    }

    #[test]
    fn the_oldest_of_equal_size_and_the_largest_of_equal_age_go_first() {
        let equal_size = [(0, 101), (10, 101), (20, 101)];
        assert_eq!(chosen(&equal_size, 100), [0]);
        assert_eq!(chosen(&equal_size, 101), [0, 1]);
        assert_eq!(chosen(&[(5, 100), (5, 300), (5, 200)], 450), [1, 2]);
        assert_eq!(chosen(&equal_size, 0), [0; 0]);
        assert_eq!(chosen(&equal_size, 9_999), [0, 1, 2]);
        assert_eq!(chosen(&[], 5), [0; 0]);
    }
}
