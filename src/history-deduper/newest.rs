//! The newest messages of a whole history of which nobody knows yet how many it has.

use super::deduper::HistoryDeduper;
use super::message::{MessagePosition, UserMessage};
use super::whole_history::NewMessage;

impl HistoryDeduper {
    /// Takes in a user's message of a whole history of which nobody has said how many it has; of one that can hold no
    /// block `None`. Messages come in their order, and [`finish`](Self::finish) ends them.
    pub fn read_next(&mut self, position: MessagePosition, message: Option<UserMessage>) {
        let MessagePosition { user_index, .. } = position;
        self.whole.user_messages = Some(u64::from(user_index) + 1);
        let recent = self.options.recent_messages();
        while let Some(first) = self.whole.newest.front()
            && self.whole.is_outdated(recent, first.user_index)
        {
            self.judge_first(true);
        }
        let Some(message) = message else { return };
        let read = self.found_in(position, &message);
        if recent.is_none() {
            return self.judge(read, user_index, &message, false);
        }
        self.whole.newest.push_back(NewMessage {
            message: message.into_owned(),
            user_index,
            read,
        });
    }

    pub(super) fn judge_first(&mut self, is_outdated: bool) {
        if let Some(first) = self.whole.newest.pop_front() {
            let NewMessage {
                message,
                user_index,
                read,
            } = first;
            self.judge(read, user_index, &message, is_outdated);
        }
    }
}
