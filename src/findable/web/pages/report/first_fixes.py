"""Fixes of a page to make first, and the sentence for a page with nothing to fix."""

import re
from collections.abc import Mapping

from findable.reports.fixes import FIRST_FIXES, first_fixes, fixes_in_order, is_unchecked, score_after_first
from findable.reports.gain_words import short_gain
from findable.reports.google_listing import listing_fix
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.web.pages.result.finding_cards import Card
from findable.web.pages.result.fix_entries import FirstFix
from findable.wording import Translator

_FIRST_SENTENCE = re.compile(r"(?![-*` ])[^\n]+?(?<=[\w)”“`]{3})[.!](?= |\n|$)")
"""First sentence of an instruction; a period after fewer than three letters may be an abbreviation."""


def fixes_of(report: Report, cards: Mapping[str, Card], say: Translator) -> tuple[FirstFix, ...]:
    """Return the fixes of a report that matter most; empty if there is nothing to fix.

    ``cards`` are the findings of the report by check.
    """
    is_only = is_unchecked(report)
    ordered = first_fixes(report) if is_only else fixes_in_order(report)
    return tuple(
        FirstFix(
            card=cards[one.id],
            gain=say("then the content can be checked") if is_only else short_gain(one, say),
            badge=say("then Google can index it") if listing_fix(report) == one.id else "",
            remedy=_remedy(one, cards[one.id], is_first=not place, is_only=is_only, say=say),
            is_whole=is_only or bool(cards[one.id].plain),
        )
        for place, one in enumerate(ordered[: max(FIRST_FIXES, score_after_first(report)[1])])
    )


def _remedy(finding: ReportedFinding, shown: Card, *, is_first: bool, is_only: bool, say: Translator) -> str:
    """Return the text below a fix: the next step in plain words, all of it for the only fix, its first sentence for the first one."""
    if shown.plain:
        return shown.plain.step if is_first else ""
    whole = finding.how_to_fix(say)
    sentence = _FIRST_SENTENCE.match(whole)  # none if it begins with a list or code
    return whole if is_only else sentence[0] if is_first and sentence else ""


def nothing_to_fix(report: Report, say: Translator) -> str:
    """Return a sentence for a report without problems and warnings that are not accepted; empty for other reports."""
    if fixes_in_order(report):
        return ""
    accepted = sum(1 for one in report.findings if one.accepted)
    if accepted:
        return say.plural(
            "Nothing left to fix: %(count)s finding is accepted.", "Nothing left to fix: %(count)s findings are accepted.", accepted
        )
    return say("Nothing to fix: no check found a problem or a warning.")
