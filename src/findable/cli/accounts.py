"""`findable accounts`: accounts and sign-in links; works while a service runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from cyclopts import App, Parameter

from findable.cli.command_settings import given_settings
from findable.errors import RequestError, SettingError
from findable.service.accounts import account_admin
from findable.service.runtime.service import Service

app = App(name="accounts", help="Make accounts and sign-in links, list people.")
Email = Annotated[str, Parameter(help="E-mail address with which the person signs in; no mail is sent.")]


@contextmanager
def opened(command: str = "accounts") -> Iterator[Service]:
    """Open the service's use cases without its server. Rejections become a SettingError for the command."""
    service = Service.open(given_settings())
    try:
        yield service
    except RequestError as error:
        fields = [sentence for sentences in error.errors.values() for sentence in sentences]
        raise SettingError(command, " ".join(fields) or error.message) from error
    finally:
        service.close()


@app.command
def create(email: Email, /, *, name: Annotated[str, Parameter(help="Name of the account; by default the part before the @.")] = "") -> int:
    """Make an account and print a one-time sign-in link (15 minutes)."""
    with opened() as service:
        account_admin.create_account(service, email, name)
        print(account_admin.create_link(service, email).url)
    return 0


@app.command(name="list")
def list_() -> int:
    """List everyone who can sign in, by account."""
    with opened() as service:
        for person in account_admin.everybody(service):
            state = "" if person.has_password else "no password yet"
            print("  ".join(text for text in (f"{person.email:<32}", f"{person.role:<6}", person.account, state) if text).rstrip())
    return 0


@app.command
def operator(email: Email, /, *, end: Annotated[bool, Parameter(help="The person no longer operates the service.")] = False) -> int:
    """Let a person operate the service in the browser: accounts, work, room and limits under /instance."""
    with opened() as service:
        account_admin.set_operator(service, email, is_operator=not end)
    return 0


@app.command
def link(email: Email, /) -> int:
    """Print a new one-time sign-in link (15 minutes) for a person, also after a lost password."""
    with opened() as service:
        print(account_admin.create_link(service, email).url)
    return 0
