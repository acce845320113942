"""Faults of pictures and of the preview that networks show."""

import re

from tests.mutations.draft import ICON, Draft, meta
from tests.mutations.fault import but, fault

NEW = "/img/new-picture"
ALT = 'alt="2026"'


def _picture(draft: Draft, form: str, size_bytes: int, width: int = 800, height: int = 600, attributes: str = "") -> None:
    """One more picture, sound but for what is asked for."""
    draft.picture(f"{NEW}.{form}", form.partition("-")[0], width, height, size_bytes)
    draft.in_main(f'<p><img src="{NEW}.{form}" {ALT} width="{width}" height="{height}" loading="lazy" {attributes}></p>')


@fault({"image-alt": "failed"}, opens=["image-dimensions"])
def most_pictures_without_alt(draft: Draft) -> None:
    for number in range(5):
        draft.picture(f"{NEW}-{number}.webp", "webp", 800, 600, 40_000)
        draft.in_main(f'<p><img src="{NEW}-{number}.webp" width="800" height="600" loading="lazy"></p>')


@fault({"image-alt": "warned"}, opens=["image-dimensions"])
def one_picture_of_many_without_alt(draft: Draft) -> None:
    for number in range(7):
        draft.small_picture(f"{NEW}-{number}.webp")
    draft.picture(f"{NEW}.webp", "webp", 800, 600, 40_000)
    draft.in_main(f'<p><img src="{NEW}.webp" width="800" height="600" loading="lazy"></p>')


@fault({"image-dimensions": "warned"})
def a_picture_without_a_size(draft: Draft) -> None:
    draft.picture(f"{NEW}.webp", "webp", 800, 600, 40_000)
    draft.in_main(f'<p><img src="{NEW}.webp" {ALT} loading="lazy"></p>')


@fault({"image-format": "warned"}, opens=["image-dimensions"])
def a_photograph_as_png(draft: Draft) -> None:
    _picture(draft, "png", 190_000, 800, 600)


@fault({"image-weight": "warned"}, opens=["image-dimensions"])
def a_heavy_picture(draft: Draft) -> None:
    _picture(draft, "webp", 400_000, 2400, 1600)


@fault({"image-weight": "failed"}, opens=["image-dimensions"])
def a_picture_of_more_than_a_megabyte(draft: Draft) -> None:
    _picture(draft, "webp", 1_300_000, 4000, 3000)


@fault({"images-broken": "failed"}, opens=["image-dimensions"])
def a_picture_that_is_gone(draft: Draft) -> None:
    _picture(draft, "webp", 40_000)
    draft.keywords["assets"][draft.site.address(f"{NEW}.webp")] = {"status": 404}


@fault({"image-indexable": "warned"}, opens=["image-dimensions"])
def a_picture_that_only_scripts_load(draft: Draft) -> None:
    draft.in_main(f'<p><img data-src="{NEW}.webp" {ALT} width="800" height="600"></p>')


@fault({"image-loading": "warned"}, pages=but("docs"))
def the_first_picture_loaded_late(draft: Draft) -> None:
    draft.edit(re.escape(draft.hero), "<img", '<img loading="lazy"')


@fault(notes=["image-keywords"], opens=["image-dimensions"])
def a_picture_named_by_a_camera(draft: Draft) -> None:
    draft.picture("/img/IMG_4711.webp", "webp", 800, 600, 40_000)
    draft.in_main(f'<p><img src="/img/IMG_4711.webp" {ALT} width="800" height="600" loading="lazy"></p>')


@fault({"favicon": "failed"})
def an_icon_that_is_gone(draft: Draft) -> None:
    draft.drop(ICON)
    draft.in_head('<link rel="icon" href="/gone.png">')
    draft.keywords["assets"][draft.site.address("/gone.png")] = {"status": 404}


@fault({"favicon": "warned"})
def a_tiny_icon(draft: Draft) -> None:
    draft.drop(ICON)
    draft.in_head('<link rel="icon" href="/tiny.png">')
    draft.picture("/tiny.png", "png", 16, 16, 300)


@fault({"favicon": "warned"})
def no_icon_but_the_usual_one(draft: Draft) -> None:
    draft.drop(ICON)


@fault({"og-basic": "warned"})
def no_open_graph_title(draft: Draft) -> None:
    draft.drop(meta("og:title"))


@fault({"og-image": "failed"})
def a_preview_picture_that_is_gone(draft: Draft) -> None:
    draft.replace(meta("og:image"), f'<meta property="og:image" content="{draft.site.address("/gone.jpg")}">')
    draft.keywords["assets"][draft.site.address("/gone.jpg")] = {"status": 404}


@fault({"og-image": "warned"})
def a_small_preview_picture(draft: Draft) -> None:
    draft.replace(meta("og:image"), f'<meta property="og:image" content="{draft.site.address("/small.jpg")}">')
    draft.picture("/small.jpg", "jpeg", 300, 157, 12_000)


@fault({"og-url-agrees": "warned"})
def another_address_in_og_url(draft: Draft) -> None:
    draft.edit(meta("og:url"), r'content="[^"]*"', f'content="{draft.site.address("/something-else")}"')


@fault({"twitter-card": "warned"})
def a_card_of_a_type_that_does_not_exist(draft: Draft) -> None:
    draft.drop(meta("twitter:card"))
    draft.in_head('<meta name="twitter:card" content="gallery">')


@fault({"og-basic": "warned"}, closes=["og-image", "og-url-agrees", "max-image-preview", "twitter-card"])
def no_preview_tags_at_all(draft: Draft) -> None:
    draft.drop(r"<meta\b[^>]*\b(?:name|property)=\"(?:og|twitter):[^>]*>")
