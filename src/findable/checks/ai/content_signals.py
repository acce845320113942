"""Signals of AI preferences are malformed or contradictory.

In plain words: AI companies cannot read your wishes about what they may do with your texts.

Why it matters: A signal that cannot be parsed has no effect. None of them is a standard yet; crawlers may ignore them.

How to fix: Write known signals with yes or no (Content-Signal), y or n (Content-Usage), 0 or 1 (tdm-reservation).

    User-agent: *
    Content-Signal: search=yes, ai-input=yes, ai-train=no

Sources: [contentsignals.org](https://contentsignals.org/) (2025); [IETF aipref drafts](https://datatracker.ietf.org/wg/aipref/documents/)
(Content-Usage, 2026); [W3C TDM Reservation Protocol](https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/) (2024); [RSL
1.0](https://rslstandard.org/rsl) (License in robots.txt, 2025).

Not judged: whether crawlers follow the signals; the content of licences.
"""

from collections.abc import Iterator

from msgspec import Struct

from findable.artifacts.page.head import Head
from findable.artifacts.site.robots import Robots
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, element, header, inapplicable, passed, quoted, warned
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

SIGNALS = frozenset({"search", "ai-input", "ai-train"})
"""Signals that contentsignals.org defines (2025)."""
LINES_READ = 50

_PAIR = lazy_pattern(r"([a-z0-9-]{1,60})\s*=\s*([a-z0-9\"?-]{1,20})\Z")


class _Signal(Struct, frozen=True):
    name: str
    """Field name in lower case: content-signal, content-usage, license or tdm-reservation."""
    value: str
    evidence: Evidence


@check("Are AI preference signals well-formed?", Importance.INFO, Effort.SERVER, mark=r"(?i)content-signal")
def content_signals(response: Response, robots: Robots | None, head: Head | None) -> Finding:
    found = [*_signals_in_robots(robots), *_signals_in_headers(response), *_signals_in_head(head)]
    if not found:
        return inapplicable("No AI preference signals")
    wrong = [signal for signal in found if not _well_formed(signal)]
    if wrong:
        return warned("{count|signal is|signals are} malformed", evidence=[signal.evidence for signal in wrong])
    if contradictions := _contradictions(found):
        return warned("Signals contradict each other", evidence=contradictions)
    return passed("{count|signal|signals}, well-formed", evidence=[signal.evidence for signal in found])


def _signals_in_robots(robots: Robots | None) -> Iterator[_Signal]:
    for other in robots.rules.others[:LINES_READ] if robots else ():
        name = other.name.lower()
        if name in ("content-signal", "content-usage", "license"):
            yield _Signal(name, other.value, quoted(f"{other.name}: {other.value}", line=other.line, kind="robots_txt"))


def _signals_in_headers(response: Response) -> Iterator[_Signal]:
    for name in ("content-signal", "content-usage", "tdm-reservation"):
        for value in response.headers.all(name)[:LINES_READ]:
            yield _Signal(name, value, header(name, value))


def _signals_in_head(head: Head | None) -> Iterator[_Signal]:
    for meta in head.metas_named("tdm-reservation")[:LINES_READ] if head else ():
        yield _Signal("tdm-reservation", meta.content or "", element(meta.element))


def _well_formed(signal: _Signal) -> bool:
    value = signal.value.strip().lower()
    if signal.name == "tdm-reservation":
        return value in ("0", "1")
    if signal.name == "license":
        return value.startswith(("http://", "https://", "/"))
    pairs = _pairs(signal)
    if signal.name == "content-signal":
        return bool(pairs) and all(name in SIGNALS and said in ("yes", "no") for name, said in pairs)
    return bool(pairs) and all(said in ("y", "n", "?1", "?0") for _, said in pairs)


def _pairs(signal: _Signal) -> list[tuple[str, str]]:
    """Return the names and values in a signal; a part without a value has an empty one.

    A path before the pairs (Content-Usage in robots.txt) is skipped.
    """
    value = signal.value.strip().lower()[:1000]
    if value.startswith("/"):
        value = value.partition(" ")[2]
    found = []
    for part in value.split(","):
        match = _PAIR.match(part.strip())
        found.append((match[1], match[2].strip('"')) if match else (part.strip(), ""))
    return found


def _contradictions(signals: list[_Signal]) -> list[Evidence]:
    """Return headers and robots.txt lines in which a name has two values."""
    shown = []
    for signal in signals:
        said: dict[str, str] = {}
        if signal.name in ("content-signal", "content-usage") and any(
            said.setdefault(name, value) != value for name, value in _pairs(signal)
        ):
            shown.append(signal.evidence)
    return shown
