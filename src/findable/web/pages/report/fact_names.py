"""Display names of a report's facts and of their coded values."""

import re
from collections.abc import Mapping

from findable.capture.response import Failure
from findable.formats.json_ld import JsonFault
from findable.reports.facts.browser_facts import PagePart
from findable.reports.page_charts import TYPE_WORDS
from findable.vocabulary import PageKind
from findable.wording import Translator, later

NAMES: Mapping[str, str] = {
    "address": later("URL"),
    "agent": later("For"),
    "alt": later("Alternative text"),
    "anchor_text": later("Link text"),
    "asked_count": later("Requested"),
    "after_scripts": later("Judged after its scripts ran"),
    "axe_version": later("Version of axe-core"),
    "blocked_by_robots": later("Forbidden to Googlebot by robots.txt"),
    "compared": later("Before and after scripts"),
    "cookie_banner_percent": later("It covers of the first view on a phone"),
    "failed_requests": later("Requests that failed"),
    "page_part": later("Part of the page"),
    "rendered": later("After scripts"),
    "with_blocked": later("With the files that robots.txt forbids"),
    "scripts_build": later("Built by scripts"),
    "third_party": later("Other site"),
    "bom": later("Byte order mark"),
    "bots": later("Crawlers"),
    "bots_as_of": later("Crawlers as of"),
    "bytes": later("Size"),
    "canonical": later("Canonical URL"),
    "chain": later("Certificates"),
    "counted": later("Words are counted"),
    "declared_charset": later("Character encoding"),
    "dom": later("Elements of the page"),
    "external_count": later("To other sites"),
    "final_url": later("Final URL"),
    "google": later("As Google reads them"),
    "hops_count": later("Redirects"),
    "href": later("As written"),
    "hsts": later("Strict-Transport-Security"),
    "http_only": later("HttpOnly"),
    "ids_count": later("IDs"),
    "in_alt": later("In alternative texts"),
    "in_description": later("In the description"),
    "in_heading": later("In headings"),
    "in_meta": later("In a meta element"),
    "in_title": later("In the title"),
    "in_url": later("In the URL"),
    "include_subdomains": later("Subdomains too"),
    "internal_count": later("Within the site"),
    "is_home": later("Start page"),
    "is_self": later("This page itself"),
    "lastmod": later("Last changed"),
    "left_count": later("Not shown here"),
    "limit_px": later("Available width"),
    "link_counts": later("Links, counted"),
    "listed": later("Entries of this page"),
    "location": later("Target"),
    "main_count": later("In the main content"),
    "main_share_percent": later("Share of the main content"),
    "max_age_s": later("Valid for"),
    "meta": later("Meta element"),
    "meta_offset_bytes": later("Meta element begins after"),
    "nameless_count": later("Without a name"),
    "nofollow": later("nofollow"),
    "nofollow_count": later("With nofollow"),
    "noindex": later("noindex"),
    "nosnippet": later("nosnippet"),
    "nosniff": later("nosniff"),
    "not_after": later("Valid until"),
    "not_asked_count": later("Not requested"),
    "not_before": later("Valid from"),
    "not_crawlable_count": later("Cannot be followed"),
    "operator": later("Run by"),
    "path_chars": later("Length of the path"),
    "policies": later("Content security policies"),
    "preview": later("As shown"),
    "public_key_algorithm": later("Key"),
    "public_key_bits": later("Bits of the key"),
    "read_to_end": later("Read completely"),
    "redirect_status": later("Redirect"),
    "referrer_policy": later("Referrer-Policy"),
    "region": later("Part of the page"),
    "rel": later("rel"),
    "remarks": later("Problems"),
    "remarks_count": later("Problems"),
    "replacement_count": later("Characters that could not be read"),
    "robots": later("robots.txt"),
    "robots_line": later("Line of robots.txt"),
    "same_page_count": later("Within the page"),
    "same_site": later("SameSite"),
    "security": later("Security headers"),
    "sign": later("Evidence"),
    "signature_algorithm": later("Signature"),
    "sitemap_url": later("Sitemap"),
    "source": later("Where"),
    "sponsored_count": later("With sponsored"),
    "subject": later("Issued for"),
    "term": later("Word"),
    "tls": later("TLS"),
    "token": later("Crawler"),
    "token_only": later("Only a token in robots.txt"),
    "truncated_at": later("Truncated after characters"),
    "ugc_count": later("With ugc"),
    "unique_count": later("Different URLs"),
    "url": later("URL"),
    "urls_count": later("URLs"),
    "variants": later("Variants of the host"),
    "verified": later("Documented by its operator"),
    "verify_error": later("Problem of the certificate"),
    "widest_children_count": later("Children of the widest element"),
    "widest_selector": later("Widest element"),
    "x_frame_options": later("X-Frame-Options"),
}
"""Names that differ from the default name of a member (`plain_name`)."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "differences": {
        "home_page": later("the home page"),
        "other_host": later("another host"),
        "other_page": later("another page"),
    },
    "fault": {
        "bare_country": later("a country without a language"),
        "no_region": later("no such region"),
        "relative": later("not an absolute URL"),
    },
    "page_part": {part.value: part.words for part in PagePart},
    "kind": {
        "broken": later("broken"),
        "cms": later("content management"),
        "contact": later("contact"),
        "external": later("to another site"),
        "img": later("image"),
        "input": later("image button"),
        "internal": later("within the site"),
        "library": later("library"),
        "missing_colon": later("colon missing"),
        "not_supported": later("not supported"),
        "path_start": later("path without / at its start"),
        "relative_sitemap": later("sitemap without an absolute URL"),
        "rule_before_agent": later("rule before any user agent"),
        "server": later("server"),
        "unknown_directive": later("unknown line"),
        **{kind.value: kind.words for kind in PageKind},
    },
    "purpose": {
        "ai_search": later("responses with sources"),
        "ai_training": later("training of models"),
        "ai_user": later("requested by a user"),
        "search": later("search"),
    },
    "reason": {code.value: code.words for code in (*Failure, *JsonFault) if code},
    "sign": {
        "url": later("URL"),
        "structured_data": later("structured data"),
        "og_type": "og:type",
        "generator": later("generator"),
        "theme": later("class of the body"),
        "structure": later("structure of the page"),
    },
    "source": {"header": later("header"), "link": later("link"), "meta": later("meta element"), "sitemap": later("sitemap")},
    "state": {
        "broken": later("broken"),
        "lenient": later("readable with faults"),
        "loop": later("endless redirects"),
        "missing": later("not there"),
        "read": later("read"),
        "unknown": later("not known"),
        "unreachable": later("not reachable"),
        "unverified": later("not verified"),
        "valid": later("valid"),
        "works": later("works"),
    },
    "type": TYPE_WORDS,
}
"""Words for codes by fact name; other values are quoted from the page."""

_UNIT = re.compile(r"_(?:ms|s|px|percent|bytes|count)$")


def fact_name(name: str, say: Translator) -> str:
    """Return the name of a fact in the reader's language."""
    return say(NAMES.get(name) or plain_name(name))


def plain_name(name: str) -> str:
    """Return the name of a member without its unit and underscores: ``Last byte`` for ``last_byte_ms``."""
    words = _UNIT.sub("", name).replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def fact_word(name: str, value: str, say: Translator) -> str:
    """Return the word for a code such as ``ai_user`` of ``purpose``; other values stay unchanged."""
    known = WORDS.get(name, {}).get(value)
    return value if known is None else say(known)
