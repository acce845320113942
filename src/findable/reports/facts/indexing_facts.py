"""Whether and as what the page may be found.

Top-level keys: ``robots``, ``robots_directives``, ``canonical``, ``hreflang``, ``sitemap``, ``redirects``, ``variants``,
``declared_charset``.
"""

from typing import Any

from findable.artifacts.html.charset import Charset
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.hreflang import Alternate, Hreflang
from findable.artifacts.page.robots_directives import Directive, RobotsDirectives
from findable.artifacts.registry import Gathered
from findable.artifacts.responses.assets import reason
from findable.artifacts.site.robots import Robots
from findable.artifacts.site.sitemap import SitemapFile, Sitemaps
from findable.artifacts.tables.bots import AS_OF, BOTS, Bot
from findable.capture.page import Capture
from findable.capture.response import Answer, Failure, Hop

MAX_RULES = 50
MAX_VERSIONS = 200
MAX_DECLARATIONS = 10
MAX_FILES = 20
MAX_HOPS = 20
MAX_LINES = 100
TEXT_CHARS = 300
URL_CHARS = 2048


def facts(gathered: Gathered) -> dict[str, Any]:
    """JSON-ready and bounded; what could not be seen is null or empty.

    - ``robots``: ``{state, url, status, reason, bots_as_of, bots: [{token, operator, purpose, token_only, verified, allowed, line, rule}],
      sitemaps: [{line, url}], sitemaps_count, rules_count, remarks: [{kind, line, text}], remarks_count}``; null where robots.txt is not
      known. ``state`` is ``read``, ``missing`` (everything is allowed) or ``unreachable`` (then ``allowed`` is null).
    - ``robots_directives``: ``{rules: [{name, value, agent, source, line}], rules_count, google: {noindex, nofollow, nosnippet}}``;
      ``agent`` is empty for all crawlers, ``source`` is ``meta`` or ``header``; null where the answer is no page.
    - ``canonical``: ``{target, is_self, differences, declarations: [{href, url, source, line, counts, ignored}]}``; null as above.
    - ``hreflang``: ``[{code, url, source, line, usable, fault}]``, ``hreflang_count``; ``source`` is ``link``, ``header`` or ``sitemap``.
    - ``sitemap``: ``{files: [{url, status, state, form, urls_count, read_to_end, robots_line}], files_count, urls_count, left_count,
      listed: [{url, lastmod, sitemap_url}]}``; null where none was looked for.
    - ``redirects``: ``[{url, status, location}]`` before the page, ``redirects_count``.
    - ``variants``: ``[{url, status, final_url, hops_count, reason}]``: http and https, with and without www.
    - ``declared_charset``: ``{bom, header, meta, meta_offset_bytes, used, replacement_count}``.
    """
    capture = gathered.present(Capture)
    if capture is None:
        return {}
    redirects = capture.response.hops[:-1]
    hreflang = gathered.present(Hreflang)
    return {
        "robots": _robots(gathered.present(Robots)),
        "robots_directives": _directives(gathered.present(RobotsDirectives)),
        "canonical": _canonical(gathered.present(Canonical)),
        "hreflang": [_version(item) for item in hreflang.entries[:MAX_VERSIONS]] if hreflang else [],
        "hreflang_count": hreflang.entries_count if hreflang else 0,
        "sitemap": _sitemap(gathered.present(Sitemaps)),
        "redirects": [_redirect(hop) for hop in redirects[:MAX_HOPS]],
        "redirects_count": len(redirects),
        "variants": [_variant(answer) for answer in capture.site.variants[:MAX_FILES]],
        "declared_charset": _charset(gathered.present(Charset)),
    }


def _robots(robots: Robots | None) -> dict[str, Any] | None:
    if robots is None:
        return None
    rules = robots.rules
    return {
        "state": robots.state.value,
        "url": robots.answer.url[:URL_CHARS],
        "status": robots.answer.status or None,
        "reason": "" if robots.answer.ok else reason(robots.answer),
        "bots_as_of": AS_OF,
        "bots": [_bot(robots, bot) for bot in BOTS],
        "sitemaps": [{"line": item.line, "url": item.url[:URL_CHARS]} for item in rules.sitemaps[:MAX_FILES]],
        "sitemaps_count": len(rules.sitemaps),
        "rules_count": rules.rules_count,
        "remarks": [{"kind": item.kind.value, "line": item.line or None, "text": item.text} for item in rules.remarks[:MAX_LINES]],
        "remarks_count": rules.remarks_count,
    }


def _bot(robots: Robots, bot: Bot) -> dict[str, Any]:
    found: dict[str, Any] = {
        "token": bot.token,
        "operator": bot.operator,
        "purpose": bot.purpose.value,
        "token_only": bot.token_only,
        "verified": bot.verified,
        "allowed": None,
        "line": None,
        "rule": "",
    }
    if robots.known:
        decision = robots.decide(bot.tokens)
        found.update(allowed=decision.allowed, line=decision.line, rule=decision.rule)
    return found


def _directives(directives: RobotsDirectives | None) -> dict[str, Any] | None:
    if directives is None:
        return None
    google = {name: bool(directives.first(names, "googlebot")) for name, names in _EFFECTS.items()}
    return {
        "rules": [_directive(item) for item in directives.all[:MAX_RULES]],
        "rules_count": len(directives.all),
        "google": google,
    }


_EFFECTS = {"noindex": ("noindex", "none"), "nofollow": ("nofollow", "none"), "nosnippet": ("nosnippet",)}


def _directive(item: Directive) -> dict[str, Any]:
    return {
        "name": item.name[:TEXT_CHARS],
        "value": item.value,
        "agent": item.agent[:TEXT_CHARS],
        "source": "header" if item.element is None else "meta",
        "line": item.element.line if item.element else None,
    }


def _canonical(canonical: Canonical | None) -> dict[str, Any] | None:
    if canonical is None:
        return None
    return {
        "target": canonical.target[:URL_CHARS] if canonical.target else None,
        "is_self": canonical.is_self,
        "differences": sorted(item.value for item in canonical.differences),
        "declarations": [
            {
                "href": item.href[:URL_CHARS],
                "url": item.url[:URL_CHARS] if item.url else None,
                "source": "header" if item.element is None else "link",
                "line": item.element.line if item.element else None,
                "counts": item.counts,
                "ignored": item.ignored.name.lower() if not item.counts else "",
            }
            for item in canonical.declared[:MAX_DECLARATIONS]
        ],
    }


def _version(item: Alternate) -> dict[str, Any]:
    return {
        "code": item.code,
        "url": item.url[:URL_CHARS] if item.url else None,
        "source": item.source,
        "line": item.element.line if item.element else None,
        "usable": item.usable,
        "fault": (item.code_fault or item.url_fault).name.lower() if item.code_fault or item.url_fault else "",
    }


def _sitemap(sitemaps: Sitemaps | None) -> dict[str, Any] | None:
    if sitemaps is None:
        return None
    return {
        "files": [_file(item) for item in sitemaps.files[:MAX_FILES]],
        "files_count": len(sitemaps.files),
        "urls_count": sitemaps.urls_count,
        "left_count": sitemaps.left_count,
        "listed": [
            {"url": entry.url[:URL_CHARS], "lastmod": entry.lastmod[:40], "sitemap_url": entry.sitemap_url[:URL_CHARS]}
            for entry in sitemaps.entries[:MAX_FILES]
        ],
    }


def _file(item: SitemapFile) -> dict[str, Any]:
    return {
        "url": item.url[:URL_CHARS],
        "status": item.answer.status or None,
        "state": item.state.value,
        "form": item.form.value,
        "urls_count": item.summary.urls_count if item.summary else None,
        "read_to_end": bool(item.summary and item.summary.read_to_end),
        "robots_line": item.robots_line,
    }


def _redirect(hop: Hop) -> dict[str, Any]:
    return {"url": hop.url[:URL_CHARS], "status": hop.status, "location": hop.location[:URL_CHARS]}


def _variant(answer: Answer) -> dict[str, Any]:
    return {
        "url": answer.url[:URL_CHARS],
        "status": answer.status or None,
        "final_url": answer.final_url[:URL_CHARS],
        "hops_count": len(answer.hops),
        "reason": "" if answer.failure is Failure.NONE else reason(answer),
    }


def _charset(charset: Charset | None) -> dict[str, Any] | None:
    if charset is None:
        return None
    return {
        "bom": charset.bom,
        "header": charset.header[:TEXT_CHARS] if charset.header else None,
        "meta": charset.meta,
        "meta_offset_bytes": charset.meta_offset_bytes,
        "used": charset.used,
        "replacement_count": charset.replacement_count,
    }
