"""Faults of viewport, charset, document and address."""

from tests.mutations.draft import Draft, meta
from tests.mutations.fault import but, fault
from tests.mutations.world import LASTING

LEGACY = {"ja": "shift_jis"}
CHARSET = r"<meta\b[^>]*charset=[^>]*>"


@fault({"viewport": "failed"})
def no_viewport(draft: Draft) -> None:
    draft.drop(meta("viewport"))


@fault({"viewport": "warned"})
def a_viewport_of_fixed_width(draft: Draft) -> None:
    draft.replace(meta("viewport"), '<meta name="viewport" content="width=1024">')


@fault({"viewport-zoom": "warned"})
def a_viewport_that_forbids_zooming(draft: Draft) -> None:
    draft.edit(meta("viewport"), r'content="', 'content="user-scalable=no, ')


@fault({"charset": "warned"})
def a_meta_with_another_charset(draft: Draft) -> None:
    draft.edit(CHARSET, r"(?i)utf-8", "iso-8859-1")


@fault({"charset": "warned"})
def a_legacy_charset(draft: Draft) -> None:
    draft.encoding = LEGACY.get(draft.language, "windows-1252")
    draft.edit(CHARSET, r"(?i)utf-8", draft.encoding)
    draft.only_header("Content-Type", f"text/html; charset={draft.encoding}")


@fault({"charset": "failed"}, pages=("company", "news"))
def a_body_in_another_charset_than_declared(draft: Draft) -> None:
    draft.encoding = LEGACY.get(draft.language, "windows-1252")


@fault({"doctype": "warned"})
def no_doctype(draft: Draft) -> None:
    draft.replace(r"(?i)<!doctype html>\s*", "")


@fault({"content-type": "failed"})
def html_sent_as_plain_text(draft: Draft) -> None:
    draft.only_header("Content-Type", "text/plain; charset=utf-8")


@fault({"content-type": "warned"})
def a_script_sent_as_plain_text(draft: Draft) -> None:
    draft.asset(".js", headers=[*LASTING, ["Content-Type", "text/plain"]])


@fault({"html-deprecated": "warned"})
def a_font_element(draft: Draft) -> None:
    draft.in_main('<p><font color="red">2026</font></p>')


@fault({"html-structure": "warned"})
def a_second_body(draft: Draft) -> None:
    draft.in_main('<body class="shop">')


@fault({"html-structure": "warned"})
def a_comment_that_never_ends(draft: Draft) -> None:
    draft.html = draft.html.replace("</body>", "<!-- the end of\n</body>")


@fault({"url-friendly": "warned"}, pages=but("home"), opens=["sd-breadcrumb"])
def an_address_with_a_double_slash(draft: Draft) -> None:
    draft.everywhere(draft.site.url, draft.site.url + "//part-two")


@fault({"url-friendly": "info"}, pages=but("home"), opens=["sd-breadcrumb"])
def an_address_with_capitals(draft: Draft) -> None:
    draft.everywhere(draft.site.url, draft.site.url + "/Part_Two")


@fault(notes=("tech-profile",))
def a_generator(draft: Draft) -> None:
    draft.in_head('<meta name="generator" content="WordPress 6.8">')


@fault(notes=("raw-vs-rendered",), hides_page=True)
def an_empty_shell(draft: Draft) -> None:
    draft.replace(r"<body\b.*</body>", '<body><div id="root"></div></body>')
    draft.script("/shell.js", " defer")
