"""Tables of accounts: people, sign-in and permissions."""

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, SmallInteger, Text, UniqueConstraint

from findable.store.schema.table_parts import Id, Seconds, counts_and_defaults, numbered_table, references, table

account = numbered_table(
    "account",
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("projects", Integer, nullable=False, default=0, server_default="0"),
    *counts_and_defaults(),  # the settings are defaults of projects without settings
)

person = numbered_table(
    "person",
    references("account", nullable=False, index=True),
    Column("email", Text, nullable=False, unique=True),
    Column("password_hash", Text),
    Column("created_at", Seconds, nullable=False),
    Column("disabled_at", Seconds),
    Column("name", Text, nullable=False, default="", server_default=""),
    Column("role", Text, nullable=False, default="owner", server_default="owner"),  # owner, member, viewer or projects
    Column("language", Text),  # null: language of the browser
    Column("time_zone", Text),  # IANA name; null for UTC
    Column("seen_at", Seconds),  # last request of a session
    Column("visited_at", Seconds),  # end of the previous visit
    Column("is_operator", SmallInteger, nullable=False, default=0, server_default="0"),  # operator of the service, who sees all accounts
)

session = table(
    "session",
    Column("token_hash", LargeBinary, primary_key=True),
    references("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("last_seen_at", Seconds),
    Column("user_agent", Text),
    Column("network", Text),  # network of the IP address that signed in: /24 or /56
    Column("proxied_email", Text),  # email address from the trusted proxy's header; null for sessions that began otherwise
    Column("preview_of", Integer),  # id of the project that the person looks at as a client
)

identity = table(
    "identity",
    Column("issuer", Text, primary_key=True),  # issuer of the OpenID provider; "proxy" for a trusted proxy
    Column("subject", Text, primary_key=True),
    references("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
)

invitation = table(
    "invitation",
    Column("token_hash", LargeBinary, primary_key=True),
    references("account", nullable=False, index=True),
    Column("role", Text, nullable=False),
    Column("email", Text),  # null: anyone who has the link
    Column("invited_by", Id, ForeignKey("person.id", ondelete="SET NULL")),
    references("project", index=True),  # null: a role in the whole account
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("used_at", Seconds),
)

one_time_link = table(
    "one_time_link",
    Column("token_hash", LargeBinary, primary_key=True),
    references("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("used_at", Seconds),
)

api_key = numbered_table(
    "api_key",
    references("account", nullable=False, index=True),
    references("person", nullable=False, index=True),
    Column("prefix", Text, nullable=False, unique=True),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds),
    Column("revoked_at", Seconds),
    Column("last_used_at", Seconds),
)

saved_view = numbered_table(
    "saved_view",
    references("account", nullable=False),
    references("project", index=True),  # project whose crawls are asked; null: the view belongs to no project
    Column("list", Text, nullable=False),  # pages, reports or questions
    Column("name", Text, nullable=False),
    Column("query", Text, nullable=False),  # URL-encoded query of the list
    Column("most", Integer),  # number of rows above which a crawl opens an alert; null: not watched
    Column("created_at", Seconds, nullable=False),
    UniqueConstraint("account_id", "list", "name"),
)

audit_entry = numbered_table(
    "audit_entry",
    references("account", nullable=False),
    Column("at", Seconds, nullable=False),
    Column("actor", Text, nullable=False),  # email address at that time; empty for the operator
    Column("person_id", Id),  # id of a person, who may have been deleted
    Column("key_prefix", Text),  # null: the request used no API key
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("details", Text, nullable=False),  # JSON: values of the action
    Column("network", Text),  # network of the IP address that signed in: /24 or /56
    Index("ix_audit_entry_account_id_id", "account_id", "id"),
    Index("ix_audit_entry_at", "at"),
)
