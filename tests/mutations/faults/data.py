"""Faults of structured data."""

from tests.mutations.draft import JSON_LD, Draft
from tests.mutations.fault import but, fault

CONTEXT = "https://schema.org"
INNER = ("docs",)
"""Pages deep enough for a trail."""


@fault({"jsonld-valid": "failed"}, closes=["sd-identity"])
def json_ld_that_does_not_parse(draft: Draft) -> None:
    draft.in_head('<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Thing", "name": }</script>')


@fault({"jsonld-valid": "warned"})
def json_ld_with_a_comma_too_many(draft: Draft) -> None:
    draft.in_head('<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Thing", "name": "2026",}</script>')


@fault({"jsonld-valid": "warned"})
def json_ld_without_context(draft: Draft) -> None:
    draft.json_ld({"@type": "Thing", "name": "2026"})


@fault({"jsonld-valid": "warned"})
def json_ld_with_names_in_a_wrong_case(draft: Draft) -> None:
    draft.json_ld({"@context": CONTEXT, "@type": "imageobject", "name": "2026"})


WITHOUT_DATA = ("jsonld-valid", "sd-required", "sd-matches-page", "sd-reviews", "sd-deprecated", "sd-values")


@fault({"sd-present": "warned"}, pages=but("home", "recipe", "docs", "tea"), closes=WITHOUT_DATA)
def an_inner_page_without_structured_data(draft: Draft) -> None:
    draft.drop(JSON_LD)


@fault({"sd-present": "warned", "sd-identity": "warned"}, pages=("home",), closes=WITHOUT_DATA)
def a_home_page_without_structured_data(draft: Draft) -> None:
    draft.drop(JSON_LD)


@fault({"sd-required": "failed"}, opens=["jsonld-valid"])
def a_video_without_a_date(draft: Draft) -> None:
    url = draft.site.address("/video.jpg")
    draft.json_ld(
        {"@context": CONTEXT, "@type": "VideoObject", "name": "2026", "thumbnailUrl": url, "description": "2026", "contentUrl": url}
    )


@fault({"sd-required": "warned"}, opens=["jsonld-valid"])
def a_dataset_without_a_licence(draft: Draft) -> None:
    draft.json_ld({"@context": CONTEXT, "@type": "Dataset", "name": "2026", "description": "2026"})


@fault({"sd-matches-page": "warned"}, opens=["jsonld-valid"])
def a_course_that_stands_nowhere(draft: Draft) -> None:
    course = {"name": "Underwater basket weaving", "description": "Twelve evenings", "provider": {"@type": "Person", "name": "Zebulon"}}
    draft.json_ld({"@context": CONTEXT, "@type": "Course", **course})


@fault({"sd-matches-page": "failed"}, pages=("product",))
def another_price_in_the_markup(draft: Draft) -> None:
    draft.replace(r'"price": "148.00"', '"price": "98.00"')


@fault({"sd-values": "warned"}, pages=("product",))
def a_price_in_words_of_a_shop(draft: Draft) -> None:
    draft.json_ld({"@context": CONTEXT, "@type": "Offer", "price": "1,299.00 €", "priceCurrency": "EUR"})


@fault({"sd-values": "warned"}, opens=["jsonld-valid"])
def a_duration_in_words(draft: Draft) -> None:
    draft.json_ld({"@context": CONTEXT, "@type": "CreativeWork", "timeRequired": "5 minutes"})


@fault({"sd-values": "warned"}, opens=["jsonld-valid"])
def a_property_one_letter_from_a_known_one(draft: Draft) -> None:
    draft.json_ld({"@context": CONTEXT, "@type": "CreativeWork", "inLanguages": "en"})


@fault({"sd-values": "warned"}, opens=["jsonld-valid"])
def a_currency_that_is_none(draft: Draft) -> None:
    draft.json_ld(
        {
            "@context": CONTEXT,
            "@type": "CreativeWork",
            "isAccessibleForFree": "true",
            "offers": {"@type": "Offer", "price": "1", "priceCurrency": "Euro"},
        }
    )


@fault({"sd-values": "warned"})
def an_itemtype_without_itemscope(draft: Draft) -> None:
    draft.in_main('<p itemtype="https://schema.org/Thing">2026</p>')


@fault({"sd-reviews": "warned"}, pages=("product",))
def a_rating_outside_its_scale(draft: Draft) -> None:
    draft.replace(r'"ratingValue": "4.7"', '"ratingValue": "4.7", "bestRating": "4"')


@fault({"sd-breadcrumb": "warned"}, pages=INNER)
def no_breadcrumb_trail(draft: Draft) -> None:
    draft.replace("BreadcrumbList", "ItemList", 0)


@fault({"sd-identity": "warned"}, pages=("home",))
def a_home_page_that_names_no_site(draft: Draft) -> None:
    draft.replace('"WebSite"', '"WebPage"')


@fault(notes=["sd-deprecated"], opens=["jsonld-valid"])
def markup_of_a_result_that_ended(draft: Draft) -> None:
    draft.json_ld({"@context": CONTEXT, "@type": "FAQPage", "name": "2026"})
