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

/// Fast modes that earlier editions of the list had. The makers sell them no more, and sessions of that time cost so.
const FORMER_FAST: &[(&str, f64)] = &[("claude-opus-4-6", 6.0), ("claude-opus-4-7", 6.0)];

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
    let name =
        named(&folder, |name| name.ends_with(".whl")).context("pip has brought no package")?;
    let version = name
        .split('-')
        .nth(1)
        .context("the package's name has no version")?;
    start(&folder, "python3", &["-m", "zipfile", "-e", &name, "."])?;
    let listed =
        fs::read_to_string(folder.join("litellm/model_prices_and_context_window_backup.json"))?;
    let table = table(&serde_json::from_str(&listed)?, &day_of(&folder)?, version)?;
    fs::write(paths::repo("src/analysis/prices.json"), table)?;
    Ok(())
}

/// The first name in a folder that fits.
fn named(folder: &Path, fits: impl Fn(&str) -> bool) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.into_iter().find(|name| fits(name))
}

/// The day on which the package was made, by its bill of materials; of its files none has a time.
fn day_of(folder: &Path) -> Result<String> {
    let info = named(folder, |name| name.ends_with(".dist-info"));
    let bills = folder
        .join(info.context("the package says nothing of itself")?)
        .join("sboms");
    let bill = named(&bills, |name| name.ends_with(".json"));
    let bill = fs::read_to_string(bills.join(bill.context("the package does not say its day")?))?;
    let bill: Value = serde_json::from_str(&bill)?;
    let time = bill["metadata"]["timestamp"].as_str().unwrap_or_default();
    let day = time.get(..10).context("the package does not say its day")?;
    Ok(day.to_owned())
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
            if let Some(entry) = entry_of(&name, value) {
                models.entry(name).or_insert(entry);
            }
        }
    }
    // A date adds nothing where the name without it costs the same.
    let is_said = |name: &str, entry: &Map<String, Value>| {
        let short = undated(name);
        short != name && models.get(short) == Some(entry)
    };
    let rows = models.iter().filter(|(name, entry)| !is_said(name, entry));
    let rows: Vec<String> = rows
        .map(|(name, entry)| row(name, entry))
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

/// What the list has of a model: the longest request that it takes, the prices of each tier and length, and factors.
/// "priority>272000" are the prices of priority requests that send more than 272,000 tokens.
fn entry_of(name: &str, value: &Value) -> Option<Map<String, Value>> {
    let mut tiers: Vec<(&str, Vec<(u64, Value)>)> = Vec::new();
    for (tier, ending) in TIERS {
        let lengths = by_length(value, ending);
        if lengths.first().is_some_and(|(above, _)| *above == 0) {
            tiers.push((tier, lengths));
        }
    }
    let (_, usual) = tiers.first().filter(|(tier, _)| *tier == USUAL)?.clone();
    let mut entry = Map::new();
    if let Some(window) = value["max_input_tokens"].as_u64() {
        entry.insert("window".to_owned(), window.into());
    }
    for (tier, lengths) in tiers {
        let factor = factor_of(&lengths, &usual).filter(|_| tier != USUAL);
        if let Some(factor) = factor {
            entry.insert(tier.to_owned(), number(factor));
            continue;
        }
        for (above, prices) in lengths {
            let name = match above {
                0 => tier.to_owned(),
                above => format!("{tier}>{above}"),
            };
            entry.insert(name, prices);
        }
    }
    let former = FORMER_FAST
        .iter()
        .find(|(model, _)| *model == undated(name));
    for factor in ["fast", "us"] {
        let listed = value["provider_specific_entry"][factor].as_f64();
        let former = former.map(|(_, it)| *it).filter(|_| factor == "fast");
        if let Some(times) = listed.or(former) {
            entry.insert(factor.to_owned(), number(times));
        }
    }
    Some(entry)
}

/// The name of the prices that are asked where nothing else is said.
const USUAL: &str = "usual";

/// The names of tiers, and the list's endings for their prices.
const TIERS: &[(&str, &str)] = &[
    (USUAL, ""),
    ("priority", "_priority"),
    ("flex", "_flex"),
    ("batch", "_batches"),
    ("ultrafast", "_ultrafast"),
];

/// The prices of a tier by the number of tokens above which they are asked.
fn by_length(value: &Value, ending: &str) -> Vec<(u64, Value)> {
    let input = "input_cost_per_token";
    if let (true, Some(tiers)) = (ending.is_empty(), value["tiered_pricing"].as_array())
        && value[input].is_null()
    {
        let from = |tier: &Value| tier["range"][0].as_f64().unwrap_or(0.0) as u64;
        let priced = |tier: &Value| Some((from(tier), prices_of(tier, "", "")?));
        return tiers.iter().filter_map(priced).collect();
    }
    let mut lengths = vec![0];
    for key in value.as_object().into_iter().flat_map(Map::keys) {
        let above = key
            .strip_prefix(input)
            .and_then(|it| it.strip_prefix("_above_"));
        let above = above.and_then(|it| it.strip_suffix(ending)?.strip_suffix("k_tokens"));
        lengths.extend(
            above
                .and_then(|it| it.parse::<u64>().ok())
                .map(|it| it * 1_000),
        );
    }
    lengths.sort_unstable();
    let priced = |above: u64| {
        let length = match above {
            0 => String::new(),
            above => format!("_above_{}k_tokens", above / 1_000),
        };
        Some((above, prices_of(value, &length, ending)?))
    };
    lengths.into_iter().filter_map(priced).collect()
}

/// Of a million tokens: input, output, read from the cache, kept in it, and kept for an hour, as far as they are listed.
fn prices_of(value: &Value, length: &str, ending: &str) -> Option<Value> {
    let price = |name: &str| value[format!("{name}{length}{ending}")].as_f64();
    let kept = "cache_creation_input_token_cost";
    let prices = [
        Some(price("input_cost_per_token")?),
        Some(price("output_cost_per_token")?),
        price("cache_read_input_token_cost"),
        price(kept).filter(|it| *it > 0.0),
        price(&format!("{kept}_above_1hr")).filter(|it| *it > 0.0),
    ];
    let last = prices.iter().rposition(Option::is_some)?;
    let million = |price: &Option<f64>| price.map_or(Value::Null, million);
    Some(prices[..=last].iter().map(million).collect())
}

/// The number by which all prices differ from the usual ones, if it is one for all lengths and kinds.
fn factor_of(prices: &[(u64, Value)], usual: &[(u64, Value)]) -> Option<f64> {
    let flat = |prices: &[(u64, Value)]| {
        let numbers = |(above, prices): &(u64, Value)| {
            let prices = prices.as_array().cloned().unwrap_or_default();
            prices
                .into_iter()
                .map(|it| (*above, it.as_f64()))
                .collect::<Vec<_>>()
        };
        prices.iter().flat_map(numbers).collect::<Vec<_>>()
    };
    let (prices, usual) = (flat(prices), flat(usual));
    let factor = prices.first()?.1? / usual.first()?.1?;
    let is_same = |at: usize| {
        let ((above, price), (usual_above, usual)) = (prices[at], usual[at]);
        let fits = match (price, usual) {
            (Some(price), Some(usual)) => (price - usual * factor).abs() < 1e-9,
            (price, usual) => price == usual,
        };
        fits && above == usual_above
    };
    let are_same = prices.len() == usual.len() && (0..prices.len()).all(is_same);
    are_same.then_some((factor * 1e6).round() / 1e6)
}

/// In dollars for a million tokens, to the millionth of a dollar.
fn million(price: f64) -> Value {
    number((price * 1e12).round() / 1e6)
}

/// A number in as few characters as it has.
fn number(value: f64) -> Value {
    match value.fract() == 0.0 {
        true => (value as u64).into(),
        false => value.into(),
    }
}

fn row(name: &str, entry: &Map<String, Value>) -> Result<String> {
    let mut row = String::new();
    write!(row, " \"{name}\": {}", serde_json::to_string(entry)?)?;
    Ok(row)
}
