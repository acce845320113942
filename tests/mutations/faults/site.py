"""Faults around the page: robots.txt, sitemaps, the host, what crawlers and phones get."""

import re
from urllib.parse import urlsplit

from tests.mutations.draft import Draft
from tests.mutations.fault import but, fault

EVERYBODY = "User-agent: *\nDisallow:"


@fault({"robots-txt-allows": "failed", "sitemap-lists-page": "failed"})
def robots_txt_forbids_the_page(draft: Draft) -> None:
    draft.robots_txt(f"User-agent: *\nDisallow: {draft.path}$")


@fault({"robots-txt-allows": "warned", "ai-search-bots": "warned"})
def robots_txt_forbids_the_page_to_others_than_googlebot(draft: Draft) -> None:
    draft.robots_txt(f"User-agent: *\nDisallow: {draft.path}$\n\nUser-agent: Googlebot\nUser-agent: bingbot\nDisallow:")


@fault({"robots-txt-reachable": "failed"})
def robots_txt_answers_503(draft: Draft) -> None:
    draft.keywords["robots_status"] = 503


@fault({"robots-txt-reachable": "warned"})
def robots_txt_is_an_html_page(draft: Draft) -> None:
    draft.keywords["robots_txt"] = "<!doctype html><html><title>Shop</title></html>"


@fault({"robots-txt-valid": "warned"})
def a_rule_before_any_user_agent(draft: Draft) -> None:
    draft.keywords["robots_txt"] = "Disallow: /old/\n" + draft.keywords["robots_txt"]


@fault({"robots-txt-assets": "failed"})
def robots_txt_forbids_the_style_sheet(draft: Draft) -> None:
    path = "/" + draft.assets(".css")[0].split("/", 3)[3]
    draft.robots_txt(f"User-agent: *\nDisallow: {path}")


@fault({"noindex-effective": "failed", "robots-txt-valid": "warned"})
def noindex_in_robots_txt(draft: Draft) -> None:
    draft.robots_txt(f"{EVERYBODY}\nNoindex: {draft.path}")


@fault({"ai-search-bots": "warned"})
def robots_txt_forbids_a_search_bot_of_ai(draft: Draft) -> None:
    draft.robots_txt(f"{EVERYBODY}\n\nUser-agent: OAI-SearchBot\nDisallow: /")


@fault(notes=("ai-training-bots",))
def robots_txt_forbids_another_training_bot(draft: Draft) -> None:
    draft.keywords["robots_txt"] += "\nUser-agent: Bytespider\nDisallow: /\n"


@fault({"ai-edge-access": "warned"})
def the_edge_refuses_a_crawler(draft: Draft) -> None:
    draft.keywords["agents"]["PerplexityBot/1.0"] = {"status": 403}


@fault(notes=("llms-txt",))
def an_llms_txt(draft: Draft) -> None:
    draft.keywords["llms_txt"] = {"body": "# Us\n\n- [Prices](https://www.example.com/prices.md): what things cost, as text\n"}


@fault({"sitemap-present": "warned"})
def no_sitemap(draft: Draft) -> None:
    draft.keywords["robots_txt"] = "\n".join(line for line in draft.keywords["robots_txt"].splitlines() if "Sitemap" not in line)
    draft.keywords |= {"sitemaps": {draft.sitemap: 404}, "sitemap_entries": []}


@fault({"sitemap-valid": "failed"})
def a_sitemap_that_is_gone(draft: Draft) -> None:
    draft.keywords |= {"sitemaps": {draft.sitemap: 404}, "sitemap_entries": []}


@fault({"sitemap-valid": "failed"})
def a_sitemap_that_is_not_well_formed(draft: Draft) -> None:
    answer = draft.keywords["sitemaps"][draft.sitemap]
    draft.keywords["sitemaps"][draft.sitemap] = answer | {"body": answer["body"].replace("</urlset>", "<url><loc>")}


@fault({"sitemap-valid": "warned"})
def a_sitemap_with_a_bad_date(draft: Draft) -> None:
    answer = draft.keywords["sitemaps"][draft.sitemap]
    draft.keywords["sitemaps"][draft.sitemap] = answer | {"body": answer["body"].replace("<lastmod>2026-01-12", "<lastmod>12.01.2026")}


@fault({"sitemap-lists-page": "warned"})
def a_sitemap_without_the_page(draft: Draft) -> None:
    answer = draft.keywords["sitemaps"][draft.sitemap]
    entry = f"<loc>{draft.site.url}</loc>"
    assert entry in answer["body"]
    draft.keywords["sitemaps"][draft.sitemap] = answer | {"body": answer["body"].replace(entry, f"<loc>{draft.site.address('/x')}</loc>")}
    draft.keywords["sitemap_entries"] = []


@fault({"not-found-status": "failed"})
def a_made_up_address_answers_200(draft: Draft) -> None:
    draft.keywords["made_up"]["status"] = 200


@fault({"not-found-status": "warned"})
def a_made_up_address_answers_400(draft: Draft) -> None:
    draft.keywords["made_up"]["status"] = 400


@fault({"host-variants": "warned"}, pages=but("docs", "job"))
def the_other_host_does_not_answer(draft: Draft) -> None:
    variants = draft.keywords["variants"]
    own = urlsplit(draft.site.url).hostname
    for url in variants:
        if urlsplit(url).hostname != own:
            variants[url] = {"failure": "connect"}


@fault({"host-variants": "failed"}, pages=but("docs", "job"))
def two_hosts_with_the_same_content(draft: Draft) -> None:
    variants = draft.keywords["variants"]
    words = " ".join(f"word{number}" for number in range(60))
    for url in variants:
        variants[url] = {"body": f"<!doctype html><title>Home</title><p>{words}</p>", "headers": [["Content-Type", "text/html"]]}


@fault({"mobile-parity": "failed"})
def phones_get_another_page(draft: Draft) -> None:
    body = re.sub(r"<main\b.*</main>", "<main><p>2026</p></main>", draft.html, flags=re.DOTALL)
    draft.keywords["phone"][draft.site.url] |= {"body": body}


@fault({"mobile-parity": "warned"})
def phones_get_another_title(draft: Draft) -> None:
    body = re.sub(r"<title>[^<]*</title>", "<title>Mobile</title>", draft.html, count=1)
    draft.keywords["phone"][draft.site.url] |= {"body": body}


@fault({"mobile-parity": "failed"})
def phones_get_noindex(draft: Draft) -> None:
    answer = draft.keywords["phone"][draft.site.url]
    draft.keywords["phone"][draft.site.url] = answer | {"headers": [*answer["headers"], ["X-Robots-Tag", "noindex"]]}


@fault({"content-signals": "warned"})
def content_signals_that_are_malformed(draft: Draft) -> None:
    draft.keywords["robots_txt"] += "\nUser-agent: *\nContent-Signal: search=perhaps\n"
