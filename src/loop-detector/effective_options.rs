//! The options that are in force: the profile's, with the host's laid over them.

use super::MACHINE;
use super::model_check::ModelCheckLimits;
use super::options::{LoopDetectorOptions, ModelCheckSetting};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::Count;

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
    options = options.or(profile.defaults());
    options.profile = Some(profile);
    check(&options, user_options)?;
    Ok(options)
}

/// Whether numbers are in bounds, so that memory and the cost of an event are, and in order. An error
/// names the option that the host has set.
fn check(options: &LoopDetectorOptions, user_options: &LoopDetectorOptions) -> Result<(), Error> {
    at_most("longestCycle", options.longest_cycle, 15)?;
    at_most("scatteredWindow", options.scattered_window, 32)?;
    at_most("shortResult", options.short_result, 2_000)?;
    if let Some(ModelCheckSetting::On(model_check)) = &options.model_check {
        let set_by_host = match &user_options.model_check {
            Some(ModelCheckSetting::On(user_options)) => user_options.min_interval.is_some(),
            _ => false,
        };
        let min_interval = model_check
            .min_interval
            .map_or(ModelCheckLimits::MIN_INTERVAL, Count::get);
        let max_interval = model_check
            .max_interval
            .map_or(ModelCheckLimits::MAX_INTERVAL, Count::get);
        in_order(
            ("modelCheck.minInterval", Some(min_interval)),
            ("modelCheck.maxInterval", Some(max_interval)),
            set_by_host,
        )?;
    }
    Ok(())
}

fn at_most(option: &str, number: Option<Count>, most: u64) -> Result<(), Error> {
    match number.map(Count::get) {
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
            (json!({"longestCycle": 16}), "longestCycle"),
            (json!({"scatteredWindow": 33}), "scatteredWindow"),
            (json!({"shortResult": 2_001}), "shortResult"),
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
            json!({"longestCycle": 15, "scatteredWindow": 32, "shortResult": 2_000}),
            json!({"modelCheck": {"minInterval": 15, "maxInterval": 15}}),
        ] {
            assert_eq!(field_of(&options), None, "{options}");
        }
    }
}
