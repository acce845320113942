"""Sitemaps read as they arrive."""

import gzip
from collections import Counter

import pytest

from findable.capture.sitemap_summary import SitemapForm, SitemapSummary
from findable.fetch import sitemap_stream
from findable.fetch.sitemap_stream import SitemapReader, SitemapStream, fingerprint

URL = "https://example.com/sitemap.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def read(body: bytes, step: int = 7) -> tuple[SitemapSummary, SitemapReader]:
    reader = SitemapReader(URL)
    goes_on = all(reader.feed(body[start : start + step]) for start in range(0, len(body), step))
    if goes_on:
        reader.finish()
    return reader.summary(read_to_end=goes_on), reader


def test_a_set_of_addresses() -> None:
    body = (
        f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
        'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        "<url><loc>\n https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-11-01</lastmod>"
        '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>'
        "<image:image><image:loc>https://example.com/a.png</image:loc></image:image></url>"
        "<url><loc><![CDATA[https://example.com/b]]></loc></url></urlset>"
    )
    summary, reader = read(body.encode())
    assert (summary.form, summary.namespace, summary.urls_count, summary.read_to_end) == (SitemapForm.URLSET, NAMESPACE, 2, True)
    assert [(entry.url, entry.lastmod) for entry in summary.sample] == [
        ("https://example.com/a?x=1&y=2", "2026-11-01"),
        ("https://example.com/b", ""),
    ]
    assert summary.alternates_count == 1
    assert reader.listed.lastmods[fingerprint("https://EXAMPLE.com/a?x=1&y=2#top") or b""] == "2026-11-01"
    assert reader.listed.alternates == {fingerprint("https://example.com/a?x=1&y=2"): (("de", "https://example.com/de"),)}
    assert summary.bad == ()


def alternates(*entries: tuple[str, list[tuple[str, str]]]) -> bytes:
    rows = "".join(
        f"<url><loc>https://example.com/{path}</loc>"
        + "".join(f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>' for code, href in links)
        + "</url>"
        for path, links in entries
    )
    return f'<urlset xmlns="{NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">{rows}</urlset>'.encode()


def test_language_versions_of_each_entry() -> None:
    both = [("en", "https://example.com/a"), ("de", "https://example.com/b")]
    reader = read(alternates(("a", both), ("none", []), ("b", both)))[1]
    first, second = (reader.listed.alternates[fingerprint(f"https://example.com/{path}") or b""] for path in "ab")
    assert first == tuple(both)
    assert first is second, "a set that stands with every version is kept once"
    assert fingerprint("https://example.com/none") not in reader.listed.alternates


def test_language_versions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_stream, "MAX_ALTERNATES_CHARS", 100)
    many = [("de", f"https://example.com/{number:030}") for number in range(10)]
    reader = read(alternates(("a", many[:1]), ("b", many[:2]), ("c", many), ("d", many[:1])))[1]
    kept = {path: reader.listed.alternates[fingerprint(f"https://example.com/{path}") or b""] for path in "abcd"}
    assert kept == {"a": tuple(many[:1]), "b": None, "c": None, "d": tuple(many[:1])}


def test_an_index() -> None:
    summary, _ = read(f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>'.encode())
    assert (summary.form, summary.children, summary.urls_count) == (SitemapForm.INDEX, ("https://example.com/1.xml",), 1)


def test_other_forms() -> None:
    rss = b"<rss><channel><link>https://example.com/</link><item><link>https://example.com/a</link><pubDate>Sat, 21 Nov 2026</pubDate></item></channel></rss>"
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/><entry><link href="https://example.com/a"/><updated>2026-11-01</updated></entry></feed>'
    text = "\ufeffhttps://example.com/a\r\n\r\nhttps://example.com/b".encode()
    assert [(summary.form, summary.urls_count) for summary in (read(rss)[0], read(atom)[0], read(text)[0])] == [
        (SitemapForm.RSS, 1),
        (SitemapForm.ATOM, 1),
        (SitemapForm.TEXT, 2),
    ]
    assert read(b"<html><body>x</body></html>")[0].form is SitemapForm.HTML
    assert read(b"<!DOCTYPE html><html></html>")[0].form is SitemapForm.HTML
    assert read(b"")[0].form is SitemapForm.EMPTY


def test_what_is_wrong_is_shown() -> None:
    entries = ["/relative", "https://other.example/", f"https://example.com/{'x' * 2050}", "ftp://example.com/"]
    locs = "".join(f"<url><loc>{entry}</loc><lastmod>yesterday</lastmod></url>" for entry in entries)
    summary, _ = read(f"<urlset>{locs}</urlset>".encode())
    assert Counter(kind for kind, _ in summary.bad) == {"not_absolute": 2, "other_host": 1, "too_long": 1, "lastmod": 4}
    assert (summary.lastmod_count, summary.lastmod_values_count) == (4, 1)
    assert ("not_absolute", "/relative") in summary.bad
    assert ("lastmod", "yesterday") in summary.bad


@pytest.mark.parametrize(
    "date", ["2026", "2026-11", "2026-11-21", "2026-11-21T10:00Z", "2026-11-21T10:00:00+01:00", "2026-11-21T10:00:00.5Z"]
)
def test_dates_of_the_w3c(date: str) -> None:
    summary, _ = read(f"<urlset><url><loc>https://example.com/</loc><lastmod>{date}</lastmod></url></urlset>".encode())
    assert summary.bad == ()


def test_a_file_that_breaks_off_says_where() -> None:
    summary, _ = read(b"<urlset>\n<url><loc>https://example.com/</loc></url>\n<url><loc>a & b</loc></url></urlset>")
    assert (summary.urls_count, summary.error_line, summary.read_to_end) == (1, 3, False)
    assert summary.error
    unfinished, _ = read(b"<urlset><url><loc>https://example.com/</loc></url>")
    assert unfinished.error


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1"])
def test_other_encodings(encoding: str) -> None:
    body = f'<?xml version="1.0" encoding="{encoding}"?><urlset><url><loc>https://example.com/ü</loc></url></urlset>'.encode(encoding)
    assert read(body)[0].sample[0].url == "https://example.com/ü"


def test_an_encoding_nobody_knows_is_an_error() -> None:
    assert read(b'<?xml version="1.0" encoding="x-none"?><urlset/>')[0].error


ATOM = "http://www.w3.org/2005/Atom"
PAGE = "https://example.com/a"


@pytest.mark.parametrize(
    "item",
    [
        f"<link>{PAGE}</link>",
        f'<link>{PAGE}</link><atom:link rel="related" href="https://example.com/other"/>',
        f'<atom:link rel="self" href="https://example.com/other"/><link> {PAGE} </link><media:link>https://example.com/x</media:link>',
        f"<link>{PAGE}</link><source><link>https://other.example/</link></source><atom:updated>2026-11-01</atom:updated>",
    ],
)
def test_the_page_of_an_rss_item_is_its_own_link(item: str) -> None:
    image = "<image><url>https://example.com/logo.png</url><link>https://example.com/</link></image>"
    feed = f'<rss version="2.0" xmlns:atom="{ATOM}" xmlns:media="http://search.yahoo.com/mrss/"><channel>{image}<item>{item}</item></channel></rss>'
    assert [(entry.url, entry.lastmod) for entry in read(feed.encode())[0].sample] == [(PAGE, "")]


@pytest.mark.parametrize(
    "entry",
    [
        f'<link href="{PAGE}"/>',
        f'<link rel="alternate" hreflang="en" type="text/html" href="{PAGE}"/>',
        f'<link rel="self" hreflang="en" href="https://example.com/x"/><link rel="alternate" href="{PAGE}"/>',
        f'<link rel="alternate" href="{PAGE}"/><link rel="enclosure" href="https://example.com/x.mp3"/>',
        f'<link rel="alternate" href="{PAGE}"/><source><link rel="alternate" href="https://other.example/"/></source>',
        f'<source><link href="https://other.example/"/><updated>2020-01-01</updated></source><link href="{PAGE}"/>',
        f'<link rel="http://www.iana.org/assignments/relation/alternate" href="{PAGE}"/>',
        f'<link href="{PAGE}"/><x:link xmlns:x="https://example.org/x" href="https://example.com/x"/>',
    ],
)
def test_the_page_of_an_atom_entry_is_its_alternate_link(entry: str) -> None:
    summary, _ = read(
        f'<feed xmlns="{ATOM}"><link href="https://example.com/"/><entry>{entry}<updated>2026-11-01</updated></entry></feed>'.encode()
    )
    assert [(found.url, found.lastmod) for found in summary.sample] == [(PAGE, "2026-11-01")]
    assert summary.alternates_count == 0


def test_a_prefixed_sitemap_and_one_without_namespace_are_read() -> None:
    body = f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>{PAGE}</s:loc><s:lastmod>2026-11-01</s:lastmod></s:url></s:urlset>'
    assert [(entry.url, entry.lastmod) for entry in read(body.encode())[0].sample] == [(PAGE, "2026-11-01")]
    body = f'<urlset xmlns="{NAMESPACE}"><url xmlns=""><loc>{PAGE}</loc></url></urlset>'
    assert [entry.url for entry in read(body.encode())[0].sample] == [PAGE]


@pytest.mark.parametrize(
    "date",
    ["2025-02-30", "2026-13-45", "0000-00-00", "2025-02-20T25:61:00Z", "2025-02-20T24:00:00Z", "2025-02-20T10:00:00+99:00", "2025-02-29"],
)
def test_days_and_times_that_do_not_exist(date: str) -> None:
    summary, _ = read(f"<urlset><url><loc>https://example.com/</loc><lastmod>{date}</lastmod></url></urlset>".encode())
    assert summary.bad == (("lastmod", date),)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\r\n\r\n"])
@pytest.mark.parametrize("step", [1, 24, 1000])
def test_lines_of_a_text_sitemap(end: str, step: int) -> None:
    summary, _ = read(end.join(f"https://example.com/{name}" for name in "abc").encode(), step)
    assert [entry.url for entry in summary.sample] == [f"https://example.com/{name}" for name in "abc"]


@pytest.mark.parametrize("step", [1, 2, 1000])
def test_compressed_file_is_read_in_pieces_of_any_size(step: int) -> None:
    plain = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://example.com/a</loc></url></urlset>'.encode()
    sent = gzip.compress(plain)
    reader = SitemapReader(URL)
    stream = SitemapStream(reader)
    assert all(stream.feed(sent[start : start + step]) for start in range(0, len(sent), step))
    assert stream.finish()
    assert bytes(stream.start) == plain
    assert reader.summary(read_to_end=True).urls_count == 1


def test_file_of_one_byte_is_read() -> None:
    reader = SitemapReader(URL)
    stream = SitemapStream(reader)
    assert stream.feed(b"x")
    assert stream.finish()
    assert bytes(stream.start) == b"x"
    assert reader.summary(read_to_end=True).decoded_bytes == 1
