//! Finds: one file written whole 3 times, and nothing else done but reading, talking and edits that are refused; a
//! stop at 6. An output limit may cut each write off.
//! In Chinese: 同一个文件整个重写 3 次，中间只有读取、说话和被拒绝的修改；停止：6 次。
//! Must not find: files that are written once each; a file written anew after other work, or built up piece by piece, or
//! by writing it whole with more each time.
//! The number: 3, one more than healthy sessions have: a draft and a correction are normal.

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::finding::Finding;
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Rewrites {
    run: Run,
    /// Whether the last call was another edit, of which no refusal has come.
    after_edit: bool,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::SameToolDifferentArguments,
    message: "{call} was called {count} times in a row to write the same file whole.",
    feedback: "You seem to be stuck: {message} The output may be cut off each time. Create the file short, then add to it with edits.",
    // The calls alone say it.
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

impl StepRule for Rewrites {
    /// Judged before the file is written once more. Looking and talking in between do not matter.
    fn at_call(&mut self, call: &CallFeatures, limit: u64) -> Option<Finding> {
        if call.is_note || call.looks {
            return None;
        }
        // Another edit ends the run, unless its result will say that it was refused; so does a file that is made piece by piece.
        if self.after_edit || call.adds {
            self.run = Run::default();
        }
        self.after_edit = call.edits && !call.rewrites;
        if self.after_edit {
            return None;
        }
        let key = if call.rewrites { call.path } else { None };
        self.run.add(key, call);
        self.run.judge(Limit::of_edits(limit))
    }

    fn at_result(&mut self, step: &Step, _: &mut History, _: u64) -> Option<Finding> {
        if step.result.refuses_edit {
            self.after_edit = false;
        }
        None
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        Some(self.run.under_way(Limit::of_edits(limit)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::super::features::Step;

    fn rule() -> Rule {
        example::rule("rewrites", 3)
    }

    fn write(path: u64, content: u64) -> Step {
        let mut step = example::step(content, 0);
        step.call.edits = true;
        step.call.rewrites = true;
        step.call.path = Some(path);
        step
    }

    #[test]
    fn one_file_written_whole_again_and_again_is_found() {
        let mut look = example::step(9, 9);
        look.call.looks = true;
        let steps = [
            write(1, 1),
            write(1, 2),
            look,
            write(1, 3),
            write(1, 4),
            write(1, 5),
            write(1, 6),
        ];
        let expected = ["", "", "", "nudge 3", "", "", "stop 6"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn another_file_and_other_work_end_the_run() {
        let other_file = [write(1, 1), write(1, 2), write(2, 1), write(1, 3)];
        assert_eq!(told(&mut rule(), &other_file), [""; 4]);
        let other_work = [write(1, 1), write(1, 2), example::step(5, 5), write(1, 3)];
        assert_eq!(told(&mut rule(), &other_work), [""; 4]);
    }
}
