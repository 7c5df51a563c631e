//! A call together with its result, as the rules see them.

use serde::{Deserialize, Serialize};

use crate::progress::Newest;
use turnkeeper_base::text::hash::mixed;

/// The features of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct CallFeatures {
    /// Its index among the prompt's calls, from 0.
    pub(in super::super) index: u64,
    /// The number of its request to the model, from 1: calls of one request were made at once.
    pub(in super::super) request: u64,
    /// The tool and all arguments that are not cosmetic; `None` if there is nothing to compare.
    pub(in super::super) exact: Option<u64>,
    /// The same without times.
    pub(in super::super) call: Option<u64>,
    /// The same where what it does is not said: enough to tell refusals apart, and no more. `None` beside `call`.
    pub(in super::super) rough: Option<u64>,
    /// The model's words just before it, 0 if it said hardly anything.
    pub(in super::super) said: u32,
    /// Its tool.
    pub(in super::super) tool: u64,
    /// The file that it names.
    pub(in super::super) path: Option<u64>,
    /// Writes something down for the model, or says something to the user; changes nothing.
    pub(in super::super) is_note: bool,
    /// Changes a file, ...
    pub(in super::super) edits: bool,
    /// or may do so, by its name.
    pub(in super::super) may_edit: bool,
    /// Writes a file whole, which is an edit, too.
    pub(in super::super) rewrites: bool,
    /// Reads or searches; changes nothing.
    pub(in super::super) looks: bool,
    /// Asks for one thing by its name, so that another call is about another thing.
    pub(in super::super) looks_up: bool,
    /// Runs a command line, whose short result may be all that was asked for.
    pub(in super::super) runs_command: bool,
    /// Waits, or moves on by one, so that the same call again may be meant.
    pub(in super::super) waits: bool,
    /// Pauses by itself before it answers, so that something could change.
    pub(in super::super) sleeps: bool,
    /// Moves on by a page or a directory, which is no pause in which anything could change.
    pub(in super::super) moves: bool,
    /// Changes nothing but the shell.
    pub(in super::super) changes_shell: bool,
    /// Only prints text; changes nothing.
    pub(in super::super) only_prints: bool,
    /// Steps through a program or on by one, so that it comes back to where it was.
    pub(in super::super) steps: bool,
    /// May lead on to another place, as a click does: it neither reads nor changes a thing that it names.
    pub(in super::super) leads_on: bool,
    /// May have something made each time that it is made.
    pub(in super::super) may_create: bool,
    /// Acts on the world, as sending a message does: once more is one more.
    pub(in super::super) acts: bool,
    /// Says that the work is done.
    pub(in super::super) closes: bool,
    /// Asks whether there are files of a kind, of which there are many.
    pub(in super::super) takes_stock: bool,
    /// Asks a service by a command, whose exit code says only that it was asked.
    pub(in super::super) requests: bool,
    /// Searches somewhere in its command line, and may find nothing.
    pub(in super::super) searches: bool,
    /// Asks a person something, whose answer is the result.
    pub(in super::super) asks: bool,
    /// Writes to a file beside what was written to it last: to another place of it, in other words, or more of it.
    pub(in super::super) adds: bool,
}

impl CallFeatures {
    /// Compared by what identifies it to its tool, whatever its arguments.
    pub(in super::super) fn identified(self, identity: u64) -> Self {
        Self {
            exact: Some(identity),
            call: Some(identity),
            rough: None,
            ..self
        }
    }
}

/// The result of a call, as the rules see it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct ResultFeatures {
    /// The result without what changes by itself, such as times and process numbers.
    pub(in super::super) text: u64,
    /// The result without any numbers.
    pub(in super::super) text_without_numbers: u64,
    /// The words at its beginning, apart from names; `None` if there are none.
    pub(in super::super) outline: Option<u64>,
    /// It shows only lines that were seen before.
    pub(in super::super) is_seen: bool,
    /// It failed. Judged by short results only, and by what the host says.
    pub(in super::super) failed: bool,
    /// It is that of an edit and begins with an error, however long it is.
    pub(in super::super) refuses_edit: bool,
    /// It says hardly more than that something was done: "Clicked Next."
    pub(in super::super) says_little: bool,
    /// It is long, and its first or its last line speaks of an error.
    pub(in super::super) tells_of_error: bool,
    /// It is short enough for its words to say what it is.
    pub(in super::super) is_short: bool,
    /// It says hardly more than that something was done, or which id that has.
    pub(in super::super) is_receipt: bool,
    /// It says nothing.
    pub(in super::super) is_empty: bool,
    /// It says that nothing was found.
    pub(in super::super) is_fruitless: bool,
    /// It only acknowledges that something was done, so it is no evidence of a loop.
    pub(in super::super) acknowledges: bool,
    /// It is the word of a person: a call that was refused, a question that was answered.
    pub(in super::super) is_of_user: bool,
    /// A service could not answer just now, which is no failure of the call.
    pub(in super::super) is_of_road: bool,
    /// It says that something is still going on.
    pub(in super::super) goes_on: bool,
    /// It has too few words to say much by being like another.
    pub(in super::super) has_few_words: bool,
    /// Equal for results of one call that are alike, while nothing in them moves on.
    pub(in super::super) likeness: u64,
    /// All that has changed is the time that something lasts, which grows.
    pub(in super::super) ages: bool,
}

/// A call together with its result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Step {
    pub(in super::super) call: CallFeatures,
    pub(in super::super) result: ResultFeatures,
    /// Its number among the prompt's steps, from 1.
    pub(in super::super) number: u64,
    /// Whether its call was not among the last ones.
    pub(in super::super) is_new: bool,
    /// The call and the result; `None` if there is no call to compare.
    pub(in super::super) key: Option<u64>,
    /// The same for results that are alike.
    pub(in super::super) alike: Option<u64>,
}

/// The key of every step whose service could not answer, whatever was asked.
const ROAD: u64 = 0x726f_6164;

impl Step {
    pub(in super::super) fn new(
        call: CallFeatures,
        result: ResultFeatures,
        number: u64,
        is_new: bool,
    ) -> Self {
        let is_of_road = result.is_of_road;
        // The result may say that its call waits.
        let waits = call.waits || result.goes_on || result.is_of_road;
        let call = CallFeatures { waits, ..call };
        let key_with = |result| match is_of_road {
            true => Some(ROAD),
            false => call.call.map(|call| mixed(call, result)),
        };
        Self {
            key: key_with(result.text),
            alike: call.call.map(|_| result.likeness),
            call,
            result,
            number,
            is_new,
        }
    }

    /// A note that did not fail: most rules look past it, as if it had not been made.
    pub(in super::super) fn is_mere_note(&self) -> bool {
        self.call.is_note && !self.result.failed
    }

    /// The hashes that tell whether it is new. A failure is no news with other names in it, and the
    /// answer to a note is none at all.
    pub(in super::super) fn newest(&self) -> Newest {
        let Self { call, result, .. } = self;
        let of_failure = || result.outline.unwrap_or(result.text_without_numbers);
        Newest {
            call: call.call,
            answer: (!call.is_note).then(|| match result.failed {
                true => of_failure(),
                false => result.text,
            }),
            changed_file: call.edits && result.acknowledges,
        }
    }

    /// It says hardly more than that the model went on, which may have led to another place.
    pub(in super::super) fn is_weak(&self) -> bool {
        self.call.leads_on && self.result.says_little
    }

    /// It paused, and nothing came of it.
    pub(in super::super) fn is_mere_pause(&self) -> bool {
        let Self { call, result, .. } = self;
        let says_nothing = result.is_empty || !call.runs_command && result.is_short;
        call.sleeps && !result.goes_on && !result.failed && says_nothing
    }

    /// The model announces it word for word as it announced another one.
    pub(in super::super) fn is_said_as(&self, other: &Self) -> bool {
        self.call.said != 0 && self.call.said == other.call.said
    }

    /// It failed, or is an edit that was refused.
    pub(in super::super) fn fails(&self) -> bool {
        self.result.failed || self.result.refuses_edit
    }

    /// There was nothing to find, which is no error.
    pub(in super::super) fn found_nothing(&self) -> bool {
        let Self { call, result, .. } = self;
        let may_be_silent = !result.failed || !call.runs_command || call.looks || call.searches;
        result.is_empty && may_be_silent || call.looks && result.is_fruitless
    }
}
