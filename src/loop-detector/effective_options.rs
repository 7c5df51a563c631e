//! The options that are in force: the profile's, with the host's laid over them.

use super::MACHINE;
use super::model_check::ModelCheckLimits;
use super::options::{LoopDetectorOptions, ModelCheckSetting};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::Threshold;

/// It is never inlined: an engine compiles a function whole when it is first called.
///
/// # Errors
/// `invalid_config`, naming the option that is out of bounds or does not go with another.
#[inline(never)]
pub(super) fn effective_options(
    user_options: &LoopDetectorOptions,
) -> Result<LoopDetectorOptions, Error> {
    let profile = user_options.profile.unwrap_or_default();
    let mut options = user_options.clone();
    if user_options.heuristics == Some(true) {
        options = options.or(profile.heuristics());
    }
    options = options.or(profile.defaults());
    options.profile = Some(profile);
    check(&options, user_options)?;
    Ok(options)
}

/// Whether numbers are in bounds, so that memory and the cost of an event are, and in order. An error
/// names the option that the host has set.
fn check(options: &LoopDetectorOptions, user_options: &LoopDetectorOptions) -> Result<(), Error> {
    let copies = options.copies.and_then(Threshold::count);
    at_most("longestCycle", options.longest_cycle, 15)?;
    at_most("scatteredWindow", options.scattered_window, 32)?;
    at_most("shortResult", options.short_result, 2_000)?;
    at_most("maxPeriod", options.max_period, 100)?;
    at_most("windowSize", options.window_size, 100)?;
    at_most("recentEvents", options.recent_events, 100)?;
    at_most("callWindow", options.call_window, 100)?;
    at_most("readWindow", options.read_window, 32)?;
    let rounds = options.alternating_calls.and_then(Threshold::count);
    at_most("alternatingCalls", rounds, 50)?;
    at_most("unit", options.unit, 5_000)?;
    at_most("copies", copies, 100)?;
    at_most("history", options.history, 100_000)?;
    in_order(
        ("minPeriod", options.min_period),
        ("maxPeriod", options.max_period),
        user_options.min_period.is_some(),
    )?;
    in_order(
        ("windowMinimum", options.window_minimum),
        ("windowSize", options.window_size),
        user_options.window_minimum.is_some(),
    )?;
    in_order(
        ("unit", options.unit),
        ("history", options.history),
        user_options.unit.is_some(),
    )?;
    if let Some(ModelCheckSetting::On(model_check)) = &options.model_check {
        let set_by_host = match &user_options.model_check {
            Some(ModelCheckSetting::On(user_options)) => user_options.min_interval.is_some(),
            _ => false,
        };
        let min_interval = model_check
            .min_interval
            .unwrap_or(ModelCheckLimits::MIN_INTERVAL);
        let max_interval = model_check
            .max_interval
            .unwrap_or(ModelCheckLimits::MAX_INTERVAL);
        in_order(
            ("modelCheck.minInterval", Some(min_interval)),
            ("modelCheck.maxInterval", Some(max_interval)),
            set_by_host,
        )?;
    }
    Ok(())
}

fn at_most(option: &str, number: Option<u64>, most: u64) -> Result<(), Error> {
    match number {
        Some(number) if number > most => {
            let message = format!("must be at most {most}, not {number}");
            Err(Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(option))
        }
        _ => Ok(()),
    }
}

/// Whether the first number is no larger than the second, if both are known. `is_first_wrong` tells
/// which of them an error names.
fn in_order(
    (low, lower): (&str, Option<u64>),
    (high, higher): (&str, Option<u64>),
    is_first_wrong: bool,
) -> Result<(), Error> {
    let (Some(lower), Some(higher)) = (lower, higher) else {
        return Ok(());
    };
    if lower <= higher {
        return Ok(());
    }
    let (option, message) = match is_first_wrong {
        true => (
            low,
            format!("must be at most {high}, {higher}, not {lower}"),
        ),
        false => (
            high,
            format!("must be at least {low}, {lower}, not {higher}"),
        ),
    };
    Err(Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(option))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn field_of(options: &Value) -> Option<String> {
        let options = LoopDetectorOptions::from_value(options);
        let refused = options
            .and_then(|options| effective_options(&options))
            .err()?;
        Some(refused.field().expect("a field").to_owned())
    }

    #[test]
    fn what_is_out_of_bounds_or_out_of_order_is_named() {
        for (options, field) in [
            (json!({"maxPeriod": 101}), "maxPeriod"),
            (json!({"windowSize": 101}), "windowSize"),
            (json!({"recentEvents": 101}), "recentEvents"),
            (json!({"callWindow": 101}), "callWindow"),
            (json!({"readWindow": 33}), "readWindow"),
            (json!({"alternatingCalls": 51}), "alternatingCalls"),
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
            (
                json!({"modelCheck": {"minInterval": 16}}),
                "modelCheck.minInterval",
            ),
            (
                json!({"modelCheck": {"maxInterval": 4}}),
                "modelCheck.maxInterval",
            ),
        ] {
            assert_eq!(field_of(&options).as_deref(), Some(field), "{options}");
        }
        for options in [
            json!({"maxPeriod": 100, "windowSize": 100, "unit": 5_000, "copies": 100,
                "history": 100_000, "limit": -3, "breaksRun": []}),
            json!({"profile": "roo", "limit": 0}),
            json!({"profile": "roo", "limit": false}),
            json!({"modelCheck": {"minInterval": 15, "maxInterval": 15}}),
        ] {
            assert_eq!(field_of(&options), None, "{options}");
        }
    }
}
