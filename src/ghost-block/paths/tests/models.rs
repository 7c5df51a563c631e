//! Random paths against models that are naive on purpose: they replace text until nothing changes,
//! instead of walking over names.

use proptest::prelude::*;

use super::{posix, win32};
use crate::paths::{Platform, Roots};

/// An absolute path without `.`, `..` and empty names, or nothing if it climbs above its top.
fn naively_normal(path: &str, platform: Platform) -> Option<String> {
    let mut path = format!("{path}/");
    if platform == Platform::Win32 {
        path = path.replace('\\', "/").to_uppercase();
    }
    loop {
        let before = path.clone();
        // `/././` becomes `/./` at first, and `..` must not meet it.
        while path.contains("/./") {
            path = path.replace("/./", "/");
        }
        while let Some(at) = path[1..].find("//").map(|at| at + 1) {
            path.remove(at);
        }
        if let Some(at) = path.find("/../") {
            let parent = path[..at].rfind('/')?;
            path.replace_range(parent..at + 3, "");
        }
        if path == before {
            return Some(path);
        }
    }
}

fn naively_decoded(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..6 {
        for (escapes, plain) in [
            (["%25", "%u0025", "%U0025"], "%"),
            (["%2e", "%u002e", "%c0%ae"], "."),
            (["%2f", "%u002f", "%c0%af"], "/"),
            (["%5c", "%u005c", "%c1%9c"], "\\"),
            (["%00", "%u0000", "%c0%80"], "\0"),
        ] {
            for escape in escapes {
                text = text.replace(escape, plain);
                text = text.replace(&escape.to_uppercase(), plain);
            }
        }
    }
    text
}

/// Written paths out of what attacks are made of, mixed with honest names.
fn written() -> impl Strategy<Value = String> {
    let one_of = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        prop::sample::select(texts)
    };
    let piece = prop_oneof![
        6 => one_of(&["a", "b.md", "src", "é", "App", "work", "Shared", "文"]),
        5 => one_of(&["..", "..", ".", "", "...", ".. ", ". ."]),
        4 => one_of(&[
            "%2e", "%2E%2e", "%252e", "%", "%2f", "%5C", "%c0%ae", "%u002e", "%00", "%20", "25",
        ]),
        2 => one_of(&[
            "CON", "nul.txt", "com1 ", "LPT¹", "a:b", "C:", "d:", "~", "$HOME", "?", "．．", "¥",
        ]),
        1 => "\\PC{0,3}",
        1 => any::<char>().prop_map(String::from),
    ];
    let separator = one_of(&["/", "/", "/", "\\", "//", "", "\\\\"]);
    let lead = one_of(&[
        "",
        "",
        "",
        "",
        "/",
        "//",
        "\\",
        "/work/app/",
        "/work/shared/",
        "/work/app/../",
        r"C:\Work\App\",
        "c:/work/APP/",
        r"D:\Shared\",
        "d:/SHARED/../",
        r"\\server\share\repo\",
        "//SERVER/share/",
        r"\\?\C:\Work\App\",
        "../shared/",
        "../",
    ]);
    let parts = prop::collection::vec((piece, separator), 0..7);
    (lead, parts).prop_map(|(lead, parts)| {
        let parts = parts.into_iter();
        let parts = parts.map(|(piece, separator)| piece + &separator);
        lead + &parts.collect::<String>()
    })
}

fn platforms() -> [(Platform, Roots, &'static [&'static str]); 2] {
    [
        (Platform::Posix, posix(), &["/work/app/", "/work/shared/"]),
        (
            Platform::Win32,
            win32(),
            &["C:/WORK/APP/", "D:/SHARED/", "//SERVER/SHARE/REPO/"],
        ),
    ]
}

proptest! {
    #[test]
    fn whatever_resolves_is_where_the_naive_model_finds_it(written in written()) {
        for (platform, roots, within) in platforms() {
            let Ok(found) = roots.resolve(&written) else { continue };
            let absolute = |path: &str| {
                let on_win32 = platform == Platform::Win32;
                let of_drive = on_win32 && path.as_bytes().get(1) == Some(&b':');
                if of_drive || path.starts_with('/') || on_win32 && path.starts_with('\\') {
                    path.to_owned()
                } else {
                    format!("{}{path}", within[0])
                }
            };
            let mut model = naively_normal(&absolute(&written), platform);
            let is_allowed = |model: &Option<String>| {
                let model = model.as_deref().unwrap_or_default();
                within.iter().any(|root| model.starts_with(root))
            };
            // A path that is not written as an absolute one is meant from the root.
            if let Some(below) = written.strip_prefix('/')
                && !is_allowed(&model)
            {
                model = naively_normal(&absolute(below), platform);
            }
            let model = model.expect("what climbs above the top is denied");
            let request = naively_normal(&absolute(&found.request), platform);
            prop_assert_eq!(&Some(model.clone()), &request);
            prop_assert!(within.iter().any(|root| model.starts_with(root)), "{} {}", written, model);
        }
    }

    #[test]
    fn a_request_has_no_odd_names_and_resolves_to_itself(written in written()) {
        for (platform, roots, _) in platforms() {
            let Ok(found) = roots.resolve(&written) else { continue };
            let request = found.request.as_str();
            let names = request.strip_prefix("//").or(request.strip_prefix('/')).unwrap_or(request);
            if request != "." {
                prop_assert!(!names.split('/').any(|name| matches!(name, "" | "." | "..")), "{request}");
            }
            prop_assert!(!request.chars().any(char::is_control));
            if platform == Platform::Win32 {
                prop_assert!(!request.contains('\\'));
                prop_assert!(!request.get(2..).unwrap_or_default().contains(':'));
                for name in names.split('/').filter(|name| *name != ".") {
                    prop_assert!(!name.ends_with(['.', ' ']), "{}", name);
                    let stem = name.to_uppercase();
                    let stem = stem.split('.').next().unwrap_or_default().trim_end();
                    prop_assert!(!matches!(stem, "CON" | "NUL" | "COM1" | "LPT¹"), "{}", name);
                }
            }
            let again = roots.resolve(request);
            let again = again.map(|again| (again.request, again.folded));
            prop_assert_eq!(again, Ok((found.request.clone(), found.folded)));
        }
    }

    #[test]
    fn decoding_a_request_however_often_leads_nowhere_else(written in written()) {
        for (_, roots, _) in platforms() {
            let Ok(found) = roots.resolve(&written) else { continue };
            let plain = naively_decoded(&found.request);
            prop_assert_eq!(plain.matches(['/', '\\', '.', '\0']).count(),
                found.request.matches(['/', '\\', '.', '\0']).count(), "{}", plain);
            prop_assert!(!plain.split(['/', '\\']).any(|name| name == ".."), "{}", plain);
        }
    }

    #[test]
    fn honest_relative_paths_resolve_to_themselves(
        names in prop::collection::vec("[a-bd-km-z文é][a-z0-9_文-]{0,8}(\\.[a-z]{1,4})?", 1..6),
    ) {
        let path = names.join("/");
        // `aux`, `nul` and `prn` may come up.
        let device = |name: &String| matches!(name.split('.').next(), Some("aux" | "nul" | "prn"));
        for (platform, roots, _) in platforms() {
            if platform == Platform::Win32 && names.iter().any(device) {
                continue;
            }
            let found = roots.resolve(&path).map(|found| found.request);
            prop_assert_eq!(found, Ok(path.clone()));
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>(), root in any::<String>()) {
        for (platform, roots, _) in platforms() {
            let _ = roots.resolve(&text);
            if let Ok(roots) = Roots::new(platform, &root, std::slice::from_ref(&text)) {
                let _ = roots.resolve(&text);
                let _ = roots.resolve(&root);
            }
        }
    }
}
