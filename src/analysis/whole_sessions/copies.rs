//! Work that several files tell of was done once.

use super::*;

/// A session with eight calls in a loop, a record each, and what each answer used.
fn looping() -> Vec<Record<'static>> {
    let mut records = vec![record(100, 0.0, vec![asks("Why does the build fail?")])];
    for step in 0..8 {
        let minute = 1.0 + step as f64;
        let call = record(200 + step as u64, minute, calls(step, "build.log"));
        let usage = used(&format!("msg_{step}"), "claude-sonnet-4-5", 1_000.0, 50.0);
        records.push(with_usage(call, usage));
        records.push(record(
            300 + step as u64,
            minute,
            answers(step, "Compiling…"),
        ));
    }
    records
}

/// The same, and words of the user in another session.
fn fork(number: u64) -> Vec<Record<'static>> {
    let mut records = looping();
    let minute = 60.0 + number as f64;
    records.push(record(1_000 + number, minute, vec![asks("Another way.")]));
    records
}

#[test]
fn a_loop_that_was_copied_is_one_loop_of_the_session_that_began_first() {
    let alone = all(vec![audited("a", &looping())]).total;
    assert_eq!(
        (alone.stops, alone.counts.calls, alone.usage.requests),
        (1, 8, 8)
    );
    let names = ["d", "c", "b", "a"];
    let session = |name: &&str| match *name {
        "a" => audited("a", &looping()),
        name => audited(name, &fork(u64::from(name.as_bytes()[0]))),
    };
    for first in 0..names.len() {
        let mut names = names.to_vec();
        names.rotate_left(first);
        let Summed { sessions, total } = all(names.iter().map(session).collect());
        assert_eq!(total.stops, 1);
        assert_eq!(
            (total.counts.calls, total.counts.turns, total.counts.copied),
            (8, 8, 51)
        );
        assert_eq!(total.usage, alone.usage);
        assert_eq!(total.saveable.loops, alone.saveable.loops);
        assert!(total.saveable.loops.dollars <= total.usage.dollars);
        assert_eq!(total.tokens.results, alone.tokens.results);
        for session in sessions {
            let is_first = session.report.session.file == "a";
            assert_eq!(session.report.loops.len(), usize::from(is_first));
            assert_eq!(session.report.usage.requests, if is_first { 8 } else { 0 });
            assert_eq!(
                session.report.usage.dollars.is_some_and(|it| it > 0.0),
                is_first
            );
        }
    }
}

#[test]
fn a_session_that_began_later_has_what_it_did_itself() {
    let mut later = looping();
    later.insert(0, record(1, 50.0, vec![asks("Go on.")]));
    let own = with_usage(
        record(2, 51.0, calls(99, "other.log")),
        used("own", "claude-sonnet-4-5", 7.0, 5.0),
    );
    later.push(own);
    let Summed { sessions, total } =
        all(vec![audited("later", &later), audited("first", &looping())]);
    let report = &sessions[0].report;
    assert_eq!((report.counts.calls, report.usage.tokens), (1, 12));
    assert_eq!(
        (total.counts.calls, total.usage.requests, total.stops),
        (9, 9, 1)
    );
}

#[test]
fn a_record_that_is_written_again_was_done_once() {
    let once = all(vec![audited("a", &looping())]).total;
    let mut records = looping();
    // Its reader knows them by their keys.
    records.extend(looping().into_iter().map(|record| Record {
        is_again: true,
        ..record
    }));
    let again = all(vec![audited("a", &records)]).total;
    assert_eq!(again, once);
}

#[test]
fn records_without_a_key_each_stand_for_themselves() {
    let mut records = looping();
    records.iter_mut().for_each(|record| record.key = None);
    let total = all(vec![audited("a", &records), audited("b", &records)]).total;
    assert_eq!(
        (total.counts.calls, total.stops, total.counts.copied),
        (16, 2, 0)
    );
    // Their answers are known by ids of their own.
    assert_eq!(total.usage.requests, 8);
}

#[test]
fn a_session_of_another_time_keeps_what_it_did() {
    let period = Period {
        since: NOON + 30.0 * 60_000.0,
        until: f64::INFINITY,
    };
    let sessions = vec![audited("a", &looping()), audited("b", &fork(1))];
    let Summed { sessions, total } = sum(sessions, period);
    assert_eq!(sessions.len(), 1);
    assert_eq!(
        (total.counts.calls, total.usage.tokens, total.stops),
        (0, 0, 0)
    );
}
