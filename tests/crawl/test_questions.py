"""Questions about a crawl in SQL: answers that are known from the site, and statements that must not get far."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from findable.crawl.page_selection import PageSelection
from findable.crawl.questions import QUESTIONS
from findable.crawl.state import Phase
from findable.errors import ValidationFailed
from findable.service.crawls.crawl_questions import QuestionLimits, SqlQuestion, answer_of, asked, value_of
from findable.store.question_files import QUERY_TABLES, query_columns
from findable.store.table_rows import CrawlTables
from tests.crawl.clean_sites import make_business
from tests.crawl.test_crawls import Crawled
from tests.known_site import QUESTIONS as KNOWN
from tests.known_site import make_known, params_of
from tests.sites.server import Site
from tests.tiers import sampled

LIMITS = QuestionLimits(seconds=1.0, rows=1000)
Ask = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    site = Site().start()
    try:
        make_business(site, frozenset({"footer", "chain", "loop", "server-error", "title", "canonical", "text", "orphan"}))
        yield Crawled(tmp_path_factory.mktemp("crawl") / "business.sqlite", site.url("/"))
    finally:
        site.stop()


@pytest.fixture
def ask(crawled: Crawled) -> Ask:
    def asked(sql: str, limits: QuestionLimits = LIMITS, **params: Any) -> list[tuple[Any, ...]]:
        return list(answer_of(crawled.file, crawled.state, SqlQuestion(sql, params), limits).rows)

    return asked


@pytest.mark.full
def test_answers_are_those_of_the_tables(crawled: Crawled, ask: Ask) -> None:
    with crawled.file.reading() as connection:
        tables = CrawlTables(connection, crawled.state)
        pages = list(tables.pages(PageSelection()))
        links = list(tables.links(PageSelection()))
        counts = {name: sum(1 for _ in tables.rows(table, PageSelection())) for name, table in QUERY_TABLES.items()}
    listed = [page for page in pages if page.indexable]
    linking = {page.n: {link.source for link in links if link.target == page.n and link.landmark == "main"} for page in pages}

    assert {name: ask(f'SELECT count(*) FROM "{name}"')[0][0] for name in QUERY_TABLES} == counts
    for name, table in QUERY_TABLES.items():
        columns = ", ".join(f'"{column.name}"' for column in query_columns(table))
        assert len(ask(f'SELECT {columns} FROM "{name}" LIMIT 3')) == min(3, counts[name]), name
    assert ask("SELECT n, url, status FROM pages ORDER BY n") == [(page.n, page.url, page.status) for page in pages]
    assert ask("SELECT count(*), sum(words) FROM pages WHERE indexable") == [(len(listed), sum(page.words or 0 for page in listed))]
    assert ask("SELECT count(*) FROM pages WHERE title IS NULL") == [(sum(not page.title for page in pages),)]
    assert ask("SELECT count(*) FROM pages WHERE title = ''") == [(0,)]
    assert dict(ask("SELECT status, count(*) FROM pages GROUP BY status")) == {
        status: sum(page.status == status for page in pages) for status in {page.status for page in pages}
    }
    assert dict(
        ask(
            "SELECT p.n, count(DISTINCT l.source) FROM pages p LEFT JOIN links l ON l.target = p.n AND l.landmark = 'main' "
            "WHERE p.indexable GROUP BY p.n"
        )
    ) == {page.n: len(linking[page.n]) for page in listed}
    from_content = {
        page.n: len({link.source for link in links if link.target == page.n and link.landmark == "main" and not link.nofollow} - {page.n})
        for page in listed
    }
    redirecting = {row[0] for row in ask("SELECT end_url FROM redirects")}
    counted = [(page.content_inlinks, from_content[page.n]) for page in listed if page.url not in redirecting]
    assert counted
    assert all(first == second for first, second in counted)
    assert ask("SELECT count(DISTINCT n) FROM verdicts WHERE verdict = 'failed'") == [
        (sum(bool(page.verdicts["failed"]) for page in pages),)
    ]
    assert ask("SELECT max(hops) >= 2, sum(is_loop) >= 1 FROM redirects") == [(1, 1)]
    assert ask("SELECT url FROM pages WHERE n = :n", n=pages[1].n) == [(pages[1].url,)]
    assert ask("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5) SELECT sum(i) FROM c") == [(15,)]


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_named_question_is_answered(crawled: Crawled, ask: Ask, name: str) -> None:
    question = asked("", name, {})
    rows = ask(question.sql, **question.params)

    with crawled.file.reading() as connection:
        pages = {page.url: page for page in CrawlTables(connection, crawled.state).pages(PageSelection())}
    facts: dict[str, Callable[[], bool]] = {
        "thin-pages": lambda: (
            {row[0] for row in rows}
            == {page.url for page in pages.values() if page.indexable and page.status == 200 and (page.words or 0) < 200}
        ),
        "broken-targets": lambda: {row[1] for row in rows} >= {404, 500},
        "redirect-chains": lambda: bool(rows) and all(row[1] > 1 for row in rows),
        "same-titles": lambda: (
            all(sum(page.title == row[0] and page.indexable for page in pages.values()) == row[1] for row in rows) and bool(rows)
        ),
        "statuses": lambda: sum(row[1] for row in rows) == len(pages),
        "deep-pages": lambda: all(row[1] > 4 for row in rows),
        "checks": lambda: bool(rows) and rows == sorted(rows, key=lambda row: (-row[2], row[0])),
        "templates": lambda: sum(row[1] for row in rows) == sum(page.indexable and page.status == 200 for page in pages.values()),
    }
    assert facts.get(name, lambda: True)()


def test_a_running_crawl_answers_from_what_it_has(crawled: Crawled) -> None:
    running = replace(crawled.state, phase=Phase.DISCOVER)

    assert answer_of(crawled.file, running, SqlQuestion("SELECT count(*) > 1 FROM pages JOIN links ON source = n"), LIMITS).rows == ((1,),)
    with pytest.raises(ValidationFailed, match="findings is available after the crawl"):
        answer_of(crawled.file, running, SqlQuestion("SELECT * FROM findings"), LIMITS)


FORBIDDEN = (
    "SELECT * FROM sqlite_master",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM crawl_state",
    "WITH pages AS (SELECT sql FROM sqlite_master) SELECT * FROM pages",
    "SELECT (SELECT sql FROM sqlite_master) FROM pages",
    "SELECT * FROM pragma_table_info('pages')",
    "PRAGMA table_info(pages)",
    "PRAGMA query_only = off",
    "ATTACH '/etc/passwd' AS other",
    "VACUUM INTO '/tmp/findable-stolen.sqlite'",
    "CREATE TABLE more (x)",
    "CREATE TEMP TABLE more (x)",
    "DELETE FROM pages",
    "UPDATE pages SET url = ''",
    "DROP TABLE pages",
    "BEGIN",
    "SELECT load_extension('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/x', 'x')",
    "SELECT randomblob(100000000)",
    "SELECT zeroblob(1000000000)",
    "SELECT printf('%1000000000d', 1)",
    "SELECT hex(url) FROM pages",
    "SELECT 1; SELECT 2",
    "SELECT * FROM json_each('[1]')",
    "SELECT " + "(1 + " * 500 + "1" + ")" * 500,
    "SELECT 1" + " UNION SELECT 1" * 100,
    "SELECT '" + "x" * 30_000 + "'",
    "SELECT nothing FROM pages",
    "not sql",
)
ENDLESS = (
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c",
    "SELECT count(*) FROM pages a, pages b, pages c, pages d, pages e, pages f, pages g, pages h, pages i",
    "SELECT a.url FROM pages a, pages b, pages c, pages d, pages e, pages f, pages g, pages h ORDER BY a.url || b.url || c.url || d.url",
    "SELECT group_concat(a.url || b.url || c.url) FROM pages a, pages b, pages c, pages d",
)


@pytest.mark.parametrize("at", range(len(FORBIDDEN)))
def test_a_statement_that_reads_or_changes_anything_else_is_refused(ask: Ask, at: int) -> None:
    with pytest.raises(ValidationFailed):
        ask(FORBIDDEN[at])


@pytest.mark.parametrize("at", sampled(range(len(ENDLESS))))
def test_a_statement_that_would_not_end_is_ended(ask: Ask, at: int) -> None:
    began_s = time.monotonic()
    with pytest.raises(ValidationFailed) as error:
        ask(ENDLESS[at])

    assert time.monotonic() - began_s < 90
    assert "took longer than 1 seconds" in str(error.value.errors["sql"]) or "memory" in str(error.value.errors["sql"])


def test_rows_beyond_a_limit_are_cut(crawled: Crawled) -> None:
    few = answer_of(crawled.file, crawled.state, SqlQuestion("SELECT n FROM pages"), QuestionLimits(rows=3))
    small = answer_of(crawled.file, crawled.state, SqlQuestion("SELECT url FROM pages"), QuestionLimits(answer_bytes=200))

    assert (len(few.rows), few.is_cut) == (3, True)
    assert small.is_cut
    assert small.rows


def test_parameters_that_look_like_numbers_are_numbers() -> None:
    assert [value_of(text) for text in ("3", "2.5", "x", "")] == [3, 2.5, "x", ""]


def test_known_questions_about_a_file_have_known_answers(tmp_path: Path) -> None:
    site = Site().start()
    try:
        make_known(site)
        known = Crawled(tmp_path / "known.sqlite", site.url("/"))
    finally:
        site.stop()
    base = site.url("/")[:-1]
    found = {sql: answer_of(known.file, known.state, SqlQuestion(sql, params_of(sql, base)), LIMITS).rows for sql, _ in KNOWN}

    assert {sql: list(rows) for sql, rows in found.items()} == {sql: list(rows) for sql, rows in KNOWN}
