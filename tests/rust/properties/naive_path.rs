//! How two directories lie to each other, by lists of names.

use turnkeeper_core::terminal_selector::PathRules;
use turnkeeper_core::{PathPlatform, PathRelation, path_relation};

/// The root and the names; none if the path is refused.
fn read(path: &str, rules: PathRules) -> Option<Vec<String>> {
    if path.contains('\0') || path.encode_utf16().count() > 4_096 {
        return None;
    }
    let mut names = if rules.platform == PathPlatform::Posix {
        let rest = path.strip_prefix('/')?;
        let mut names = vec![String::new()];
        follow(&mut names, rest.split('/'), Some)?;
        names
    } else if let Some(rest) = path.strip_prefix(r"\\?\") {
        literal(rest)?
    } else {
        ordinary(&path.replace('/', r"\"))?
    };
    if !rules.case_sensitive {
        for name in &mut names[1..] {
            *name = folded(name);
        }
    }
    names[0] = folded(&names[0]);
    Some(names)
}

fn follow<'a>(
    names: &mut Vec<String>,
    all: impl Iterator<Item = &'a str>,
    read: impl Fn(&'a str) -> Option<&'a str>,
) -> Option<()> {
    for name in all {
        match name {
            "" | "." => {}
            ".." => names.truncate(names.len().max(2) - 1),
            name => names.push(read(name)?.to_owned()),
        }
    }
    Some(())
}

/// Without dots and spaces at the end; none if nothing else is there.
fn trimmed(name: &str) -> Option<&str> {
    let name = name.trim_end_matches(['.', ' ']);
    (!name.is_empty()).then_some(name)
}

fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

fn ordinary(path: &str) -> Option<Vec<String>> {
    let mut parts = path.split('\\');
    let first = parts.next()?;
    let mut names = if is_drive(first) && path.len() > 2 {
        vec![first.to_owned()]
    } else {
        let (server, share) = match (first, parts.next()?) {
            ("", "") => (parts.next()?, parts.next()?),
            _ => return None,
        };
        if server == "." || server == "?" || share == "?" {
            return None;
        }
        vec![format!(r"\\{}\{}", trimmed(server)?, trimmed(share)?)]
    };
    follow(&mut names, parts, trimmed)?;
    Some(names)
}

fn literal(path: &str) -> Option<Vec<String>> {
    let (first, rest) = path.split_once('\\')?;
    let is_share = first.eq_ignore_ascii_case("unc");
    if !is_share && !is_drive(first) {
        return None;
    }
    let mut parts: Vec<&str> = rest.split('\\').collect();
    // One separator may stand at the end, and behind a drive it has to.
    if parts.last() == Some(&"") {
        parts.pop();
    }
    let mut names = vec![first.to_owned()];
    if is_share {
        let (server, share) = (*parts.first()?, *parts.get(1)?);
        trimmed(server)?;
        trimmed(share)?;
        if server == "?" || share == "?" {
            return None;
        }
        names = vec![format!(r"\\{server}\{share}")];
        parts.drain(..2);
    }
    for name in parts {
        if matches!(name, "" | "." | "..") {
            return None;
        }
        names.push(name.to_owned());
    }
    Some(names)
}

fn folded(name: &str) -> String {
    let fold = |one: char| {
        let upper: Vec<char> = one.to_uppercase().collect();
        match upper[..] {
            [upper]
                if one.is_ascii()
                    || (one <= '\u{ffff}' && upper <= '\u{ffff}' && !upper.is_ascii()) =>
            {
                upper
            }
            _ => one,
        }
    };
    name.chars().map(fold).collect()
}

/// Compares the two, and what must hold of any two directories.
pub fn check(a: &str, b: &str, rules: PathRules) {
    let told = || format!("{a:?} and {b:?} by {rules:?}");
    let got = path_relation(a, b, rules);
    let expected = match (read(a, rules), read(b, rules)) {
        (Some(a), Some(b)) if a == b => PathRelation::Same,
        (Some(a), Some(b)) if b.starts_with(&a) => PathRelation::Parent,
        (Some(a), Some(b)) if a.starts_with(&b) => PathRelation::Child,
        (Some(_), Some(_)) => PathRelation::Unrelated,
        (first, _) => {
            let field = if first.is_none() { "a" } else { "b" };
            let error = got.expect_err(&told());
            assert_eq!(error.field(), Some(field), "{}", told());
            return;
        }
    };
    assert_eq!(got, Ok(expected), "{}", told());
    let mirrored = match expected {
        PathRelation::Parent => PathRelation::Child,
        PathRelation::Child => PathRelation::Parent,
        other => other,
    };
    assert_eq!(path_relation(b, a, rules), Ok(mirrored), "{}", told());
    assert_eq!(path_relation(a, a, rules), Ok(PathRelation::Same));
}
