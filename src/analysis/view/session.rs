//! One session: what it is, its figures, its pictures, and its loops.

use maud::{Markup, html};

use super::View;
use super::pictures::{timeline, token_bar};
use super::words::{Figure, Words};
use crate::agents::agent_title;
use crate::audit_words::{project_name, session_title};
use crate::plain_text::one_line;
use crate::report::{Counts, Saveable, SessionReport, Total, Usage};
use crate::timeline::Stretch;
use crate::wording::name_of;

/// A session, with its calls and loops; the number names it on its page.
pub(super) fn session(
    session: &SessionReport,
    stretches: &[Stretch],
    number: usize,
    view: View,
) -> Markup {
    let words = view.words;
    let agent = session.session.agent_or_format();
    let mut facts = vec![agent_title(agent).to_owned()];
    facts.extend(
        session
            .session
            .project
            .as_deref()
            .map(|it| one_line(project_name(it), 120)),
    );
    facts.extend(
        session
            .session
            .ended
            .as_deref()
            .map(|it| (words.day)(it, view.today)),
    );
    facts.extend((words.facts)(session));
    facts.push(one_line(&session.session.file, 4_000));
    let figures = Sums {
        usage: &session.usage,
        saveable: &session.saveable,
        counts: &session.counts,
        loops: session.loops.len() as u64,
    };
    html! {
        article id={ "s" (number) } {
            h3 { bdi { (one_line(session_title(session), 200)) } }
            p.quiet { (facts.join(" · ")) }
            (figures.shown(words))
            (timeline(session, stretches, view))
            (token_bar(&session.tokens, view))
            @if !session.loops.is_empty() {
                ul {
                    @for found in &session.loops {
                        li {
                            strong class=(found.action.name()) { ((words.action)(found.action)) }
                            " " ((words.where_of)(found))
                            @if !found.message.is_empty() { ": " (one_line(&found.message, 600)) }
                            " " span.quiet { (name_of(found.loop_type)) ", " (found.rule) }
                        }
                    }
                }
            }
        }
    }
}

/// The numbers of a session, or of all of them.
pub(super) struct Sums<'a> {
    usage: &'a Usage,
    saveable: &'a Saveable,
    counts: &'a Counts,
    loops: u64,
}

impl<'a> From<&'a Total> for Sums<'a> {
    fn from(total: &'a Total) -> Self {
        Self {
            usage: &total.usage,
            saveable: &total.saveable,
            counts: &total.counts,
            loops: total.stops + total.nudges,
        }
    }
}

const FIGURES: [(Figure, &str); 11] = [
    (Figure::Cost, "cost"),
    (Figure::ToSave, "to-save"),
    (Figure::Loops, "loops"),
    (Figure::Calls, "calls"),
    (Figure::Sent, "sent"),
    (Figure::Cached, "cached"),
    (Figure::Written, "written"),
    (Figure::Outdated, "outdated"),
    (Figure::Rereads, "rereads"),
    (Figure::Pauses, "pauses"),
    (Figure::Terminals, "terminals"),
];

impl Sums<'_> {
    /// All that are not nothing.
    pub(super) fn shown(&self, words: &Words) -> Markup {
        let figures = FIGURES.iter().filter_map(|&(figure, name)| {
            let value = self.value(figure, words)?;
            Some((name, (words.figure)(figure), value))
        });
        html! {
            dl.figures {
                @for (name, title, value) in figures {
                    div class={ "figure-" (name) } { dt { (title) } dd { (value) } }
                }
            }
        }
    }

    fn value(&self, figure: Figure, words: &Words) -> Option<String> {
        let Usage {
            input,
            cache_read,
            cache_write,
            output,
            ..
        } = *self.usage;
        let count = |count: u64| (count > 0).then(|| (words.count)(count));
        let tokens = |value: u64| match self.usage.is_estimated {
            true => (value > 0).then(|| (words.about)(value)),
            false => count(value),
        };
        match figure {
            Figure::Cost => Some((words.cost)(self.usage)),
            Figure::ToSave => (words.saved)(self.usage, self.saveable),
            Figure::Loops => count(self.loops),
            Figure::Calls => Some((words.count)(self.counts.calls)),
            Figure::Sent => tokens(input + cache_read + cache_write),
            Figure::Cached => tokens(cache_read),
            Figure::Written => tokens(output),
            Figure::Outdated => count(self.saveable.tokens),
            Figure::Rereads => count(self.saveable.rereads.calls),
            Figure::Pauses => count(self.saveable.pauses.requests),
            Figure::Terminals => {
                let reusable = count(self.counts.terminals_reusable)?;
                Some(format!(
                    "{reusable} / {}",
                    (words.count)(self.counts.commands)
                ))
            }
        }
    }
}
