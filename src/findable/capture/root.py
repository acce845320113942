"""Roots: raw data of one source about a page or a site.

Everything that a check reads is derived from a root.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from findable.vocabulary import Source, Subject

Kind = TypeVar("Kind")


class Root(msgspec.Struct, frozen=True):
    """Declaration of a root: its source, its subject, and the message if it is missing."""

    source: Source
    subject: Subject
    without: str
    """Message template for facts that are unknown without this root."""


ROOTS: dict[type, Root] = {}


def root(source: Source, subject: Subject, *, without: str) -> Callable[[type[Kind]], type[Kind]]:
    """Return a decorator that registers a value class as a root."""

    def register(kind: type[Kind]) -> type[Kind]:
        ROOTS[kind] = Root(source, subject, without)
        return kind

    return register


crawl_root = root(Source.CRAWL, Subject.SITE, without="the site was not crawled")
"""Register a value class as a root with data of a crawl about its site."""
