//! Saving a detector and going on later.

use super::options::LoopDetectorOptions;
use super::{
    CallsByTool, Channel, IdenticalCalls, LoopDetector, LoopReport, LoopVerdict, MACHINE,
    ModelCheck, Passages, PromptState, USER_PROMPT_UNITS,
};
use crate::error::{Error, ErrorCode};
use crate::setting::Setting;
use crate::snapshot::{Corrupt, Format, Reader, Writer};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'l',
    version: 1,
};

impl LoopDetector {
    /// The detector as bytes, the same on every platform. They hold the options, the prompt's id
    /// and the beginning of its text, the last few thousand units of prose and reasoning, and
    /// hashes of calls; arguments and results only where a report quotes them. At most 60 KB,
    /// unless the options or the prompt's id are large.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let mut to = Writer::new(FORMAT);
        self.options.clone().write().save(&mut to);
        to.flag(self.enabled);
        self.prompt.save(&mut to);
        self.identical.save(&mut to);
        self.by_tool.save(&mut to);
        self.text.save(&mut to);
        self.reasoning.save(&mut to);
        self.model_check.save(&mut to);
        to.flag(self.verdict.is_stop());
        if let Some(report) = self.verdict.report() {
            report.save(&mut to);
        }
        to.finish()
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
        let from = &mut from;
        let options = LoopDetectorOptions::read(&Setting::load(from)?).map_err(|_| Corrupt)?;
        let mut detector = Self::new(options).map_err(|_| Corrupt)?;
        detector.enabled = from.flag()?;
        detector.prompt = PromptState::load(from)?;
        detector.identical = IdenticalCalls::load(from)?;
        detector.by_tool = CallsByTool::load(from)?;
        detector.text = Passages::load(from, Channel::Text)?;
        detector.reasoning = Passages::load(from, Channel::Reasoning)?;
        detector.model_check = ModelCheck::load(from)?;
        if from.flag()? {
            let report = LoopReport::load(from)?;
            detector.verdict = LoopVerdict::Stop {
                report: Box::new(report),
            };
        }
        from.end()?;
        Ok(detector)
    }
}

impl PromptState {
    fn save(&self, to: &mut Writer) {
        to.flag(self.id.is_some());
        if let Some(id) = &self.id {
            to.text(id);
        }
        to.flag(self.is_preview);
        to.units(&self.user_prompt);
        to.number(self.calls);
        to.flag(self.saw_arguments);
        to.flag(self.saw_results);
        to.number(self.strikes);
    }

    fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        // Counts that no conversation reaches, so that counting on cannot overflow.
        let most = u64::MAX >> 8;
        let id = if from.flag()? {
            Some(from.text()?.to_owned())
        } else {
            None
        };
        Ok(Self {
            id,
            is_preview: from.flag()?,
            user_prompt: from.units(USER_PROMPT_UNITS)?,
            calls: from.number_to(most)?,
            saw_arguments: from.flag()?,
            saw_results: from.flag()?,
            strikes: from.number_to(most)?,
        })
    }
}
