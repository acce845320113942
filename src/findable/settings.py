"""Read all settings once, from flags, the environment, a TOML file and the defaults, in that order.

In the environment ``port`` is ``FINDABLE_PORT``, and ``FINDABLE_PORT_FILE`` names a file that contains the value, for secrets. In the TOML
file it is ``port``. That file is named by ``FINDABLE_CONFIG``, else it is ``findable.toml`` in the working directory, else the one in
the data directory. This module is the only reader of the environment.
"""

import os
import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

import msgspec

from findable.errors import SettingError
from findable.lazy_pattern import lazy_pattern
from findable.values import nearest

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

    log_folders: tuple[str, ...] = ()
    """Folders with access logs, separated by commas, each with a name: `web1=/var/log/nginx,shop=/srv/logs/shop`. Owners of an account
    with an operator can assign them to projects; then new lines are read about every five minutes. Files of subfolders and symbolic
    links are not read, nor files with `error` in their name."""

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
    """Mail server that sends emails: `smtps://user:password@host` (TLS, port 465), or `smtp://user:password@host` (STARTTLS, port 587).
    Special characters of user and password are percent-encoded. Without it no email is sent."""

    mail_from: str = ""
    """Sender of emails: `findable@example.com` or `Findable <findable@example.com>`. Required with `smtp_url`."""

    sign_in_password: bool = True
    """Whether people sign in with an email address and a password. `false` requires `sign_in_provider` or `sign_in_proxy`. Sign-in links
    printed by the operator always work."""

    sign_in_provider: str = ""
    """OpenID provider that people sign in with: its issuer, with the client ID and secret of this service, as in
    `https://findable:SECRET@id.example.com/realms/staff?name=Example+ID`. Requires the extra `oidc`. The redirect URI is
    `BASE_URL/oidc/callback`.

    Special characters of ID and secret are percent-encoded; a public client has no secret. Parameters: `name` is shown on the sign-in page
    (default: the host); `groups` is the claim with the groups of a person (default: `groups`); `trust_email=true` accepts email addresses
    that the provider does not mark as verified (`email_verified`), as with Microsoft Entra ID, which is only for providers where people
    cannot choose their address."""

    sign_in_proxy: tuple[str, ...] = ()
    """Headers in which a proxy of `trusted_proxies` sends the email address of the signed-in person and, optionally, the person's groups:
    `X-Forwarded-Email,X-Forwarded-Groups`. The proxy must overwrite these headers in every request."""

    sign_in_roles: tuple[str, ...] = ()
    """Roles of people who sign in through a provider or proxy, by group and separated by commas: `seo-leads=owner,seo=member,*=viewer`. The
    highest role applies and is updated at each sign-in; people without a role cannot sign in. By default only existing users can."""

    sign_in_account: str = ""
    """Email address of the account that new people join and to which `sign_in_roles` applies. Default: the oldest account."""

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

    @property
    def named_log_folders(self) -> dict[str, Path]:
        """Folders with access logs by name."""
        return {name: Path(path) for name, _, path in (entry.partition("=") for entry in self.log_folders)}

    @staticmethod
    def misspelt(environment: Mapping[str, str] | None = None) -> list[str]:
        """Return a warning for each misspelt FINDABLE variable of the environment."""
        environment = os.environ if environment is None else environment
        known = {CONFIG, *_OF_COMMANDS, *(f"{PREFIX}{name.upper()}{end}" for name in _NAMES for end in ("", "_FILE"))}
        sentences = []
        for name in sorted(name for name in environment if name.startswith(PREFIX) and name not in known):
            meant = nearest(name.removeprefix(PREFIX), sorted(one.removeprefix(PREFIX) for one in known))
            sentences.append(f"{name} is not a setting" + (f"; {PREFIX}{meant} is" if meant else " and changes nothing"))
        return sentences

    def name_of(self, setting: str) -> str:
        """Return the name of a setting as the operator wrote it: ``FINDABLE_PORT``, ``--port`` or ``port in findable.toml``."""
        return self.sources.get(setting, PREFIX + setting.upper())


_OF_COMMANDS = (f"{PREFIX}URL", f"{PREFIX}KEY")
"""Variables of `findable mcp`: URL and API key of another service."""
_SECRETS = frozenset({"database_url", "metrics_token", "secret_key", "sign_in_provider", "smtp_url"})
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
    section = document.pop("sign_in", {})
    if isinstance(section, dict):
        document |= {f"sign_in_{name}": value for name, value in section.items()}
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
SMTP_URL = lazy_pattern(r"(smtps?)://(?:([^:@/\s]+)(?::([^@/\s]*))?@)?(\[[0-9a-fA-F:.]+\]|[^:/@\s\[\]]+)(?::(\d{1,5}))?/?")
"""Pattern of ``smtp_url``: scheme, user, password, host and port."""
_PROVIDER = lazy_pattern(
    r"(?P<scheme>https|http(?=://[^@]*@(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)))://(?P<client>[^:@/\s]+)(?::(?P<secret>[^@/\s]*))?"
    r"@(?P<place>[^\s?#@]+)(?:\?(?P<query>[^\s#]*))?"
)
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
    _check_log_folders(settings)
    _check_mail(settings)
    _check_sign_in(settings)
    for entry in settings.trusted_proxies:
        try:
            ip_network(entry)
        except ValueError as error:
            raise SettingError("trusted_proxies", f"{entry!r} is not an IP address or network: {error}") from error


def _check_log_folders(settings: Settings) -> None:
    for entry in settings.log_folders:
        if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,39}=/.+", entry, re.ASCII):
            raise SettingError("log_folders", f"{entry!r} is not like web1=/var/log/nginx: a name and an absolute path")
    if len(settings.named_log_folders) < len(settings.log_folders):
        raise SettingError("log_folders", "a name is given twice")


def _check_mail(settings: Settings) -> None:
    if settings.smtp_url and SMTP_URL.fullmatch(settings.smtp_url) is None:
        raise SettingError("smtp_url", "the value is not a URL like smtps://user:password@mail.example.com")
    if settings.mail_from and not re.fullmatch(r"[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+", settings.mail_from):
        raise SettingError("mail_from", f"{settings.mail_from!r} is not an email address like Findable <findable@example.com>")
    if settings.smtp_url and not settings.mail_from:
        raise SettingError("mail_from", "the setting is required to send emails")


def _check_sign_in(settings: Settings) -> None:
    if settings.sign_in_provider:
        openid_of(settings.sign_in_provider)
        if find_spec("jwt") is None:
            raise SettingError("sign_in_provider", "requires the extra 'oidc': pip install '.[oidc]' in a clone of Findable")
    are_names = all(re.fullmatch(r"[A-Za-z0-9-]+", name) for name in settings.sign_in_proxy)
    if len(settings.sign_in_proxy) > 2 or not are_names:  # noqa: PLR2004 - the header of the person, and that of the groups
        raise SettingError("sign_in_proxy", f"{','.join(settings.sign_in_proxy)!r} is not one or two headers like X-Forwarded-Email")
    if settings.sign_in_proxy and not settings.trusted_proxies:
        raise SettingError("sign_in_proxy", "the setting needs trusted_proxies: only trusted proxies may send this header")
    if not settings.sign_in_password and not settings.sign_in_provider and not settings.sign_in_proxy:
        raise SettingError(
            "sign_in_password", "the setting cannot be false without sign_in_provider or sign_in_proxy: nobody could sign in"
        )
    for entry in settings.sign_in_roles:
        if not re.fullmatch(r".+=(owner|member|viewer|projects)", entry):
            raise SettingError("sign_in_roles", f"{entry!r} is not like seo=member: a group with owner, member, viewer or projects")


class OpenIdClient(msgspec.Struct, frozen=True):
    """OpenID provider of `sign_in_provider`, and this service as its client."""

    issuer: str
    client_id: str
    client_secret: str
    """Secret; empty for a public client."""
    name: str
    """Name of the provider on the sign-in page."""
    groups: str
    """Claim that lists the groups of a person."""
    trusts_email: bool
    """Whether email addresses are accepted that the provider does not mark as verified."""


def openid_of(text: str) -> OpenIdClient:
    """Return the provider that `sign_in_provider` describes. Raises SettingError."""
    found = _PROVIDER.fullmatch(text)
    parameters = dict(parse_qsl(found["query"] or "")) if found else {}
    if found is None or not parameters.keys() <= {"name", "groups", "trust_email"}:
        reason = "the value is not a URL like https://CLIENT_ID:SECRET@id.example.com; http is for loopback only"
        raise SettingError("sign_in_provider", reason)
    return OpenIdClient(
        issuer=f"{found['scheme']}://{found['place']}",
        client_id=unquote(found["client"]),
        client_secret=unquote(found["secret"] or ""),
        name=parameters.get("name") or re.sub(r":\d+\Z", "", found["place"].partition("/")[0]),
        groups=parameters.get("groups", "groups"),
        trusts_email=parameters.get("trust_email") == "true",
    )


def _check_certificates(path: Path) -> None:
    if not path.is_file():
        raise SettingError("ca_file", f"{path} is not a file")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingError("ca_file", f"{path} cannot be read ({_reason(error)})") from error
    if b"-----BEGIN CERTIFICATE-----" not in content:
        raise SettingError("ca_file", f"{path} contains no certificate in PEM format")
