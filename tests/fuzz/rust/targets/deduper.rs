//! Bytes become a history, which the history deduper and a naive one repair.

#[path = "../../../rust/properties/naive_deduper.rs"]
mod naive;

use naive::{Content, Settings, check};

const PIECES: [&str; 16] = [
    "<a>",
    "</a>",
    "<bc>",
    "</bc>",
    "<a>x</a>",
    "<a>\n# T\n1\n\n# U\nx\n</a>",
    "<a>\n# T\n2\n\n# U\nx\n</a>",
    "<bc>\n# T\n1\n</bc>",
    "# T\n",
    "<",
    "</b",
    "x",
    "思😀",
    " ",
    "\n",
    "\u{feff}",
];

pub fn run(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let settings = Settings {
        keep_first: first & 1 != 0,
        changed_sections: first & 2 != 0,
        recent: (first & 4 != 0).then_some(u64::from(first >> 3) % 4 + 1),
    };
    // The naive one would take too long over more.
    let bytes = &bytes[..bytes.len().min(400)];
    let mut history = Vec::new();
    for byte in bytes {
        // From 240 on a byte begins a string, from 224 a message of parts, from 192 a part.
        match byte {
            240.. => history.push(Content::Whole(String::new())),
            224.. => history.push(Content::Parts(Vec::new())),
            192.. => {
                if let Some(Content::Parts(parts)) = history.last_mut() {
                    parts.push(String::new());
                }
            }
            _ => {
                let text = match history.last_mut() {
                    Some(Content::Whole(text)) => Some(text),
                    Some(Content::Parts(parts)) => parts.last_mut(),
                    None => None,
                };
                if let Some(text) = text {
                    text.push_str(PIECES[usize::from(byte % 16)]);
                }
            }
        }
    }
    check(&history, settings);
}
