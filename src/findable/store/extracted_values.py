"""Stored results of the extractors of a crawl."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, delete, func, select

from findable.capture.status_classes import OK
from findable.crawl.extractors import Extracted, Extractor
from findable.store.crawl_schema import EXTRACTED, PAGE
from findable.store.rows_by_id import parts

Results = Mapping[int, Extracted]
"""Results of one page by the key of the extractor."""


def put_extracted(connection: Connection, extractors: Sequence[Extractor], pages: Mapping[int, Results]) -> None:
    """Store the results of pages by their numbers, replacing earlier results of these extractors."""
    if not extractors or not pages:
        return
    keys = [extractor.key for extractor in extractors]
    connection.execute(delete(EXTRACTED).where(EXTRACTED.c.rule.in_(keys), EXTRACTED.c.id.in_(list(pages))))
    rows = [
        {"rule": rule, "id": number, "found": found.count, "text": "\n".join(found.values)}
        for number, results in pages.items()
        for rule, found in results.items()
    ]
    if rows:
        connection.execute(EXTRACTED.insert(), rows)


def delete_other_rules(connection: Connection, extractors: Sequence[Extractor]) -> None:
    """Delete the results of all extractors except these."""
    connection.execute(delete(EXTRACTED).where(EXTRACTED.c.rule.not_in([extractor.key for extractor in extractors])))


def extracted_of(connection: Connection, extractors: Sequence[Extractor], numbers: Sequence[int]) -> dict[int, dict[str, Extracted | None]]:
    """Return the results by page id and name of the extractor; None for unknown results."""
    found: dict[int, dict[str, Extracted | None]] = {number: {extractor.name: None for extractor in extractors} for number in numbers}
    for extractor in extractors:
        for part in parts(numbers):
            rows = select(EXTRACTED).where(EXTRACTED.c.rule == extractor.key, EXTRACTED.c.id.in_(part))
            for row in connection.execute(rows):
                found[row.id][extractor.name] = Extracted(row.found, tuple(row.text.split("\n")) if row.text else ())
    return found


def unknown_count(connection: Connection, extractors: Sequence[Extractor]) -> int:
    """Return the number of pages for which the result of an extractor is unknown."""
    pages = connection.execute(select(func.count()).where(PAGE.c.is_html, PAGE.c.status == OK)).scalar_one() if extractors else 0
    counted = (select(func.count()).where(EXTRACTED.c.rule == extractor.key) for extractor in extractors)
    return max((pages - connection.execute(statement).scalar_one() for statement in counted), default=0)
