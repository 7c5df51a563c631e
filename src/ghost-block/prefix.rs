//! The part of a request that a provider has seen before.

use turnkeeper_base::text::hash::fingerprint;

/// Compares the messages of each request with those of the request before it. A provider's prompt
/// cache holds the messages up to the first that differs.
///
/// ```
/// use turnkeeper_ghost_block::RequestPrefix;
///
/// let mut prefix = RequestPrefix::default();
/// assert_eq!(prefix.compare(["system", "hello"]), 0);
/// assert_eq!(prefix.compare(["system", "hello", "and then?"]), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct RequestPrefix {
    /// A fingerprint of each message.
    before: Vec<u64>,
    now: Vec<u64>,
    identical: usize,
}

impl RequestPrefix {
    /// Takes the messages of a request, each in the form in which it is sent, and answers with how
    /// many leading ones are those of the request before. Time in proportion to their bytes.
    pub fn compare<M: AsRef<[u8]>>(&mut self, messages: impl IntoIterator<Item = M>) -> usize {
        self.begin();
        for message in messages {
            self.push(message.as_ref());
        }
        self.identical
    }

    /// Begins a request.
    pub(crate) fn begin(&mut self) {
        self.before = std::mem::take(&mut self.now);
        self.identical = 0;
    }

    /// Takes the request's next message, and answers with how many are identical so far.
    pub(crate) fn push(&mut self, message: &[u8]) -> usize {
        let place = self.now.len();
        let hash = fingerprint(message);
        if self.identical == place && self.before.get(place) == Some(&hash) {
            self.identical += 1;
        }
        self.now.push(hash);
        self.identical
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_messages_count_up_to_the_first_that_differs() {
        let mut prefix = RequestPrefix::default();
        for (messages, identical) in [
            (&["a", "b"][..], 0),
            (&["a", "b"], 2),
            (&["a", "b", "c"], 2),
            (&["a", "x", "c"], 1),
            (&["a"], 1),
            (&["a", "x"], 1),
            (&[], 0),
            (&["a"], 0),
        ] {
            assert_eq!(prefix.compare(messages), identical, "{messages:?}");
        }
    }
}
