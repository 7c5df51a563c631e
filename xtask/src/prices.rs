//! Renews the table of prices: LiteLLM's, which is in its Python package, of the models that agents use.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

use crate::paths;

/// Where models are looked for: their makers first, and for those that these sell no more, others.
const PROVIDERS: &[&str] = &[
    "anthropic",
    "openai",
    "gemini",
    "xai",
    "deepseek",
    "moonshot",
    "zai",
    "minimax",
    "meta",
    "xiaomi_mimo",
    "mistral",
    "dashscope",
    "bedrock_converse",
    "bedrock",
    "vertex_ai-anthropic_models",
    "vertex_ai-language-models",
    "vertex_ai",
    "azure",
    "openrouter",
    "vercel_ai_gateway",
    "fireworks_ai",
    "novita",
];

/// The beginnings of the names of models that agents use.
const MODELS: &[&str] = &[
    "claude-", "codestral", "codex-", "deepseek-", "devstral", "gemini-", "glm-", "gpt-", "grok-",
    "kimi-", "llama-4", "magistral", "mimo-", "minimax-", "ministral", "mistral-", "muse-",
    "nova-", "o1", "o3", "o4", "qwen",
];

/// Words in the names of models that no agent uses, or that are another offer of the same model.
const OTHERS: &[&str] = &[
    "-exp-", "-vl", "audio", "base", "basic", "bf16", "claude-v", "coder-33b", "coder-v2",
    "computer", "custom", "daybreak", "distill", "draft", "embed", "experimental", "fp8", "gemma",
    "gpt-3", "gpt-4-0", "gpt-4-1106", "guard", "gv2", "highspeed", "image", "instant", "lite-chat",
    "live", "math", "mistral-7b", "mixtral", "multi-agent", "native", "nemo", "ocr", "omni",
    "prover", "qwen-2", "qwen-3-", "qwen-mt", "qwen1", "qwen2", "qwen3-14b", "qwen3-4b",
    "qwen3-8b", "qwq-32b", "r1-0528-qwen", "r1-turbo", "realtime", "research", "robotics",
    "rosalind", "saba", "search", "spot", "tiny", "transcribe", "tts", "ultrafast", "v3-turbo",
    "vision",
];

/// Writes the table of the newest package.
pub fn run() -> Result<()> {
    let folder = paths::target("prices");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let wheel = [
        "download",
        "--no-deps",
        "--only-binary=:all:",
        "--dest",
        ".",
        "litellm",
    ];
    start(&folder, "pip", &wheel)?;
    let names =
        fs::read_dir(&folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let name = names.into_iter().find(|name| name.ends_with(".whl"));
    let name = name.context("pip has brought no package")?;
    let version = name
        .split('-')
        .nth(1)
        .context("the package's name has no version")?;
    start(&folder, "python3", &["-m", "zipfile", "-e", &name, "."])?;
    let listed =
        fs::read_to_string(folder.join("litellm/model_prices_and_context_window_backup.json"))?;
    let table = table(&serde_json::from_str(&listed)?, &today()?, version)?;
    fs::write(paths::repo("src/analysis/prices.json"), table)?;
    Ok(())
}

fn start(folder: &Path, program: &str, arguments: &[&str]) -> Result<()> {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .status();
    let status = status.with_context(|| format!("{program} could not be started"))?;
    ensure!(status.success(), "{program} has failed");
    Ok(())
}

fn today() -> Result<String> {
    let output = Command::new("date").args(["-u", "+%Y-%m-%d"]).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The table as JSON, a line a model.
fn table(listed: &Map<String, Value>, date: &str, version: &str) -> Result<String> {
    let mut models: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    let mut first_of: HashMap<String, usize> = HashMap::new();
    for (place, provider) in PROVIDERS.iter().enumerate() {
        for (key, value) in listed {
            let is_asked = matches!(value["mode"].as_str(), Some("chat" | "responses"));
            if value["litellm_provider"] != *provider || !is_asked || is_regional(key) {
                continue;
            }
            let name = bare(key);
            if !is_used(&name) || *first_of.entry(family(&name)).or_insert(place) != place {
                continue;
            }
            if let Some(prices) = prices_of(value) {
                models.entry(name).or_insert(prices);
            }
        }
    }
    // A date adds nothing where the name without it costs the same.
    let is_said = |name: &str, prices: &Map<String, Value>| {
        let short = undated(name);
        short != name && models.get(short) == Some(prices)
    };
    let rows = models
        .iter()
        .filter(|(name, prices)| !is_said(name, prices));
    let rows: Vec<String> = rows
        .map(|(name, prices)| row(name, prices))
        .collect::<Result<_>>()?;
    if rows.len() < 200 {
        bail!(
            "the package lists {} models alone: its table has another shape",
            rows.len()
        );
    }
    let source = format!("LiteLLM {version}");
    Ok(format!(
        "{{\n\"date\": \"{date}\",\n\"source\": \"{source}\",\n\"models\": {{\n{}\n}}\n}}\n",
        rows.join(",\n")
    ))
}

/// Whether it is an offer of a region, or a model of somebody's own.
fn is_regional(key: &str) -> bool {
    let parts = key.split('/').count();
    let is_cloud = key.starts_with("bedrock/") || key.starts_with("azure/");
    let regions = ["us.", "eu.", "apac.", "global.", "jp.", "au.", "us-gov."];
    is_cloud && parts > 2 || key.starts_with("ft:") || regions.iter().any(|it| key.starts_with(it))
}

/// A name without its provider and its place there.
fn bare(key: &str) -> String {
    let mut name = key
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    while let Some((word, rest)) = name.split_once('.')
        && word
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '-')
    {
        name = rest.to_owned();
    }
    if let Some((before, _)) = name.split_once(':') {
        let is_version = |digits: &str| digits.chars().all(|letter| letter.is_ascii_digit());
        name = match before.rsplit_once("-v") {
            Some((name, digits)) if is_version(digits) => name.to_owned(),
            _ => before.strip_suffix("-1").unwrap_or(before).to_owned(),
        };
    }
    name.replace('@', "-")
}

fn is_used(name: &str) -> bool {
    let bytes = name.as_bytes();
    // "2p5" is Fireworks' for 2.5.
    let has_p = bytes
        .windows(3)
        .any(|it| it[0].is_ascii_digit() && it[1] == b'p' && it[2].is_ascii_digit());
    let begins = MODELS.iter().any(|begin| name.starts_with(begin));
    begins
        && !has_p
        && !["-default", "-us"].iter().any(|it| name.ends_with(it))
        && !OTHERS.iter().any(|word| name.contains(word))
}

/// A name without the date behind it.
fn undated(name: &str) -> &str {
    let name = name.strip_suffix("-latest").unwrap_or(name);
    let is_date =
        |part: &str| matches!(part.len(), 4 | 8) && part.chars().all(|it| it.is_ascii_digit());
    match name.rsplit_once('-') {
        Some((before, last)) if is_date(last) => before,
        Some((before, day)) if day.len() == 2 => match before.rsplit_once('-') {
            Some((before, month)) if month.len() == 2 => match before.rsplit_once('-') {
                Some((before, year)) if year.len() == 4 => before,
                _ => name,
            },
            _ => name,
        },
        _ => name,
    }
}

/// The same for all spellings and dates of a model.
fn family(name: &str) -> String {
    let name = undated(name).replace(['.', '_'], "-");
    let Some(rest) = name.strip_prefix("claude-") else {
        return name;
    };
    // "claude-3-5-sonnet" and "claude-sonnet-4-5"
    let mut parts: Vec<&str> = rest.split('-').filter(|part| *part != "v1").collect();
    parts.sort_by_key(|part| part.starts_with(|it: char| it.is_ascii_digit()));
    format!("claude-{}", parts.join("-"))
}

/// The prices of a million tokens, of prompts of the usual length.
fn prices_of(value: &Value) -> Option<Map<String, Value>> {
    let tiers = value["tiered_pricing"].as_array();
    let first = match (value["input_cost_per_token"].as_f64(), tiers) {
        (None, Some(tiers)) => tiers.first()?,
        _ => value,
    };
    let mut prices = four(first)?;
    if let Some(hour) = first["cache_creation_input_token_cost_above_1hr"].as_f64() {
        prices.insert("cacheWriteHour".to_owned(), million(hour));
    }
    Some(prices)
}

fn four(value: &Value) -> Option<Map<String, Value>> {
    let price = |name: &str| value[name].as_f64();
    let input = price("input_cost_per_token")?;
    let output = price("output_cost_per_token")?;
    let read = price("cache_read_input_token_cost").unwrap_or(input);
    let kept = price("cache_creation_input_token_cost")
        .filter(|it| *it > 0.0)
        .unwrap_or(input);
    let named = [
        ("input", input),
        ("output", output),
        ("cacheRead", read),
        ("cacheWrite", kept),
    ];
    Some(
        named
            .map(|(name, price)| (name.to_owned(), million(price)))
            .into_iter()
            .collect(),
    )
}

/// In dollars for a million tokens, to the millionth of a dollar.
fn million(price: f64) -> Value {
    ((price * 1e12).round() / 1e6).into()
}

fn row(name: &str, prices: &Map<String, Value>) -> Result<String> {
    let mut row = String::new();
    write!(row, " \"{name}\": {}", serde_json::to_string(prices)?)?;
    Ok(row)
}
