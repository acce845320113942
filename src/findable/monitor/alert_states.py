"""States of alerts. An alert is one cause on one or many subjects (pages, a site), with one notification for any number of subjects.

Each subject is confirmed and recovers separately (`update_subject`); the alert follows its subjects (`update_alert`);
`due_notification` returns the message that is due. All are pure functions of values and given times.
"""

from enum import StrEnum

from msgspec import Struct, field, structs

MINUTE_S, DAY_S = 60, 86_400
GATHER_S = 600
"""Time after an alert opens until its notification, so that one message covers all pages of a cause."""
RECOVER_AFTER_S = 15 * MINUTE_S
"""Time from the first good run to the run that confirms it."""
FLAPPING_CHANGES = 4
"""Number of state changes within a day from which an alert is unstable and only included in digests."""


class Signal(StrEnum):
    """Result of a rule for one run of a subject."""

    BAD = "bad"
    GOOD = "good"
    INCONCLUSIVE = "inconclusive"
    """No result: a bot challenge, a login page, a 429, or runs that are not comparable. The state does not change."""


class Phase(StrEnum):
    """Phase of a subject or of an alert."""

    OK = "ok"
    SUSPECT = "suspect"
    """Bad, but not confirmed yet."""
    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    """Open and acknowledged by a person: digests do not list it again. For alerts only."""
    RECOVERING = "recovering"
    """Good again, but not confirmed yet."""


UP = frozenset({Phase.OPEN, Phase.ACKNOWLEDGED, Phase.RECOVERING})
"""Phases of an alert that is open."""


class Policy(Struct, frozen=True):
    """Confirmation and notification of a rule."""

    confirm_after_s: tuple[int, ...] = ()
    """Times until the repeated runs for confirmation; empty if the first bad run is sufficient."""
    is_event: bool = False
    """Whether the rule reports a change: one notification, without an end."""
    good_runs: int = 2
    """Number of consecutive good runs after which a subject has recovered."""
    next_run_after_s: int | None = None
    """Time until the next run of an open subject; None for the next planned run."""


class Subject(Struct, frozen=True, omit_defaults=True):
    """State of a page, site or host in an alert."""

    phase: Phase = Phase.OK
    runs: int = 0
    """Number of consecutive bad runs while suspect, or good runs while recovering."""


class SubjectUpdate(Struct, frozen=True):
    """State of a subject after a run, and the time of the run that confirms it."""

    subject: Subject
    next_run_at: int | None = None
    """Time of the run that confirms the state; None for the next planned run."""


def update_subject(subject: Subject, signal: Signal, at: int, policy: Policy) -> SubjectUpdate:
    """Return the subject after a run with the signal."""
    if signal is Signal.INCONCLUSIVE:
        return SubjectUpdate(subject)
    if signal is Signal.BAD:
        return _after_bad(subject, at, policy)
    if subject.phase is Phase.OPEN and policy.is_event:  # an event stays open until its notification is sent
        return SubjectUpdate(subject)
    good = subject.runs + 1 if subject.phase is Phase.RECOVERING else 1
    if subject.phase in (Phase.OPEN, Phase.RECOVERING) and good < policy.good_runs:
        return SubjectUpdate(Subject(Phase.RECOVERING, good), at + RECOVER_AFTER_S)
    return SubjectUpdate(Subject())


def _after_bad(subject: Subject, at: int, policy: Policy) -> SubjectUpdate:
    before = subject.runs if subject.phase is Phase.SUSPECT else 0
    if subject.phase in (Phase.OPEN, Phase.RECOVERING) or before >= len(policy.confirm_after_s):
        return SubjectUpdate(Subject(Phase.OPEN), None if policy.next_run_after_s is None else at + policy.next_run_after_s)
    return SubjectUpdate(Subject(Phase.SUSPECT, before + 1), at + policy.confirm_after_s[before])


class AlertState(Struct, frozen=True, omit_defaults=True):
    """State of an alert between two runs. Times are seconds since 1970."""

    phase: Phase = Phase.OK
    opened_at: int | None = None
    """Time at which it last opened."""
    closed_at: int | None = None
    is_notified: bool = field(default=False, name="is_told")
    """Whether the last notification reported it as open."""
    notified_at: int | None = field(default=None, name="told_at")
    """Time of the last notification."""
    messages: int = 0
    """Number of opening notifications, which is part of the event key."""
    is_urgent: bool = False
    """Whether the last notification that it opened was sent by email at once."""
    changes: tuple[int, ...] = ()
    """Times at which it opened or closed within the last day."""
    paused_until: int = 0
    """End of the pause, during which nothing is sent."""
    acknowledged_at: int | None = None

    def not_after(self, at: int) -> "AlertState":
        """Return the state without times after ``at``, which a wrong clock recorded; the end of a pause stays."""

        def earlier(moment: int | None) -> int | None:
            return None if moment is None else min(moment, at)

        return structs.replace(
            self,
            opened_at=earlier(self.opened_at),
            closed_at=earlier(self.closed_at),
            notified_at=earlier(self.notified_at),
            acknowledged_at=earlier(self.acknowledged_at),
            changes=tuple(min(moment, at) for moment in self.changes),
        )

    def is_unstable(self, at: int) -> bool:
        """Return whether the alert changed so often within a day that it is only included in digests."""
        return len(_changes_within_a_day(self.changes, at)) >= FLAPPING_CHANGES


def _changes_within_a_day(changes: tuple[int, ...], at: int) -> tuple[int, ...]:
    return tuple(moment for moment in changes if moment > at - DAY_S)


def update_alert(state: AlertState, open_count: int, recovering_count: int, at: int) -> AlertState:
    """Return the alert with these numbers of open and recovering subjects."""
    if open_count:
        return _with_open_subjects(state, at)
    if recovering_count:
        return structs.replace(state, phase=Phase.RECOVERING) if state.phase in UP else state
    if state.phase in UP:
        return structs.replace(_with_phase(state, Phase.OK, at), closed_at=at, acknowledged_at=None)
    return state


def _with_open_subjects(state: AlertState, at: int) -> AlertState:
    if state.phase is Phase.RECOVERING:
        return structs.replace(state, phase=Phase.ACKNOWLEDGED if state.acknowledged_at is not None else Phase.OPEN)
    if state.phase in UP:
        return state
    return structs.replace(_with_phase(state, Phase.OPEN, at), opened_at=at, closed_at=None)


def _with_phase(state: AlertState, phase: Phase, at: int) -> AlertState:
    return structs.replace(state, phase=phase, changes=(*_changes_within_a_day(state.changes, at), at))


def acknowledge(state: AlertState, at: int) -> AlertState:
    """Return the alert after a person acknowledged it; a closed alert does not change."""
    if state.phase not in UP:
        return state
    phase = Phase.ACKNOWLEDGED if state.phase is Phase.OPEN else state.phase
    return structs.replace(state, phase=phase, acknowledged_at=at)


class MessageKind(StrEnum):
    """Reason for a message."""

    OPENED = "opened"
    CLOSED = "closed"


class AlertNotification(Struct, frozen=True):
    """Message that is due for an alert, if any, and the state of the alert after it."""

    state: AlertState
    message: MessageKind | None = None


def due_notification(state: AlertState, at: int, policy: Policy) -> AlertNotification:
    """Return the message that is due now, and the alert afterwards."""
    if at < state.paused_until or state.is_unstable(at):
        return AlertNotification(state)
    is_up = state.phase in UP
    if is_up and not state.is_notified:
        if state.phase is not Phase.OPEN or at < (state.opened_at or 0) + GATHER_S:
            return AlertNotification(state)
        if policy.is_event:
            over = structs.replace(state, phase=Phase.OK, closed_at=at, messages=state.messages + 1, notified_at=at)
            return AlertNotification(over, MessageKind.OPENED)
        return AlertNotification(structs.replace(state, is_notified=True, notified_at=at, messages=state.messages + 1), MessageKind.OPENED)
    if not is_up and state.is_notified:
        return AlertNotification(structs.replace(state, is_notified=False), MessageKind.CLOSED)
    return AlertNotification(state)


def next_at(state: AlertState, at: int) -> int | None:
    """Return the time of the next possible notification without another run; None for never."""
    if state.is_unstable(at):
        return _changes_within_a_day(state.changes, at)[-FLAPPING_CHANGES] + DAY_S
    wanted: int | None = None
    if state.phase is Phase.OPEN and not state.is_notified:
        wanted = (at if state.opened_at is None else state.opened_at) + GATHER_S
    elif state.phase not in UP and state.is_notified:
        wanted = at
    return None if wanted is None else max(wanted, state.paused_until)
