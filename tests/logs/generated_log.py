"""Access logs with a fixed seed in every format, and the hits that are planted in them."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from urllib.parse import quote

from findable.artifacts.tables.bot_ranges import BotRanges, RangeList, Reading
from findable.formats.zstd import zstd

HOST = "www.example.com"
START, DAYS = datetime(2026, 11, 1, tzinfo=UTC), 21
RANGES_READ = date(2026, 11, 10)
BOTS = {  # token: (user agent, prefix of its IP addresses, name of its list, share of the lines in 1/1000)
    "Googlebot": (
        "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) Chrome/130.0.0.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "66.249.66.",
        "google-common",
        60,
    ),
    "Bingbot": ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76", "157.55.39.", "bing", 25),
    "GPTBot": ("Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)", "20.171.207.", "openai-gptbot", 20),
    "ClaudeBot": ("Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", "216.73.216.", "anthropic", 20),
    "Claude-User": ("Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)", "216.73.217.", "anthropic", 5),
    "SemrushBot": ("Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)", "85.208.96.", "", 20),
}
STATUSES = (200,) * 84 + (301,) * 6 + (304,) * 4 + (404,) * 3 + (403,) + (503,) + (499,)
CLASSES = {200: "OK", 301: "REDIRECT", 304: "NOT_MODIFIED", 404: "MISSING", 403: "REFUSED", 503: "SERVER_ERROR", 499: "ABORTED"}
FAKE_PREFIX = "45.155.205."
VISITOR_MARK = "visitor-8f31"
"""Part of the user agent, referrer and cookies of visitors, which nothing may store."""


@dataclass
class Request:
    when: datetime
    ip: str
    path: str
    status: int
    agent: str
    size: int
    kind: str = ""
    """Empty for requests; ``cut`` for a line that ends too early, ``tls`` for a handshake."""


@dataclass
class Truth:
    lines: int = 0
    unreadable: int = 0
    without_request: int = 0
    hits: Counter[tuple[str, str, str, str, str]] = field(default_factory=Counter)
    """By day, token, verification, path and class of status."""


def ranges() -> BotRanges:
    """Return lists that contain the IP addresses of the generated bots."""
    networks: dict[str, list[str]] = {}
    for _, prefix, name, _ in BOTS.values():
        if name:
            networks.setdefault(name, []).append(f"{prefix}0/24")
    return BotRanges(
        tuple(
            RangeList(name, f"https://lists.example/{name}.json", (Reading(RANGES_READ, RANGES_READ, tuple(found)),))
            for name, found in networks.items()
        )
    )


def requests(lines: int, *, seed: int = 7, fakes: int = 1000, faults: bool = True) -> tuple[list[Request], Truth]:
    """Return requests in the order of their time, with the hits that they contain."""
    rng = random.Random(seed)
    paths = [f"/c{n % 40}/page-{n}.html" for n in range(2000)] + [f"/search?q=w{n}&page={n % 9}" for n in range(500)]
    paths += ['/q/"quoted".html', "/ä/größe.html", "/a\\b", "/with%20space", "/index.php?x[]=1&y=a'b"]
    people = [f"Mozilla/5.0 (X11; rv:{n}.{m}; {VISITOR_MARK}) Gecko/20100101 Firefox/{n}.{m}" for n in range(60, 100) for m in range(30)]
    names, weights = list(BOTS), [bot[3] for bot in BOTS.values()]
    share = sum(weights) / 1000
    fake_at = set(rng.sample(range(lines), min(fakes, lines // 4)))
    step = timedelta(days=DAYS) / lines
    truth, made = Truth(lines=lines), []
    for n in range(lines):
        one = Request(START + step * n, "", rng.choice(paths), rng.choice(STATUSES), "", rng.randrange(200, 90_000))
        bot = verdict = ""
        if n in fake_at:
            bot, verdict, one.ip, one.agent = "Googlebot", "fake", f"{FAKE_PREFIX}{rng.randrange(256)}", BOTS["Googlebot"][0]
        elif rng.random() < share:
            (bot,) = rng.choices(names, weights)
            one.agent, prefix, name, _ = BOTS[bot]
            one.ip, verdict = f"{prefix}{rng.randrange(256)}", "verified" if name else "unverified"
        else:
            one.ip = f"{rng.randrange(11, 200)}.{rng.randrange(256)}.{rng.randrange(256)}.9"
            one.agent = rng.choice(people)
        if faults and n not in fake_at and rng.random() < 0.004:
            one.kind = rng.choice(("cut", "tls", "quotes"))
            if one.kind == "tls":
                truth.without_request += 1
                one.agent, bot = "-", ""
            elif one.kind == "cut":
                truth.unreadable += 1
                bot = ""
            else:
                one.agent, one.kind = one.agent.replace("(", '("x" ', 1), ""
        if bot:
            truth.hits[one.when.date().isoformat(), bot, verdict, one.path, CLASSES[one.status]] += 1
        made.append(one)
    return made, truth


def _apache(text: str) -> str:
    return "".join(
        c if 31 < ord(c) < 127 and c not in '"\\' else f"\\{c}" if c in '"\\' else "".join(f"\\x{b:02x}" for b in c.encode()) for c in text
    )


def _nginx(text: str) -> str:
    return "".join(c if 31 < ord(c) < 127 and c not in '"\\' else "".join(f"\\x{b:02X}" for b in c.encode()) for c in text)


def _combined(one: Request, escaped: Callable[[str], str], offset_h: int = 0) -> str:
    local = one.when + timedelta(hours=offset_h)
    start = f"{one.ip} - - [{local:%d/%b/%Y:%H:%M:%S} {'+' if offset_h >= 0 else '-'}{abs(offset_h):02}00] "
    if one.kind == "cut":
        return f'{start}"GET {escaped(one.path)}'
    if one.kind == "tls":
        return start + r'"\x16\x03\x01\x02" 400 0 "-" "-"'
    return f'{start}"GET {escaped(one.path)} HTTP/1.1" {one.status} {one.size} "https://{VISITOR_MARK}.example/" "{escaped(one.agent)}"'


def combined(one: Request) -> str:
    return _combined(one, _nginx)


def apache(one: Request) -> str:
    return _combined(one, _apache, offset_h=-7)


def vhost(one: Request) -> str:
    return f"{HOST}:443 {_combined(one, _apache, offset_h=2)}"


def nginx_main(one: Request) -> str:
    return combined(one) if one.kind == "cut" else f'{combined(one)} "66.249.66.1, 10.0.0.7"'


def with_more(one: Request) -> str:
    return combined(one) if one.kind == "cut" else f"{combined(one)} 0.003 upstream=10.0.0.1:8080 cache-hit"


def alb(one: Request) -> str:
    start = f"h2 {one.when:%Y-%m-%dT%H:%M:%S.123456Z} app/www/50dc6c495c0c9188 {one.ip}:2817 10.0.0.1:80 0.000 0.001 0.000 {one.status} {one.status} 34 366 "
    if one.kind == "cut":
        return f'{start}"GET https://{HOST}'
    request = "- https://www.example.com:443- -" if one.kind == "tls" else f"GET https://{HOST}:443{_apache(one.path)} HTTP/2.0"
    return f'{start}"{request}" "{_apache(one.agent)}" ECDHE TLSv1.2 arn:aws:x "Root=1-58337262" "{HOST}" "-" 0 {one.when:%Y-%m-%dT%H:%M:%S.0Z} "forward" "-"'


def _json(one: Request, row: dict[str, object]) -> str:
    text = json.dumps(row)
    return text[: len(text) // 2] if one.kind == "cut" else text


def _path(one: Request) -> str:
    return "" if one.kind == "tls" else one.path


def nginx_json(one: Request) -> str:
    row = {
        "time_iso8601": f"{one.when:%Y-%m-%dT%H:%M:%S+00:00}",
        "remote_addr": one.ip,
        "host": HOST,
        "request_method": "GET",
        "request_uri": _path(one),
        "status": str(one.status),
    }
    return _json(one, {**row, "http_user_agent": one.agent, "http_referer": VISITOR_MARK})


def caddy(one: Request) -> str:
    headers = {"User-Agent": [one.agent], "Cookie": [VISITOR_MARK]}
    request = {"remote_ip": "10.0.0.7", "client_ip": one.ip, "method": "GET", "host": HOST, "uri": _path(one), "headers": headers}
    return _json(one, {"level": "info", "ts": one.when.timestamp(), "logger": "http.log.access", "request": request, "status": one.status})


def traefik(one: Request) -> str:
    row = {"ClientHost": one.ip, "RequestHost": HOST, "RequestMethod": "GET", "RequestPath": _path(one), "DownstreamStatus": one.status}
    return _json(one, {**row, "StartUTC": f"{one.when:%Y-%m-%dT%H:%M:%S.123456789Z}", "request_User-Agent": one.agent})


def fastly(one: Request) -> str:
    row = {"timestamp": f"{one.when:%Y-%m-%dT%H:%M:%S+0000}", "client_ip": one.ip, "host": HOST, "url": _path(one), "request_method": "GET"}
    return _json(one, {**row, "request_user_agent": one.agent, "response_status": one.status})


def logpush(one: Request) -> str:
    row = {
        "ClientIP": one.ip,
        "ClientRequestHost": HOST,
        "ClientRequestMethod": "GET",
        "ClientRequestURI": _path(one),
        "EdgeResponseStatus": one.status,
    }
    return _json(one, {**row, "EdgeStartTimestamp": int(one.when.timestamp() * 1e9), "ClientRequestUserAgent": one.agent})


IIS_FIELDS = (
    "date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) sc-status",
    "date time c-ip sc-status cs-uri-query cs-uri-stem cs-method cs(User-Agent) cs-host",
)
CLOUDFRONT_FIELDS = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query x-host-header cs-protocol"


def _columns(one: Request, fields: str, separator: str, agent: str) -> str:
    path, _, query = one.path.partition("?")
    path = quote(path, safe="/%'")
    values = {
        "date": f"{one.when:%Y-%m-%d}",
        "time": f"{one.when:%H:%M:%S}",
        "c-ip": one.ip,
        "sc-status": str(one.status),
        "cs-method": "GET",
    }
    values |= {"cs-uri-stem": "-" if one.kind == "tls" else path, "cs-uri-query": query or "-", "cs(User-Agent)": agent, "s-port": "443"}
    values |= {"cs-host": HOST, "x-host-header": HOST, "cs(Host)": "d111111abcdef8.cloudfront.net", "cs-protocol": "https"}
    written = [values.get(name, "x") for name in fields.split()]
    return separator.join(written[:3] if one.kind == "cut" else written)


def iis(made: list[Request]) -> Iterator[str]:
    """Yield lines whose columns change in the middle."""
    for n, fields in enumerate(IIS_FIELDS):
        yield f"#Software: Microsoft Internet Information Services 10.0\n#Fields: {fields}"
        half = len(made) // 2
        for one in made[:half] if n == 0 else made[half:]:
            yield _columns(one, fields, " ", one.agent.replace(" ", "+"))


def cloudfront(made: list[Request]) -> Iterator[str]:
    yield f"#Version: 1.0\n#Fields: {CLOUDFRONT_FIELDS}"
    for one in made:
        yield _columns(one, CLOUDFRONT_FIELDS, "\t", quote(one.agent, safe="/();,:.+"))


def _each(write: Callable[[Request], str]) -> Callable[[list[Request]], Iterator[str]]:
    return lambda made: map(write, made)


FORMATS: dict[str, Callable[[list[Request]], Iterator[str]]] = {
    "combined": _each(combined),
    "combined of Apache": _each(apache),
    "vhost": _each(vhost),
    "nginx-main": _each(nginx_main),
    "combined-and-more": _each(with_more),
    "alb": _each(alb),
    "json of nginx": _each(nginx_json),
    "json of Caddy": _each(caddy),
    "json of Traefik": _each(traefik),
    "json of Fastly": _each(fastly),
    "json of Logpush": _each(logpush),
    "w3c of IIS": iis,
    "w3c of CloudFront": cloudfront,
}


def written(name: str, made: list[Request]) -> bytes:
    """Return a log in a format."""
    return "".join(f"{line}\n" for line in FORMATS[name](made)).encode()


def two_members(log: bytes) -> bytes:
    """Return a gzip archive with two members, the boundary within a line."""
    half = len(log) // 2
    return gzip.compress(log[:half], 1) + gzip.compress(log[half:], 1)


def zstandard(log: bytes) -> bytes:
    return zstd.compress(log, 1)


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gzip": two_members, "zstd": zstandard}
