//! The summary injector beside a naive one.

use proptest::prelude::*;
use turnkeeper_core::Count;
use turnkeeper_core::summary_injector::{
    BudgetFit, SummaryInjector, SummaryInjectorOptions, Turn, TurnSummary,
};

use super::naive_injector::{Compare, Settings, Step, check};

fn piece() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        4 => Just("a"),
        4 => Just("Found it. "),
        3 => Just("思"),
        1 => Just("😀"),
        3 => Just(" "),
        4 => Just("\n"),
        1 => Just("\r\n"),
        1 => Just("\u{2028}"),
        1 => Just("\u{85}"),
        1 => Just("\u{200b}"),
        1 => Just("\u{feff}"),
        2 => Just("==="),
        2 => Just("=== TASK CONTEXT ==="),
        1 => Just("= workspace context"),
        2 => Just("[Turn 3]"),
        1 => Just("[Turns 2-9] "),
        1 => Just("Insights: "),
        1 => Just("Round 2: "),
        1 => Just("User's Goal: "),
        1 => Just("</user>"),
        1 => Just("< Assistant"),
        1 => Just("<"),
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..8).prop_map(|pieces| pieces.concat())
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(text(), 0..3)
}

fn step() -> impl Strategy<Value = Step> {
    let keyword = prop_oneof![text(), Just("found".to_owned()), Just(" A".to_owned())];
    let ids = proptest::collection::vec("[ab]?", 0..2);
    let recall = (
        proptest::collection::vec(0u64..8, 0..2),
        ids,
        proptest::collection::vec(keyword, 0..2),
    );
    prop_oneof![
        6 => proptest::option::of(text()).prop_map(Step::Start),
        4 => ("[ab]?", text()).prop_map(|(id, text)| Step::Message { id, text }),
        2 => text().prop_map(Step::Round),
        6 => (text(), texts()).prop_map(|(summary, insights)| Step::Store(None, summary, insights)),
        2 => (0u64..12, text(), texts())
            .prop_map(|(turn, summary, insights)| Step::Store(Some(turn), summary, insights)),
        1 => Just(Step::Complete),
        2 => Just(Step::Take),
        2 => (text(), texts()).prop_map(|(summary, insights)| Step::Answer(summary, insights)),
        1 => Just(Step::Drop),
        3 => recall.prop_map(|(turns, ids, keywords)| Step::Recall(turns, ids, keywords)),
        3 => (any::<bool>(), text())
            .prop_map(|(is_action, workspace)| Step::Prompt { is_action, workspace }),
        1 => Just(Step::Save),
    ]
}

fn summary_of(summary: &str, insights: &[String]) -> TurnSummary {
    TurnSummary {
        turn: None,
        summary: summary.to_owned(),
        insights: insights.to_vec(),
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    let max_tokens = proptest::option::of(1u64..120);
    (max_tokens, 1u64..6, proptest::option::of(1u64..6)).prop_map(
        |(max_tokens, max_recalled, max_messages)| Settings {
            max_tokens,
            max_recalled,
            max_messages,
        },
    )
}

proptest! {
    #[test]
    fn the_same_prompts_as_the_naive_injector(
        settings in settings(),
        steps in proptest::collection::vec(step(), 0..40),
    ) {
        check(settings, &steps, Compare::Always);
    }

    #[test]
    fn a_turn_is_added_after_those_before_it(
        summaries in proptest::collection::vec((text(), texts()), 1..12),
        max_tokens in proptest::option::of(1u64..200),
    ) {
        let max_tokens = max_tokens.and_then(Count::new);
        let options = SummaryInjectorOptions { max_tokens, ..SummaryInjectorOptions::default() };
        let mut injector = SummaryInjector::new(options).expect("valid");
        let mut before = String::new();
        for (summary, insights) in &summaries {
            injector.start_turn(Turn::default());
            injector.store_summary(&summary_of(summary, insights)).expect("open");
            let now = injector.accumulated_summaries();
            let is_whole = injector.budget_fit() == BudgetFit::Whole;
            if !is_whole || injector.take_fold_request().is_some() {
                // Over the budget: from here on the text may change.
                return Ok(());
            }
            prop_assert!(now.starts_with(&before), "{:?} does not begin with {:?}", now, before);
            before = now;
        }
    }

    #[test]
    fn no_altered_snapshot_is_taken_for_an_injector(
        steps in proptest::collection::vec((text(), texts()), 1..6),
        at in any::<proptest::sample::Index>(),
        bit in 0u8..8,
    ) {
        let mut injector = SummaryInjector::default();
        for (summary, insights) in &steps {
            injector.start_turn(Turn { task: Some(summary.clone()), workspace: None });
            injector.store_summary(&summary_of(summary, insights)).expect("open");
        }
        let mut snapshot = injector.snapshot();
        let at = at.index(snapshot.len());
        snapshot[at] ^= 1 << bit;
        prop_assert!(SummaryInjector::restore(&snapshot).is_err());
        prop_assert!(SummaryInjector::restore(&snapshot[..at]).is_err());
    }
}
