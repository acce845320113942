"""Faults of status, redirects, robots rules, canonical links and the head."""

from tests.mutations.draft import CANONICAL, Draft, meta
from tests.mutations.fault import SOME, but, fault

OTHER_PAGE = "/something-else"
NOINDEX = {"noindex": "failed", "sitemap-lists-page": "failed"}
"""The sitemap goes on to list the page: a second statement, which contradicts the first and is mended in another place."""
ELSEWHERE = {"canonical-self": "failed", "sitemap-lists-page": "failed"}


@fault({"http-status": "failed"}, hides_page=True)
def the_page_results_404(draft: Draft) -> None:
    draft.keywords["status"] = 404


@fault({"http-status": "failed"}, hides_page=True)
def the_page_results_500(draft: Draft) -> None:
    draft.keywords["status"] = 500


@fault({"http-status": "warned"})
def the_page_results_203(draft: Draft) -> None:
    draft.keywords["status"] = 203


# Phones and browsers meet the same challenge: nothing can be compared with it.
@fault({"bot-wall": "failed", "mobile-parity": "unknown", "ai-edge-access": "unknown"})
def a_challenge_instead_of_the_page(draft: Draft) -> None:
    draft.header("cf-mitigated", "challenge")


@fault(NOINDEX, opens=["noindex-effective"])
def noindex_in_the_page(draft: Draft) -> None:
    draft.allow_nothing()
    draft.edit(meta("robots"), r'content="', 'content="noindex, ')


@fault(NOINDEX, opens=["noindex-effective"])
def noindex_in_a_header(draft: Draft) -> None:
    draft.allow_nothing()
    draft.header("X-Robots-Tag", "noindex")


@fault(NOINDEX, opens=["noindex-effective"])
def noindex_for_googlebot_in_a_header(draft: Draft) -> None:
    draft.allow_nothing()
    draft.header("X-Robots-Tag", "googlebot: noindex")


@fault(NOINDEX, opens=["noindex-effective"])
def noindex_in_the_body(draft: Draft) -> None:
    draft.allow_nothing()
    draft.in_main('<meta name="robots" content="noindex">')


@fault({"noindex": "warned"})
def noindex_for_bing_only(draft: Draft) -> None:
    draft.in_head('<meta name="bingbot" content="noindex">')


@fault({"nofollow-page": "warned"}, pages=but("article", "job"))
def nofollow_for_the_page(draft: Draft) -> None:
    draft.edit(meta("robots"), r'content="', 'content="nofollow, ')


@fault({"robots-meta-valid": "warned"})
def a_robots_rule_that_nobody_knows(draft: Draft) -> None:
    draft.edit(meta("robots"), r'content="', 'content="no-duplicates, ')


@fault({"robots-meta-valid": "warned"})
def a_robots_rule_that_needs_another(draft: Draft) -> None:
    draft.in_head('<meta name="robots" content="indexifembedded">')


@fault({"snippet-eligible": "failed"})
def nosnippet(draft: Draft) -> None:
    draft.header("X-Robots-Tag", "nosnippet")


@fault({"snippet-eligible": "warned"}, pages=but("article", "recipe", "news"))
def a_short_snippet_only(draft: Draft) -> None:
    draft.edit(meta("robots"), r'content="', 'content="max-snippet:50, ')


@fault({"canonical-valid": "warned"}, closes=["canonical-self", "hreflang-canonical"])
def no_canonical_link(draft: Draft) -> None:
    draft.drop(CANONICAL)


@fault({"canonical-valid": "failed"})
def a_second_canonical_link(draft: Draft) -> None:
    draft.in_head(f'<link rel="canonical" href="{draft.site.address(OTHER_PAGE)}">')


@fault({"canonical-valid": "failed"})
def another_canonical_address_in_a_header(draft: Draft) -> None:
    draft.header("Link", f'<{draft.site.address(OTHER_PAGE)}>; rel="canonical"')


@fault({"canonical-valid": "failed"})
def an_empty_canonical_link(draft: Draft) -> None:
    draft.replace(CANONICAL, '<link rel="canonical" href="">')


@fault({"canonical-valid": "failed"})
def the_canonical_link_in_the_body(draft: Draft) -> None:
    draft.drop(CANONICAL)
    draft.in_main(f'<link rel="canonical" href="{draft.site.url}">')


@fault({"canonical-valid": "warned"})
def a_relative_canonical_link(draft: Draft) -> None:
    draft.replace(CANONICAL, f'<link rel="canonical" href="{draft.path}">')


@fault(ELSEWHERE, opens=["canonical-target"])
def another_page_as_canonical(draft: Draft) -> None:
    draft.canonical(OTHER_PAGE)


@fault(ELSEWHERE | {"canonical-target": "failed"})
def a_missing_page_as_canonical(draft: Draft) -> None:
    draft.canonical(OTHER_PAGE, status=404)


@fault({"canonical-self": "warned", "sitemap-lists-page": "warned"}, opens=["canonical-target"])
def a_canonical_link_with_a_query(draft: Draft) -> None:
    draft.canonical(f"{draft.path}?view=all")


@fault({"canonical-valid": "warned", "og-url-agrees": "warned"}, closes=["canonical-self", "hreflang-canonical", "canonical-consistency"])
def another_address_in_og_url_without_a_canonical_link(draft: Draft) -> None:
    draft.drop(CANONICAL)
    draft.edit(meta("og:url"), r'content="[^"]*"', f'content="{draft.site.address(OTHER_PAGE)}"')


@fault(
    {"head-valid": "failed"},
    closes=[
        "canonical-valid",
        "hreflang-valid",
        "hreflang-self",
        "hreflang-return",
        "hreflang-targets",
        "og-basic",
        "meta-description",
        "meta-description-length",
        "viewport",
        "viewport-zoom",
    ],
)
def an_element_of_the_body_before_the_canonical_link(draft: Draft) -> None:
    draft.replace(CANONICAL, f'<div class="notice"></div>\n<link rel="canonical" href="{draft.site.url}">')


@fault({"canonical-consistency": "warned"}, pages=SOME)
def another_url_in_structured_data(draft: Draft) -> None:
    draft.json_ld({"@context": "https://schema.org", "@type": "WebPage", "url": draft.site.address(OTHER_PAGE)})


@fault({"head-valid": "warned"})
def an_element_of_the_body_at_the_end_of_the_head(draft: Draft) -> None:
    draft.in_head('<div class="notice"></div>')


@fault({"redirect-chain": "warned"})
def three_redirects_before_the_page(draft: Draft) -> None:
    draft.hops(301, 301, 301)


@fault({"redirect-chain": "failed"})
def five_redirects_before_the_page(draft: Draft) -> None:
    draft.hops(301, 301, 301, 301, 301)


@fault({"redirect-kind": "warned"})
def a_temporary_redirect(draft: Draft) -> None:
    draft.hops(302)


@fault({"redirect-kind": "warned"})
def a_page_that_reloads_itself(draft: Draft) -> None:
    draft.in_head('<meta http-equiv="refresh" content="30">')


@fault({"html-size": "warned"}, pages=SOME)
def a_page_of_more_than_a_megabyte(draft: Draft) -> None:
    draft.in_main(f'<script type="application/json">"{"0123456789" * 110_000}"</script>')


@fault({"html-size": "failed"}, pages=SOME)
def a_page_of_more_than_two_megabytes(draft: Draft) -> None:
    draft.in_main(f'<script type="application/json">"{"0123456789" * 210_000}"</script>')
