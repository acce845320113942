"""Headers and names of files that browsers download."""

import re
from collections.abc import Mapping

from starlette.responses import Response

SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""Policy of files: if opened in a browser, they run nothing, load nothing and have no origin."""
_NOT_IN_NAMES = re.compile(r"[^a-z0-9-]+")
_LONGEST_PART = 80


def attachment(name: str) -> Mapping[str, str]:
    """Return the headers of a response that browsers save under this ASCII file name."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Content-Security-Policy": SANDBOX}


def image_response(data: bytes, headers: Mapping[str, str] | None = None) -> Response:
    """Return a PNG as a response that runs and loads nothing."""
    return Response(data, media_type="image/png", headers={"Content-Security-Policy": SANDBOX, **(headers or {})})


def in_file_name(text: str) -> str:
    """Return a host or project name in the form for file names: ASCII in lower case, with dots for all other characters."""
    return _NOT_IN_NAMES.sub(".", text.lower())[:_LONGEST_PART].strip(".-")
