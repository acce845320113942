"""Resources that the page loads: stylesheets, scripts, frames, media, fonts; and inline code."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.page.head import LinkTag, SentHead
from findable.artifacts.page.images import Images
from findable.artifacts.registry import artifact
from findable.artifacts.responses.assets import Assets
from findable.formats.css import imports
from findable.formats.css_fonts import FontFace, font_faces, font_values, names_font
from findable.lazy_pattern import lazy_pattern
from findable.urls import Url, join, parse, registrable_domain, without_fragment

MAX_URL_CHARS = 8192
MAX_RESOURCES = 3000
"""Maximum number of resources, scripts and stylesheets each. Real pages have a few hundred."""
MAX_ELEMENTS = 2 * MAX_RESOURCES
"""Maximum number of elements per tag; not every element loads something."""
MAX_STYLE_ATTRIBUTES = 3000
JAVASCRIPT_TYPES = frozenset(
    {
        "",
        "text/javascript",
        "application/javascript",
        "application/x-javascript",
        "application/ecmascript",
        "text/ecmascript",
        "text/jscript",
        "text/x-javascript",
    }
)
"""Usual JavaScript MIME types (MIME Sniffing, 4.6); any other ``type`` except ``module`` marks data, not a script."""
_OLD_JAVASCRIPT = lazy_pattern(r"text/(?:javascript1\.[0-5]|livescript|x-ecmascript)")
ALWAYS_MATCHING_MEDIA = frozenset({"all", "screen", "only all", "only screen"})
"""Media that match in every browser; a query such as ``(min-width: 800px)`` depends on the device."""


class ResourceKind(StrEnum):
    """Kind of resource: the purpose for which the page loads it."""

    STYLESHEET = "stylesheet"
    SCRIPT = "script"
    IMAGE = "image"
    FONT = "font"
    FRAME = "frame"
    MEDIA = "media"
    PRELOAD = "preload"
    """Preload of another kind."""
    ICON = "icon"
    MANIFEST = "manifest"


PRELOADED_AS = {
    "style": ResourceKind.STYLESHEET,
    "script": ResourceKind.SCRIPT,
    "image": ResourceKind.IMAGE,
    "font": ResourceKind.FONT,
    "video": ResourceKind.MEDIA,
    "audio": ResourceKind.MEDIA,
}
NOT_REQUESTED_BY_VISIT = frozenset({ResourceKind.ICON, ResourceKind.MANIFEST})


class Resource(Struct, frozen=True):
    """Resource that the page's markup loads."""

    kind: ResourceKind
    url: str
    """Resolved http(s) URL without fragment."""
    parsed_url: Url
    element: Element
    third_party: bool
    """Whether the registrable domain of the resource differs from that of the page."""
    lazy: bool
    """Whether the resource has ``loading=lazy`` and is loaded only near the viewport."""


class Script(Struct, frozen=True):
    """One script element that runs; data blocks are excluded."""

    element: Element
    url: str | None
    """URL, None for an inline script."""
    module: bool
    nomodule: bool
    async_: bool
    defer: bool
    in_head: bool
    third_party: bool
    integrity: str

    @property
    def parser_blocking(self) -> bool:
        """Whether the script is an external classic one that blocks the parser (HTML Standard, 4.12.1)."""
        return self.url is not None and not (self.module or self.nomodule or self.async_ or self.defer)


class Stylesheet(Struct, frozen=True):
    """One stylesheet link that applies by default; alternate and disabled ones are excluded."""

    element: Element
    url: str
    media: str
    in_head: bool
    third_party: bool
    integrity: str

    @property
    def blocking(self) -> bool:
        """Whether the stylesheet blocks the first paint for every visitor."""
        queries = {" ".join(query.split()) for query in self.media.split(",")}
        return self.in_head and (queries == {""} or not queries.isdisjoint(ALWAYS_MATCHING_MEDIA))


class Resources(Struct, frozen=True):
    """All resources of the page, as far as markup and fetched stylesheets show them."""

    page_site: str
    """Registrable domain of the page."""
    items: tuple[Resource, ...]
    """Resources by kind: stylesheets, scripts, hints, frames, media, images (the likely candidate of each)."""
    scripts: tuple[Script, ...]
    """Scripts in document order, inline ones included."""
    stylesheets: tuple[Stylesheet, ...]
    style_elements: tuple[Element, ...]
    style_attributes: tuple[Element, ...]
    """First MAX_STYLE_ATTRIBUTES elements outside inline SVG with a declaration in their style attribute."""
    imports: tuple[Resource, ...]
    """Stylesheets that fetched stylesheets import; those that style elements import are among the items."""
    font_faces: tuple[tuple[str, FontFace], ...]
    """Font faces of inline styles and fetched stylesheets: (base URL, face)."""
    used_fonts: frozenset[str]
    """Families of the font faces, as declared, that a rule, an attribute or an inline script names. Browsers load only these."""
    is_amp: bool
    built_by_script: bool
    """Whether the markup is an empty shell, so that scripts load resources unknown here."""
    is_cut: bool = False
    """Whether the markup loads more resources than were read."""

    @property
    def requests(self) -> Mapping[str, Resource]:
        """Requests of a first visit besides the page, by URL.

        Excluded are lazy images and frames, icons, the manifest, and fonts without preload (a browser loads only those used).
        """
        found: dict[str, Resource] = {}
        for item in self.items:
            if not item.lazy and item.kind not in NOT_REQUESTED_BY_VISIT:
                found.setdefault(item.url, item)
        return found

    def own_urls(self, *kinds: ResourceKind) -> list[str]:
        """Return the URLs of the `requests` of these kinds to the site of the page."""
        return [url for url, item in self.requests.items() if item.kind in kinds and not item.third_party]

    @property
    def font_urls(self) -> tuple[str, ...]:
        """First URL of each font face, resolved, without duplicates."""
        urls = (join(base, face.urls[0]) for base, face in self.font_faces if face.urls and not face.urls[0].startswith("data:"))
        return tuple(dict.fromkeys(url for url in urls if url))


@artifact
def make_resources(sent_document: SentDocument, metadata: SentHead, images: Images | None, assets: Assets) -> Resources:
    """Read links, scripts, frames and media; fonts from inline styles and fetched stylesheets."""
    document, head = sent_document.document, metadata.head
    reader = _Reader(document)
    for link in head.links:
        reader.link(link)
    scripts = document.all("script", limit=MAX_RESOURCES + 1)
    for element in scripts[:MAX_RESOURCES]:
        reader.script(element)
    media = document.all("iframe", "frame", "video", "audio", "source", "track", "embed", "object", limit=MAX_ELEMENTS + 1)
    for element in media[:MAX_ELEMENTS]:
        reader.frame_or_media(element)
    for image in images.items if images else ():
        reader.add(ResourceKind.IMAGE, reader.resolve(image.candidate_url or image.url), image.element, lazy=image.loading == "lazy")
    style_elements = tuple(document.all("style"))
    faces: list[tuple[str, FontFace]] = []
    imported: list[Resource] = []
    for element in style_elements:
        css = element.raw_text
        faces += [(document.base_url, face) for face in font_faces(css)]
        for written in imports(css):
            reader.add(ResourceKind.STYLESHEET, reader.resolve(written), element)
    for sheet in reader.stylesheets:
        base, css = _fetched_css(sheet.url, assets)
        faces += [(base, face) for face in font_faces(css)]
        imported += reader.imported(base, css, sheet.element)
    urls = dict.fromkeys(item.url for item in (*reader.items, *imported) if item.kind is ResourceKind.STYLESHEET) if faces else ()
    sheets = [*(element.raw_text for element in style_elements), *(_fetched_css(url, assets)[1] for url in urls)]
    return Resources(
        page_site=reader.page_site,
        items=tuple(reader.items),
        scripts=tuple(reader.scripts),
        stylesheets=tuple(reader.stylesheets),
        style_elements=style_elements,
        style_attributes=tuple(document.elements_at(islice(_styled_positions(document), MAX_STYLE_ATTRIBUTES))),
        imports=tuple(imported),
        font_faces=tuple(faces),
        used_fonts=_used_fonts(document, {face.family for _, face in faces}, sheets) if faces else frozenset(),
        built_by_script=is_script_shell(document),
        is_cut=reader.is_cut or len(scripts) > MAX_RESOURCES or len(media) > MAX_ELEMENTS or (images is not None and images.is_cut),
        is_amp=any(document.html.attr(name) is not None for name in ("amp", "⚡")),
    )


def _styled_positions(document: Document) -> Iterator[int]:
    """Yield the positions of elements outside SVG drawings with a declaration in their style attribute."""
    drawings = iter([(drawing.order, document.ends[drawing.order]) for drawing in document.all("svg")])
    start, end = next(drawings, (-1, -1))
    for order, style in document.styles:
        while start >= 0 and end <= order:
            start, end = next(drawings, (-1, -1))
        if ":" in style and not 0 <= start <= order < end:
            yield order


def _used_fonts(document: Document, families: set[str], sheets: Iterable[str]) -> frozenset[str]:
    """Return the families that stylesheets, attributes or inline scripts name."""
    values = {value for css in sheets for value in font_values(css)}
    values.update(value for _, style in islice(document.styles, MAX_STYLE_ATTRIBUTES) for value in font_values(style))
    values.update((font.attr("face") or "").lower() for font in document.all("font", limit=MAX_ELEMENTS))
    values.update((text.attr("font-family") or "").lower() for text in document.all("text", "tspan", "g", "svg", limit=MAX_ELEMENTS))
    named = "\n".join(values)
    scripts = [script.raw_text for script in document.all("script", limit=MAX_RESOURCES)]
    return frozenset(family for family in families if names_font(named, family) or (family and any(family in script for script in scripts)))


def _fetched_css(url: str, assets: Assets) -> tuple[str, str]:
    """Return the final URL and the text of a stylesheet that was fetched; both empty if it was not."""
    asset = assets.for_url(url)
    if asset is None or not asset.is_loaded:
        return "", ""
    return asset.response.final_url, asset.response.body.decode("utf-8", "replace")


class _Reader:
    """Collects resources while the elements are walked."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.items: list[Resource] = []
        self.scripts: list[Script] = []
        self.stylesheets: list[Stylesheet] = []
        self.is_cut = False
        self._has_source: set[Element] = set()
        page = parse(document.url)
        self.page_site = registrable_domain(page.host) if page else ""
        inside = document.head.descendants()
        self._head_ends = inside[-1].order if inside else -1

    def resolve(self, href: str | None) -> Url | None:
        """Return the absolute http(s) URL of an attribute, without fragment; None for anything else."""
        if not href or len(href) > MAX_URL_CHARS:
            return None
        url = self.document.resolve(href)
        return parse(without_fragment(url)) if url and url.startswith(("http:", "https:")) else None

    def third_party(self, url: Url) -> bool:
        return registrable_domain(url.host) != self.page_site

    def add(self, kind: ResourceKind, url: Url | None, element: Element, *, lazy: bool = False) -> None:
        if url and len(self.items) >= MAX_RESOURCES:
            self.is_cut = True
        elif url:
            self.items.append(Resource(kind, url.href, url, element, self.third_party(url), lazy))

    def imported(self, base: str, css: str, element: Element) -> Iterator[Resource]:
        """Yield the stylesheets that a fetched stylesheet imports; ``element`` loads it."""
        for written in imports(css):
            url = parse(without_fragment(join(base, written) or ""))
            if url is not None and url.is_http:
                yield Resource(ResourceKind.STYLESHEET, url.href, url, element, self.third_party(url), lazy=False)

    def link(self, link: LinkTag) -> None:
        element = link.element
        if "stylesheet" in link.rel:
            url = self.resolve(link.href)
            if url and len(self.stylesheets) < MAX_RESOURCES and "alternate" not in link.rel and element.attr("disabled") is None:
                self.stylesheets.append(
                    Stylesheet(element, url.href, link.media, link.in_head, self.third_party(url), element.attr("integrity") or "")
                )
                self.add(ResourceKind.STYLESHEET, url, element)
        elif "preload" in link.rel:
            self.add(PRELOADED_AS.get(link.as_, ResourceKind.PRELOAD), self.resolve(link.href), element)
        elif "modulepreload" in link.rel:
            self.add(ResourceKind.SCRIPT, self.resolve(link.href), element)
        elif "icon" in link.rel or "apple-touch-icon" in link.rel:
            self.add(ResourceKind.ICON, self.resolve(link.href), element)
        elif "manifest" in link.rel:
            self.add(ResourceKind.MANIFEST, self.resolve(link.href), element)

    def script(self, element: Element) -> None:
        attrs = element.attrs
        kind = attrs.get("type", "").partition(";")[0].strip().lower()
        if "type" not in attrs and attrs.get("language"):
            kind = f"text/{attrs['language'].lower()}"  # HTML, "prepare the script element": compared as written, including spaces
        if kind != "module" and kind not in JAVASCRIPT_TYPES and not _OLD_JAVASCRIPT.fullmatch(kind):
            return
        url = self.resolve(attrs.get("src", "").strip() or attrs.get("href" if element.namespace == "svg" else "", ""))
        self.scripts.append(
            Script(
                element=element,
                url=url.href if url else None,
                module=kind == "module",
                nomodule="nomodule" in attrs,
                async_="async" in attrs or "data-requiremodule" in attrs,  # RequireJS inserts these scripts; saved pages contain them
                defer="defer" in attrs,
                in_head=element.order <= self._head_ends,
                third_party=url is not None and self.third_party(url),
                integrity=attrs.get("integrity", "").strip(),
            )
        )
        if url and "nomodule" not in attrs:
            self.add(ResourceKind.SCRIPT, url, element)

    def frame_or_media(self, element: Element) -> None:
        if element.tag in ("iframe", "frame"):
            lazy = (element.attr("loading") or "").strip().lower() == "lazy"
            self.add(ResourceKind.FRAME, self.resolve(element.attr("src")), element, lazy=lazy)
            return
        # A browser loads one of several sources; tracks and media with preload=none wait for the user.
        parent = element.parent if element.tag in ("source", "track") else element
        waits = element.tag == "track" or parent is None or (parent.attr("preload") or "").strip().lower() == "none"
        if element.tag == "source" and parent is not None:
            waits = waits or parent in self._has_source
            self._has_source.add(parent)
        self.add(ResourceKind.MEDIA, self.resolve(element.attr("data" if element.tag == "object" else "src")), element, lazy=waits)
