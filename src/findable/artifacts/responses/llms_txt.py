"""Content of /llms.txt, if it was requested."""

import re

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.response import NOT_REQUESTED, Failure, outcome
from findable.capture.site import SiteCapture
from findable.vocabulary import Verdict

LLMS_CHARS = 20_000
FIRST_LINES = 5
_HEADING = re.compile(r"^#\s+\S", re.MULTILINE)
_LINK = re.compile(r"\[[^\]\n]{1,200}\]\([^)\s]{1,2000}\)")


class LlmsTxt(Struct, frozen=True):
    """Response of /llms.txt: its text, and whether it has a heading and a link."""

    url: str
    status: int
    text: str
    """Beginning of the text; empty if the response was not text."""
    has_heading: bool
    has_link: bool

    @property
    def exists(self) -> bool:
        """Whether the response is a text and not an HTML page."""
        return bool(self.text)

    @property
    def first_lines(self) -> list[str]:
        """First non-empty lines of the file."""
        return [line.strip()[:200] for line in self.text.splitlines() if line.strip()][:FIRST_LINES]


@artifact
def make_llms_txt(site: SiteCapture) -> LlmsTxt | Absent:
    """Read the response of /llms.txt; absent (unknown) if there is none."""
    response = site.llms_txt
    if response is None:
        return Absent("/llms.txt was not requested", Verdict.UNKNOWN)
    if response.failure in NOT_REQUESTED or response.failure is not Failure.NONE:
        return Absent("/llms.txt is not known: {reason}", Verdict.UNKNOWN, outcome(response))
    text = response.body[:LLMS_CHARS].decode("utf-8", "replace").lstrip("\ufeff") if response.ok else ""
    if text.lstrip()[:1] == "<":  # an HTML page, such as a "not found" page with status 200
        text = ""
    return LlmsTxt(response.url, response.status, text.strip(), bool(_HEADING.search(text)), bool(_LINK.search(text)))
