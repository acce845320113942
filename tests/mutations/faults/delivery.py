"""Faults of timing, compression, caching, styles and scripts."""

import re

from tests.mutations.draft import Draft
from tests.mutations.fault import SOME, fault

WORDY = "/* a comment */\n" + "".join(f"    .rule-{number} {{\n        color: red;\n    }}\n\n" for number in range(400))


@fault({"ttfb": "warned"})
def a_slow_server(draft: Draft) -> None:
    draft.keywords["wait_samples_ms"] = [1200, 1100, 1300]


@fault({"ttfb": "failed"})
def a_very_slow_server(draft: Draft) -> None:
    draft.keywords["wait_samples_ms"] = [2900, 3100, 2500]


@fault({"load-time": "warned"})
def a_slow_transfer(draft: Draft) -> None:
    draft.keywords["timing"] = {"dns_ms": 10, "connect_ms": 20, "tls_ms": 30, "first_byte_ms": 160, "last_byte_ms": 3100}


@fault({"text-compression": "failed"})
def no_compression(draft: Draft) -> None:
    draft.keywords |= {"content_encoding": "", "wire_bytes": len(draft.html.encode())}


@fault({"text-compression": "warned"})
def a_style_sheet_sent_plain(draft: Draft) -> None:
    draft.asset(".css", body=".a{color:red}" * 800, content_encoding="")


@fault({"minified": "warned"})
def a_style_sheet_with_indentation(draft: Draft) -> None:
    draft.asset(".css", body=WORDY)


@fault({"cache-lifetime": "failed"}, pages=("product", "docs", "company"))
def a_versioned_file_that_may_not_be_kept(draft: Draft) -> None:
    draft.asset(".css", headers=[["Content-Type", "text/css"], ["Cache-Control", "no-store"], ["X-Content-Type-Options", "nosniff"]])


@fault({"cache-lifetime": "warned"})
def a_style_sheet_kept_for_an_hour(draft: Draft) -> None:
    draft.asset(".css", headers=[["Content-Type", "text/css"], ["Cache-Control", "max-age=3600"], ["X-Content-Type-Options", "nosniff"]])


@fault({"page-weight": "warned"})
def a_script_of_three_megabytes(draft: Draft) -> None:
    draft.asset(".js", total_bytes=3_000_000)


@fault({"failed-requests": "failed"})
def a_style_sheet_that_is_gone(draft: Draft) -> None:
    draft.in_main('<link rel="stylesheet" href="/gone.css" media="print">')
    draft.keywords["assets"][draft.site.address("/gone.css")] = {"status": 404}


@fault({"render-blocking": "warned"})
def more_style_sheets_in_the_head(draft: Draft) -> None:
    for number in range(3):
        draft.style_sheet(f"/extra-{number}.css")


@fault({"render-blocking": "warned"}, closes=["script-defer"])
def a_script_in_the_head_that_blocks(draft: Draft) -> None:
    draft.script("/blocking.js")


@fault({"script-defer": "warned"})
def a_script_in_the_text_that_blocks(draft: Draft) -> None:
    draft.script("/blocking.js")
    tag = re.search(r"<script[^>]*/blocking\.js[^>]*></script>", draft.html)
    assert tag
    draft.html = draft.html.replace(tag.group(), "")
    draft.in_content(tag.group())


@fault({"css-inline": "warned"})
def sixty_style_attributes(draft: Draft) -> None:
    draft.in_main('<p style="color:red"></p>' * 60)


@fault({"dom-size": "warned"}, pages=SOME)
def two_thousand_elements(draft: Draft) -> None:
    draft.in_main("<div>" + "<i></i>" * 2000 + "</div>")


@fault({"dom-size": "failed"}, pages=SOME)
def six_thousand_elements(draft: Draft) -> None:
    draft.in_main("<div>" + "<i></i>" * 6000 + "</div>")


@fault({"http-protocol": "warned"}, opens=["image-dimensions"])
def many_files_over_http_1(draft: Draft) -> None:
    draft.keywords["http_version"] = "1.1"
    for number in range(20):
        draft.small_picture(f"/img/tile-{number}.webp")


@fault({"request-count": "warned"}, opens=["image-dimensions"])
def a_hundred_and_ten_pictures(draft: Draft) -> None:
    for number in range(110):
        draft.small_picture(f"/img/tile-{number}.webp")


@fault({"font-display": "warned"})
def a_font_that_hides_text(draft: Draft) -> None:
    draft.in_head("<style>@font-face{font-family:Slow;src:url(/fonts/slow.woff2)}h1{font-family:Slow}</style>")
    headers = [["Content-Type", "font/woff2"], ["Cache-Control", "max-age=31536000"]]
    draft.keywords["assets"][draft.site.address("/fonts/slow.woff2")] = {"body": "wOF2", "headers": headers}
