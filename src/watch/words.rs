//! What is said of a loop, and to whom.

/// A fact for the model's context, which gives no orders and says who it is from.
pub(crate) fn note(fact: &str) -> String {
    format!("Note by Turnkeeper, which counts repeated steps: {fact}")
}

/// What the user reads, with how to go on.
pub(crate) fn message(fact: &str, goes_on: bool) -> String {
    let next = match goes_on {
        true => "The agent goes on; interrupt it if this is no use.",
        false => "A new message lets it go on.",
    };
    format!("Turnkeeper: {fact} {next} TURNKEEPER=off in the environment switches this off.")
}

/// What the main agent is told of a subagent that was ended.
pub(crate) fn note_of_ended(fact: &str) -> String {
    note(&format!(
        "a subagent was ended because it was in a loop. {fact}"
    ))
}
