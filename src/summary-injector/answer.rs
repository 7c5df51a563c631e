//! A model's answer to a request for a summary.

use rustc_hash::FxHashSet;

use serde_json::{Map, Value};

use super::diagnostic::{Diagnostic, DiagnosticCode};
use super::marking::{on_one_line, trimmed};
use super::turns::TurnSummary;
use turnkeeper_base::json;
use turnkeeper_base::path::fold_case;

/// Words that are in every other sentence, and say nothing of a goal.
const COMMON_WORDS: [&str; 16] = [
    "the", "and", "for", "with", "that", "this", "from", "into", "are", "was", "not", "but", "you",
    "all", "user", "goal",
];
/// Shorter words say nothing of a goal.
const SHORTEST_WORD: usize = 3;

/// A model's answer, with blank texts left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SummaryAnswer {
    goal: String,
    done: String,
    decisions: Vec<String>,
    files: Vec<String>,
    open_points: Vec<String>,
    insights: Vec<String>,
    /// Whether it is a text without fields, which is `done`.
    is_prose: bool,
}

impl SummaryAnswer {
    /// Reads an answer. Nothing if there is no text in it. A field of the wrong type is left out and told.
    pub(super) fn read(answer: &Value, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        let fields = match ModelAnswer::read(answer)? {
            ModelAnswer::Fields(fields) => fields,
            ModelAnswer::Prose(done) => {
                return Some(Self {
                    done,
                    is_prose: true,
                    ..Self::default()
                });
            }
        };
        let mut texts = |name: &str| texts_of(&fields, name, diagnostics);
        let answer = Self {
            goal: texts("goal").join("; "),
            done: texts("done").join("\n"),
            decisions: texts("decisions"),
            files: texts("files"),
            open_points: texts("openPoints"),
            insights: texts("insights"),
            is_prose: false,
        };
        (answer != Self::default()).then_some(answer)
    }

    /// Whether the goal, or prose, has a word of the task in it, where both have words to compare.
    pub(super) fn keeps_goal(&self, task: &str) -> bool {
        let text = if self.is_prose {
            &self.done
        } else {
            &self.goal
        };
        let (task, goal) = (telling_words(task), telling_words(text));
        !text.is_empty() && (task.is_empty() || !task.is_disjoint(&goal))
    }

    /// Whether it says what is left to do. Prose is not taken apart, so it may.
    pub(super) fn has_open_points(&self) -> bool {
        self.is_prose || !self.open_points.is_empty()
    }

    /// The summary as it is stored: what was done, and under it a line for each of the others.
    pub(super) fn into_summary(self, turn: u64) -> TurnSummary {
        let line = |label: &str, texts: &[String]| {
            let texts: Vec<String> = texts.iter().map(|text| on_one_line(text)).collect();
            (!texts.is_empty()).then(|| format!("{label}: {}", texts.join("; ")))
        };
        let goal = Some(self.goal).filter(|goal| !goal.is_empty());
        let lines = [
            Some(self.done).filter(|done| !done.is_empty()),
            line("Goal", goal.as_slice()),
            line("Decisions", &self.decisions),
            line("Files", &self.files),
            line("Open points", &self.open_points),
        ];
        let lines: Vec<String> = lines.into_iter().flatten().collect();
        TurnSummary {
            turn: Some(turn),
            summary: lines.join("\n"),
            insights: self.insights,
        }
    }
}

/// A model's answer: fields, as it was asked for them, or prose.
pub(super) enum ModelAnswer {
    Fields(Map<String, Value>),
    Prose(String),
}

impl ModelAnswer {
    /// Reads an object, or a text that holds its JSON, in a fenced block perhaps. Any other text is prose.
    /// Nothing for JSON that is no object, or that was cut off: such a model has not summed up.
    pub(super) fn read(answer: &Value) -> Option<Self> {
        let text = match answer {
            Value::Object(fields) => return Some(Self::Fields(fields.clone())),
            Value::String(text) => text,
            _ => return None,
        };
        if let Some(json) = object_in(text)
            && let Ok(Value::Object(fields)) = serde_json::from_str(json)
        {
            return Some(Self::Fields(fields));
        }
        let text = trimmed(text);
        let is_json = text.starts_with('{') || text.starts_with("```");
        let is_value = || serde_json::from_str::<Value>(text).is_ok();
        let has_words = text.contains(char::is_alphanumeric);
        (has_words && !is_json && !is_value()).then(|| Self::Prose(text.to_owned()))
    }
}

/// A diagnostic of an answer, or of one of its fields.
pub(super) fn told(code: DiagnosticCode, field: Option<&str>, message: &str) -> Diagnostic {
    Diagnostic::new(code, message.to_owned(), (1, 1), field.map(str::to_owned))
}

/// The text from its first brace to its last.
fn object_in(text: &str) -> Option<&str> {
    text.get(text.find('{')?..=text.rfind('}')?)
}

/// The texts of a field: a text, or a list of texts. An object in a list counts as its texts, such as a
/// decision and its reason.
pub(super) fn texts_of(
    fields: &Map<String, Value>,
    name: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let values = match fields.get(name) {
        None | Some(Value::Null) => &[][..],
        Some(Value::Array(values)) => values,
        Some(value) => std::slice::from_ref(value),
    };
    let mut texts = Vec::new();
    for value in values {
        let Some(text) = text_of(value) else {
            let value = json::written(value);
            let message = format!("{name} must hold texts, and this one is left out: {value:.40}");
            let code = DiagnosticCode::UnreadableField;
            diagnostics.push(told(code, Some(name), &message));
            continue;
        };
        let text = trimmed(&text);
        if !text.is_empty() {
            texts.push(text.to_owned());
        }
    }
    texts
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => {
            let texts: Option<Vec<&str>> = fields.values().map(Value::as_str).collect();
            let texts = texts.filter(|texts| !texts.is_empty());
            texts.map(|texts| texts.join(": "))
        }
        _ => None,
    }
}

/// The words of a text that say what it is about, whatever their case; where words are not parted by spaces,
/// each two characters that are side by side.
fn telling_words(text: &str) -> FxHashSet<String> {
    let folded = fold_case(text);
    let mut words = FxHashSet::default();
    for word in folded.split(|character: char| !character.is_alphanumeric()) {
        let characters: Vec<char> = word.chars().collect();
        for run in characters.chunk_by(|a, b| is_unparted(*a) == is_unparted(*b)) {
            let run_text: String = run.iter().collect();
            if !is_unparted(run[0]) {
                let is_common = |common: &&str| common.eq_ignore_ascii_case(&run_text);
                if run.len() >= SHORTEST_WORD && !COMMON_WORDS.iter().any(is_common) {
                    words.insert(run_text);
                }
            } else if run.len() == 1 {
                words.insert(run_text);
            } else {
                words.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
            }
        }
    }
    words
}

/// Han, Kana, Hangul, Thai: scripts whose words are not always parted by spaces.
fn is_unparted(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
        || matches!(character, '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
        || matches!(character, '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_goal_is_kept_if_a_telling_word_of_the_task_is_in_it() {
        for (task, goal, is_kept) in [
            ("Fix the login.", "fix the LOGIN page", true),
            ("Fix the login.", "write the documentation", false),
            ("Fix the login.", " ", false),
            ("把登录页改成深色主题", "深色主题", true),
            ("把登录页改成深色主题", "写文档", false),
            ("a b", "anything", true),
        ] {
            let answer = SummaryAnswer {
                goal: goal.trim().to_owned(),
                ..SummaryAnswer::default()
            };
            assert_eq!(answer.keeps_goal(task), is_kept, "{task} {goal}");
        }
    }

    #[test]
    fn answers_are_read_in_the_forms_that_models_give_them() {
        let expected = SummaryAnswer {
            done: "a\nb".to_owned(),
            decisions: vec!["x: because".to_owned()],
            files: vec!["a.ts".to_owned()],
            ..SummaryAnswer::default()
        };
        let object = json!({"done": ["a", " b "], "decisions": [{"what": "x", "why": "because"}],
            "files": "a.ts", "openPoints": null, "insights": [" "], "more": 1});
        let text = json!(format!("Here it is:\n```json\n{object}\n```\n"));
        for answer in [object, text] {
            let mut diagnostics = Vec::new();
            let read = SummaryAnswer::read(&answer, &mut diagnostics);
            assert_eq!((read, diagnostics), (Some(expected.clone()), vec![]));
        }
        for nothing in [
            json!(null),
            json!(7),
            json!(" "),
            json!("}{"),
            json!("[1]"),
            json!("null"),
            json!(r#"{"done": "cut o"#),
            json!("```json\n{\"done\": \"cut o"),
            json!({}),
            json!([]),
        ] {
            assert_eq!(
                SummaryAnswer::read(&nothing, &mut Vec::new()),
                None,
                "{nothing}"
            );
        }
        for prose in ["Fixed the {login}.", "[x] tests, [ ] docs", "修好了登录。"] {
            let read = SummaryAnswer::read(&json!(format!(" {prose}\n")), &mut Vec::new());
            let summary = read.expect("a summary").into_summary(1);
            assert_eq!((&*summary.summary, summary.insights.len()), (prose, 0));
        }
        let mut diagnostics = Vec::new();
        let wrong = json!({"done": 7, "files": ["a.ts", [1]]});
        let read = SummaryAnswer::read(&wrong, &mut diagnostics).expect("a file");
        assert_eq!(read.files, ["a.ts"]);
        let fields: Vec<_> = diagnostics
            .iter()
            .map(|told| told.source.as_deref())
            .collect();
        assert_eq!(fields, [Some("done"), Some("files")]);
    }
}
