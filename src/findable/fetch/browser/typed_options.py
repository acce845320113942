"""Validate the options of browser visits that people type: selectors and hosts."""

from collections.abc import Sequence

from findable import urls
from findable.artifacts.html.parse_tree import is_selector
from findable.capture.browser_options import MAX_BLOCKED_HOSTS, MAX_SELECTOR_CHARS, covers
from findable.wording import Message, later

MAX_HOST_CHARS = 253


def selector_problem(selector: str) -> str:
    """Return why a CSS selector cannot be used; empty for a valid or an empty one."""
    if len(selector) > MAX_SELECTOR_CHARS or not selector.isprintable():
        return Message(later("At most %(most)s characters are allowed, and no control characters."), most=MAX_SELECTOR_CHARS)
    return "" if not selector or is_selector(selector) else Message(later("%(selector)s is not a CSS selector."), selector=selector)


def read_hosts(texts: Sequence[str], own_host: str = "") -> tuple[tuple[str, ...], list[str]]:
    """Return the valid hosts to block, and the problems of the others. ``own_host``, the project's, cannot be blocked."""
    hosts: list[str] = []
    wrong: list[str] = []
    for text in dict.fromkeys(line.strip() for line in texts if line.strip()):
        url = urls.parse(f"https://{text}/")
        is_host = len(text) <= MAX_HOST_CHARS and url is not None and url.origin == f"https://{url.host}" and url.path_and_query == "/"
        if url is None or not is_host or not url.host.strip(".") or url.has_login or "*" in text:
            wrong.append(Message(later("%(text)s is not a host like analytics.example.com."), text=text[:MAX_HOST_CHARS]))
        elif own_host and covers((url.host,), own_host):
            wrong.append(Message(later("%(text)s: the pages of this project are on this host."), text=text))
        else:
            hosts.append(url.host)
    if len(hosts) > MAX_BLOCKED_HOSTS:
        wrong = [Message(later("At most %(most)s entries are allowed."), most=MAX_BLOCKED_HOSTS)]
    return tuple(dict.fromkeys(hosts)), wrong
