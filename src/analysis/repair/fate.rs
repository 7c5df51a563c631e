//! The fate of a message.

use turnkeeper_base::json::{Change, Edit, Element, Json, Key};
use turnkeeper_history_deduper::HistoryEdits;
pub(super) use turnkeeper_history_deduper::MessageFate as Fate;
use turnkeeper_history_deduper::shapes::{Shape, View};

use super::pairs::PairRepairs;
use super::results::{users_message, words_of};

pub(super) fn of(edits: &HistoryEdits, pairs: &PairRepairs, index: u32, message: &Json) -> Fate {
    let deduped = edits.of(index, message);
    if pairs.leaves(index) || deduped == Fate::Goes {
        return deduped;
    }
    let Some(view) = View::of(message, false) else {
        return deduped;
    };
    let mended = Mended {
        orphans: parts(pairs.orphans.get(&index)),
        moved: parts(pairs.moved.get(&index)),
        doubled: edits.parts_gone(index),
        within: pairs.within.get(&index),
        view: &view,
    };
    mended.fate(match deduped {
        Fate::Changes(edits) => edits,
        _ => Vec::new(),
    })
}

fn parts(found: Option<&Vec<usize>>) -> &[usize] {
    found.map_or(&[], Vec::as_slice)
}

/// A message in which results and calls do not fit; parts by their indexes.
struct Mended<'a> {
    orphans: &'a [usize],
    moved: &'a [usize],
    doubled: &'a [usize],
    within: Option<&'a (usize, Vec<Json<'static>>)>,
    view: &'a View<'a>,
}

impl Mended<'_> {
    fn fate(&self, mut edits: Vec<Edit>) -> Fate {
        let view = self.view;
        let count = view.content().items().len();
        let goes = |at: usize| self.moved.contains(&at) || self.doubled.contains(&at);
        let stays = |at: usize| !goes(at) && !self.orphans.contains(&at);
        let is_left = self.within.is_some() || (0..count).any(stays);
        let mut kept_as_words = Vec::new();
        if !is_left {
            let words = self.orphans.iter();
            let words = words.map(|at| (*at, words_of(&view.content().items()[*at])));
            kept_as_words.extend(words.filter(|(_, words)| !words.trim().is_empty()));
            if kept_as_words.is_empty() {
                return Fate::Goes;
            }
            if self.is_tools() {
                let words = kept_as_words.into_iter().map(|(_, words)| words);
                let words = words.collect::<Vec<_>>().join("\n");
                let change = Change::Value(users_message(view, words));
                let keys = Vec::new();
                return Fate::Changes(vec![Edit { keys, change }]);
            }
        }
        let list = Key::Name(view.list());
        let is_kept = |at: usize| stays(at) || kept_as_words.iter().any(|(kept, _)| *kept == at);
        let elements = take_elements(&mut edits, list, count).into_iter();
        let mut made = Vec::new();
        for element in elements {
            let was = match element {
                Element::Was(at) => Some(at),
                Element::New(_) => None,
            };
            if was.is_none_or(is_kept) {
                made.push(element);
            }
            if let Some((after, results)) = self.within
                && was == Some(*after)
            {
                made.extend(results.iter().cloned().map(Element::New));
            }
        }
        edits.extend(kept_as_words.into_iter().map(|(at, words)| Edit {
            keys: vec![list, Key::Index(at)],
            change: Change::Value(view.text_part(words)),
        }));
        edits.push(Edit {
            keys: vec![list],
            change: Change::List(made),
        });
        Fate::Changes(edits)
    }

    /// Whether it is a message, or an item, in which a user's words have no place.
    fn is_tools(&self) -> bool {
        let role = self.view.message().get("role").and_then(Json::as_text);
        self.view.shape == Shape::OpenAi || role == Some("tool")
    }
}

/// The elements that the edits leave of the parts, taken out of the edits.
pub(super) fn take_elements(edits: &mut Vec<Edit>, list: Key, count: usize) -> Vec<Element> {
    let is_list = |edit: &Edit| edit.keys == [list] && matches!(edit.change, Change::List(_));
    let at = edits.iter().position(is_list);
    match at.map(|at| edits.swap_remove(at).change) {
        Some(Change::List(elements)) => elements,
        _ => (0..count).map(Element::Was).collect(),
    }
}
