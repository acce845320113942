"""Sentence of a stored alert, for emails, pages, feeds, webhooks and the API: a template selected by rule and cause, and its values."""

from collections.abc import Mapping

import msgspec

from findable.monitor.alert_rules import AlertRule
from findable.notify.event_words import alert_sentence
from findable.store.alert_statements import AlertRow
from findable.wording import Translator


def template_of(row: AlertRow) -> str:
    """Return the sentence as a template for translation."""
    return AlertRule(row.rule).message_of(row.cause)


def values_of(row: AlertRow) -> Mapping[str, str | int]:
    """Return the values of the placeholders in the sentence of the alert."""
    return {"count": max(1, row.pages_count), **msgspec.json.decode(row.details_json)}


def sentence_of(row: AlertRow, say: Translator) -> str:
    """Return the sentence in the language of ``say``."""
    return alert_sentence(template_of(row), values_of(row), say)
