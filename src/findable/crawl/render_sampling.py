"""Choose the pages of a crawl that a browser visits: none, those built by scripts, some of each template, or all."""

from itertools import islice

from msgspec.structs import replace

from findable.crawl.record import PageRecord
from findable.crawl.rendered import Rendered, RenderedTemplate
from findable.crawl.settings import Render
from findable.limits import MAX_TEMPLATES, MAX_VISITS

PAGES_PER_TEMPLATE = 3
MAX_SHAPES = 300
MIN_SAMPLE_VISITS = 30
"""Number of visits that a sample may always make, even on a small site."""
SAMPLE_SHARE = 20
"""Divisor of the maximum share of pages that a sample may visit: one in this many."""
SIMILAR = 0.7
"""Share of common shapes from which two pages have the same template (set by Findable)."""
RAW_VS_RENDERED = "raw-vs-rendered"


class RenderSampling:
    """Chooses pages during a crawl: call `choose` for each page and `add_visit` after each visit."""

    def __init__(self, render: Render, rendered: Rendered) -> None:
        self._render = render
        self._pages, self._visits, self._failed = rendered.pages, rendered.visits, rendered.failed
        self._templates = list(rendered.templates)

    @property
    def is_used(self) -> bool:
        """Whether the browser may visit any page."""
        return self._render is not Render.NEVER

    @property
    def is_sample(self) -> bool:
        """Whether the choice of a page depends on earlier visits."""
        return self._render is Render.SAMPLE

    @property
    def rendered(self) -> Rendered:
        """Browser visits so far."""
        return Rendered(self._pages, self._visits, self._failed, tuple(self._templates))

    def choose(self, record: PageRecord) -> bool:
        """Return whether the browser should visit the page, and count the page."""
        if not self.is_used or not record.verdicts or record.is_unread:
            return False
        self._pages += 1
        is_chosen = self._visits < MAX_VISITS and self._is_chosen(record)
        self._visits += is_chosen
        return is_chosen

    def _is_chosen(self, record: PageRecord) -> bool:
        if self._render is Render.ALL or (self._render is Render.NEEDED and record.is_shell):
            return True
        most = max(MIN_SAMPLE_VISITS, self._pages // SAMPLE_SHARE)
        if self._render is not Render.SAMPLE or self._visits >= most:
            return False
        place = self._template_index(record)
        if place is None:
            return False
        template = self._templates[place]
        if template.visits >= PAGES_PER_TEMPLATE and not (template.needs_scripts and 2 * self._further_count < most):
            return False
        self._templates[place] = replace(template, visits=template.visits + 1)
        return True

    @property
    def _further_count(self) -> int:
        """Number of further visits for templates that need scripts: half of the remaining ones, so that later templates are sampled too."""
        return sum(max(0, template.visits - PAGES_PER_TEMPLATE) for template in self._templates)

    def _template_index(self, record: PageRecord) -> int | None:
        """Return the index of the page's template, adding a new one if needed; None if there are too many."""
        traits = frozenset(_traits_of(record))
        for place, template in enumerate(self._templates):
            known = frozenset(template.traits)
            if known == traits or len(known & traits) >= SIMILAR * len(known | traits):
                return place
        if len(self._templates) >= MAX_TEMPLATES:
            return None
        self._templates.append(RenderedTemplate(tuple(sorted(traits)), record.url))
        return len(self._templates) - 1

    def add_visit(self, sent_record: PageRecord, rendered_record: PageRecord | None) -> None:
        """Update the sampling with the result of a visit; ``rendered_record`` is None if the browser returned no document."""
        if rendered_record is None:
            self._failed += 1
            return
        place = self._template_index(sent_record) if self._render is Render.SAMPLE else None
        if place is not None and (sent_record.is_shell or any(finding.id == RAW_VS_RENDERED for finding in rendered_record.findings)):
            self._templates[place] = replace(self._templates[place], needs_scripts=True)


def _traits_of(record: PageRecord) -> tuple[str, ...]:
    return (*(str(shape) for shape in islice(record.shapes, MAX_SHAPES)), *record.types, *(("shell",) if record.is_shell else ()))
