//! The sums of each day, kept from one audit to the next: a line a day and project, counts alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::{ToSpan, ZonedDateTime};
use serde::{Deserialize, Serialize};
use turnkeeper_base::json;
use turnkeeper_base::text::hash::sha256_hex;

use crate::state::folder::{make_private, state_folder};
use crate::state::own_file;

/// Days that are kept.
const MOST_DAYS: i64 = 400;

/// The usage of a project on a day.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Day {
    /// As `2026-11-23`, by the user's clock.
    day: String,
    /// A hash of the project's folder.
    project: String,
    requests: f64,
    tokens: f64,
    dollars: f64,
}

/// The day and the project.
type Key = (String, String);

/// The sums of the days before, as far as an audit has seen it.
pub(super) struct Trend {
    /// None where the state cannot be kept.
    file: Option<PathBuf>,
    now: ZonedDateTime,
    kept: BTreeMap<Key, Day>,
    found: BTreeMap<Key, Day>,
}

impl Trend {
    pub(super) fn read() -> Self {
        let file = state_folder().ok().map(|folder| folder.join("audit.jsonl"));
        Trend::in_file(file, ZonedDateTime::now())
    }

    fn in_file(file: Option<PathBuf>, now: ZonedDateTime) -> Self {
        let text = file.as_ref().and_then(|file| own_file::read(file).ok()?);
        let text = text.and_then(|text| String::from_utf8(text).ok());
        let lines = text.as_deref().unwrap_or_default().lines();
        let days = lines.filter_map(|line| serde_json::from_str::<Day>(line).ok());
        let kept = days.map(|day| ((day.day.clone(), day.project.clone()), day));
        Trend {
            kept: kept.collect(),
            file,
            now,
            found: BTreeMap::new(),
        }
    }

    /// Adds requests of a project on a day.
    pub(super) fn add(
        &mut self,
        day: &str,
        project: &str,
        requests: u64,
        tokens: u64,
        dollars: f64,
    ) {
        let hash = &sha256_hex(project.as_bytes())[..12];
        let key = (day.to_owned(), hash.to_owned());
        let found = self.found.entry(key.clone()).or_insert_with(|| Day {
            day: key.0,
            project: key.1,
            ..Day::default()
        });
        found.requests += requests as f64;
        found.tokens += tokens as f64;
        found.dollars = ((found.dollars + dollars) * 1e6).round() / 1e6;
    }

    /// Dollars of the seven days before the last seven; none if nothing is known of them. What an earlier audit has
    /// kept counts where this one does not reach.
    pub(super) fn week_before(&self) -> Option<f64> {
        let (from, to) = (self.day_before(13), self.day_before(7));
        let mut days = self.kept.clone();
        days.extend(self.found.clone());
        let dollars = days
            .into_values()
            .filter(|it| it.day >= from && it.day <= to);
        let dollars: Vec<f64> = dollars.map(|it| it.dollars).collect();
        (!dollars.is_empty()).then(|| dollars.iter().sum())
    }

    /// Keeps what was added. A day on which less was found than before, since files went, stays as it was.
    pub(super) fn save(mut self) {
        let Some(file) = self.file.take().filter(|_| !self.found.is_empty()) else {
            return;
        };
        let oldest = self.day_before(MOST_DAYS);
        for (key, day) in self.found {
            let known = self.kept.get(&key);
            if known.is_none_or(|known| day.tokens >= known.tokens) {
                self.kept.insert(key, day);
            }
        }
        let days = self.kept.values().filter(|it| it.day >= oldest);
        let lines: String = days.map(|it| json::written(it) + "\n").collect();
        // A home that may not be written to has no trend.
        let folder = file.parent().unwrap_or(Path::new("."));
        if make_private(folder).is_ok() {
            let _ = own_file::keep(&file, lines.as_bytes());
        }
    }

    fn day_before(&self, days: i64) -> String {
        let day = self.now.checked_sub(days.days());
        day.map_or_else(|_| String::new(), |day| day.date().to_string())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    fn trend(file: &Path) -> Trend {
        let now = "2026-11-27T12:00:00[Europe/Berlin]"
            .parse()
            .expect("a time");
        Trend::in_file(Some(file.to_owned()), now)
    }

    #[test]
    fn the_week_before_is_what_was_found_or_what_was_kept() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("state/audit.jsonl");
        let mut first = trend(&file);
        assert_eq!(first.week_before(), None);
        first.add("2026-11-21", "/a", 1, 10, 5.0);
        assert_eq!(first.week_before(), None);
        first.add("2026-11-20", "/a", 1, 10, 0.1);
        first.add("2026-11-20", "/a", 1, 10, 0.2);
        first.add("2026-11-14", "/b", 1, 10, 1.0);
        first.add("2026-11-13", "/b", 1, 10, 9.0);
        first.add("2024-11-13", "/b", 1, 10, 9.0);
        assert_eq!(first.week_before(), Some(1.3));
        first.save();
        let text = fs::read_to_string(&file).expect("kept");
        assert!(
            text.starts_with("{\"day\":\"2026-11-13\",\"project\":\""),
            "{text}"
        );
        assert!(!text.contains("/b") && text.lines().count() == 4);

        // Files that went take nothing away.
        let mut second = trend(&file);
        assert_eq!(second.week_before(), Some(1.3));
        second.add("2026-11-20", "/a", 1, 5, 0.1);
        second.save();
        assert_eq!(trend(&file).week_before(), Some(1.3));
        let mut third = trend(&file);
        third.add("2026-11-20", "/a", 3, 30, 0.7);
        third.save();
        assert_eq!(trend(&file).week_before(), Some(1.7));
    }

    #[test]
    fn what_is_no_line_of_a_trend_is_passed_over() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("audit.jsonl");
        let line = r#"{"day":"2026-11-20","project":"x","requests":1,"tokens":2,"dollars":0.5}"#;
        fs::write(&file, format!("{{\n{line}\nnull\n{{\"day\":1}}")).expect("written");
        assert_eq!(trend(&file).week_before(), Some(0.5));
    }
}
