"""Alerts open when they are confirmed, are told once, and close when they are over."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from findable.monitor.alert_states import (
    DAY_S,
    FLAPPING_CHANGES,
    GATHER_S,
    MINUTE_S,
    RECOVER_AFTER_S,
    UP,
    AlertState,
    MessageKind,
    Phase,
    Policy,
    Signal,
    Subject,
    SubjectUpdate,
    acknowledge,
    due_notification,
    next_at,
    update_alert,
    update_subject,
)

ONCE = Policy((120,))
THRICE = Policy((60, 300, 900))
BAD, GOOD, UNSURE = Signal.BAD, Signal.GOOD, Signal.INCONCLUSIVE
Message = tuple[int, MessageKind]


class Watch:
    """One alert about a few subjects, on a clock that runs."""

    def __init__(self, policy: Policy, subjects: int = 1) -> None:
        self.policy = policy
        self.state = AlertState()
        self.subjects = [Subject()] * subjects
        self.messages: list[Message] = []
        self.at = 0

    def see(self, at: int, signal: Signal, number: int = 0) -> SubjectUpdate:
        self.tick(at)
        found = update_subject(self.subjects[number], signal, at, self.policy)
        self.subjects[number] = found.subject
        phases = [subject.phase for subject in self.subjects]
        self.state = update_alert(self.state, phases.count(Phase.OPEN), phases.count(Phase.RECOVERING), at)
        self.tell(at)
        return found

    def tick(self, until: int) -> None:
        """Let the time pass, and tell what is due on the way."""
        assert until >= self.at
        for _ in range(100):
            due = next_at(self.state, self.at)
            if due is None or due > until:
                break
            self.at = max(due, self.at)
            before = self.state
            self.tell(self.at)
            if self.state == before and next_at(self.state, self.at) == due:
                raise AssertionError("due for ever", self.state)
        self.at = until

    def tell(self, at: int) -> None:
        told = due_notification(self.state, at, self.policy)
        self.state, self.at = told.state, at
        if told.message is not None:
            self.messages.append((at, told.message))
        if self.policy.is_event and told.message is not None:
            self.subjects = [Subject()] * len(self.subjects)

    @property
    def kinds(self) -> list[MessageKind]:
        return [kind for _, kind in self.messages]


def test_what_is_not_confirmed_is_not_told() -> None:
    watch = Watch(THRICE)
    assert watch.see(0, BAD).next_run_at == 60
    assert watch.see(60, BAD).next_run_at == 360
    assert watch.see(360, BAD).next_run_at == 1260
    watch.see(1260, GOOD)
    watch.tick(30 * DAY_S)
    assert (watch.messages, watch.state) == ([], AlertState())


def test_inconclusive_runs_change_nothing() -> None:
    watch = Watch(ONCE)
    for at in range(0, 10 * DAY_S, 3600):
        watch.see(at, UNSURE)
    assert watch.state == AlertState()
    watch.see(10 * DAY_S, BAD)
    watch.see(10 * DAY_S + 60, UNSURE)
    watch.see(10 * DAY_S + 120, BAD)
    watch.tick(10 * DAY_S + 120 + GATHER_S)
    assert watch.kinds == [MessageKind.OPENED]
    for at in range(11 * DAY_S, 12 * DAY_S, 3600):
        watch.see(at, UNSURE)
    assert watch.state.phase is Phase.OPEN


def test_an_outage_is_told_after_three_repetitions_and_its_end_after_two_good_runs() -> None:
    watch = Watch(THRICE)
    again: int | None = 0
    for signal in (BAD, BAD, BAD, BAD):
        assert again is not None
        again = watch.see(again, signal).next_run_at
    assert again is None
    watch.tick(4000)
    assert watch.messages == [(1260 + GATHER_S, MessageKind.OPENED)]
    assert watch.see(4000, GOOD).next_run_at == 4000 + RECOVER_AFTER_S
    assert watch.kinds == [MessageKind.OPENED]
    watch.see(4900, GOOD)
    assert watch.messages[1:] == [(4900, MessageKind.CLOSED)]


def test_an_alert_that_stays_open_is_told_once() -> None:
    watch = Watch(Policy())
    watch.see(0, BAD)
    watch.tick(400 * DAY_S)
    assert watch.messages == [(GATHER_S, MessageKind.OPENED)]
    watch.state = acknowledge(watch.state, 400 * DAY_S)
    watch.tick(500 * DAY_S)
    assert (watch.kinds, watch.state.phase) == ([MessageKind.OPENED], Phase.ACKNOWLEDGED)


def test_a_crawl_recovers_with_its_first_good_run() -> None:
    watch = Watch(Policy(good_runs=1))
    watch.see(0, BAD)
    watch.tick(2 * GATHER_S)
    assert watch.see(7 * DAY_S, GOOD).next_run_at is None
    assert watch.kinds == [MessageKind.OPENED, MessageKind.CLOSED]


def test_many_pages_of_one_cause_are_one_message() -> None:
    watch = Watch(ONCE, subjects=400)
    for number in range(400):
        watch.see(number, BAD, number)
    for number in range(400):
        watch.see(400 + number, BAD, number)
    watch.tick(2 * GATHER_S)
    assert watch.kinds == [MessageKind.OPENED]
    for turn in (1, 2):
        for number in range(400):
            watch.see(turn * DAY_S // 2 + number, GOOD, number)
    assert watch.kinds == [MessageKind.OPENED, MessageKind.CLOSED]


def test_a_flapping_alert_is_told_until_it_is_unstable_and_then_left_to_the_digest() -> None:
    watch = Watch(Policy())
    for at in range(0, 3 * DAY_S, 3600):
        watch.see(at, BAD if at // 7200 % 2 else GOOD)
    assert watch.kinds == [MessageKind.OPENED, MessageKind.CLOSED, MessageKind.OPENED][: len(watch.kinds)]
    assert watch.state.is_unstable(watch.at)
    told = len(watch.messages)
    assert told == 3
    watch.tick(5 * DAY_S)
    assert not watch.state.is_unstable(watch.at)
    assert len(watch.messages) <= told + 1


def test_nothing_is_told_in_a_pause_and_what_was_told_before_stays_silent_after_it() -> None:
    watch = Watch(Policy(), subjects=1)
    watch.see(0, BAD)
    watch.tick(GATHER_S)
    watch.state = structs.replace(watch.state, paused_until=20 * DAY_S)
    watch.tick(19 * DAY_S)
    assert watch.kinds == [MessageKind.OPENED]
    fresh = Watch(Policy())
    fresh.state = AlertState(paused_until=DAY_S)
    fresh.see(0, BAD)
    fresh.tick(DAY_S - 1)
    assert fresh.messages == []
    fresh.tick(DAY_S)
    assert fresh.messages == [(DAY_S, MessageKind.OPENED)]  # it is still so


def test_a_change_is_told_once_and_has_no_end() -> None:
    watch = Watch(Policy(is_event=True))
    watch.see(0, BAD)
    watch.see(60, GOOD)
    watch.tick(30 * DAY_S)
    watch.see(30 * DAY_S, BAD)
    watch.tick(60 * DAY_S)
    assert watch.kinds == [MessageKind.OPENED, MessageKind.OPENED]


Runs = st.lists(st.tuples(st.integers(1, 2 * DAY_S), st.sampled_from(list(Signal)), st.integers(0, 2)), max_size=80)


@given(Runs, st.sampled_from([Policy(), ONCE, THRICE]), st.lists(st.integers(0, 79), max_size=3))
@settings(max_examples=150, deadline=None)
def test_messages_alternate_and_never_come_without_confirmed_cause(
    runs: list[tuple[int, Signal, int]], policy: Policy, known: list[int]
) -> None:
    watch = Watch(policy, subjects=3)
    at, bad = 0, [0, 0, 0]
    most = [0, 0, 0]
    for turn, (after, signal, number) in enumerate(runs):
        at += after
        if signal is not Signal.INCONCLUSIVE:
            bad[number] = bad[number] + 1 if signal is Signal.BAD else 0
            most[number] = max(most[number], bad[number])
        watch.see(at, signal, number)
        if turn in known:
            watch.state = acknowledge(watch.state, at)
    watch.tick(at + 60 * DAY_S)
    assert watch.kinds == ([MessageKind.OPENED, MessageKind.CLOSED] * len(watch.kinds))[: len(watch.kinds)]
    if watch.messages:
        assert max(most) > len(policy.confirm_after_s)
    for begin in range(0, at, DAY_S):
        within = [kind for moment, kind in watch.messages if begin <= moment < begin + DAY_S]
        assert len(within) <= FLAPPING_CHANGES + 2
    is_up = any(subject.phase in UP for subject in watch.subjects)
    assert (watch.state.phase in UP) == is_up
    if watch.state.phase is Phase.OPEN:
        assert watch.state.is_notified  # nothing that is open stays untold


@given(Runs)
@settings(max_examples=50, deadline=None)
def test_good_and_inconclusive_runs_are_never_told(runs: list[tuple[int, Signal, int]]) -> None:
    watch = Watch(Policy(), subjects=3)
    at = 0
    for after, signal, number in runs:
        at += after
        watch.see(at, Signal.GOOD if signal is Signal.BAD else signal, number)
    watch.tick(at + MINUTE_S)
    assert watch.messages == []
