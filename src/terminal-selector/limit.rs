//! The limit of terminals: which of them are to be closed, and which are waited for.

use turnkeeper_base::order;
use turnkeeper_base::sorted_map::SortedMap;

use super::ranking::Wanted;
use super::terminal::Terminal;

/// The room that the limit leaves for another terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Room {
    /// There is room once these are closed.
    After(Vec<u64>),
    /// There is none until something happens to one of these.
    None { wait_for: Vec<u64> },
}

/// The use of a terminal. The one that is of the least is closed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    /// Commands can still be run in it, and it is known when they end.
    is_of_use: bool,
    /// It belongs to no task that has finished.
    is_in_use: bool,
    used_at: u64,
    id: u64,
}

/// The terminals that make room for a new one.
pub(super) fn room(wanted: &Wanted, terminals: &SortedMap<u64, Terminal>, max: u64) -> Room {
    let surplus = surplus(terminals, max, 1);
    let closable = closable(wanted, terminals, None);
    if closable.len() >= surplus {
        return Room::After(first(closable, surplus));
    }
    let ids = |is_waited_for: &dyn Fn(&Terminal) -> bool| -> Vec<u64> {
        let there = terminals.iter();
        let there = there.filter(|(_, terminal)| !terminal.is_closing && is_waited_for(terminal));
        there.map(|(id, _)| *id).collect()
    };
    let mut wait_for = ids(&|it| it.is_taken() && !wanted.is_of_other_task(it));
    if wait_for.is_empty() {
        // Only the end of another task helps.
        wait_for = ids(&|it| wanted.is_of_other_task(it));
    }
    Room::None { wait_for }
}

/// The terminals that are too many, but for the one that was chosen.
pub(super) fn leftovers(
    wanted: &Wanted,
    terminals: &SortedMap<u64, Terminal>,
    max: u64,
    chosen: u64,
) -> Vec<u64> {
    let surplus = surplus(terminals, max, 0);
    if surplus == 0 {
        return Vec::new();
    }
    first(closable(wanted, terminals, Some(chosen)), surplus)
}

/// The number of terminals that are too many with that many new ones. Those that are to be closed are gone.
fn surplus(terminals: &SortedMap<u64, Terminal>, max: u64, new: usize) -> usize {
    let open = terminals.values().filter(|terminal| !terminal.is_closing);
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    (open.count() + new).saturating_sub(max)
}

fn closable(
    wanted: &Wanted,
    terminals: &SortedMap<u64, Terminal>,
    chosen: Option<u64>,
) -> Vec<Use> {
    let there = terminals.iter();
    let closable = there.filter(|(id, terminal)| {
        // Nobody will ever know when an unobserved command ends.
        let is_idle = !terminal.is_taken() || terminal.is_unobserved;
        is_idle
            && !terminal.is_closing
            && Some(**id) != chosen
            && !wanted.is_of_other_task(terminal)
    });
    let uses = closable.map(|(id, terminal)| {
        let binding = &terminal.binding;
        let is_finished = binding.task_id.is_none() && binding.last_task_id.is_some();
        Use {
            is_of_use: !terminal.is_unobserved && !terminal.has_failed,
            is_in_use: !is_finished,
            used_at: terminal.used_at,
            id: *id,
        }
    });
    uses.collect()
}

/// The ids of the best ones, in that order.
fn first(mut closable: Vec<Use>, count: usize) -> Vec<u64> {
    order::sort(&mut closable);
    closable.truncate(count);
    closable.into_iter().map(|it| it.id).collect()
}
