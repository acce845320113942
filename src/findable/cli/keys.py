"""`findable keys`: create, list and revoke API keys, also while the service is running."""

from datetime import UTC, date, datetime, time

from cyclopts import App

from findable.cli.accounts import Email, open_service
from findable.cli.given_files import parsed
from findable.clock import rfc3339
from findable.errors import SettingError
from findable.service.accounts import api_keys
from findable.service.values.caller import KEY_SCOPES

app = App(name="keys", help="Create, list and revoke API keys.")


@app.command
def create(email: Email, /, *, name: str = "", scopes: str = "read,write", expires: str | None = None) -> int:
    """Create an API key and print it. It cannot be shown again.

    Args:
        name: Purpose of the key.
        scopes: Some of read, write, and accept (agents may accept findings), separated by commas.
        expires: Last day of validity, like 2027-01-31.
    """
    wanted = frozenset(scope.strip() for scope in scopes.split(",") if scope.strip())
    if not wanted or not wanted <= KEY_SCOPES:
        raise SettingError("--scopes", f"must be some of {', '.join(sorted(KEY_SCOPES))}")
    with open_service("keys") as service:
        print(api_keys.create_key(service, email, name=name, scopes=wanted, expires_at=_end_of(expires)).token)
    return 0


def _end_of(day: str | None) -> datetime | None:
    """Return the end of a day like 2027-01-31 in UTC; None without a day. Raises SettingError."""
    start = parsed(date.fromisoformat, day, "--expires", "a date like 2027-01-31") if day else None
    return datetime.combine(start, time(23, 59, 59), UTC) if start else None


@app.command(name="list")
def list_(email: Email, /) -> int:
    """List the API keys of a person's account, the newest first. Their secrets are not stored."""
    with open_service("keys") as service:
        for key in api_keys.keys(service, email):
            state = "revoked" if key.revoked_at else f"until {rfc3339(key.expires_at)}" if key.expires_at else "no end"
            used = f"last used {rfc3339(key.last_used_at)}" if key.last_used_at else "never used"
            print(f"{key.prefix}  {','.join(sorted(key.scopes)):<10}  {state}  {used}  {key.name}".rstrip())
    return 0


@app.command
def revoke(email: Email, prefix: str, /) -> int:
    """Revoke the API key with this prefix immediately.

    Args:
        prefix: The first two parts of the key, as `findable keys list` shows them.
    """
    with open_service("keys") as service:
        api_keys.revoke_key(service, email, prefix)
    print(f"{prefix} is revoked")
    return 0
