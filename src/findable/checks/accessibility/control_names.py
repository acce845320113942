"""Fields, buttons or links have no name.

Why it matters: a screen reader says "button" and nothing else; voice control cannot name it; a program that acts for a reader cannot
tell what it does. A link whose only content is a picture without alt text tells search engines nothing either.

How to fix: label fields, and give buttons and links with icons a text.

    <label for="mail">E-mail</label> <input id="mail" type="email">
    <button aria-label="Search"><svg aria-hidden="true">…</svg></button>

Sources: WCAG 2.2, 4.1.2 Name, Role, Value; W3C, Accessible Name and Description Computation 1.2; HTML-AAM 1.0 (placeholder and
title count last).

Not judged: what is hidden or disabled, buttons that browsers name themselves (submit, reset), and elements whose name may come from a
component or a script.
"""

from collections import Counter
from typing import Any

from findable.artifacts.page.controls import ControlKind, Names
from findable.checks.engine import EVIDENCE_SHOWN, Finding, check, element, failed, inapplicable, passed, warned
from findable.vocabulary import Code, Effort, Importance

WARN_COUNT = 3
"""More than three fail (ours)."""


class Controls(Code, params=("kinds",)):
    """Controls of a kind, with their number."""

    FIELDS = "fields", "{fields_count|field|fields}"
    BUTTONS = "buttons", "{buttons_count|button|buttons}"
    LINKS = "links", "{links_count|link|links}"
    FRAMES = "frames", "{frames_count|frame|frames}"


NAMELESS = {
    ControlKind.FIELD: Controls.FIELDS,
    ControlKind.BUTTON: Controls.BUTTONS,
    ControlKind.LINK: Controls.LINKS,
    ControlKind.FRAME: Controls.FRAMES,
}


@check(question="Do fields, buttons and links have names?", importance=Importance.LOW, effort=Effort.CONTENT)
def control_names(names: Names) -> Finding:
    """Counts controls that nothing names."""
    if not names.controls:
        return inapplicable("the page has no fields, buttons or links")
    nameless = [control for control in names.controls if not control.name and control.judgeable]
    kinds = Counter(control.kind for control in nameless)
    if not nameless:
        return passed("{count|control|controls}, each with a name", count=len(names.controls))
    shown = [element(control.element, "this {kind} has no name", kind=control.kind) for control in nameless[:EVIDENCE_SHOWN]]
    verdict = failed if len(nameless) > WARN_COUNT else warned
    numbers: dict[str, Any] = {f"{NAMELESS[kind]}_count": count for kind, count in kinds.items()}
    return verdict(
        "{nameless_count} of {count|control|controls} without a name: {kinds}",
        nameless_count=len(nameless),
        count=len(names.controls),
        kinds=[NAMELESS[kind] for kind in kinds],
        evidence=[*shown, *(control.element for control in nameless[EVIDENCE_SHOWN:])],
        **numbers,
    )
