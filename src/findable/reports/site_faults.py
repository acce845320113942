"""Faults of a site: the findings of one check as one fault, with its causes as groups.

Seven groups of pages with equal titles are one fault. Each group keeps its key, is accepted and compared by itself, and has its own costs
and gain; a fault only adds them up.
"""

from collections.abc import Iterable

from msgspec import Struct

from findable.checks.causes import CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Check, Evidence
from findable.reports.messages import render
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.site_report import SITE, SiteFinding
from findable.vocabulary import Subject, Verdict
from findable.wording import ENGLISH, Translator

_DISJOINT = frozenset({CauseKind.FOLDER, CauseKind.GROUP, CauseKind.TEMPLATE})
"""Kinds of causes that share no page, unless they are resources."""


class SiteFault(Struct, frozen=True):
    """Findings of one check. Numbers and texts are those of the open ones, or of all if all are accepted."""

    groups: tuple[SiteFinding, ...]
    """Findings, the most harmful first; at least one."""

    @property
    def counted(self) -> tuple[SiteFinding, ...]:
        """Groups that are not accepted; all if there is none."""
        return tuple(one for one in self.groups if one.accepted is None) or self.groups

    @property
    def first(self) -> SiteFinding:
        """Most harmful group."""
        return self.counted[0]

    @property
    def id(self) -> str:
        """Id of the check."""
        return self.first.id

    @property
    def check(self) -> Check:
        """Check of the fault."""
        return self.first.check

    @property
    def is_single(self) -> bool:
        """Whether it has one group that counts, whose sentence describes it."""
        return len(self.counted) == 1

    @property
    def verdict(self) -> Verdict:
        """Worst verdict of its groups."""
        return Verdict.FAILED if any(one.verdict is Verdict.FAILED for one in self.counted) else self.first.verdict

    @property
    def pages_count(self) -> int:
        """Number of pages of its groups; of the largest one if they may share pages."""
        counts = [one.pages_count for one in self.counted]
        return sum(counts) if self.is_disjoint else max(counts)

    @property
    def is_disjoint(self) -> bool:
        """Whether no page is in two of its groups, so that their pages add up."""
        return all(one.pages_count == 1 or (one.cause.kind in _DISJOINT and "resources_count" not in one.params) for one in self.counted)

    @property
    def share(self) -> float:
        """Share of the pages of the crawl, 0–1."""
        return min(1.0, round(sum(one.share for one in self.counted), 4)) if self.is_disjoint else max(one.share for one in self.counted)

    @property
    def gain(self) -> int | None:
        """Points that the score gains by fixing all of its groups, in the order of the report; None without a score."""
        gains = [one.gain for one in self.counted if one.gain is not None]
        return sum(gains) if gains else None

    @property
    def worth(self) -> float:
        """Points that its groups cost, each by itself; one decimal."""
        return round(sum(one.worth for one in self.counted), 1)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Evidence of its only group, or the first of each."""
        if self.is_single:
            return self.first.evidence
        return tuple(one.evidence[0] for one in self.counted if one.evidence)[:EVIDENCE_SHOWN]

    def problem(self, say: Translator = ENGLISH) -> str:
        """Return the fault in a sentence, without its pages."""
        return self.first.summary(say) if self.is_single else render(self.as_reported.message, self.as_reported.params, say)

    def extent(self, say: Translator = ENGLISH) -> str:
        """Return the number of pages and of groups: ``60 pages in 7 groups``."""
        pages = say.plural("%(count)s page", "%(count)s pages", self.pages_count)
        if self.pages_count == len(self.counted):
            return pages
        if not self.is_disjoint and self.share == 1:
            pages = say("all %(count)s pages", count=say.number(self.pages_count))
            return say("%(pages)s, %(count)s causes", pages=pages, count=len(self.counted))
        if not self.is_disjoint:
            return say("%(pages)s or more, %(count)s causes", pages=pages, count=len(self.counted))
        return say("%(pages)s in %(count)s groups", pages=pages, count=len(self.counted))

    def headline(self, say: Translator = ENGLISH) -> str:
        """Return the fault of the site, the number of pages first: ``60 pages in 7 groups: Pages share the same title``."""
        problem, first = self.problem(say).removesuffix("."), self.first
        if not self.is_single:
            extent = self.extent(say)
            return f"{extent[0].upper()}{extent[1:]}: {problem}"
        if first.cause.key == SITE:
            return problem
        if self.check.subject is Subject.PAGE and not first.has_page_count:
            pages = self.extent(say) if first.pages_count == 1 else first.where(say)
            return f"{pages[0].upper()}{pages[1:]}: {problem}"
        return " – ".join(filter(None, (problem, first.place(say))))

    def place(self, say: Translator = ENGLISH) -> str:
        """Return the URL of the only page of the fault; empty for others, whose headline says the pages."""
        return self.first.place(say) if self.is_single and self.first.pages_count == 1 and self.check.subject is Subject.PAGE else ""

    def plain_place(self, say: Translator = ENGLISH) -> str:
        """Return the URL of the only page of the fault, or the number of its pages; empty if it is about the site."""
        if self.first.cause.key == SITE:
            return ""
        is_single_page = self.is_single and self.first.pages_count == 1
        return self.first.place(say) if is_single_page else say.plural("%(count)s page", "%(count)s pages", self.pages_count)

    @property
    def as_reported(self) -> ReportedFinding:
        """Fault in the form of a finding of a page report."""
        if self.is_single:
            return self.first.as_reported
        told = self.first.message, self.first.params
        says_same = self.check.subject is Subject.PAGE and all((one.message, one.params) == told for one in self.counted)
        warned = self.verdict is Verdict.WARNED and self.check.warned_summary
        places = len(self.evidence) if len(self.counted) <= EVIDENCE_SHOWN else len(self.counted)
        if self.evidence and self.is_disjoint and len({item.url for item in self.evidence}) == len(self.evidence):
            places = max(places, self.pages_count)
        has_sum = bool(self.first.sum_message) and len(self.counted) == len(self.groups)  # the sum includes accepted groups
        message, params = (self.first.sum_message, self.first.sum_params) if has_sum else (warned or self.check.documentation.summary, {})
        if says_same:
            message, params = told
        return ReportedFinding(
            id=self.id, verdict=self.verdict, message=message, params=params, evidence=self.evidence, evidence_count=places
        )


def faults_of(findings: Iterable[SiteFinding]) -> tuple[SiteFault, ...]:
    """Return the findings as faults, in the order of their first findings; notes stay apart from problems of the same check."""
    found: dict[tuple[str, bool], list[SiteFinding]] = {}
    for item in findings:
        found.setdefault((item.id, item.verdict in AGAINST), []).append(item)
    return tuple(SiteFault(tuple(groups)) for groups in found.values())
