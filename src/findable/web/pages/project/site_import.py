"""Page that imports a table of sites: a dry run first, then the same table is applied."""

from typing import ClassVar

from findable.errors import ValidationFailed
from findable.formats.site_tables import COLUMNS
from findable.formats.table_text import TableError, decode_table
from findable.service.accounts.permissions import require_role
from findable.service.delivery.site_imports import MAX_BYTES, RowOutcome, SiteImport, import_sites
from findable.web.bodies import Bounds, Kinds
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.problem_words import plain
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.wording import Translator, later

BODY = Bounds(2 * MAX_BYTES + 100_000, 10)
EXAMPLE = "url,name,client,tags,interval\nhttps://example.com/,Example,Example Ltd,shop;de,week"
OUTCOMES = {
    RowOutcome.CREATED: later("new"),
    RowOutcome.UPDATED: later("changed"),
    RowOutcome.UNCHANGED: later("unchanged"),
    RowOutcome.FAILED: later("error"),
}


class SiteImportPage(PersonPage, frozen=True, kw_only=True):
    """Variables of site_import.html."""

    entry: ClassVar[str] = "projects"
    columns: tuple[str, ...]
    example: str
    found: SiteImport | None = None
    """Outcome of the table; None before it was read."""
    counts: str = ""
    """Numbers of rows by outcome, in words."""
    lines: tuple[tuple[int, str, str, str], ...] = ()
    """Line, host, outcome and changed columns of the rows without errors."""
    errors: tuple[tuple[int, str, str], ...] = ()
    """Line, column and error of the other rows."""


@person_page("/import")
def get_site_import(request: SignedInRequest) -> SiteImportPage:
    """Show the form for a table of sites. Owners only."""
    require_role(request.caller)
    return _page(request, request.form_with())


@person_form("/import", get_site_import, bounds=BODY, kinds=Kinds(files=frozenset({"file"})))
def post_site_import(request: SignedInRequest) -> SiteImportPage:
    """Show what a table would change, or apply it."""
    file = request.fields.get("file")
    try:
        text = decode_table(file) if isinstance(file, bytes) and file else request.text("csv")
    except TableError as error:
        raise ValidationFailed({"file": [error.args[0]]}) from error
    found = import_sites(request.service, request.caller, text, dry_run=request.text("action") != "apply")
    return _page(request, FormView({"csv": text}), found)


def _page(request: SignedInRequest, form: FormView, found: SiteImport | None = None) -> SiteImportPage:
    say, rows = request.say, found.rows if found else ()
    return SiteImportPage(
        columns=tuple(COLUMNS),
        example=EXAMPLE,
        form=form,
        found=found,
        counts=_counts(found, say) if found else "",
        lines=tuple(
            (row.line, row.project or "", say.text(OUTCOMES[row.outcome]), ", ".join(row.fields))
            for row in rows
            if row.outcome is not RowOutcome.FAILED
        ),
        errors=tuple(
            (row.line, name, " ".join(plain(sentence, say) for sentence in words)) for row in rows for name, words in row.errors.items()
        ),
    )


def _counts(found: SiteImport, say: Translator) -> str:
    counts = (
        say.plural("%(count)s new site", "%(count)s new sites", found.created) if found.created else "",
        say("%(count)s changed", count=found.updated) if found.updated else "",
        say("%(count)s unchanged", count=found.unchanged) if found.unchanged else "",
        say.plural("%(count)s row with errors", "%(count)s rows with errors", found.failed) if found.failed else "",
    )
    return ", ".join(filter(None, counts))
