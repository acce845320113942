"""Links, where they lead, what the page is built with, its address, its tree and its forms.

Keys: ``links`` (at most LINKS_SHOWN, ``links_left_count`` beside it), ``link_counts``, ``top_hosts``, ``technologies``, ``address``,
``dom``, ``forms``. A key is left out where its subject is absent (no HTML, or a page that scripts build).
"""

from typing import Any

from findable.artifacts.html.document import Document
from findable.artifacts.html.ids import Ids
from findable.artifacts.html.landmarks import Region
from findable.artifacts.page.controls import ControlKind, Names
from findable.artifacts.page.forms import Forms
from findable.artifacts.page.links import Link, LinkKind, Links
from findable.artifacts.page.page_url import Address
from findable.artifacts.page.technologies import Technologies
from findable.artifacts.registry import Gathered
from findable.artifacts.responses.link_responses import LinkAnswer, LinkAnswers, LinkState

LINKS_SHOWN = 200
HOSTS_SHOWN = 20
TECHNOLOGIES_SHOWN = 50
URL_CHARS = 500
TEXT_CHARS = 150


_WORDS: dict[str, str] = {member: member.value for kind in (LinkKind, LinkState, Region) for member in kind}
"""Looked up, since ``.value`` of an enumeration is a call, and there are three for each link."""


def facts(gathered: Gathered) -> dict[str, Any]:
    """JSON-ready and bounded."""
    found: dict[str, Any] = {}
    links = gathered.present(Links)
    if links is not None:
        answers = gathered.present(LinkAnswers)
        known = answers.by_url() if answers else {}
        found["links"] = [_link(link, known.get(link.address)) for link in links.items[:LINKS_SHOWN]]
        found["links_left_count"] = max(0, links.count - LINKS_SHOWN)
        found["link_counts"] = _counts(links, answers)
        found["top_hosts"] = [{"host": host, "links_count": count} for host, count in links.hosts.most_common(HOSTS_SHOWN)]
    technologies = gathered.present(Technologies)
    if technologies is not None:
        found["technologies"] = [
            {"name": item.name, "kind": item.kind.value, "version": item.version, "sign": item.sign}
            for item in technologies.items[:TECHNOLOGIES_SHOWN]
        ]
    address = gathered.present(Address)
    if address is not None:
        found["address"] = _address(address)
    document = gathered.present(Document)
    if document is not None:
        found["dom"] = _dom(document, gathered.present(Ids))
        found["forms"] = _forms(gathered)
    return found


def _link(link: Link, answer: LinkAnswer | None) -> dict[str, Any]:
    """``status`` is null where the address was not asked or did not answer; ``state`` as in `LinkState`, empty where not asked."""
    return {
        "url": (link.url or link.href or "")[:URL_CHARS],
        "kind": _WORDS[link.kind],
        "anchor_text": link.name[:TEXT_CHARS],
        "rel": sorted(link.rel)[:10],
        "region": _WORDS[link.place.region],
        "line": link.element.line,
        "status": (answer.status or None) if answer else None,
        "state": _WORDS[answer.state] if answer else "",
    }


def _counts(links: Links, answers: LinkAnswers | None) -> dict[str, int]:
    leading = (*links.internal, *links.external)
    every = (*answers.internal.answers, *answers.external.answers) if answers else ()
    asked_count = len(answers.internal.asked) + len(answers.external.asked) if answers else 0
    return {
        "all_count": links.count,
        "internal_count": len(links.internal),
        "external_count": len(links.external),
        "same_page_count": sum(1 for link in links.items if link.same_page),
        "not_crawlable_count": len(links.faulty),
        "unique_count": len({link.address for link in leading}),
        "nofollow_count": sum(1 for link in leading if "nofollow" in link.rel),
        "sponsored_count": sum(1 for link in leading if "sponsored" in link.rel),
        "ugc_count": sum(1 for link in leading if "ugc" in link.rel),
        "asked_count": asked_count,
        "not_asked_count": len(every) - asked_count,
    }


def _address(address: Address) -> dict[str, Any]:
    return {
        "url": address.url.href[:URL_CHARS],
        "host": address.display_host,
        "is_home": address.is_home,
        "depth": address.depth,
        "path_chars": len(address.url.path),
        "parameters": [name[:TEXT_CHARS] for name in address.parameters[:20]],
    }


def _dom(document: Document, ids: Ids | None) -> dict[str, Any]:
    widest, children_count = document.widest
    return {
        "elements_count": document.element_count,
        "depth": document.max_depth,
        "widest_selector": widest.selector[:URL_CHARS] if widest else "",
        "widest_children_count": children_count,
        "ids_count": ids.count if ids else 0,
        "parse_errors_count": document.fault_count,
    }


def _forms(gathered: Gathered) -> dict[str, int]:
    forms = gathered.present(Forms)
    names = gathered.present(Names)
    controls = names.controls if names else ()
    return {
        "forms_count": len(forms.items) if forms else 0,
        "fields_count": sum(1 for control in controls if control.kind is ControlKind.FIELD),
        "buttons_count": sum(1 for control in controls if control.kind is ControlKind.BUTTON),
        "nameless_count": sum(1 for control in controls if not control.name and control.judgeable),
    }
