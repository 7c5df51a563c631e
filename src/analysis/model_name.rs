//! The names of models: the same one is called differently by each provider.

/// A model's name without what providers and agents add to it: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
/// "anthropic/claude-sonnet-4.5:beta" and "claude-sonnet-4-5[1m]" are Anthropic's claude-sonnet-4-5, the first with a
/// date. Versions stay: another number is another model.
pub(crate) fn plain_name(model: &str) -> String {
    let name = model.trim().to_ascii_lowercase();
    let name = name.split('[').next().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let (name, is_bedrock) = without_makers(name);
    let mut name = name.replace('@', "-");
    if let Some((before, after)) = name.split_once(':') {
        // Bedrock's "-v1:0", and "-v1:0:200k".
        let is_version = is_bedrock || after.starts_with(|it: char| it.is_ascii_digit());
        name = match is_version {
            true => {
                let before = before.strip_suffix("-1").unwrap_or(before);
                without_version(before).to_owned()
            }
            false => before.to_owned(),
        };
    } else if is_bedrock {
        name = without_version(&name).to_owned();
    }
    let name: String = name.trim().chars().map(plain_letter).collect();
    let name = HOSTS
        .iter()
        .fold(&*name, |name, host| name.strip_prefix(host).unwrap_or(name));
    of_claude(name).unwrap_or_else(|| name.replace("gpt-35-", "gpt-3-5-"))
}

/// The same with less at its end, if there is something that makes no other model of it: a date, the amount of
/// thinking, a mark of the latest.
pub(crate) fn shorter(name: &str) -> Option<&str> {
    let is_claude = name.starts_with("claude");
    let is_gemini = name.starts_with("gemini");
    let is_openai = name.starts_with("gpt") || is_of_o_series(name);
    for ending in ["-latest", "-default", "-maas"] {
        if let Some(before) = name.strip_suffix(ending) {
            return Some(before);
        }
    }
    if (is_claude || is_gemini)
        && let Some(before) = name.strip_suffix("-thinking")
    {
        return Some(before);
    }
    if is_claude && let Some(before) = name.strip_suffix("-0") {
        return Some(before);
    }
    if is_gemini && let Some(at) = name.rfind("-preview") {
        return Some(&name[..at]);
    }
    if is_claude || is_gemini || is_openai {
        for effort in EFFORTS {
            if let Some(before) = name.strip_suffix(effort) {
                return Some(before);
            }
        }
    }
    without_date(name)
}

/// Whether nobody asks money for a model: its name says so, or it runs on the user's own machine. There it is called
/// with its size after a colon.
pub(crate) fn is_free(model: &str, provider: Option<&str>) -> bool {
    let model = model.trim().to_ascii_lowercase();
    let first = model.split_once('/').map(|(first, _)| first.to_owned());
    let runner = provider
        .map(str::to_ascii_lowercase)
        .or(first)
        .unwrap_or_default();
    let runner: String = runner.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_own = RUNNERS.iter().any(|name| runner.starts_with(name));
    let is_rented = runner.contains("cloud") || model.ends_with("cloud");
    let has_size = model.rsplit_once(':').is_some_and(|(_, tag)| is_size(tag));
    let is_named = [":free", "-free"].iter().any(|it| model.ends_with(it));
    is_named || (is_own || has_size) && !is_rented
}

/// Whether a tag begins with a number of parameters, as in "30b", "1.5b-instruct" and "270m".
fn is_size(tag: &str) -> bool {
    let size = tag.split('-').next().unwrap_or_default();
    let number = size.strip_suffix(['b', 'm']).unwrap_or_default();
    number.parse::<f64>().is_ok()
}

/// Programs that run models on the user's own machine, as providers are called after them.
const RUNNERS: &[&str] = &[
    "ollama", "lmstudio", "llamacpp", "llamaserver", "llamafile", "localai", "koboldcpp", "mlx",
];

/// Words that stand before the names of other makers' models at some providers.
const HOSTS: &[&str] = &[
    "databricks-", "anthropic--", "anthropic-", "vertex-", "bedrock-",
];

/// The amounts of thinking.
const EFFORTS: &[&str] = &["-none", "-minimal", "-low", "-medium", "-high", "-xhigh"];

fn plain_letter(letter: char) -> char {
    match letter {
        '.' | '_' | ' ' => '-',
        other => other,
    }
}

/// A name without words that a dot follows, as in "us.anthropic.claude-sonnet-4-5"; and whether there were any.
fn without_makers(name: &str) -> (String, bool) {
    let mut rest = name;
    let mut last = None;
    while let Some((word, after)) = rest.split_once('.') {
        let is_word = |letter: char| letter.is_ascii_lowercase() || letter == '-';
        if word.is_empty() || after.is_empty() || !word.chars().all(is_word) {
            break;
        }
        (last, rest) = (Some(word), after);
    }
    match last {
        // Bedrock has "deepseek.r1" and "deepseek.v3".
        Some("deepseek") if !rest.starts_with("deepseek") => (format!("deepseek-{rest}"), true),
        _ => (rest.to_owned(), last.is_some()),
    }
}

/// A name without Bedrock's "-v1" at its end.
fn without_version(name: &str) -> &str {
    match name.rsplit_once("-v") {
        Some((before, digits)) if is_number(digits) && before != "deepseek" => before,
        _ => name,
    }
}

/// Claude's family before its version: "claude-4.5-sonnet" and "claude-3-5-sonnet" are called as the newer ones are.
fn of_claude(name: &str) -> Option<String> {
    let rest = name.strip_prefix("claude-")?;
    let at = ["opus", "sonnet", "haiku"].iter().find_map(|family| {
        let at = rest.find(family)?;
        Some((at, family.len()))
    });
    let (at, length) = at?;
    let version = rest[..at].strip_suffix('-')?;
    let is_version = version
        .split('-')
        .all(|part| is_number(part) && part.len() < 3);
    is_version.then(|| {
        format!(
            "claude-{}-{version}{}",
            &rest[at..at + length],
            &rest[at + length..]
        )
    })
}

fn is_of_o_series(name: &str) -> bool {
    let rest = name.strip_prefix('o').unwrap_or_default();
    rest.starts_with(|it: char| it.is_ascii_digit())
}

/// A name without the date at its end: "-20250929", "-2025-08-07", and "-0709" of makers whose versions are no dates.
fn without_date(name: &str) -> Option<&str> {
    let (before, last) = name.rsplit_once('-')?;
    if !is_number(last) {
        return None;
    }
    let is_short = ["grok", "kimi", "deepseek"]
        .iter()
        .any(|maker| name.starts_with(maker));
    match last.len() {
        8 if last.starts_with("20") => Some(before),
        4 if is_short => Some(before),
        2 => {
            let (before, month) = before.rsplit_once('-')?;
            let (before, year) = before.rsplit_once('-')?;
            let is_date =
                is_number(month) && month.len() == 2 && year.len() == 4 && is_number(year);
            (is_date && year.starts_with("20")).then_some(before)
        }
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_one_name_at_every_provider() {
        for (name, models) in [
            (
                "claude-sonnet-4-5",
                &[
                    "claude-sonnet-4-5",
                    "Claude Sonnet 4.5",
                    "anthropic/claude-sonnet-4.5:beta",
                    "openrouter/anthropic/claude-4.5-sonnet",
                    "claude-sonnet-4-5[1m]",
                    "copilot/claude-sonnet-4.5",
                    "databricks-claude-sonnet-4-5",
                ][..],
            ),
            (
                "claude-sonnet-4-5-20250929",
                &[
                    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
                    "anthropic.claude-sonnet-4-5-20250929-v1:0",
                    "bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0:200k",
                    "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
                    "claude-sonnet-4-5@20250929",
                ],
            ),
            (
                "claude-opus-4-6",
                &["us.anthropic.claude-opus-4-6-v1", "claude-opus-4.6"],
            ),
            (
                "claude-sonnet-3-5-20241022",
                &["claude-3-5-sonnet-20241022"],
            ),
            ("gpt-5-1-codex", &["azure/gpt-5.1-codex", "GPT-5.1-Codex"]),
            (
                "gpt-oss-120b",
                &["openai.gpt-oss-120b-1:0", "openai/gpt-oss-120b:free"],
            ),
            ("deepseek-v3", &["deepseek.v3-v1:0", "deepseek/deepseek-v3"]),
            ("deepseek-r1", &["us.deepseek.r1-v1:0"]),
            ("kimi-k2-5", &["moonshotai.kimi-k2.5", "moonshot/kimi-k2.5"]),
        ] {
            for model in models {
                assert_eq!(plain_name(model), name, "{model}");
            }
        }
    }

    #[test]
    fn a_model_is_free_by_its_name_or_on_the_users_own_machine() {
        for (model, provider, expected) in [
            ("openai/gpt-oss-20b:free", None, true),
            ("glm-4.7-free", Some("opencode"), true),
            ("qwen3-coder:30b", Some("ollama"), true),
            ("ollama_chat/qwen3-coder:30b", None, true),
            ("openai/gpt-oss-20b", Some("LM Studio"), true),
            ("openai/gpt-oss-20b", Some("llama.cpp"), true),
            ("deepseek-r1:8b", None, true),
            ("qwen2.5-coder:1.5b-instruct", None, true),
            ("gpt-oss:120b-cloud", None, false),
            ("anthropic.claude-opus-4-6-v1:0", None, false),
            ("gpt-oss:120b-cloud", Some("ollama"), false),
            ("gpt-oss:120b", Some("ollama-cloud"), false),
            ("openai/gpt-oss-20b", Some("openrouter"), false),
            ("claude-opus-4-8", None, false),
            ("freeform-1", None, false),
        ] {
            assert_eq!(is_free(model, provider), expected, "{model} {provider:?}");
        }
    }

    #[test]
    fn what_makes_no_other_model_can_be_taken_off() {
        for (name, less) in [
            ("claude-sonnet-4-5-20250929", Some("claude-sonnet-4-5")),
            ("gpt-5-2025-08-07", Some("gpt-5")),
            ("gemini-3-pro-preview-06-05", Some("gemini-3-pro")),
            ("claude-opus-4-5-thinking", Some("claude-opus-4-5")),
            ("gpt-5-1-codex-max-xhigh", Some("gpt-5-1-codex-max")),
            ("o3-mini-high", Some("o3-mini")),
            ("grok-4-0709", Some("grok-4")),
            ("claude-opus-4-0", Some("claude-opus-4")),
            ("claude-opus-4-8", None),
            ("claude-opus-4-6-fast", None),
            ("gpt-5-6-luna", None),
            ("gpt-5-mini", None),
            ("o3-pro", None),
            ("kimi-k2-thinking", None),
            ("mistral-large-2407", None),
            ("mistral-medium", None),
            ("", None),
        ] {
            assert_eq!(shorter(name), less, "{name}");
        }
    }
}
