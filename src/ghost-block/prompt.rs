//! The evaluation of a prompt: what it refers to, and what became of all items.

use turnkeeper_base::sorted_map::SortedMap;

use super::GhostBlockAssembler;
use super::assembled::Image;
use super::diagnostic::{Diagnostic, DiagnosticCode, Problem, Problems};
use super::document::{Document, references_of};
use super::evaluation::{Evaluation, LONGEST_TRUSTED, TOO_LONG, tool_of};
use super::images::{Address, address};
use super::items::{Item, ItemList, MISSING, Outcome};
use super::options::RememberTools;
use super::origin::{ItemOrigin, Mention, OriginSource};
use super::source::{Identity, Source, SourceKind};
use super::syntax::macros::Scope;
use super::syntax::preprocess::Expanded;
use super::syntax::reference::{Reference, ReferenceKind};
use super::syntax::references::{BAD_ARGUMENTS, References};
use super::syntax::{CLOSE_BRACKET, part};
use turnkeeper_base::text::{Text, lossy};

/// The key in the block for the references that are over the limit.
const EXCESS_KEY: &str = "(more references)";

/// What a prompt gives.
#[derive(Debug, Clone)]
pub(crate) struct EvaluatedPrompt {
    /// The user's text, its directives carried out.
    pub(crate) user: Vec<u16>,
    /// Whether that differs from what was given.
    pub(crate) is_changed: bool,
    /// Whether it is the prompt that was assembled last, and came back.
    pub(crate) is_repeat: bool,
    /// Where `@` stands in it because it was written `\@`.
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

/// What a prompt refers to.
struct Referred {
    items: Vec<Item>,
    /// The tools that it calls.
    called: SortedMap<Identity, ()>,
    /// Its references, by where they are in it.
    named: Vec<(usize, Identity)>,
    /// How many things more than the limit it refers to.
    excess: usize,
}

impl Referred {
    /// What the user is told of references that give nothing to the model.
    fn problems(&self, max_items: usize) -> Problems {
        let by_identity: SortedMap<&Identity, &Item> = self
            .items
            .iter()
            .map(|item| (&item.source.identity, item))
            .collect();
        let mut problems = Problems::default();
        let mut is_excess_told = self.excess == 0;
        for (offset, identity) in &self.named {
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
                        problems.push(problem_of(&item.source, &error.to_lossy(), *offset));
                    }
                }
                None if is_excess_told => {}
                None => {
                    is_excess_told = true;
                    let message = excess_of(self.excess, max_items);
                    problems.push(Problem::new(*offset, DiagnosticCode::Limit, message));
                }
            }
        }
        problems
    }
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
    text.len() <= LONGEST_NAME
        && !text
            .chars()
            .any(|one| one.is_control() || is_direction(one))
}

/// The longest name in a diagnostic, in bytes.
const LONGEST_NAME: usize = 500;

fn excess_of(excess: usize, max_items: usize) -> String {
    format!("{excess} more than the limit of {max_items} items")
}

impl GhostBlockAssembler {
    /// Evaluates a prompt. `literals_of_repeat` is given if it is the one that was assembled last. One that
    /// stands alone has no rules and nothing of the conversation, but its macros.
    pub(crate) fn evaluate_prompt(
        &self,
        units: &[u16],
        literals_of_repeat: Option<&[usize]>,
        is_alone: bool,
        evaluation: &mut Evaluation,
    ) -> EvaluatedPrompt {
        let conversation = &self.conversation;
        // A prompt that comes back is read under the macros that it was read under before.
        let last = conversation.last_prompt.as_ref();
        let repeated = last.filter(|_| literals_of_repeat.is_some());
        if let Some(last) = repeated {
            evaluation.scope = last.scope_before.clone();
        }
        let scope_before = evaluation.scope.clone();
        let is_new = u64::from(repeated.is_none());
        let mention = Mention {
            source: OriginSource::Prompt,
            turn: conversation.turn + is_new,
            order: conversation.texts + is_new,
        };
        let rules = match is_alone {
            true => Vec::new(),
            false => self.expand_rules(mention.turn, evaluation),
        };
        let document = Document::new(units, None);
        let (expanded, references) = match literals_of_repeat {
            Some(literals) => {
                let expanded = Expanded::without_directives(units, literals);
                let found = references_of(&expanded, evaluation.settings);
                (expanded, found.references)
            }
            None => {
                let parsed = evaluation.parse(&document);
                (parsed.expanded, parsed.references)
            }
        };
        if let Some(last) = repeated {
            evaluation.scope = last.scope_of_files.clone();
        }
        let scope_of_files = evaluation.scope.clone();
        let earlier = match is_alone {
            true => Vec::new(),
            false => self.conversation.items.clone(),
        };
        let user = &expanded.units[..];
        let mut referred = refer_to(&references, user, earlier, mention, evaluation);
        let references = references.list;
        let mut images = Vec::new();
        let is_image = |reference: &&Reference| reference.kind == ReferenceKind::Image;
        let max_images = evaluation.settings.max_items;
        for (number, reference) in references.iter().filter(is_image).enumerate() {
            if number == max_images {
                let more = references.iter().filter(is_image).count() - max_images;
                let message =
                    format!("{more} images more than the limit of {max_images} stay text");
                let offset = expanded.origin(reference.start);
                let problem = Problem::new(offset, DiagnosticCode::Image, message);
                evaluation.diagnostics.push(document.diagnostic(problem));
                break;
            }
            match image_of(reference, &expanded.units, evaluation) {
                Ok(image) => images.extend(image),
                Err(reason) => {
                    let offset = expanded.origin(reference.start);
                    let problem = Problem::new(offset, DiagnosticCode::Image, reason);
                    evaluation.diagnostics.push(document.diagnostic(problem));
                }
            }
        }
        // A prompt that comes back calls no tool again.
        let remember = evaluation.settings.remember_tools;
        let runs_again = repeated.is_none() && remember != RememberTools::Always;
        fill(&mut referred, runs_again, evaluation);
        if evaluation.is_complete {
            let mut problems = Problems::default();
            problems.append(referred.problems(max_images), |at| expanded.origin(at));
            let told = problems.in_order().into_iter();
            evaluation
                .diagnostics
                .extend(told.map(|it| document.diagnostic(it)));
        }
        let excess = (referred.excess > 0).then(|| {
            let limit = evaluation.settings.max_items;
            let error = excess_of(referred.excess, limit);
            Item {
                source: Source::denied(EXCESS_KEY),
                outcome: Some(Outcome::failed(error)),
                last_mention: mention.order,
                origin: ItemOrigin::of(mention),
            }
        });
        EvaluatedPrompt {
            is_changed: expanded.units != units,
            is_repeat: repeated.is_some(),
            user: expanded.units,
            literals: expanded.literals,
            images,
            rules,
            items: referred.items,
            excess,
            scope_before,
            scope_of_files,
            scope_after: std::mem::take(&mut evaluation.scope),
            diagnostics: std::mem::take(&mut evaluation.diagnostics),
        }
    }

    /// The rules with the content of their references, and since when they speak.
    fn expand_rules(&self, turn: u64, evaluation: &mut Evaluation) -> Vec<Item> {
        let before = self.conversation.expanded_rules.iter();
        let first_turns: SortedMap<&str, u64> = before
            .map(|rule| (rule.source.name.as_str(), rule.origin.first_turn))
            .collect();
        let rules = self.conversation.rules.iter().map(|rule| {
            let name = &rule.source.name;
            let content = match &rule.outcome {
                Some(Outcome::Content { text, .. }) => text.to_units(),
                _ => Vec::new(),
            };
            let mut expanded = Vec::new();
            let folder = rule.origin.path.as_deref().unwrap_or_default();
            let document = Document::at(&content, Some(name), folder);
            evaluation.expand(&document, &mut expanded);
            let first_turn = first_turns.get(name.as_str()).copied().unwrap_or(turn);
            let path = rule.origin.path.clone();
            Item::rule(name, Text::from_units(&expanded), path, first_turn, turn)
        });
        rules.collect()
    }
}

/// Earlier items together with what a prompt refers to, as far as the limit
/// allows.
fn refer_to(
    references: &References,
    user: &[u16],
    earlier: Vec<Item>,
    mention: Mention,
    evaluation: &Evaluation,
) -> Referred {
    let mut items = ItemList::new(earlier);
    let mut called = SortedMap::new();
    let mut named = Vec::new();
    for reference in &references.list {
        let (source, denied) = match reference.kind {
            ReferenceKind::File => match evaluation.file_of(reference) {
                Ok(source) => (source, None),
                Err(reason) => {
                    let written = reference.path.as_deref().unwrap_or_default();
                    (Source::denied(written), Some(Outcome::denied(reason)))
                }
            },
            ReferenceKind::Tool => match tool_of(reference) {
                Some(call) => (call, None),
                None => (unreadable_call(reference, user), Some(not_run())),
            },
            ReferenceKind::Image | ReferenceKind::Macro => continue,
        };
        if reference.kind == ReferenceKind::Tool {
            called.insert(source.identity.clone(), ());
        }
        named.push((reference.start, source.identity.clone()));
        let item = items.refer(source, mention);
        if denied.is_some() {
            item.outcome = denied;
        }
    }
    let mut items = items.without_lines_of_whole_files();
    let keeps_tools = evaluation.settings.remember_tools != RememberTools::Never;
    // A call that could not be read is corrected in the next prompt, if it was meant.
    items.retain(|Item { source, .. }| {
        let stays = match source.kind {
            SourceKind::Tool => keeps_tools && !source.is_unreadable_call(),
            _ => true,
        };
        stays || called.contains_key(&source.identity)
    });
    let max_items = evaluation.settings.max_items;
    let excess = items.len().saturating_sub(max_items) + references.more;
    items.truncate(max_items);
    Referred {
        items,
        called,
        named,
        excess,
    }
}

/// A call whose arguments cannot be read, as it is written.
fn unreadable_call(reference: &Reference, user: &[u16]) -> Source {
    let name = reference.name.as_deref().unwrap_or_default();
    let written = part(user, reference.start + "@[".len(), reference.end);
    let shown = &written[..written.len().min(LONGEST_NAME)];
    let shown = lossy(shown.strip_suffix(&[CLOSE_BRACKET]).unwrap_or(shown));
    Source::unreadable_call(name, &shown)
}

/// What became of it.
fn not_run() -> Outcome {
    Outcome::failed(format!("it did not run: {BAD_ARGUMENTS}"))
}

/// Gives the items their content: that of the tools that are called, and of every file.
fn fill(referred: &mut Referred, runs_again: bool, evaluation: &mut Evaluation) {
    let Referred { items, called, .. } = referred;
    for item in items.iter_mut() {
        let has_content = item.outcome.as_ref().is_some_and(Outcome::is_content);
        if called.contains_key(&item.source.identity)
            && !item.source.is_unreadable_call()
            && (runs_again || !has_content)
            && let Some(result) = evaluation.tool_result(&item.source, !runs_again)
        {
            item.outcome = Some(result);
        }
    }
    for item in items {
        let source = &item.source;
        if source.is_file_or_directory()
            && let Some(outcome) = evaluation.need(source)
        {
            item.outcome = Some(expand_if_trusted(outcome, source, evaluation));
        }
    }
}

/// The content of a file, which acts as rules do if the host trusts files.
fn expand_if_trusted(outcome: Outcome, source: &Source, evaluation: &mut Evaluation) -> Outcome {
    match outcome {
        Outcome::Content { text, version }
            if evaluation.settings.trust_files && source.kind == SourceKind::File =>
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

/// An image, once it is there, or why it stays text.
fn image_of(
    reference: &Reference,
    user: &[u16],
    evaluation: &mut Evaluation,
) -> Result<Option<Image>, String> {
    let uri = reference.path.as_deref().unwrap_or_default();
    let roots = &evaluation.settings.roots;
    let outcome = match address(uri, roots.platform()) {
        Address::Data { media_type, data } => Some(Outcome::Image {
            media_type,
            data: Text::from(data.as_str()),
        }),
        Address::Remote if evaluation.settings.remote_images => {
            evaluation.need(&Source::image(uri))
        }
        Address::Path => match evaluation.file_of(reference) {
            Ok(file) => evaluation.need(&Source::image(&file.name)),
            Err(reason) => return Err(format!("denied: {reason}")),
        },
        Address::File(path) => match roots.resolve(&path) {
            Ok(file) => evaluation.need(&Source::image(&file.request)),
            Err(denied) => return Err(format!("denied: {}", denied.reason())),
        },
        Address::Remote => return Err("images of other hosts are not asked for".to_owned()),
        Address::Other => return Err("this is no address of an image".to_owned()),
    };
    let Some(outcome) = outcome else {
        return Ok(None);
    };
    match outcome {
        Outcome::Image { media_type, data } => {
            let alt = part(user, reference.start + "![".len(), reference.alt_end);
            Ok(Some(Image {
                start: reference.start,
                end: reference.end,
                alt: Text::from_units(alt),
                media_type,
                data,
            }))
        }
        other => Err(match other.as_result() {
            Err(error) => error.to_lossy(),
            Ok(_) => "the host gave an answer of the wrong kind".to_owned(),
        }),
    }
}
