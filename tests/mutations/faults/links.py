"""Faults of links and controls."""

from tests.mutations.draft import Draft
from tests.mutations.fault import but, fault


@fault({"links-internal-broken": "warned"})
def one_broken_link(draft: Draft) -> None:
    draft.link(1, status=404)


@fault({"links-internal-broken": "failed"})
def three_broken_links(draft: Draft) -> None:
    for index in (1, 2, 3):
        draft.link(index, status=404, tries=["GET 404"])


@fault({"links-external-broken": "warned"})
def a_broken_outgoing_link(draft: Draft) -> None:
    draft.link(-1, status=410)


@fault({"links-redirected": "warned"})
def links_to_addresses_that_redirect(draft: Draft) -> None:
    for index in (1, 2, 3):
        draft.link(index, final_url=draft.site.address(f"/moved/{index}"))


@fault({"links-insecure": "warned"})
def a_link_to_a_page_of_this_site_over_http(draft: Draft) -> None:
    url = draft.link_url(1).replace("https://", "http://")
    draft.in_main(f'<p><a href="{url}">{draft.words}</a></p>')
    draft.keywords["links"][url] = {}


@fault({"links-internal-nofollow": "warned"})
def nofollow_on_a_link_to_a_page_of_this_site(draft: Draft) -> None:
    draft.in_main(f'<p><a rel="nofollow" href="{draft.link_url(1)}">{draft.words}</a></p>')


@fault({"links-crawlable": "warned"})
def links_that_only_scripts_follow(draft: Draft) -> None:
    draft.in_main("".join(f'<p><a href="javascript:show({number})">{draft.words} {number}</a></p>' for number in range(2)))


@fault({"links-localhost": "failed"})
def a_link_to_the_machine_of_the_author(draft: Draft) -> None:
    draft.in_main(f'<p><a href="http://localhost:3000/draft">{draft.words}</a></p>')


@fault({"links-localhost": "warned"})
def a_link_to_a_staging_host(draft: Draft) -> None:
    domain = ".".join(draft.host.split(".")[-2:])
    draft.in_main(f'<p><a href="https://staging.{domain}/">{draft.words}</a></p>')


@fault({"links-crawlable": "failed"})
def a_third_of_the_links_need_scripts(draft: Draft) -> None:
    draft.in_main("".join(f'<p><a href="javascript:show({number})">{draft.words} {number}</a></p>' for number in range(12)))


@fault({"links-fragment": "warned"})
def a_link_to_a_place_that_is_not_there(draft: Draft) -> None:
    draft.in_main(f'<p><a href="#chapter-nine">{draft.words}</a></p>')


@fault({"link-text": "warned"}, pages=but("tea", "company", "news"))
def three_links_called_click_here(draft: Draft) -> None:
    draft.in_main(
        f'<p><a href="{draft.link_url(1)}">click here</a> <a href="{draft.link_url(2)}">read more</a> <a href="{draft.link_url(3)}">here</a></p>'
    )


@fault({"unsafe-cross-origin-links": "warned"})
def a_link_that_hands_over_the_opener(draft: Draft) -> None:
    draft.in_main(f'<p><a rel="opener" target="_blank" href="{draft.link_url(-1)}">{draft.words}</a></p>')


LINK_CHECKS = (
    *("control-names", "link-text", "links-crawlable", "links-external-broken", "links-fragment", "links-insecure"),
    *("links-internal-broken", "links-internal-nofollow", "links-redirected", "unsafe-cross-origin-links"),
)


@fault({"in-page-links": "warned"}, closes=LINK_CHECKS)
def links_without_urls(draft: Draft) -> None:
    draft.replace(r"<(?:a|area)\b[^>]*>", "<a>", 0)


@fault({"control-names": "warned"}, opens=["insecure-form"])
def a_field_without_a_label(draft: Draft) -> None:
    draft.in_main('<form action="/search"><input name="term" type="text"></form>')


@fault({"control-names": "failed"}, opens=["insecure-form"])
def four_fields_without_a_label(draft: Draft) -> None:
    draft.in_main('<form action="/search">' + "".join(f'<input name="f{number}">' for number in range(4)) + "</form>")


@fault({"duplicate-id": "warned"}, opens=["insecure-form"])
def a_label_of_an_id_that_stands_twice(draft: Draft) -> None:
    draft.in_main('<form action="/search"><label for="twin">2026</label> <input id="twin" name="a"><span id="twin"></span></form>')


@fault({"iframe-title": "warned"})
def a_frame_without_a_title(draft: Draft) -> None:
    draft.in_main('<iframe src="https://maps.example/embed/elsewhere" width="600" height="300"></iframe>')


@fault({"main-landmark": "warned"})
def no_main_region(draft: Draft) -> None:
    draft.replace("<main", "<div")
    draft.replace(r"</main>", "</div>")


@fault({"main-landmark": "warned"})
def two_main_regions(draft: Draft) -> None:
    draft.replace(r"</main>", "</main>\n<main><p>2026</p></main>")


@fault({"plaintext-email": "warned"})
def an_e_mail_address_in_the_open(draft: Draft) -> None:
    draft.in_main("<p>someone@harvest.example</p>")
