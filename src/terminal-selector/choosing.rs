//! Choosing a terminal for a request, and noting what its command does to all of them.

use super::created::{Created, MAX_CREATED};
use super::directory::Directory;
use super::known::Known;
use super::limit::{self, Room};
use super::location::{Aftermath, SentCommand};
use super::quote::change_directory;
use super::ranking::{Candidate, Rank, Wanted};
use super::reading::{Displaced, Reading};
use super::terminal::{Terminal, Way};
use super::{
    ChoiceReason, Shell, TerminalChoice, TerminalReason, TerminalRequest, TerminalSelectorOptions,
};
use turnkeeper_base::newest;
use turnkeeper_base::sorted_map::SortedMap;

/// The choice for a request, whose directory is this one. The terminal is reserved.
pub(super) fn choose(
    options: &TerminalSelectorOptions,
    known: &mut Known,
    request: &TerminalRequest,
    directory: &Directory,
) -> TerminalChoice {
    let wanted = Wanted::new(request, directory, options, &known.terminals);
    let choice = match (best(&wanted, known), request.terminal_id) {
        (Ok((candidate, line)), _) => take(&wanted, known, candidate, line),
        (Err(reason @ TerminalReason::ChosenBusy), Some(id)) => TerminalChoice::Wait {
            wait_for: vec![id],
            command: wanted.command().to_owned(),
            reason: reason.into(),
        },
        (Err(reason), _) => create(&wanted, known, reason),
    };
    for id in choice.close() {
        let terminal = known.terminals.get_mut(id);
        terminal.expect("what is closed is registered").is_closing = true;
    }
    choice
}

/// The best terminal for a request and the command line for it, or why there is none.
fn best<'a>(wanted: &'a Wanted, known: &Known) -> Result<(Candidate<'a>, String), TerminalReason> {
    // The shells for which the directory cannot be written.
    let mut unsafe_for = Vec::new();
    loop {
        let best = nearest(wanted, &known.terminals, &unsafe_for)
            .or_else(|reason| settled(wanted, known, &unsafe_for).ok_or(reason))?;
        let command = best.command.command;
        let Some(shell) = best.led_by else {
            return Ok((best, command.to_owned()));
        };
        let directory = best.directory.written();
        match change_directory(shell, directory, command, best.is_displaced) {
            Some(line) => return Ok((best, line)),
            None => unsafe_for.push(shell),
        }
    }
}

/// The best terminal that is led by none of these shells, or the reason of the one that came
/// nearest to being chosen.
fn nearest<'a>(
    wanted: &'a Wanted,
    terminals: &SortedMap<u64, Terminal>,
    unsafe_for: &[Shell],
) -> Result<Candidate<'a>, TerminalReason> {
    let mut best: Option<Candidate> = None;
    let mut reason = TerminalReason::NoneRegistered;
    for (id, terminal) in wanted.considered(terminals) {
        let candidate = wanted.judge(*id, terminal).and_then(|candidate| {
            if candidate.is_led_by(unsafe_for) {
                Err(TerminalReason::Unsafe)
            } else {
                Ok(candidate)
            }
        });
        match candidate {
            Ok(candidate) if best.is_none_or(|best| candidate.rank < best.rank) => {
                best = Some(candidate);
            }
            Ok(_) => {}
            Err(obstacle) => reason = reason.max(obstacle),
        }
    }
    best.ok_or(reason)
}

/// The number of terminals without a change left from which on one is led anew instead of another being
/// opened: those few save more changes of directory than they take room.
const ENOUGH_TERMINALS: usize = 3;

/// The best of the terminals that have no change left, if they are enough. It has stood in its directory
/// while the last ten commands ran, in whatever terminal.
fn settled<'a>(wanted: &'a Wanted, known: &Known, unsafe_for: &[Shell]) -> Option<Candidate<'a>> {
    if wanted.options.max_directory_changes() == 0 {
        return None;
    }
    let terminals = wanted.considered(&known.terminals);
    let fit = terminals.filter_map(|(id, terminal)| wanted.fit(*id, terminal).ok());
    let fit: Vec<Candidate> = fit.filter(|it| !it.is_led_by(unsafe_for)).collect();
    if fit.len() < ENOUGH_TERMINALS {
        return None;
    }
    let stood = fit.into_iter();
    let stood = stood.filter(|it| known.sent.has_stood(it.rank.terminal_id));
    let best = stood.min_by_key(|it| it.rank)?;
    Some(Candidate {
        way: Way::CountedAnew,
        ..best
    })
}

/// Reserves the terminal, and says so.
fn take(
    wanted: &Wanted,
    known: &mut Known,
    candidate: Candidate,
    command: String,
) -> TerminalChoice {
    let changes_left = reserve(wanted, known, &candidate);
    let Candidate {
        rank: Rank {
            tier, terminal_id, ..
        },
        relation,
        certainty: directory,
        led_by,
        ..
    } = candidate;
    let reason = ChoiceReason {
        why: TerminalReason::Chosen { tier, directory },
        left: match tier.is_of_task() {
            true => None,
            false => wanted.prepared_beside(&known.terminals, Some(terminal_id)),
        },
        lacks_command: led_by.is_some() && wanted.command().trim_ascii().is_empty(),
    };
    let close = wanted.options.max_terminals().map_or(Vec::new(), |max| {
        limit::leftovers(wanted, &known.terminals, max, terminal_id)
    });
    if led_by.is_some() || tier.is_elsewhere() {
        TerminalChoice::ReuseWithCd {
            terminal_id,
            tier,
            relation,
            directory,
            changes_left,
            close,
            command,
            reason,
        }
    } else {
        TerminalChoice::Reuse {
            terminal_id,
            tier,
            relation,
            directory,
            changes_left,
            close,
            command,
            reason,
        }
    }
}

/// Reserves the terminal, and notes what its command does. Answers with the changes of directory that it has left.
fn reserve(wanted: &Wanted, known: &mut Known, candidate: &Candidate) -> u32 {
    let Candidate { directory, way, .. } = *candidate;
    let id = candidate.rank.terminal_id;
    let (mut sent, displaced) = sent_command(candidate.command, directory);
    let is_change_alone = wanted.command().trim_ascii().is_empty();
    if candidate.led_by.is_some() && (is_change_alone || sent.aftermath == Aftermath::Stays) {
        sent.aftermath = Aftermath::Leads(directory.clone());
    }
    note_displaced(known, &displaced, Some(id));
    known.sent.add(id, way.is_counted());
    let terminal = known.terminals.get_mut(&id);
    let terminal = terminal.expect("a candidate is one of the terminals");
    terminal.reserve(wanted.request.task_id.as_deref(), sent, way);
    let most = wanted.options.max_directory_changes();
    most.saturating_sub(terminal.directory_changes)
}

/// Asks for a new terminal, or to wait until there is room for one.
fn create(wanted: &Wanted, known: &mut Known, reason: TerminalReason) -> TerminalChoice {
    let request = wanted.request;
    let mut close = Vec::new();
    if let Some(max_terminals) = wanted.options.max_terminals() {
        match limit::room(wanted, &known.terminals, max_terminals) {
            Room::After(closed) => close = closed,
            Room::None { wait_for } => {
                return TerminalChoice::Wait {
                    wait_for,
                    command: wanted.command().to_owned(),
                    reason: TerminalReason::Limit { max_terminals }.into(),
                };
            }
        }
    }
    let command = wanted.read_by(request.shell.map(Into::into));
    let (command, displaced) = sent_command(&command, wanted.directory);
    note_displaced(known, &displaced, None);
    let created = Created {
        provider: request.provider.clone(),
        task_id: request.task_id.clone(),
        directory: wanted.directory.clone(),
        command,
    };
    newest::push(&mut known.created, created, MAX_CREATED);
    TerminalChoice::Create {
        close,
        working_directory: wanted.directory.written().to_owned(),
        command: wanted.command().to_owned(),
        reason: ChoiceReason {
            left: wanted.prepared_beside(&known.terminals, None),
            ..reason.into()
        },
    }
}

/// A command that a shell in `directory` runs, as it is noted, and the directories that it displaces.
fn sent_command(command: &Reading, directory: &Directory) -> (SentCommand, Displaced) {
    let displaced = command.displaced(directory);
    let mut sent = SentCommand::new(command.aftermath(directory));
    sent.is_displacing = displaced.has(match &sent.aftermath {
        Aftermath::Leads(target) => target,
        Aftermath::Stays | Aftermath::Unknown(_) => directory,
    });
    (sent, displaced)
}

/// Notes which terminals stand in a directory that a command displaces. The one that runs it may leave
/// that directory before: where its command leaves it is noted with the command.
fn note_displaced(known: &mut Known, displaced: &Displaced, runs_in: Option<u64>) {
    if displaced.is_none() {
        return;
    }
    for (id, terminal) in known.terminals.entries_mut() {
        if Some(*id) != runs_in && terminal.is_among(displaced) {
            terminal.is_displaced = true;
        }
    }
}
