"""The floor of the list: an ASGI callable, one SQL query, the same facts as JSON. No routing, no key, no checking, no links."""

import json
import os
import sqlite3
from typing import Any

NAMES = ("id", "public_id", "url", "status", "result", "score", "privacy", "created_at", "generated_at", "summary")
database = sqlite3.connect(f"file:{os.environ['BENCH_DATABASE']}?mode=ro", uri=True, check_same_thread=False)
ACCOUNT = database.execute("SELECT max(account_id) FROM report").fetchone()[0]
QUERY = f"SELECT {', '.join(NAMES)} FROM report WHERE account_id = {ACCOUNT} ORDER BY id DESC LIMIT 10"


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    await receive()
    rows = [dict(zip(NAMES, row, strict=True)) for row in database.execute(QUERY)]
    body = json.dumps({"data": [{**row, **json.loads(row.pop("summary"))} for row in rows]}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
