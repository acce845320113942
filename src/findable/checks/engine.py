"""Declare checks and their findings.

A check is a pure function of artifacts. Its docstring is its page in the docs and in the report.
"""

import hashlib
import inspect
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from findable.artifacts.html.document import OMITTED, Element
from findable.artifacts.registry import Parameter, parameters_of, sources_of, subject_of
from findable.checks.causes import CausedFinding
from findable.checks.documentation import Documentation, read_documentation
from findable.checks.evidence import (
    EVIDENCE_SHOWN,
    TEXT_MARK,
    Evidence,
    Shown,
    as_evidence,
    attribute_mark,
    element,
    header,
    quote,
    quoted,
    url_evidence,
)
from findable.checks.page_fix import Fix
from findable.checks.usual_fixer import usual_fixer
from findable.values import import_modules_of, once, shape_of
from findable.vocabulary import (
    Category,
    EditPlace,
    Effort,
    Fault,
    Fixer,
    Importance,
    PageKind,
    Source,
    Stage,
    Subject,
    Verdict,
    require_words,
)

# The names of `checks.evidence` that a check imports from here; those defined below need no entry.
__all__ = ["EVIDENCE_SHOWN", "TEXT_MARK", "Evidence", "as_evidence", "attribute_mark", "element", "header", "quoted", "url_evidence"]

log = logging.getLogger("findable.checks")

_PASSED = Verdict.PASSED
_WORST_FIRST = (Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO, Verdict.PASSED, Verdict.INAPPLICABLE)


class Finding(Struct, frozen=True, dict=True):
    """Outcome of one check on one page. ``message`` is a template: ``{count|link|links}`` selects by number.

    ``{count}`` is the number of all occurrences, unless the check sets another one.
    """

    verdict: Verdict
    message: str
    params: Mapping[str, Any] = field(default_factory=dict)
    occurrences: tuple[Evidence | Element, ...] = ()
    """First EVIDENCE_SHOWN occurrences."""
    evidence_count: int = 0
    """Number of all occurrences."""
    causes: tuple[CausedFinding, ...] = ()
    """Causes to fix, in a finding about a whole site (`by_cause`)."""
    offered_fixes: Iterable[Fix | None] = ()
    """Code snippets that the check offers, created when `fixes` is read."""
    advice: str = ""
    """Template of the fix for this finding, if the documented fix does not apply; it uses the values of the message."""
    fault: str = ""
    """Code of the reason (`Fault`), if the cost of the finding depends on it."""
    share_percent: int = 100
    """Part of the cost that counts, 1 to 100: the share of the elements concerned, and what the kind of page leaves of it."""
    sums_up: bool = False
    """Whether the message describes its causes together."""

    def __post_init__(self) -> None:
        require_words(self.params)

    @once
    def evidence(self) -> tuple[Evidence, ...]:
        """Evidence of `occurrences`. Elements are quoted on access, because a crawl only reads the verdict of passed checks.

        Empty if quoting fails, so that the finding is not lost.
        """
        try:
            return tuple(map(quote, self.occurrences))
        except Exception:
            log.exception("evidence_failed", extra={"template": self.message})
            return ()

    @once
    def fixes(self) -> tuple[Fix, ...]:
        """Code snippets to paste together, at most EVIDENCE_SHOWN; empty if creating them fails, so that the finding is not lost."""
        try:
            return tuple(islice((fix for fix in self.offered_fixes if fix is not None and fix.is_public), EVIDENCE_SHOWN))
        except Exception:
            log.exception("fixes_failed", extra={"template": self.message})
            return ()


def _finding(
    verdict: Verdict, message: str, shown: Shown, params: Mapping[str, Any], fixes: Iterable[Fix | None] = (), advice: str = ""
) -> Finding:
    every = [shown] if isinstance(shown, (Evidence, Element)) else list(shown)
    if "{count" in message:
        params = {"count": len(every), **params}
    if not every:  # most passed checks have no evidence
        return Finding(verdict, message, params)
    return Finding(verdict, message, params, tuple(every[:EVIDENCE_SHOWN]), len(every), offered_fixes=fixes, advice=advice)


def passed(message: str, *, evidence: Shown = (), **params: Any) -> Finding:
    """Return a passed finding; the message describes the result."""
    return _finding(_PASSED, message, evidence, params)


def info(message: str, *, evidence: Shown = (), **params: Any) -> Finding:
    """Return a finding that is never scored."""
    return _finding(Verdict.INFO, message, evidence, params)


def warned(message: str, *, evidence: Shown, fixes: Iterable[Fix | None] = (), advice: str = "", **params: Any) -> Finding:
    """Return a warned finding. Raises ValueError without evidence, which is a bug in the check."""
    return _require_evidence(_finding(Verdict.WARNED, message, evidence, params, fixes, advice))


def failed(message: str, *, evidence: Shown, fixes: Iterable[Fix | None] = (), advice: str = "", **params: Any) -> Finding:
    """Return a failed finding. Raises ValueError without evidence, which is a bug in the check."""
    return _require_evidence(_finding(Verdict.FAILED, message, evidence, params, fixes, advice))


def with_fault(finding: Finding, fault: Fault | None, share: float = 1.0) -> Finding:
    """Return the finding with the reason that its cost depends on, and the share of the elements concerned, 0 to 1."""
    return replace(finding, fault=fault.value if fault else "", share_percent=max(1, min(100, round(100 * share))))


def inapplicable(message: str, **params: Any) -> Finding:
    """Return an inapplicable finding: the check does not apply to this page; the message contains the reason."""
    return Finding(Verdict.INAPPLICABLE, message, params)


def covered_by(check: str) -> Finding:
    """Return an inapplicable finding because another check reports the same cause; ``check`` is its id, which pages link to."""
    return inapplicable("Covered by “{check}”", check=check)


def unknown(message: str, *, evidence: Shown = (), **params: Any) -> Finding:
    """Return an unknown finding: the result could not be measured; the message contains the reason."""
    return _finding(Verdict.UNKNOWN, message, evidence, params)


def by_cause(message: str, causes: Sequence[CausedFinding], *, sums_up: bool = False, **params: Any) -> Finding:
    """Return a finding about a whole site: passed without causes, else with the worst of their verdicts and the first evidence of each.

    ``sums_up``: whether the message describes several causes together better than the documentation, as ``12 of 400 links …``.
    """
    worst = min((item.verdict for item in causes), key=_WORST_FIRST.index, default=_PASSED)
    evidence = tuple(item.evidence[0] for item in causes if item.evidence)
    return Finding(worst, message, params, evidence[:EVIDENCE_SHOWN], len(evidence), tuple(causes), sums_up=sums_up)


def _require_evidence(finding: Finding) -> Finding:
    if not finding.occurrences:
        raise ValueError(f"a {finding.verdict.value} finding needs evidence: {finding.message}")
    return finding


class DeclaredCheck(Struct, frozen=True, eq=False):
    """Members that a check declares, and has as it declares them."""

    question: str
    importance: Importance
    """Importance in the score; always `info` for a preview check."""
    effort: Effort
    place: EditPlace | None = None
    """Kind of place in a content management system at which it is fixed; None if there is no usual one."""
    depends_on: tuple[str, ...] = ()
    """Checks that this one depends on: if one of them failed, this one is inapplicable (one cause, one finding)."""
    indexing_only: bool = False
    """Whether the check is inapplicable on pages marked "not meant for search"."""
    accepts_partial_input: bool = False
    """Whether the check can pass on part of its input. Others do not pass if an artifact ``is_cut``."""
    warned_summary: str = ""
    """Summary of pages that only warned, with different values; empty if that of the documentation is true for them too."""
    costs: Mapping[str, int] | None = None
    """Tenths of a point that a fault alone costs a page, by reason (`Fault`) and verdict; None for the costs of the importance. A check
    whose costs depend on the verdict only declares them as ``failed`` and ``warned``."""
    kind_percents: Mapping[PageKind, int] = {}
    """Percent of its usual cost that a warning without a reason costs on kinds of pages where it does less harm."""
    limits: Mapping[str, int] = {}
    """Highest score with a fault that keeps the page from being found, by reason (`Fault`) and verdict."""
    site_twins: tuple[str, ...] = ()
    """Site checks that answer the same question for all pages: a site counts their findings, pages show this one."""
    page_twin: str = ""
    """Page check that shows whether a page still has the fault of a site check, if none of its `site_twins` does; empty for none."""
    site_cause: str = ""
    """Site check whose causes the findings of this check adopt, if one covers all their pages; empty for none."""
    start_page_twin: str = ""
    """Site check that finds the same fault if it is on the start page; empty for none."""
    loses_pages: bool = False
    """Whether a site check fails because pages are missing or not indexable."""
    of_unfound_pages: bool = False
    """Whether the findings of a site check are about pages that should be found, being linked or in a sitemap, and are not: their share is
    that of these and the indexable pages."""
    compares_texts: bool = False
    """Whether a site check compares texts of indexable pages with each other."""
    names_sections: bool = False
    """Whether the causes of a site check may be sections of the site, which its first screen names."""
    mark: str = ""
    """Pattern of the faulty part of the evidence, if it is always the same; empty for none."""


class Check(DeclaredCheck, frozen=True, kw_only=True, eq=False):
    """Registered check. Each has exactly one object, so that checks are compared by identity."""

    id: str
    category: Category
    fixer: Fixer
    since: str
    """First ruleset with this check."""
    stage: Stage
    parameters: tuple[Parameter, ...]
    function: Callable[..., Finding]

    @property
    def documentation(self) -> Documentation:
        """Sections of the docstring of its file."""
        return read_documentation(inspect.getdoc(inspect.getmodule(self.function)) or "")

    @property
    def sources(self) -> frozenset[Source]:
        """Sources that the check requires, derived from its parameters."""
        return sources_of(self.parameters)

    @property
    def subject(self) -> Subject:
        """Subject of the check, the page or its site, derived from its parameters."""
        return subject_of(self.parameters)


class Result(Struct, frozen=True):
    """Check with its finding."""

    check: Check
    finding: Finding

    @property
    def key(self) -> str:
        """Stable key of this finding: check id and normalised evidence, independent of line numbers."""
        return finding_key(self.check.id, ((item.kind, item.url, item.text, item.selector) for item in self.finding.evidence))


def finding_key(check_id: str, evidence: Iterable[tuple[str, str, str, str]]) -> str:
    """Return the key made from the check's id and (kind, URL, text, selector) of the evidence."""
    return f"{check_id}:{_digest(tuple(evidence))}"


@lru_cache(maxsize=1024)
def _digest(evidence: tuple[tuple[str, str, str, str], ...]) -> str:
    """Return the digest of evidence. It is cached, because most findings have no evidence, and each key is computed several times."""
    parts = sorted(" ".join((kind, url, " ".join(_key_text(text).split()), selector)) for kind, url, text, selector in evidence)
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:12]


def _key_text(text: str) -> str:
    """Return the text as earlier versions quoted it, without the placeholder for content, so that stored keys stay valid."""
    return text.replace(f">{OMITTED}</", "></")


_CHECKS: dict[str, Check] = {}
_FIRST_RULESETS = {Category.SITE: "2026-12"}
"""First rulesets of categories that are newer than 2026-11."""


class check(DeclaredCheck, frozen=True, kw_only=True, eq=False):  # noqa: N801 - used as a decorator
    """Register a check. Its id is the name of its file, its category the folder, its inputs the parameters.

    ``failed`` and ``warned`` are the tenths of a point that a finding with this verdict alone costs a page; one with another verdict costs
    nothing. ``costs`` take their place if the cost depends on the reason: they are by reason, else by verdict. Without any of them, a
    finding costs what its importance says (reports/scoring.py); with empty ``costs``, it costs nothing. ``kind_percents`` are what is left
    of the cost of a warning without a reason on kinds of pages where it does less harm.
    """

    failed: int | None = None
    warned: int | None = None

    fixer: Fixer | None = None
    """Set only if it differs from the usual one for effort and category (`usual_fixer`)."""
    since: str = ""
    """Set only if the check is newer than its category."""
    status: Stage = Stage.STABLE

    def __call__(self, function: Callable[..., Finding]) -> Callable[..., Finding]:
        """Register the function."""
        *_, folder, stem = function.__module__.split(".")
        if function.__name__ != stem:
            raise ValueError(f"{function.__module__}: the function must be called {stem}")
        category = Category(folder)
        check_id = stem.replace("_", "-")
        by_verdict = (Verdict.FAILED, self.failed), (Verdict.WARNED, self.warned)
        _CHECKS[check_id] = shape_of(
            Check,
            self,
            id=check_id,
            category=category,
            costs={name: cost for name, cost in by_verdict if cost is not None} or self.costs,
            importance=Importance.INFO if self.status is Stage.PREVIEW else self.importance,
            fixer=self.fixer or usual_fixer(self.effort, category),
            since=self.since or _FIRST_RULESETS.get(category, "2026-11"),
            stage=self.status,
            parameters=parameters_of(function),
            function=function,
        )
        return function


@cache
def site_twins(check_id: str) -> tuple[str, ...]:
    """Return the site checks that answer the question of a page check for all pages; empty for none, and if the check no longer exists."""
    found = find_check(check_id)
    return found.site_twins if found else ()


@cache
def _checks_of(category: Category) -> Mapping[str, Check]:
    """Return the checks in one folder by id, in their order."""
    import_modules_of(f"findable.checks.{category.value}")
    return {name: item for name, item in sorted(_CHECKS.items()) if item.category is category}


@cache
def page_checks() -> Mapping[str, Check]:
    """Return the checks for page reports by id: all except site checks, which are not imported."""
    return {name: item for category in Category if category is not Category.SITE for name, item in _checks_of(category).items()}


@cache
def all_checks() -> Mapping[str, Check]:
    """Return every check by id, in the order of categories and ids."""
    return {name: item for category in Category for name, item in _checks_of(category).items()}


def find_check(check_id: str) -> Check | None:
    """Return a check; None if this version has no such check."""
    return page_checks().get(check_id) or all_checks().get(check_id)


@cache
def runnable_checks(have: frozenset[Source], subject: Subject | None = None) -> tuple[Check, ...]:
    """Return the checks whose sources are all available, in the order of `all_checks`; if given, only those of a subject."""
    checks = all_checks() if Source.CRAWL in have else page_checks()
    found = (item for item in checks.values() if item.sources <= have)
    return tuple(item for item in found if subject is None or item.subject is subject)
