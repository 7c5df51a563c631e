//! Commands that copy or move files, as far as their text tells.

/// Words of a command, without quotes and shell signs.
pub(super) fn words_of(command: &str) -> impl Iterator<Item = &str> {
    let is_between = |character: char| {
        character.is_whitespace()
            || matches!(
                character,
                '"' | '\'' | '`' | ';' | '&' | '|' | '(' | ')' | '<' | '>' | ',' | '='
            )
    };
    command.split(is_between).filter(|word| !word.is_empty())
}

/// Whether a word of a command may be one that copies or moves files: better once too often, for then
/// a copy stays that could have gone.
pub(super) fn moves_files(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_short = matches!(
        word.as_str(),
        "mv" | "cp"
            | "ren"
            | "ln"
            | "mi"
            | "ni"
            | "cpi"
            | "rni"
            | "rsync"
            | "install"
            | "tar"
            | "dd"
            | "tee"
    );
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
        for word in [
            "mv",
            "cp",
            "Move-Item",
            "Rename-Item",
            "fs.renameSync",
            "/bin/mv",
            "copy",
        ] {
            assert!(moves_files(word), "{word}");
        }
        for word in ["npm", "test", "cat", "sed", "compile", "mvn"] {
            assert!(!moves_files(word), "{word}");
        }
    }
}
