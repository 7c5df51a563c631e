//! What calls and results are compared by.

use serde_json::Value;

use super::options::{CompareArguments, CompareResults};
use super::rules::Answered;
use crate::call::{self, Call, Encoded};
use crate::hash::{fingerprint, mixed};

/// Equal for calls that count as the same. `more` is what is compared beside the arguments' value.
pub(crate) fn of_call(call: &Call, compare: CompareArguments, more: Encoded) -> u64 {
    let key = match compare {
        CompareArguments::None => return call.tool_fingerprint(),
        CompareArguments::Params => of_params(call),
        _ => call.fingerprint(),
    };
    match more.units().len() {
        0 => key,
        _ => mixed(key, fingerprint(more.0)),
    }
}

/// What else is compared of arguments, for callers that have them as JSON.
pub(crate) fn more_of(arguments: &Value, compare: CompareArguments) -> String {
    let order = |least| match arguments {
        Value::String(json) => match serde_json::from_str(json) {
            Ok(value) => call::order_of(&value, least),
            Err(_) => String::new(),
        },
        value => call::order_of(value, least),
    };
    match (compare, arguments) {
        (CompareArguments::SortedOrText | CompareArguments::Raw, Value::String(text)) => {
            text.clone()
        }
        (CompareArguments::Ordered | CompareArguments::Raw, _) => order(0),
        // The keys of these two may come in any order, those further in not.
        (CompareArguments::Params, Value::Object(fields))
            if fields.contains_key("params") || fields.contains_key("nativeArgs") =>
        {
            order(2)
        }
        (CompareArguments::Params, _) => order(1),
        _ => String::new(),
    }
}

/// As Roo Code compares calls: by `params` and, unless it is empty, `nativeArgs`.
fn of_params(call: &Call) -> u64 {
    let arguments = call.arguments();
    let parts = [arguments.field("params"), arguments.field("nativeArgs")];
    if parts[0].0.is_empty() && parts[1].0.is_empty() {
        return call.fingerprint();
    }
    let mut key = call.tool_fingerprint();
    for part in parts {
        let is_empty = part.0.is_empty() || part.0 == b"{}";
        key = mixed(key, if is_empty { 0 } else { fingerprint(part.0) });
    }
    key
}

/// Whether the call scrolls a browser, which Roo Code does not count.
pub(crate) fn scrolls(call: &Call) -> bool {
    if !call.is_of("browser_action") {
        return false;
    }
    let mut arguments = call.arguments();
    let params = arguments.field("params");
    if !params.0.is_empty() {
        arguments = params;
    }
    let action = arguments.field("action").units();
    action.is("scroll_down") || action.is("scroll_up")
}

/// Equal for results that count as the same, 0 for one that says nothing. `exit_code` is that of a
/// command, if there is one.
pub(crate) fn of_result(
    output: Encoded,
    call: Answered,
    exit_code: Encoded,
    compare: CompareResults,
) -> u64 {
    match compare {
        CompareResults::None => 0,
        CompareResults::ExitCode if !exit_code.0.is_empty() => {
            mixed(call.key, fingerprint(exit_code.0))
        }
        _ if output.units().len() == 0 => 0,
        _ => fingerprint(output.0),
    }
}
