"""Difference of two reports of a site: its findings by the stable keys of their causes."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum

from msgspec import Struct, field, structs

from findable.checks.engine import find_check, site_twins
from findable.reports.difference import NOT_JUDGED, ByChange, Difference, Judged, NotComparable, difference, sources_read
from findable.reports.search_verdict import SearchVerdict
from findable.reports.site_report import SiteFinding, SiteReport, faults_by_verdict
from findable.vocabulary import Source, Verdict
from findable.wording import Translator

GONE_KEYS = 2000


class Elsewhere(Enum):
    """Statement of another crawl about the pages of a finding."""

    PRESENT = "present"
    """One of them has a finding of the same check."""
    CHECKED = "checked"
    """One of them was checked and has none."""
    UNCHECKED = "unchecked"
    """The crawl knows them, but none was checked: they are not indexable, or gone."""
    ABSENT = "absent"
    """The crawl does not know one of them, and checked none."""


class Judging(Struct, frozen=True):
    """Data about the checks of two crawls, for `site_difference`."""

    page_checks: tuple[Collection[str], Collection[str]]
    """Ids of the page checks of each crawl."""
    elsewhere: tuple[Callable[[SiteFinding], Elsewhere], Callable[[SiteFinding], Elsewhere]]
    """Functions that return what the other crawl says: this one about a finding of the earlier crawl, and the earlier one about a finding
    of this crawl.
    """
    reason: NotComparable | None = None
    """Reason why findings cannot be compared: all with OTHER_RULESET and IMPORTED, those that a browser may change with OTHER_SOURCES."""
    is_limited: bool = False
    """Whether one of the crawls did not request the whole site: then only the pages of both count."""
    is_away_before: bool = False
    """Whether the earlier crawl found no page: then nothing is new."""


class SiteDifference(ByChange[SiteFinding], frozen=True):
    """Findings of a site by their change; each cause appears in only one list.

    A finding has also returned if it had disappeared with its pages.
    """

    still_count: int = 0
    """Number of findings of both crawls."""
    unchanged_count: int = 0
    """Number of faults of which no finding is new, returned, worse, better or fixed."""
    gone: tuple[str, ...] = ()
    """Keys of the findings that were fixed or no longer checked in this crawl or before and have not returned, newest first; at most
    GONE_KEYS.
    """
    ruleset_before: str = ""
    """Ruleset of the earlier crawl, if it differs: then no finding is compared. Empty if both have the same."""
    problems: tuple[str, ...] = ()
    """Keys of the problems that were none before."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """Earlier keys of findings whose cause has another key now, by that key; empty if several earlier ones are joined in it."""
    reason: NotComparable | None = None
    """Reason why findings are not compared, or those that a browser may change."""

    def under(self, verdict: SearchVerdict) -> "SiteDifference":
        """Return the changes of a site with a verdict: without what is no fault of a site that is not meant for search."""
        if not verdict.is_not_for_search:
            return self
        lists = self.lists(lambda item: item).items()
        return structs.replace(self, **{name: tuple(item for item in items if verdict.is_of_interest(item.check)) for name, items in lists})

    @property
    def keys(self) -> Difference:
        """Keys of the findings by their change."""
        return Difference(**self.lists(lambda item: item.key), problems=self.problems)

    def short_summary(self, say: Translator) -> str:
        """Return the numbers of risen and fixed problems and warnings as text, but those of 0: ``1 new problem, 2 warnings fixed``."""

        def plural(one: str, many: str, count: int) -> str:
            return say.plural(one, many, count) if count else ""

        new, worse, better, fixed = (
            faults_by_verdict(found) for found in ((*self.new, *self.returned), self.worse, self.better, self.fixed)
        )
        parts = (
            plural("%(count)s new problem", "%(count)s new problems", new[Verdict.FAILED]),
            plural("%(count)s new warning", "%(count)s new warnings", new[Verdict.WARNED]),
            plural("%(count)s finding worse", "%(count)s findings worse", worse.total()),
            plural("%(count)s finding better", "%(count)s findings better", better.total()),
            plural("%(count)s problem fixed", "%(count)s problems fixed", fixed[Verdict.FAILED]),
            plural("%(count)s warning fixed", "%(count)s warnings fixed", fixed[Verdict.WARNED]),
        )
        return ", ".join(filter(None, parts)) or say("no new and no fixed finding")

    def plain_words(self, say: Translator) -> str:
        """Return what changed and how many findings did not, in plain words, or that another ruleset prevents the comparison."""
        if self.ruleset_before:
            return self.words(say)
        changes = self.short_summary(say)
        words = f"{changes[:1].upper()}{changes[1:]}"
        still = self.unchanged_count
        return say.plural(
            "%(changes)s; %(count)s finding is as before", "%(changes)s; %(count)s findings are as before", still, changes=words
        )

    def words(self, say: Translator) -> str:
        """Return the numbers of findings by change as text, or that another ruleset prevents the comparison."""
        if self.ruleset_before:
            return say("Findings are not compared: the earlier crawl was scored under ruleset %(ruleset)s", ruleset=self.ruleset_before)
        counts = [
            say(
                "Findings: %(new)s new, %(returned)s returned, %(fixed)s fixed, %(still)s as before",
                new=faults_by_verdict(self.new).total(),
                returned=faults_by_verdict(self.returned).total(),
                fixed=faults_by_verdict(self.fixed).total(),
                still=self.unchanged_count,
            )
        ]
        worse, better, skipped = (faults_by_verdict(found).total() for found in (self.worse, self.better, self.not_judged))
        if worse:
            counts.append(say("%(count)s worse", count=worse))
        if better:
            counts.append(say("%(count)s better", count=better))
        if skipped:
            counts.append(say("%(count)s not checked in both crawls", count=skipped))
        return ", ".join(counts)


def site_difference(before: SiteReport, after: SiteReport, judging: Judging, earlier_gone: Sequence[str] = ()) -> SiteDifference:
    """Return how the findings of a site changed between two reports.

    A cause may include others: two pages of a template without title have one cause, the template. So a finding of pages is fixed, or new,
    only if no page has a finding of its check in both crawls. A finding of a site check is neither if its evidence belongs to another
    cause of the check in the other crawl: one image on two pages, then on one. A finding whose pages the other crawl did not check is not
    judged; that of a page that did not exist before is new.

    Args:
        before: findings of the earlier crawl.
        after: findings of this crawl.
        judging: what the crawls checked.
        earlier_gone: keys of findings that were fixed before the earlier crawl and are absent from it.
    """
    old, new = ({finding.key: finding for finding in report.findings} for report in (before, after))
    is_judged = _judged_checks(before, after, judging)
    left, came = ([one for key, one in first.items() if key not in second] for first, second in ((old, new), (new, old)))
    places = _evidence_keys(left), _evidence_keys(came)
    # The numbers of pages of limited crawls depend on their limits.
    was, now = ({key: _judged(one, is_counted=not judging.is_limited) for key, one in found.items()} for found in (old, new))
    was |= {key: NOT_JUDGED for key, one in new.items() if key in old and not is_judged(one)}
    moved_left, moved_came = dict[str, str](), dict[str, str]()
    for one in left:
        other = judging.elsewhere[0](one)
        if other is Elsewhere.PRESENT or not places[1].isdisjoint(_evidence_keys([one])):
            moved_left.setdefault(one.id, one.key)
            del was[one.key]
        else:
            now[one.key] = Judged(Verdict.PASSED if is_judged(one) and other is Elsewhere.CHECKED else None)
    for one in came:
        other = judging.elsewhere[1](one)
        if other is Elsewhere.PRESENT or not places[0].isdisjoint(_evidence_keys([one])):
            moved_came[one.key] = moved_left.get(one.id, "")
            del now[one.key]
        else:
            was_judged = other is Elsewhere.CHECKED or (other is Elsewhere.ABSENT and not judging.is_limited)
            was[one.key] = Judged(Verdict.PASSED if is_judged(one) and was_judged and not judging.is_away_before else None)
    change = difference(was, now, frozenset(earlier_gone))
    left_unjudged = (key for key in change.not_judged if key not in new and is_judged(old[key]))
    gone = dict.fromkeys((*change.fixed, *left_unjudged, *(key for key in earlier_gone if key not in new)))
    lists = structs.replace(change, still=()).lists(lambda key: new.get(key) or old[key])
    return SiteDifference(
        **lists,
        still_count=len(change.still) + len(moved_came),
        unchanged_count=len({new[key].id for key in (*change.still, *moved_came)} - {one.id for found in lists.values() for one in found}),
        problems=change.problems,
        gone=tuple(gone)[:GONE_KEYS],
        moved=moved_came,
        reason=judging.reason,
    )


def judged_site(findings: Iterable[SiteFinding], absent: Iterable[str] = ()) -> dict[str, Judged]:
    """Return what a report says about its findings, and about causes that are absent from it, by key."""
    return {finding.key: _judged(finding) for finding in findings} | dict.fromkeys(absent, Judged(Verdict.PASSED))


def _judged(finding: SiteFinding, *, is_counted: bool = True) -> Judged:
    return Judged(finding.verdict, finding.pages_count if is_counted else 1, is_accepted=finding.accepted is not None)


def _judged_checks(before: SiteReport, after: SiteReport, judging: Judging) -> Callable[[SiteFinding], bool]:
    """Return a function that returns whether both crawls judged the check of a finding, from the same sources."""
    ran = {*judging.page_checks[0], *before.asked} & {*judging.page_checks[1], *after.asked}
    unknown = {*before.unknown, *after.unknown}

    def is_judged(finding: SiteFinding) -> bool:
        if judging.reason in (NotComparable.OTHER_RULESET, NotComparable.IMPORTED) or finding.id not in ran:
            return False
        check = find_check(finding.id)
        sources = sources_read(check) if check is not None else frozenset[Source]()
        if judging.reason is NotComparable.OTHER_SOURCES and Source.BROWSER in sources:
            return False
        is_of_crawl = not finding.templates and Source.CRAWL in sources
        return unknown.isdisjoint((finding.id, *site_twins(finding.id))) and not (judging.is_limited and is_of_crawl)

    return is_judged


def _evidence_keys(findings: Iterable[SiteFinding]) -> frozenset[tuple[str, str, object]]:
    """Return check, URL and target of the evidence of site checks, whose causes may get another key while the fault stays."""
    return frozenset(
        (one.id, shown.url, shown.params.get("target")) for one in findings if not one.templates for shown in one.evidence if shown.url
    )
