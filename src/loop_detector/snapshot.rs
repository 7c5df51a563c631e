//! Saving a detector and going on later.

use super::{
    LoopDetector, LoopReport, LoopType, LoopVerdict, MACHINE, PromptState, USER_PROMPT_UNITS,
};
use crate::error::{Error, ErrorCode};
use crate::setting::Setting;
use crate::snapshot::{Codec, Corrupt, Format, Reader, Writer};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'l',
    version: 1,
};

impl LoopDetector {
    /// The detector as bytes, the same on every platform. They hold the options, the prompt's id
    /// and the beginning of its text, the last few thousand units of prose and reasoning, and
    /// hashes of calls; arguments and results only where a report quotes them. At most 60 KB,
    /// unless the options or the prompt's id are large or ask for much.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        self.clone().save()
    }

    /// The same, but for what a snapshot does not need to hold, which is forgotten.
    pub(crate) fn save(&mut self) -> Vec<u8> {
        let mut to = Writer::new(FORMAT);
        self.own.save(&mut to);
        let mut codec = Codec::Save(to);
        self.visit(&mut codec);
        // Nothing that is written can be wrong.
        codec.end().unwrap_or_default()
    }

    /// A detector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let from = Reader::open(FORMAT, snapshot)?;
        Self::load(from).map_err(|Corrupt| {
            let message = "the snapshot does not hold a detector";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message)
        })
    }

    fn load(mut from: Reader) -> Result<Self, Corrupt> {
        let own = Setting::load(&mut from)?;
        let mut detector = Self::with(own).map_err(|_| Corrupt)?;
        let mut codec = Codec::Load(from);
        detector.visit(&mut codec);
        codec.end()?;
        Ok(detector)
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.flag(&mut self.enabled);
        self.prompt.visit(codec);
        for rule in &mut self.rules {
            rule.visit(codec);
        }
        self.unanswered.visit(codec);
        self.model_check.visit(codec);
        let mut action = match self.verdict {
            LoopVerdict::Ok => 0,
            LoopVerdict::Nudge { .. } => 1,
            LoopVerdict::Stop { .. } => 2,
        };
        codec.number(&mut action, 2);
        if matches!(codec, Codec::Load(_)) && action > 0 {
            let report = LoopReport::new(LoopType::Monologue, "");
            self.verdict = match action {
                1 => LoopVerdict::Nudge { report },
                _ => LoopVerdict::Stop { report },
            };
        }
        if let LoopVerdict::Nudge { report } | LoopVerdict::Stop { report } = &mut self.verdict {
            report.visit(codec);
        }
    }
}

impl PromptState {
    fn visit(&mut self, codec: &mut Codec) {
        codec.some_text(&mut self.id);
        codec.flag(&mut self.is_preview);
        codec.units(&mut self.user_prompt, USER_PROMPT_UNITS);
        codec.count(&mut self.calls);
        codec.flag(&mut self.saw_arguments);
        codec.flag(&mut self.saw_results);
        codec.count(&mut self.strikes);
    }
}
