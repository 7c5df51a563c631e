//! Several jobs of one assembler at the same time, for hosts whose calls overlap.

use super::assembler::GhostBlockAssembler;
use super::job::Job;
use turnkeeper_base::sorted_map::SortedMap;

/// The jobs that stand aside, by the numbers that the host gave them. The one in hand is the
/// assembler's own.
#[derive(Debug, Default)]
pub struct Tasks {
    in_hand: u32,
    aside: SortedMap<u32, Box<Job>>,
}

impl Tasks {
    /// Has the assembler go on with a task; the one before stands aside as it is. A number that is
    /// new is a task that nothing was begun for.
    pub fn take_up(&mut self, assembler: &mut GhostBlockAssembler, task: u32) {
        if task == self.in_hand {
            return;
        }
        let next = self.aside.remove(&task);
        if let Some(job) = std::mem::replace(&mut assembler.job, next) {
            self.aside.insert(self.in_hand, job);
        }
        self.in_hand = task;
    }

    /// Forgets a task, whether it is in hand or not.
    pub fn drop_task(&mut self, assembler: &mut GhostBlockAssembler, task: u32) {
        if task == self.in_hand {
            assembler.cancel();
        }
        self.aside.remove(&task);
    }

    /// Has the jobs that stand aside evaluated again, since the conversation has changed.
    pub fn evaluate_again(&mut self) {
        for (_, job) in self.aside.entries_mut() {
            job.evaluate_again();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, AssemblerOptions, Request, Work};
    use super::*;

    fn begin(
        assembler: &mut GhostBlockAssembler,
        tasks: &mut Tasks,
        task: u32,
        prompt: &str,
    ) -> Vec<Request> {
        tasks.take_up(assembler, task);
        assembler.begin(Work::Prompt, prompt);
        assembler.take_requests()
    }

    fn block(assembler: &mut GhostBlockAssembler) -> String {
        let _ = assembler.take_requests();
        assert!(assembler.is_ready());
        let prompt = assembler.finish_prompt(None).expect("ready");
        prompt.block.to_string()
    }

    #[test]
    fn a_task_that_ends_later_has_what_the_earlier_one_brought() {
        let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work")).expect("root");
        let mut tasks = Tasks::default();
        let first = begin(&mut assembler, &mut tasks, 1, "@[a]");
        let second = begin(&mut assembler, &mut tasks, 2, "@[b]");
        let answer = Answer::content("B");
        assembler.answer(second[0].id, answer).expect("it waits");
        let text = block(&mut assembler);
        assert!(
            text.contains("\"b\": \"B\"") && !text.contains("\"a\""),
            "{text}"
        );
        tasks.evaluate_again();

        tasks.take_up(&mut assembler, 1);
        let answer = Answer::content("A");
        assembler.answer(first[0].id, answer).expect("it waits");
        // The items to which the conversation refers by now are read, too.
        for request in assembler.take_requests() {
            assert_eq!(request.source.name, "b");
            let answer = Answer::content("B2");
            assembler.answer(request.id, answer).expect("it waits");
        }
        let text = block(&mut assembler);
        assert!(
            text.contains("\"b\": \"B2\"") && text.contains("\"a\": \"A\""),
            "{text}"
        );
    }

    #[test]
    fn unchanged_is_said_of_the_version_that_was_named() {
        let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work")).expect("root");
        let mut tasks = Tasks::default();
        let version = |text: &str, version: &str| Answer::Content {
            text: text.into(),
            version: Some(version.to_owned()),
        };
        let first = begin(&mut assembler, &mut tasks, 1, "@[a]");
        assembler
            .answer(first[0].id, version("one", "1"))
            .expect("it waits");
        block(&mut assembler);
        let slow = begin(&mut assembler, &mut tasks, 2, "@[a] still?");
        assert_eq!(slow[0].known_version.as_deref(), Some("1"));
        let quick = begin(&mut assembler, &mut tasks, 3, "@[a] now?");
        assembler
            .answer(quick[0].id, version("two", "2"))
            .expect("it waits");
        block(&mut assembler);
        tasks.evaluate_again();
        tasks.take_up(&mut assembler, 2);
        assembler
            .answer(slow[0].id, Answer::Unchanged)
            .expect("it waits");
        assert!(block(&mut assembler).contains("\"a\": \"one\""));
    }

    #[test]
    fn a_task_that_is_dropped_leaves_the_others() {
        let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work")).expect("root");
        let mut tasks = Tasks::default();
        let first = begin(&mut assembler, &mut tasks, 1, "@[a]");
        let second = begin(&mut assembler, &mut tasks, 2, "@[b]");
        tasks.drop_task(&mut assembler, 1);
        assembler
            .answer(second[0].id, Answer::content("B"))
            .expect("it waits");
        assert!(block(&mut assembler).contains("\"b\""));
        tasks.take_up(&mut assembler, 1);
        assert!(assembler.answer(first[0].id, Answer::Missing).is_err());
    }
}
