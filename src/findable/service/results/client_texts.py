"""Texts and choices of an owner for the client of a report, crawl or project: summary, notes, author, sections, run."""

from findable.checks.engine import all_checks
from findable.errors import collected_in, require_found, require_valid
from findable.service.accounts.permissions import reading, require
from findable.service.results.shareable import Shareable, Shared, matching_row
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.caller import WRITE, Caller
from findable.service.values.presentation import ClientView, Presentation, client_json, presentation_of
from findable.wording import Message, later

SUMMARY_CHARS = 10_000
NOTE_CHARS = 2_000
PERSON_CHARS = 200
NOTES_CHARS = 100_000
"""Maximum length of all notes of a report together."""


def presentation(service: Service, caller: Caller, target: Shareable[Shared], number: int) -> Presentation:
    """Return the texts and choices for the client. Raises NotFound."""
    with reading(service, caller) as session:
        row = target.get_owned(session, caller, number)
        return presentation_of(require_found(session.links.of(target.kind, row.id)), target.sections)


def write(
    service: Service, caller: Caller, target: Shareable[Shared], number: int, new: ClientView, if_match: str | None = None
) -> ClientView:
    """Replace the texts and choices for the client; an empty note is removed. Raises NotFound, ValidationFailed, PreconditionFailed."""
    require(caller, WRITE)
    client, errors = _valid_client(new, target.sections)
    with collected_in(errors):
        target.require_valid_summary(client.summary)
    with service.store.write() as session:
        row = matching_row(service, session, caller, number, if_match, target)
        if client.run is not None and not target.has_run(session, row.id, client.run):
            errors["run"] = [later("The run must be one of this report that has a result.")]
        require_valid(errors)
        target.change(session, row.id, client=client_json(client, target.sections))
        audit_log.record(session, caller, target.changed, row.url, fields="client")
    return client


def _valid_client(new: ClientView, choices: tuple[str, ...]) -> tuple[ClientView, dict[str, list[str]]]:
    errors: dict[str, list[str]] = {}
    summary = _normalize(new.summary)
    notes = {check: text for check, sent in new.notes.items() if (text := _normalize(sent))}
    by, to = " ".join(new.prepared_by.split()), " ".join(new.prepared_for.split())
    for name, text, most in (("summary", summary, SUMMARY_CHARS), ("prepared_by", by, PERSON_CHARS), ("prepared_for", to, PERSON_CHARS)):
        if len(text) > most:
            errors[name] = [_too_long(most)]
    if any(len(text) > NOTE_CHARS for text in notes.values()):
        errors["notes"] = [_too_long(NOTE_CHARS)]
    elif sum(map(len, notes.values())) > NOTES_CHARS:
        errors["notes"] = [Message(later("All notes together may have at most %(most)s characters."), most=NOTES_CHARS)]
    unknown = sorted(check for check in new.notes if check not in all_checks())
    if unknown:
        errors["notes"] = [Message(later("There is no check called %(name)s."), name=unknown[0][:80])]
    chosen = set(new.sections)
    if chosen - set(choices):
        errors["sections"] = [Message(later("The sections must be among: %(names)s."), names=", ".join(choices))]
    sections = tuple(name for name in choices if name in chosen)
    return ClientView(summary, notes, by, to, sections, new.run), errors


def _normalize(text: str) -> str:
    """Normalize line ends and remove trailing blanks."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _too_long(most: int) -> str:
    return Message(later("At most %(most)s characters are allowed."), most=most)
