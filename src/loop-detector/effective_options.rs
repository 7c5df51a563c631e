//! The options that are in force: the profile's, with the host's laid over them.

use super::number::{Number, check_intervals};
use super::options::LoopDetectorOptions;
use turnkeeper_base::error::Error;

/// The options, never inlined: an engine compiles a function whole when it is first called.
///
/// # Errors
/// `invalid_config`, naming the option that is out of bounds or does not go with another.
#[inline(never)]
pub(super) fn effective_options(
    user_options: &LoopDetectorOptions,
) -> Result<LoopDetectorOptions, Error> {
    let profile = user_options.profile.unwrap_or_default();
    check(user_options)?;
    let mut options = user_options.clone().or(profile.defaults());
    options.profile = Some(profile);
    Ok(options)
}

/// Refuses numbers that are out of bounds, so that memory and the cost of an event have some, or out of order.
fn check(user_options: &LoopDetectorOptions) -> Result<(), Error> {
    Number::new("longestCycle", user_options.longest_cycle, 0).at_most(15)?;
    Number::new("shortResult", user_options.short_result, 0).at_most(2_000)?;
    check_intervals(user_options.model_check.as_ref())
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
            json!({"longestCycle": 15, "shortResult": 2_000}),
            json!({"modelCheck": {"minInterval": 15, "maxInterval": 15}}),
        ] {
            assert_eq!(field_of(&options), None, "{options}");
        }
    }
}
