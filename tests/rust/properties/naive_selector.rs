//! A terminal selector of a few lines: lists that are walked, paths that are split anew each time,
//! and a copy of a terminal for taking its choice back.

use turnkeeper_core::Count;
use turnkeeper_core::terminal_selector::{
    DirectoryCertainty, Reachable, TerminalChange, TerminalChoice, TerminalRegistration,
    TerminalRequest, TerminalState,
};
use turnkeeper_core::{
    Error, ErrorCode, PathPlatform, PathRelation, Shell, TerminalSelector, TerminalSelectorOptions,
};

use self::events::{Change, Registered, Request};
pub use self::events::{Event, Settings, read};

#[path = "selector_events.rs"]
mod events;

/// The drive and the names of a path; none if it is refused.
fn split(path: &str, win32: bool) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let path = if win32 {
        path.replace('\\', "/").to_lowercase()
    } else {
        path.to_owned()
    };
    let rest = if win32 {
        let (drive, rest) = path.split_once(':')?;
        names.push(drive.to_owned());
        rest
    } else {
        names.push(String::new());
        &path
    };
    for name in rest.strip_prefix('/')?.split('/') {
        let name = if win32 && name != "." && name != ".." {
            name.trim_end_matches([' ', '.'])
        } else {
            name
        };
        match name {
            "" | "." => {}
            ".." if names.len() > 1 => drop(names.pop()),
            ".." => {}
            name => names.push(name.to_owned()),
        }
    }
    Some(names)
}

fn relation(from: &[String], to: &[String]) -> PathRelation {
    if from == to {
        PathRelation::Same
    } else if to.starts_with(from) {
        PathRelation::Parent
    } else if from.starts_with(to) {
        PathRelation::Child
    } else {
        PathRelation::Unrelated
    }
}

/// What a host says of a terminal.
#[derive(Debug, Clone)]
enum Heard {
    Change(Change),
    Release(&'static str),
}

/// What a command does: to a directory, to one that nobody knows, or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum After {
    Stays,
    Expected(String),
    Unknown(Option<String>),
}

/// A directory and how well it is known.
type Place = Option<(String, DirectoryCertainty)>;

fn after(command: &Option<(After, bool)>, place: &Place) -> Place {
    match command {
        None | Some((After::Stays, _)) | Some((_, true)) => place.clone(),
        Some((After::Expected(to), _)) => Some((to.clone(), DirectoryCertainty::Expected)),
        Some((After::Unknown(last), _)) => {
            let last = last.clone().or(place.as_ref().map(|(at, _)| at.clone()))?;
            Some((last, DirectoryCertainty::Uncertain))
        }
    }
}

#[derive(Debug, Clone)]
struct Terminal {
    registered: Registered,
    place: Place,
    /// The command that runs, and whether the directory was reported since it began.
    command: Option<(After, bool)>,
    last_task: Option<&'static str>,
    changes: u32,
    /// The commands that it was chosen for since it was led or came to its place.
    there: u32,
    failed: bool,
    unobserved: bool,
    closing: bool,
    /// In the list of what was told, where its last command began or ended.
    used_at: usize,
    environment: Vec<&'static str>,
    /// What it was when it was chosen, and what was heard of it since.
    reserved: Option<(Box<Terminal>, Vec<Heard>)>,
}

impl Terminal {
    fn settle(&mut self, place: Place) {
        let names = |place: &Place| {
            let path = place.as_ref().map(|(at, _)| at);
            path.and_then(|at| split(at, at.contains(':')))
        };
        if names(&place).is_none() || names(&place) != names(&self.place) {
            self.there = 0;
        }
        self.place = place;
    }

    fn hear(&mut self, heard: &Heard, now: usize) {
        if let Some((_, since)) = &mut self.reserved {
            since.push(heard.clone());
        }
        let change = match heard {
            Heard::Change(change) => change,
            Heard::Release(task) => {
                if self.registered.task == Some(task) {
                    self.registered.task = None;
                }
                return;
            }
        };
        if let Some(task) = change.task {
            self.registered.task = task;
            self.last_task = task.or(self.last_task);
        }
        if change.reset {
            self.changes = 0;
            self.environment.clear();
        }
        self.failed |= change.failed;
        self.environment.extend(&change.environment);
        self.environment.sort_unstable();
        self.environment.dedup();
        if let Some(directory) = change.directory {
            self.settle(directory.map(|at| (at.to_owned(), DirectoryCertainty::Reported)));
            if let Some((_, is_reported)) = &mut self.command {
                *is_reported = true;
            }
        }
        let is_taken = self.is_taken();
        match change.busy {
            Some(true) => {
                self.reserved = None;
                if !self.registered.busy {
                    self.used_at = now;
                    self.registered.busy = true;
                    self.unobserved = false;
                    let command = self.command.take();
                    let command = command.map_or(After::Unknown(None), |(after, _)| after);
                    self.command = Some((command, false));
                }
            }
            Some(false) => {
                if is_taken {
                    self.used_at = now;
                }
                self.reserved = None;
                self.registered.busy = false;
                self.unobserved = false;
                if let Some(command) = self.command.take() {
                    self.settle(after(&Some(command), &self.place));
                }
            }
            None => {}
        }
        self.unobserved |= change.unobserved;
    }

    fn is_taken(&self) -> bool {
        self.registered.busy || self.reserved.is_some()
    }

    fn state(&self) -> TerminalState {
        let own = &self.registered;
        TerminalState {
            id: own.id,
            provider: own.provider.to_owned(),
            shell: own.shell.map(Into::into),
            busy: self.is_taken(),
            failed: self.failed,
            task_id: own.task.map(str::to_owned),
            working_directory: self.place.as_ref().map(|(at, _)| at.clone()),
            directory: self.place.as_ref().map(|(_, certainty)| *certainty),
            closing: self.closing,
            directory_changes: self.changes,
            environment: self
                .environment
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
        }
    }
}

struct Naive {
    settings: Settings,
    terminals: Vec<Terminal>,
    /// The requests for which a terminal was to be created, and what their commands do.
    created: Vec<(Request, After)>,
    /// The terminals to which commands were sent, and whether they were led elsewhere for them.
    sent: Vec<(u64, bool)>,
    now: usize,
}

/// What is chosen, if that is what is asked for, and no terminal if one is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Choice {
    Reuse {
        id: u64,
        tier: u8,
        relation: PathRelation,
        certainty: DirectoryCertainty,
        changes_left: u32,
        close: Vec<u64>,
    },
    Create(Vec<u64>),
    Wait(Vec<u64>),
}

type Outcome = Result<Option<Choice>, ErrorCode>;
type Weight = (u8, usize, u32, u64);

impl Naive {
    fn play(&mut self, event: &Event) -> Outcome {
        self.now += 1;
        let now = self.now;
        match event {
            Event::Register(registered) => {
                if let Some(at) = registered.directory {
                    self.split(at)?;
                }
                if self.find(registered.id).is_some() {
                    return Err(ErrorCode::InvalidArgument);
                }
                self.register(registered);
            }
            Event::Sync(terminals, says_busy) => {
                for (at, terminal) in terminals.iter().enumerate() {
                    if terminals[..at].iter().any(|other| other.id == terminal.id) {
                        return Err(ErrorCode::InvalidArgument);
                    }
                }
                self.terminals.retain(|known| {
                    terminals
                        .iter()
                        .any(|terminal| terminal.id == known.registered.id)
                });
                for terminal in terminals {
                    self.now += 1;
                    let is_understood = |at: &&str| self.split(at).is_ok();
                    let said = Registered {
                        directory: terminal.directory.filter(is_understood),
                        ..terminal.clone()
                    };
                    self.sync(&said, *says_busy);
                }
            }
            Event::Update(id, change) => {
                if let Some(Some(directory)) = change.directory
                    && let Err(error) = self.split(directory)
                {
                    self.lose_directory(*id);
                    return Err(error);
                }
                let terminal = self.find(*id).ok_or(ErrorCode::UnknownId)?;
                terminal.hear(&Heard::Change(change.clone()), now);
                if change.closed {
                    self.terminals
                        .retain(|terminal| terminal.registered.id != *id);
                }
            }
            Event::Cancel(id) => {
                let terminal = self.find(*id).ok_or(ErrorCode::UnknownId)?;
                let (before, since) = terminal.reserved.take().ok_or(ErrorCode::WrongOrder)?;
                let closing = terminal.closing;
                *terminal = *before;
                terminal.closing |= closing;
                for heard in &since {
                    terminal.hear(heard, now);
                }
                let last = self.sent.iter().rposition(|(to, _)| to == id);
                last.map(|at| self.sent.remove(at));
            }
            Event::Release(task) => {
                for terminal in &mut self.terminals {
                    terminal.hear(&Heard::Release(task), now);
                }
            }
            Event::Select(request) => return self.select(request),
            Event::Snapshot | Event::Flood => {}
        }
        Ok(None)
    }

    fn register(&mut self, registered: &Registered) {
        let place = registered
            .directory
            .map(|at| (at.to_owned(), DirectoryCertainty::Reported));
        let unseen = registered.busy.then_some(After::Unknown(None));
        let command = self.created_for(registered).or(unseen);
        self.terminals.push(Terminal {
            registered: registered.clone(),
            place,
            command: command.map(|after| (after, false)),
            last_task: registered.task,
            changes: 0,
            there: 0,
            failed: false,
            unobserved: false,
            closing: false,
            used_at: self.now,
            environment: Vec::new(),
            reserved: None,
        });
        self.terminals
            .sort_by_key(|terminal| terminal.registered.id);
    }

    /// What a whole list says of one terminal.
    fn sync(&mut self, said: &Registered, says_busy: bool) {
        let now = self.now;
        let is_busy = says_busy && said.busy;
        let Some(known) = self.find(said.id) else {
            self.register(&Registered {
                busy: is_busy,
                ..said.clone()
            });
            // The host has read its directory now, so no command is under way that it has not seen.
            if !is_busy && let Some(added) = self.find(said.id) {
                added.command = None;
            }
            return;
        };
        known.registered.provider = said.provider;
        known.registered.shell = said.shell;
        if let Some((before, _)) = &mut known.reserved {
            before.registered.provider = said.provider;
            before.registered.shell = said.shell;
        }
        let change = Change {
            task: Some(said.task),
            directory: Some(said.directory),
            busy: says_busy.then_some(said.busy),
            ..Change::default()
        };
        known.hear(&Heard::Change(change), now);
    }

    fn lose_directory(&mut self, id: u64) {
        let now = self.now;
        let unknown = Change {
            directory: Some(None),
            ..Change::default()
        };
        if let Some(terminal) = self.find(id) {
            terminal.hear(&Heard::Change(unknown), now);
        }
    }

    fn find(&mut self, id: u64) -> Option<&mut Terminal> {
        let mut terminals = self.terminals.iter_mut();
        terminals.find(|terminal| terminal.registered.id == id)
    }

    fn split(&self, path: &str) -> Result<Vec<String>, ErrorCode> {
        split(path, self.settings.win32).ok_or(ErrorCode::InvalidArgument)
    }

    /// What the command does for which the terminal was created.
    fn created_for(&mut self, registered: &Registered) -> Option<After> {
        let at = split(registered.directory?, self.settings.win32);
        let is_for = |(request, _): &(Request, After)| {
            request.provider == registered.provider
                && (registered.task.is_none() || registered.task == request.task)
                && split(request.directory, self.settings.win32) == at
        };
        let all: Vec<After> = self
            .created
            .iter()
            .filter(|it| is_for(it))
            .map(|it| it.1.clone())
            .collect();
        let first = self.created.iter().position(is_for)?;
        self.created.remove(first);
        Some(match all.iter().all(|it| *it == all[0]) {
            true => all[0].clone(),
            false => After::Unknown(None),
        })
    }

    /// What a request's command does in its directory. Of shells that are not known all agree on
    /// these commands.
    fn command_of(&self, request: &Request) -> After {
        let separator = if self.settings.win32 { "\\" } else { "/" };
        let at = request.directory.to_owned();
        // A batch file may have that name.
        let may_be_batch = self.settings.win32 && matches!(request.shell, None | Some(Shell::Cmd));
        match request.command {
            Some("make") if may_be_batch => After::Unknown(Some(at)),
            Some("make") => After::Stays,
            Some("cd a") => After::Expected(at + separator + "a"),
            _ => After::Unknown(Some(at)),
        }
    }

    /// Whether it is free, and of the kind that is asked for.
    fn is_fit(&self, terminal: &Terminal, request: &Request) -> bool {
        let own = &terminal.registered;
        let is_others = terminal.last_task.is_some() && terminal.last_task != request.task;
        let is_clean = !request.clean.unwrap_or(is_others) || terminal.environment.is_empty();
        let is_shell = match (own.shell, request.shell) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        };
        own.provider == request.provider
            && !terminal.is_taken()
            && is_clean
            && is_shell
            && !terminal.failed
            && !terminal.closing
    }

    fn is_others(&self, terminal: &Terminal, request: &Request) -> bool {
        let task = terminal.registered.task;
        task.is_some() && task != request.task
    }

    fn can_be_written(&self, terminal: &Terminal, request: &Request) -> bool {
        match terminal.registered.shell.or(request.shell) {
            Some(Shell::Cmd) => !request.directory.contains('%'),
            Some(_) => true,
            None => !self.settings.win32,
        }
    }

    /// How good a match it is, less being better, and how well its directory is known.
    fn weight(
        &self,
        terminal: &Terminal,
        request: &Request,
        to: &[String],
    ) -> Option<(Weight, PathRelation, DirectoryCertainty)> {
        let own = &terminal.registered;
        let place = if terminal.is_taken() {
            terminal.place.clone()
        } else {
            after(&terminal.command, &terminal.place)
        };
        let (at, certainty) = place?;
        let from = self.split(&at).expect("was taken");
        let relation = relation(&from, to);
        let is_mine = own.task.is_some() && own.task == request.task;
        let is_free = !self.is_others(terminal, request) || self.settings.steals;
        if !self.is_fit(terminal, request) || !is_free {
            return None;
        }
        if relation == PathRelation::Unrelated && !self.settings.anywhere {
            return None;
        }
        let is_there = relation == PathRelation::Same && certainty != DirectoryCertainty::Uncertain;
        let needs_cd = !is_there || certainty != DirectoryCertainty::Reported;
        if needs_cd && !self.can_be_written(terminal, request) {
            return None;
        }
        let tier = match (is_mine, is_there) {
            (true, true) => 1,
            (true, false) => 2,
            (false, true) => 3,
            (false, false) => 4,
        };
        let shared = from
            .iter()
            .zip(to)
            .take_while(|(a, b)| a == b)
            .count()
            .max(1);
        let distance = from.len() + to.len() - 2 * shared;
        Some((
            (tier, distance, terminal.changes, own.id),
            relation,
            certainty,
        ))
    }

    /// The terminals that may be closed for a request, the best first.
    fn closable(&self, request: &Request, chosen: Option<u64>) -> Vec<u64> {
        let mut all: Vec<&Terminal> = self.terminals.iter().collect();
        all.retain(|it| {
            (!it.is_taken() || it.unobserved)
                && !it.closing
                && Some(it.registered.id) != chosen
                && !self.is_others(it, request)
        });
        all.sort_by_key(|it| {
            let is_finished = it.registered.task.is_none() && it.last_task.is_some();
            (
                !it.unobserved && !it.failed,
                !is_finished,
                it.used_at,
                it.registered.id,
            )
        });
        all.iter().map(|it| it.registered.id).collect()
    }

    fn surplus(&self, new: usize) -> usize {
        let max = self
            .settings
            .max_terminals
            .map_or(usize::MAX, |max| max as usize);
        let open = self.terminals.iter().filter(|it| !it.closing).count();
        (open + new).saturating_sub(max)
    }

    fn close(&mut self, mut ids: Vec<u64>, count: usize) -> Vec<u64> {
        ids.truncate(count);
        for id in &ids {
            self.find(*id).expect("it is there").closing = true;
        }
        ids
    }

    fn select(&mut self, request: &Request) -> Outcome {
        let to = self.split(request.directory)?;
        let mut all = Vec::new();
        for (at, terminal) in self.terminals.iter().enumerate() {
            if let Some((weight, relation, certainty)) = self.weight(terminal, request, &to) {
                all.push((weight, at, relation, certainty));
            }
        }
        all.sort_by_key(|(weight, ..)| *weight);
        let most = self.settings.most;
        let has_left = all
            .iter()
            .position(|((tier, _, changes, _), ..)| tier % 2 == 1 || *changes < most);
        let stood = || {
            let is_led = |id| self.sent.contains(&(id, true));
            let is_enough = all.len() >= 3 && most > 0 && self.sent.len() == 10;
            all.iter()
                .position(|((.., id), ..)| is_enough && !is_led(*id))
        };
        let Some(best) = has_left.or_else(stood) else {
            return Ok(Some(self.make(request)));
        };
        let ((tier, _, changes, _), at, relation, certainty) = all[best];
        let asked = Request {
            shell: self.terminals[at].registered.shell.or(request.shell),
            ..request.clone()
        };
        let after = self.command_of(&asked);
        let terminal = &mut self.terminals[at];
        let before = terminal.clone();
        let is_led = relation != PathRelation::Same || certainty != DirectoryCertainty::Reported;
        let is_bare = is_led && request.command.is_none();
        let stays = is_led && after == After::Stays;
        terminal.command = Some(if is_bare || stays {
            (After::Expected(request.directory.to_owned()), false)
        } else {
            (after, false)
        });
        if tier % 2 == 0 {
            terminal.changes = if changes < most { changes + 1 } else { 1 };
            terminal.there = 0;
        } else if terminal.there == 9 {
            terminal.changes = 0;
            terminal.there = 0;
        } else {
            terminal.there += 1;
        }
        if request.task.is_some() {
            terminal.registered.task = request.task;
            terminal.last_task = request.task;
        }
        terminal.reserved = Some((Box::new(before), Vec::new()));
        let (id, changes) = (terminal.registered.id, terminal.changes);
        self.sent.push((id, tier % 2 == 0));
        if self.sent.len() > 10 {
            self.sent.remove(0);
        }
        let close = self.close(self.closable(request, Some(id)), self.surplus(0));
        Ok(Some(Choice::Reuse {
            id,
            tier,
            relation,
            certainty,
            changes_left: self.settings.most.saturating_sub(changes),
            close,
        }))
    }

    fn make(&mut self, request: &Request) -> Choice {
        let (closable, surplus) = (self.closable(request, None), self.surplus(1));
        if closable.len() < surplus {
            let ids = |is_waited_for: &dyn Fn(&&Terminal) -> bool| -> Vec<u64> {
                let open = self.terminals.iter().filter(|it| !it.closing);
                open.filter(is_waited_for)
                    .map(|it| it.registered.id)
                    .collect()
            };
            let own = ids(&|it| it.is_taken() && !self.is_others(it, request));
            let others = ids(&|it| self.is_others(it, request));
            return Choice::Wait(if own.is_empty() { others } else { own });
        }
        let after = self.command_of(request);
        self.created.push((request.clone(), after));
        if self.created.len() > 16 {
            self.created.remove(0);
        }
        Choice::Create(self.close(closable, surplus))
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn registration(it: &Registered, says_busy: bool) -> TerminalRegistration {
    TerminalRegistration {
        shell: it.shell.map(Into::into),
        working_directory: owned(it.directory),
        task_id: owned(it.task),
        busy: says_busy.then_some(it.busy),
        ..TerminalRegistration::new(it.id, it.provider)
    }
}

fn play(fast: &mut TerminalSelector, event: &Event) -> Result<Option<Choice>, Error> {
    match event {
        Event::Register(it) => fast.register(&registration(it, true))?,
        Event::Sync(terminals, says_busy) => {
            let terminals: Vec<_> = terminals
                .iter()
                .map(|it| registration(it, *says_busy))
                .collect();
            fast.sync(&terminals)?;
        }
        Event::Update(id, it) => {
            let change = TerminalChange {
                closed: it.closed,
                task_id: it.task.map(owned),
                reset: it.reset,
                failed: it.failed,
                environment: it.environment.iter().copied().map(str::to_owned).collect(),
                working_directory: it.directory.map(owned),
                busy: it.busy,
                unobserved: it.unobserved,
            };
            fast.update(*id, &change)?;
        }
        Event::Select(it) => {
            let choice = fast.select(&TerminalRequest {
                task_id: owned(it.task),
                shell: it.shell,
                clean_environment: it.clean,
                command: owned(it.command),
                ..TerminalRequest::new("", it.directory, it.provider)
            })?;
            assert_eq!(fast.log().next_back(), Some(&choice));
            return Ok(Some(read_choice(choice, it)));
        }
        Event::Cancel(id) => fast.cancel(*id)?,
        Event::Release(task) => fast.release_task(task)?,
        Event::Snapshot => {
            let saved = fast.snapshot();
            *fast = TerminalSelector::restore(&saved).expect("just saved");
            assert_eq!(fast.snapshot(), saved);
        }
        Event::Flood => {
            let change = TerminalChange {
                environment: (0..1_100).map(|number| format!("{number}")).collect(),
                ..TerminalChange::default()
            };
            let error = fast.update(1_000, &change).expect_err("nobody");
            assert_eq!(error.code(), ErrorCode::UnknownId);
        }
    }
    Ok(None)
}

/// What was chosen, after a look at whether the command line fits to it.
fn read_choice(choice: TerminalChoice, request: &Request) -> Choice {
    assert!(!choice.reason().to_string().is_empty());
    let asked = request.command.unwrap_or_default();
    let command = choice.command().to_owned();
    let close = choice.close().to_vec();
    match choice {
        TerminalChoice::Create { .. } => {
            assert_eq!(command, asked);
            Choice::Create(close)
        }
        TerminalChoice::Wait { wait_for, .. } => {
            assert_eq!(command, asked);
            Choice::Wait(wait_for)
        }
        TerminalChoice::Reuse {
            terminal_id: id,
            tier,
            relation,
            directory: certainty,
            changes_left,
            ..
        } => {
            let there = (PathRelation::Same, DirectoryCertainty::Reported);
            assert_eq!((&*command, (relation, certainty)), (asked, there));
            Choice::Reuse {
                id,
                tier: tier.number(),
                relation,
                certainty,
                changes_left,
                close,
            }
        }
        TerminalChoice::ReuseWithCd {
            terminal_id: id,
            tier,
            relation,
            directory: certainty,
            changes_left,
            ..
        } => {
            assert!(command != asked && command.contains(asked), "{command}");
            assert!(command.contains(request.directory), "{command}");
            Choice::Reuse {
                id,
                tier: tier.number(),
                relation,
                certainty,
                changes_left,
                close,
            }
        }
    }
}

/// Plays events to both and compares the answers and what is known then.
pub fn check(settings: Settings, events: &[Event]) {
    let platform = if settings.win32 {
        PathPlatform::Win32
    } else {
        PathPlatform::Posix
    };
    let mut fast = TerminalSelector::new(TerminalSelectorOptions {
        max_directory_changes: Some(settings.most),
        steal_from_other_tasks: Some(settings.steals),
        max_terminals: settings.max_terminals.and_then(Count::new),
        reachable: settings.anywhere.then_some(Reachable::Anywhere),
        ..TerminalSelectorOptions::new(platform)
    })
    .expect("valid");
    let mut slow = Naive {
        settings,
        terminals: Vec::new(),
        created: Vec::new(),
        sent: Vec::new(),
        now: 0,
    };
    for (at, event) in events.iter().enumerate() {
        let told = || format!("{settings:?}, event {at} of {events:#?}");
        let got = play(&mut fast, event).map_err(|error| error.code());
        let expected = slow.play(event);
        assert_eq!(got, expected, "{}", told());
        // It takes longer than most events do.
        if at % 8 != 0 && at + 1 < events.len() {
            continue;
        }
        let states: Vec<TerminalState> = slow.terminals.iter().map(Terminal::state).collect();
        assert_eq!(fast.terminals(), states, "{}", told());
    }
}
