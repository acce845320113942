"""Images of the site are too large.

In plain words: Visitors wait for images whose files are far too big.

Why it matters: Images account for most of the weight of a page; on a phone network one megabyte takes seconds.

How to fix: Resize to the size shown and compress. If a template or a plugin generates the images, set their size and quality there once.

    <img src="/pictures/blue-widget-800.webp" width="800" height="600" alt="Blue widget">

Sources: [web.dev: image performance](https://web.dev/learn/performance/image-performance); the limits are those of image-weight, set by
this report.

Not judged: Images of other sites; images whose server does not state their size; SVG, which is transferred compressed; whether an image is
animated, which its header does not show; candidates of srcset for other devices; videos, but not their posters.
"""

from findable.capture.site_resources import CrawledResources, FaultyResources
from findable.checks.causes import CausedFinding
from findable.checks.engine import Finding, by_cause, check, inapplicable, unknown
from findable.checks.images.image_weight import FAILED_ABOVE_BYTES, WARNED_ABOVE_BYTES
from findable.checks.site_causes import resource_cause
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Stage, Verdict


@check(
    "Are the images of the site light?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.IMAGE_FILE,
    fixer=Fixer.EDITOR,
    status=Stage.PREVIEW,
)
def site_images_heavy(resources: CrawledResources) -> Finding:
    """Checks the stated sizes of images against the limits of image-weight, grouped by the pages or the template that show them."""
    if not resources.requested.found_count:
        return inapplicable("The pages load no files of the site")
    if not resources.sized_count:
        return unknown("Not known: no server states the size of an image")
    return by_cause(
        "{known_count|image|images} measured, {heavy_count} above {limit_bytes}",
        [_cause(item) for item in resources.heavy],
        known_count=resources.sized_count,
        heavy_count=resources.heavy_count,
        limit_bytes=WARNED_ABOVE_BYTES,
    )


def _cause(item: FaultyResources) -> CausedFinding:
    heaviest = item.resources[0].size_bytes
    return resource_cause(
        item,
        verdict=Verdict.FAILED if heaviest > FAILED_ABOVE_BYTES else Verdict.WARNED,
        message="{resources_count|image|images} above {limit_bytes} on {found_count|page|pages}, the heaviest {heaviest_bytes}",
        note="{size_bytes}, on {page}",
        limit_bytes=WARNED_ABOVE_BYTES,
        heaviest_bytes=heaviest,
    )
