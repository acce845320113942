"""The caller of a use case, an API key or a signed-in person, and its scopes."""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from findable.service.values.presentation import BrandView

READ = "read"
WRITE = "write"
SCOPES = frozenset({READ, WRITE})
"""Scopes of people, and of keys by default."""
ACCEPT = "accept"
"""Scope of keys whose agents may accept findings by the agent tools."""
KEY_SCOPES = SCOPES | {ACCEPT}
"""Scopes that a key may have."""
PROJECTS, VIEWER, MEMBER, OWNER = "projects", "viewer", "member", "owner"
ROLES = (PROJECTS, VIEWER, MEMBER, OWNER)
"""Roles in order; each includes the permissions of the roles before it. ``projects`` gives access only to the projects granted to the
person.
"""


class Caller(Struct, frozen=True):
    """API key, or signed-in person."""

    account_id: int
    user_id: int
    key_id: int | None
    """Key id, None for a person with a session."""
    scopes: frozenset[str]
    key_prefix: str = ""
    key_expires_at: datetime | None = None
    language: str | None = None
    """Language that the signed-in person chose; None for the browser's language."""
    time_zone: str | None = None
    """IANA name; None for UTC."""
    visited_at: int | None = None
    """End of the person's visit before the current one; None for the first visit and for keys."""
    role: str = "owner"
    """Role in the whole account, one of `callers.ROLES`."""
    is_operator: bool = False
    """Whether the signed-in person is an operator; always False for a key."""
    grants: Mapping[int, str] = field(default_factory=dict)
    """Roles in single projects, by project id."""
    preview_of: int | None = None
    """Id of the project that the person looks at as a client; None outside a preview."""
    brand: BrandView = field(default_factory=BrandView)
    """Brand of the projects of a client, who has access to single projects only; empty if there are several."""

    @property
    def only_projects_of(self) -> int | None:
        """Id of the person if the caller may see only the projects granted to them; None if the caller may see the whole account.

        In a preview, it is the negative id of the project (`project_roles.granted_to`).
        """
        if self.preview_of is not None:
            return -self.preview_of
        return self.user_id if self.role == PROJECTS else None

    @property
    def owner(self) -> str:
        """Key of rate limits and idempotency keys: one string per API key, or per user."""
        return f"key:{self.key_id}" if self.key_id is not None else f"user:{self.user_id}"

    @property
    def account(self) -> str:
        """Key for counting requests of the account."""
        return f"account:{self.account_id}"
