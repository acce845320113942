"""Draw pairs of pages for readers, and measure the agreement of readers with the score.

``python -m research.pairs draw PAGES OUT [--pairs 150] [--seed 1]`` draws pairs of the synthetic pages and those of PAGES (a directory of
``*.html.gz``) into OUT. A reader gets OUT/reader, which has no scores and no names: ``pairs.csv`` (pair, a, b), ``pages/page-001.txt`` (what
the page contains, without URLs), ``pages/page-001.html``, and ``answers.csv`` to fill in. OUT/key.json is only for the comparison. Each reader writes ``A``, ``B`` or ``=`` into the column ``better``: the page that
serves search engines and their users better.

``python -m research.pairs compare PAGES OUT READER.csv READER.csv`` compares the answers with the scores of the current rules.
"""

import argparse
import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.images import Images
from findable.artifacts.page.links import Links
from findable.artifacts.page.robots_directives import RobotsDirectives
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.text import Text
from findable.artifacts.registry import Artifacts, gather
from research.harm import captured, judged, pages

STEPS = (1, 5, 10, 20, 40)
"""Minimum difference of scores in each stratum; pages with equal scores are not paired."""
PAIRS = 150
HEADINGS_SHOWN = 12
TEXT_CHARS = 700
MADE_UP_SHARE = 0.3
"""Share of pairs with a synthetic page, if there are enough."""

Scores = Mapping[str, int]
Pair = tuple[str, str]


def scores(bodies: Mapping[str, bytes]) -> dict[str, int]:
    """Return the scores of pages that have one."""
    found = {name: judged(name, body).score for name, body in bodies.items()}
    return {name: score for name, score in found.items() if score is not None}


def draw(found: Scores, count: int, seed: int) -> list[Pair]:
    """Return pairs in random order, reproducible by seed: equally many per stratum, each page as rarely as possible."""
    chance = random.Random(seed)
    every = list(combinations(sorted(found), 2))
    chance.shuffle(every)
    used: Counter[str] = Counter()
    chosen: list[Pair] = []
    for index in range(count):
        stratum = STEPS[index % len(STEPS)]
        with_made_up = chance.random() < MADE_UP_SHARE
        fitting = [pair for pair in every if _stratum(found, pair) == stratum and pair not in chosen]
        fitting = fitting or [pair for pair in every if _stratum(found, pair) and pair not in chosen]
        wanted = [pair for pair in fitting if any(_is_made_up(name) for name in pair) == with_made_up]
        if not (wanted or fitting):
            continue
        pair = min(wanted or fitting, key=lambda one: used[one[0]] + used[one[1]])
        used.update(pair)
        chosen.append(pair)
    chance.shuffle(chosen)
    return [pair if chance.random() < 0.5 else pair[::-1] for pair in chosen]


def _stratum(found: Scores, pair: Pair) -> int:
    difference = abs(found[pair[0]] - found[pair[1]])
    return max((step for step in STEPS if step <= difference), default=0)


def _is_made_up(name: str) -> bool:
    return name.startswith("made-up/")


def describe(name: str, body: bytes) -> str:
    """Return a description of a page in lines, without URLs and verdicts."""
    return "\n".join(_lines(gather(*captured(name, body).roots))) + "\n"


def _lines(artifacts: Artifacts) -> Iterator[str]:
    head = artifacts.get_or_none(Head)
    if head is None:
        yield "no HTML"
        return
    yield f"titles: {[title.text + ('' if title.in_head else ' (in the body)') for title in head.titles]}"
    yield f"descriptions: {[meta.content for meta in head.metas_named('description')]}"
    yield f"lang: {head.lang!r}; viewport: {[meta.content for meta in head.metas_named('viewport')]}"
    yield from _indexing(artifacts)
    headings = artifacts.get_or_none(Headings)
    shown = [f"h{one.level} {one.name[:100]}" for one in headings.all[:HEADINGS_SHOWN]] if headings else []
    yield f"headings ({len(headings.all) if headings else 0}): " + " | ".join(shown)
    text = artifacts.get_or_none(Text)
    if text is not None:
        yield f"words: {text.visible_count} visible, {text.main_count} of main content"
        yield f"text begins: {text.visible[:TEXT_CHARS]}"
        yield f"main content begins: {text.main[:TEXT_CHARS]}"
    images = artifacts.get_or_none(Images)
    if images is not None:
        without = sum(one.alt is None and not one.has_name for one in images.imgs)
        yield f"images: {len(images.imgs)}, {without} without alt"
    links = artifacts.get_or_none(Links)
    if links is not None:
        kinds = Counter(one.kind.value for one in links.items)
        yield f"links: {dict(kinds)}, {len(links.faulty)} that crawlers cannot follow"
    data = artifacts.get_or_none(StructuredData)
    if data is not None:
        yield f"structured data: {sorted({kind for item in data.items for kind in item.types})}, broken block: {data.has_broken_block}"


def _indexing(artifacts: Artifacts) -> Iterator[str]:
    directives = artifacts.get_or_none(RobotsDirectives)
    if directives is not None:
        yield f"robots rules: {[f'{one.agent} {one.name} {one.value}'.strip() for one in directives.all]}"
    canonical = artifacts.get_or_none(Canonical)
    if canonical is None:
        return
    places = ["counts" if one.counts else f"ignored: {one.ignored}" for one in canonical.declared]
    relation = (
        "none"
        if canonical.target is None
        else "this page"
        if not canonical.differences
        else "differs by " + ", ".join(sorted(str(one) for one in canonical.differences))
    )
    yield f"canonical links: {places}, {len(canonical.targets)} different URLs; the canonical URL is {relation}"


def write(folder: Path, bodies: Mapping[str, bytes], pairs: Sequence[Pair]) -> None:
    """Write the material for a reader, and the key with the names of the pages."""
    names = {name: f"page-{number:03}" for number, name in enumerate(sorted({name for pair in pairs for name in pair}), 1)}
    key = {page: name for name, page in names.items()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")
    folder = folder / "reader"
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    for name, page in names.items():
        (folder / "pages" / f"{page}.txt").write_text(describe(name, bodies[name]), encoding="utf-8")
        (folder / "pages" / f"{page}.html").write_bytes(bodies[name])
    _write(folder / "pairs.csv", ("pair", "a", "b"), [(number, names[a], names[b]) for number, (a, b) in enumerate(pairs, 1)])
    _write(folder / "answers.csv", ("pair", "better", "reason"), [(number, "", "") for number in range(1, len(pairs) + 1)])


def _write(path: Path, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)


def read(path: Path, *columns: str) -> dict[str, tuple[str, ...]]:
    """Return the columns of a file by pair."""
    with path.open(newline="", encoding="utf-8") as file:
        return {row["pair"]: tuple(row[name].strip() for name in columns) for row in csv.DictReader(file)}


def compare(found: Scores, pairs: Mapping[str, Pair], readers: Sequence[Mapping[str, str]]) -> list[str]:
    """Return lines about the agreement of the scores with the answers that all readers share."""
    agreed = {pair: readers[0].get(pair, "") for pair in pairs if len({one.get(pair, "") for one in readers}) == 1}
    decided = {pair: answer for pair, answer in agreed.items() if answer in ("A", "B")}
    wrong = [pair for pair, answer in decided.items() if _better(found, pairs[pair]) != answer]
    share = 1 - len(wrong) / len(decided) if decided else 0.0
    lines = [
        f"{len(pairs)} pairs, readers agree on {len(decided)} (and on {len(agreed) - len(decided)} that neither is better)",
        f"the score agrees in {len(decided) - len(wrong)} of {len(decided)}: {share:.1%}",
    ]
    for pair in wrong:
        a, b = pairs[pair]
        lines.append(f"pair {pair}: readers {decided[pair]}; A {found[a]} {a}, B {found[b]} {b}")
    return lines


def _better(found: Scores, pair: Pair) -> str:
    a, b = (found[name] for name in pair)
    return "=" if a == b else "A" if a > b else "B"


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw pairs, or compare answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("pages", type=Path)
    drawing.add_argument("out", type=Path)
    drawing.add_argument("--pairs", type=int, default=PAIRS)
    drawing.add_argument("--seed", type=int, default=1)
    comparing = commands.add_parser("compare")
    comparing.add_argument("pages", type=Path)
    comparing.add_argument("out", type=Path)
    comparing.add_argument("answers", type=Path, nargs="+")
    given = parser.parse_args(arguments)
    bodies = dict(pages(given.pages))
    if given.command == "draw":
        write(given.out, bodies, draw(scores(bodies), given.pairs, given.seed))
        return
    names = json.loads((given.out / "key.json").read_text(encoding="utf-8"))
    pairs = {pair: (names[a], names[b]) for pair, (a, b) in read(given.out / "reader" / "pairs.csv", "a", "b").items()}
    readers = [{pair: answer.upper() for pair, (answer,) in read(path, "better").items()} for path in given.answers]
    sys.stdout.write("\n".join(compare(scores(bodies), pairs, readers)) + "\n")


if __name__ == "__main__":
    main()
