//! What the words of tools' names, arguments, commands and answers mean. Each list of tools and of
//! arguments is the default of a setting, to which the host's own is added.

use crate::hash::UnitHash;

/// Words of answers.
pub(super) const ANSWERS: u8 = 0;
/// Something failed, unless a [`NEGATION`] stands before it.
pub(super) const ERROR: u16 = 1;
/// The same behind a [`NOT`], ...
pub(super) const NEGATED: u16 = 1 << 1;
/// and that nothing was found.
pub(super) const DRY_BEHIND_NOT: u16 = 1 << 2;
/// Behind a [`NO`], that nothing was found.
pub(super) const DRY_BEHIND_NO: u16 = 1 << 3;
/// Something was done.
pub(super) const DONE: u16 = 1 << 4;
/// Says nothing by itself.
pub(super) const HOLLOW: u16 = 1 << 5;
/// The number behind it changes by itself, ...
pub(super) const BEFORE: u16 = 1 << 6;
/// the number before it does.
pub(super) const BEHIND: u16 = 1 << 7;
pub(super) const NEGATION: u16 = 1 << 8;
pub(super) const NOT: u16 = 1 << 9;
pub(super) const NO: u16 = 1 << 10;
/// Takes back the error before it.
pub(super) const NOTHING: u16 = 1 << 11;
/// `exit`; behind it, ...
pub(super) const EXIT: u16 = 1 << 12;
/// `code` or `status`, behind which stands an exit code; as behind a word that is both.
pub(super) const CODE: u16 = 1 << 13;
/// `such`: behind a [`NO`], something failed.
pub(super) const SUCH: u16 = 1 << 14;
/// What the number 0 means.
pub(super) const ZERO: u16 = NEGATION | NO | NOTHING;

/// Words of tools' names. What a tool does is the first of these that one of its words means; what the
/// host says comes before.
pub(super) const TOOLS: u8 = 1;
pub(super) const NOTE: u16 = 1;
pub(super) const WAIT: u16 = 1 << 1;
pub(super) const EDIT: u16 = 1 << 2;
pub(super) const WRITE: u16 = 1 << 3;
pub(super) const COMMAND: u16 = 1 << 4;
pub(super) const SEARCH: u16 = 1 << 5;
/// By so much the host's own are shifted.
pub(super) const OWN: u32 = 8;
pub(super) const KINDS: u16 = (1 << OWN) - 1;

/// Names of arguments.
pub(super) const KEYS: u8 = 2;
pub(super) const COSMETIC: u16 = 1 << OWN;
pub(super) const PATH: u16 = 1 << (OWN + 1);
pub(super) const COMMAND_LINE: u16 = 1 << (OWN + 2);
/// What an editor is told to do, in words that mean what tools do.
pub(super) const VERB: u16 = 1 << (OWN + 3);

/// Words of command lines.
pub(super) const COMMANDS: u8 = 3;
pub(super) const LOOKS_UP: u16 = 1;
/// Goes to a folder, perhaps to run something there.
pub(super) const GOES: u16 = 1 << 1;
/// Runs what stands behind it.
pub(super) const RUNS: u16 = 1 << 2;
pub(super) const SLEEP: u16 = 1 << 3;
/// Changes nothing but the shell.
pub(super) const STATE: u16 = 1 << 4;
/// What paths are hashed with.
pub(super) const PATHS: u8 = 4;

const LISTS: &[(&str, u8, u16)] = &[
    (
        "think thinking thought todo todos plan tasks respond ask question completion complete \
         finish message reply notify",
        TOOLS,
        NOTE,
    ),
    (
        "wait sleep pause poll output stdin status browser computer screenshot scroll click press \
         key keys hotkey mouse hover undo back step next continue resume puppeteer playwright \
         monitor progress check job jobs",
        TOOLS,
        WAIT,
    ),
    (
        "edit editor replace patch diff insert append multiedit delete rename move remove",
        TOOLS,
        EDIT,
    ),
    (
        "write create save overwrite add post publish upload update",
        TOOLS,
        WRITE,
    ),
    (
        "bash shell sh zsh exec execute run command cmd terminal powershell pwsh console ipython",
        TOOLS,
        COMMAND,
    ),
    (
        "read view open cat head tail less ls dir list tree glob grep rg ripgrep ag search find \
         fetch browse get query lookup show goto definition definitions references symbols usages",
        TOOLS,
        SEARCH,
    ),
    (
        "description explanation instruction instructions justification reason task_progress \
         requires_approval timeout timeout_ms timeout_seconds yield_time_ms is_background \
         isbackground run_in_background is_static security_risk request_id requestid call_id \
         tool_call_id nonce timestamp",
        KEYS,
        COSMETIC,
    ),
    (
        "path file_path filepath file filename file_name target_file targetfile absolute_path uri \
         notebook_path",
        KEYS,
        PATH,
    ),
    (
        "command cmd commands script code input chars",
        KEYS,
        COMMAND_LINE,
    ),
    ("command", KEYS, VERB),
    ("view read", KEYS, SEARCH),
    ("create write", KEYS, WRITE),
    ("undo_edit", KEYS, WAIT),
    (
        "ls dir tree cat bat head tail less more grep egrep fgrep rg ag ack find fd locate which \
         where type get-content get-childitem select-string gc gci findstr",
        COMMANDS,
        LOOKS_UP,
    ),
    ("cd pushd set-location", COMMANDS, GOES),
    ("popd export source alias unset", COMMANDS, STATE),
    (
        "bash sh zsh cmd powershell -c -lc /c sudo time timeout env",
        COMMANDS,
        RUNS,
    ),
    ("sleep", COMMANDS, SLEEP),
    (
        "error errors err failed fails fail failure exception traceback cannot unable denied \
         rejected refused invalid missing wrong unknown unexpected unsupported aborted timeout \
         forbidden unauthorized illegal incorrect fatal panic panicked disallowed blocked required \
         错误 失败 无法 拒绝 不存 找不 失敗 エラ",
        ANSWERS,
        ERROR,
    ),
    (
        "been allowed permitted recognized recognised supported valid available appear read \
         defined within connected running installed configured enabled ready found exist exists \
         match matched",
        ANSWERS,
        NEGATED,
    ),
    ("found exist exists match matched", ANSWERS, DRY_BEHIND_NOT),
    (
        "such matches match matching results result files file entries items hits occurrences data \
         output",
        ANSWERS,
        DRY_BEHIND_NO,
    ),
    ("such", ANSWERS, SUCH),
    (
        "success successful successfully succeeded updated created saved written wrote modified \
         closed launched applied added deleted removed installed done ok okay passed edited \
         replaced moved renamed 成功 完成 已更 已保 已创 已写 已执",
        ANSWERS,
        DONE,
    ),
    (
        "empty no none null output content command executed completed the with exit code status \
         returncode exitcode stdout stderr metadata duration seconds wall time result",
        ANSWERS,
        HOLLOW,
    ),
    (
        "pid pgid ppid process group id port attempt try retry took elapsed duration time timestamp \
         age uptime session request read repeated call handle terminal task job thread shell \
         seconds ms",
        ANSWERS,
        BEFORE,
    ),
    (
        "times ns us ms s sec secs second seconds min mins minute minutes hr hrs hour hours ago \
         characters chars",
        ANSWERS,
        BEHIND,
    ),
    ("without never", ANSWERS, NEGATION),
    ("not t", ANSWERS, NOT | NEGATION),
    ("no", ANSWERS, NO | NEGATION),
    ("none null false", ANSWERS, NOTHING),
    ("exit exitcode returncode", ANSWERS, EXIT),
    ("code status exitcode returncode", ANSWERS, CODE),
];

/// Words and the bits that stand for what each means, whatever the case of ASCII letters. The same
/// word may mean different things in different classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// In ascending order: 48 bits of hash, 16 of meaning.
    entries: Vec<u64>,
    memo: Memo,
}

/// What the names of tools and of arguments meant lately, by their fingerprints: a conversation has a
/// few dozen of them, over and over.
#[derive(Debug, Clone)]
struct Memo(Vec<(u64, u16)>);

/// So many names are remembered, each in a place of its own.
const NAMES: usize = 128;

impl PartialEq for Memo {
    /// It changes nothing but how long something takes.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Memo {}

const MEANING: u64 = 0xffff;

impl Words {
    /// The words of every list.
    pub(super) fn known() -> Self {
        let mut words = Self {
            entries: Vec::new(),
            memo: Memo(vec![(0, 0); NAMES]),
        };
        for (list, class, meaning) in LISTS {
            words.add(list, *class, *meaning);
        }
        words
    }

    /// Adds each of the words between blanks. None has a character beyond the basic plane.
    #[inline(never)]
    pub(super) fn add(&mut self, words: &str, class: u8, meaning: u16) {
        let mut word = Vec::new();
        for character in words.chars() {
            if character != ' ' {
                word.push(character as u16);
                continue;
            }
            self.add_one(&word, class, meaning);
            word.clear();
        }
        self.add_one(&word, class, meaning);
    }

    #[inline(never)]
    fn add_one(&mut self, word: &[u16], class: u8, meaning: u16) {
        let entry = hash(word, class) & !MEANING;
        let place = self.place(entry);
        match self.entries.get_mut(place) {
            Some(known) if *known & !MEANING == entry => *known |= u64::from(meaning),
            _ => self.entries.insert(place, entry | u64::from(meaning)),
        }
    }

    /// The place of the first entry that is not below a hash.
    #[inline(never)]
    fn place(&self, hash: u64) -> usize {
        let (mut low, mut high) = (0, self.entries.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.entries.get(middle) {
                Some(entry) if *entry < hash => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }

    /// What a word means, 0 for one that is in no list.
    #[inline(never)]
    pub(super) fn meaning(&self, word: &[u16], class: u8) -> u16 {
        if word.len() > LONGEST {
            return 0;
        }
        let hash = hash(word, class) & !MEANING;
        match self.entries.get(self.place(hash)) {
            Some(entry) if *entry & !MEANING == hash => (*entry & MEANING) as u16,
            _ => 0,
        }
    }
}

impl Words {
    /// What a name was found to mean before.
    pub(super) fn remembered(&self, name: u64) -> Option<u16> {
        let (known, meaning) = *self.memo.0.get(name as usize % NAMES)?;
        (known == name).then_some(meaning)
    }

    pub(super) fn remember(&mut self, name: u64, meaning: u16) -> u16 {
        if let Some(place) = self.memo.0.get_mut(name as usize % NAMES) {
            *place = (name, meaning);
        }
        meaning
    }
}

/// No word of a list is longer; a host's are at most twice as long.
const LONGEST: usize = 64;

/// The hash of a text, whatever the case of its ASCII letters.
#[inline(never)]
pub(super) fn hash(text: &[u16], class: u8) -> u64 {
    let mut hash = UnitHash::EMPTY;
    hash.0 ^= u64::from(class) << 16;
    for unit in text {
        hash.push(lower(*unit));
    }
    hash.0
}

/// ASCII letters in lower case.
#[inline(never)]
pub(super) fn lower(unit: u16) -> u16 {
    match unit {
        0x41..=0x5a => unit | 0x20,
        _ => unit,
    }
}

/// What units are, in the bits of [`class_of`].
pub(super) const DIGIT: u8 = 1;
/// Of a to f.
pub(super) const HEX: u8 = 1 << 1;
/// Of T, Z, d, h, m and s, which stand for times.
pub(super) const TIME: u8 = 1 << 2;
/// Any other letter.
pub(super) const LETTER: u8 = 1 << 3;
pub(super) const SPACE: u8 = 1 << 4;
/// What ends a word of a command line.
pub(super) const MARK: u8 = 1 << 5;

/// What a unit is, by itself.
#[inline(never)]
pub(super) fn class_of(unit: u16) -> u8 {
    match unit {
        0x30..=0x39 => DIGIT,
        0x64 => HEX | TIME,
        0x61..=0x66 | 0x41..=0x46 => HEX,
        0x54 | 0x5a | 0x68 | 0x6d | 0x73 => TIME,
        0x41..=0x5a | 0x61..=0x7a => LETTER,
        0x20 | 9..=13 | 0xa0 | 0xfeff | 0x3000 => SPACE,
        // " & ' ( ) ; < > |
        0x22 | 0x26..=0x29 | 0x3b | 0x3c | 0x3e | 0x7c => MARK,
        _ => 0,
    }
}

/// Whether every unit is one of these.
#[inline(never)]
pub(super) fn is_all(units: &[u16], classes: u8) -> bool {
    for unit in units {
        if class_of(*unit) & classes == 0 {
            return false;
        }
    }
    true
}
