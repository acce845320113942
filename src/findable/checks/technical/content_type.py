"""The page or one of its resources has a wrong content type.

In plain words: Visitors may get this page or parts of it as code or as a download, because the server states the wrong kind of file.

Why it matters: HTML sent as plain text or as a download is shown as source or not at all, and search engines do not read it as a page.

How to fix: Map file endings to types on the server.

    Content-Type: text/html; charset=utf-8

Sources: [MIME Sniffing Standard](https://mimesniff.spec.whatwg.org/); [Google: File types indexable by
Google](https://developers.google.com/search/docs/crawling-indexing/indexable-file-types) (2025); [HTML Standard,
4.2.4](https://html.spec.whatwg.org/multipage/semantics.html#the-link-element) (stylesheets need text/css).

Not judged: images with another image's type, which every browser tolerates, icons, and types that cannot be distinguished by their bytes.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.capture.response import HTML_TYPES, Response
from findable.checks.engine import Evidence, Finding, check, failed, header, passed, quoted, url_evidence, warned
from findable.formats.mime_sniffing import sniff
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance

SCRIPT_TYPES = ("javascript", "ecmascript", "application/json", "text/html")
"""Parts of the media types of scripts; JSON is data, and HTML is an error page that another check reports."""


class ActualKind(Code, params=("what",)):
    """Actual kind of a response, regardless of its Content-Type."""

    STYLESHEET = "stylesheet", "a stylesheet"
    SCRIPT = "script", "a script"
    IMAGE = "image", "an image"


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Placeholder evidence if there is nothing to quote."""

    NO_CONTENT_TYPE = "no Content-Type header"


@check("Is the Content-Type right?", Importance.MEDIUM, Effort.SERVER, failed=60, warned=20)
def content_type(response: Response, document: Document, resources: Resources | None, assets: Assets | None) -> Finding:
    """Checks the Content-Type of the page, then those of its resources."""
    del document  # the page is HTML, regardless of its header
    sent = ", ".join(response.headers.all("content-type"))
    media_type = response.headers.media_type
    disposition = response.headers.first("content-disposition") or ""
    if disposition.strip().lower().startswith("attachment"):
        return failed("The page is sent as a download", evidence=header("Content-Disposition", disposition))
    if media_type and media_type not in HTML_TYPES:
        return failed("The page is HTML and sent as {media_type}", media_type=media_type, evidence=header("Content-Type", sent))
    if sent and not media_type:
        return warned("The Content-Type of the page is not a media type: browsers guess it", evidence=header("Content-Type", sent))
    if not media_type:
        return warned("The page is sent without Content-Type", evidence=quoted(Unquotable.NO_CONTENT_TYPE))
    mismatched = _mismatched_types(resources, assets) if resources and assets else []
    if mismatched:
        return warned("{count|resource is|resources are} sent with another type than their own, or without one", evidence=mismatched)
    return passed("{media_type}", media_type=media_type, evidence=header("Content-Type", sent))


def _mismatched_types(resources: Resources, assets: Assets) -> list[Evidence]:
    kinds = {item.url: item.kind for item in resources.items}
    found = []
    for url, kind in kinds.items():
        asset = assets.for_url(url)
        if asset is None or not asset.is_loaded:
            continue
        if not asset.declared_type:
            what = ActualKind.STYLESHEET if kind is ResourceKind.STYLESHEET else ActualKind.IMAGE if kind is ResourceKind.IMAGE else None
            if what and asset.response.body:
                found.append(url_evidence(url, asset.response.status, "{what} sent without a Content-Type", what=what))
        elif what := _actual_kind(asset, kind):
            found.append(
                url_evidence(url, asset.response.status, "{what} sent as {declared_type}", what=what, declared_type=asset.declared_type)
            )
    return found


def _actual_kind(asset: Asset, kind: ResourceKind) -> ActualKind | None:
    """Return the actual kind of the resource if its declared type contradicts it, else None."""
    declared = asset.declared_type
    if kind is ResourceKind.STYLESHEET and declared not in ("text/css", "text/html"):
        return ActualKind.STYLESHEET
    if kind is ResourceKind.SCRIPT and not any(part in declared for part in SCRIPT_TYPES):
        return ActualKind.SCRIPT
    if kind is ResourceKind.IMAGE and not declared.startswith("image/") and sniff(asset.response.body).startswith("image/"):
        return ActualKind.IMAGE
    return None
