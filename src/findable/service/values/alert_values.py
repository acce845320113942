"""Inputs and outputs of the use cases of alerts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from findable.monitor.alert_rules import AlertRule
from findable.monitor.alert_states import Phase
from findable.notify.event_words import alert_sentence
from findable.wording import Translator


class AlertView(Struct, frozen=True):
    """Alert for display to people of the account."""

    id: int
    project_id: int | None
    project: str
    """Name of the project; empty for the network of this service."""
    project_title: str
    """Display name of the project; empty for its host."""
    rule: AlertRule
    phase: Phase
    message: str
    """Sentence as a template for translation, filled with the values."""
    values: Mapping[str, str | int]
    pages_count: int
    examples: tuple[str, ...]
    opened_at: datetime
    closed_at: datetime | None
    is_unstable: bool
    acknowledged_at: datetime | None = None
    paused_until: datetime | None = None
    """End of the pause without notifications; None without a pause."""

    def sentence(self, say: Translator) -> str:
        """Return the sentence in the language of ``say``."""
        return alert_sentence(self.message, self.values, say)


class AlertQuery(Struct, frozen=True):
    """Query for alerts, newest first."""

    project: str = ""
    is_open: bool | None = None
    before: int | None = None
    limit: int = 10


class AlertChanges(Struct, frozen=True):
    """Changes of an alert. Only fields that are sent change."""

    acknowledged: Literal[0, 1] | UnsetType = UNSET
    """1: acknowledged, so that summaries do not list it again; 0: not acknowledged."""
    paused_until: datetime | UnsetType | None = UNSET
    """No notifications until this time; empty or null ends the pause."""
