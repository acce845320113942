"""The home page does not declare the name and the owner of the site.

In plain words: Google may show the wrong name for your site, because your home page does not state it.

Why it matters: Search results show the name of the site above each result and may show the logo. Declare them by WebSite and Organization
markup on the home page.

How to fix: Add both to the home page.

    {"@context": "https://schema.org", "@graph": [
      {"@type": "WebSite", "name": "Example Widgets", "url": "https://www.example.com/"},
      {"@type": "Organization", "name": "Example Widgets Ltd", "url": "https://www.example.com/",
       "logo": "https://www.example.com/logo.png"}]}

Sources: [Google: site names](https://developers.google.com/search/docs/appearance/site-names) (2025): WebSite with name and url on the home
page; [Google: organization](https://developers.google.com/search/docs/appearance/structured-data/organization) (2025): logo.

Not judged: pages other than the root of the host; personal sites need no logo: a Person counts as an organisation.
"""

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.tables.rich_results import LOCAL_BUSINESSES, ORGANIZATIONS
from findable.checks.engine import Finding, check, element, inapplicable, passed, unknown, warned
from findable.checks.structured_data_evidence import PART_READ
from findable.vocabulary import Effort, Importance

OWNERS = ORGANIZATIONS | LOCAL_BUSINESSES


@check("Does the home page name the site?", Importance.LOW, Effort.HEAD, warned=5, accepts_partial_input=True)
def sd_identity(page_url: PageUrl, document: Document, data: StructuredData, content: Content | None) -> Finding:
    if page_url.url.path != "/" or page_url.url.query:
        return inapplicable("Not the home page")
    if data.has_broken_block:
        return inapplicable("The structured data cannot be read: see “{check}”", check="jsonld-valid")
    items = [item for item in data.all_items() if item.is_schema_org]
    sites = [item for item in items if item.is_a("WebSite") and data.values(item, "name") and data.values(item, "url")]
    owners = [item for item in items if (item.is_a(*OWNERS) and data.values(item, "logo")) or item.is_a("Person")]
    if sites and owners:
        return passed(
            "Site name “{name}”, owner “{owner}”",
            name=data.text(sites[0], "name"),
            owner=data.text(owners[0], "name") or owners[0].name,
            evidence=[sites[0].element, owners[0].element],
        )
    if content is None:
        return unknown("Not known: scripts build this page, and it was read without a browser")
    if data.is_cut:
        return unknown(PART_READ)
    place = element(document.head, "looked for in the structured data of the page")
    if not sites and not owners:
        return warned(
            "The structured data names neither the site (WebSite with name and url) nor its logo (Organization with logo)", evidence=place
        )
    if not sites:
        return warned("The structured data does not name the site (no WebSite with name and url)", evidence=place)
    return warned("The structured data has no logo of the site (no Organization or LocalBusiness with a logo)", evidence=place)
