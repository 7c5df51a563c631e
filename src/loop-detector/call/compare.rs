//! What calls and results are compared by.

use super::{Call, Encoded, KeyOrder, encode_str, tag};
use crate::options::{CompareArguments, CompareResults};
use crate::rules::Answered;
use turnkeeper_base::text::hash::{fingerprint, mixed};

/// Whether arguments that are a string are compared as they are spelt, too.
pub(crate) fn needs_spelling(compare: CompareArguments) -> bool {
    matches!(
        compare,
        CompareArguments::SortedOrText | CompareArguments::Raw
    )
}

/// The order in which the arguments' keys are needed.
pub(crate) fn key_order(compare: CompareArguments) -> KeyOrder {
    match compare {
        CompareArguments::Ordered | CompareArguments::Raw => KeyOrder::AsGiven,
        _ => KeyOrder::Sorted,
    }
}

/// Equal for calls that count as the same. `spelling` is the string that the arguments are, if they are
/// one and it is needed.
pub(crate) fn of_call(call: &Call, compare: CompareArguments, spelling: Encoded) -> u64 {
    let is_spelt = !spelling.0.is_empty();
    let by_spelling = || mixed(call.tool_fingerprint(), fingerprint(spelling.0));
    match compare {
        CompareArguments::None => call.tool_fingerprint(),
        CompareArguments::Sorted => call.fingerprint(),
        CompareArguments::SortedOrText if is_spelt && !is_json_of(spelling, call) => by_spelling(),
        CompareArguments::SortedOrText => call.fingerprint_with_null(),
        CompareArguments::Ordered => call.fingerprint_as_given(),
        CompareArguments::Raw if is_spelt => by_spelling(),
        CompareArguments::Raw => call.fingerprint_as_given(),
        CompareArguments::Params => of_params(call),
    }
}

/// Whether a string is what `JSON.stringify` prints of the arguments with sorted keys.
fn is_json_of(spelling: Encoded, call: &Call) -> bool {
    let mut json = String::new();
    call.push_arguments(&mut json);
    let mut encoded = Vec::new();
    encode_str(&json, &mut encoded);
    encoded == spelling.0
}

/// As Roo Code compares calls: by `params` and, unless it is empty, `nativeArgs`.
fn of_params(call: &Call) -> u64 {
    let arguments = call.arguments();
    let mut params = arguments.field("params");
    let native = arguments.field("nativeArgs");
    if params.0.is_empty() && native.0.is_empty() && call.has_arguments() {
        params = arguments;
    }
    let has_items = match native.tag() {
        tag::OBJECT => native.0 != b"{}",
        tag::ARRAY => native.0 != b"[]",
        tag::ASCII | tag::WIDE => !native.units().is_empty(),
        other => other == tag::CUT,
    };
    let native = if has_items { native.0 } else { &[] };
    [params.0, native]
        .into_iter()
        .fold(call.tool_fingerprint(), |key, part| {
            mixed(
                key,
                if part.is_empty() {
                    0
                } else {
                    fingerprint(part)
                },
            )
        })
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
        _ if output.units().is_empty() => 0,
        _ => fingerprint(output.0),
    }
}
