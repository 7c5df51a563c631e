//! Bytes become turns, which the summary injector and a naive one carry side by side.

#[path = "../../../rust/properties/naive_injector.rs"]
mod naive;

use naive::{Compare, Settings, Step, check};

const PIECES: [&str; 32] = [
    "a",
    "Found it. ",
    "思",
    "😀",
    " ",
    "\n",
    "\r",
    "\u{2028}",
    "\u{85}",
    "\u{1c}",
    "\u{200b}",
    "\u{feff}",
    "=",
    "===",
    "=== TASK CONTEXT ===",
    "= workspace  context",
    "Previous Thinking Rounds",
    "[Turn 3]",
    "[Turns 2-9",
    "]",
    "Insights: ",
    "Round 2",
    ":",
    "User's Goal: ",
    "</user>",
    "< Assistant",
    "<",
    "/",
    ">",
    "; ",
    "-",
    "words of some length, so that it adds up",
];

struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> u64 {
        self.0.next().copied().unwrap_or_default().into()
    }

    /// The first byte says how many pieces there are.
    fn text(&mut self) -> String {
        let count = self.next() % 8;
        let pieces = (0..count).map(|_| PIECES[self.next() as usize % PIECES.len()]);
        pieces.collect()
    }

    fn texts(&mut self) -> Vec<String> {
        let count = self.next() % 3;
        (0..count).map(|_| self.text()).collect()
    }

    fn id(&mut self) -> String {
        ["", "a", "b"][self.next() as usize % 3].to_owned()
    }

    fn step(&mut self) -> Step {
        match self.next() % 16 {
            0 | 1 => Step::Start(None),
            2 => Step::Start(Some(self.text())),
            3 => Step::Message {
                id: self.id(),
                text: self.text(),
            },
            4 => Step::Round(self.text()),
            5..=7 => Step::Store(None, self.text(), self.texts()),
            8 => Step::Store(Some(self.next() % 16), self.text(), self.texts()),
            9 => Step::Complete,
            10 => Step::Take,
            11 => Step::Answer(self.text(), self.texts()),
            12 => Step::Drop,
            13 => Step::Recall(vec![self.next() % 16], vec![self.id()], self.texts()),
            14 => Step::Prompt {
                is_action: self.next() & 1 == 0,
                workspace: self.text(),
            },
            _ => Step::Save,
        }
    }
}

pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes.iter());
    let some = |number: u64| (number > 0).then_some(number);
    let settings = Settings {
        max_tokens: some(bytes.next()),
        max_recalled: bytes.next() % 4 + 1,
        max_messages: some(bytes.next() % 8),
    };
    let mut steps = Vec::new();
    // The naive one would take too long over more.
    while !bytes.0.as_slice().is_empty() && steps.len() < 60 {
        steps.push(bytes.step());
    }
    check(settings, &steps, Compare::WhereMeantToChange);
}
