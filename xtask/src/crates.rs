//! The crates of others that are inside of what is handed out, and their licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{paths, step, tools};

/// The crates of others.
pub struct Crates {
    others: Vec<Value>,
}

impl Crates {
    /// Those that these crates of the workspace are linked with for a target that Rust compiles for.
    pub fn inside(roots: &[String], target: &str) -> Result<Crates> {
        let mut tree = tools::cargo();
        tree.args(["tree", "--edges=normal,no-proc-macro", "--no-dedupe"])
            .args(["--prefix=none", "--format={p}", "--target", target]);
        for root in roots {
            tree.args(["--package", root]);
        }
        let tree = step::said(&mut tree)?;
        let inside: BTreeSet<&str> = tree.lines().map(str::trim).collect();
        let mut metadata = tools::cargo();
        metadata.args([
            "metadata", "--format-version=1", "--filter-platform", target,
        ]);
        let metadata: Value = serde_json::from_str(&step::said(&mut metadata)?)?;
        let is_inside = |it: &&Value| {
            let name = format!("{} v{}", text(&it["name"]), text(&it["version"]));
            !it["source"].is_null() && inside.contains(&*name)
        };
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let others: Vec<Value> = packages.filter(is_inside).cloned().collect();
        ensure!(
            !others.is_empty(),
            "cargo tells no crate inside of {roots:?}"
        );
        Ok(Crates { others })
    }

    /// The licences of them and of the table of prices. A text that several have stands under the first.
    pub fn licences(&self) -> Result<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut firsts = BTreeMap::new();
        for package in &self.others {
            texts.push(self.licence(package, &mut firsts)?);
        }
        texts.push(fs::read_to_string(paths::repo(
            "src/analysis/prices.license.txt",
        ))?);
        let line = "-".repeat(72);
        Ok(texts.join(&format!("\n{line}\n\n")))
    }

    /// A crate's name and licence, and what its files say of it; of a text that another crate has already, that crate.
    fn licence(&self, package: &Value, firsts: &mut BTreeMap<String, String>) -> Result<String> {
        const NAMES: [&str; 4] = ["licen", "copying", "unlicense", "notice"];
        let of = |key: &str| text(&package[key]);
        let mut files = Vec::new();
        for entry in fs::read_dir(folder(package))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if entry.path().is_file() && NAMES.iter().any(|it| name.starts_with(it)) {
                files.push(entry.path());
            }
        }
        if files.is_empty() {
            files.push(self.known_licence(package)?);
        }
        files.sort();
        let name = format!("{} {}", of("name"), of("version"));
        let mut said = format!("{name} ({})\n", of("license"));
        for file in files {
            let text = fs::read(file)?;
            let text = String::from_utf8_lossy(&text);
            // The line breaks of a text are no part of it.
            let words: Vec<&str> = text.split_whitespace().collect();
            let key = words.join(" ");
            match firsts.get(&key) {
                Some(first) => {
                    said += &format!(
                        "\nA text that stands under {first}: {} …\n",
                        beginning(&words)
                    )
                }
                None => {
                    said += &format!("\n{}\n", text.trim());
                    firsts.insert(key, name.clone());
                }
            }
        }
        Ok(said)
    }

    /// The text of a licence that a crate names and does not have beside it, as another crate has it: this one names
    /// nobody, so it is the same everywhere.
    fn known_licence(&self, package: &Value) -> Result<PathBuf> {
        let of_others = self
            .others
            .iter()
            .map(|it| folder(it).join("LICENSE-APACHE"));
        of_others
            .filter(|_| text(&package["license"]).contains("Apache-2.0"))
            .find(|file| file.exists())
            .with_context(|| format!("{} has no licence", package["name"]))
    }
}

/// The first words of a licence, by which it is known.
fn beginning(words: &[&str]) -> String {
    words[..words.len().min(8)].join(" ")
}

fn folder(package: &Value) -> &Path {
    let manifest = Path::new(text(&package["manifest_path"]));
    manifest.parent().unwrap_or(manifest)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
