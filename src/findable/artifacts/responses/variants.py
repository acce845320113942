"""What extra requests around the page told: the host's variants, an address that cannot exist, the canonical target, language versions."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.page.delivery import Transport
from findable.artifacts.page.hreflang import Hreflang
from findable.artifacts.page.text import words_of
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.assets import NOT_LOOKED_AT, reason
from findable.artifacts.responses.probed_page import ProbedPage, read_probed
from findable.capture.page import Capture
from findable.capture.response import Answer, Failure
from findable.capture.sitemap_summary import SitemapEntry
from findable.vocabulary import Verdict

COMPARED_CHARS = 20_000
LIKENESS = 0.8
"""From this share of common words on, two pages are taken for the same."""
MIN_COMPARED_WORDS = 20


class HostVariants(Struct, frozen=True):
    """The home page asked for by http and https, with and without www."""

    answers: tuple[Answer, ...]
    """Those that were asked, whatever became of them."""

    @property
    def answered(self) -> list[Answer]:
        """Those with a final 2xx."""
        return [answer for answer in self.answers if answer.ok]


class MadeUp(Struct, frozen=True):
    """The answer of an address that cannot exist."""

    answer: Answer
    page: ProbedPage

    @property
    def redirected(self) -> bool:
        """Whether it led elsewhere."""
        return comparable(self.answer.url) != comparable(self.answer.final_url)


class CanonicalTarget(Struct, frozen=True):
    """The page that this one names as canonical, where it is another."""

    url: str
    page: ProbedPage


class LanguageVersions(Struct, frozen=True):
    """The answers of the page's language versions."""

    pages: tuple[ProbedPage, ...]
    """Those that answered, whatever they said."""
    unknown: tuple[Answer, ...]
    """Those that did not, or refused our client."""
    left_count: int
    """Versions that were not asked."""
    listed: Mapping[str, tuple[SitemapEntry, ...]] | None
    """By comparable address, where the sitemaps list them; None where they were not searched."""

    def sitemap_names(self, page: ProbedPage, urls: Iterable[str]) -> bool | None:
        """Whether the sitemap's entry of a version names one of these addresses; None where its language versions are not known."""
        addresses = dict.fromkeys((page.answer.url, page.answer.final_url))
        listed = self.listed or {}
        entries = [entry for url in addresses for entry in listed.get(comparable(url), ()) if entry.alternates]
        wanted = {comparable(url) for url in urls}
        if any(comparable(href) in wanted for entry in entries for _, href in entry.alternates):
            return True
        return False if entries else None


REFUSING = frozenset({401, 403, 407, 429, 451, 503})
"""Statuses that concern our client, or this moment, only."""


@artifact
def make_host_variants(capture: Capture, transport: Transport) -> HostVariants | Absent:
    """Absent where the host has no variants (an address, a port of its own) or where they were not asked."""
    del transport  # stand-ins and loopback hosts have no variants that anybody meets
    asked = tuple(answer for answer in capture.site.variants if answer.failure not in NOT_LOOKED_AT and answer.status not in REFUSING)
    if not capture.site.variants:
        return Absent("no other spelling of the host was asked for", Verdict.UNKNOWN)
    if len(asked) < 2:  # noqa: PLR2004 - one alone cannot be compared
        return Absent("the host's variants: {reason}", Verdict.UNKNOWN, {"reason": reason(capture.site.variants[0])})
    return HostVariants(asked)


@artifact
def make_made_up(capture: Capture) -> MadeUp | Absent:
    """Unknown where it was not asked, did not answer, or refused our client."""
    answer = capture.site.made_up
    page = read_probed(answer)
    if answer is None or page is None or answer.failure is not Failure.NONE or answer.status in REFUSING:
        return _unknown("a made-up address", answer)
    return MadeUp(answer, page)


@artifact
def make_canonical_target(capture: Capture, canonical: Canonical) -> CanonicalTarget | Absent:
    """Absent where the page is its own canonical; unknown where the target was not seen."""
    if canonical.is_self or canonical.target is None:
        return Absent("the page names no other page as canonical")
    answer = capture.probes.canonical
    page = read_probed(answer)
    if answer is None or page is None or answer.status in REFUSING:
        return _unknown("the canonical address", answer)
    return CanonicalTarget(canonical.target, page)


@artifact
def make_language_versions(capture: Capture, hreflang: Hreflang) -> LanguageVersions | Absent:
    """Absent where the page names no other language version; unknown where none was asked."""
    wanted = hreflang.others
    if not wanted:
        return Absent("the page names no other language version")
    answers = capture.probes.alternates
    if not answers:
        return _unknown("the language versions", None)
    pages = [read_probed(answer) for answer in answers if answer.status not in REFUSING]
    seen = tuple(page for page in pages if page)
    unknown = tuple(answer for answer in answers if not answer.hops or answer.status in REFUSING)
    searched = capture.probes.sitemaps_searched
    listed: dict[str, tuple[SitemapEntry, ...]] = {}
    for entry in capture.probes.alternate_entries:
        key = comparable(entry.url)
        listed[key] = (*listed.get(key, ()), entry)
    return LanguageVersions(seen, unknown, max(0, len(wanted) - len(answers)), listed if searched else None)


def _unknown(what: str, answer: Answer | None) -> Absent:
    why = reason(answer) if answer is not None else "not asked"
    return Absent("{what} could not be judged: {reason}", Verdict.UNKNOWN, {"what": what, "reason": why})


def likeness(first: ProbedPage, second: ProbedPage) -> float | None:
    """Share of common words of two pages, 0–1, by what was kept of them; None where there is too little to tell."""
    return likeness_of_texts(_text(first), _text(second))


def likeness_of_texts(first: str, second: str) -> float | None:
    """Share of common words (Jaccard index), 0–1; None where one has fewer than MIN_COMPARED_WORDS different ones."""
    one, other = (set(words_of(text[:COMPARED_CHARS].casefold())) for text in (first, second))
    if min(len(one), len(other)) < MIN_COMPARED_WORDS:
        return None
    return len(one & other) / len(one | other)


def _text(page: ProbedPage) -> str:
    return page.document.text if page.document else ""
