"""Options of the visits of a project with the browser."""

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from findable.capture.browser_options import BrowserOptions
from findable.fetch.browser.typed_options import read_hosts, selector_problem
from findable.service.values.project_values import BrowserOptionsUpdate

Errors = dict[str, list[str]]
"""Errors by field."""


def options_column(before: BrowserOptions, changes: BrowserOptionsUpdate, project: str, errors: Errors) -> str | None:
    """Return the options of a project in stored form, None for the defaults; adds problems to ``errors``."""
    defaults = BrowserOptions()
    sent = {name: value for name, value in msgspec.structs.asdict(changes).items() if value is not UNSET}
    if changes.blocked_hosts is not UNSET and changes.blocked_hosts is not None:
        sent["blocked_hosts"], wrong = read_hosts(changes.blocked_hosts, project.partition(":")[0])
        if wrong:
            errors["browser_options.blocked_hosts"] = wrong
    if changes.wait_for is not UNSET and changes.wait_for is not None:
        sent["wait_for"] = changes.wait_for.strip()
        if wrong_selector := selector_problem(sent["wait_for"]):
            errors["browser_options.wait_for"] = [wrong_selector]
    changed = replace(before, **{name: getattr(defaults, name) if value is None else value for name, value in sent.items()})
    return None if changed == defaults else msgspec.json.encode(changed).decode()
