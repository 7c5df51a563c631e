//! A summary injector that is slow and plain: it keeps everything, and writes every text anew with
//! regular expressions and templates.

use std::sync::LazyLock;

use regex::Regex;
use turnkeeper_core::Count;
use turnkeeper_core::ErrorCode;
use turnkeeper_core::summary_injector::{
    PromptParts, PromptPhase, Recall, SummaryInjector, SummaryInjectorOptions, Turn, TurnMessage,
    TurnSummary,
};

/// Something that a host does.
#[derive(Debug, Clone)]
pub enum Step {
    Start(Option<String>),
    Message { id: String, text: String },
    Round(String),
    Store(Option<u64>, String, Vec<String>),
    Complete,
    Take,
    Answer(String, Vec<String>),
    Drop,
    Recall(Vec<u64>, Vec<String>, Vec<String>),
    Prompt { is_action: bool, workspace: String },
    Save,
}

/// The settings of both.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub max_tokens: Option<u64>,
    pub max_recalled: u64,
    pub max_messages: Option<u64>,
}

/// What is left of a line that must not be there.
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    let names = "TASKCONTEXT|WORKSPACECONTEXT|CURRENTWORKSPACECONTEXT|ACCUMULATEDMEMORYSUMMARIES|\
                 PREVIOUSTHINKINGROUNDS";
    Regex::new(&format!(r"^=+({names})([^A-Z0-9]|$)")).expect("a pattern")
});
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^\[TURNS?[0-9-]+\]|^ROUND[0-9-]+:|^INSIGHTS:|^USER'SGOAL:";
    Regex::new(pattern).expect("a pattern")
});
static ROLE_TAG: LazyLock<Regex> = LazyLock::new(|| {
    let roles = "user|assistant|system|tool|developer|function|model";
    let pattern =
        format!(r"(?i)^<[\s\x00-\x20\x7f-\x9f\u{{200b}}\u{{feff}}/]*({roles})([^a-z0-9_-]|$)");
    Regex::new(&pattern).expect("a pattern")
});

/// What of a line can be seen, in capitals.
fn seen(line: &str) -> String {
    let is_seen = |character: &char| {
        !character.is_whitespace()
            && !character.is_control()
            && !"\u{ad}\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}".contains(*character)
    };
    line.chars()
        .filter(is_seen)
        .collect::<String>()
        .to_uppercase()
}

fn is_heading(line: &str) -> bool {
    HEADING.is_match(&seen(line))
}

/// Whether a line looks like a heading or begins an entry.
fn is_forged(line: &str) -> bool {
    is_heading(line) || LABEL.is_match(&seen(line))
}

/// The lines of a text, whatever ends them.
fn lines(text: &str) -> Vec<&str> {
    text.split(|end| "\n\u{b}\u{c}\r\u{1c}\u{1d}\u{1e}\u{85}\u{2028}\u{2029}".contains(end))
        .collect()
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}')
}

fn marked(text: &str) -> String {
    let text = trimmed(text);
    let mut out = String::new();
    let mut at = 0;
    for line in lines(text) {
        if at > 0 && is_forged(line) {
            out += "> ";
        }
        let end = at + line.len();
        let line_end = text[end..].chars().next().map_or(0, char::len_utf8);
        out += &text[at..end + line_end];
        at = end + line_end;
    }
    out
}

/// The workspace with every line marked that looks like a heading, the first one, too.
fn marked_workspace(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for line in lines(text) {
        if is_heading(line) {
            out += "> ";
        }
        let end = at + line.len();
        let line_end = text[end..].chars().next().map_or(0, char::len_utf8);
        out += &text[at..end + line_end];
        at = end + line_end;
    }
    out
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    for (at, character) in text.char_indices() {
        if character == '<' && ROLE_TAG.is_match(&text[at..]) {
            out += "&lt;";
        } else {
            out.push(character);
        }
    }
    out
}

fn on_one_line(text: &str) -> String {
    let lines: Vec<&str> = lines(text).into_iter().map(trimmed).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

fn tokens(text: &str) -> u64 {
    let wide = text.chars().filter(|character| *character == '思').count();
    let rest = text.encode_utf16().count() - wide;
    (wide + rest.div_ceil(4)) as u64
}

/// The beginning and the end of a text in that many tokens.
fn without_middle(text: &str, most: u64) -> String {
    if tokens(text) <= most {
        return text.to_owned();
    }
    let characters: Vec<char> = text.chars().collect();
    let of = |characters: &[char]| characters.iter().collect::<String>();
    let room = most.saturating_sub(10);
    let count = characters.len();
    let fits_first = |length: &usize| tokens(&of(&characters[..*length])) <= room * 2 / 3;
    let first = (0..=count).rev().find(fits_first).unwrap_or(0);
    let fits_last = |from: &usize| tokens(&of(&characters[*from..])) <= room / 3;
    let last = (first..=count).find(fits_last).unwrap_or(count);
    let left_out = of(&characters[first..last]).encode_utf16().count();
    let (first, last) = (of(&characters[..first]), of(&characters[last..]));
    format!("{first} [{left_out} characters left out] {last}")
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    turn: u64,
    role: &'static str,
    id: String,
    text: String,
    original: String,
    is_recalled: bool,
    /// Whether a prompt has had it.
    is_sent: bool,
}

#[derive(Debug, Clone)]
struct Entry {
    label: String,
    turn: u64,
    summary: String,
    insights: Vec<String>,
}

impl Entry {
    fn text(&self) -> String {
        let mut text = self.label.clone();
        if !self.summary.is_empty() {
            text += &format!(" {}", self.summary);
        }
        if !self.insights.is_empty() {
            text += &format!("\nInsights: {}", self.insights.join("; "));
        }
        text
    }

    fn has(&self, keyword: &str) -> bool {
        let insights = self.insights.join("; ");
        [&self.summary, &insights]
            .into_iter()
            .any(|text| has(text, keyword))
    }
}

fn has(text: &str, keyword: &str) -> bool {
    text.to_uppercase().contains(&keyword.to_uppercase())
}

fn label(from: u64, to: u64) -> String {
    if from == to {
        format!("[Turn {from}]")
    } else {
        format!("[Turns {from}-{to}]")
    }
}

/// The naive injector.
pub struct Naive {
    settings: Settings,
    newest: u64,
    is_open: bool,
    task: String,
    rounds: Vec<String>,
    entries: Vec<Entry>,
    fold: Option<(u64, Entry)>,
    shortened: u64,
    taken: u64,
    messages: Vec<Said>,
}

/// What a step gave: words, or the code of an error.
type Answer = Result<String, ErrorCode>;

impl Naive {
    fn new(settings: Settings) -> Self {
        Self {
            settings,
            newest: 0,
            is_open: false,
            task: String::new(),
            rounds: Vec::new(),
            entries: Vec::new(),
            fold: None,
            shortened: 0,
            taken: 0,
            messages: Vec::new(),
        }
    }

    fn folded_to(&self) -> u64 {
        self.fold.as_ref().map_or(1, |fold| fold.1.turn)
    }

    /// The entries that are shown, if they are shortened up to that turn.
    fn shown(&self, shortened: u64) -> Vec<Entry> {
        let start = self.folded_to();
        let mut shown = Vec::new();
        shown.extend(self.entries.iter().find(|entry| entry.turn == 1).cloned());
        shown.extend(self.fold.as_ref().map(|fold| fold.1.clone()));
        let is_short = |entry: &&Entry| entry.turn > start && entry.turn <= shortened;
        let short: Vec<&Entry> = self.entries.iter().filter(is_short).collect();
        if let (Some(first), Some(last)) = (short.first(), short.last()) {
            shown.push(Entry {
                label: label(first.turn, last.turn),
                turn: last.turn,
                summary: "shortened to insights for now; the messages can still be recalled".into(),
                insights: short
                    .iter()
                    .flat_map(|entry| entry.insights.clone())
                    .collect(),
            });
        }
        let is_whole = |entry: &&Entry| entry.turn > start && entry.turn > shortened;
        shown.extend(self.entries.iter().filter(is_whole).cloned());
        shown
    }

    /// The entries as prompts show them: the longest without their middle, if all take more than the budget.
    fn entries_in_budget(&self) -> Vec<String> {
        let entries: Vec<String> = self.shown(self.shortened).iter().map(Entry::text).collect();
        let budget = self.settings.max_tokens.unwrap_or(u64::MAX);
        if tokens(&self.summaries(self.shortened)) <= budget {
            return entries;
        }
        let heading = "=== ACCUMULATED MEMORY SUMMARIES ===\n";
        let room = budget.saturating_sub(tokens(heading) + entries.len() as u64 - 1);
        let fits = |most: &u64| {
            let sizes = entries.iter().map(|entry| tokens(entry).min(*most));
            sizes.sum::<u64>() <= room
        };
        let most = (0..=room).rev().find(fits).unwrap_or(0).max(24);
        entries.iter().map(|it| without_middle(it, most)).collect()
    }

    fn summaries_in_budget(&self) -> String {
        match self.entries_in_budget().as_slice() {
            [] => String::new(),
            entries => format!(
                "=== ACCUMULATED MEMORY SUMMARIES ===\n{}",
                entries.join("\n\n")
            ),
        }
    }

    fn summaries(&self, shortened: u64) -> String {
        let entries: Vec<String> = self.shown(shortened).iter().map(Entry::text).collect();
        if entries.is_empty() {
            return String::new();
        }
        format!(
            "=== ACCUMULATED MEMORY SUMMARIES ===\n{}",
            entries.join("\n\n")
        )
    }

    fn settle(&mut self) {
        let Some(limit) = self.settings.max_tokens else {
            return;
        };
        if tokens(&self.summaries(self.shortened)) <= limit {
            return;
        }
        let start = self.folded_to().max(self.shortened);
        let foldable = self.entries.len().saturating_sub(3);
        let foldable = self.entries[..foldable].iter().map(|entry| entry.turn);
        for turn in foldable.filter(|turn| *turn > start).collect::<Vec<_>>() {
            self.shortened = turn;
            if tokens(&self.summaries(turn)) <= limit / 2 {
                return;
            }
        }
    }

    fn context(&self, is_action: bool, workspace: &str) -> String {
        let mut sections = Vec::new();
        if !trimmed(&self.task).is_empty() {
            let task = marked(&self.task);
            sections.push(format!("=== TASK CONTEXT ===\nUser's Goal: {task}"));
        }
        let has_workspace = !trimmed(workspace).is_empty();
        if !is_action && has_workspace {
            let workspace = marked_workspace(workspace);
            sections.push(format!("=== WORKSPACE CONTEXT ===\n{workspace}"));
        }
        sections.push(self.summaries_in_budget());
        sections.retain(|section| !section.is_empty());
        if is_action {
            if sections.is_empty() {
                return workspace.to_owned();
            }
            if has_workspace {
                let workspace = marked_workspace(workspace);
                sections.push(format!("=== CURRENT WORKSPACE CONTEXT ===\n{workspace}"));
            }
        } else if !self.rounds.is_empty() {
            let rounds = self.thinking();
            sections.push(format!("=== PREVIOUS THINKING ROUNDS ===\n{rounds}"));
        }
        if sections.is_empty() {
            return workspace.to_owned();
        }
        sections.join("\n\n")
    }

    fn thinking(&self) -> String {
        let rounds = (1..).zip(&self.rounds);
        let rounds: Vec<String> = rounds
            .map(|(n, round)| format!("Round {n}: {round}"))
            .collect();
        rounds.join("\n\n")
    }

    /// The numbers of what a prompt has: sections, entries, lines of insights, rounds and goals.
    fn parts(&self) -> [usize; 5] {
        let shown = self.entries_in_budget();
        let goals = usize::from(!trimmed(&self.task).is_empty());
        let rounds = self.rounds.len();
        let sections = goals + usize::from(!shown.is_empty()) + usize::from(rounds > 0);
        let insights = shown.iter().filter(|text| text.contains("\nInsights: "));
        [sections, shown.len(), insights.count(), rounds, goals]
    }

    fn play(&mut self, step: &Step) -> Answer {
        let must_be_open = |is_open: bool| is_open.then_some(()).ok_or(ErrorCode::WrongOrder);
        match step {
            Step::Start(task) => {
                self.messages
                    .iter_mut()
                    .for_each(|it| it.is_recalled = false);
                if let Some(task) = task {
                    self.task.clone_from(task);
                }
                let completes = self.is_open;
                self.keep_thinking();
                self.newest += 1;
                self.is_open = true;
                return Ok(format!("{} {completes}", self.newest));
            }
            Step::Message { id, text } => {
                must_be_open(self.is_open)?;
                self.say("user", id, text, text.clone());
            }
            Step::Round(round) => {
                must_be_open(self.is_open)?;
                let round = marked(round);
                if !round.is_empty() {
                    self.rounds.push(round);
                }
            }
            Step::Store(turn, summary, insights) => {
                if turn.is_some_and(|turn| turn == 0 || turn > self.newest) {
                    return Err(ErrorCode::UnknownId);
                }
                must_be_open(turn.is_some() || self.is_open)?;
                let turn = turn.unwrap_or(self.newest);
                let insights = insights.iter().map(|insight| on_one_line(insight));
                let entry = Entry {
                    label: label(turn, turn),
                    turn,
                    summary: marked(summary),
                    insights: insights.filter(|insight| !insight.is_empty()).collect(),
                };
                if !entry.summary.is_empty() || !entry.insights.is_empty() {
                    self.entries.retain(|known| known.turn != turn);
                    self.entries.push(entry);
                    self.entries.sort_by_key(|entry| entry.turn);
                    self.settle();
                }
            }
            Step::Complete => {
                must_be_open(self.is_open)?;
                self.is_open = false;
                self.keep_thinking();
            }
            Step::Take => {
                if self.taken > 0 || self.shortened == 0 {
                    return Ok("nothing".to_owned());
                }
                self.taken = self.shortened;
                let start = self.folded_to();
                let is_in = |entry: &&Entry| entry.turn > start && entry.turn <= self.taken;
                let mut entries: Vec<Entry> = self.fold.iter().map(|fold| fold.1.clone()).collect();
                entries.extend(self.entries.iter().filter(is_in).cloned());
                let from = self.fold.as_ref().map_or(entries[0].turn, |fold| fold.0);
                let entries: Vec<String> = entries.iter().map(Entry::text).collect();
                return Ok(format!("{from} {} {}", self.taken, entries.join("\n\n")));
            }
            Step::Answer(summary, insights) => {
                if self.taken == 0 {
                    return Err(ErrorCode::WrongOrder);
                }
                let summary = marked(summary);
                if summary.is_empty() {
                    return Err(ErrorCode::InvalidArgument);
                }
                let from = match &self.fold {
                    Some(fold) => fold.0,
                    None => {
                        self.entries
                            .iter()
                            .find(|entry| entry.turn > 1)
                            .expect("taken")
                            .turn
                    }
                };
                let insights = insights.iter().map(|insight| on_one_line(insight));
                let entry = Entry {
                    label: label(from, self.taken),
                    turn: self.taken,
                    summary,
                    insights: insights.filter(|insight| !insight.is_empty()).collect(),
                };
                self.fold = Some((from, entry));
                (self.taken, self.shortened) = (0, 0);
                self.settle();
            }
            Step::Drop => {
                self.taken = 0;
                for said in &mut self.messages {
                    said.is_recalled &= !said.is_sent;
                }
            }
            Step::Recall(turns, ids, keywords) => return Ok(self.recall(turns, ids, keywords)),
            Step::Prompt {
                is_action,
                workspace,
            } => {
                let context = self.context(*is_action, workspace);
                let mut history = Vec::new();
                for said in &mut self.messages {
                    if !is_action {
                        let (role, text) = (said.role, without_tags(&said.text));
                        history.push(format!("<{role}>\n{text}\n</{role}>"));
                    } else if said.is_recalled {
                        history.push(said.original.clone());
                        said.is_sent = true;
                    }
                }
                return Ok(format!("{context}\n{history:?}"));
            }
            Step::Save => {}
        }
        Ok(String::new())
    }

    fn say(&mut self, role: &'static str, id: &str, text: &str, original: String) {
        let same = |said: &&mut Said| !id.is_empty() && said.id == id;
        if let Some(said) = self.messages.iter_mut().find(same) {
            (said.text, said.original) = (text.to_owned(), original);
            return;
        }
        self.messages.push(Said {
            turn: self.newest,
            role,
            id: id.to_owned(),
            text: text.to_owned(),
            original,
            is_recalled: false,
            is_sent: false,
        });
        while self.messages.len() as u64 > self.settings.max_messages.unwrap_or(u64::MAX) {
            self.messages.remove(0);
        }
    }

    /// The thinking of a turn that ends becomes a message.
    fn keep_thinking(&mut self) {
        let text = self.thinking();
        if !text.is_empty() {
            let quoted = serde_json::Value::from(text.as_str());
            let original = format!("{{\"role\":\"system\",\"content\":{quoted}}}");
            self.say("system", "", &text, original);
        }
        self.rounds.clear();
    }

    fn recall(&mut self, turns: &[u64], ids: &[String], keywords: &[String]) -> String {
        let keywords = keywords.iter().map(|word| trimmed(word));
        let keywords: Vec<&str> = keywords.filter(|word| !word.is_empty()).collect();
        let has_one = |entry: &Entry| keywords.iter().any(|word| entry.has(word));
        let last_folded = match &self.fold {
            Some((_, fold)) if has_one(fold) => fold.turn,
            _ => 0,
        };
        let with_word = |word: &str| {
            self.messages
                .iter()
                .filter(|it| has(&it.text, word))
                .count()
        };
        let rarest = |said: &Said| {
            let own = keywords.iter().filter(|word| has(&said.text, word));
            own.map(|word| with_word(word)).min()
        };
        let mut asked = turns.to_vec();
        asked.extend(
            self.entries
                .iter()
                .filter(|it| has_one(it))
                .map(|it| it.turn),
        );
        let found = self.messages.iter().filter(|it| rarest(it).is_some());
        asked.extend(found.map(|it| it.turn));
        // The reason for each message, the best one least.
        let reasons: Vec<Option<(u8, usize)>> = self
            .messages
            .iter()
            .map(|said| {
                let is_named = !said.id.is_empty() && ids.contains(&said.id);
                match rarest(said) {
                    _ if is_named => Some((0, 0)),
                    Some(count) => Some((0, count)),
                    None if asked.contains(&said.turn) => Some((1, 0)),
                    None if said.is_recalled => Some((2, 0)),
                    None if (2..=last_folded).contains(&said.turn) => Some((3, 0)),
                    None => None,
                }
            })
            .collect();
        let mut queued = 0;
        for at in 0..self.messages.len() {
            let Some(reason) = reasons[at] else { continue };
            let is_before = |(other, it): &(usize, &Option<(u8, usize)>)| {
                it.is_some_and(|it| it < reason || it == reason && *other > at)
            };
            let before = reasons.iter().enumerate().filter(is_before).count();
            let said = &mut self.messages[at];
            let is_wished = reason.0 != 2 || (2..=last_folded).contains(&said.turn);
            said.is_recalled = (before as u64) < self.settings.max_recalled;
            said.is_sent &= said.is_recalled && !is_wished;
            queued += u64::from(said.is_recalled && is_wished);
        }
        queued.to_string()
    }
}

/// How often the texts of both are compared while steps are played.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)] // The property uses one, the fuzzer the other.
pub enum Compare {
    /// After each step.
    Always,
    /// After the last step, and those that are meant to change them: a fuzzer has more time for other steps.
    WhereMeantToChange,
}

/// Plays the steps to both, and compares what they say.
pub fn check(settings: Settings, steps: &[Step], compare: Compare) {
    let options = SummaryInjectorOptions {
        max_tokens: settings.max_tokens.and_then(Count::new),
        max_recalled_messages: Count::new(settings.max_recalled),
        max_messages: settings.max_messages.and_then(Count::new),
        ..SummaryInjectorOptions::default()
    };
    let mut fast = SummaryInjector::new(options).expect("valid");
    let mut slow = Naive::new(settings);
    for (at, step) in steps.iter().enumerate() {
        let expected = slow.play(step);
        let before = expected.is_err().then(|| fast.snapshot());
        let got = play(&mut fast, step);
        assert_eq!(got, expected, "step {at}: {step:?}");
        if let Some(before) = before {
            assert_eq!(fast.snapshot(), before, "step {at}: something changed");
        }
        let is_due = compare == Compare::Always || at + 1 == steps.len();
        if is_due || matches!(step, Step::Store(..) | Step::Answer(..) | Step::Save) {
            let summaries = fast.accumulated_summaries();
            let expected = slow.summaries_in_budget();
            assert_eq!(summaries, expected, "step {at}: {step:?}");
        }
        if is_due
            || matches!(
                step,
                Step::Start(_) | Step::Round(_) | Step::Complete | Step::Save
            )
        {
            assert_eq!(fast.thinking_message().unwrap_or_default(), slow.thinking());
        }
    }
    for is_action in [true, false] {
        let context = match is_action {
            true => fast.context(PromptPhase::Action, "src/"),
            false => fast.context(PromptPhase::Thinking, "src/"),
        };
        assert_eq!(context, slow.context(is_action, "src/"), "after {steps:?}");
    }
    assert_eq!(
        parts(&fast.context(PromptPhase::Thinking, "")),
        slow.parts(),
        "after {steps:?}"
    );
}

/// How each part of a prompt begins: sections, entries, lines of insights, rounds, goals.
static BEGINNINGS: LazyLock<[Regex; 5]> = LazyLock::new(|| {
    let begins = [
        r"^=+(TASKCONTEXT|(CURRENT)?WORKSPACECONTEXT|ACCUMULATEDMEMORYSUMMARIES|PREVIOUSTHINKINGROUNDS)([^A-Z0-9]|$)",
        r"^\[TURNS?[0-9-]+\]",
        "^INSIGHTS:",
        "^ROUND[0-9-]+:",
        "^USER'SGOAL:",
    ];
    begins.map(|begin| Regex::new(begin).expect("a pattern"))
});

/// How many of each part are found in a prompt when it is read.
fn parts(prompt: &str) -> [usize; 5] {
    let mut found = [0; 5];
    for line in lines(prompt) {
        let seen = seen(line);
        for (count, begin) in found.iter_mut().zip(BEGINNINGS.iter()) {
            *count += usize::from(begin.is_match(&seen));
        }
    }
    found
}

fn play(injector: &mut SummaryInjector, step: &Step) -> Answer {
    let done = match step {
        Step::Start(task) => {
            let started = injector.start_turn(Turn {
                task: task.clone(),
                workspace: None,
            });
            return Ok(format!("{} {}", started.number, started.completed_previous));
        }
        Step::Message { id, text } => {
            let message = TurnMessage {
                role: "user".to_owned(),
                id: id.clone(),
                text: text.clone(),
                original: text.clone(),
            };
            injector.add_message(message, None)
        }
        Step::Round(round) => injector.add_thinking_round(round),
        Step::Store(turn, summary, insights) => injector.store_summary(&TurnSummary {
            turn: *turn,
            summary: summary.clone(),
            insights: insights.clone(),
        }),
        Step::Complete => injector.complete_turn(),
        Step::Take => {
            return Ok(match injector.take_fold_request() {
                Some(request) => {
                    format!("{} {} {}", request.from_turn, request.to_turn, request.text)
                }
                None => "nothing".to_owned(),
            });
        }
        Step::Answer(summary, insights) => {
            let answer = serde_json::json!({ "summary": summary, "insights": insights });
            injector.answer_fold_request(&answer).map(drop)
        }
        Step::Drop => {
            injector.drop_fold_request();
            injector.request_succeeded();
            Ok(())
        }
        Step::Recall(turns, ids, keywords) => {
            let recalled = injector.recall(&Recall {
                turn_numbers: turns[..turns.len() / 2].to_vec(),
                turns: turns[turns.len() / 2..].to_vec(),
                ids: ids.clone(),
                keywords: keywords.clone(),
            });
            return recalled
                .map(|count| count.to_string())
                .map_err(|error| error.code());
        }
        Step::Prompt {
            is_action,
            workspace,
        } => {
            let phase = match is_action {
                true => PromptPhase::Action,
                false => PromptPhase::Thinking,
            };
            let parts = PromptParts {
                capability: "C",
                direction: "D",
                workspace,
            };
            let prompt = injector.build_prompt(phase, parts);
            return Ok(format!(
                "{}\n{:?}",
                prompt.workspace_context, prompt.conversation_history
            ));
        }
        Step::Save => {
            let saved = injector.snapshot();
            *injector = SummaryInjector::restore(&saved).expect("just saved");
            assert_eq!(injector.snapshot(), saved);
            Ok(())
        }
    };
    done.map(|()| String::new()).map_err(|error| error.code())
}
