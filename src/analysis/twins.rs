//! Files that others beside them stand for.

/// Why a file need not be read beside another: Cline keeps a conversation twice, as a history and as what its panel
/// shows, of which the history says more; Kimi CLI keeps what happened and what is sent; Hermes keeps lines and an object;
/// and a repair in place keeps the file as it was before. `has` says whether there is a file of a name. None if it has to be read.
pub fn twin_of(file: &str, has: impl Fn(&str) -> bool) -> Option<String> {
    if let Some(repaired) = file.strip_suffix(".bak")
        && has(repaired)
    {
        let name = name_of(repaired);
        return Some(format!("is what {name} beside it was before its repair"));
    }
    let fuller = match name_of(file) {
        "ui_messages.json" => "api_conversation_history.json".to_owned(),
        "context.jsonl" => "wire.jsonl".to_owned(),
        name => {
            let hermes = name.strip_prefix("session_")?;
            format!("{}.jsonl", hermes.strip_suffix(".json")?)
        }
    };
    let beside = format!("{}{fuller}", &file[..file.len() - name_of(file).len()]);
    has(&beside).then(|| format!("shows the same conversation as {fuller} beside it"))
}

fn name_of(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuller_of_two_files_is_read() {
        let files = [
            "a/api_conversation_history.json",
            "k\\wire.jsonl",
            "s.json",
            "h/2026_1.jsonl",
        ];
        for (file, reason) in [
            (
                "a/ui_messages.json",
                Some("shows the same conversation as api_conversation_history.json beside it"),
            ),
            (
                "k\\context.jsonl",
                Some("shows the same conversation as wire.jsonl beside it"),
            ),
            (
                "h/session_2026_1.json",
                Some("shows the same conversation as 2026_1.jsonl beside it"),
            ),
            ("h/session_2026_2.json", None),
            (
                "s.json.bak",
                Some("is what s.json beside it was before its repair"),
            ),
            ("b/ui_messages.json", None),
            ("context.jsonl", None),
            ("t.json.bak", None),
            ("s.json", None),
        ] {
            let found = twin_of(file, |name| files.contains(&name));
            assert_eq!(found.as_deref(), reason, "{file}");
        }
    }
}
