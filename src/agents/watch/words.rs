//! The texts that tell of a loop, to the model, the user or the main agent.

/// A fact for the model's context, which gives no orders and says who it is from.
pub(crate) fn note(fact: &str) -> String {
    format!("Note by Turnkeeper, which counts repeated steps: {fact}")
}

/// The text for the user, which says how to go on.
pub(crate) fn message(fact: &str, goes_on: bool) -> String {
    let next = match goes_on {
        true => "The agent goes on; interrupt it if this is no use.",
        false => "A new message lets it go on.",
    };
    format!("Turnkeeper: {fact} {next} TURNKEEPER=off in the environment switches this off.")
}

/// The text for the user where a project's file leaves nothing to find.
pub(crate) fn silence(why: &str) -> String {
    format!("Turnkeeper finds no loops here: {why}.")
}

/// The note to the main agent about a subagent that was ended.
pub(crate) fn note_of_ended(fact: &str) -> String {
    note(&format!(
        "a subagent was ended because it was in a loop. {fact}"
    ))
}
