"""Options of the visits of a project with the browser."""

from msgspec.structs import replace

from findable.capture.browser_options import BrowserOptions
from findable.errors import require_valid
from findable.fetch.browser.typed_options import read_hosts, selector_problem
from findable.service.projects.sent_columns import changed_options, options_json
from findable.service.values.project_values import BrowserOptionsUpdate


def options_column(before: BrowserOptions, changes: BrowserOptionsUpdate, project: str) -> str | None:
    """Return the options of a project in stored form, None for the defaults. Raises ValidationFailed."""
    errors: dict[str, list[str]] = {}
    if changes.blocked_hosts:
        hosts, wrong = read_hosts(changes.blocked_hosts, project.partition(":")[0])
        changes = replace(changes, blocked_hosts=hosts)
        if wrong:
            errors["browser_options.blocked_hosts"] = wrong
    if changes.wait_for:
        changes = replace(changes, wait_for=changes.wait_for.strip())
        if wrong_selector := selector_problem(changes.wait_for or ""):
            errors["browser_options.wait_for"] = [wrong_selector]
    require_valid(errors)
    return options_json(changed_options(before, changes))
