//! Commands that copy or move files, as far as their text tells.

use turnkeeper_base::path::{fold_case, program_name};

/// Words of a command, without quotes and shell signs.
pub(super) fn words_of(command: &str) -> impl Iterator<Item = &str> {
    let is_between = |one: char| one.is_whitespace() || "\"'`;&|()<>,=".contains(one);
    command.split(is_between).filter(|word| !word.is_empty())
}

/// The index of the word that copies or moves files, if a command may do so.
pub(super) fn mover_of(words: &[&str]) -> Option<usize> {
    let is_mover = |at: &usize| {
        let before = words[..*at]
            .iter()
            .rev()
            .find(|word| !word.starts_with('-'));
        moves_files(words[*at])
            && !(is_install(words[*at]) && before.is_some_and(is_package_manager))
    };
    (0..words.len()).find(is_mover)
}

fn is_install(word: &str) -> bool {
    word.eq_ignore_ascii_case("install")
}

/// Whether a program installs packages, and no files of the project's.
fn is_package_manager(word: &&str) -> bool {
    let name = program_name(word);
    [
        "npm", "pnpm", "yarn", "bun", "pip", "pip3", "pipx", "uv", "poetry", "conda", "mamba",
        "cargo", "rustup", "go", "gem", "bundle", "brew", "apt", "apt-get", "dnf", "yum", "apk",
        "choco", "scoop", "winget", "dotnet", "composer", "playwright", "pre-commit",
    ]
    .contains(&&*name)
}

/// Programs that copy or move files, and short names for those of PowerShell.
const MOVERS: [&str; 13] = [
    "mv", "cp", "ren", "ln", "mi", "ni", "cpi", "rni", "rsync", "install", "tar", "dd", "tee",
];

/// Whether a word of a command may be one that copies or moves files: better once too often, for then
/// a copy stays that could have gone.
fn moves_files(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_short = MOVERS.contains(&&*word);
    is_short
        || ["move", "rename", "copy"]
            .iter()
            .any(|verb| word.contains(verb))
        || ["/mv", "/cp", "/ln"].iter().any(|end| word.ends_with(end))
}

/// Whether a word may stand for paths that it does not spell.
pub(super) fn is_pattern(word: &str) -> bool {
    word.contains(['*', '?', '$', '{', '['])
}

/// Whether a pattern may stand for a file, by one spelling of its path, or for a folder that it is in. A
/// pattern with more in it than `*` and `?` may stand for anything.
pub(super) fn may_match(pattern: &str, spelling: &str) -> bool {
    if pattern.contains(['$', '{', '[', '%']) {
        return true;
    }
    let (folder, name) = pattern.rsplit_once(['/', '\\']).unwrap_or((".", pattern));
    let folder = folder.rsplit(['/', '\\']).next().unwrap_or(folder);
    // Nobody knows where a command ran, so of a path no more than the last names can be compared; and
    // a path that starts nowhere may leave the folder out.
    let is_anywhere =
        matches!(folder, "" | "." | ".." | "~") || is_pattern(folder) || !spelling.starts_with('/');
    let is_inside = is_anywhere
        || spelling
            .split('/')
            .any(|part| part.eq_ignore_ascii_case(folder));
    is_inside && spelling.split('/').any(|part| matches_glob(name, part))
}

/// Whether a name fits a pattern of `*` and `?`, whatever its case. Costs at most the product of their lengths.
fn matches_glob(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = fold_case(pattern).chars().collect();
    let name: Vec<char> = fold_case(name).chars().collect();
    let (mut at, mut next) = (0, 0);
    let mut last_star = None;
    while next < name.len() {
        match pattern.get(at) {
            Some('*') => {
                last_star = Some((at, next));
                at += 1;
            }
            Some(one) if *one == '?' || *one == name[next] => {
                at += 1;
                next += 1;
            }
            // The last star stands for one character more.
            _ => match last_star {
                Some((star, from)) => {
                    last_star = Some((star, from + 1));
                    at = star + 1;
                    next = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|one| *one == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_shells_and_scripts() {
        let words: Vec<&str> = words_of("cd src&&git mv \"a.ts\" 'b.ts'; x('c.ts',1)").collect();
        assert_eq!(
            words,
            ["cd", "src", "git", "mv", "a.ts", "b.ts", "x", "c.ts", "1"]
        );
    }

    #[test]
    fn what_copies_and_moves_is_told_from_what_does_not() {
        for command in [
            "mv a b",
            "cd x && Move-Item a b",
            "Rename-Item a b",
            "node -e fs.renameSync(1,2)",
            "/bin/mv a b",
            "copy a b",
            "install -m 644 a b",
            "sudo install a b",
        ] {
            let words: Vec<&str> = words_of(command).collect();
            assert!(mover_of(&words).is_some(), "{command}");
        }
        for command in [
            "npm test",
            "cat a",
            "sed -i s a",
            "mvn compile",
            "npm install a",
            "python -m pip install -e a",
            "apt-get -y install a",
            "/usr/bin/npm install a",
        ] {
            let words: Vec<&str> = words_of(command).collect();
            assert_eq!(mover_of(&words), None, "{command}");
        }
    }

    #[test]
    fn a_pattern_stands_for_the_names_that_fit_it_and_for_what_is_in_such_folders() {
        let cases = [
            ("*", "/w/a.ts", true),
            ("*.ts", "/w/a.ts", true),
            ("*.TS", "/w/a.ts", true),
            ("*.js", "/w/a.ts", false),
            ("a?.ts", "/w/ab.ts", true),
            ("a?.ts", "/w/a.ts", false),
            ("*a*b*", "/w/xaxxbx", true),
            ("*a*b*", "/w/xbxxax", false),
            ("src/*.ts", "/w/src/x/a.ts", true),
            ("src/*.ts", "/w/lib/a.ts", false),
            ("src\\*.ts", "/w/src/a.ts", true),
            ("src/li*", "/w/src/lib/a.ts", true),
            ("src/*.ts", "a.ts", true),
            ("../*.ts", "/w/a.ts", true),
            ("$FILES", "/w/a.ts", true),
            ("{a,b}.js", "/w/a.ts", true),
        ];
        for (pattern, spelling, fits) in cases {
            assert_eq!(may_match(pattern, spelling), fits, "{pattern}: {spelling}");
        }
    }
}
