"""Responses around the page: host variants, a URL that cannot exist, the canonical target, language versions."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.page.delivery import Transport
from findable.artifacts.page.hreflang import Hreflang
from findable.artifacts.page.text import words_of
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.assets import NOT_LOOKED_AT, outcome
from findable.artifacts.responses.probed_page import ProbedPage, read_probed
from findable.capture.page import Capture
from findable.capture.response import Answer, Failure
from findable.capture.sitemap_summary import SitemapEntry
from findable.vocabulary import Code, Verdict

COMPARED_CHARS = 20_000
LIKENESS = 0.8
"""Share of common words from which two pages count as the same."""
MIN_COMPARED_WORDS = 20


class Probe(Code, params=("what",)):
    """URL that is requested to be compared with the page."""

    NON_EXISTENT_URL = "non_existent_url", "a made-up address"
    CANONICAL_URL = "canonical_url", "the canonical address"
    LANGUAGE_VERSIONS = "language_versions", "the language versions"


class HostVariants(Struct, frozen=True):
    """Home page requested by http and https, with and without www."""

    answers: tuple[Answer, ...]
    """Responses of the requested variants, whatever their outcome."""

    @property
    def answered(self) -> list[Answer]:
        """Responses with a final 2xx."""
        return [answer for answer in self.answers if answer.ok]


class MadeUp(Struct, frozen=True):
    """Response of a URL that cannot exist (404 probe)."""

    answer: Answer
    page: ProbedPage

    @property
    def redirected(self) -> bool:
        """Whether it redirected elsewhere."""
        return comparable(self.answer.url) != comparable(self.answer.final_url)


class CanonicalTarget(Struct, frozen=True):
    """Page that this one declares as canonical, if it is another."""

    url: str
    page: ProbedPage


class LanguageVersions(Struct, frozen=True):
    """Responses of the page's language versions."""

    pages: tuple[ProbedPage, ...]
    """Language versions with a response, whatever its status."""
    unknown: tuple[Answer, ...]
    """Language versions without a response, or with a rejected request."""
    left_count: int
    """Number of versions that were not requested."""
    listed: Mapping[str, tuple[SitemapEntry, ...]] | None
    """Sitemap entries by comparable URL; None if the sitemaps were not searched."""

    def sitemap_names(self, page: ProbedPage, urls: Iterable[str]) -> bool | None:
        """Return whether the sitemap entry of a version lists one of these URLs; None if its language versions are unknown."""
        addresses = dict.fromkeys((page.answer.url, page.answer.final_url))
        listed = self.listed or {}
        entries = [entry for url in addresses for entry in listed.get(comparable(url), ()) if entry.alternates]
        wanted = {comparable(url) for url in urls}
        if any(comparable(href) in wanted for entry in entries for _, href in entry.alternates):
            return True
        return False if entries else None


REFUSING = frozenset({401, 403, 407, 429, 451, 503})
"""Statuses that concern this client or this moment only."""


@artifact
def make_host_variants(capture: Capture, transport: Transport) -> HostVariants | Absent:
    """Return the variants; absent if the host has none (an IP address, its own port) or they were not requested."""
    del transport  # previews and loopback hosts have no variants that visitors reach
    asked = tuple(answer for answer in capture.site.variants if answer.failure not in NOT_LOOKED_AT and answer.status not in REFUSING)
    if not capture.site.variants:
        return Absent("no other spelling of the host was asked for", Verdict.UNKNOWN)
    if len(asked) < 2:  # noqa: PLR2004 - one alone cannot be compared
        return Absent("the host's variants: {reason}", Verdict.UNKNOWN, outcome(capture.site.variants[0]))
    return HostVariants(asked)


@artifact
def make_made_up(capture: Capture) -> MadeUp | Absent:
    """Return the 404 probe; unknown if it was not made, had no response, or was rejected."""
    answer = capture.site.made_up
    page = read_probed(answer)
    if answer is None or page is None or answer.failure is not Failure.NONE or answer.status in REFUSING:
        return _unknown(Probe.NON_EXISTENT_URL, answer)
    return MadeUp(answer, page)


@artifact
def make_canonical_target(capture: Capture, canonical: Canonical) -> CanonicalTarget | Absent:
    """Return the target; absent if the page is its own canonical, unknown if the target could not be loaded."""
    if canonical.is_self or canonical.target is None:
        return Absent("the page names no other page as canonical")
    answer = capture.probes.canonical
    page = read_probed(answer)
    if answer is None or page is None or answer.status in REFUSING:
        return _unknown(Probe.CANONICAL_URL, answer)
    return CanonicalTarget(canonical.target, page)


@artifact
def make_language_versions(capture: Capture, hreflang: Hreflang) -> LanguageVersions | Absent:
    """Return the versions; absent if the page declares none, unknown if none was requested."""
    wanted = hreflang.others
    if not wanted:
        return Absent("the page names no other language version")
    answers = capture.probes.alternates
    if not answers:
        return _unknown(Probe.LANGUAGE_VERSIONS, None)
    pages = [read_probed(answer) for answer in answers if answer.status not in REFUSING]
    seen = tuple(page for page in pages if page)
    unknown = tuple(answer for answer in answers if not answer.hops or answer.status in REFUSING)
    searched = capture.probes.sitemaps_searched
    listed: dict[str, tuple[SitemapEntry, ...]] = {}
    for entry in capture.probes.alternate_entries:
        key = comparable(entry.url)
        listed[key] = (*listed.get(key, ()), entry)
    return LanguageVersions(seen, unknown, max(0, len(wanted) - len(answers)), listed if searched else None)


def _unknown(what: Probe, answer: Answer | None) -> Absent:
    why = outcome(answer) if answer is not None else {"reason": Failure.NOT_ASKED}
    return Absent("{what} could not be judged: {reason}", Verdict.UNKNOWN, {"what": what, **why})


def likeness(first: ProbedPage, second: ProbedPage) -> float | None:
    """Return the share of common words of two pages, 0–1, from their stored beginnings; None if there is too little text."""
    return likeness_of_texts(_text(first), _text(second))


def likeness_of_texts(first: str, second: str) -> float | None:
    """Return the share of common words (Jaccard index), 0–1; None if one has fewer than MIN_COMPARED_WORDS different ones."""
    one, other = (set(words_of(text[:COMPARED_CHARS].casefold())) for text in (first, second))
    if min(len(one), len(other)) < MIN_COMPARED_WORDS:
        return None
    return len(one & other) / len(one | other)


def _text(page: ProbedPage) -> str:
    return page.document.text if page.document else ""
