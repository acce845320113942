"""Baseline for the list benchmark: a handler with the same statements (key, rows, total), links and headers, and nothing else.

It has no routing, validation, rate limits, scopes or layers: one function, written for this one response.
"""

import base64
import hashlib
import json
import os
import sqlite3
import time
from typing import Any
from urllib.parse import quote

import msgspec

BASE = os.environ["BENCH_BASE"]
NOT_ASKED = [
    *("axe-violations", "click-depth", "cls", "console-errors", "content-duplicate", "content-width", "description-unique", "fcp"),
    *("font-size", "image-responsive", "interstitial", "lcp", "orphan-page", "tap-targets", "tbt", "title-unique"),
]
SENTENCE = "Google can index this page."
KEY = (
    "SELECT api_key.id, api_key.account_id, api_key.person_id, api_key.prefix, api_key.name, api_key.scopes, api_key.created_at, "
    "api_key.expires_at, api_key.revoked_at, api_key.last_used_at, person.id, person.account_id, person.email, person.password_hash, "
    "person.disabled_at, person.created_at, person.name, person.role, person.language, person.time_zone, person.visited_at, "
    "person.is_operator FROM api_key JOIN person ON person.id = api_key.person_id "
    "WHERE api_key.token_hash = ? AND person.disabled_at IS NULL"
)
TOTAL = (
    "SELECT account.reports, account.good, account.decent, account.bad, EXISTS (SELECT project.id FROM project "
    "WHERE project.account_id = account.id AND project.deleted_at IS NOT NULL) FROM account WHERE account.id = ?"
)
NAMES = (
    *("id", "public_id", "account_id", "project_id", "name", "url", "scheme_guessed", "privacy", "password_hash", "password_version"),
    *("status", "version", "created_at", "updated_at", "result", "score", "coverage", "verdict_since", "previous_result"),
    *("previous_score", "state", "progress", "queued_at", "run", "generated_at", "check_set", "summary", "error", "last_error"),
    *("previous_report", "previous_run", "generated_up", "generated_down", "result_down", "worst_down", "browser"),
)
ELSEWHERE = {"name": "project.name", "state": "job.state", "progress": "job.progress", "queued_at": "job.created_at"}
ROWS = (
    f"SELECT {', '.join(ELSEWHERE.get(name, f'report.{name}') for name in NAMES)} "
    "FROM report JOIN project ON project.id = report.project_id LEFT OUTER JOIN job ON job.report_id = report.id "
    "WHERE report.id IN (SELECT report.id FROM report WHERE report.account_id = ? ORDER BY report.id DESC LIMIT ? OFFSET ?) "
    "ORDER BY report.id DESC"
)
HEADERS = {
    "content-type": "application/json",
    "vary": "Accept-Encoding",
    "x-request-id": "f3d8dd6d6d029d15",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, "
    "Retry-After, X-Request-Id",
    "cache-control": "private, no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
database = sqlite3.connect(f"file:{os.environ['BENCH_DATABASE']}?mode=ro", uri=True, check_same_thread=False, isolation_level=None)
decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def moment(seconds: int | None) -> str | None:
    return None if seconds is None else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def row_as_json(row: tuple[Any, ...]) -> dict[str, Any]:
    one = dict(zip(NAMES, row, strict=True))
    kept = decode(one["summary"])
    page = f"{BASE}/r/{one['public_id']}"
    return {
        "id": one["id"],
        "public_id": one["public_id"],
        "project": one["name"],
        "url": one["url"],
        "result": one["result"],
        "score": one["score"],
        "coverage": one["coverage"] / 100,
        "has_password": one["password_hash"] is not None,
        "created_at": moment(one["created_at"]),
        "updated_at": moment(one["updated_at"]),
        "status": one["status"],
        "generated_at": moment(one["generated_at"]),
        "previous": one["previous_report"],
        "not_asked": NOT_ASKED,
        "browser": one["browser"],
        "object": "report",
        "final_url": kept["final_url"],
        "verdict": {"code": "indexable", "cause": None, "since": moment(one["verdict_since"]), "sentence": SENTENCE, "next_step": None},
        "privacy": one["privacy"],
        "error": one["error"],
        "engine": kept["engine"],
        "judged_as": kept["judged_as"],
        "last_error": one["last_error"],
        "counts": kept["counts"],
        "categories": kept["categories"],
        "links": {
            "html": page,
            "json": f"{page}/report.json",
            "csv": f"{page}/report.csv",
            "markdown": f"{page}/report.md",
            "pdf": f"{page}/report.pdf",
            "self": f"{BASE}/api/v1/reports/{one['id']}",
            "project": f"{BASE}/api/v1/projects/{quote(one['name'])}",
        },
    }


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    await receive()
    token = next(value for name, value in scope["headers"] if name == b"authorization").removeprefix(b"Bearer ")
    database.execute("BEGIN")
    account = database.execute(KEY, (hashlib.sha256(token).digest(),)).fetchone()[1]
    total = database.execute(TOTAL, (account,)).fetchone()[0]
    rows = database.execute(ROWS, (account, 11, 0)).fetchall()
    database.execute("COMMIT")
    path = f"{BASE}{scope['path']}"
    last = max(1, -(-total // 10))
    links = {"first": f"{path}?page=1", "last": f"{path}?page={last}", "prev": None, "next": f"{path}?page=2"}
    position = json.dumps(["id", 1, rows[9][0], rows[9][0], 0], separators=(",", ":")).encode()
    cursors = {"prev_cursor": None, "next_cursor": f"{path}?cursor={base64.urlsafe_b64encode(position).decode().rstrip('=')}"}
    meta = {"current_page": 1, "from": 1, "last_page": last, "path": path, "per_page": 10, "to": 10, "total": total}
    body = msgspec.json.encode({"data": [row_as_json(row) for row in rows[:10]], "links": links | cursors, "meta": meta})
    own = {"link": ", ".join(f'<{url}>; rel="{name}"' for name, url in links.items() if url), "content-length": str(len(body)), **HEADERS}
    await send({"type": "http.response.start", "status": 200, "headers": [(name.encode(), value.encode()) for name, value in own.items()]})
    await send({"type": "http.response.body", "body": body})
