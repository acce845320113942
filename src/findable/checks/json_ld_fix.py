"""Create JSON-LD with values of the page."""

import json
from collections.abc import Mapping
from typing import Any

from findable.artifacts.page.author_names import is_name_only
from findable.artifacts.page.canonical import preferred_form
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.social import Social
from findable.checks.page_fix import Fix, head_fix
from findable.formats.dates import date_fault
from findable.formats.plain_values import iso_date

CONTEXT = "https://schema.org"


def json_ld_fix(values: Mapping[str, Any]) -> Fix | None:
    """Return a JSON-LD script with one item for the end of the head; empty values are omitted."""
    item = {"@context": CONTEXT, **{name: value for name, value in values.items() if value}}
    text = json.dumps(item, ensure_ascii=False, indent=1).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    return head_fix(f'<script type="application/ld+json">\n{text}\n</script>')


def site_fix(page_url: PageUrl, social: Social, head: Head) -> Fix | None:
    """Return JSON-LD of the type WebSite for the home page; None if the page does not state the site's name."""
    name = social.content("og:site_name") or next((meta.content or "" for meta in head.metas_named("application-name")), "")
    return json_ld_fix({"@type": "WebSite", "name": name.strip(), "url": f"{page_url.url.origin}/"}) if name.strip() else None


def page_item_fix(page_url: PageUrl, social: Social, head: Head, headings: Headings | None) -> Fix | None:
    """Return JSON-LD that describes the page as a site, an article or a product.

    None for other pages, or if a value is missing that Google requires or recommends: a draft adds no finding of its own.
    """
    if page_url.is_home:
        return site_fix(page_url, social, head)
    heading = headings.main_text if headings else ""
    name = heading if headings and headings.is_confirmed else social.content("og:title") or heading
    image = social.image.content if social.image else ""
    kind = social.content("og:type").lower()
    published, modified = (_iso(social.content(f"article:{name}_time")) for name in ("published", "modified"))
    author = _author(social, head)
    if kind == "article" and name and image and author and (published or modified):
        return json_ld_fix(
            {
                "@type": "Article",
                "headline": name,
                "url": preferred_form(page_url.url.href, social.content("og:url")),
                "image": image,
                "author": {"@type": "Person", "name": author},
                "datePublished": published,
                "dateModified": modified,
                "inLanguage": (head.lang or "").strip(),
            }
        )
    price, currency = (
        social.content("product:price:amount", "og:price:amount"),
        social.content("product:price:currency", "og:price:currency"),
    )
    if kind.startswith(("product", "og:product")) and name and price and currency:
        offer = {"@type": "Offer", "price": price, "priceCurrency": currency}
        url = preferred_form(page_url.url.href, social.content("og:url"))
        return json_ld_fix({"@type": "Product", "name": name, "url": url, "image": image, "offers": offer})
    return None


def _iso(date: str) -> str:
    """Return a date in ISO 8601; empty if the text is not a date whose meaning is certain."""
    return date if not date or date_fault(date) is None else iso_date(date)


def _author(social: Social, head: Head) -> str:
    """Return the name of the author that the head states; empty if it states none, only a URL, or more than a name."""
    names = (*(meta.content or "" for meta in head.metas_named("author")), social.content("article:author"))
    return next((name.strip() for name in names if name.strip() and "/" not in name and "@" not in name and is_name_only(name)), "")
