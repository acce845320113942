"""Memory of a service under mixed requests: pages, lists, reports, exports, documents, errors and a few new reports.

    .venv/bin/python bench/bench_memory.py             # 10,000 requests
    .venv/bin/python bench/bench_memory.py 2000

Prints the memory of the process of the service, without its analysis processes, after each tenth of the requests, and then after a
first request of an agent, which loads what the other requests do not need. The exit code is 1 above MOST_MB before that, or if the
process grew by more than GROWTH_MB over the last half.
"""

import http.client
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

from service import Client, running

from findable.demo import demo_site

MOST_MB = 180
GROWTH_MB = 5
REQUESTS = 10_000
WAYS = (
    "/api/v1/reports?per_page=25&sort_by=generated_at",
    "/api/v1/reports/{report}",
    "/api/v1/reports/{report}?fields=id,score",
    "/api/v1/reports/{report}/runs",
    "/api/v1/projects?per_page=100",
    "/api/v1/checks",
    "/api/v1/checks/noindex",
    "/api/v1/crawls",
    "/api/v1/account",
    "/api/v1/openapi.json",
    "/api/v1/docs",
    "/api/v1/reports/999999",
    "/api/v1/reports?per_page=11",
    "/r/{public}",
    "/r/{public}/report.csv",
    "/r/{public}/report.json",
    "/r/{public}/fixes.md",
    "/checks/noindex",
    "/llms-full.txt",
    "/healthz",
)
PART = 200
"""Requests between two new reports."""
AT_ONCE = 4
OK, CREATED, SERVER_ERROR = 200, 201, 500
LIST_TOOLS = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'


def get(port: int, key: str, path: str) -> int:
    """Send a request on a connection of its own, as most clients do; return the status."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=90)
    connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def resident_mb(pid: int) -> float:
    """Return the resident memory of one process."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith("VmRSS:"))


def ask_as_agent(port: int, key: str) -> None:
    """List the tools of agents, which loads the SDK of the Model Context Protocol."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=90)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", LIST_TOOLS, headers)
    answer = connection.getresponse()
    assert answer.status == OK, answer.read()
    answer.read()
    connection.close()


def measure(count: int) -> Sequence[float]:
    """Return the memory in MB at the start and after each tenth of the requests."""
    found = []
    with ExitStack() as stack:
        folder, origin = stack.enter_context(tempfile.TemporaryDirectory()), stack.enter_context(demo_site.serve_site(0))
        service = stack.enter_context(running(Path(folder), allow_targets="127.0.0.1"))
        clients = stack.enter_context(ThreadPoolExecutor(AT_ONCE))
        key = service.key()
        client = Client(service.port, key)
        pages = tuple(demo_site.PAGES)
        reports: list[dict[str, object]] = []

        def request(number: int) -> None:
            shown = reports[number % len(reports)]
            path = WAYS[number % len(WAYS)].format(report=shown["id"], public=shown["public_id"])
            assert get(service.port, key, path) < SERVER_ERROR, path

        for start in range(0, count + 1, PART):
            body = urlencode({"url": f"{origin}{pages[len(reports) % len(pages)]}", "privacy": "0"})
            client.connection.close()  # the service may have closed it meanwhile
            status, answer = client.send("POST", "/api/v1/reports?wait=60", body)
            assert status == CREATED, answer
            reports.append(answer["data"])
            if start % (count // 10) == 0:
                found.append(resident_mb(service.process.pid))
                print(f"{start:>7,} requests  {found[-1]:6.1f} MB", flush=True)
            list(clients.map(request, range(start, start + PART)))
        before = resident_mb(service.process.pid)
        ask_as_agent(service.port, key)
        print(f"the first request of an agent: {resident_mb(service.process.pid) - before:+.1f} MB", flush=True)
    return found


def main() -> int:
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS)
    growth = found[-1] - found[len(found) // 2]
    print(f"most {max(found):.1f} MB, {growth:+.1f} MB over the last half")
    return int(max(found) > MOST_MB or growth > GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main())
