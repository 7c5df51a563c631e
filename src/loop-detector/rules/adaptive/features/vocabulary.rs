//! The meaning of words in tools' names, arguments, command lines and results.
//!
//! Words are looked up exactly, whatever the case of their letters. The words themselves are in the table
//! `words.tsv`, of which `build.rs` makes the lists, and those of tools in that of `turnkeeper-messages`; a host adds its
//! own tools and cosmetic arguments.

use std::borrow::Cow;
use std::sync::LazyLock;

use bitflags::bitflags;
use turnkeeper_messages::{EDITOR_VERBS, TOOL_WORDS};

use super::characters::{is_ascii, lower_case};
#[cfg(feature = "word-use")]
use crate::word_use::Uses;

/// One list for each meaning, with a space between the words.
mod word_lists {
    use super::{ArgumentRole, Program, ResultWord, ToolTrait, WaitVerb};

    include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));
}

/// The kind of a tool. Where the words of its name disagree, the first kind in this order counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum ToolKind {
    /// Writes something down for the model or says something to the user; changes nothing.
    Note,
    /// Waits, or moves on by one, so that the same call again may be meant.
    Wait,
    /// Opens a page or a place, as reading does.
    Navigate,
    /// Works a browser or a desktop, where the same step again may be meant, as in waiting.
    Browser,
    /// Moves a window over a file by one page.
    Scroll,
    /// Looks for mistakes, so that it is well if it finds none.
    Check,
    /// Changes a part of something.
    Edit,
    /// Changes something without writing anything into it: removes it, moves it, commits it.
    Remove,
    /// Writes something whole.
    Write,
    /// Runs a command line.
    Command,
    /// Reads or searches; changes nothing.
    Search,
    /// Asks for one thing by its name, which reads it, too.
    Lookup,
}

impl ToolKind {
    /// Whether it changes something.
    pub(super) fn edits(self) -> bool {
        matches!(self, Self::Edit | Self::Remove | Self::Write)
    }
}

impl From<turnkeeper_messages::ToolKind> for ToolKind {
    fn from(kind: turnkeeper_messages::ToolKind) -> Self {
        use turnkeeper_messages::ToolKind as Kind;
        match kind {
            Kind::Note | Kind::Ask => Self::Note,
            Kind::Wait | Kind::Gesture => Self::Wait,
            Kind::Navigate => Self::Navigate,
            Kind::Browser => Self::Browser,
            Kind::Scroll => Self::Scroll,
            Kind::Check => Self::Check,
            Kind::Edit => Self::Edit,
            Kind::Remove | Kind::Commit => Self::Remove,
            Kind::Write | Kind::Send => Self::Write,
            Kind::Command => Self::Command,
            Kind::Search | Kind::Fetch | Kind::Read => Self::Search,
            Kind::Lookup | Kind::Delegate => Self::Lookup,
        }
    }
}

bitflags! {
    /// The traits that a tool's name tells beside its kind.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct ToolTrait: u8 {
        /// A person answers.
        const PERSON = 1 << 0;
        /// It is told to step by its arguments.
        const DEBUGGER = 1 << 1;
        /// It goes on by one step.
        const STEPS = 1 << 2;
        /// It acts on the world, where once more is one more.
        const ACTS = 1 << 3;
        /// It says that the work is done, ...
        const CLOSES = 1 << 4;
        /// or is a word that may stand beside that.
        const BESIDE_CLOSING = 1 << 5;
        /// It asks whether there are files of a kind.
        const TAKES_STOCK = 1 << 6;
        /// It has somebody else do the work.
        const DELEGATES = 1 << 7;
    }
}

bitflags! {
    /// The purpose of an argument.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct ArgumentRole: u32 {
        /// Changes nothing that matters, so it is not compared.
        const COSMETIC = 1 << 0;
        /// Names a file.
        const PATH = 1 << 1;
        /// Is a command line, or a part of one.
        const COMMAND_LINE = 1 << 2;
        /// Tells an editor what to do.
        const EDITOR_VERB = 1 << 3;
        /// If it is true, a file is not written whole but added to.
        const APPENDS = 1 << 4;
        /// Is what an edit writes, or what it takes away.
        const CONTENT = 1 << 5;
        /// Is a patch, which names its files itself.
        const PATCH = 1 << 6;
        /// Says on which lines of the open file something is done.
        const LINES = 1 << 7;
        /// Says how long the call waits.
        const DELAY = 1 << 8;
        /// Names what was started before, or how much of its output is wanted.
        const HANDLE = 1 << 9;
        /// Says where to go on to, or which key to press, so that the same call again may be meant.
        const MOVES = 1 << 10;
        /// Tells a tool that does several things what to do.
        const VERB = 1 << 11;
        /// Is a question to a person.
        const ASKS = 1 << 12;
        /// Is a coordinate on a screen, or a list of them.
        const POINT = 1 << 13;
        /// If it is true, a process is started in the background.
        const BACKGROUND = 1 << 14;
        /// Is the id of something, as the end of its name says.
        const ID = 1 << 15;
        /// Numbers the request, if the call says without it what it is about.
        const REQUEST = 1 << 16;
        /// Says of what is written that it takes the place of a part, or goes to a place.
        const EDITS = 1 << 17;
        /// Says by a word of its name that the call waits, if its value is a number above 0.
        const WAITS = 1 << 18;
    }
}

/// A verb that tells a tool which of several things to do, where the same again may be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitVerb {
    /// Waits for what was started before.
    Waits,
    /// Goes on by a page or a key, or back by a step.
    MovesOn,
}

/// The kind of a program on a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    /// Reads or searches.
    LooksUp,
    /// Goes to a directory, perhaps to run something there.
    ChangesDirectory,
    /// Changes nothing but the shell.
    ChangesShell,
    /// Runs the program that is named after it.
    RunsAnother,
    Sleeps,
    /// Prints what it reads if it is told not to edit, and otherwise edits: `sed -n`.
    PrintsWhenToldTo,
    /// Says by its exit code whether it has found a difference, as a search does whether it has found anything.
    Compares,
    /// Prints its arguments.
    Prints,
    /// Asks a service.
    Requests,
    /// Has a service change something, after a program that asks one.
    Acts,
    /// Tells a debugger to go on.
    Steps,
}

bitflags! {
    /// The meaning of a word of a result.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct ResultWord: u64 {
        /// Something failed, unless the word before it negates that.
        const ERROR = 1 << 0;
        /// Something failed, if "not" comes before it: "not allowed".
        const ERROR_AFTER_NOT = 1 << 1;
        /// Something failed, if "no" comes before it: "no such".
        const ERROR_AFTER_NO = 1 << 2;
        /// Nothing was found, if "not" comes before it: "not found".
        const FRUITLESS_AFTER_NOT = 1 << 3;
        /// Nothing was found, if "no" comes before it: "no matches".
        const FRUITLESS_AFTER_NO = 1 << 4;
        /// Something was done: "saved".
        const ACKNOWLEDGES = 1 << 5;
        /// Stands in results that say nothing: "(no output)".
        const SAYS_NOTHING = 1 << 6;
        /// The number after it changes by itself: "PID 4711".
        const BEFORE_CHANGING_NUMBER = 1 << 7;
        /// The number before it changes by itself: "5 seconds".
        const AFTER_CHANGING_NUMBER = 1 << 8;
        /// The word after it means the opposite.
        const NEGATES = 1 << 9;
        /// "not", and the `t` of "doesn't".
        const NOT = 1 << 10;
        const NO = 1 << 11;
        /// The error before it is none: "errors: none".
        const TAKES_ERROR_BACK = 1 << 12;
        /// Begins the name of an exit code.
        const EXIT = 1 << 13;
        /// Ends the name of an exit code.
        const CODE = 1 << 14;
        /// A shell, which counts the lines that it has read.
        const SHELL = 1 << 15;
        const LINE = 1 << 16;
        /// After what was done, says that somebody else did it: "modified since".
        const SINCE = 1 << 17;
        /// After "no", says that an edit has changed nothing: "made no changes".
        const UNCHANGED_AFTER_NO = 1 << 18;
        /// Tells where an edit could be made, which one that was made has no need to: "matches twice".
        const TELLS_PLACES = 1 << 19;
        /// A person.
        const USER = 1 << 20;
        /// A word for something that a person does to a call, an offer or a question.
        const OF_USER = 1 << 21;
        /// Between what was done and who did it.
        const BY = 1 << 22;
        /// "still"
        const STILL = 1 << 23;
        /// Goes on by itself, after "still" or "status".
        const GOES_ON = 1 << 24;
        /// "in", before "progress".
        const IN = 1 << 25;
        const PROGRESS = 1 << 26;
        /// Says by itself that a service could not answer just now: `ECONNRESET`.
        const ROAD = 1 << 27;
        /// The first of two words that say so together: "rate" of "rate limit".
        const ROAD_FIRST = 1 << 28;
        /// The second of them.
        const ROAD_SECOND = 1 << 29;
        /// Names a status code of a service.
        const HTTP = 1 << 30;
        /// Is named by the number after it, which may be all that was asked for: "job 7".
        const NAMED_BY_NUMBER = 1 << 31;
        /// After "no" or "not", says that something has not come yet.
        const YET = 1 << 32;
        /// Nothing was found, whatever comes before it.
        const NOTHING = 1 << 33;
        /// Has not come yet, whatever comes before it.
        const NOT_YET = 1 << 34;
        /// Goes on by itself, whatever comes before it.
        const GOING_ON = 1 << 35;
        /// Names a part of a page by a number that each look at it gives anew: `ref=e12`.
        const REFERENCE = 1 << 36;
        /// Goes on if the word after it says so: "Process running with session ID 7".
        const PROCESS = 1 << 37;
    }
}

impl ResultWord {
    /// Whether something failed, by a word and the one before it. `is_error` says that the word by itself is that of an
    /// error. Of what was done somebody else may have done it: a file "modified since" it was read is no success.
    pub(super) fn tells_of_error(self, is_error: bool, before: Self) -> bool {
        is_error && !before.contains(Self::NEGATES)
            || self.contains(Self::ERROR_AFTER_NOT) && before.contains(Self::NOT)
            || self.contains(Self::ERROR_AFTER_NO) && before.contains(Self::NO)
            || self.contains(Self::SINCE) && before.contains(Self::ACKNOWLEDGES)
    }
}

/// The words of all lists.
pub(super) struct Vocabulary {
    pub(super) tools: Words<ToolKind>,
    pub(super) traits: Words<ToolTrait>,
    pub(super) editor_verbs: Words<ToolKind>,
    pub(super) arguments: Words<ArgumentRole>,
    pub(super) wait_verbs: Words<WaitVerb>,
    pub(super) programs: Words<Program>,
    pub(super) results: Words<ResultWord>,
}

/// The vocabulary that every detector shares.
pub(super) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary {
    // A test keeps each word of these three kinds in one list.
    tools: Words::of("tool word", TOOL_WORDS, Ord::min),
    traits: Words::of("trait", word_lists::TRAITS, ToolTrait::union),
    editor_verbs: Words::of("editor verb", EDITOR_VERBS, Ord::min),
    wait_verbs: Words::of("wait verb", word_lists::WAIT_VERBS, |first, _| first),
    programs: Words::of("program", word_lists::PROGRAMS, |first, _| first),
    arguments: Words::of("argument", word_lists::ARGUMENTS, ArgumentRole::union),
    results: Words::of("result", word_lists::RESULTS, ResultWord::union),
});

/// Words and their meanings.
#[derive(Debug)]
pub(super) struct Words<M> {
    list: WordList,
    /// By the numbers of the words.
    meanings: Vec<M>,
    /// The rows of the words, which those of a host have not.
    #[cfg(feature = "word-use")]
    uses: Option<Uses<M>>,
}

impl<M> Default for Words<M> {
    fn default() -> Self {
        Self {
            list: WordList::default(),
            meanings: Vec::new(),
            #[cfg(feature = "word-use")]
            uses: None,
        }
    }
}

impl<M: Copy> Words<M> {
    /// The words of a list of this name, by their meanings. `both` says what a word means that has two of them.
    #[cfg_attr(not(feature = "word-use"), expect(unused_variables))]
    fn of<K: Copy + Into<M>>(
        name: &'static str,
        meanings: &[(K, &'static str)],
        both: fn(M, M) -> M,
    ) -> Self {
        let mut words = Self::default();
        #[cfg(feature = "word-use")]
        let mut uses = Uses::of(name, both);
        for (meaning, list) in meanings {
            let meaning = (*meaning).into();
            for word in list.split(' ') {
                words.add_lower(Cow::Borrowed(word), meaning, both);
                #[cfg(feature = "word-use")]
                uses.add(word, meaning);
            }
        }
        #[cfg(feature = "word-use")]
        words.uses.replace(uses);
        words
    }

    /// Adds a word. `both` says what it means if it is known already.
    pub(super) fn add(&mut self, word: &str, meaning: M, both: fn(M, M) -> M) {
        let units: Vec<u16> = word.encode_utf16().map(lower_case).collect();
        self.add_lower(Cow::Owned(String::from_utf16_lossy(&units)), meaning, both);
    }

    fn add_lower(&mut self, word: Cow<'static, str>, meaning: M, both: fn(M, M) -> M) {
        match self.list.add(word) {
            Some(number) => self.meanings[number] = both(self.meanings[number], meaning),
            None => self.meanings.push(meaning),
        }
    }

    /// The meaning of a word, if it is in a list.
    #[inline]
    pub(super) fn meaning(&self, word: &[u16]) -> Option<M> {
        let bucket = self.list.bucket_with(word)?;
        #[cfg(feature = "word-use")]
        if let Some(uses) = &self.uses {
            let lower: Vec<u16> = word.iter().map(|unit| lower_case(*unit)).collect();
            return uses.hear(&lower);
        }
        let number = self.list.number_of(word, bucket)?;
        Some(self.meanings[number])
    }
}

/// Words in lower case, by numbers from 0. The first event waits until they are in their buckets, while an engine has
/// compiled little of this well, so each takes few steps.
#[derive(Debug, Default)]
struct WordList {
    words: Vec<Listed>,
    /// The newest word of each bucket, by its number counted from 1; 0 if there is none.
    buckets: Vec<u32>,
}

#[derive(Debug)]
struct Listed {
    word: Cow<'static, str>,
    /// The word before it in its bucket, as there.
    before: u32,
    /// The unit in its middle, in which it mostly differs from the others of its bucket: what is not the word is known
    /// without looking at it.
    middle: u16,
}

/// The places among 26 letters and anything else.
const LETTERS: usize = 27;
/// Buckets for each letter with which words begin.
const ENDS: usize = 64;

/// The place of a unit in lower case.
#[inline]
fn letter_of(unit: u16) -> usize {
    match u8::try_from(unit) {
        Ok(letter @ b'a'..=b'z') => usize::from(letter - b'a'),
        _ => LETTERS - 1,
    }
}

/// The bucket of words that begin with one unit, end with another and are this long, which are few. Most words of a text are
/// of one without words.
#[inline]
fn bucket_of(first: u16, length: usize, last: u16) -> usize {
    letter_of(first) * ENDS + (length * 11 + letter_of(last)) % ENDS
}

impl WordList {
    /// Adds a word; of one that is known already, this is the number.
    fn add(&mut self, word: Cow<'static, str>) -> Option<usize> {
        let length = match word.is_ascii() {
            true => word.len(),
            false => word.encode_utf16().count(),
        };
        if self.buckets.is_empty() {
            self.buckets = vec![0; LETTERS * ENDS];
        }
        // What is beyond ASCII is no letter, in bytes as in units.
        let unit = |byte: Option<u8>| byte.unwrap_or_default().into();
        let (first, last) = (unit(word.bytes().next()), unit(word.bytes().next_back()));
        let middle = match word.is_ascii() {
            true => unit(word.as_bytes().get(length / 2).copied()),
            false => word.encode_utf16().nth(length / 2).unwrap_or_default(),
        };
        let bucket = bucket_of(first, length, last);
        let newest = self.buckets[bucket];
        let known = self.find(newest, middle, |it| it == word);
        if known.is_none() {
            self.words.push(Listed {
                word,
                before: newest,
                middle,
            });
            self.buckets[bucket] = self.words.len() as u32;
        }
        known
    }

    /// The newest word of a word's bucket.
    #[inline]
    fn bucket_with(&self, word: &[u16]) -> Option<u32> {
        let (first, last) = (lower_case(*word.first()?), lower_case(*word.last()?));
        let newest = self.buckets.get(bucket_of(first, word.len(), last))?;
        (*newest > 0).then_some(*newest)
    }

    /// The number of a word, if it is in the bucket with this newest word.
    fn number_of(&self, word: &[u16], newest: u32) -> Option<usize> {
        let middle = lower_case(word[word.len() / 2]);
        self.find(newest, middle, |it| match it.len() == word.len() {
            // As many bytes as units: it is ASCII.
            true => it
                .bytes()
                .zip(word)
                .all(|(byte, unit)| is_ascii(lower_case(*unit), byte)),
            false => it
                .encode_utf16()
                .eq(word.iter().map(|unit| lower_case(*unit))),
        })
    }

    #[inline]
    fn find(&self, newest: u32, middle: u16, is_it: impl Fn(&str) -> bool) -> Option<usize> {
        let mut next = newest;
        while let Some(number) = (next as usize).checked_sub(1) {
            let listed = &self.words[number];
            if listed.middle == middle && is_it(&listed.word) {
                return Some(number);
            }
            next = listed.before;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Debug;

    use super::*;

    fn each_word_is_in_one_list<M: Debug>(lists: &[(M, &str)]) {
        let mut seen = BTreeMap::new();
        for (meaning, list) in lists {
            for word in list.split_whitespace() {
                let before = seen.insert(word, meaning);
                assert!(before.is_none(), "{word:?} is {before:?} and {meaning:?}");
            }
        }
    }

    #[test]
    fn a_tool_a_verb_and_a_program_mean_one_thing() {
        each_word_is_in_one_list(TOOL_WORDS);
        each_word_is_in_one_list(EDITOR_VERBS);
        each_word_is_in_one_list(word_lists::PROGRAMS);
    }

    #[test]
    fn words_are_looked_up_whole_and_in_any_case() {
        let units = |word: &str| word.encode_utf16().collect::<Vec<_>>();
        let meaning = |word: &str| VOCABULARY.tools.meaning(&units(word));
        assert_eq!(meaning("grep"), Some(ToolKind::Search));
        assert_eq!(meaning("GREP"), Some(ToolKind::Search));
        assert_eq!(meaning("gre"), None);
        assert_eq!(meaning("greps"), None);
        assert_eq!(meaning(""), None);
        assert_eq!(meaning(&"x".repeat(1_000)), None);
        let error = VOCABULARY.results.meaning(&units("错误"));
        assert_eq!(error, Some(ResultWord::ERROR));
        let both = VOCABULARY.results.meaning(&units("exitcode"));
        let expected = ResultWord::EXIT | ResultWord::CODE | ResultWord::SAYS_NOTHING;
        assert_eq!(both, Some(expected));
    }

    #[test]
    fn a_host_may_add_words_of_any_length() {
        let long = "look_".repeat(40);
        let mut words = Words::default();
        words.add("", ToolKind::Note, Ord::min);
        words.add(&long, ToolKind::Search, Ord::min);
        words.add("LOOK", ToolKind::Search, Ord::min);
        words.add("look", ToolKind::Edit, Ord::min);
        let meaning = |word: &str| words.meaning(&word.encode_utf16().collect::<Vec<_>>());
        assert_eq!(meaning(&long.to_uppercase()), Some(ToolKind::Search));
        assert_eq!(meaning("look"), Some(ToolKind::Edit));
    }
}
