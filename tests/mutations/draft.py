"""A page and its site in the hands of a fault: every method changes one thing, and complains where there is nothing to change."""

import copy
import json
import re
from typing import Any

from tests.mutations.world import LASTING, Site, address

TITLE = r"<title>[^<]*</title>"
CANONICAL = r"<link\b[^>]*\brel=\"canonical\"[^>]*>"
STYLESHEET = r"<link rel=\"stylesheet\"[^>]*>"
ICON = r"<link\b[^>]*\brel=\"(?:shortcut icon|icon|apple-touch-icon)\"[^>]*>"
JSON_LD = r"<script type=\"application/ld\+json\">.*?</script>"
HEADING = r"<h1\b[^>]*>.*?</h1>"
IMAGE = r"<img\b[^>]*>"
LANGUAGE_VERSION = r"<link rel=\"alternate\" hreflang=\"{code}\"[^>]*>"


def meta(name: str) -> str:
    """A pattern for the meta element of that name or property."""
    return rf"<meta\b[^>]*\b(?:name|property)=\"{re.escape(name)}\"[^>]*>"


class Draft:
    """The HTML as text and a deep copy of the keywords."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.html = site.html
        self.keywords: dict[str, Any] = copy.deepcopy(dict(site.keywords))
        self.encoding = "utf-8"

    # --- the sitemap --------------------------------------------------------------------------------------------------

    def list_versions(self, versions: list[tuple[str, str]]) -> None:
        """Language versions in the sitemap's entries of this page and of each version; absolute addresses."""
        ((url, sitemap),) = self.keywords["sitemaps"].items()
        links = "".join(f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>' for code, href in versions)
        body = sitemap["body"].replace("<urlset ", '<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml" ')
        sitemap["body"] = body.replace(f"<loc>{self.site.url}</loc>", f"<loc>{self.site.url}</loc>{links}")
        listed = [[code, href] for code, href in versions]
        self.keywords["sitemap_entries"] = [[self.site.url, "2026-10-12", url, listed]]
        self.keywords["alternate_entries"] = [[href, "", url, listed] for href in self.keywords["alternates"]]

    # --- the page -----------------------------------------------------------------------------------------------------

    def replace(self, pattern: str, by: str, count: int = 1) -> None:
        """The first matches by a text; ``count`` 0 means all."""
        found = len(re.findall(pattern, self.html, re.DOTALL))
        assert found, f"{self.site.name}: nothing matches {pattern}"
        self.html = re.sub(pattern, lambda _: by, self.html, count=count, flags=re.DOTALL)

    def drop(self, pattern: str) -> None:
        """Every match goes."""
        self.replace(pattern, "", 0)

    def edit(self, pattern: str, old: str, new: str) -> None:
        """A piece of the first match; both are patterns."""
        found = re.search(pattern, self.html, re.DOTALL)
        assert found, f"{self.site.name}: nothing matches {pattern}"
        changed = re.sub(old, lambda _: new, found.group(), count=1, flags=re.DOTALL)
        assert changed != found.group(), f"{self.site.name}: no {old} in {found.group()}"
        self.html = self.html[: found.start()] + changed + self.html[found.end() :]

    def at_top(self, markup: str) -> None:
        """New markup as the first thing of the head, behind the charset."""
        self.edit(r"<head>.{0,40}?<meta[^>]*>", r"\Z", markup)

    def in_head(self, markup: str) -> None:
        """New markup at the end of the head."""
        self.replace(r"</head>", f"{markup}\n</head>")

    def in_main(self, markup: str) -> None:
        """New markup at the end of the main region."""
        self.replace(r"</main>", f"{markup}\n</main>")

    def in_content(self, markup: str) -> None:
        """New markup behind the main heading."""
        self.edit(HEADING, r"\Z", f"\n{markup}")

    def value(self, name: str) -> str:
        """The content of the meta element of that name."""
        found = re.search(meta(name), self.html)
        content = re.search(r"content=\"([^\"]*)\"", found.group()) if found else None
        assert content, f"{self.site.name}: no {name}"
        return str(content.group(1))

    @property
    def body(self) -> bytes:
        """The page as it is sent."""
        return self.html.encode(self.encoding, "xmlcharrefreplace")

    # --- its headers --------------------------------------------------------------------------------------------------

    def header(self, name: str, value: str) -> None:
        """One more header line."""
        self.keywords["headers"] = [*self.keywords["headers"], [name, value]]
        self._share_headers()

    def without_header(self, *names: str) -> None:
        """Lines of these names go, if there are any."""
        wanted = {name.lower() for name in names}
        self.keywords["headers"] = [line for line in self.keywords["headers"] if line[0].lower() not in wanted]
        self._share_headers()

    def only_header(self, name: str, value: str) -> None:
        """That line instead of all of its name."""
        self.without_header(name)
        self.header(name, value)

    def _share_headers(self) -> None:
        """Phones, crawlers and readers of other languages are answered with the same lines."""
        for answers in (self.keywords["phone"], self.keywords["languages"], self.keywords["agents"]):
            for name, answer in answers.items():
                answers[name] = answer | {"headers": self.keywords["headers"]}

    # --- its site -----------------------------------------------------------------------------------------------------

    def robots_txt(self, lines: str) -> None:
        """Another robots.txt, with the same sitemap."""
        self.keywords["robots_txt"] = f"{lines}\nSitemap: {self.sitemap}\n"

    @property
    def sitemap(self) -> str:
        """The address of the sitemap."""
        return str(next(iter(self.keywords["sitemaps"])))

    @property
    def path(self) -> str:
        """The path of the page."""
        return "/" + self.site.url.split("/", 3)[3]

    def assets(self, *endings: str) -> list[str]:
        """Addresses of the page's files with one of these endings, in order."""
        return [url for url in self.keywords["assets"] if url.partition("?")[0].endswith(endings)]

    def asset(self, ending: str, **changes: Any) -> None:
        """The first file with that ending is answered differently."""
        url = self.assets(ending)[0]
        self.keywords["assets"][url] = self.keywords["assets"][url] | changes

    def picture(self, path: str, form: str, width: int, height: int, size_bytes: int) -> None:
        """One more picture that loads."""
        headers = [["Content-Type", f"image/{form}"], ["Cache-Control", "max-age=31536000"]]
        self.keywords["assets"][address(self.site.url, path)] = {
            "picture": [form, width, height],
            "headers": headers,
            "total_bytes": size_bytes,
        }

    def answer(self, kind: str, url: str, **what: Any) -> None:
        """What one more extra request is told; ``kind`` is a keyword of the harness."""
        self.keywords[kind] = {**self.keywords.get(kind, {}), address(self.site.url, url): what}

    # --- whole pieces -------------------------------------------------------------------------------------------------

    @property
    def language(self) -> str:
        """The language of the page."""
        found = re.search(r'<html\b[^>]*\blang="([a-z]+)', self.site.html)
        assert found
        return found.group(1)

    @property
    def words(self) -> str:
        """Some words of the page itself, which say nothing new: the text of its main heading."""
        found = re.search(HEADING, self.site.html, re.DOTALL)
        assert found
        return re.sub(r"<[^>]*>", "", found.group())

    @property
    def not_found(self) -> str:
        """What an error page says in the language of the page."""
        words = {"de": "Seite nicht gefunden", "fr": "Page introuvable", "ja": "ページが見つかりません"}
        return words.get(self.language, "Page not found")

    def only_main(self, markup: str) -> None:
        """Nothing but this in the main region."""
        self.replace(r"<main\b.*</main>", f"<main>{markup}</main>")

    @property
    def hero(self) -> str:
        """The first picture of the main region, as written."""
        found = re.search(IMAGE, self.site.html[self.site.html.index("<main") :])
        assert found
        return found.group()

    def link_url(self, index: int) -> str:
        """The address of a link, in the order of the sidecar; the home page is the first, the last leads elsewhere."""
        return str(list(self.site.keywords["links"])[index])

    def link(self, index: int, **what: Any) -> None:
        """What that link answers."""
        self.keywords["links"][self.link_url(index)] = what

    def json_ld(self, item: Any) -> None:
        """One more block of structured data."""
        self.in_head(f'<script type="application/ld+json">{json.dumps(item)}</script>')

    def canonical(self, path: str, status: int = 200) -> None:
        """Another canonical link; its target answers as a page of its own."""
        url = self.site.address(path)
        self.replace(CANONICAL, f'<link rel="canonical" href="{url}">')
        self.replace(meta("og:url"), f'<meta property="og:url" content="{url}">')
        body = f'<!doctype html><title>Other</title><link rel="canonical" href="{url}"><p>Another page.</p>'
        self.keywords["canonical"] = {url: {"status": status, "body": body, "headers": [["Content-Type", "text/html; charset=utf-8"]]}}

    def version(self, code: str, path: str) -> None:
        """One more language version."""
        self.in_head(f'<link rel="alternate" hreflang="{code}" href="{self.site.address(path)}">')

    def other_version(self, url: str) -> dict[str, Any]:
        """The answer of a language version at that address, like those that are there."""
        known, answer = next(iter(self.site.keywords["alternates"].items()))
        return {**answer, "body": answer["body"].replace(f'rel="canonical" href="{known}"', f'rel="canonical" href="{url}"')}

    def hops(self, *statuses: int) -> None:
        """Redirects before the page."""
        urls = [self.site.address(f"/before-{number}") for number in range(len(statuses))]
        targets = [*urls[1:], self.site.url]
        self.keywords["hops"] = [
            {"url": url, "status": status, "location": target} for url, status, target in zip(urls, statuses, targets, strict=True)
        ]

    def demote_heading(self) -> None:
        """The main heading becomes one among others."""
        self.edit(HEADING, r"<h1\b", "<h2")
        self.replace(r"</h1>", "</h2>")

    def redate(self, date: str, *, visible: bool = True) -> None:
        """Another date of publication in the structured data and the preview tags; on the page, too, unless not ``visible``."""
        found = re.search(r'"datePublished":\s*"([^"]*)"', self.html)
        assert found
        old = found.group(1)
        new = date + old[10:]
        self.replace(rf'"datePublished":\s*"{re.escape(old)}"', f'"datePublished": "{new}"')
        if "article:published_time" in self.html:
            self.replace(meta("article:published_time"), f'<meta property="article:published_time" content="{new}">')
        if visible:
            self.replace(rf'datetime="{re.escape(old)}"', f'datetime="{new}"')

    def small_picture(self, path: str) -> None:
        """One more picture, sound, at the end of the page."""
        self.picture(path, "webp", 120, 90, 3000)
        self.in_main(f'<img src="{path}" alt="" width="120" height="90">')

    def style_sheet(self, path: str) -> None:
        """One more style sheet in the head."""
        self.in_head(f'<link rel="stylesheet" href="{path}">')
        self._file(path, "text/css", ".a{color:red}")

    def script(self, path: str, attributes: str = "") -> None:
        """One more script in the head."""
        self.in_head(f'<script src="{path}"{attributes}></script>')
        self._file(path, "text/javascript", "1")

    def foreign_script(self, url: str) -> None:
        """A deferred script of another site."""
        self.script(url, " defer")

    def _file(self, path: str, media_type: str, body: str) -> None:
        headers = [*LASTING, ["Content-Type", media_type]]
        self.keywords["assets"][address(self.site.url, path)] = {"body": body, "headers": headers, "content_encoding": "br"}

    @property
    def host(self) -> str:
        """The host of the page."""
        return self.site.url.split("/")[2]

    def allow_nothing(self) -> None:
        """Robots rules that only say what holds anyway go: beside noindex they would contradict it."""
        self.html = re.sub(r'content="index, ?follow, ?', 'content="', self.html)

    def everywhere(self, old: str, new: str) -> None:
        """An address changes wherever the page and its site name it; longer addresses that begin so stay."""
        pattern = re.compile(re.escape(old) + r"(?![\w-]|/\w)" if old == self.site.url else re.escape(old))
        self.html = pattern.sub(lambda _: new, self.html)
        self.keywords = json.loads(pattern.sub(lambda _: new, json.dumps(self.keywords, ensure_ascii=False)))

    def leave_https(self) -> None:
        """The whole site stands on http."""
        self.everywhere(f"https://{self.host}", f"http://{self.host}")
        self.keywords["variants"] = {f"https://{self.host}/": {"final_url": f"http://{self.host}/"}, f"http://{self.host}/": {}}
