"""Stylesheets or scripts are not minified.

In plain words: Visitors load more than needed, because files of the page contain notes for programmers.

Why it matters: Comments and indentation are sent to every visitor but are ignored by browsers.

How to fix: Minify files in the build.

    esbuild app.js --minify --outfile=app.min.js

Sources: [Lighthouse: minify CSS](https://developer.chrome.com/docs/lighthouse/performance/unminified-css) and
[JavaScript](https://developer.chrome.com/docs/lighthouse/performance/unminified-javascript): savings below 2 KiB or 5 % of a file do not
count.

Not judged: Files of other sites; names that could be shortened. The saving is estimated from indentation, blank lines and comments that
fill whole lines in the first 64 KiB, times the bytes transferred; licence comments are kept.
"""

from collections.abc import Iterator

from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.checks.engine import Finding, check, inapplicable, passed, unknown, url_evidence, warned
from findable.vocabulary import Code, Effort, Importance

WORTH_BYTES = 2048
WORTH_SHARE = 0.05
SAMPLE_BYTES = 64 * 1024
MAX_FILES = 30
LONG_LINES = 500
"""Mean line length from which a file is minified."""
_LICENSE_COMMENT = (b"/*!", b"/**!", b"//!")


class Unmeasured(Code, params=("reason",)):
    """Reason why the files could not be measured."""

    EMPTY = "empty", "the responses are empty"


@check("Are stylesheets and scripts minified?", Importance.LOW, Effort.CONTENT, failed=4, warned=3)
def minified(resources: Resources, assets: Assets) -> Finding:
    urls = resources.own_urls(ResourceKind.STYLESHEET, ResourceKind.SCRIPT)
    if not urls:
        return inapplicable("The page loads no stylesheet or script from its site")
    browser_requests = [asset for asset in assets.loaded_assets(urls) if asset.response.body and asset.media_type != "text/html"]
    if not browser_requests:
        return unknown("Not measured, {count|file|files}: {reason}", count=len(urls), **assets.unknown_reason(urls, Unmeasured.EMPTY))
    wordy = sorted(_unminified_assets(browser_requests[:MAX_FILES]), key=lambda pair: pair[1], reverse=True)
    if wordy:
        return warned(
            "{count|file is|files are} not minified, {least_bytes} or more each; an estimated {saving_bytes} could be saved",
            least_bytes=WORTH_BYTES,
            saving_bytes=sum(saving for _, saving in wordy),
            evidence=[
                url_evidence(asset.url, asset.response.status, "estimated saving {saving_bytes}", saving_bytes=saving)
                for asset, saving in wordy
            ],
        )
    return passed("{known_count} of {count|file|files} checked, none worth minifying", known_count=len(browser_requests), count=len(urls))


def _unminified_assets(browser_requests: list[Asset]) -> Iterator[tuple[Asset, int]]:
    for asset in browser_requests:
        sample = asset.response.body[:SAMPLE_BYTES]
        share = removable_share(sample)
        saving = round(share * (asset.size_bytes or len(asset.response.body)))
        if saving >= WORTH_BYTES and share >= WORTH_SHARE:
            yield asset, saving


def removable_share(sample: bytes) -> float:
    """Return the share (0–1) of bytes that are indentation, blank lines or whole-line comments."""
    if not sample or len(sample) / (sample.count(b"\n") + 1) >= LONG_LINES:
        return 0.0
    removable = 0
    comment = kept = False
    for line in sample.splitlines(keepends=True):
        bare = line.strip()
        begin = 0
        if not comment and bare.startswith(b"/*"):
            comment, kept, begin = True, bare.startswith(_LICENSE_COMMENT), line.find(b"/*") + len(b"/*")
        if comment:
            end = line.find(b"*/", begin)
            removable += 0 if kept else len(line) if end < 0 else end + 2
            comment = end < 0
        elif not bare or (bare.startswith(b"//") and not bare.startswith(_LICENSE_COMMENT)):
            removable += len(line)
        else:
            removable += len(line) - len(bare) - 1 if len(line) > len(bare) else 0
    return removable / len(sample)
