//! What is refused.

/// Why a text is refused; the line is that of the cursor.
#[derive(Clone, Copy)]
pub(super) enum Refusal {
    Control,
    ByteOrderMark,
    DocumentMarker,
    Directive,
    Anchor,
    Alias,
    Tag,
    ComplexKey,
    BraceAtTop,
    TabIndentation,
    TabBehind,
    Depth,
    Params,
    NoMapping,
    WrongDescription,
    WrongParams,
    Indentation,
    NoColon,
    NestedBehindKey,
    NoValue,
    MoreBehindValue,
    BlockHeader,
    FlowEnd,
    FlowOrder,
    QuoteEnd,
    Escape,
}

impl Refusal {
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Control => "control characters are not supported",
            Self::ByteOrderMark => "byte order marks are not supported",
            Self::DocumentMarker => "markers of documents are not supported",
            Self::Directive => "directives are not supported",
            Self::Anchor => "anchors are not supported",
            Self::Alias => "aliases are not supported",
            Self::Tag => "tags are not supported",
            Self::ComplexKey => "keys other than short text on one line are not supported",
            Self::BraceAtTop => "braces around the whole front matter are not supported",
            Self::TabIndentation => "tabs as indentation are not supported",
            Self::TabBehind => "tabs behind a dash or a colon are not supported",
            Self::Depth => "deeper nesting is not supported",
            Self::Params => "more than 1,000 parameters are not supported",
            Self::NoMapping => "the front matter must be a mapping",
            Self::WrongDescription => "`Description` must be a string",
            Self::WrongParams => "`Params` must be a list of strings",
            Self::Indentation => "the indentation does not fit",
            Self::NoColon => "a key has no colon",
            Self::NestedBehindKey => "a list or mapping cannot begin behind a key",
            Self::NoValue => "a value cannot begin like this",
            Self::MoreBehindValue => "there is more on the line than a value",
            Self::BlockHeader => "what is behind `|` or `>` is not supported",
            Self::FlowEnd => "a bracket is not closed, or what is in it is not indented",
            Self::FlowOrder => "brackets, commas and colons do not fit",
            Self::QuoteEnd => "a quoted text has no end, or is not indented",
            Self::Escape => "this escape is not known",
        }
    }
}
