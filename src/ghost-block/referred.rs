//! Everything that a prompt and the conversation before it refer to, with its content.

use super::diagnostic::{DiagnosticCode, Problem, Problems};
use super::evaluation::{Evaluation, LONGEST_TRUSTED, TOO_LONG, file_of, tool_of};
use super::items::{Item, ItemList, MISSING, Outcome};
use super::options::RememberTools;
use super::origin::{ItemOrigin, Mention};
use super::settings::Settings;
use super::source::{Identity, Source, SourceKind};
use super::syntax::preprocess::Expanded;
use super::syntax::reference::{Reference, ReferenceKind};
use super::syntax::references::{BAD_ARGUMENTS, References};
use super::syntax::{CLOSE_BRACKET, part};
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::{Text, lossy};

/// The key in the block for the references that are over the limit.
const EXCESS_KEY: &str = "(more references)";

/// The longest name in a diagnostic, in bytes.
const LONGEST_NAME: usize = 500;

/// The items of a prompt and of the conversation before it.
pub(crate) struct Referred {
    pub(crate) items: Vec<Item>,
    /// The tools that the prompt calls.
    called: SortedMap<Identity, ()>,
    /// The prompt's references, by their offsets.
    named: Vec<(usize, Identity)>,
    /// The number of things more than the limit.
    excess: usize,
}

impl Referred {
    /// Earlier items together with what a prompt refers to, as far as the limit allows.
    pub(crate) fn new(
        references: &References,
        user: &[u16],
        earlier: Vec<Item>,
        mention: Mention,
        settings: &Settings,
    ) -> Self {
        let mut items = ItemList::new(earlier);
        let mut called = SortedMap::new();
        let mut named = Vec::new();
        for reference in &references.list {
            let Some((source, denied)) = source_of(reference, user, settings) else {
                continue;
            };
            if source.kind == SourceKind::Tool {
                called.insert(source.identity.clone(), ());
            }
            named.push((reference.start, source.identity.clone()));
            let item = items.refer(source, mention);
            if denied.is_some() {
                item.outcome = denied;
            }
        }
        let mut items = items.without_lines_of_whole_files();
        let keeps_tools = settings.remember_tools() != RememberTools::Never;
        // A call that could not be read is corrected in the next prompt, if it was meant.
        items.retain(|Item { source, .. }| {
            let stays = match source.kind {
                SourceKind::Tool => keeps_tools && !source.is_unreadable_call(),
                _ => true,
            };
            stays || called.contains_key(&source.identity)
        });
        let excess = items.len().saturating_sub(settings.max_items) + references.more;
        items.truncate(settings.max_items);
        Self {
            items,
            called,
            named,
            excess,
        }
    }

    /// Gives the items their content: that of the tools that are called, and of every file.
    pub(crate) fn fill(&mut self, runs_again: bool, evaluation: &mut Evaluation) {
        for item in &mut self.items {
            let has_content = item.outcome.as_ref().is_some_and(Outcome::is_content);
            if self.called.contains_key(&item.source.identity)
                && !item.source.is_unreadable_call()
                && (runs_again || !has_content)
                && let Some(result) = evaluation.tool_result(&item.source, !runs_again)
            {
                item.outcome = Some(result);
            }
        }
        for item in &mut self.items {
            let source = &item.source;
            if source.is_file_or_directory()
                && let Some(outcome) = evaluation.need(source)
            {
                item.outcome = Some(expand_if_trusted(outcome, source, evaluation));
            }
        }
    }

    /// The problems to tell the user: of references that give nothing to the model, at their offsets in the
    /// prompt as it was written.
    pub(crate) fn problems(&self, prompt: &Expanded, max_items: usize) -> Vec<Problem> {
        let items = self.items.iter();
        let by_identity: SortedMap<&Identity, &Item> =
            items.map(|item| (&item.source.identity, item)).collect();
        let mut problems = Problems::default();
        let mut is_excess_told = self.excess == 0;
        for (offset, identity) in &self.named {
            let offset = prompt.origin(*offset);
            let found = by_identity.get(identity).or_else(|| {
                // Its lines are among those of the whole file.
                by_identity.get(&identity.whole()?)
            });
            match found {
                Some(item) => {
                    let outcome = item.outcome.as_ref();
                    let failed = outcome.and_then(|outcome| outcome.as_result().err());
                    // That arguments cannot be read is told where they are.
                    if let Some(error) = failed
                        && !item.source.is_unreadable_call()
                    {
                        problems.push(problem_of(&item.source, &error.to_lossy(), offset));
                    }
                }
                None if is_excess_told => {}
                None => {
                    is_excess_told = true;
                    let message = excess_of(self.excess, max_items);
                    problems.push(Problem::new(offset, DiagnosticCode::Limit, message));
                }
            }
        }
        problems.in_order()
    }

    /// The item that tells the model how many references were over the limit.
    pub(crate) fn excess_item(&self, mention: Mention, max_items: usize) -> Option<Item> {
        (self.excess > 0).then(|| Item {
            source: Source::denied(EXCESS_KEY),
            outcome: Some(Outcome::failed(excess_of(self.excess, max_items))),
            last_mention: mention.order,
            origin: ItemOrigin::of(mention),
        })
    }
}

/// The file or tool that a reference is of, with its outcome if it may not be asked for. Images and
/// directives are none.
fn source_of(
    reference: &Reference,
    user: &[u16],
    settings: &Settings,
) -> Option<(Source, Option<Outcome>)> {
    Some(match reference.kind {
        ReferenceKind::File => match file_of(reference, settings) {
            Ok(source) => (source, None),
            Err(reason) => {
                let written = reference.path.as_deref().unwrap_or_default();
                (Source::denied(written), Some(Outcome::denied(reason)))
            }
        },
        ReferenceKind::Tool => match tool_of(reference) {
            Some(call) => (call, None),
            None => {
                let error = format!("it did not run: {BAD_ARGUMENTS}");
                let outcome = Outcome::failed(error);
                (unreadable_call(reference, user), Some(outcome))
            }
        },
        ReferenceKind::Image | ReferenceKind::Macro => return None,
    })
}

/// A call whose arguments cannot be read, as it is written.
fn unreadable_call(reference: &Reference, user: &[u16]) -> Source {
    let name = reference.name.as_deref().unwrap_or_default();
    let written = part(user, reference.start + "@[".len(), reference.end);
    let shown = &written[..written.len().min(LONGEST_NAME)];
    let shown = lossy(shown.strip_suffix(&[CLOSE_BRACKET]).unwrap_or(shown));
    Source::unreadable_call(name, &shown)
}

/// The content of a file, which acts as rules do if the host trusts files.
fn expand_if_trusted(outcome: Outcome, source: &Source, evaluation: &mut Evaluation) -> Outcome {
    match outcome {
        Outcome::Content { text, version }
            if evaluation.settings.trusts_files() && source.kind == SourceKind::File =>
        {
            if text.len() > LONGEST_TRUSTED {
                return Outcome::failed(TOO_LONG);
            }
            let mut units = Vec::new();
            evaluation.expand_file(source, &text, &mut units);
            let text = Text::from_units(&units);
            Outcome::Content { text, version }
        }
        other => other,
    }
}

fn excess_of(excess: usize, max_items: usize) -> String {
    format!("{excess} more than the limit of {max_items} items")
}

fn problem_of(source: &Source, error: &str, offset: usize) -> Problem {
    let (code, name) = match source.kind {
        SourceKind::Tool => (DiagnosticCode::ToolFailed, &source.name),
        SourceKind::Denied => (DiagnosticCode::Denied, &source.key),
        _ => (DiagnosticCode::Unreadable, &source.key),
    };
    let mut message = match is_plain(name) {
        true => format!("{name}: {error}"),
        false => error.to_owned(),
    };
    if error == MISSING && names_lines(name) {
        message.push_str("; lines are written as `path:10:20`");
    }
    Problem::new(offset, code, message)
}

/// Whether a name ends with what may be meant as lines, such as `a.ts(10)`.
fn names_lines(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or_default();
    let after = name.find([':', '#', '(']).map(|at| &name[at..]);
    after.is_some_and(|after| after.contains(|one: char| one.is_ascii_digit()))
}

/// Whether a text can be shown as it is: it does nothing to a terminal or to what stands beside it.
fn is_plain(text: &str) -> bool {
    let is_direction = |one| matches!(one, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_hidden = |one: char| one.is_control() || is_direction(one);
    text.len() <= LONGEST_NAME && !text.chars().any(is_hidden)
}
