"""Read all settings once, from flags, the environment, a TOML file and the defaults, in that order.

In the environment ``port`` is ``FINDABLE_PORT``, and ``FINDABLE_PORT_FILE`` names a file that contains the value, for secrets. In the TOML
file it is ``port``. That file is named by ``FINDABLE_CONFIG``, else it is ``findable.toml`` in the working directory, else the one in
the data directory. This module is the only reader of the environment.
"""

import ast
import inspect
import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import msgspec

from findable.errors import SettingError

PREFIX = "FINDABLE_"
CONFIG = "FINDABLE_CONFIG"
CONFIG_NAME = "findable.toml"
SECRET_NAME = "secret.key"  # noqa: S105 - the name of its file
"""Name of the file in the data directory that contains the secret key."""
RANGES_NAME = "bot_ranges.json"
"""Name of the file in the data directory that contains published IP addresses of bots."""
_MAX_PORT = 65535


def _default_data_dir() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "findable"


class FixedSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Values that operators need not change. Commands and tests can set them, the environment and the file cannot."""

    queue_limit: int = 10_000
    """Maximum number of queued reports of one account; 0 for no limit."""
    host_concurrency: int = 2
    """Maximum number of concurrent reports of one host, across all accounts and workers."""
    analysis_processes: int = 2
    """Processes that analyse pages. They start when needed and end when idle."""
    waiting_slots: int = 64
    """Maximum number of requests that wait for their report, three quarters of them from one account; further requests get status 202."""
    saved_page_runs: int = 2
    """Number of newest runs of one URL whose saved page is stored."""
    saved_page_mb: int = 5000
    """Megabytes of saved pages per account, above which the oldest are deleted; 0 for no limit."""
    crawl_concurrency: int = 4
    """Maximum number of concurrent crawls of this process, besides its reports."""
    crawls_at_once: int = 5
    """Maximum number of queued or running crawls of one account."""
    crawl_pages: int = 500_000
    """Maximum number of URLs that the crawls of one account request in 30 days."""
    crawls_mb: int = 20_000
    """Megabytes of stored crawls per account from which no new crawl starts."""
    crawl_rate: float = 20.0
    """Maximum number of requests per second to one host that a crawl can be set to."""
    json_log: bool = False
    """Whether each line of the log is a JSON object."""
    access_log: bool = True
    """Whether each request is logged."""
    accept_loss: bool = False
    """Whether to start on a SQLite database that has lost its last writes."""


class Settings(FixedSettings, frozen=True, kw_only=True):
    """Settings of an operator. `load` reads them and raises SettingError, which names an invalid setting as the operator wrote it."""

    data_dir: Path = msgspec.field(default_factory=_default_data_dir)
    """Directory for permanent data of the service: the database and the secret key. It is created if missing."""

    database_url: str = ""
    """The database: `sqlite:////absolute/path.db`, or `postgresql://user:password@host/database` (15 or newer, with the extra
    `postgresql`). Default: `findable.db` in the data directory."""

    base_url: str = ""
    """URL under which people reach the service, without a path: `https://seo.example.com`.

    Links in reports begin with it. Default: `http://127.0.0.1:PORT`.
    """

    host: str = "127.0.0.1"
    """IP address the service listens on. Leave it on loopback behind a proxy."""

    port: int = 8000
    """Port the service listens on."""

    secret_key: str = ""
    """Key that signs cookies, at least 32 characters. By default it is generated and stored in the data directory (`secret.key`). A new key
    signs everybody out; API keys and report passwords remain valid."""

    allow_targets: tuple[str, ...] = ()
    """Private targets that can be analysed although they are not on the public internet, separated by commas: networks
    (`10.1.0.0/16`), IP addresses or names, with a port (`intranet:8080`) or for any port. The per-host limit does not apply to them."""

    deny_hosts: tuple[str, ...] = ()
    """Hosts that are never requested, including their subdomains, separated by commas, for example because their owners object."""

    nat64_prefixes: tuple[str, ...] = ()
    """NAT64 prefixes with which this network maps IPv4 addresses to IPv6, separated by commas, if it uses others than
    `64:ff9b::/96` (`getent ahostsv6 ipv4only.arpa` shows them). The IPv4 address inside is checked."""

    ca_file: Path | None = None
    """PEM file of certificate authorities to trust in addition to the system's, for staging sites and intranets."""

    rate_limit: int = 300
    """Requests per minute for each API key, and report forms for each person. 0 removes all limits that are counted per key or per
    account."""

    report_concurrency: int = 6
    """Maximum number of concurrent reports of this process, plus one for an account that has none running."""

    metrics_token: str = ""
    """Token for reading `/metrics`, sent as `Authorization: Bearer TOKEN`; at least 16 characters. Without it only this machine can
    read it, and only if both `HOST` and `BASE_URL` are loopback."""

    trusted_proxies: tuple[str, ...] = ()
    """IP addresses or networks of reverse proxies, separated by commas. `X-Forwarded-For` is only trusted from these."""

    user_agent_contact: str = "https://github.com/findable-seo/findable"
    """URL of a page or `mailto:` by which site owners can identify the operator of the crawler; part of the user agent."""

    ask_as_crawlers: bool = False
    """Whether each page is also requested with the user agents of a browser and of AI search crawlers, two seconds apart and followed
    by the name of Findable, to check whether the edge rejects them (`ai-edge-access`). `true` or `false`."""

    browser: str = ""
    """Chromium that loads pages as visitors see them, by name or path; `none` for reports without a browser. Default: the first of
    `chromium-headless-shell`, `chromium` and `google-chrome` that is installed."""

    browser_concurrency: int = 1
    """Maximum number of pages that are open in the browser at once. Each takes about 100 MB and, while it loads, one core."""

    browser_no_sandbox: bool = False
    """Whether the browser runs without its sandbox, on systems that allow none. A page that exploits the browser then has the rights of
    its user, so another system is preferable. `true` or `false`."""

    smtp_url: str = ""
    """Mail server that sends e-mails: `smtps://user:password@host` (TLS, port 465), or `smtp://user:password@host` (STARTTLS, port 587).
    Special characters of user and password are percent-encoded. Without it no e-mail is sent."""

    mail_from: str = ""
    """Sender of e-mails: `findable@example.com` or `Findable <findable@example.com>`. Required with `smtp_url`."""

    password_sign_in: bool = True
    """Whether people sign in with an e-mail address and a password. `false` requires `oidc_issuer` or `proxy_email_header`. Sign-in links
    printed by the operator always work."""

    oidc_issuer: str = ""
    """Issuer of the OpenID provider that people sign in with: `https://id.example.com/realms/staff`. Requires the extra `oidc`."""

    oidc_client_id: str = ""
    """Client ID of this service at the provider. Its redirect URI is `BASE_URL/oidc/callback`."""

    oidc_client_secret: str = ""
    """Client secret of this service at the provider; empty for a public client."""

    oidc_name: str = ""
    """Name of the provider on the sign-in page. Default: the host of the issuer."""

    oidc_groups_claim: str = "groups"
    """Claim that lists the groups of a person."""

    oidc_trust_email: bool = False
    """Whether to accept e-mail addresses that the provider does not mark as verified (`email_verified`), as with Microsoft Entra ID. Only
    for providers where people cannot choose their address. `true` or `false`."""

    proxy_email_header: str = ""
    """Header in which a proxy of `trusted_proxies` sends the e-mail address of the signed-in person: `X-Forwarded-Email`. The
    proxy must overwrite this header in every request."""

    proxy_groups_header: str = ""
    """Header in which that proxy sends the person's groups, separated by commas: `X-Forwarded-Groups`."""

    sign_in_roles: tuple[str, ...] = ()
    """Roles of people who sign in through a provider or proxy, by group and separated by commas: `seo-leads=owner,seo=member,*=viewer`. The
    highest role applies and is updated at each sign-in; people without a role cannot sign in. By default only existing users can."""

    sign_in_account: str = ""
    """E-mail address of the account that new people join and to which `sign_in_roles` applies. Default: the oldest account."""

    audit_days: int = 365
    """Days that audit log entries are stored, at most 100,000 per account. 0 stores none."""

    saved_page_days: int = 30
    """Days that the saved page of a run is stored. 0 stores none; findings, score and facts are always stored."""

    sources: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Source of each given setting; not a setting itself."""

    def __post_init__(self) -> None:
        set_ = msgspec.structs.force_setattr  # because the class is frozen
        set_(self, "base_url", (self.base_url or f"http://127.0.0.1:{self.port}").rstrip("/"))
        if not self.database_url:
            set_(self, "database_url", f"sqlite:///{self.data_dir.absolute() / 'findable.db'}")
        _check(self)

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name not in {*_SECRETS, "sources"})
        return f"Settings({', '.join(shown)})"

    @classmethod
    def load(
        cls,
        flags: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
        flag_names: Mapping[str, str] | None = None,
    ) -> "Settings":
        """Load all settings. Raises SettingError.

        Args:
            flags: values by setting name, None if the flag was not given.
            environment: replaces the environment of the process.
            flag_names: name of each flag by setting name, where the two differ.
        """
        environment = os.environ if environment is None else environment
        found: dict[str, tuple[str, Any]] = {}
        for name, source, value in (*_from_file(environment), *_from_environment(environment)):
            found[name] = (source, value)
        flag_of = {name: f"--{name.replace('_', '-')}" for name in flags or {}} | dict(flag_names or {})
        found |= {name: (flag_of[name], value) for name, value in (flags or {}).items() if value is not None}
        sources = {name: source for name, (source, _) in found.items()}
        values = {name: _read(name, source, value) for name, (source, value) in found.items()}
        try:
            return cls(**values, sources=sources)
        except SettingError as error:
            raise SettingError(sources.get(error.setting, PREFIX + error.setting.upper()), error.reason) from error

    @staticmethod
    def misspelt(environment: Mapping[str, str] | None = None) -> list[str]:
        """Return a warning for each misspelt FINDABLE variable of the environment."""
        environment = os.environ if environment is None else environment
        known = {CONFIG, *_OF_COMMANDS, *(f"{PREFIX}{name.upper()}{end}" for name in _NAMES for end in ("", "_FILE"))}
        sentences = []
        for name in sorted(name for name in environment if name.startswith(PREFIX) and name not in known):
            nearest = get_close_matches(name.removeprefix(PREFIX), sorted(one.removeprefix(PREFIX) for one in known), n=1)
            sentences.append(f"{name} is not a setting" + (f"; {PREFIX}{nearest[0]} is" if nearest else " and changes nothing"))
        return sentences

    def name_of(self, setting: str) -> str:
        """Return the name of a setting as the operator wrote it: ``FINDABLE_PORT``, ``--port`` or ``port in findable.toml``."""
        return self.sources.get(setting, PREFIX + setting.upper())


_OF_COMMANDS = (f"{PREFIX}URL", f"{PREFIX}KEY")
"""Variables of `findable mcp`: URL and API key of another service."""
_SECRETS = frozenset({"database_url", "metrics_token", "oidc_client_secret", "secret_key", "smtp_url"})
_TYPES = {member.name: member.type for member in msgspec.structs.fields(Settings)}
_NAMES = tuple(name for name in _TYPES if name not in {*FixedSettings.__struct_fields__, "sources"})
"""Names of settings that the environment and the file can set."""


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    for name in _NAMES:
        variable = PREFIX + name.upper()
        path = environment.get(f"{variable}_FILE", "")
        value = environment.get(variable, "")
        if path and value:
            raise SettingError(variable, f"the setting is given twice, here and as {variable}_FILE")
        if path:
            try:
                content = Path(path).read_text("utf-8").strip()
            except (OSError, ValueError) as error:
                raise SettingError(f"{variable}_FILE", f"{path} cannot be read ({_reason(error)})") from error
            if not content:
                raise SettingError(f"{variable}_FILE", f"{path} is empty")
            yield name, f"{variable}_FILE", content
        elif value:
            yield name, variable, value


def _from_file(environment: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    path = _config_path(environment)
    if path is None:
        return
    import tomllib  # noqa: PLC0415 - most commands do not need it

    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SettingError(str(path), f"the file is not valid TOML: {error}") from error
    except (OSError, ValueError) as error:
        raise SettingError(CONFIG, f"{path} cannot be read ({_reason(error)})") from error
    for name, value in document.items():
        if name not in _NAMES:
            raise SettingError(f"{name} in {path}", f"there is no such setting; the settings are {', '.join(_NAMES)}")
        yield name, f"{name} in {path}", value


def _config_path(environment: Mapping[str, str]) -> Path | None:
    path = environment.get(CONFIG, "")
    if path:
        return Path(path)
    data_dir = environment.get(f"{PREFIX}DATA_DIR", "")
    places = (Path(CONFIG_NAME), (Path(data_dir) if data_dir else _default_data_dir()) / CONFIG_NAME)
    return next((path for path in places if path.is_file()), None)


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


_WRONG: Mapping[Any, str] = {int: "not a whole number", bool: "neither true nor false"}


def _read(name: str, source: str, value: Any) -> Any:
    """Return the value of a setting, converted to the type of its field. Raises SettingError."""
    kind = _TYPES[name]
    if kind in _WRONG:
        try:
            return msgspec.convert(value, kind, strict=False)
        except msgspec.ValidationError:
            raise SettingError(source, f"{value!r} is {_WRONG[kind]}") from None
    texts = value if isinstance(value, list | tuple) and kind == tuple[str, ...] else (value,)
    if not all(isinstance(text, str | Path) for text in texts):
        raise SettingError(source, f"{value!r} is not text")
    if kind == tuple[str, ...]:
        parts = value if isinstance(value, list | tuple) else str(value).split(",")
        return tuple(str(part).strip() for part in parts if str(part).strip())
    if kind is str:
        return str(value)
    try:
        return Path(value).expanduser()
    except RuntimeError:
        raise SettingError(source, f"{value!r} begins with a home directory that does not exist") from None


_AT_LEAST = {"audit_days": 0, "browser_concurrency": 1, "rate_limit": 0, "report_concurrency": 1, "saved_page_days": 0}
MIN_SECRET_CHARS = 32
SMTP_URL = re.compile(r"(smtps?)://(?:([^:@/\s]+)(?::([^@/\s]*))?@)?(\[[0-9a-fA-F:.]+\]|[^:/@\s\[\]]+)(?::(\d{1,5}))?/?")
"""Pattern of ``smtp_url``: scheme, user, password, host and port."""
_MIN_METRICS_TOKEN_CHARS = 16


def _check(settings: Settings) -> None:
    """Check the values of settings. Raises SettingError with the field's name."""
    for name, least in _AT_LEAST.items():
        if getattr(settings, name) < least:
            raise SettingError(name, f"{getattr(settings, name)} is less than {least}")
    if not 0 < settings.port <= _MAX_PORT:
        raise SettingError("port", f"{settings.port} is not a port number from 1 to {_MAX_PORT}")
    if settings.secret_key and len(settings.secret_key) < MIN_SECRET_CHARS:
        raise SettingError("secret_key", f"the key is shorter than {MIN_SECRET_CHARS} characters")
    if settings.metrics_token and len(settings.metrics_token) < _MIN_METRICS_TOKEN_CHARS:
        raise SettingError("metrics_token", f"the token is shorter than {_MIN_METRICS_TOKEN_CHARS} characters")
    if not re.fullmatch(r"https?://[^/\s?#@]+", settings.base_url):
        reason = "is not a URL like https://seo.example.com: the service needs its own host or port, without a path"
        raise SettingError("base_url", f"{settings.base_url!r} {reason}")
    if not re.fullmatch(r"(sqlite:///|postgres(ql)?://).+", settings.database_url, re.DOTALL):
        raise SettingError(
            "database_url",
            "the value is not a URL like sqlite:////var/lib/findable/findable.db or postgresql://findable@localhost/findable",
        )
    if settings.ca_file is not None:
        _check_certificates(settings.ca_file)
    if not re.fullmatch(r"(https?://|mailto:)[!-~]+", settings.user_agent_contact):
        raise SettingError("user_agent_contact", f"{settings.user_agent_contact!r} is not a URL like https://www.example.com/contact")
    _check_mail(settings)
    _check_sign_in(settings)
    for entry in settings.trusted_proxies:
        try:
            ip_network(entry)
        except ValueError as error:
            raise SettingError("trusted_proxies", f"{entry!r} is not an IP address or network: {error}") from error


def _check_mail(settings: Settings) -> None:
    if settings.smtp_url and SMTP_URL.fullmatch(settings.smtp_url) is None:
        raise SettingError("smtp_url", "the value is not a URL like smtps://user:password@mail.example.com")
    if settings.mail_from and not re.fullmatch(r"[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+", settings.mail_from):
        raise SettingError("mail_from", f"{settings.mail_from!r} is not an e-mail address like Findable <findable@example.com>")
    if settings.smtp_url and not settings.mail_from:
        raise SettingError("mail_from", "the setting is required to send e-mails")


def _check_sign_in(settings: Settings) -> None:
    issuer = settings.oidc_issuer
    if issuer and not re.fullmatch(r"https://[^\s?#@]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(/[^\s?#]*)?", issuer):
        raise SettingError("oidc_issuer", f"{issuer!r} is not a URL like https://id.example.com; http is for loopback only")
    if issuer and not settings.oidc_client_id:
        raise SettingError("oidc_issuer", "the setting needs oidc_client_id, which is not set")
    if issuer and find_spec("jwt") is None:
        raise SettingError("oidc_issuer", "requires the extra 'oidc': pip install '.[oidc]' in a clone of Findable")
    for name in ("proxy_email_header", "proxy_groups_header"):
        if not re.fullmatch(r"[A-Za-z0-9-]*", getattr(settings, name)):
            raise SettingError(name, f"{getattr(settings, name)!r} is not a header like X-Forwarded-Email")
    if settings.proxy_email_header and not settings.trusted_proxies:
        raise SettingError("proxy_email_header", "the setting needs trusted_proxies: only trusted proxies may send this header")
    if settings.proxy_groups_header and not settings.proxy_email_header:
        raise SettingError("proxy_groups_header", "the setting needs proxy_email_header, which is not set")
    if not settings.password_sign_in and not issuer and not settings.proxy_email_header:
        raise SettingError(
            "password_sign_in", "the setting cannot be false without oidc_issuer or proxy_email_header: nobody could sign in"
        )
    for entry in settings.sign_in_roles:
        if not re.fullmatch(r".+=(owner|member|viewer|projects)", entry):
            raise SettingError("sign_in_roles", f"{entry!r} is not like seo=member: a group with owner, member, viewer or projects")


def _check_certificates(path: Path) -> None:
    if not path.is_file():
        raise SettingError("ca_file", f"{path} is not a file")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingError("ca_file", f"{path} cannot be read ({_reason(error)})") from error
    if b"-----BEGIN CERTIFICATE-----" not in content:
        raise SettingError("ca_file", f"{path} contains no certificate in PEM format")


def documented_settings() -> dict[str, str]:
    """Return each setting with its docstring."""
    found: dict[str, str] = {}
    body = ast.parse(inspect.getsource(Settings)).body[0]
    if not isinstance(body, ast.ClassDef):
        return found
    for member, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and isinstance(text, ast.Expr):
            found[member.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    found.pop("sources", None)
    return found


def settings_reference() -> str:
    """Return the page docs/reference/settings.md, made from the fields and their docstrings."""
    defaults = Settings(data_dir=Path("/x"))
    lines = [
        "# Settings",
        "",
        "Set a value by a flag of the command (if it has one), in the environment, or in a TOML file. Flags take precedence over the",
        "environment, the environment over the file. `FINDABLE_CONFIG` is the path of the file; without it, `findable.toml` in the",
        "working directory is read, otherwise the one in the data directory. Every variable also exists as `…_FILE`, the path of a file",
        "that contains the value. An invalid setting stops the start with one sentence that names it.",
        "",
        "The headings below are environment variables. In the file, a setting has the same name without `FINDABLE_`, in lower case:",
        "`FINDABLE_DATA_DIR` is `data_dir`.",
    ]
    for name, text in documented_settings().items():
        default = _shown_default(name, getattr(defaults, name))
        lines += ["", f"## {PREFIX}{name.upper()}", "", text, *(["", f"Default: {default}"] if default else [])]
    return "\n".join(lines) + "\n"


def _shown_default(name: str, value: Any) -> str:
    if name == "data_dir":
        return "`~/.local/share/findable`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if name in {"base_url", "database_url"} or value in ("", (), None):
        return ""
    return f"`{value}`"
