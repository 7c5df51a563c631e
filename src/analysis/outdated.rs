use turnkeeper_sessions::Record;

use super::report::Outdated;

#[derive(Debug, Default)]
pub(crate) struct OutdatedCount;

impl OutdatedCount {
    pub(crate) fn take(&mut self, _: &Record) {}

    pub(crate) fn end(self) -> Option<Outdated> {
        None
    }
}
