"""Link to the form for a new issue in a tracker, filled with a finding: GitHub, GitLab, Jira."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote, urlencode

from msgspec import Struct
from msgspec.structs import replace

from findable.export.agent_text import block, from_page
from findable.export.ci_subject import CiSubject, Problem, document
from findable.export.fix_bundle import FixesMarkdown
from findable.urls import parse, query_parameters
from findable.vocabulary import Tracker
from findable.wording import later

MAX_TRACKER_CHARS = 500
MAX_TITLE_CHARS = 200
MAX_LINK_CHARS = 6_000
"""Maximum length of a link: web servers refuse URLs of more than about 8,000 characters."""
MAX_URLS = 50
"""Maximum number of pages listed in an issue."""
SHORTENED = "… shortened: the report has the rest"
_FENCE = "```"
_FORMS: Mapping[Tracker, tuple[str, str, str]] = {
    Tracker.GITHUB: ("/issues/new", "title", "body"),
    Tracker.GITLAB: ("/-/issues/new", "issue[title]", "issue[description]"),
    Tracker.JIRA: ("/secure/CreateIssueDetails!init.jspa", "summary", "description"),
}
"""Path of the form below the tracker URL, and its parameters for title and text."""
_WRONG: Mapping[Tracker, str] = {
    Tracker.GITHUB: later("The URL of a repository looks like https://github.com/owner/repository."),
    Tracker.GITLAB: later("The URL of a project looks like https://gitlab.com/group/project."),
    Tracker.JIRA: later("The URL of a Jira project looks like https://example.atlassian.net/?pid=10000&issuetype=10001."),
}


class IssueTracker(Struct, frozen=True):
    """Tracker for the issues of a project."""

    kind: Tracker
    url: str
    """URL of the repository or project; for Jira with `pid` and `issuetype`. Its other parameters, such as labels, are preserved."""


def read_tracker(kind: Tracker, text: str) -> IssueTracker | str:
    """Return the issue tracker at a typed URL, or a sentence that says why the URL is invalid."""
    url = parse(text)
    if len(text) > MAX_TRACKER_CHARS:
        return later("The URL is too long.")
    if url is None or not url.is_http or not url.host or url.username or url.password or url.fragment:
        return _WRONG[kind]
    parts = [part for part in url.path.split("/") if part]
    numbers = dict(query_parameters(url.href))
    is_whole = {
        Tracker.GITHUB: len(parts) == 2,  # noqa: PLR2004 - owner and repository
        Tracker.GITLAB: len(parts) > 1 and "-" not in parts,
        Tracker.JIRA: all(numbers.get(name, "").isdecimal() for name in ("pid", "issuetype")),
    }
    return IssueTracker(kind, url.href) if is_whole[kind] else _WRONG[kind]


def new_issue(tracker: IssueTracker, subject: CiSubject, title: str, urls: Sequence[str] = ()) -> str:
    """Return the link to a new issue about the only problem of ``subject``. ``urls``: all affected pages, if there are several."""
    lines = document(FixesMarkdown(), [subject]).decode("utf-8", "replace").splitlines()[2:]
    if len(urls) > 1:
        more = [f"… {len(urls) - MAX_URLS} more"] if len(urls) > MAX_URLS else []
        lines += [f"{len(urls)} pages:", "", *block([*map(from_page, urls[:MAX_URLS]), *more]).splitlines()]
    path, title_field, body_field = _FORMS[tracker.kind]
    at, _, query = tracker.url.partition("?")
    base = f"{at.rstrip('/')}{path}?{query}{'&' if query else ''}"
    base += f"{urlencode({title_field: from_page(title, MAX_TITLE_CHARS)}, quote_via=quote)}&{quote(body_field)}="
    return base + quote("\n".join(_lines_that_fit(lines, MAX_LINK_CHARS - len(base))), safe="")


def _lines_that_fit(lines: Sequence[str], room: int) -> list[str]:
    """Return as many lines as fit in ``room`` percent-encoded characters; a truncated code block is closed."""
    if len(quote("\n".join(lines), safe="")) <= room:
        return list(lines)
    room -= len(quote(f"{_FENCE}\n\n{SHORTENED}", safe=""))
    found: list[str] = []
    for line in lines:
        room -= len(quote(f"{line}\n", safe=""))
        if room < 0:
            break
        found.append(line)
    is_open = sum(line.startswith(_FENCE) for line in found) % 2
    return [*found, *([_FENCE] if is_open else []), "", SHORTENED]


def with_only(subject: CiSubject, is_wanted: Callable[[Problem], bool]) -> CiSubject | None:
    """Return the subject with only the first problem that ``is_wanted`` accepts; None if there is none."""
    found = next(filter(is_wanted, subject.problems), None)
    return replace(subject, problems=(found,)) if found else None
