//! The terminal selector beside a naive one.

use proptest::prelude::*;
use turnkeeper_core::PathPlatform;
use turnkeeper_core::terminal_selector::PathRules;

use super::naive_path;
use super::naive_selector::{check, read};

/// Two paths of few names, so that they often have to do with each other.
fn path() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        3 => Just("/"), 2 => Just("C:\\"), 1 => Just("c:/"), 1 => Just("\\\\?\\C:\\"), 1 => Just("//a/b/"),
        1 => Just("\\\\?\\unc\\A\\B"), 1 => Just(""),
    ];
    (start, "([aAbéÉ.~: ]{0,2}[/\\\\]{0,2}){0,5}")
        .prop_map(|(start, rest)| start.to_owned() + &rest)
}

proptest! {
    #[test]
    fn the_same_choices_as_the_naive_selector(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let (settings, events) = read(&bytes);
        check(settings, &events);
    }

    #[test]
    fn paths_lie_to_each_other_as_their_names_do(
        a in path(),
        b in path(),
        win32 in any::<bool>(),
        case_sensitive in any::<bool>(),
    ) {
        let platform = if win32 { PathPlatform::Win32 } else { PathPlatform::Posix };
        naive_path::check(&a, &b, PathRules { platform, case_sensitive });
    }
}
