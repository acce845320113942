"""Rating of a result with its explanation, whether of a page, a site or a project."""

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from findable.reports.charts import BarTable
from findable.web.pages.shared.score_bar import ScoreBar
from findable.wording import Translator


class ResultVerdict(Struct, frozen=True, kw_only=True):
    """Rating of a result."""

    bar: ScoreBar
    words: str
    """Rating in words."""
    counts: str
    """Numbers behind the score, in words; empty for none."""
    limit: str
    """Reason that limits the score, or that it is not 100, in words; empty for none."""
    parts: BarTable | None = None
    """100, what each finding costs, and the score, as a waterfall; None without costs."""
    is_provisional: bool = False
    before: str = ""
    """Sentence in place of the score if that is from before an outage that is not confirmed yet; empty otherwise."""
    change: str = ""
    """Change of the score since an earlier result, in words; empty if there is none."""
    direction: str = "same"
    """Direction of the change: ``up``, ``down`` or ``same``; a class of the stylesheet."""
    change_href: str = ""
    """URL of the comparison in which the score changed; empty if it is the comparison with the previous result."""

    @property
    def score(self) -> int:
        """Score from 0 to 100."""
        return self.bar.score

    @property
    def rating(self) -> str:
        """Rating, a class of the stylesheet; empty without a current one."""
        return "" if self.before else self.bar.rating

    def of_before(self, sentence: str, say: Translator) -> Self:
        """Return the rating as one from before an outage that is not confirmed yet."""
        return replace(self, words=say("No current rating"), before=sentence, parts=None, change="")
