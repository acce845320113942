"""robots.txt: the rules of RFC 9309 and of google/robotstxt (its robots_test.cc, case by case), and what is said of odd lines."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.formats.robots_txt import (
    MAX_BYTES,
    MAX_LINE_BYTES,
    MAX_PROBLEMS,
    Decision,
    RobotsTxt,
    escape_path,
    path_of,
    pattern_matches,
    product_token,
)


def allowed(text: str | bytes, agent: str, url: str) -> bool:
    body = text.encode() if isinstance(text, str) else text
    return RobotsTxt.parse(body).decide([agent], url).allowed


BLOCK_FOO = "user-agent: FooBot\ndisallow: /\n"
GROUPS = """allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
"""
HOST = "http://foo.bar"
CASES = [
    # A case: name, file, agent, address, and whether it may be fetched.
    ("empty file", "", "FooBot", HOST, True),
    ("empty agent", BLOCK_FOO, "", "", True),
    ("empty address", BLOCK_FOO, "FooBot", "", False),
    ("all empty", "", "", "", True),
    ("line", BLOCK_FOO, "FooBot", f"{HOST}/x/y", False),
    ("unknown directives", "foo: FooBot\nbar: /\n", "FooBot", f"{HOST}/x/y", True),
    ("no colons", "user-agent FooBot\ndisallow /\n", "FooBot", f"{HOST}/x/y", False),
    ("groups x", GROUPS, "FooBot", f"{HOST}/x/b", True),
    ("groups z", GROUPS, "FooBot", f"{HOST}/z/d", True),
    ("groups y", GROUPS, "FooBot", f"{HOST}/y/c", False),
    ("groups bar y", GROUPS, "BarBot", f"{HOST}/y/c", True),
    ("blank lines do not end a group", GROUPS, "BarBot", f"{HOST}/w/a", True),
    ("groups bar z", GROUPS, "BarBot", f"{HOST}/z/d", False),
    ("agents add up", GROUPS, "BazBot", f"{HOST}/z/d", True),
    ("rule outside a group", GROUPS, "FooBot", f"{HOST}/foo/bar/", False),
    ("rule outside a group, bar", GROUPS, "BarBot", f"{HOST}/foo/bar/", False),
    ("rule outside a group, baz", GROUPS, "BazBot", f"{HOST}/foo/bar/", False),
    ("sitemap does not end a group", "User-agent: BarBot\nSitemap: https://foo.bar/s\nUser-agent: *\nDisallow: /\n", "BarBot", HOST, False),
    ("unknown line does not end one", "User-agent: FooBot\nInvalid-Unknown-Line: u\nUser-agent: *\nDisallow: /\n", "FooBot", HOST, False),
    ("upper case names", "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n", "FooBot", f"{HOST}/x/y", True),
    ("upper case names, other path", "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n", "FooBot", f"{HOST}/a/b", False),
    ("mixed case names", "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /\n", "FooBot", f"{HOST}/a/b", False),
    ("agent in upper case", "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n", "foo", f"{HOST}/x/y", True),
    ("agent in upper case, other", "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n", "Foo", f"{HOST}/a/b", False),
    ("agent up to first blank", "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n", "Foo", f"{HOST}/x/y", True),
    (
        "two words are no token",
        "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n",
        "Foo Bar",
        f"{HOST}/x/y",
        False,
    ),
    ("star and more is star", "User-agent: * baz\nDisallow: /\n", "FooBot", HOST, False),
    ("star and letters is not", "User-agent: *baz\nDisallow: /\n", "FooBot", HOST, True),
    ("own group before star", "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n", "FooBot", f"{HOST}/x/y", False),
    ("star for others", "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n", "BarBot", f"{HOST}/x/y", True),
    ("no group at all", "user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\n", "QuxBot", f"{HOST}/x/y", True),
    ("paths have case", "user-agent: FooBot\ndisallow: /X/\n", "FooBot", f"{HOST}/x/y", True),
    ("longest wins", "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n", "FooBot", f"{HOST}/x/page.html", False),
    ("longest wins, allow", "user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", "FooBot", f"{HOST}/x/page.html", True),
    ("shorter forbids", "user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", "FooBot", f"{HOST}/x/", False),
    ("empty rules", "user-agent: FooBot\ndisallow: \nallow: \n", "FooBot", f"{HOST}/x/page.html", True),
    ("tie allows", "user-agent: FooBot\ndisallow: /\nallow: /\n", "FooBot", f"{HOST}/x/page.html", True),
    ("prefix", "user-agent: FooBot\ndisallow: /x\nallow: /x/\n", "FooBot", f"{HOST}/x", False),
    ("prefix, deeper", "user-agent: FooBot\ndisallow: /x\nallow: /x/\n", "FooBot", f"{HOST}/x/", True),
    ("same rule both ways", "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html\n", "FooBot", f"{HOST}/x/page.html", True),
    ("star counts", "user-agent: FooBot\nallow: /page\ndisallow: /*.html\n", "FooBot", f"{HOST}/page.html", False),
    ("star counts, other", "user-agent: FooBot\nallow: /page\ndisallow: /*.html\n", "FooBot", f"{HOST}/page", True),
    ("longer than star", "user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n", "FooBot", f"{HOST}/x/page.html", True),
    ("star, elsewhere", "user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n", "FooBot", f"{HOST}/x/y.html", False),
    ("general rules do not add", "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n", "FooBot", f"{HOST}/x/page", True),
    ("own rules hold", "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n", "FooBot", f"{HOST}/y/page", False),
    (
        "address in a query",
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n",
        "FooBot",
        f"{HOST}/foo/bar?qux=taz&baz=http://foo.bar?tar&par",
        True,
    ),
    ("raw letter in the rule", "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ\n", "FooBot", f"{HOST}/foo/bar/%E3%83%84", True),
    ("escaped in both", "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n", "FooBot", f"{HOST}/foo/bar/%E3%83%84", True),
    ("lower case escapes", "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%e3%83%84\n", "FooBot", f"{HOST}/foo/bar/%E3%83%84", True),
    ("lower case escapes, other side", "User-agent: FooBot\nDisallow: /%C3%A9\n", "FooBot", f"{HOST}/%c3%a9", False),
    (
        "escaped letter is not the letter",
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n",
        "FooBot",
        f"{HOST}/foo/bar/baz",
        False,
    ),
    ("escaped letter", "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n", "FooBot", f"{HOST}/foo/bar/%62%61%7A", True),
    ("star in the middle", "User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n", "FooBot", f"{HOST}/foo/bar/quz", False),
    ("star is any number", "User-agent: FooBot\nDisallow: /\nAllow: /foo/*/qux\n", "FooBot", f"{HOST}/foo//a/b/qux", True),
    ("end mark", "User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n", "FooBot", f"{HOST}/foo/bar", False),
    ("end mark, longer", "User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n", "FooBot", f"{HOST}/foo/bar/", True),
    ("end mark, other", "User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n", "FooBot", f"{HOST}/foo/bar/baz", True),
    ("end mark in the middle is a dollar", "User-agent: *\nDisallow: /a$b\n", "FooBot", f"{HOST}/a$b", False),
    ("star before the end mark", "User-agent: *\nDisallow: /a*$\n", "FooBot", f"{HOST}/abc", False),
    ("end mark after a star needs its tail once", "User-agent: *\nDisallow: /ab*ab$\n", "FooBot", f"{HOST}/ab", True),
    ("comment lines", "User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n", "FooBot", f"{HOST}/foo/bar", True),
    ("comment in a line", "User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n", "FooBot", f"{HOST}/foo/quz", False),
    ("index is the directory", "User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "foobot", f"{HOST}/a/", True),
    ("index.htm is another file", "User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "foobot", f"{HOST}/a/index.htm", False),
    ("index itself", "User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "foobot", f"{HOST}/a/index.html", True),
    ("beside index", "User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "foobot", f"{HOST}/anyother-url", False),
    ("index does not forbid the directory", "User-Agent: *\nDisallow: /a/index.html\n", "foobot", f"{HOST}/a/", True),
    ("misspelt disallow", "User-agent: *\nDissallow: /\n", "FooBot", HOST, False),
    ("misspelt user-agent", "useragent: *\nDisallow: /\n", "FooBot", HOST, False),
    ("user agent in two words", "User agent: *\nDisallow: /\n", "FooBot", HOST, False),
    ("white space around all", "  User-agent \t:  FooBot  \n\t Disallow  :  /  \n", "FooBot", HOST, False),
    ("digits end Google's token", "User-agent: FooBot2\nDisallow: /\n", "FooBot", HOST, False),
    ("a token with a digit", "User-agent: AI2Bot\nDisallow: /\n", "AI2Bot", HOST, False),
    ("a version is no part", "User-agent: FooBot/2.1\nDisallow: /\n", "FooBot", HOST, False),
    ("prefix of a token is another", "User-agent: Foo\nDisallow: /\n", "FooBot", HOST, True),
    ("NUL ends the line", b"User-agent: *\nDisallow: /\0a\n", "FooBot", f"{HOST}/b", False),
    ("relative path matches nothing", "User-agent: *\nDisallow: shop\n", "FooBot", f"{HOST}/shop", True),
    ("HTML", "<!doctype html>\n<html><body>User-agent: *</body></html>", "FooBot", HOST, True),
]


@pytest.mark.parametrize(("text", "agent", "url", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_decision(text: str | bytes, agent: str, url: str, *, expected: bool) -> None:
    assert allowed(text, agent, url) is expected


FISH = [
    # Google's documentation, "URL matching based on path values": (rule, what it matches, what it does not)
    ("/fish", ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html", "/fish.php?id=anything"], ["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"]),
    ("/fish*", ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.php?id=anything"], ["/Fish.asp", "/catfish", "/?id=fish"]),
    ("/fish/", ["/fish/", "/fish/?id=anything", "/fish/salmon.htm"], ["/fish", "/fish.html", "/animals/fish/", "/Fish/Salmon.asp"]),
    ("/*.php", ["/filename.php", "/folder/filename.php", "/folder/filename.php?parameters", "/folder/any.php.file.html", "/filename.php/"], ["/", "/windows.PHP"]),
    ("/*.php$", ["/filename.php", "/folder/filename.php"], ["/filename.php?parameters", "/filename.php/", "/filename.php5", "/windows.PHP"]),
    ("/fish*.php", ["/fish.php", "/fishheads/catfish.php?parameters"], ["/Fish.PHP"]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "matching", "others"), FISH, ids=[rule for rule, *_ in FISH])
def test_paths_of_googles_documentation(rule: str, matching: list[str], others: list[str]) -> None:
    robots = RobotsTxt.parse(f"user-agent: FooBot\ndisallow: /\nallow: {rule}\n".encode())

    assert [path for path in matching if not robots.decide(["FooBot"], f"{HOST}{path}").allowed] == []
    assert [path for path in others if robots.decide(["FooBot"], f"{HOST}{path}").allowed] == []


PRECEDENCE = [
    ("allow: /p\ndisallow: /\n", "/page", True),
    ("allow: /folder\ndisallow: /folder\n", "/folder/page", True),
    ("allow: /page\ndisallow: /*.htm\n", "/page.htm", False),
    ("allow: /page\ndisallow: /*.ph\n", "/page.php5", True),
    ("allow: /$\ndisallow: /\n", "/", True),
    ("allow: /$\ndisallow: /\n", "/page.html", False),
]


@pytest.mark.parametrize(("rules", "path", "expected"), PRECEDENCE)
def test_precedence_of_googles_documentation(rules: str, path: str, *, expected: bool) -> None:
    assert allowed(f"user-agent: FooBot\n{rules}", "FooBot", f"http://example.com{path}") is expected


RFC_EXAMPLE = """User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("anybot", "/a.gif", False),
        ("anybot", "/publications/a.html", True),
        ("anybot", "/example/page.html", False),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/publications/", False),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/example/other.html", True),
        ("quxbot", "/example/page.html", True),
    ],
)
def test_example_of_rfc_9309(agent: str, path: str, *, expected: bool) -> None:
    assert allowed(RFC_EXAMPLE, agent, f"https://example.com{path}") is expected


def test_robots_txt_itself_is_always_allowed() -> None:
    assert allowed(BLOCK_FOO, "FooBot", "http://foo.bar/robots.txt")
    assert not allowed(BLOCK_FOO, "FooBot", "http://foo.bar/robots.txt.html")
    assert not allowed(BLOCK_FOO, "FooBot", "http://foo.bar/a/robots.txt")


def test_rfc_9309_longest_match() -> None:
    text = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"

    assert allowed(text, "foobot", "https://example.com/example/page/a.gif")
    assert not allowed(text, "foobot", "https://example.com/example/page/disallowed.gif")


@pytest.mark.parametrize(
    ("text", "agent", "url", "expected"),
    [
        ("User-agent: *\n\nDisallow: /a # why\n", "FooBot", "/a", Decision(allowed=False, line=3, rule="Disallow: /a", agent="*")),
        ("User-agent: *\nDisallow:\n", "FooBot", "/a", Decision(allowed=True, line=2, rule="Disallow:", agent="*")),
        ("User-agent: *\nDisallow: /b\n", "FooBot", "/a", Decision(allowed=True, agent="*")),
        ("User-agent: x\nDisallow: /b\n", "FooBot", "/a", Decision(allowed=True)),
        ("User-agent: *\nDisallow: /a\nAllow: /a\n", "FooBot", "/a", Decision(allowed=True, line=3, rule="Allow: /a", agent="*")),
        ("User-agent: *\nDisallow: /a\nDisallow: /a\n", "FooBot", "/a", Decision(allowed=False, line=2, rule="Disallow: /a", agent="*")),
        ("User-agent: FooBot\n", "foobot", "/a", Decision(allowed=True, agent="foobot")),
    ],
)
def test_the_deciding_line_is_named(text: str, agent: str, url: str, expected: Decision) -> None:
    assert RobotsTxt.parse(text.encode()).decide([agent], url) == expected


def test_the_first_token_with_a_group_decides() -> None:
    robots = RobotsTxt.parse(
        b"User-agent: Googlebot\nDisallow: /a\n\nUser-agent: Googlebot-News\nDisallow: /b\n\nUser-agent: *\nDisallow: /\n"
    )

    assert robots.decide(["Googlebot-News", "Googlebot"], "/a").allowed
    assert not robots.decide(["Googlebot-News", "Googlebot"], "/b").allowed
    assert not robots.decide(["Googlebot-Image", "Googlebot"], "/a").allowed
    assert robots.decide(["Googlebot-Image", "Googlebot"], "/b").allowed
    assert not robots.decide(["Bingbot"], "/b").allowed


def test_lines_longer_than_the_limit_are_cut() -> None:
    path = "/x/".ljust(MAX_LINE_BYTES - len("disallow: ") - 1, "a")
    robots = RobotsTxt.parse(f"user-agent: FooBot\ndisallow: {path}/qux\n".encode())

    assert robots.decide(["FooBot"], f"{HOST}/fux").allowed
    assert not robots.decide(["FooBot"], f"{HOST}{path}/fux").allowed
    assert [(problem.kind, problem.line) for problem in robots.problems] == [("line_too_long", 2)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_lines_are_counted_at_any_line_end(end: str, last: str) -> None:
    text = f"User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /{last}".replace("\n", end)

    assert RobotsTxt.parse(text.encode()).decide(["bar"], "/").line == 6


def test_lines_are_counted_at_mixed_line_ends() -> None:
    body = b"User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /"

    assert RobotsTxt.parse(body).decide(["bar"], "/").line == 6


@pytest.mark.parametrize(("mark", "expected"), [(b"\xef\xbb\xbf", True), (b"\xef\xbb", True), (b"\xef", True), (b"\xef\x11\xbf", False)])
def test_byte_order_mark_is_skipped(mark: bytes, *, expected: bool) -> None:
    body = mark + b"User-Agent: foo\nDisallow: /\n"

    assert (not allowed(body, "foo", "/")) is expected


def test_byte_order_mark_in_the_middle_is_not_skipped() -> None:
    assert allowed(b"User-Agent: foo\n\xef\xbb\xbfDisallow: /\n", "foo", "/")


def test_sitemaps_are_read_wherever_they_stand() -> None:
    body = b"Sitemap: http://foo.bar/1.xml\nUser-Agent: foo\nsite-map: http://foo.bar/2.xml\nDisallow: /\nSITEMAP: /3.xml#x\n"
    robots = RobotsTxt.parse(body)

    assert [(item.line, item.url) for item in robots.sitemaps] == [(1, "http://foo.bar/1.xml"), (3, "http://foo.bar/2.xml"), (5, "/3.xml")]
    assert [(problem.kind, problem.line) for problem in robots.problems] == [("relative_sitemap", 5)]
    assert not robots.decide(["foo"], "/").allowed


def test_only_the_first_500_kib_are_read() -> None:
    filler = b"# " + b"x" * 97 + b"\n"
    body = b"User-agent: *\nDisallow: /a\n" + filler * (MAX_BYTES // len(filler)) + b"Disallow: /b\n"
    robots = RobotsTxt.parse(body)

    assert not robots.decide(["foo"], "/a").allowed
    assert robots.decide(["foo"], "/b").allowed
    assert [(problem.kind, problem.line) for problem in robots.problems] == [("too_large", 0)]


REMARKS = [
    ("Disallow: /a\nUser-agent: *\nDisallow:\n", [("rule_before_agent", 1)]),
    ("User-agent: *\nDisallow: shop\n", [("path_start", 2)]),
    ("User-agent: *\nDisallow: $\n", [("path_start", 2)]),
    ("User-agent: *\nDisallow: *.gif$\n", []),
    ("User-agent: *\nNoindex: /a\n", [("not_supported", 2)]),
    ("User-agent: *\nCrawl-delay: 10\n", [("unknown_directive", 2)]),
    ("User-agent: *\nContent-Signal: search=yes\n", [("unknown_directive", 2)]),
    ("User-agent:\nDisallow: /\n", [("empty_agent", 1)]),
    ("User-agent: *\u00a0all\nDisallow: /\n", []),
    ("User-agent: Googlebot\u200b\nDisallow: /\n", []),
    ("User-agent: *\u200b\nDisallow: /\n", [("invisible_character", 1)]),
    ("User-agent: \u200bGooglebot\nDisallow: /\n", [("invisible_character", 1)]),
    ("User-agent *\nDisallow: /\n", [("missing_colon", 1)]),
    ("User-agent: *\nDisalow: /\n", [("misspelt", 2)]),
    ("please do not crawl\n", [("unreadable", 1)]),
    ("# please do not crawl\n\n", []),
]


@pytest.mark.parametrize(("text", "expected"), REMARKS)
def test_odd_lines_are_remarked(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(problem.kind, problem.line) for problem in RobotsTxt.parse(text.encode()).problems] == expected


def test_lines_that_are_not_utf8_are_remarked() -> None:
    robots = RobotsTxt.parse("User-agent: *\nDisallow: /é\n".encode("latin-1"))

    assert [(problem.kind, problem.line) for problem in robots.problems] == [("not_utf8", 2)]
    assert not robots.decide(["foo"], "/%E9").allowed


def test_unknown_directives_keep_their_group() -> None:
    robots = RobotsTxt.parse(b"User-agent: a\nUser-agent: b\nCrawl-delay: 1.5\nUser-agent: *\nCrawl-delay: 3\nDisallow:\n")

    assert [(item.name, item.value, item.agents) for item in robots.others] == [
        ("Crawl-delay", "1.5", ("a", "b")),
        ("Crawl-delay", "3", ("a", "b", "*")),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crawl-delay: 2.5", 2.5),
        ("crawl-delay: 0", 0.0),
        ("Crawl-delay: soon", None),
        ("Crawl-delay: -1", None),
        ("Crawl-delay: inf", None),
        ("", None),
    ],
)
def test_crawl_delay(text: str, expected: float | None) -> None:
    assert RobotsTxt.parse(f"User-agent: foo\n{text}\nDisallow:\n".encode()).crawl_delay_s(["foo"]) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", "/"),
        ("http://www.example.com", "/"),
        ("http://www.example.com/", "/"),
        ("http://www.example.com/a", "/a"),
        ("http://www.example.com/a/", "/a/"),
        ("http://www.example.com/a/b?c=http://d.e/", "/a/b?c=http://d.e/"),
        ("http://www.example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
        ("example.com", "/"),
        ("example.com/", "/"),
        ("example.com/a", "/a"),
        ("example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
        ("a", "/"),
        ("a/", "/"),
        ("/a", "/a"),
        ("a/b", "/b"),
        ("example.com?a", "/?a"),
        ("example.com/a;b#c", "/a;b"),
        ("//a/b/c", "/b/c"),
        ("http://example.com#/a", "/"),
    ],
)
def test_path_of(url: str, expected: str) -> None:
    assert path_of(url) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [("http://www.example.com", "http://www.example.com"), ("/a/b/c", "/a/b/c"), ("á", "%C3%A1"), ("%aa", "%AA"), ("%a", "%a")],
)
def test_escaped(path: str, expected: str) -> None:
    assert escape_path(path.encode()) == expected


def test_product_token() -> None:
    assert product_token("Googlebot/2.1 (+http://www.google.com/bot.html)") == "Googlebot"


def test_s30_hostile_files_are_read_and_decided_in_bounded_time() -> None:
    wild = b"User-agent: *\n" + b"".join(b"Disallow:/*%x*a*b$\n" % number for number in range(30_000))
    many = b"User-agent: a\nx\n" * 60_000
    for body in (wild, many, b"a" * 20_000_000, b"*" * MAX_BYTES, b"User-agent: *\nDisallow: /" + b"*a" * 8000):
        began = time.perf_counter()
        robots = RobotsTxt.parse(body)
        for token in ("Googlebot", "Bingbot", "GPTBot", "ClaudeBot"):
            robots.decide([token], "/" + "a" * 2000 + "!")

        assert time.perf_counter() - began < 10
        assert len(robots.problems) <= MAX_PROBLEMS


def matches_by_positions(path: str, pattern: str) -> bool:
    """The matching of google/robotstxt, written out: every place that the pattern may have reached."""
    places = {0}
    for index, char in enumerate(pattern):
        if char == "$" and index == len(pattern) - 1:
            return len(path) in places
        wild = char == "*"
        places = set(range(min(places), len(path) + 1)) if wild else {at + 1 for at in places if path[at : at + 1] == char}
        if not places:
            return False
    return True


@given(path=st.text("ab/$", max_size=12), pattern=st.text("ab/*$", max_size=10))
def test_patterns_match_as_googles_algorithm_does(path: str, pattern: str) -> None:
    assert pattern_matches(f"/{pattern}", f"https://example.com/{path}") is matches_by_positions(f"/{path}", f"/{pattern}")


@given(st.binary(max_size=400))
def test_any_bytes_are_read(body: bytes) -> None:
    robots = RobotsTxt.parse(body)

    assert robots.decide(["Googlebot"], "https://example.com/a").line in (None, *range(1, robots.lines_count + 1))
