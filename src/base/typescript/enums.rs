//! Enums as TypeScript, with what is said about each variant: ts-rs writes the type's documentation and
//! leaves out that of its variants.

use documented::DocumentedFields;
use ts_rs::{Config, TS};

use super::declaration;

/// An enum whose variants are strings. A union of strings has no place for a comment on one of them, so the
/// type's comment lists them.
pub fn strings<T: TS + DocumentedFields>(config: &Config) -> String {
    let union = T::inline(config);
    let mut docs = lines_of_comment(T::docs().as_deref().unwrap_or_default());
    docs.push(String::new());
    for (value, about) in union.split(" | ").zip(T::FIELD_DOCS) {
        let mut lines = about.lines();
        docs.push(format!("- `{value}`: {}", lines.next().unwrap_or_default()));
        docs.extend(lines.map(|line| format!("  {line}")));
    }
    declaration::<T>(config, &comment(&docs))
}

/// An enum whose variants are objects with a tag. The comment stands before each variant's tag.
pub fn objects<T: TS + DocumentedFields>(config: &Config, tag: &str) -> String {
    let start = format!("{{ \"{tag}\":");
    let declared = declaration::<T>(config, T::docs().as_deref().unwrap_or_default());
    let mut variants = declared.split(&start);
    let mut documented = variants
        .next()
        .expect("a split has a first part")
        .to_owned();
    let mut docs = T::FIELD_DOCS.iter();
    for variant in variants {
        let about = docs
            .next()
            .expect("each variant has a tag and is documented");
        let lines: Vec<String> = about.lines().map(str::to_owned).collect();
        documented += &format!("{{\n{}\"{tag}\":{variant}", comment(&lines));
    }
    assert!(
        docs.next().is_none(),
        "{}: a variant without `{tag}`",
        T::name(config)
    );
    documented
}

fn lines_of_comment(comment: &str) -> Vec<String> {
    comment
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('*'))
        .filter(|line| *line != "/")
        .map(|line| line.trim().to_owned())
        .collect()
}

fn comment(lines: &[String]) -> String {
    let mut comment = String::from("/**\n");
    for line in lines {
        comment += &format!(" * {line}");
        comment.truncate(comment.trim_end().len());
        comment.push('\n');
    }
    comment + " */\n"
}
