"""Compares our lab values with Lighthouse's: ``python -m research.lighthouse.lab RESULTS.json``.

Ten pages are served on loopback; each is measured by ``findable gather --browser lab`` (three loads) and then by Lighthouse (one load) with
``--throttling-method=devtools`` and the same browser, ``--rounds`` times in turn. The machine must be idle. Processor time is that of a control
group (as root), so that every child of both tools counts.
"""

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

from PIL import Image

from findable.artifacts.browser.vitals import LabValues
from research.lighthouse.commands import artifacts, gather_command, lighthouse_command, run

GROUP = Path("/sys/fs/cgroup/cpuacct/findable-lab")
"""A control group of version 1 whose processor time is read."""
PARAGRAPH = (
    "<p>The harbour opens at six in the morning. Boats for the islands leave every hour from the northern pier, in winter every two.</p>"
)
TEXT = PARAGRAPH * 12
BANNER = "const banner = document.createElement('div'); banner.style.height = '160px'; banner.textContent = 'Summer sale';"

PAGES: Mapping[str, tuple[str, str]] = {
    "text": ("", TEXT),
    "late banner": ("", f"<main>{TEXT}</main><script>setTimeout(() => {{ {BANNER} document.body.prepend(banner) }}, 600)</script>"),
    "large image": ("", f'<img src="/image?seed=1&width=800&height=800" width="400" height="400" alt="Harbour">{TEXT}'),
    "stylesheet": ('<link rel="stylesheet" href="/style?kilobytes=150">', TEXT),
    "image without size": ("", f'<img src="/image?seed=2&width=360&height=240" alt="Pier">{TEXT}'),
    "blocking script": ('<script src="/script?wait_ms=800"></script>', TEXT),
    "list built by a script": (
        "",
        (
            "<ul></ul><script>for (let i = 0; i < 800; i++) { const item = document.createElement('li');"
            " item.textContent = 'Departure ' + i + ' of the northern pier'; document.querySelector('ul').append(item) }</script>"
        ),
    ),
    "long task": (
        "",
        f"{TEXT}<script>setTimeout(() => {{ const end = performance.now() + 250; while (performance.now() < end); }}, 300)</script>",
    ),
    "text that comes late": (
        "",
        f"<p>Loading</p><div></div><script>setTimeout(() => document.querySelector('div').innerHTML = `{TEXT}`, 1200)</script>",
    ),
    "three large images": (
        "",
        "".join(f'<img src="/image?seed={seed}&width=700&height=500" width="400" height="285" alt="Boat {seed}">' for seed in (3, 4, 5))
        + TEXT,
    ),
}
"""Additions to the head, and the body, by name."""


@dataclass
class Measured:
    """One run of one tool: milliseconds, shift score, and seconds of processor time."""

    lcp_ms: list[float]
    cls: float
    tbt_ms: float
    cpu_s: float
    waited_share: float | None


class Pages(BaseHTTPRequestHandler):
    """Serves the ten pages and their files."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer a page by its number, or a file by its parameters."""
        place = urlsplit(self.path)
        given = {name: int(values[0]) for name, values in parse_qs(place.query).items()}
        match place.path:
            case "/image":
                self._send("image/jpeg", _image(**given))
            case "/style":
                self._send(
                    "text/css", ("p { color: #123456 }\n" + ".unused { margin: 1px }\n" * (given["kilobytes"] * 1024 // 23)).encode()
                )
            case "/script":
                time.sleep(given["wait_ms"] / 1000)
                self._send("text/javascript", b"document.documentElement.lang = 'en'")
            case _ if place.path[1:].isdecimal():
                head, body = list(PAGES.values())[int(place.path[1:])]
                start = '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
                self._send("text/html; charset=utf-8", f"{start}<title>Harbour</title>{head}</head><body><h1>Harbour</h1>{body}".encode())
            case _:
                self.send_error(404)

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def _image(seed: int, width: int, height: int) -> bytes:
    small = Image.frombytes("RGB", (width // 8, height // 8), Random(seed).randbytes(width // 8 * (height // 8) * 3))
    out = BytesIO()
    small.resize((width, height)).save(out, "JPEG", quality=80)
    return out.getvalue()


def ours(url: str, folder: Path, browser: str) -> Measured:
    """Return three loads by Findable; with ``view`` none, and the processor time of the rest."""
    out = folder / "page.json"
    cpu_s = _cpu_s(gather_command(url, browser), out)
    found = artifacts(out)
    values = found.get_or_none(LabValues) if found else None
    if values is None:
        return Measured([], 0, 0, cpu_s, None)
    return Measured(list(values.lcp_ms), statistics.median(values.cls), statistics.median(values.tbt_ms), cpu_s, values.waited_share)


def theirs(url: str, folder: Path) -> Measured:
    """Return one load by Lighthouse."""
    out = folder / "lighthouse.json"
    cpu_s = _cpu_s(lighthouse_command(url, out, "--only-categories=performance", "--throttling-method=devtools"))
    audits = json.loads(out.read_bytes())["audits"]
    values = {name: audits[name]["numericValue"] for name in ("largest-contentful-paint", "cumulative-layout-shift", "total-blocking-time")}
    return Measured([values["largest-contentful-paint"]], values["cumulative-layout-shift"], values["total-blocking-time"], cpu_s, None)


def _cpu_s(command: Sequence[str], saved_page: Path | None = None) -> float:
    """Run a command in the control group and return its processor time in seconds."""
    GROUP.mkdir(exist_ok=True)
    before = int((GROUP / "cpuacct.usage").read_text(encoding="ascii"))
    run(["sh", "-c", f'echo $$ > {GROUP}/cgroup.procs && exec "$@"', "sh", *command], saved_page)
    return (int((GROUP / "cpuacct.usage").read_text(encoding="ascii")) - before) / 1e9


def lines(rounds: Sequence[Mapping[str, tuple[Measured, Measured, Measured]]]) -> Iterator[str]:
    """Yield the table of docs/reference/benchmarks.md: medians over the rounds."""
    yield "| Page | LCP, median (lowest to highest) | LCP of Lighthouse | Difference | CLS | CLS of Lighthouse | TBT | TBT of Lighthouse | CPU | CPU of Lighthouse |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for name in rounds[0]:
        mine, their = [found[name][0] for found in rounds], [found[name][2] for found in rounds]
        lcp = statistics.median([statistics.median(one.lcp_ms) for one in mine])
        low, high = min(mine[0].lcp_ms), max(mine[0].lcp_ms)
        other = statistics.median([one.lcp_ms[0] for one in their])
        cells = [
            name,
            f"{lcp:,.0f} ({low:,.0f}–{high:,.0f})",
            f"{other:,.0f}",
            f"{100 * (lcp - other) / other:+.0f} %",
            f"{statistics.median([one.cls for one in mine]):.3f}",
            f"{statistics.median([one.cls for one in their]):.3f}",
            f"{statistics.median([one.tbt_ms for one in mine]):.0f}",
            f"{statistics.median([one.tbt_ms for one in their]):.0f}",
            f"{statistics.median([one.cpu_s for one in mine]):.1f} s",
            f"{statistics.median([one.cpu_s for one in their]):.1f} s",
        ]
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure, print the table, keep the values."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=list(PAGES), default=list(PAGES), metavar="PAGE")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            found = {}
            for number, name in enumerate(PAGES):
                if name not in options.only:
                    continue
                url = f"http://127.0.0.1:{server.server_port}/{number}"
                found[name] = (ours(url, Path(folder), "lab"), ours(url, Path(folder), "view"), theirs(url, Path(folder)))
                print(name, *found[name], file=sys.stderr, flush=True)
            rounds.append(found)
    options.results.write_text(
        json.dumps([{name: [vars(one) for one in item] for name, item in found.items()} for found in rounds], indent=1)
    )
    print("\n".join(lines(rounds)))


if __name__ == "__main__":
    main()
