"""Page that imports a table of sites: a dry run first, then the same table is applied."""

from typing import ClassVar

from findable.errors import ValidationFailed
from findable.formats.site_tables import COLUMNS
from findable.formats.table_text import TableError, decode_table
from findable.service.accounts.permissions import require_role
from findable.service.projects.site_imports import MAX_BYTES, SiteImport, import_sites
from findable.web.bodies import Bounds, Kinds
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.wording import Translator

BODY = Bounds(2 * MAX_BYTES + 100_000, 10)
EXAMPLE = "url,name,client,tags,interval\nhttps://example.com/,Example,Example Ltd,shop;de,week"


class SiteImportPage(PersonPage, frozen=True, kw_only=True):
    """Variables of site_import.html."""

    entry: ClassVar[str] = "projects"
    columns: tuple[str, ...] = tuple(COLUMNS)
    example: str = EXAMPLE
    found: SiteImport | None = None
    """Outcome of the table; None before it was read."""
    counts: str = ""
    """Numbers of rows by outcome, in words."""


@person_page("/import")
def get_site_import(request: SignedInRequest) -> SiteImportPage:
    """Show the form for a table of sites. Owners only."""
    require_role(request.caller)
    return SiteImportPage()


@person_form("/import", get_site_import, bounds=BODY, kinds=Kinds(files=frozenset({"file"})))
def post_site_import(request: SignedInRequest) -> SiteImportPage:
    """Show what a table would change, or apply it."""
    file = request.fields.get("file")
    try:
        text = decode_table(file) if isinstance(file, bytes) and file else request.text("csv")
    except TableError as error:
        raise ValidationFailed({"file": [error.args[0]]}) from error
    found = import_sites(request.service, request.caller, text, dry_run=request.text("action") != "apply")
    return SiteImportPage(form=FormView({"csv": text}), found=found, counts=_counts(found, request.say))


def _counts(found: SiteImport, say: Translator) -> str:
    counts = (
        say.plural("%(count)s new site", "%(count)s new sites", found.created) if found.created else "",
        say("%(count)s changed", count=found.updated) if found.updated else "",
        say("%(count)s unchanged", count=found.unchanged) if found.unchanged else "",
        say.plural("%(count)s row with errors", "%(count)s rows with errors", found.failed) if found.failed else "",
    )
    return ", ".join(filter(None, counts))
