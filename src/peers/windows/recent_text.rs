//! The text that gemini-cli looks back on: which windows of it came too often, too near to each other.
//!
//! Its detector keeps a map from the hash of each window to the places where it was, and goes over
//! the whole map at each delta; [`Windows`] gives the same answer without that.

use turnkeeper_base::text::Windows;
use turnkeeper_base::text::white_space::is_white;

use serde::{Deserialize, Serialize};

use turnkeeper_base::snapshot::Corrupt;

/// The numbers at which windows are a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WindowLimits {
    /// Units of a window.
    pub(super) unit: usize,
    /// This many equal windows are a loop, ...
    pub(super) copies: usize,
    /// if the last begins at most this many units after the first, ...
    pub(super) reach: u64,
    /// and at most this many of the texts from each to the next are different.
    pub(super) gaps: u64,
    /// Units of text that are looked back on.
    pub(super) history: usize,
    /// Windows of nothing but white space and drawing characters, or trimmed to fewer than
    /// [`FEWEST_UNITS`], do not count.
    pub(super) skip_symbols: bool,
}

const FEWEST_UNITS: usize = 15;

/// Follows a text that comes in deltas. Places count units since the first.
#[derive(Debug)]
pub(super) struct RecentText {
    pub(super) limits: WindowLimits,
    /// The end of the text, from `begin` on or from further back.
    text: Vec<u16>,
    text_at: u64,
    /// From here on the text is looked back on.
    begin: u64,
    /// The place where the next window begins. If there is one, it was a loop, and counts once more.
    next: u64,
    /// Windows that were counted more than once, as often as that.
    again: Vec<u64>,
    /// None before the first, and in a copy until it is pushed to.
    windows: Option<Windows>,
}

/// The windows take much more room than the text, and few copies are gone on from: a detector makes one at each
/// turn, for when the turn is tried again. So a copy makes its windows from the text when it needs them.
impl Clone for RecentText {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            again: self.again.clone(),
            windows: None,
            ..*self
        }
    }
}

impl RecentText {
    /// No text yet.
    pub(super) fn new(limits: WindowLimits) -> Self {
        Self {
            limits,
            text: Vec::new(),
            text_at: 0,
            begin: 0,
            next: 0,
            again: Vec::new(),
            windows: None,
        }
    }

    /// The place after the text.
    pub(super) fn end(&self) -> u64 {
        self.text_at + self.text.len() as u64
    }

    /// Forgets the text. Places go on after `skipped` units that are not looked at.
    pub(super) fn clear(&mut self, skipped: usize) {
        self.text_at = self.end() + skipped as u64;
        self.text.clear();
        self.forget_before(self.text_at);
    }

    /// Takes a delta, and looks at each window that it completes, up to one that is a loop: from where
    /// to where copies of it are. That window is looked at again with the next delta.
    pub(super) fn push(&mut self, delta: &[u16]) -> Option<(u64, u64)> {
        let loop_at = self.has_next().then_some(self.next);
        if self.windows.is_none() && self.entered() > self.begin {
            self.windows = Some(self.windows_again());
        }
        self.append(delta);
        self.forget_before(self.end().saturating_sub(self.limits.history as u64));
        while self.has_next() {
            if loop_at == Some(self.next) {
                // More than a loop needs make no difference.
                if self.times_more(self.next) < self.limits.copies {
                    self.again.push(self.next);
                }
            } else {
                self.enter();
            }
            if let Some(first) = self.judge() {
                return Some((first, self.next + self.limits.unit as u64));
            }
            self.next += 1;
        }
        None
    }

    fn has_next(&self) -> bool {
        self.next + self.limits.unit as u64 <= self.end()
    }

    /// Up to here windows were entered: also the next one, if it was a loop.
    fn entered(&self) -> u64 {
        self.next + u64::from(self.has_next())
    }

    /// The windows that were entered.
    fn windows_again(&self) -> Windows {
        let WindowLimits { unit, history, .. } = self.limits;
        let mut windows = Windows::new(unit, history);
        let at = |place: u64| (place - self.text_at) as usize;
        let text = &self.text[..at(self.entered()) + unit - 1];
        let mut place = self.begin;
        while place < self.entered() {
            place += windows.enter(text, at(place), place, self.begin) as u64;
        }
        windows
    }

    fn append(&mut self, delta: &[u16]) {
        let history = self.limits.history;
        if self.text.len() + delta.len() > 2 * history {
            // Each unit is moved once at most, on average.
            let kept = history.saturating_sub(delta.len()).min(self.text.len());
            let gone = self.text.len() - kept;
            self.text.drain(..gone);
            self.text_at += gone as u64;
        }
        let skipped = delta.len().saturating_sub(2 * history);
        self.text_at += skipped as u64;
        self.text.extend_from_slice(&delta[skipped..]);
    }

    fn forget_before(&mut self, place: u64) {
        if place <= self.begin {
            return;
        }
        self.begin = place;
        if !self.again.is_empty() {
            self.again.retain(|at| *at >= place);
        }
        if self.next <= place {
            self.next = place;
            if let Some(windows) = &mut self.windows {
                windows.interrupt();
            }
        }
    }

    /// The text between two places that are looked back on.
    pub(super) fn slice(&self, begin: u64, end: u64) -> &[u16] {
        &self.text[(begin - self.text_at) as usize..(end - self.text_at) as usize]
    }

    /// Enters the next window, and more, up to one that was there before or to the last.
    fn enter(&mut self) {
        let WindowLimits { unit, history, .. } = self.limits;
        let windows = self
            .windows
            .get_or_insert_with(|| Windows::new(unit, history));
        let start = (self.next - self.text_at) as usize;
        let entered = windows.enter(&self.text, start, self.next, self.begin);
        self.next += entered.saturating_sub(1) as u64;
    }

    fn times_more(&self, at: u64) -> usize {
        self.again.iter().filter(|place| **place == at).count()
    }

    /// The place of the first copy of the next window, if that one is one too many.
    fn judge(&self) -> Option<u64> {
        let at = self.next;
        let windows = self.windows.as_ref()?;
        // Most windows have not been there before.
        if self.again.is_empty() {
            windows.before(at, self.begin)?;
        }
        // From the last to the first.
        let mut places = Vec::new();
        let mut place = at;
        loop {
            for _ in 0..=self.times_more(place) {
                places.push(place);
            }
            if places.len() >= self.limits.copies {
                break;
            }
            place = windows.before(place, self.begin)?;
        }
        (at - place <= self.limits.reach).then_some(())?;
        let text = |number: usize| self.slice(places[number + 1], places[number]);
        let mut different = 0;
        for number in 0..self.limits.copies - 1 {
            different += u64::from((0..number).all(|other| text(other) != text(number)));
        }
        let window = self.slice(at, at + self.limits.unit as u64);
        let is_word = !self.limits.skip_symbols || says_something(window);
        (different <= self.limits.gaps && is_word).then_some(place)
    }

    /// Its saved form, and by how much its places are less there.
    pub(super) fn save(&self) -> (SavedText, u64) {
        let saved = SavedText {
            text: self.slice(self.begin, self.end()).to_vec(),
            next: self.next - self.begin,
            again: self.again.iter().map(|at| at - self.begin).collect(),
        };
        (saved, self.begin)
    }

    /// Goes on from a saved text.
    pub(super) fn load(&mut self, saved: SavedText) -> Result<(), Corrupt> {
        let SavedText { text, next, again } = saved;
        Corrupt::unless(text.len() <= self.limits.history)?;
        let windows = (text.len() + 1).saturating_sub(self.limits.unit) as u64;
        Corrupt::unless(next <= windows)?;
        let loaded = Self {
            text,
            next,
            again,
            ..Self::new(self.limits)
        };
        Corrupt::unless(loaded.again.iter().all(|at| *at < loaded.entered()))?;
        *self = loaded;
        Ok(())
    }
}

/// A text in a snapshot. Places count from its first unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedText {
    text: Vec<u16>,
    next: u64,
    again: Vec<u64>,
}

impl SavedText {
    /// The rest is checked with the limits, when it is loaded.
    pub(super) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.next <= self.text.len() as u64)
    }
}

/// Whether a window is more than white space and symbols, and long enough once trimmed.
fn says_something(window: &[u16]) -> bool {
    let (mut letters, mut lines) = (false, false);
    let (mut first, mut last) = (window.len(), 0);
    for (place, unit) in window.iter().enumerate() {
        if is_white(*unit) {
            continue;
        }
        first = first.min(place);
        last = place + 1;
        // - = * _ + | # . ` / \ ~
        letters |= !matches!(
            unit,
            0x2d | 0x3d | 0x2a | 0x5f | 0x2b | 0x7c | 0x23 | 0x2e | 0x60 | 0x2f | 0x5c | 0x7e
        );
        lines |= !matches!(unit, 0x2500..=0x257f);
    }
    letters && lines && last >= first + FEWEST_UNITS
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use proptest::prelude::*;

    /// The map of gemini-cli and its descendants, literally.
    struct Naive {
        limits: WindowLimits,
        history: Vec<u16>,
        stats: HashMap<Vec<u16>, Vec<i64>>,
        last_index: usize,
        /// Units that fell off the front.
        before: u64,
    }

    impl Naive {
        fn new(limits: WindowLimits) -> Self {
            Self {
                limits,
                history: Vec::new(),
                stats: HashMap::new(),
                last_index: 0,
                before: 0,
            }
        }

        fn clear(&mut self, skipped: usize) {
            self.before += (self.history.len() + skipped) as u64;
            self.history.clear();
            self.stats.clear();
            self.last_index = 0;
        }

        fn push(&mut self, delta: &[u16]) -> Option<(u64, u64)> {
            self.history.extend(delta);
            if self.history.len() > self.limits.history {
                let cut = self.history.len() - self.limits.history;
                self.history.drain(..cut);
                self.before += cut as u64;
                self.last_index = self.last_index.saturating_sub(cut);
                for indices in self.stats.values_mut() {
                    indices.iter_mut().for_each(|index| *index -= cut as i64);
                    indices.retain(|index| *index >= 0);
                }
                self.stats.retain(|_, indices| !indices.is_empty());
            }
            while self.last_index + self.limits.unit <= self.history.len() {
                if let Some(found) = self.look() {
                    return Some(found);
                }
                self.last_index += 1;
            }
            None
        }

        fn look(&mut self) -> Option<(u64, u64)> {
            let WindowLimits { unit, copies, .. } = self.limits;
            let chunk = self.history[self.last_index..self.last_index + unit].to_vec();
            if self.limits.skip_symbols && !significant(&chunk) {
                return None;
            }
            let Some(indices) = self.stats.get_mut(&chunk) else {
                self.stats.insert(chunk, vec![self.last_index as i64]);
                return None;
            };
            indices.push(self.last_index as i64);
            let recent = indices.get(indices.len().checked_sub(copies)?..)?;
            let (first, last) = (recent[0], recent[copies - 1]);
            if (last - first) as u64 > self.limits.reach {
                return None;
            }
            let periods: std::collections::HashSet<&[u16]> = recent
                .windows(2)
                .map(|pair| &self.history[pair[0] as usize..pair[1] as usize])
                .collect();
            if periods.len() as u64 > self.limits.gaps {
                return None;
            }
            let place = |index: i64| self.before + index as u64;
            Some((place(first), place(last) + unit as u64))
        }
    }

    fn significant(chunk: &[u16]) -> bool {
        let text: Vec<char> = char::decode_utf16(chunk.iter().copied())
            .map(|c| c.unwrap_or('x'))
            .collect();
        let space = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
        let begin = text.iter().position(|c| !space(*c)).unwrap_or(text.len());
        let end = text
            .iter()
            .rposition(|c| !space(*c))
            .map_or(begin, |at| at + 1);
        end - begin >= 15
            && !text
                .iter()
                .all(|c| space(*c) || "-=*_+|#.`/\\~".contains(*c))
            && !text
                .iter()
                .all(|c| space(*c) || ('\u{2500}'..='\u{257f}').contains(c))
    }

    #[derive(Debug, Clone)]
    enum Step {
        Push(Vec<u16>),
        Clear(usize),
        Save,
        Copy,
    }

    /// Few passages, repeated, spoilt, cut anywhere.
    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let passage = prop_oneof![
            proptest::collection::vec(0u16..3, 1..12)
                .prop_map(|p| p.iter().map(|u| u + 97).collect()),
            proptest::collection::vec(0u16..4, 20..60)
                .prop_map(|p| p.iter().map(|u| u + 97).collect()),
            Just(vec![0x20u16; 7]),
            Just(vec![0x2d, 0x20, 0x2d]),
            Just(vec![0x2500, 0x2510, 0x0a]),
            Just("the item ".encode_utf16().collect::<Vec<u16>>()),
        ];
        let part = (passage, 1usize..14);
        let text = proptest::collection::vec(part, 1..5).prop_map(|parts| {
            let parts: Vec<Vec<u16>> = parts.iter().map(|(p, n)| p.repeat(*n)).collect();
            parts.concat()
        });
        let steps = (
            text,
            proptest::collection::vec((1usize..60, 0u8..40), 1..60),
        );
        proptest::collection::vec(steps, 1..6).prop_map(|texts| {
            let mut steps = Vec::new();
            for (text, cuts) in texts {
                let mut rest = &text[..];
                for (cut, kind) in cuts.iter().cycle() {
                    let (part, after) = rest.split_at((*cut).min(rest.len()));
                    steps.push(Step::Push(part.to_vec()));
                    match kind {
                        0 => steps.push(Step::Clear(usize::from(*kind) + 3)),
                        1..3 => steps.push(Step::Save),
                        3 => steps.push(Step::Push(text.repeat(9))),
                        4..6 => steps.push(Step::Copy),
                        _ => {}
                    }
                    rest = after;
                    if rest.is_empty() {
                        break;
                    }
                }
            }
            steps
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn the_same_as_the_map(
            steps in steps(),
            unit in 2usize..24,
            copies in 2usize..8,
            distance in 1u64..80,
            gaps in prop_oneof![1u64..4, Just(u64::MAX)],
            history in 24usize..300,
            skip_symbols in any::<bool>(),
        ) {
            let reach = distance * (copies as u64 - 1);
            let limits = WindowLimits { unit, copies, reach, gaps, history, skip_symbols };
            let (mut fast, mut slow) = (RecentText::new(limits), Naive::new(limits));
            let mut before = 0;
            for (at, step) in steps.iter().enumerate() {
                match step {
                    Step::Push(delta) => {
                        let found = fast.push(delta);
                        let found = found.map(|(begin, end)| (begin + before, end + before));
                        prop_assert_eq!(found, slow.push(delta), "step {}", at);
                    }
                    Step::Clear(skipped) => {
                        fast.clear(*skipped);
                        slow.clear(*skipped);
                    }
                    Step::Copy => fast = fast.clone(),
                    Step::Save => {
                        let (saved, skipped) = fast.save();
                        fast.load(saved.clone()).expect("just saved");
                        prop_assert_eq!(fast.save(), (saved, 0));
                        before += skipped;
                    }
                }
            }
        }

        #[test]
        fn whatever_is_restored_works(
            text in proptest::collection::vec(0u16..3, 0..40),
            next in 0u64..40,
            again in proptest::collection::vec(0u64..40, 0..5),
        ) {
            let limits = WindowLimits {
                unit: 5, copies: 3, reach: 40, gaps: 5, history: 32, skip_symbols: false,
            };
            let saved = SavedText { text, next, again };
            let mut windows = RecentText::new(limits);
            if windows.load(saved.clone()).is_ok() {
                prop_assert_eq!(windows.save(), (saved, 0));
                for unit in 0..100 {
                    windows.push(&[unit % 3]);
                }
            }
        }
    }
}
