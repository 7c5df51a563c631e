//! The history deduper beside a naive one.

use proptest::prelude::*;

use super::naive_deduper::{Content, Settings, check};

fn piece() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        3 => Just("<a>"),
        3 => Just("</a>"),
        2 => Just("<bc>"),
        2 => Just("</bc>"),
        2 => Just("<a>\n# T\n1\n\n# U\nx\n</a>"),
        2 => Just("<a>\n# T\n2\n\n# U\nx\n</a>"),
        1 => Just("<a>\nintro\n# V\n思\n# T\n2\n</a>"),
        2 => Just("<bc>\n# T\n1\n</bc>"),
        1 => Just("</b"),
        1 => Just("<"),
        2 => Just("x"),
        1 => Just("😀"),
        2 => Just(" "),
        1 => Just("\n"),
        1 => Just("\u{feff}"),
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat())
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        text().prop_map(Content::Whole),
        proptest::collection::vec(text(), 0..6).prop_map(Content::Parts),
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    let recent = proptest::option::of(1u64..5);
    (any::<bool>(), recent, any::<bool>()).prop_map(|(keep_first, recent, changed_sections)| {
        Settings {
            keep_first,
            recent,
            changed_sections,
        }
    })
}

proptest! {
    #[test]
    fn the_same_repairs_as_the_naive_deduper(
        history in proptest::collection::vec(content(), 0..8),
        settings in settings(),
    ) {
        check(&history, settings);
    }
}
