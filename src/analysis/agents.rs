//! The agents of sessions, as people call them.

use turnkeeper_agents::Agent;
use turnkeeper_agents::sessions::Format;

/// The name for people of an agent, or else of a format; the given name of neither.
pub fn agent_title(agent: &str) -> &str {
    let of_format = || Format::named(agent).map(Format::title);
    Agent::named(agent)
        .map(Agent::title)
        .or_else(of_format)
        .unwrap_or(agent)
}
