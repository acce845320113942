"""Forms and password fields of the page."""

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document, Element
from findable.artifacts.registry import artifact

MAX_ACTION_CHARS = 8192
MAX_FORMS = 1000
MAX_CONTROLS = 5000
NOT_FILLED_IN = frozenset({"hidden", "submit", "button", "image", "reset"})


class Form(Struct, frozen=True):
    """Form, or submit button with its own target."""

    element: Element
    url: str | None
    """Resolved target; None if it is not http(s) (``javascript:``, ``mailto:``, a dialog)."""
    method: str
    """Method: ``get``, ``post`` or ``dialog``."""
    is_hidden: bool
    """Whether the form is hidden and has no field to fill in: scripts use such forms to send data."""

    @property
    def fields(self) -> list[Element]:
        """Controls of the form that visitors fill in."""
        form = next((box for box in (self.element, *self.element.ancestors) if box.tag == "form"), self.element)
        return [control for control in form.descendants("input", "textarea", "select") if _is_filled_in(control)]


class Forms(Struct, frozen=True):
    """First MAX_FORMS forms in order, and all password fields inside or outside forms."""

    items: tuple[Form, ...]
    passwords: tuple[Element, ...]


@artifact
def make_forms(content: Content) -> Forms:
    """Read form, button and input elements; a formaction on a button counts as a separate form."""
    document = content.document
    items = [_form(form, form.attr("action"), form.attr("method"), document) for form in document.all("form")[:MAX_FORMS]]
    inputs = document.all("input")[:MAX_CONTROLS]
    for control in [*document.all("button")[:MAX_CONTROLS], *inputs]:
        action = control.attr("formaction")
        if action is not None and action.strip():
            items.append(_form(control, action, control.attr("formmethod"), document))
    return Forms(tuple(items), tuple(field for field in inputs if (field.attr("type") or "").strip().lower() == "password"))


def _form(element: Element, action: str | None, method: str | None, document: Document) -> Form:
    written = (action or "").strip()
    kind = (method or "get").strip().lower()
    kind = kind if kind in ("get", "post", "dialog") else "get"
    # An empty action is the page itself, regardless of base (HTML Standard, 4.10.21.3).
    url = document.resolve(written) if written and len(written) <= MAX_ACTION_CHARS else document.url
    if kind == "dialog" or url is None or not url.startswith(("http:", "https:")):
        url = None
    return Form(element, url, kind, is_hidden=_is_hidden(element))


def _is_hidden(element: Element) -> bool:
    """Return whether the form's own attributes hide it; a form hidden only by a stylesheet counts as visible."""
    style = "".join((element.attr("style") or "")[:2000].lower().split())
    if element.attr("hidden") is None and "display:none" not in style:
        return False
    return not any(_is_filled_in(control) for control in element.descendants("input", "textarea", "select"))


def _is_filled_in(control: Element) -> bool:
    return control.tag != "input" or (control.attr("type") or "text").strip().lower() not in NOT_FILLED_IN
