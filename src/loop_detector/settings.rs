//! The settings with every value filled in, and the rules that they make.

use super::MACHINE;
use super::model_check::ModelCheckLimits;
use super::options::{
    AfterFiring, CompareArguments, CompareResults, LoopProfile, ModelCheckOptions, invalid,
};
use super::profiles::{COMMAND_TOOLS, INTENSIVE_TOOLS, MONITORED_TOOLS};
use super::rules::{
    ACTIONS, Breaks, CALLS, CONDENSATIONS, CallsByTool, Conditions, ERRORS, Evidence, LIMITS,
    MESSAGES, MONITORED, PassageLimits, PassagesOfBoth, ProseWindows, RESULTS, RepeatedSteps,
    Repeats, Rule, SYNTAX_ERRORS, Sequences, WindowLimits,
};
use super::setting_list::{At, LIST};
use super::verdict::LoopType;
use crate::call::{self, Call};
use crate::error::Error;
use crate::setting::{Named, Setting, word_at};
use crate::text::push_number;

/// The most that some settings may ask for, so that memory and the cost of an event stay bounded.
const MOST: [(At, u64); 8] = [
    (At::longest_cycle, 10),
    (At::scattered_window, 32),
    (At::short_result, 2_000),
    (At::max_period, 100),
    (At::window_size, 100),
    (At::unit, 5_000),
    (At::copies, 100),
    (At::history, 100_000),
];

/// Settings of which the first may not be more than the second.
const ORDER: [(At, At); 3] = [
    (At::min_period, At::max_period),
    (At::window_minimum, At::window_size),
    (At::unit, At::history),
];

/// What the detector itself needs to know.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) profile: &'static str,
    pub(crate) after_firing: AfterFiring,
    pub(crate) clear_keeps_counts: bool,
    pub(crate) arguments: CompareArguments,
    pub(crate) results: CompareResults,
    /// Whether any rule looks at results, and at turns, messages of the user and condensations.
    pub(crate) needs_results: bool,
    /// Whether calls that have no result when the user speaks never get one.
    pub(crate) gives_up_calls: bool,
    /// Whether any rule looks at a delta of prose as a whole.
    pub(crate) needs_whole_deltas: bool,
    /// By [`Call::tool_fingerprint`].
    pub(crate) command_tools: Vec<u64>,
    pub(crate) skip_scrolling: bool,
    pub(crate) model_check: Option<ModelCheckLimits>,
}

/// The number of each setting, 0 for one that is not set.
#[derive(Clone, Copy)]
struct Values([u64; LIST.kinds.len()]);

impl Values {
    fn get(&self, at: At) -> u64 {
        self.0[at as usize]
    }

    fn or(&self, at: At, default: u64) -> u64 {
        match self.get(at) {
            0 => default,
            number => number,
        }
    }

    fn is_true(&self, at: At) -> bool {
        self.get(at) == 2
    }

    /// The number that fires for a setting that is that number, or the one before it.
    fn first(&self, at: At, default: u64, is_inclusive: bool) -> u64 {
        let is_inclusive = self.or(At::inclusive, 1 + u64::from(is_inclusive)) == 2;
        self.or(at, default)
            .saturating_add(u64::from(!is_inclusive))
    }
}

impl Settings {
    /// Of a host's options.
    pub(crate) fn new(own: &Setting) -> Result<(Self, Vec<Rule>), Error> {
        let named = Named::whole(MACHINE, own);
        let mut values = Values([0; LIST.kinds.len()]);
        named.fill(LIST, &mut values.0)?;
        let profile = values.or(At::profile, 1) as usize - 1;
        let name = word_at(LoopProfile::NAMES, profile);
        let set = values;
        values = Values([0; LIST.kinds.len()]);
        for (at, number) in LoopProfile::ROWS[profile] {
            values.0[*at as usize] = u64::from(*number);
        }
        named.fill(LIST, &mut values.0)?;
        check(&values, &set)?;

        let arguments = values.get(At::compare_arguments).saturating_sub(1) as usize;
        let results = values.get(At::compare_results);
        let mut settings = Self {
            profile: name,
            after_firing: match values.get(At::after_firing) {
                2 => AfterFiring::Reset,
                3 => AfterFiring::Stateless,
                _ => AfterFiring::Latched,
            },
            clear_keeps_counts: values.is_true(At::clear_keeps_counts),
            arguments: CompareArguments::ALL[arguments],
            results: match results {
                2 => CompareResults::ExitCode,
                3 => CompareResults::Full,
                _ => CompareResults::None,
            },
            needs_results: results > 1,
            gives_up_calls: false,
            needs_whole_deltas: false,
            command_tools: fingerprints(own, At::command_tools, &COMMAND_TOOLS),
            skip_scrolling: values.is_true(At::skip_scrolling),
            model_check: None,
        };
        if values.is_true(At::model_check) {
            settings.model_check = Some(model_check(own, profile)?);
        }
        let rules = rules(&values, own)?;
        for rule in &rules {
            settings.needs_results |= rule.needs_results();
            settings.needs_whole_deltas |= matches!(rule, Rule::Windows(_));
            settings.gives_up_calls |= matches!(rule, Rule::Evidence(_));
        }
        Ok((settings, rules))
    }
}

fn name_of(at: At) -> &'static str {
    word_at(LIST.names, at as usize)
}

/// Whether numbers are in bounds and in order; an error names the one that the host has set.
fn check(values: &Values, set: &Values) -> Result<(), Error> {
    for (at, most) in MOST {
        if values.get(at) > most {
            let mut message = "must be at most ".to_owned();
            push_number(&mut message, most);
            return Err(invalid(name_of(at), message));
        }
    }
    for (low, high) in ORDER {
        if values.get(high) > 0 {
            let pair = [
                (name_of(low), values.get(low)),
                (name_of(high), values.get(high)),
            ];
            check_order(pair, set.get(low) > 0)?;
        }
    }
    Ok(())
}

fn check_order(pair: [(&str, u64); 2], names_first: bool) -> Result<(), Error> {
    let [(low, lower), (high, higher)] = pair;
    if lower <= higher {
        return Ok(());
    }
    let (field, message, other) = match names_first {
        true => (low, "must be at most ", high),
        false => (high, "must be at least ", low),
    };
    Err(invalid(field, message.to_owned() + other))
}

/// The rules that are on.
fn rules(values: &Values, own: &Setting) -> Result<Vec<Rule>, Error> {
    let mut rules = Vec::new();
    let conditions = conditions(values, own)?;
    if !conditions.repeats.is_empty() {
        rules.push(Rule::Sequences(Box::new(Sequences::new(conditions))));
    }
    let mut limits = [0; LIMITS];
    let mut is_on = 0;
    for (place, (at, default)) in EVIDENCE.into_iter().enumerate() {
        limits[place] = values.or(at, default);
        is_on += values.get(at) * u64::from(default == 0);
    }
    if is_on > 0 {
        let lists = EVIDENCE_LISTS.map(name_of);
        rules.push(Rule::Evidence(Box::new(Evidence::new(limits, own, &lists))));
    }
    if values.get(At::preview_calls) + values.get(At::preview_intensive_calls) > 0 {
        rules.push(Rule::CallsByTool(CallsByTool::new(
            values.or(At::preview_calls, 5),
            values.or(At::preview_intensive_calls, 4),
            fingerprints(own, At::intensive_tools, &INTENSIVE_TOOLS),
        )));
    }
    if values.get(At::window_size) + values.get(At::max_repeats) > 0 {
        let size = values.or(At::window_size, 10);
        rules.push(Rule::RepeatedSteps(RepeatedSteps::new(
            size,
            values.or(At::window_minimum, size),
            values.first(At::max_repeats, 5, false),
        )));
    }
    let passages = PassageLimits {
        copies: values.get(At::repeated_passages),
        nudge: values.get(At::long_passages),
        slots: values.get(At::changing_slots),
    };
    if passages.copies + passages.nudge + passages.slots > 0 {
        let rule = PassagesOfBoth::new(PassageLimits {
            copies: values.or(At::repeated_passages, u64::MAX >> 8),
            ..passages
        });
        rules.push(Rule::Passages(Box::new(rule)));
    }
    if values.get(At::unit) + values.get(At::copies) > 0 {
        let copies = values.or(At::copies, 10).max(2);
        let limits = WindowLimits {
            unit: values.or(At::unit, 50) as usize,
            copies: copies as usize,
            reach: values.or(At::mean_distance, 250).saturating_mul(copies - 1),
            gaps: values.or(At::distinct_gaps, 5),
            history: values.or(At::history, 5_000) as usize,
            skip_symbols: values.is_true(At::skip_symbols),
        };
        let rule = ProseWindows::new(limits, values.or(At::markdown_resets, 2) == 2);
        rules.push(Rule::Windows(Box::new(rule)));
    }
    Ok(rules)
}

/// The settings of the rules over calls with their results, in their order, and what those have that do
/// not turn a rule on.
const EVIDENCE: [(At, u64); LIMITS] = [
    (At::repeated_results, 0),
    (At::similar_results, 0),
    (At::repeated_waits, 0),
    (At::repeated_edits, 0),
    (At::rewrites, 0),
    (At::equal_errors, 0),
    (At::fruitless_searches, 0),
    (At::equal_messages, 0),
    (At::cycle_rounds, 0),
    (At::scattered_repeats, 0),
    (At::longest_cycle, 10),
    (At::scattered_window, 20),
    (At::short_result, 400),
];

/// The host's own tools, by what they do, and arguments.
const EVIDENCE_LISTS: [At; 7] = [
    At::note_tools,
    At::wait_tools,
    At::edit_tools,
    At::write_tools,
    At::command_tools,
    At::search_tools,
    At::cosmetic_arguments,
];

/// The rules over what repeats, in the order in which they are asked: their names, what they find, in
/// which sequences, and the setting of the number of rounds.
const REPEATS: [(&str, LoopType, [usize; 2], At); 11] = {
    use LoopType::{
        ConsecutiveIdenticalToolCalls as Identical, Monologue, RepeatedError as Failing,
        RepeatedToolCycle as Cycle, SameToolDifferentArguments as OneTool,
    };
    [
        (
            "identical_calls",
            Identical,
            [CALLS; 2],
            At::identical_calls,
        ),
        ("identical_calls_limit", Identical, [CALLS; 2], At::limit),
        (
            "identical_calls_thresholds",
            Identical,
            [CALLS; 2],
            At::hard_threshold,
        ),
        ("repeated_cycle", Cycle, [CALLS; 2], At::rounds),
        (
            "monitored_calls",
            OneTool,
            [MONITORED; 2],
            At::monitored_calls,
        ),
        (
            "repeated_pairs",
            Identical,
            [ACTIONS, RESULTS],
            At::repeated_pairs,
        ),
        (
            "repeated_errors",
            Failing,
            [ACTIONS, ERRORS],
            At::repeated_errors,
        ),
        (
            "syntax_errors",
            Failing,
            [ACTIONS, SYNTAX_ERRORS],
            At::syntax_errors,
        ),
        (
            "repeated_messages",
            Monologue,
            [MESSAGES; 2],
            At::repeated_messages,
        ),
        (
            "alternating_pairs",
            Cycle,
            [ACTIONS, RESULTS],
            At::alternating_pairs,
        ),
        (
            "repeated_condensations",
            Failing,
            [CONDENSATIONS; 2],
            At::repeated_condensations,
        ),
    ]
};

/// What repeats too often, and when.
fn conditions(values: &Values, own: &Setting) -> Result<Conditions, Error> {
    let mut breaks = Breaks {
        text: false,
        user_message: false,
        other_tool: true,
    };
    if let Some(Setting::List(words)) = own.field("breaksRun") {
        breaks.other_tool = false;
        for word in words {
            match word.as_text() {
                Some("text") => breaks.text = true,
                Some("user_message") => breaks.user_message = true,
                Some("other_tool") => breaks.other_tool = true,
                _ => {
                    return Err(invalid(
                        "breaksRun",
                        "must hold text, user_message or other_tool",
                    ));
                }
            }
        }
    }
    let mut repeats = Vec::new();
    for (name, loop_type, of, at) in REPEATS {
        let mut one = Repeats {
            name,
            loop_type,
            of,
            periods: (1, 1),
            nudge_at: 0,
            stop_from: values.get(at),
        };
        let mut is_on = one.stop_from;
        match at {
            At::limit => one.stop_from = values.first(at, 0, false),
            At::hard_threshold => {
                is_on += values.get(At::soft_threshold);
                one.nudge_at = values.or(At::soft_threshold, 3);
                one.stop_from = values.or(at, 5);
            }
            At::rounds => {
                is_on += values.get(At::min_period) + values.get(At::max_period);
                one.periods = (values.or(At::min_period, 1), values.or(At::max_period, 5));
                one.stop_from = values.first(at, 5, true);
            }
            At::alternating_pairs => one.periods = (2, 2),
            _ => {}
        }
        if is_on > 0 {
            repeats.push(one);
        }
    }
    Ok(Conditions {
        repeats,
        with_results: values.get(At::compare_results) > 1,
        breaks,
        headless: values.is_true(At::headless),
        monitored_tools: fingerprints(own, At::monitored_tools, &MONITORED_TOOLS),
    })
}

/// What tools of these names are known by.
fn fingerprints(own: &Setting, at: At, usual: &[&str]) -> Vec<u64> {
    let own = match own.field(name_of(at)) {
        Some(Setting::List(own)) => Some(own),
        _ => None,
    };
    let mut tools = Vec::new();
    for place in 0..own.map_or(usual.len(), Vec::len) {
        let name = match own {
            Some(own) => own[place].as_text().unwrap_or_default(),
            None => usual[place],
        };
        let encoded = call::encode_without_arguments(name);
        tools.extend(Call::decode(&encoded).map(|call| call.tool_fingerprint()));
    }
    tools
}

fn model_check(own: &Setting, profile: usize) -> Result<ModelCheckLimits, Error> {
    // The seed's numbers.
    let mut numbers = [30, 3, 5, 15, 20, 0.9f64.to_bits(), 1];
    if profile == LoopProfile::GeminiCli as usize {
        (numbers[1], numbers[6]) = (10, 2);
    }
    let usual = numbers;
    if let Some(own @ Setting::Fields(_)) = own.field("modelCheck") {
        Named::whole(MACHINE, own).fill(ModelCheckOptions::LIST, &mut numbers)?;
    }
    let [
        after_turns,
        interval,
        min_interval,
        max_interval,
        history_count,
        confidence,
        flag,
    ] = numbers;
    let names = ["modelCheck.minInterval", "modelCheck.maxInterval"];
    check_order(
        [(names[0], min_interval), (names[1], max_interval)],
        min_interval != usual[2],
    )?;
    Ok(ModelCheckLimits {
        after_turns,
        interval,
        min_interval,
        max_interval,
        history_count,
        confidence: f64::from_bits(confidence),
        is_inclusive: flag == 2,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn field_of(options: &Value) -> Option<String> {
        let refused = Settings::new(&Setting::from(options.clone())).err()?;
        Some(refused.field().expect("a field").to_owned())
    }

    #[test]
    fn what_is_out_of_bounds_or_out_of_order_is_named() {
        for (options, field) in [
            (json!({"maxPeriod": 101}), "maxPeriod"),
            (json!({"windowSize": 101}), "windowSize"),
            (json!({"unit": 5_001}), "unit"),
            (json!({"copies": 101}), "copies"),
            (json!({"history": 100_001}), "history"),
            (
                json!({"profile": "gemini-cli", "minPeriod": 6}),
                "minPeriod",
            ),
            (
                json!({"profile": "gemini-cli", "minPeriod": 1, "maxPeriod": 0}),
                "maxPeriod",
            ),
            (json!({"profile": "gemini-cli", "history": 49}), "history"),
            (
                json!({"profile": "deepv", "unit": 50, "history": 49}),
                "unit",
            ),
            (
                json!({"profile": "crush", "windowMinimum": 11}),
                "windowMinimum",
            ),
            (json!({"limit": 0.5}), "limit"),
            (json!({"limit": 1e300}), "limit"),
            (json!({"headless": 1}), "headless"),
            (json!({"compareArguments": "order"}), "compareArguments"),
            (json!({"compareResults": null}), "compareResults"),
            (json!({"afterFiring": ""}), "afterFiring"),
            (json!({"breaksRun": ["text", "tool"]}), "breaksRun"),
            (json!({"breaksRun": [1]}), "breaksRun[0]"),
            (json!({"commandTools": "bash"}), "commandTools"),
            (
                json!({"modelCheck": {"minInterval": 16}}),
                "modelCheck.minInterval",
            ),
            (
                json!({"modelCheck": {"maxInterval": 4}}),
                "modelCheck.maxInterval",
            ),
            (
                json!({"modelCheck": {"inclusive": 1}}),
                "modelCheck.inclusive",
            ),
        ] {
            assert_eq!(field_of(&options).as_deref(), Some(field), "{options}");
        }
        for options in [
            json!({"maxPeriod": 100, "windowSize": 100, "unit": 5_000, "copies": 100,
                "history": 100_000, "limit": -3, "breaksRun": []}),
            json!({"profile": "roo", "limit": 0}),
            json!({"modelCheck": {"minInterval": 15, "maxInterval": 15}}),
        ] {
            assert_eq!(field_of(&options), None, "{options}");
        }
    }
}
