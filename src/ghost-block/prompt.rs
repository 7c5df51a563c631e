//! The evaluation of a prompt: its text, its rules, its items and its images.

use super::assembled::Image;
use super::conversation::{Conversation, LastPrompt};
use super::diagnostic::{Diagnostic, Problems};
use super::document::{Document, references_of};
use super::evaluation::Evaluation;
use super::images;
use super::items::{Item, Outcome};
use super::options::RememberTools;
use super::origin::OriginSource;
use super::referred::Referred;
use super::syntax::macros::Scope;
use super::syntax::preprocess::Expanded;
use super::syntax::references::References;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Text;

/// The ways in which a prompt is read.
#[derive(Clone, Copy)]
pub(crate) enum Reading<'a> {
    New,
    /// As the prompt that was assembled last, which came back.
    Again(&'a LastPrompt),
    /// Without rules and without anything of the conversation but its macros.
    Alone,
}

/// A prompt that was evaluated.
#[derive(Debug, Clone)]
pub(crate) struct EvaluatedPrompt {
    /// The user's text, its directives carried out.
    pub(crate) user: Vec<u16>,
    /// Whether that differs from what was given.
    pub(crate) is_changed: bool,
    /// Whether it is the prompt that was assembled last, and came back.
    pub(crate) is_repeat: bool,
    /// The offsets of each `@` in it that was written `\@`.
    pub(crate) literals: Vec<usize>,
    pub(crate) images: Vec<Image>,
    pub(crate) rules: Vec<Item>,
    pub(crate) items: Vec<Item>,
    /// The item that says how many references were over the limit.
    pub(crate) excess: Option<Item>,
    /// The macros before the rules were read, after the prompt's own directives, where its files are read, and after
    /// these.
    pub(crate) scope_before: Scope,
    pub(crate) scope_of_files: Scope,
    pub(crate) scope_after: Scope,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl EvaluatedPrompt {
    /// The rules, then the items: everything that the block may say.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Item> {
        self.rules.iter().chain(&self.items).chain(&self.excess)
    }
}

/// Evaluates a prompt of a conversation.
pub(crate) fn evaluate(
    units: &[u16],
    reading: Reading,
    conversation: &Conversation,
    evaluation: &mut Evaluation,
) -> EvaluatedPrompt {
    let repeated = match reading {
        Reading::Again(last) => Some(last),
        Reading::New | Reading::Alone => None,
    };
    // A prompt that comes back is read under the macros that it was read under before.
    if let Some(last) = repeated {
        evaluation.scope = last.scope_before.clone();
    }
    let scope_before = evaluation.scope.clone();
    let mention = conversation.mention(OriginSource::Prompt, repeated.is_none());
    let (rules, earlier) = match reading {
        Reading::Alone => (Vec::new(), Vec::new()),
        Reading::New | Reading::Again(_) => (
            expand_rules(conversation, mention.turn, evaluation),
            conversation.items.clone(),
        ),
    };
    let document = Document::new(units, None);
    let (expanded, references) = read(&document, repeated, evaluation);
    let scope_of_files = evaluation.scope.clone();
    let settings = evaluation.settings;
    let mut referred = Referred::new(&references, &expanded.units, earlier, mention, settings);
    let images = images::of(&references.list, &expanded, &document, evaluation);
    // A prompt that comes back calls no tool again.
    let runs_again = repeated.is_none() && settings.remember_tools() != RememberTools::Always;
    referred.fill(runs_again, evaluation);
    if evaluation.is_complete {
        let problems = referred.problems(&expanded, settings.max_items).into_iter();
        let told = problems.map(|it| document.diagnostic(it));
        evaluation.diagnostics.extend(told);
    }
    EvaluatedPrompt {
        is_changed: expanded.units != units,
        is_repeat: repeated.is_some(),
        user: expanded.units,
        literals: expanded.literals,
        images,
        rules,
        excess: referred.excess_item(mention, settings.max_items),
        items: referred.items,
        scope_before,
        scope_of_files,
        scope_after: std::mem::take(&mut evaluation.scope),
        diagnostics: std::mem::take(&mut evaluation.diagnostics),
    }
}

/// The text of a prompt with its directives carried out, and its references. In one that comes back they were
/// carried out before.
fn read(
    document: &Document,
    repeated: Option<&LastPrompt>,
    evaluation: &mut Evaluation,
) -> (Expanded, References) {
    let Some(last) = repeated else {
        let parsed = evaluation.parse(document);
        return (parsed.expanded, parsed.references);
    };
    let expanded = Expanded::without_directives(document.units, &last.literals);
    // Its problems were told before.
    let references = references_of(&expanded, evaluation.settings, &mut Problems::default());
    evaluation.scope = last.scope_of_files.clone();
    (expanded, references)
}

/// The rules with the content of their references, and since when they speak.
fn expand_rules(conversation: &Conversation, turn: u64, evaluation: &mut Evaluation) -> Vec<Item> {
    let before = conversation.expanded_rules.iter();
    let first_turns: SortedMap<&str, u64> = before
        .map(|rule| (rule.source.name.as_str(), rule.origin.first_turn))
        .collect();
    let mut rules = Vec::new();
    for rule in &conversation.rules {
        let Some(Outcome::Content { text, .. }) = &rule.outcome else {
            continue;
        };
        let name = &rule.source.name;
        let path = rule.origin.path.as_deref().unwrap_or_default();
        let written = text.to_units();
        let mut expanded = Vec::new();
        evaluation.expand(&Document::at(&written, Some(name), path), &mut expanded);
        // A rule that says the same in every turn is kept once.
        let content = match expanded == written {
            true => text.clone(),
            false => Text::from_units(&expanded),
        };
        let first_turn = first_turns.get(name.as_str()).copied().unwrap_or(turn);
        let path = rule.origin.path.clone();
        rules.push(Item::rule(name, content, path, first_turn, turn));
    }
    rules
}
