"""Number of parse errors of a page. Only reports of single pages count them, because that takes longer than most checks."""

from msgspec import Struct

from findable.artifacts.html.markup import SentDocument
from findable.artifacts.registry import artifact


class ParseErrors(Struct, frozen=True):
    """Parse errors of the page as sent."""

    count: int
    """Number of errors, at most `MAX_FAULTS`."""


@artifact
def make_parse_errors(sent_document: SentDocument) -> ParseErrors:
    """Count the errors of the parser."""
    return ParseErrors(len(sent_document.document.faults))
