//! The models that are watched more strictly.

use std::fmt;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use super::MACHINE;
use super::options::PreviewModel;
use turnkeeper_base::error::{Error, ErrorCode};

/// Without the option, a model is a preview model if its name contains this.
const USUAL_PART: &str = "preview";
/// A compiled pattern may take this many bytes.
const MAX_PATTERN_SIZE: usize = 1 << 20;

/// Tells preview models by their names.
#[derive(Debug, Clone)]
pub(crate) enum PreviewModels {
    /// The name contains this, ASCII case ignored.
    Containing(String),
    /// The pattern matches the name.
    Matching(Arc<dyn Pattern>),
    /// JavaScript matches its own expressions and says so with each prompt.
    ToldByHost,
}

/// Who matches a pattern.
#[derive(Debug, Clone, Copy)]
pub struct PatternMatcher(Option<Compile>);

type Compile = fn(source: &str, flags: &str) -> Result<Arc<dyn Pattern>, Error>;

impl PatternMatcher {
    /// This crate, by the syntax of the crate `regex`. It is reached from here alone, so that a program whose host
    /// matches every pattern has no engine for patterns inside.
    pub const CORE: Self = Self(Some(compile));
    /// The host, by JavaScript's syntax.
    pub const HOST: Self = Self(None);
}

/// A pattern that was compiled.
pub(crate) trait Pattern: fmt::Debug + Send + Sync {
    fn matches(&self, model: &str) -> bool;
}

impl Pattern for Regex {
    fn matches(&self, model: &str) -> bool {
        self.is_match(model)
    }
}

impl PreviewModels {
    /// # Errors
    /// `invalid_config` for a pattern that this crate is to match and cannot read.
    pub(crate) fn new(
        option: Option<&PreviewModel>,
        matcher: PatternMatcher,
    ) -> Result<Self, Error> {
        match option {
            None => Ok(Self::Containing(USUAL_PART.to_owned())),
            Some(PreviewModel::Contains(part)) => Ok(Self::Containing(part.clone())),
            Some(PreviewModel::Pattern { source, flags }) => match matcher.0 {
                Some(compile) => compile(source, flags).map(Self::Matching),
                None => Ok(Self::ToldByHost),
            },
        }
    }

    pub(crate) fn include(&self, model: &str) -> bool {
        match self {
            Self::Containing(part) => contains_ignoring_case(model, part),
            Self::Matching(pattern) => pattern.matches(model),
            Self::ToldByHost => false,
        }
    }
}

fn compile(source: &str, flags: &str) -> Result<Arc<dyn Pattern>, Error> {
    let mut builder = RegexBuilder::new(source);
    builder.size_limit(MAX_PATTERN_SIZE);
    for flag in flags.chars() {
        match flag {
            'i' => builder.case_insensitive(true),
            'm' => builder.multi_line(true),
            's' => builder.dot_matches_new_line(true),
            'x' => builder.ignore_whitespace(true),
            // They change where a search begins, what it returns, or what is so here anyway.
            'd' | 'g' | 'u' | 'v' | 'y' => continue,
            _ => {
                let message = format!("must not have the flag {flag}");
                let error = Error::new(ErrorCode::InvalidConfig, MACHINE, message);
                return Err(error.at("previewModel.flags"));
            }
        };
    }
    let pattern = builder.build().map_err(|error| {
        let message = "must be a regular expression of the crate `regex`";
        Error::new(ErrorCode::InvalidConfig, MACHINE, message)
            .at("previewModel.source")
            .caused_by(error)
    });
    Ok(Arc::new(pattern?))
}

fn contains_ignoring_case(name: &str, part: &str) -> bool {
    let part = part.as_bytes();
    part.is_empty()
        || name
            .as_bytes()
            .windows(part.len())
            .any(|window| window.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn models(option: Option<PreviewModel>) -> Result<PreviewModels, Error> {
        PreviewModels::new(option.as_ref(), PatternMatcher::CORE)
    }

    fn pattern(source: &str, flags: &str) -> Result<PreviewModels, Error> {
        models(Some(PreviewModel::Pattern {
            source: source.to_owned(),
            flags: flags.to_owned(),
        }))
    }

    #[test]
    fn a_model_is_found_by_a_part_of_its_name() {
        let usual = models(None).expect("no pattern");
        for (model, is_preview) in [
            ("gemini-3-pro-preview", true),
            ("gemini-pro-PREVIEW-05", true),
            ("gemini-2.0-flash", false),
            ("previe", false),
            ("", false),
        ] {
            assert_eq!(usual.include(model), is_preview, "{model}");
        }
        let every = models(Some(PreviewModel::Contains(String::new()))).expect("no pattern");
        assert!(every.include("") && every.include("any"));
    }

    #[test]
    fn a_model_is_found_by_a_pattern() {
        let exact = pattern("^gpt-[0-9]+-exp$", "").expect("valid");
        assert!(exact.include("gpt-5-exp") && !exact.include("GPT-5-exp"));
        let loose = pattern("^gpt-[0-9]+-exp$", "giu").expect("valid");
        assert!(loose.include("GPT-5-EXP") && !loose.include("a-gpt-5-exp"));
        assert!(
            loose.include("gpt-5-exp"),
            "no search remembers the one before"
        );
    }

    #[test]
    fn a_pattern_that_cannot_be_read_is_refused_unless_the_host_matches_it() {
        for (source, flags, field) in [
            ("(", "", "previewModel.source"),
            ("a(?=b)", "", "previewModel.source"),
            ("a{1000}{1000}{1000}", "", "previewModel.source"),
            ("a", "q", "previewModel.flags"),
        ] {
            let error = pattern(source, flags).expect_err(source);
            assert_eq!(error.code(), ErrorCode::InvalidConfig);
            assert_eq!(error.field(), Some(field), "{source}");
        }
        let option = PreviewModel::Pattern {
            source: "a(?=b)".to_owned(),
            flags: String::new(),
        };
        let models = PreviewModels::new(Some(&option), PatternMatcher::HOST).expect("not read");
        assert!(!models.include("ab"));
    }
}
