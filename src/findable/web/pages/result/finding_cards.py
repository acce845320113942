"""Findings as expandable cards, ready for the template."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from markupsafe import Markup, escape
from msgspec import UNSET, Struct
from msgspec.structs import replace

from findable.checks.engine import Evidence
from findable.recheck import page_check_of
from findable.reports.plain import PlainFinding, plain_finding
from findable.reports.reported_finding import AGAINST, AcceptanceTerms, ReportedFinding, in_language
from findable.reports.titles import EFFORTS, FIXERS
from findable.vocabulary import words_of
from findable.web.pages.shared.untrusted_text import isolated, mark_spot, sentence
from findable.wording import Translator

_SHORTEST_SPOT = 2
URLS_SHOWN = 5
"""Maximum number of URLs of a finding in plain words."""
_ABBREVIATION = Markup('<abbr title="{}">{}</abbr>')


class EvidencePiece(Struct, frozen=True):
    """One piece of evidence of a finding. Unknown values are empty."""

    text: Markup
    """Source with the faulty part marked."""
    url: str
    """URL; empty if it is missing or the source contains it."""
    response: str
    """Response of the URL, in words."""
    place: str
    """Line and column, in words."""
    selector: str
    note: str


class Card(Struct, frozen=True):
    """Finding in the form of an expandable card."""

    reported: ReportedFinding
    """The finding, for its documentation and its fixes."""
    id: str
    """Id of the check; the card's anchor."""
    verdict: str
    mark: str
    """Name of the icon; a class of the stylesheet."""
    fact: Markup
    """Finding in a sentence."""
    question: str
    """Question of the check."""
    effort: str
    """Effort of the fix, in words."""
    fixer: str
    """Person who usually fixes it, in words; empty if the check no longer exists."""
    pieces: tuple[EvidencePiece, ...]
    places: int
    """Number of pieces of evidence; possibly more than are stored."""
    accepted: AcceptanceTerms | None
    """Acceptance of the finding; without the name of the person for readers who may not see it."""
    note: str
    """Owner's note for the client; empty for none."""
    plain: PlainFinding | None = None
    """Finding in plain words, if the reader sees those; `fact` is its sentence then."""
    exact: Markup = Markup()
    """Finding in the words of the check, if `fact` is the one in plain words."""

    @property
    def needs_fix(self) -> bool:
        """Whether the finding is a problem or a warning."""
        return self.verdict in AGAINST

    @property
    def can_recheck(self) -> bool:
        """Whether a page shows without a crawl or a full report if the finding is fixed."""
        return self.reported.check is not None and page_check_of(self.reported.check) is not None

    @property
    def urls(self) -> tuple[str, ...]:
        """First different URLs of the evidence: pages, links or images."""
        found = dict.fromkeys(item.url for item in self.reported.evidence if item.url)
        return tuple(islice(found, URLS_SHOWN))

    @property
    def omitted_count(self) -> int:
        """Number of further pieces of evidence, which are not stored."""
        return max(0, self.places - len(self.pieces))


def card(finding: ReportedFinding, say: Translator, *, names: bool, note: str = "", cms: str | None = None) -> Card:
    """Return the card of a finding; ``names``: whether the reader may see who accepted it.

    ``cms``: content management system of the page, empty if unknown, for readers who see findings in plain words; None for others.
    """
    values = (value for value in finding.params.values() if isinstance(value, str))
    return in_plain_words(
        say,
        cms,
        Card(
            reported=finding,
            id=finding.id,
            verdict=finding.verdict.value,
            mark=finding.mark,
            fact=isolated(sentence(finding.summary(say)), values),
            question=finding.question(say),
            effort=say(EFFORTS[finding.effort]) if finding.effort else "",
            fixer=say(FIXERS[finding.check.fixer]) if finding.check else "",
            pieces=tuple(_piece(finding, item, say) for item in finding.evidence),
            places=max(finding.evidence_count, len(finding.evidence)),
            accepted=finding.accepted if names or finding.accepted is None else replace(finding.accepted, by=UNSET),
            note=note,
        ),
    )


def in_plain_words(say: Translator, cms: str | None, shown: Card) -> Card:
    """Return a card in plain words, if the reader sees those (``cms`` is not None) and the check has some."""
    plain = plain_finding(shown.reported.check, cms, say, shown.places) if cms is not None and shown.needs_fix else None
    if plain is None:
        return shown
    return replace(
        shown, plain=plain, fact=marked_words(plain.summary, plain.words), exact=shown.fact, effort=plain.time, fixer=plain.fixer
    )


def marked_words(text: str, words: Mapping[str, str]) -> Markup:
    """Return a text with its technical words marked, each with its explanation."""
    explanations = dict(words)
    if not explanations:
        return escape(text)
    parts = re.split(f"({'|'.join(map(re.escape, explanations))})", text)
    marked = (_ABBREVIATION.format(explanations.pop(part), part) if part in explanations else escape(part) for part in parts)
    return Markup("").join(marked)


def _piece(finding: ReportedFinding, item: Evidence, say: Translator) -> EvidencePiece:
    shown = in_language(item, say)
    text, url, note, status = shown.text, shown.url, shown.note, shown.status
    return EvidencePiece(
        text=mark_spot(text, _spots(finding, shown)),
        url="" if url and url in text and not status else url,
        response=say("returns %(status)s", status=status) if status and str(status) not in note else "",
        place=_position(item, say),
        selector=item.selector,
        note=note,
    )


def _position(item: Evidence, say: Translator) -> str:
    if not item.line:
        return ""
    if item.column:
        return say("Line %(line)s, column %(column)s", line=say.number(item.line), column=say.number(item.column))
    return say("Line %(line)s", line=say.number(item.line))


def _spots(finding: ReportedFinding, item: Evidence) -> Iterator[str]:
    """Yield possibly faulty parts of a piece of source, most likely first."""
    if finding.verdict not in AGAINST:
        return
    mark = finding.check.mark if finding.check else ""
    if mark and (match := re.search(mark, item.text)):
        yield match[0]
    yield from _texts(item.params)
    yield from _texts(finding.params)
    yield from _texts({"url": item.url})


def _texts(params: Mapping[str, Any]) -> Iterator[str]:
    """Yield the values that are quoted from the page, not codes."""
    for name, value in params.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, str) and len(one) >= _SHORTEST_SPOT and words_of(name, one) is None:
                yield one
