"""Agent tools (Model Context Protocol): use cases of the service with the permissions of an API key, and short texts as results.

Each tool raises the errors of its use case: NotFound for objects of another account, Forbidden, QuotaExceeded; and ValidationFailed for
arguments that exclude each other.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from findable.capture.site_hits import HitList
from findable.checks.engine import Check, find_check
from findable.checks.page_fix import Fix
from findable.clock import now, rfc3339
from findable.crawl.hit_join import HIT_LISTS
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import NUMBER, SORTS, PageFilters, PageSelection
from findable.crawl.questions import PROJECT_QUESTIONS, QUESTIONS
from findable.errors import NotFound, PageUnavailable, ValidationFailed
from findable.export.agent_text import block, exact_block, fit_to_budget, from_page, max_token_count, table
from findable.export.ci_subject import Locate, Problem, places_on, without_scheme
from findable.export.fix_bundle import UNKNOWN_SOURCE, patch_of, source_of
from findable.export.short_texts import first_line
from findable.reports import hit_words
from findable.reports.fixes import fixes_in_order
from findable.reports.page_error_text import sentences_of
from findable.reports.plain import cms_of, plain_finding
from findable.reports.prose import Kind, pieces, unwrap_lines
from findable.reports.reported_finding import ReportedFinding
from findable.reports.site_faults import SiteFault
from findable.reports.site_report import SiteFinding
from findable.reports.titles import parts_of_check
from findable.service.accounts.callers import refreshed
from findable.service.accounts.permissions import require
from findable.service.crawls import crawl_changes, crawl_lists, crawl_questions, crawls
from findable.service.crawls.crawl_changes import ChangeQuery
from findable.service.crawls.crawl_lists import FindingQuery, LinkQuery, PageQuery
from findable.service.projects import bot_overview, project_lists, projects, watched_sites
from findable.service.reports import acceptances, reports
from findable.service.reports.finding_rechecks import recheck_finding
from findable.service.runtime.service import Service
from findable.service.values.caller import ACCEPT, READ, WRITE, Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlStatus, CrawlView, NewCrawl
from findable.service.values.paging import PER_PAGE
from findable.service.values.project_values import ProjectQuery, ProjectSort
from findable.service.values.report_values import Existing, NewAcceptance, NewReport, ReportQuery, ReportView
from findable.store.question_files import QUERY_TABLES, query_columns
from findable.urls import MAX_URL_CHARS, without_fragment
from findable.vocabulary import Verdict
from findable.web.agent_arguments import AnyFindingKey, CrawlId, Cursor, FindingKey, Name, ReportId, Url, arguments_of, subject
from findable.web.query_strings import whole_number
from findable.wording import ENGLISH

WAIT_S = 25.0
"""Longest wait for a report or a crawl: agent clients time out after about a minute."""
FRESH_S = 24 * 3600
"""Age up to which an existing report or crawl of the URL is returned, unless a new one is requested."""
AGENT_DAYS = 30
"""Days for which a finding stays accepted that an agent has accepted."""
BY_AGENT = "by agent"
"""Mark in the reason of such an acceptance."""
EVIDENCE_SHOWN = 5
CODES_SHOWN = 5
BUDGETS: dict[str, int] = {}
"""Maximum number of tokens in the text of each tool."""
CHECK_TOKENS = 700
PATCH_TOKENS = 600
"""Maximum number of tokens of a patch; a longer one is not shown, because it may not be cut."""
_HEAD_TOKENS = 150
"""Tokens reserved for the lines before and after a table."""


class Tool(Struct, frozen=True):
    """Agent tool: name, description, type of arguments, function, and hints for clients. The result is a text."""

    name: str
    description: str
    arguments: type[Struct]
    call: "Callable[..., Awaitable[str]]"
    reads_only: bool
    is_open_world: bool
    """Whether the tool sends requests to the audited site."""
    scope: str
    """Scope without which the tool is not listed."""


TOOLS: dict[str, Tool] = {}
"""Agent tools by name."""
Method = TypeVar("Method", bound=Callable[..., Awaitable[str]])


def tool(budget: int, *, reads_only: bool = True, is_open_world: bool = False, scope: str = READ) -> Callable[[Method], Method]:
    """Register a method as the agent tool of its name, whose text has at most ``budget`` tokens.

    Its docstring is the description that agents read.
    """

    def register(method: Method) -> Method:
        name = method.__name__
        BUDGETS[name] = budget
        TOOLS[name] = Tool(name, inspect.getdoc(method) or "", arguments_of(method), method, reads_only, is_open_world, scope)
        return method

    return register


class AgentTools:
    """Agent tools with the permissions of one caller. Raises Forbidden if the caller may not read."""

    def __init__(self, service: Service, caller: Caller, locate: Locate = without_scheme) -> None:
        require(caller, READ)
        self._locate = locate
        self._service = service
        self._caller = caller

    def may(self, scope: str) -> bool:
        """Return whether the caller has a scope."""
        return scope in self._caller.scopes

    async def refresh(self) -> None:
        """Give the caller the roles of this moment. Raises Unauthenticated if the API key was revoked or expired."""
        self._caller = await self._service.run(refreshed, self._caller)

    @tool(800, reads_only=False, is_open_world=True)
    async def audit_page(
        self, url: Url, *, fresh: Annotated[bool, Meta(description="Generate a new report, even if one is less than a day old.")] = False
    ) -> str:
        """Report of a page: rating, score, failed and warned findings with keys. Uses a report of the last day unless fresh."""
        view = None if fresh else await self._service.run(self._recent_report, url)
        if view is None:
            new = NewReport(url, None, None, Existing.RERUN)
            view = (await self._service.run(reports.create, self._caller, new)).report
            await self._service.wait_until_done(view.id, WAIT_S, self._caller.account)
            await self.refresh()
        return _report_reply(await self._service.run(reports.get, self._caller, view.id))

    def _recent_report(self, service: Service, url: str) -> ReportView | None:
        wanted = _spellings(url)
        found = reports.find(service, self._caller, ReportQuery(search=url[:200], pages_only=True, per_page=25))
        since = now() - timedelta(seconds=FRESH_S)
        return next((view for view in found.items if view.url in wanted and view.generated_at and view.generated_at >= since), None)

    @tool(1000)
    async def findings(
        self,
        *,
        report: ReportId | None = None,
        crawl: CrawlId | None = None,
        check: Annotated[Name, Meta(description="Id of a check.")] = "",
        cursor: Cursor = "",
    ) -> str:
        """Findings of a report or crawl, the most harmful first."""
        report, of_crawl = subject(report, crawl)
        if report is not None:
            view = await self._service.run(reports.get, self._caller, report)
            return _report_reply(view, cursor, BUDGETS["findings"], check=check)
        view_of_crawl = await self._service.run(crawls.get, self._caller, of_crawl)
        return await self._crawl_reply(view_of_crawl, cursor, check)

    @tool(1200)
    async def finding(self, *, report: ReportId | None = None, crawl: CrawlId | None = None, key: AnyFindingKey) -> str:
        """One finding of a report or crawl: evidence, how to fix it, why it matters."""
        report, of_crawl = subject(report, crawl)
        if report is not None:
            view = await self._service.run(reports.get, self._caller, report)
            found = next((one for one in view.report.findings if key in (one.key, one.id)), None) if view.report else None
            if found is None:
                raise NotFound
            problem = Problem(found, found.id, found.summary(), found.key, places_on(view.url, found.evidence))
            cms = cms_of(view.report.facts, view.report.url) if view.report else ""
            return _finding_reply(found, found.summary(), found.key, _source_parts(problem, self._locate), cms)
        listed = await self._service.run(crawl_lists.finding_pages, self._caller, of_crawl, key, PageQuery())
        item = listed[0].finding
        return _finding_reply(item.as_reported, f"{item.summary()} – {item.where()}", item.key, cms=listed[0].cms)

    @tool(100, is_open_world=True)
    async def recheck(self, report: ReportId, key: FindingKey) -> str:
        """Whether one finding of a report is fixed now: requests only what its check reads. Nothing is stored."""
        try:
            made = await recheck_finding(self._service, self._caller, report, key)
        except PageUnavailable as error:
            return f"not known: {from_page(sentences_of(error.error), 200)}"
        finding = made.finding
        is_known = finding.verdict is not Verdict.UNKNOWN
        state = "fixed" if made.is_fixed else "still there" if is_known else "not known"
        return fit_to_budget(
            [f"{finding.id}: {state}, {finding.verdict.value}", block([from_page(finding.summary(), 120)])], BUDGETS["recheck"]
        )

    @tool(100, reads_only=False, scope=ACCEPT)
    async def accept_finding(
        self,
        report: ReportId,
        key: FindingKey,
        reason: Annotated[str, Meta(min_length=1, max_length=400, description="Why it may stay, for the people of the project.")],
    ) -> str:
        """Accept a finding of a report for 30 days, marked as accepted by an agent. It then does not count in the score."""
        require(self._caller, ACCEPT)
        until = now().date() + timedelta(days=AGENT_DAYS)
        new = NewAcceptance(f"{BY_AGENT}: {reason}", until)
        check = key.partition(":")[0]
        view = await self._service.run(acceptances.accept, self._caller, report, check, new)
        return f"report {view.id}: {check} is accepted until {until}, {BY_AGENT}; score {_or_dash(view.score)}"

    @tool(1000, reads_only=False, is_open_world=True)
    async def crawl_site(
        self,
        url: Url,
        pages: Annotated[int, Meta(ge=1, le=500, description="Maximum number of pages.")] = 500,
        *,
        fresh: Annotated[bool, Meta(description="Start a new crawl, even if one is less than a day old.")] = False,
    ) -> str:
        """Crawl a site, at most 500 pages. Uses a crawl of the last day unless fresh; counts against the account's quotas."""
        require(self._caller, WRITE)
        view = None if fresh else await self._service.run(self._recent_crawl, url)
        if view is None:
            new = NewCrawl(url=url, pages=pages)
            view = (await self._service.run(crawls.create, self._caller, new)).crawl
        return await self.crawl(view.id)

    def _recent_crawl(self, service: Service, url: str) -> CrawlView | None:
        found = crawls.find(service, self._caller, CrawlQuery(per_page=25))
        since = now() - timedelta(seconds=FRESH_S)
        wanted = _spellings(url)
        usable = (CrawlStatus.DONE, CrawlStatus.QUEUED, CrawlStatus.RUNNING, CrawlStatus.SETTLING)
        return next((view for view in found.items if view.url in wanted and view.created_at >= since and view.status in usable), None)

    @tool(1000)
    async def crawl(self, crawl: CrawlId) -> str:
        """State of a crawl; after its end, findings by cause."""
        view = await self._service.run(crawls.get, self._caller, crawl)
        if not view.is_finished:
            await self._service.wait_until_crawled(view.id, WAIT_S, self._caller.account)
            await self.refresh()
            view = await self._service.run(crawls.get, self._caller, crawl)
        return await self._crawl_reply(view)

    async def _crawl_reply(self, view: CrawlView, cursor: str = "", check: str = "") -> str:
        head = _crawl_head(view)
        if not view.has_results:
            return fit_to_budget([*head, "The crawl has not ended: call crawl again."], BUDGETS["crawl"])
        start = _offset(cursor)
        query = FindingQuery(per_page=25, page=start // 25 + 1)
        page = await self._service.run(crawl_lists.findings, self._caller, view.id, query)
        faults = [one.fault for one in page.items if not check or one.finding.id == check][0 if check else start % 25 :]
        items = [SiteFault((one,)) for one in faults[0].counted] if check and faults else faults
        rows = [(one.first.key, one.verdict.value, one.pages_count, one.gain, _place_of(one.first), one.headline()) for one in items]
        columns = ("key", "verdict", "pages", "gain", "place", "finding")
        shown, count = table(columns, rows, budget_tokens=BUDGETS["crawl"] - _HEAD_TOKENS)
        following = _next_cursor(start, count, page.total, is_filtered=bool(check))
        parts = [*head, shown, _rest_words(page.total - start - count, following, f"findings(crawl={view.id}, cursor=…)")]
        return "\n".join(filter(None, parts))

    @tool(1500)
    async def pages(  # noqa: PLR0913 - the filters of a list
        self,
        crawl: CrawlId,
        *,
        status: Annotated[str, Meta(pattern=r"^\d{0,9}(\.\.\d{0,9})?$", description="404 or 500..599.")] | None = None,
        check: Annotated[Name, Meta(description="Id of a failed or warned check.")] | None = None,
        verdict: Verdict | None = None,
        indexable: bool | None = None,
        folder: Annotated[str, Meta(max_length=500, description="Folder like /blog/.")] | None = None,
        search: Annotated[str, Meta(max_length=200, description="Part of the URL.")] = "",
        finding: Annotated[str, Meta(max_length=MAX_URL_CHARS, description="Key of a finding of the crawl.")] | None = None,
        columns: Annotated[tuple[Name, ...], Meta(max_length=8, description="See tables://crawl.")] = ("status", "score", "title"),
        sort_by: Literal[SORTS[:-1]] = NUMBER,  # type: ignore[valid-type]  # created from a table; no sort order by uploaded metric
        descending: bool = False,
        limit: Annotated[int, Meta(ge=1, le=100)] = 25,
        cursor: Cursor = "",
    ) -> str:
        """Pages of a crawl as a table, by filters."""
        if unknown := set(columns) - set(PageRow.__struct_fields__):
            raise ValidationFailed({"columns": [f"There is no column {min(unknown)}; columns: {', '.join(PageRow.__struct_fields__)}."]})
        given: dict[str, Any] = {
            "status": status,
            "check": check,
            "verdict": verdict,
            "indexable": indexable,
            "folder": folder,
            "search": search,
            "finding": finding,
        }
        filters = PageFilters(**{name: value for name, value in given.items() if value not in (None, "")})
        selection = PageSelection.of(filters, sort_by, descending=descending)
        limit = min(100, max(1, limit))
        per_page = next(size for size in PER_PAGE if size >= limit)
        query = PageQuery(selection, per_page=per_page, cursor=cursor)
        page = await self._service.run(crawl_lists.pages, self._caller, crawl, query)
        columns = tuple(dict.fromkeys(("url", *columns)))
        rows = [[_cell(getattr(row, name)) for name in columns] for row in page.items]
        head, hint = f"{page.total} pages match; {{count}} shown", ": ask for fewer rows or columns"
        return _table_reply(head, columns, rows, BUDGETS["pages"], page.next_cursor, limit=limit, hint=hint)

    @tool(1000)
    async def links(
        self,
        crawl: CrawlId,
        to: Annotated[str, Meta(max_length=MAX_URL_CHARS, description="Linked URL.")] = "",
        of: Annotated[str, Meta(max_length=MAX_URL_CHARS, description="Page with the links.")] = "",
        cursor: Cursor = "",
    ) -> str:
        """Links of a crawl to a URL, or of a page."""
        if bool(to) == bool(of):
            raise ValidationFailed({"to": ["Send the to field, the linked URL, or the of field, the page with the links."]})
        found = await self._service.run(crawl_lists.links, self._caller, crawl, LinkQuery(to, of, 25, cursor))
        columns = ("source", "target", "status", "anchor", "place")
        rows = [(row.source_url, row.target_url, row.target_status, row.anchor_text, row.selector or row.landmark) for row in found.links]
        return _table_reply("{count} links", columns, rows, BUDGETS["links"], found.next_cursor)

    @tool(2000)
    async def query_crawl(
        self,
        crawl: Annotated[int | None, Meta(description="Id of the crawl.")] = None,
        project: Annotated[
            str, Meta(max_length=255, description="Asks the newest crawls of a project instead; tables have crawl and crawled_at.")
        ] = "",
        sql: Annotated[str, Meta(max_length=20_000, description="SELECT statement over the tables; tables://crawl lists them.")] = "",
        question: Annotated[str, Meta(max_length=100, description="Name of a question, instead of sql.")] = "",
        params: Annotated[dict[str, str], Meta(description="Values of parameters by name.")] = {},  # noqa: B006 - only read
    ) -> str:
        """Ask a crawl in SQL (read-only SQLite), or by the name of a question. Read the resource tables://crawl first."""
        if (crawl is None) == (not project):
            raise ValidationFailed({"crawl": ["Send the id of a crawl or a project."]})
        asked = crawl_questions.asked(sql, question, params)
        if crawl is not None:
            found = await self._service.run(crawl_questions.ask, self._caller, crawl, asked)
        else:
            found = await self._service.run(crawl_questions.ask_project, self._caller, project, asked)
        rows = [[_cell(value) for value in row] for row in found.rows]
        head = f"{len(found.rows)}{' or more' if found.is_cut else ''} rows; {{count}} shown"
        return _table_reply(head, found.columns, rows, BUDGETS["query_crawl"], None, hint=": ask for fewer rows or columns")

    @tool(800)
    async def compare(
        self,
        report: ReportId | None = None,
        crawl: CrawlId | None = None,
        since: Annotated[int, Meta(ge=1, le=2**53, description="Earlier run of the report, or earlier crawl; default: the last one.")]
        | None = None,
    ) -> str:
        """New, fixed and changed since an earlier run or crawl."""
        report, of_crawl = subject(report, crawl)
        if report is not None:
            made = await self._service.run(reports.changes, self._caller, report, since)
            head = f"run {made.since or '–'} → {made.run}: score {_or_dash(made.score.before)} → {_or_dash(made.score.after)}"
            head += f", not compared: {made.reason.value}" if made.reason is not None else ""
            names = ("new", "returned", "worse", "better", "fixed", "not_judged")
            rows = [(name.replace("_", " "), one.finding.id, one.finding.summary()) for name in names for one in getattr(made, name)]
            return _changes_reply(head, ("change", "check", "finding"), rows)
        query = ChangeQuery(since=since, per_page=25)
        found = await self._service.run(crawl_changes.changes, self._caller, of_crawl, query)
        comparison = found.comparison
        if comparison.not_comparable is not None:
            return _changes_reply(f"not compared: {comparison.not_comparable.value}", ("change",), [])
        findings = comparison.findings
        kinds = (
            ("new finding", (*findings.new, *findings.returned)),
            ("worse finding", findings.worse),
            ("better finding", findings.better),
            ("fixed finding", findings.fixed),
        )
        rows = [(name, one.id, one.summary()) for name, group in kinds for one in group]
        rows += [(change.kind.value, change.url, f"{change.before} → {change.after}") for change in found.page.items]
        return _changes_reply(f"since {comparison.since}: {comparison.words(ENGLISH)}", ("change", "what", "detail"), rows)

    @tool(600)
    async def projects(self, search: Name = "", tag: Name = "", cursor: Cursor = "") -> str:
        """Projects of the account with their scores and the changes within a week, the worst change first."""
        query = ProjectQuery(search, ProjectSort.CHANGE, descending=False, tag=tag, per_page=25, cursor=cursor)
        page = await self._service.run(project_lists.find, self._caller, query)
        rows = [
            (one.project.name, one.project.score, one.change, one.project.pages_count, _cell(one.project.client), _cell(one.project.tags))
            for one in page.items
        ]
        columns = ("project", "score", "change", "pages", "client", "tags")
        return _table_reply(f"{page.total} projects", columns, rows, BUDGETS["projects"], page.next_cursor)

    @tool(100, reads_only=False, is_open_world=True, scope=WRITE)
    async def watch(self, project: Name, *, stop: bool = False) -> str:
        """Watch the site of a project: a crawl a week, its pages each day, alerts for you. With stop, stop watching it."""
        site = await self._service.run(projects.get, self._caller, project)
        offer = await self._service.run(watched_sites.offer_of, self._caller, site)
        work = watched_sites.stop_watching if stop else watched_sites.watch
        await self._service.run(work, self._caller, [site.name])
        if stop:
            return f"{site.name} is not watched"
        return f"{site.name} is watched" + (f": {offer.words(ENGLISH)}" if offer else "")

    @tool(1000)
    async def bots(
        self,
        project: Name,
        list: Annotated[Name, Meta(description="Name of a list, for its URLs.")] = "",  # noqa: A002 - the name of the argument
    ) -> str:
        """Requests of bots in a project's access logs: bots, lists of lost requests."""
        overview = await self._service.run(bot_overview.get, self._caller, project)
        hits = overview.hits
        if hits is None:
            return "No access log was imported."
        lists: dict[str, HitList] = {name: getattr(hits, name) for name in HIT_LISTS}
        if list:
            if list not in lists:
                raise ValidationFailed({"list": [f"The list must be one of {', '.join(lists)}."]})
            found = lists[list]
            rows = [(one.url, one.hits_count, one.bot) for one in found.items]
            head = f"{list}: {found.hits_count} requests, {found.urls_count} URLs; {{count}} shown"
            return _table_reply(head, ("url", "requests", "bot"), rows, BUDGETS["bots"], None)
        new = hit_words.new_pages(hits.new_pages, ENGLISH) if hits.new_pages else ""
        crawl = f"joined with crawl {overview.crawl_id}" if overview.crawl_id else "not joined with a crawl"
        bots = [
            (one.bot, one.verification, one.hits_count, one.urls_count, one.indexable_count, _cell_of_counts(one.statuses))
            for one in hits.bots
        ]
        sums = [(name, found.hits_count, found.urls_count) for name, found in lists.items() if found.urls_count]
        parts = [
            block([from_page(f"{hit_words.sentence(hits, ENGLISH)} {hit_words.coverage(hits.coverage, ENGLISH)}", 600)]),
            new,
            crawl,
            table(("bot", "verification", "requests", "urls", "indexable", "statuses"), bots, budget_tokens=BUDGETS["bots"] // 2)[0],
            table(("list", "requests", "urls"), sums, budget_tokens=BUDGETS["bots"] // 4)[0],
        ]
        return fit_to_budget(parts, BUDGETS["bots"])

    async def report_markdown(self, report: int) -> str:
        """Return the text of the resource `report://ID`: a report with its first findings."""
        return _report_reply(await self._service.run(reports.get, self._caller, report))


def tables_markdown() -> str:
    """Return the tables with their columns, and the named questions with their SQL, for `query_crawl`."""
    tables = (f"- {name}({', '.join(column.name for column in query_columns(table))})" for name, table in QUERY_TABLES.items())
    questions = (f"- {name}: `{question.sql}`" for name, question in {**QUESTIONS, **PROJECT_QUESTIONS}.items())
    notes = "Numbers of pages (n, source, target) join tables. Missing texts are NULL, booleans 0 or 1; landmark is main, nav, footer …"
    return "\n".join(("# Tables", notes, *tables, "# Questions", *questions))


def check_markdown(check_id: str) -> str:
    """Return the text of the resource `check://ID`: the documentation of a check. Raises NotFound."""
    check = find_check(check_id)
    if check is None:
        raise NotFound
    return fit_to_budget(check_sections(check), CHECK_TOKENS)


def check_sections(check: Check) -> list[str]:
    """Return the documentation of a check as Markdown: its head, and each section."""
    text = check.documentation
    head = f"# {check.id}: {check.question}\n\n{check.category.value}, importance {check.importance.value}\n\n{unwrap_lines(text.summary)}"
    return [head, *(f"## {title}\n\n{unwrap_lines(part)}" for title, part in parts_of_check(text))]


def _report_reply(view: ReportView, cursor: str = "", budget: int = BUDGETS["audit_page"], check: str = "") -> str:
    state = view.status.value
    head = [f"report {view.id}, {state}", block([from_page(view.url, 300)])]
    if view.error is not None and view.report is None:
        head.append(f"not rated: {from_page(sentences_of(view.error), 300)} [{view.error.code.value}]")
    if view.report is None or not view.is_finished:
        waits = "" if view.is_finished else "The report is being generated: call audit_page again."
        return fit_to_budget([*head, waits], budget)
    report = view.report
    counts = report.counts
    rated = f"{report.result.value}, score {report.score} of 100" if report.result else "not rated"
    head.append(f"{rated}; {counts.get('failed', 0)} failed, {counts.get('warned', 0)} warned, {counts.get('passed', 0)} passed")
    if report.effective_cap is not None:
        head.append(f"limited to {report.effective_cap.score} by {', '.join(report.effective_cap.checks)}")
    start = _offset(cursor)
    problems = [one for one in fixes_in_order(report) if not check or one.id == check]
    rows = [(one.key, one.importance, one.gain, f"{one.verdict.value}: {one.summary()}") for one in problems[start:]]
    shown, count = table(("key", "importance", "gain", "finding"), rows, budget_tokens=budget - _HEAD_TOKENS)
    following = _next_cursor(start, count, len(problems))
    parts = [*head, shown, _rest_words(len(problems) - start - count, following, f"findings(report={view.id}, cursor=…)")]
    return "\n".join(filter(None, parts))


def _source_parts(problem: Problem, locate: Locate) -> Iterable[str]:
    """Yield the source of a problem in the repository and the patch that fixes it there, each if it is known."""
    source = source_of(problem, locate)
    if source != UNKNOWN_SOURCE:
        yield f"Source: {from_page(source, 300)}"
    patch = exact_block(patch_of(problem, locate))
    if patch and max_token_count(patch) <= PATCH_TOKENS:
        yield f"Patch, for git apply:\n{patch}"


def _finding_reply(finding: ReportedFinding, summary: str, key: str, source: Iterable[str] = (), cms: str = "") -> str:
    """Return the reply with a finding; texts of the page are in blocks that mark them as untrusted data."""
    evidence = [from_page(first_line(item)) + (f" <{from_page(item.url, 200)}>" if item.url else "") for item in finding.evidence]
    words = [piece for piece in pieces(finding.how_to_fix()) if piece.kind is not Kind.CODE]
    more_count = finding.evidence_count - min(EVIDENCE_SHOWN, len(evidence))
    parts = [
        f"{finding.id}, {finding.verdict.value}, {finding.importance} importance",
        block([from_page(summary, 300), *evidence[:EVIDENCE_SHOWN], *([f"… {more_count} more"] if more_count > 0 else [])]),
        *(f"Fix: {text}" for piece in words[:2] for text in piece.texts[:3]),
        *source,
        *map(_code_block, finding.fixes[:CODES_SHOWN]),
        f"In plain words: {plain.summary} {plain.step}" if (plain := plain_finding(finding.check, cms)) else "",
        f"Clicks in {plain.cms}: {plain.clicks}" if plain and plain.clicks else "",
        f"Why: {' '.join(finding.why_it_matters().split())}",
        f"Verify: recheck(report, key={key})" if ":" in key else "",
    ]
    return fit_to_budget(parts, BUDGETS["finding"])


def _code_block(fix: Fix) -> str:
    """Return the code of a fix with its place and the source that it replaces; empty if it could not be shown unchanged."""
    where = f", line {fix.line}, column {fix.column}" if fix.line else ""
    shown = exact_block(f"{fix.instead_of}\n→\n{fix.code or '(remove it)'}" if fix.instead_of else fix.code)
    return f"Code for this page ({fix.place.value}{where}):\n{shown}" if shown else ""


def _place_of(finding: SiteFinding) -> str:
    """Return the selector and line of a finding on its first page; empty without them."""
    found = next((item for item in finding.evidence if item.selector or item.line), None)
    selector = finding.cause.selector or (found.selector if found is not None else "")
    return " ".join(filter(None, (selector, f"line {found.line}" if found is not None and found.line else "")))


def _table_reply(
    head: str,
    columns: tuple[str, ...],
    rows: Sequence[Sequence[object]],
    budget: int,
    cursor: str | None,
    *,
    limit: int | None = None,
    hint: str = "",
) -> str:
    """Return the reply with rows as a table, with the cursor of the next rows if all these rows fit.

    ``head`` may contain ``{count}``, the number of shown rows.
    """
    shown, count = table(columns, rows[:limit], budget_tokens=budget - _HEAD_TOKENS)
    is_complete = count == len(rows)
    following = cursor if is_complete else None
    rest = f"… more: cursor {following}" if following else "" if is_complete else f"… the rest did not fit{hint}"
    return "\n".join(filter(None, [head.format(count=count), shown, rest]))


def _changes_reply(head: str, columns: tuple[str, ...], rows: list[tuple[str, str, str]]) -> str:
    budget = BUDGETS["compare"]
    shown, count = table(columns, rows, budget_tokens=budget - _HEAD_TOKENS)
    more_count = len(rows) - count
    return fit_to_budget([from_page(head, 300), shown if rows else "", f"… {more_count} more" if more_count else ""], budget)


def _crawl_head(view: CrawlView) -> Iterable[str]:
    yield f"crawl {view.id}, {view.status.value}" + (f", ended by {view.ended_by.value}" if view.ended_by else "")
    yield block([from_page(view.url, 300)])
    if view.score is not None and view.result is not None:
        yield f"{view.result.value}, score {view.score} of 100" + (" (provisional)" if view.provisional else "")
    if view.verdict is not None:
        yield f"verdict: {view.verdict.code.value}: {view.verdict.sentence()}"
    if view.failure is not None:
        yield f"failed: {view.failure.value}"
    if view.progress is not None:
        yield ", ".join((view.progress.words(), *view.progress.parts()))
        if view.progress.latest:
            yield block(f"{page.status or 'no response'} {from_page(page.url, 300)}" for page in view.progress.latest)
        yield from (f"so far, on {one.pages_count} pages: {one.summary()}" for one in view.progress.findings)
    if counts := {name: count for name, count in view.counts.items() if isinstance(count, int)}:
        yield ", ".join(f"{count} {name}" for name, count in counts.items())
    if view.finished_at is not None:
        yield f"ended {rfc3339(view.finished_at)}"


def _spellings(url: str) -> frozenset[str]:
    """Return the URLs that an agent may mean, which may leave out the scheme and the slash at the end."""
    return frozenset({without_fragment(url), without_fragment(f"https://{url}"), f"{url}/", f"https://{url}/"})


def _offset(cursor: str) -> int:
    if (start := whole_number(cursor or "0")) is None:
        raise ValidationFailed({"cursor": ["The cursor does not belong to this list."]})
    return start


def _next_cursor(start: int, count: int, total: int, *, is_filtered: bool = False) -> str | None:
    return str(start + count) if count and start + count < total and not is_filtered else None


def _rest_words(more_count: int, following: str | None, call: str) -> str:
    return f"… {more_count} more: {call.replace('…', following)}" if following and more_count > 0 else ""


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={','.join(map(str, items))}" for name, items in value.items() if items)
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else "" if value is None else str(value)


def _cell_of_counts(counts: Mapping[str, int]) -> str:
    return " ".join(f"{name}={count}" for name, count in counts.items())


def _or_dash(number: int | None) -> str:
    return "–" if number is None else str(number)
