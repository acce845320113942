"""`findable accounts`: create accounts and sign-in links, also while the service is running."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from cyclopts import App, Parameter

from findable.cli.command_settings import load_settings
from findable.errors import RequestError, SettingError, Unavailable
from findable.service.accounts import account_admin, sign_in_links
from findable.service.accounts.owned_projects import find_project
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller

app = App(name="accounts", help="Create accounts and sign-in links, list people.")
Email = Annotated[str, Parameter(help="Email address for signing in; no email is sent.")]


@contextmanager
def open_service(command: str = "accounts") -> Iterator[Service]:
    """Open the service without its HTTP server. A RequestError in the block becomes a SettingError that names the command."""
    service = Service.open(load_settings())
    try:
        yield service
    except Unavailable:
        raise
    except RequestError as error:
        fields = [sentence for sentences in error.errors.values() for sentence in sentences]
        raise SettingError(command, " ".join(fields) or error.message) from error
    finally:
        service.close()


@contextmanager
def open_project(command: str, name: str, account: str | None) -> Iterator[tuple[Service, Caller]]:
    """Open the service like `open_service`, with an owner of the project. Raises SettingError if there is no such project."""
    with open_service(command) as service:
        caller = account_admin.owner_caller(service, account)
        with service.store.read() as session:
            if find_project(session, caller, name) is None:
                raise SettingError(command, f"there is no project {name}")
        yield service, caller


@app.command
def create(email: Email, /, *, name: str = "") -> int:
    """Create an account and print a one-time sign-in link (15 minutes).

    Args:
        name: Name of the account (default: the part before the @).
    """
    with open_service() as service:
        account_admin.create_account(service, email, name)
        print(sign_in_links.create(service, email).url)
    return 0


@app.command(name="list")
def list_() -> int:
    """List everyone who can sign in, by account."""
    with open_service() as service:
        for account, person in account_admin.all_people(service):
            state = "" if person.password_hash is not None else "no password"
            print("  ".join(text for text in (f"{person.email:<32}", f"{person.role:<6}", account, state) if text).rstrip())
    return 0


@app.command
def operator(email: Email, /, *, end: bool = False) -> int:
    """Make a person an operator, who manages accounts, jobs, disk space and limits of the service on the pages under /instance.

    Args:
        end: Remove the operator role from the person.
    """
    with open_service() as service:
        account_admin.set_operator(service, email, is_operator=not end)
    return 0


@app.command
def link(email: Email, /) -> int:
    """Print a new one-time sign-in link (15 minutes) for a person, also after a lost password."""
    with open_service() as service:
        print(sign_in_links.create(service, email).url)
    return 0
