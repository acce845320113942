"""The cases of html5lib-tests for the encoding of a page."""

import re

import pytest

from findable.artifacts.html.page_charset import make_charset
from findable.formats.encodings import codec_of
from tests.checks.harness import capture
from tests.suites.places import declared, suite

NAME = "html5lib-tests"
_CASE = re.compile(rb"#data\n(.*?)\n#encoding\n(.*?)(?:\n|\Z)", re.DOTALL)


@pytest.mark.full
def test_html5lib_encodings_are_detected_as_expected_or_declared() -> None:
    count, different = 0, set()
    for path in sorted((suite(NAME) / "encoding").glob("*.dat")):
        for place, (data, encoding) in enumerate(_CASE.findall(path.read_bytes())):
            count += 1
            charset = make_charset(capture(data, headers=(("Content-Type", "text/html"),)).page)
            # A page without a declaration is windows-1252 in these cases; Findable reads it as UTF-8 if it is valid UTF-8, as Chrome.
            used = charset.used if charset.bom or codec_of(charset.meta or "") else "windows-1252"
            if codec_of(used) != codec_of(encoding.decode()):
                different.add(f"{path.stem} {place}: {encoding.decode()}, not {charset.used}")
    assert count == 82
    assert different == declared(NAME)
