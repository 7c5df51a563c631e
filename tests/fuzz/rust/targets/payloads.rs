//! Bytes become an agent and what it tells, an event on each line. Each is answered with a JSON object or with
//! nothing, and in mode `watch` with nothing.

use std::collections::HashMap;

use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::{
    LogLine, Mode, Setting, Store, UserSettings, WatchError, answer, read,
};

pub fn run(bytes: &[u8]) {
    let Some((&first, lines)) = bytes.split_first() else {
        return;
    };
    let hooked = Watched::all().filter_map(|it| Some((it.name, it.dialect?)));
    let hooked: Vec<_> = hooked.collect();
    let (modes, agent) = (
        usize::from(first) / hooked.len(),
        usize::from(first) % hooked.len(),
    );
    let mode = [Mode::Hint, Mode::Stop, Mode::Watch][modes % 3];
    let (agent, dialect) = hooked[agent];
    let setting = Setting {
        agent,
        dialect,
        mode,
        economy: true,
        settings: &UserSettings::default(),
        started_at: 2.0,
        now: &|| 1.0,
    };
    let mut memory = Memory::default();
    for line in lines.split(|byte| *byte == b'\n') {
        let mut line = line.to_vec();
        let payload = read(&mut line).ok();
        let Some(event) = payload.and_then(|it| it.event(dialect, None)) else {
            continue;
        };
        let printed = answer(event, &setting, &mut memory).expect("memory takes everything");
        if let Some(printed) = printed {
            let answer: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
            assert!(answer.is_object() && mode != Mode::Watch, "{printed}");
        }
    }
}

#[derive(Default)]
struct Memory {
    records: HashMap<String, Vec<u8>>,
}

impl Store for Memory {
    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Result<Option<Vec<u8>>, WatchError>) -> Vec<u8>,
    ) -> Result<(), WatchError> {
        let changed = change(Ok(self.records.remove(key)));
        self.records.insert(key.to_owned(), changed);
        Ok(())
    }

    fn remove_old(&mut self) {}

    fn log(&mut self, line: LogLine) {
        assert_eq!(line.why, None, "every record was written by the same build");
    }
}
