"""Create the causes of findings about a whole site: one per block, template, group or page to fix."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from findable.capture.crawl import Group
from findable.capture.site_graph import CanonicalPair, CrawledSitemap, DuplicateGroup, LinkSource, LinkTarget
from findable.capture.site_resources import FaultyResources
from findable.capture.site_urls import Variants
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding, by_cause, passed, url_evidence
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Verdict

_ORDINAL = lazy_pattern(r":nth-of-type\(\d+\)")
SAME_PLACE_FROM = 3
"""Number of pages from which lists at the same position come from a template (set by Findable)."""
_BLOCK_NAMES = {
    "nav": "navigation with {block_links_count|link|links}",
    "header": "header with {block_links_count|link|links}",
    "footer": "footer with {block_links_count|link|links}",
    "aside": "sidebar with {block_links_count|link|links}",
    "main": "list of {block_links_count|link|links} in the main content",
}
"""Names of blocks of links by landmark."""
_PLAIN_NAME = "list of {block_links_count|link|links}"
LINKS_UNREAD = "Not known: the links of {unread_count|page|pages} could not be read"
LINKS_TO = "“{anchor_text}” in {selector} links to {target}"
MISSING_LINK = "“{anchor_text}” in {selector} links to {target} ({target_status})"
_MISSING_PAGE = "{found_count|page links|pages link} to {target}, which does not exist"
MANY_LISTS = 3
"""Number of different lists with a link to a missing page from which that page is the cause (set by Findable)."""


def block_causes(
    targets: Iterable[LinkTarget],
    *,
    verdict: Callable[[LinkSource], Verdict],
    message: str,
    message_one: str = "",
    note: str = LINKS_TO,
    joins_places: bool = False,
) -> list[CausedFinding]:
    """Return a cause for each block with links to these targets, those on the most pages first.

    ``joins_places``: whether SAME_PLACE_FROM or more blocks at the same position count as one block of a template.

    ``message`` may use ``targets_count``; for ``note`` see `link_on_page`. ``message_one`` replaces it for a block with one of the targets
    and may use ``target`` and ``found_count``, the number of pages with the block.
    """
    held: dict[str, list[tuple[LinkSource, LinkTarget]]] = defaultdict(list)
    for target in targets:
        for source in target.sources:
            held[source.block].append((source, target))
    found = _join_positions(held, verdict, message, note) if joins_places else []
    for block, links in held.items():
        source = max((source for source, _ in links), key=lambda item: item.pages_count)
        name = _BLOCK_NAMES.get(source.landmark, _PLAIN_NAME)
        cause = Cause(CauseKind.BLOCK, block, name, {"block_links_count": source.block_links_count}, source.selector)
        evidence = tuple(link_on_page(source, target, note) for source, target in links[:EVIDENCE_SHOWN])
        urls = {target.url for _, target in links}
        sentence, params = message, dict[str, Any](targets_count=len(urls))
        if message_one and len(urls) == 1:
            sentence, params = message_one, {"target": links[0][1].url, "found_count": source.pages_count}
        found.append(CausedFinding(cause, verdict(source), sentence, source.pages_count, evidence, params))
    return sorted(found, key=lambda item: (-item.pages_count, item.cause.key))


def _join_positions(
    held: dict[str, list[tuple[LinkSource, LinkTarget]]], verdict: Callable[[LinkSource], Verdict], message: str, note: str
) -> list[CausedFinding]:
    """Remove blocks at the same position of several pages from ``held``; return a cause for each position."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for block, links in held.items():
        places[links[0][0].landmark, _ORDINAL.sub("", links[0][0].selector)].append(block)
    found = []
    for (landmark, selector), blocks in places.items():
        if len(blocks) < SAME_PLACE_FROM:
            continue
        links = [link for block in blocks for link in held.pop(block)]
        cause = Cause(CauseKind.TEMPLATE, f"{landmark} {selector}", "lists like {selector}", {"selector": selector}, selector)
        pages_count = sum({source.block: source.pages_count for source, _ in links}.values())
        evidence = tuple(link_on_page(source, target, note) for source, target in links[:EVIDENCE_SHOWN])
        params = {"targets_count": len({target.url for _, target in links})}
        found.append(CausedFinding(cause, verdict(links[0][0]), message, pages_count, evidence, params))
    return found


def link_on_page(source: LinkSource, target: LinkTarget, note: str = LINKS_TO) -> Evidence:
    """Return evidence of the first page with a link from this block to the target.

    ``note`` may use ``anchor_text``, ``selector``, ``target``, ``target_status``, ``end_url`` and ``end_status``.
    """
    params: dict[str, Any] = {
        "anchor_text": source.anchor_text,
        "selector": source.selector,
        "target": target.url,
        "target_status": target.status,
        "end_url": target.end_url,
        "end_status": target.end_status,
    }
    return url_evidence(source.pages[0] if source.pages else target.url, None, note, **params)


def page_cause(
    url: str, *, verdict: Verdict, message: str, evidence: Iterable[Evidence], pages_count: int = 1, advice: str = "", **params: Any
) -> CausedFinding:
    """Return one page as the cause."""
    cause = Cause(CauseKind.PAGE, url, "{url}", {"url": url})
    return CausedFinding(cause, verdict, message, pages_count, tuple(evidence)[:EVIDENCE_SHOWN], params, advice)


def missing_page_causes(
    targets: Sequence[LinkTarget], *, verdict: Callable[[LinkSource], Verdict], message: str, advice: str
) -> list[CausedFinding]:
    """Return the causes of links to missing pages: each page that MANY_LISTS or more lists link to, and the blocks with the other links.

    ``message`` describes a block and may use ``targets_count``, ``advice`` a page and may use ``target``.
    """
    pages = [
        page_cause(
            target.url,
            verdict=Verdict.FAILED if Verdict.FAILED in map(verdict, target.sources) else Verdict.WARNED,
            message=_MISSING_PAGE,
            evidence=(link_on_page(source, target, MISSING_LINK) for source in target.sources[:EVIDENCE_SHOWN]),
            pages_count=target.inlinks_count,
            advice=advice,
            found_count=target.inlinks_count,
            target=target.url,
        )
        for target in targets
        if target.sources_count >= MANY_LISTS
    ]
    others = [target for target in targets if target.sources_count < MANY_LISTS]
    return pages + block_causes(others, verdict=verdict, message=message, message_one=_MISSING_PAGE, note=MISSING_LINK)


def resource_cause(item: FaultyResources, *, verdict: Verdict, message: str, note: str, **params: Any) -> CausedFinding:
    """Return resources of the same pages, or the template or page that loads them, as the cause.

    ``message`` may use ``resources_count`` and ``found_count``, ``note`` also ``used_as``, ``size_bytes`` and ``page``.
    """
    evidence = tuple(
        url_evidence(one.url, one.status, note, used_as=one.used_as, size_bytes=one.size_bytes, page=one.page)
        for one in item.resources[:EVIDENCE_SHOWN]
    )
    params = {"resources_count": item.resources_count, "found_count": item.pages.pages_count, **params}
    if not item.is_shared:
        return replace(template_cause(item.pages, verdict=verdict, message=message, **params), evidence=evidence)
    first = min(resource.url for resource in item.resources)
    name = {"url": first, "others_count": item.resources_count - 1}
    one, several = _RESOURCE_NAMES.get(item.landmark, _RESOURCE_NAMES[""])
    cause = Cause(CauseKind.GROUP, first, several if item.resources_count > 1 else one, name)
    return CausedFinding(cause, verdict, message, item.pages.pages_count, evidence, params)


_RESOURCE_NAMES = {
    "": ("{url}", "{url} and {others_count|other|others}"),
    "nav": ("{url} in the navigation", "{url} and {others_count|other|others} in the navigation"),
    "header": ("{url} in the header", "{url} and {others_count|other|others} in the header"),
    "footer": ("{url} in the footer", "{url} and {others_count|other|others} in the footer"),
    "aside": ("{url} in the sidebar", "{url} and {others_count|other|others} in the sidebar"),
    "main": ("{url} in the main content", "{url} and {others_count|other|others} in the main content"),
}
"""Names of one and of several resources by landmark."""


def group_cause(
    key: str, group: Group | DuplicateGroup, *, name: str, verdict: Verdict, message: str, advice: str = "", **params: Any
) -> CausedFinding:
    """Return a group of pages as the cause. ``name`` and ``message`` are templates."""
    evidence = tuple(url_evidence(url) for url in group.urls[:EVIDENCE_SHOWN])
    return CausedFinding(Cause(CauseKind.GROUP, key, name, params), verdict, message, group.pages_count, evidence, params, advice)


def template_cause(group: Group, *, verdict: Verdict, message: str, advice: str = "", **params: Any) -> CausedFinding:
    """Return a template, named like the group, or a single page as the cause. ``message`` may use ``found_count``."""
    evidence = tuple(url_evidence(url) for url in group.urls[:EVIDENCE_SHOWN])
    params = {"found_count": group.pages_count, **params}
    if group.pages_count == 1:
        cause = Cause(CauseKind.PAGE, group.urls[0], "{url}", {"url": group.urls[0]})
    elif group.name:
        cause = Cause(CauseKind.TEMPLATE, group.name, "template {pattern}", {"pattern": group.name})
    else:
        cause = Cause(CauseKind.GROUP, "others", "pages of different templates")
    return CausedFinding(cause, verdict, message, group.pages_count, evidence, params, advice)


def variant_finding(variants: Variants | None, *, name: str, message: str, without: str) -> Finding:
    """Return the finding about pages under two URLs; its cause is the server rule that returns them.

    ``message`` may use ``pairs_count``, ``without`` is the message if there are none.
    """
    if variants is None:
        return passed(without)
    evidence = []
    for pair in variants.pairs[:EVIDENCE_SHOWN]:
        held = pair.source
        params: dict[str, Any] = {"same_url": pair.url, "links_count": pair.variant_inlinks_count}
        if held is None or not held.pages:
            evidence.append(url_evidence(pair.variant, None, _SAME_PAGE, **params))
        else:
            place = {"anchor_text": held.anchor_text, "selector": held.selector, "page": held.pages[0]}
            evidence.append(url_evidence(pair.variant, None, _LINKED_VARIANT, **params, **place))
    first = variants.pairs[0]
    params = {"pairs_count": variants.pairs_count, "same_url": first.url, "variant": first.variant}
    cause = Cause(CauseKind.HOST, variants.kind.value, name)
    return by_cause(without, [CausedFinding(cause, Verdict.WARNED, message, variants.pairs_count, tuple(evidence), params, _ONE_URL)])


_SAME_PAGE = "same page as {same_url}"
_LINKED_VARIANT = "same page as {same_url}; {links_count|page links|pages link} here, as “{anchor_text}” in {selector} of {page}"
_ONE_URL = "Redirect one of the two with status 301, for example {variant} to {same_url}, and link to the other everywhere."


def duplicate_causes(groups: Iterable[DuplicateGroup], *, verdict: Verdict, message: str, **params: Any) -> list[CausedFinding]:
    """Return a cause for each text shared by several pages. ``message`` may use ``group_count``, ``text`` and the params."""
    return [
        group_cause(
            group.text, group, name="“{text}”", verdict=verdict, message=message, text=group.text, group_count=group.pages_count, **params
        )
        for group in groups
    ]


def mirror_causes(groups: Iterable[DuplicateGroup], *, verdict: Verdict, message: str) -> tuple[list[CausedFinding], list[DuplicateGroup]]:
    """Return a cause for each set of folders with identical pages, and the remaining groups. ``message`` may use ``groups_count``."""
    mirrored: defaultdict[tuple[str, ...], list[DuplicateGroup]] = defaultdict(list)
    for group in groups:
        mirrored[_folders(group)].append(group)
    rest = mirrored.pop((), [])
    found = []
    for folders, held in mirrored.items():
        if len(held) < MIRROR_FROM:
            rest += held
            continue
        evidence = [url_evidence(url, None, "same as {same_url}", same_url=group.urls[0]) for group in held for url in group.urls[1:]]
        pages_count = sum(group.pages_count for group in held)
        params = {"groups_count": len(held), "folders": folders}
        cause = Cause(CauseKind.FOLDER, " ".join(folders), "{folders}", {"folders": folders})
        found.append(CausedFinding(cause, verdict, message, pages_count, tuple(evidence[:EVIDENCE_SHOWN]), params))
    return found, sorted(rest, key=lambda group: (-group.pages_count, group.urls))


MIRROR_FROM = 3
"""Number of pages with a copy in another folder from which the folders are the cause (set by Findable)."""


def _folders(group: DuplicateGroup) -> tuple[str, ...]:
    """Return the different beginnings of URLs with the same end (``/en/``, ``/us/``); empty if the ends differ."""
    if len(group.urls) < group.pages_count:
        return ()
    urls = [url.split("/") for url in group.urls]
    ending = _equal_parts_at_end(urls)
    folders = {"/".join([*parts[: len(parts) - ending], ""]) for parts in urls}
    have_origin = all(len(parts) - ending >= _ORIGIN_PARTS for parts in urls)
    return tuple(sorted(folders)) if ending and have_origin and len(folders) == len(urls) else ()


def _equal_parts_at_end(urls: Sequence[Sequence[str]]) -> int:
    """Return the number of parts at the end that all URLs have in common; each keeps at least one part before them."""
    shortest = min(map(len, urls))
    return next((number for number in range(1, shortest) if len({parts[-number] for parts in urls}) > 1), shortest) - 1


_ORIGIN_PARTS = 3
"""Number of parts of ``https://host`` between slashes."""


def entries_finding(sitemap: CrawledSitemap, key: str, group: Group | None, *, message: str, cause_message: str) -> Finding:
    """Return the finding about sitemap entries with one fault; the entries of ``group`` have it.

    ``message`` may use ``found_count`` and ``entries_count``, ``cause_message`` only ``found_count``.
    """
    count = group.pages_count if group else 0
    found = [group] if group and count else []
    causes = [group_cause(key, one, name="sitemap", verdict=Verdict.WARNED, message=cause_message, found_count=count) for one in found]
    return by_cause(message, causes, found_count=count, entries_count=sitemap.entries_count)


def canonical_causes(pairs: Iterable[CanonicalPair], *, verdict: Verdict, message: str, note: str) -> list[CausedFinding]:
    """Return a cause for each template with these canonical links, or for a page without a template."""
    held: dict[int | str, list[CanonicalPair]] = defaultdict(list)
    for pair in pairs:
        held[pair.template or pair.url].append(pair)
    found = []
    for template, of_it in held.items():
        evidence = [
            url_evidence(
                pair.url,
                None,
                note,
                target=pair.target,
                target_status=pair.target_status,
                target_canonical=pair.target_canonical,
                similarity_percent=round(100 * pair.similarity),
            )
            for pair in of_it[:EVIDENCE_SHOWN]
        ]
        if isinstance(template, str) or len(of_it) == 1:
            found.append(page_cause(of_it[0].url, verdict=verdict, message=message, evidence=evidence))
        else:
            first = min(pair.url for pair in of_it)
            cause = Cause(CauseKind.TEMPLATE, first, "pages like {url}", {"url": first})
            found.append(CausedFinding(cause, verdict, message, len(of_it), tuple(evidence)))
    return sorted(found, key=lambda item: (-item.pages_count, item.cause.key))
