//! The pictures: a stripe for each call, and the tokens by kind.

use maud::{Markup, html};

use super::View;
use crate::plain_text::one_line;
use crate::report::{Action, SessionReport, TokenKind, TokenKinds};
use crate::timeline::Stretch;
use crate::tools::CallKind;
use crate::wording::name_of;

/// UTF-16 units of a message that are shown.
const MESSAGE: usize = 600;

/// A stripe for each call, and the loops below.
pub(super) fn timeline(session: &SessionReport, stretches: &[Stretch], view: View) -> Markup {
    let words = view.words;
    let calls = session.counts.calls;
    let label = (words.timeline_of)(session);
    html! {
        @if calls > 0 {
            svg class="timeline" viewBox={ "0 0 " (calls) " 26" } preserveAspectRatio="none" role="img" aria-label=(label) {
                @for (first, last, kind) in joined(stretches) {
                    rect class={ "call-" (name_of(kind)) } x=(first) y="0" width=(last - first + 1) height="18" {
                        title { ((words.stretch)(first, last, (words.call)(kind))) }
                    }
                }
                @for found in &session.loops {
                    @if let Some(first) = found.first_call {
                        @let last = found.last_call.unwrap_or(first).max(first);
                        rect class={ "loop-" (found.action.name()) } x=(first) y="20" width=(last - first + 1) height="6" {
                            title { ((words.action)(found.action)) ": " (one_line(&found.message, MESSAGE)) }
                        }
                    }
                }
            }
        }
    }
}

/// Neighbours that do the same as one.
fn joined(stretches: &[Stretch]) -> Vec<(u64, u64, CallKind)> {
    let mut all: Vec<(u64, u64, CallKind)> = Vec::new();
    for stretch in stretches {
        match all.last_mut() {
            Some((_, last, kind)) if *kind == stretch.kind => *last = stretch.last,
            _ => all.push((stretch.first, stretch.last, stretch.kind)),
        }
    }
    all
}

/// The meaning of the colours that these timelines have.
pub(super) fn legend<'a>(
    sessions: &[&SessionReport],
    timelines: impl Iterator<Item = &'a Stretch> + Clone,
    view: View,
) -> Markup {
    let words = view.words;
    let is_there = |kind: &&CallKind| timelines.clone().any(|stretch| stretch.kind == **kind);
    let has = |action: &Action| {
        let mut loops = sessions.iter().flat_map(|session| &session.loops);
        loops.any(|found| found.action == *action)
    };
    let actions: Vec<Action> = [Action::Stop, Action::Nudge]
        .into_iter()
        .filter(has)
        .collect();
    html! {
        p.legend {
            span { (words.stripes) ":" }
            @for &kind in CallKind::ALL.iter().filter(is_there) {
                " " span { i class={ "key call-" (name_of(kind)) } {} " " ((words.call)(kind)) }
            }
            @if !actions.is_empty() { " " span { (words.loops_below) ":" } }
            @for action in actions {
                " " span { i class={ "key loop-" (action.name()) } {} " " ((words.action)(action)) }
            }
        }
    }
}

/// The estimated tokens by kind, as one thin bar.
pub(super) fn token_bar(tokens: &TokenKinds, view: View) -> Markup {
    let words = view.words;
    let total = tokens.total.max(1) as f64;
    let bars = kinds_in(tokens).scan(0.0, |x, (kind, count)| {
        let (start, width) = (*x, 1000.0 * count as f64 / total);
        *x += width;
        Some((kind, count, start, width))
    });
    html! {
        @if tokens.total > 0 {
            svg class="tokens" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label=(words.tokens_by_kind) {
                @for (kind, count, x, width) in bars {
                    rect class={ "token-" (name_of(kind)) } x=(hundredths(x)) y="0" width=(hundredths(width)) height="20" {
                        title { ((words.tokens)(kind)) ": " ((words.count)(count)) }
                    }
                }
            }
        }
    }
}

/// The same, and the number of each.
pub(super) fn token_kinds(tokens: &TokenKinds, view: View) -> Markup {
    let words = view.words;
    html! {
        (token_bar(tokens, view))
        p.legend {
            @for (kind, count) in kinds_in(tokens) {
                span {
                    i class={ "key token-" (name_of(kind)) } {} " " ((words.tokens)(kind)) " " ((words.count)(count))
                }
                " "
            }
        }
    }
}

fn kinds_in(tokens: &TokenKinds) -> impl Iterator<Item = (TokenKind, u64)> + use<> {
    tokens.each().into_iter().filter(|(_, count)| *count > 0)
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
