use serde_json::json;
use turnkeeper_base::options::Count;

use super::*;
use crate::{SummaryInjector, SummaryInjectorOptions, Turn, TurnSummary};

fn injector(max_tokens: u64) -> SummaryInjector {
    let options = SummaryInjectorOptions {
        max_tokens: Count::new(max_tokens),
        ..SummaryInjectorOptions::default()
    };
    SummaryInjector::new(options).expect("valid")
}

fn store(injector: &mut SummaryInjector, summary: &str, insights: &[&str]) {
    injector.start_turn(Turn::default());
    let stored = injector.store_summary(&TurnSummary {
        turn: None,
        summary: summary.to_owned(),
        insights: insights.iter().map(|&insight| insight.to_owned()).collect(),
    });
    stored.expect("the turn is open");
}

fn answer() -> Value {
    json!({"summary": "Folded."})
}

#[test]
fn tokens_are_those_of_the_text_that_would_be_written() {
    let mut injector = injector(60);
    for turn in 1..=40_u64 {
        let insights: &[&str] = [&[][..], &["a"], &["思考", "b 😀"]][turn as usize % 3];
        store(
            &mut injector,
            &"很 word\n".repeat(turn as usize % 5 + 1),
            insights,
        );
        if turn % 9 == 0 {
            let earlier = TurnSummary {
                turn: Some(turn / 2),
                summary: "Again.".to_owned(),
                insights: vec!["c".to_owned()],
            };
            injector.store_summary(&earlier).expect("the turn was");
        }
        if turn % 10 == 0 && injector.take_fold_request().is_some() {
            injector.answer_fold_request(&answer()).expect("taken");
        }
        if turn % 13 == 0 {
            injector = SummaryInjector::restore(&injector.snapshot()).expect("just saved");
        }
        for shortened_to in [
            None,
            Some(injector.summaries.folding.start() + 2),
            Some(turn),
        ] {
            let text = under_heading(&injector.summaries.texts_if_shortened(shortened_to));
            let units: Vec<u16> = text.encode_utf16().collect();
            let written: u64 = Size::of(&units).tokens().into();
            assert_eq!(
                injector.summaries.tokens_if_shortened(shortened_to),
                written
            );
        }
    }
}

#[test]
fn turns_are_shortened_until_half_the_budget_is_left() {
    let mut injector = injector(200);
    let mut asked = Vec::new();
    for turn in 1..=30 {
        store(&mut injector, &"word ".repeat(20), &["x"]);
        if let Some(request) = injector.take_fold_request() {
            asked.push((turn, request.from_turn, request.to_turn));
            let folded = injector.answer_fold_request(&answer());
            folded.expect("it was taken");
        }
        let tokens = injector.summaries.tokens();
        assert!(tokens <= 200, "{tokens} after turn {turn}");
    }
    // Once in three turns, and never one of the newest three.
    assert_eq!(asked[..3], [(7, 2, 4), (10, 2, 7), (13, 2, 10)]);
}

#[test]
fn what_may_not_be_folded_is_shown_in_a_budget_of_nothing_and_told() {
    let mut injector = injector(1);
    for _ in 0..4 {
        store(&mut injector, "Some words.", &[]);
    }
    let whole = injector.accumulated_summaries();
    assert_eq!(whole.matches("Some words.").count(), 4);
    assert_eq!(injector.budget_fit(), BudgetFit::Over);
    assert_eq!(injector.take_fold_request(), None);
    store(&mut injector, "Some words.", &[]);
    let request = injector.take_fold_request().expect("turn 2 may be folded");
    assert_eq!((request.from_turn, request.to_turn), (2, 2));
    assert_eq!(request.text, "[Turn 2] Some words.");
    injector
        .answer_fold_request(&answer())
        .expect("it was taken");
    // Nothing new to fold, so no request that would be answered without end.
    assert_eq!(injector.take_fold_request(), None);
    assert!(
        injector
            .accumulated_summaries()
            .contains("[Turn 2] Folded.")
    );
}

#[test]
fn the_budget_is_a_limit() {
    for budget in [160, 200, 500, 1_000, 5_000] {
        let mut injector = injector(budget);
        let mut all = String::new();
        for turn in 1..=12 {
            all += &format!(
                "Section {turn}: {}",
                "what was found, 很多. ".repeat(turn * 9)
            );
            store(&mut injector, &all, &["an insight of a few words"; 7]);
            if turn % 2 == 0 && injector.take_fold_request().is_some() {
                let answer = json!(format!("Folded: {all}"));
                injector.answer_fold_request(&answer).expect("it was taken");
            }
            let text = injector.accumulated_summaries();
            let shown = tokens(&text);
            assert!(shown <= budget, "{shown} of {budget} after turn {turn}");
            // The room that there is, is used.
            let whole = injector.summaries.tokens();
            assert!(shown == whole || shown > budget / 2, "{shown} of {budget}");
            let fit = if shown == whole {
                BudgetFit::Whole
            } else {
                BudgetFit::Cut
            };
            assert_eq!(injector.budget_fit(), fit);
            assert!(
                text.contains(&format!("[Turn {turn}] Section 1: what")),
                "{text}"
            );
        }
        let kept = injector.turns(12, 12)[0].summary.map(str::to_owned);
        assert_eq!(kept.as_deref(), Some(&*all));
    }
}

#[test]
fn what_is_cut_begins_no_line_anew() {
    let mut injector = injector(160);
    for _ in 0..3 {
        store(
            &mut injector,
            &"x === TASK CONTEXT === [Turn 9] ".repeat(99),
            &[],
        );
    }
    let text = injector.accumulated_summaries();
    assert!(text.contains("characters left out]"), "{text}");
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        assert!(line.starts_with("[Turn "), "{line}");
    }
}

#[test]
fn an_answer_may_be_text() {
    for (answer, shown) in [
        (json!("What came before."), "[Turns 2-3] What came before."),
        (
            json!("```json\n{\"summary\": \"A.\", \"insights\": \"b\"}\n```"),
            "[Turns 2-3] A.\nInsights: b",
        ),
        (
            json!({"summary": ["A.", "B."], "insights": null}),
            "[Turns 2-3] A.\nB.",
        ),
    ] {
        let mut injector = injector(80);
        for turn in 1..=6 {
            store(
                &mut injector,
                &format!("Turn {turn} did a lot of words."),
                &[],
            );
            if turn == 6 {
                injector.summaries.folding.shortened_to = Some(3);
            }
        }
        let _ = injector.take_fold_request().expect("over the budget");
        for nothing in [
            json!(null),
            json!(7),
            json!("{\"summary\": \"cut o"),
            json!(" "),
            json!({"insights": ["a"]}),
        ] {
            let error = injector
                .answer_fold_request(&nothing)
                .expect_err("no summary");
            assert_eq!(error.code(), ErrorCode::InvalidArgument);
        }
        assert_eq!(injector.answer_fold_request(&answer), Ok(Vec::new()));
        let text = injector.accumulated_summaries();
        assert!(text.contains(shown), "{text}");
    }
    let mut injector = injector(1);
    for _ in 0..5 {
        store(&mut injector, "Some words.", &[]);
    }
    let _ = injector.take_fold_request().expect("over the budget");
    let answer = json!({"summary": "A.", "insights": [7, "b"]});
    let told = injector.answer_fold_request(&answer).expect("a summary");
    assert_eq!(told[0].source.as_deref(), Some("insights"));
}
