//! Bytes become an event of an agent's hook, told twice, over records of which one may be damaged. What is said is a
//! line of JSON, or nothing.

use std::collections::BTreeMap;

use turnkeeper_watch::agents::AGENTS;
use turnkeeper_watch::{LogLine, Mode, Setting, Settings, Store, WatchError, answer, read};

#[derive(Default)]
struct Memory {
    records: BTreeMap<String, Vec<u8>>,
    notes: BTreeMap<String, Vec<u8>>,
}

impl Store for Memory {
    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Result<Option<Vec<u8>>, WatchError>) -> Vec<u8>,
    ) -> Result<(), WatchError> {
        assert!(key.bytes().all(|it| it.is_ascii_hexdigit()), "{key}");
        let changed = change(Ok(self.records.get(key).cloned()));
        self.records.insert(key.to_owned(), changed);
        Ok(())
    }

    fn add_notes(&mut self, key: &str, lines: &str) -> Result<u64, WatchError> {
        let notes = self.notes.entry(key.to_owned()).or_default();
        notes.extend(lines.as_bytes());
        Ok(notes.len() as u64)
    }

    fn notes(&mut self, key: &str) -> Result<Vec<u8>, WatchError> {
        Ok(self.notes.get(key).cloned().unwrap_or_default())
    }

    fn replace_notes(&mut self, key: &str, lines: &str) -> Result<(), WatchError> {
        self.notes.insert(key.to_owned(), lines.into());
        Ok(())
    }

    fn remove_old(&mut self) {}

    fn log(&mut self, _line: LogLine) {}
}

pub fn run(bytes: &[u8]) {
    let [which, how, damage, payload @ ..] = bytes else {
        return;
    };
    let agents: Vec<_> = AGENTS
        .iter()
        .filter_map(|it| Some((it.name, it.dialect?)))
        .collect();
    let (agent, dialect) = agents[usize::from(*which) % agents.len()];
    let mut settings = Settings::default();
    settings.take("turnkeeper.json", payload);
    let mut store = Memory::default();
    for _ in 0..2 {
        let mut room = Vec::new();
        let Ok(event) = read(payload, &mut room) else {
            return;
        };
        let Some(event) = event.event(dialect, Some("PostToolUse")) else {
            return;
        };
        let setting = Setting {
            agent,
            dialect,
            mode: [Mode::Watch, Mode::Hint, Mode::Stop][usize::from(*how) % 3],
            economy: how & 4 != 0,
            settings: &settings,
            started_at: 1.0,
            now: &|| 2.0,
        };
        let said = answer(event, &setting, &mut store).expect("the store never fails");
        if let Some(said) = said {
            assert!(said.ends_with("}\n"), "{said}");
            serde_json::from_str::<serde_json::Value>(&said).expect("JSON");
        }
        for record in store.records.values_mut() {
            let at = usize::from(*damage) % (record.len() + 1);
            record.truncate(if *damage < 128 { record.len() } else { at });
        }
    }
}
