//! The crates of others that are inside of what is handed out, and their licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{paths, tools};

/// The crates of others.
pub struct Crates {
    others: Vec<Value>,
}

impl Crates {
    /// Those of these crates of the workspace, for a target that Rust compiles for.
    pub fn inside(roots: &[&str], target: &str) -> Result<Crates> {
        let mut cargo = tools::cargo();
        cargo.args([
            "metadata", "--format-version=1", "--filter-platform", target,
        ]);
        let said = cargo.output().context("cannot start cargo")?;
        if !said.status.success() {
            bail!("cargo metadata: {}", String::from_utf8_lossy(&said.stderr));
        }
        let metadata: Value = serde_json::from_slice(&said.stdout)?;
        let by_id = |of: &'static str| {
            let values = list(&metadata[of]).chain(list(&metadata["resolve"][of]));
            values
                .map(|it| (text(&it["id"]), it))
                .collect::<BTreeMap<&str, &Value>>()
        };
        let (packages, nodes) = (by_id("packages"), by_id("nodes"));
        let own = packages
            .values()
            .filter(|it| it["source"].is_null() && roots.contains(&text(&it["name"])));
        let mut open: Vec<&str> = own.map(|it| text(&it["id"])).collect();
        if open.len() != roots.len() {
            bail!("not all of {roots:?} are crates of the workspace");
        }
        let mut inside = BTreeSet::new();
        while let Some(id) = open.pop() {
            if inside.insert(id) {
                let is_linked = |it: &&Value| list(&it["dep_kinds"]).any(|it| it["kind"].is_null());
                let linked = list(&nodes[id]["deps"]).filter(is_linked);
                let linked = linked.map(|it| text(&it["pkg"]));
                open.extend(linked.filter(|id| !runs_in_compiler(packages[id])));
            }
        }
        let inside = inside.iter().map(|id| packages[id]);
        Ok(Crates {
            others: inside
                .filter(|it| !it["source"].is_null())
                .cloned()
                .collect(),
        })
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

/// Of a macro, only what it writes is inside.
fn runs_in_compiler(package: &Value) -> bool {
    list(&package["targets"]).any(|it| list(&it["kind"]).any(|kind| kind == "proc-macro"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
