"""A shared report as a file and its rating as a badge: for whoever may see the share page, and for nobody else."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from findable.errors import NotFound
from findable.export.badge import to_badge
from findable.export.csv import to_csv
from findable.export.markdown import to_markdown
from findable.service.app import Service
from findable.service.values import ReportView
from findable.urls import parse
from findable.vocabulary import Privacy
from findable.web.api import shapes
from findable.web.api.addresses import Addresses
from findable.web.context import header_map
from findable.web.pages.rendering import PageRequest
from findable.web.pages.share import Answer, answered, looked_at

Body = Callable[[Mapping[str, Any]], bytes]
SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""A file that is opened all the same runs nothing, loads nothing and has no origin."""
_LONGEST_HOST = 80
_OWNERS_ONLY = frozenset({"id", "project", "has_password", "previous", "progress"})
_WORDS = ("question", "category", "importance", "why", "how_to_fix", "source", "docs")
"""Members of a finding that its check gives; a check that no longer exists gives none."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    media_type: str
    make: Body


def _json(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"


def _markdown(report: Mapping[str, Any]) -> bytes:
    return to_markdown(report).encode("utf-8", "replace")


def _badge(report: Mapping[str, Any]) -> bytes:
    return to_badge(report).encode()


FORMATS = {
    "json": Format("application/json", _json),
    "csv": Format("text/csv", to_csv),
    "md": Format("text/markdown", _markdown),
}
BADGE = Format("image/svg+xml", _badge)


@get([f"/r/{{public_id:str}}/report.{ending}" for ending in FORMATS])
async def get_download(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """The report as JSON, CSV or Markdown."""
    ending = request.scope["path"].rstrip("/").rpartition(".")[2]

    def named(report: ReportView) -> Mapping[str, str]:
        return {"Content-Disposition": f'attachment; filename="{file_name(report, ending)}"'}

    return await _reply(request, public_id, FORMATS[ending], named)


@get("/r/{public_id:str}/badge.svg")
async def get_badge(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """The rating of a public report. What is private or behind a password has no badge, for its owner and the unlocked too."""

    def public_only(report: ReportView) -> Mapping[str, str]:
        if report.privacy is not Privacy.PUBLIC:
            raise NotFound
        return {}

    return await _reply(request, public_id, BADGE, public_only)


async def _reply(request: PageRequest, public_id: str, made: Format, more: Callable[[ReportView], Mapping[str, str]]) -> Response[bytes]:
    service: Service = request.app.state.service
    at: Addresses = request.app.state.addresses
    headers = header_map(request.scope["headers"])

    def work(service: Service) -> Answer:
        shared = looked_at(service, public_id, headers)
        report = shared.report
        if report is None or report.run is None:
            raise NotFound
        own = more(report)
        return answered(shared, report, headers, lambda: made.make(shared_report(report, at)), {"Content-Security-Policy": SANDBOX, **own})

    answer = await service.run(work)
    return Response(answer.body, status_code=answer.status, media_type=made.media_type, headers=answer.headers)


def file_name(report: ReportView, ending: str) -> str:
    """``findable-www.example.com-2026-11-21.csv``: ASCII, whatever the host is called."""
    parsed = parse(report.url)
    host = re.sub(r"[^a-z0-9-]+", ".", parsed.host.lower() if parsed else "")[:_LONGEST_HOST].strip(".-")
    day = report.generated_at.strftime("%Y-%m-%d") if report.generated_at else ""
    return "-".join(part for part in ("findable", host, day) if part) + f".{ending}"


def shared_report(view: ReportView, at: Addresses) -> dict[str, Any]:
    """REPORT as anybody may have it who may see the share page: without what tells of the account and of its other reports."""
    whole: dict[str, Any] = {name: value for name, value in shapes.report(view, at).items() if name not in _OWNERS_ONLY}
    whole["links"] = {name: address for name, address in whole["links"].items() if name not in ("self", "project")}
    whole["results"] = [dict.fromkeys(_WORDS, "") | _without_name(finding) for finding in whole["results"]]
    return whole


def _without_name(finding: Mapping[str, Any]) -> dict[str, Any]:
    """A finding without who accepted it."""
    accepted = finding.get("accepted")
    return {**finding, "accepted": {name: accepted.get(name) for name in ("reason", "until")} if accepted else None}
