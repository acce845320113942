"""Properties that hold for whatever strangers send. ``make test`` tries a few hundred examples, the same each time; ``make fuzz
SECONDS=60`` tries new ones for that long in each test. What is found is kept as an ``@example`` of the test that found it.
"""

import functools
import os
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import hypothesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
EXAMPLES = 60
AT_ONCE = 1000
example: Callable[..., Callable[[Any], Any]] = (lambda *args: lambda test: test) if SECONDS else hypothesis.example
"""Keeps an input that was found; tried in `make test`."""
_UNCHECKED = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example, HealthCheck.filter_too_much]

Check = Callable[..., None]


def fuzz(*strategies: st.SearchStrategy[Any], examples: int = EXAMPLES) -> Callable[[Check], Callable[[], None]]:
    """A test of that property over inputs of these kinds."""

    def decorate(check: Check) -> Callable[[], None]:
        if not SECONDS:
            short = settings(max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=_UNCHECKED)
            return short(given(*strategies)(check))

        def test() -> None:
            ends_s = time.monotonic() + SECONDS
            while time.monotonic() < ends_s:
                started = time.monotonic_ns()
                long = settings(max_examples=AT_ONCE, deadline=None, database=None, suppress_health_check=_UNCHECKED)
                seed(started)(long(given(*strategies)(check)))()

        test.__name__, test.__module__, test.__doc__ = check.__name__, check.__module__, check.__doc__
        return test

    return decorate


def of_pieces(*pieces: str, most: int = 30) -> st.SearchStrategy[str]:
    """Texts put together of these and of anything."""
    anything = st.text(st.characters(), max_size=6)
    return st.lists(st.one_of(st.sampled_from(pieces), st.sampled_from(pieces), anything), max_size=most).map("".join)


def as_bytes(texts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    """The same in UTF-8, in UTF-16, or as anything at all."""
    return st.one_of(
        texts.map(lambda text: text.encode("utf-8", "surrogatepass")),
        texts.map(lambda text: text.encode("utf-16", "surrogatepass")),
        st.binary(max_size=300),
    )


@functools.cache
def cut(data: bytes, places: tuple[int, ...]) -> list[bytes]:
    """The data in pieces that end at these places."""
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]
