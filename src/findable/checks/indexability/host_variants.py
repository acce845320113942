"""The site answers under more than one host name.

Why it matters: with and without www are two sites to a search engine. Links are split between them until one of them redirects.

How to fix: choose one host and redirect the other for good.

    server { server_name example.com; return 301 https://www.example.com$request_uri; }

Sources: Google, "How to specify a canonical URL" (2025): use permanent redirects.

Not judged: whether http leads to https, which is a check of its own; hosts other than with and without www.
"""

from itertools import combinations

from findable.artifacts.canonical import comparable
from findable.artifacts.probed import ProbedPage, read_probed
from findable.artifacts.response import Answer, Failure
from findable.artifacts.variants import LIKENESS, HostVariants, likeness
from findable.checks.engine import Evidence, Finding, address, check, failed, inapplicable, passed, warned
from findable.urls import parse
from findable.vocabulary import Effort, Importance

TEMPORARY = frozenset({302, 303, 307})
DEAD = frozenset({Failure.DNS, Failure.CONNECT, Failure.TLS, Failure.TIMEOUT})


@check(question="Do http/https and www/apex end on one host?", importance=Importance.MEDIUM, effort=Effort.SERVER)
def host_variants(variants: HostVariants) -> Finding:
    """Judges where each variant ends."""
    table = [_row(answer) for answer in variants.answers]
    by_host: dict[str, Answer] = {}
    for answer in variants.answered:
        by_host.setdefault(_host(answer.final_url), answer)
    if not by_host:
        return inapplicable("no variant of the host answers with a page")
    if len(by_host) > 1:
        return _two_hosts(list(by_host.values()), table)
    dead = [_row(answer) for answer in variants.answers if answer.failure in DEAD and not answer.hops]
    if dead:
        return warned("no answer from {count|variant|variants} of the host", count=len(dead), evidence=dead)
    temporary = [_row(answer) for answer in variants.answers if any(hop.status in TEMPORARY for hop in answer.hops[:-1])]
    if temporary:
        return warned("a variant of the host redirects for the moment only, not for good", evidence=temporary)
    long = [_row(answer) for answer in variants.answers if len(answer.hops) > 3]  # noqa: PLR2004 - to https, then to the host
    if long:
        return warned("a variant of the host takes more than two redirects", evidence=long)
    return passed("all {count} variants end on {host}", count=len(table), host=next(iter(by_host)), evidence=table)


def _two_hosts(answers: list[Answer], table: list[Evidence]) -> Finding:
    """The same content under two hosts is a fault, unless both name one canonical address."""
    pages = [page for answer in answers if (page := read_probed(answer)) is not None]
    for first, second in combinations(pages, 2):
        if _common_canonical(first, second):
            return warned("two hosts answer with one page, held together by its canonical link only", evidence=table)
        share = likeness(first, second)
        if first.answer.body == second.answer.body or (share is not None and share >= LIKENESS):
            return failed("two hosts answer with the same content", evidence=table)
    return warned("two hosts answer, with different pages", evidence=table)


def _common_canonical(first: ProbedPage, second: ProbedPage) -> bool:
    targets = [page.canonical.target if page.canonical else None for page in (first, second)]
    return bool(targets[0] and targets[1]) and comparable(targets[0] or "") == comparable(targets[1] or "")


def _row(answer: Answer) -> Evidence:
    if answer.failure is not Failure.NONE and not answer.hops:
        return address(answer.url, None, "did not answer ({failure})", failure=answer.failure.value)
    if len(answer.hops) > 1:
        return address(answer.url, answer.hops[0].status, "leads to {target}", target=answer.final_url)
    return address(answer.url, answer.status)


def _host(url: str) -> str:
    parsed = parse(url)
    return parsed.host if parsed else ""
