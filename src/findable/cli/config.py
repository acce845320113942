"""Configuration file of a repository for ``findable audit`` and ``findable crawl``.

The file is ``.findable.toml``, or the table ``[tool.findable]`` of pyproject.toml.

The service has other settings, in ``findable.toml`` (`findable.settings`).
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from cyclopts import Parameter
from msgspec import UNSET, Meta, Struct

from findable.api.options import MAX_CONCURRENCY, MAX_RETRIES, AuditOptions, AuditPace
from findable.checks.engine import all_checks
from findable.checks.removed_checks import REMOVED_CHECKS
from findable.cli.given_files import read_text
from findable.cli.source_files import SourceRule, problem_of_rule
from findable.cli.terminal import clean
from findable.errors import SettingError
from findable.lazy_pattern import lazy_pattern
from findable.reports.acceptance import REASON_CHARS, Acceptance, read_acceptances
from findable.reports.url_patterns import problem_of
from findable.values import nearest
from findable.vocabulary import Category

if TYPE_CHECKING:
    from findable.api.crawling_options import CrawlingOptions

NAME = ".findable.toml"
PROJECT_NAME = "pyproject.toml"
_TABLE = ("tool", "findable")
Options = TypeVar("Options", AuditOptions, AuditPace, "CrawlingOptions")
ConfigFile = Annotated[
    Path | None,
    Parameter(name="--config", help=f"Configuration (default: {NAME}, else [tool.findable] of {PROJECT_NAME}, in the working directory)."),
]
_Score = Annotated[int, Meta(ge=0, le=100)]
_Text = Annotated[str, Meta(min_length=1, max_length=2048)]
_Reason = Annotated[str, Meta(min_length=1, max_length=REASON_CHARS)]
_Patterns = Annotated[tuple[_Text, ...], Meta(max_length=50)]


_Lab = (
    Annotated[float, Meta(ge=0, description="Maximum of the lab value, the median of three loads (--browser lab), as Google names it.")]
    | None
)


class _Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Table of the configuration file; an unknown key is an error."""


class AuditConfig(_Table, frozen=True, kw_only=True):
    """Pages of ``findable audit`` if the command line names none."""

    urls: Annotated[tuple[_Text, ...], Meta(max_length=1000, description="URLs of pages.")] = ()
    sitemap: Annotated[str, Meta(description="Sitemap that lists the pages.")] = ""
    concurrency: Annotated[int, Meta(ge=1, le=MAX_CONCURRENCY, description="Pages fetched at the same time.")] | None = None
    retries: Annotated[int, Meta(ge=0, le=MAX_RETRIES, description="Further attempts for a page that could not be loaded.")] | None = None
    not_for_search: Annotated[_Patterns, Meta(description="Patterns of URLs that are not meant for search.")] = ()


class CrawlConfig(_Table, frozen=True, kw_only=True):
    """Site of ``findable crawl`` if the command line names none."""

    url: Annotated[str, Meta(description="URL where the crawl begins.")] = ""
    pages: Annotated[int, Meta(ge=1, description="Maximum number of URLs to request.")] | None = None
    depth: Annotated[int, Meta(ge=0, description="Maximum number of clicks from the start page.")] | None = None
    rate: Annotated[float, Meta(gt=0, description="Maximum requests per second.")] | None = None
    connections: Annotated[int, Meta(ge=1, description="Maximum requests at the same time.")] | None = None
    include: Annotated[_Patterns, Meta(description="Patterns of URLs to crawl.")] = ()
    exclude: Annotated[_Patterns, Meta(description="Patterns of URLs not to crawl.")] = ()


class Thresholds(_Table, frozen=True, kw_only=True):
    """Scores and verdicts that make `findable audit` and `findable crawl` exit with 1."""

    score: Annotated[_Score, Meta(description="Lowest score of a page or site.")] | None = None
    categories: Annotated[
        dict[Category, _Score], Meta(description="Lowest score of a category of a page; crawls have no scores of categories.")
    ] = {}
    checks: Annotated[
        dict[str, Literal["failed", "warned"]],
        Meta(description="Checks that fail the run, by id: failed: if the check failed; warned: if it failed or warned."),
    ] = {}
    growth: Annotated[
        dict[str, Annotated[int, Meta(ge=0)]],
        Meta(description="Maximum number of additional pages with the findings of a check, by its id, since --baseline of a crawl."),
    ] = {}


class CheckOff(_Table, frozen=True, kw_only=True):
    """Check that is turned off: its findings are accepted on all pages."""

    check: Annotated[str, Meta(description="Id of the check.")]
    reason: Annotated[_Reason, Meta(description="Why it is off; shown with its findings.")]


class Accepted(_Table, frozen=True, kw_only=True):
    """Acceptance of the findings of a check, with its reason, on the pages that match a pattern."""

    check: Annotated[str, Meta(description="Id of the check.")]
    reason: Annotated[_Reason, Meta(description="Why it is accepted; shown with the finding.")]
    until: Annotated[date, Meta(description="Last day of the acceptance.")] | None = None
    url: Annotated[_Text, Meta(description="Pattern of the URLs to which the acceptance applies.")] = "*"
    key: Annotated[str, Meta(description="Key of the finding: other evidence is not accepted.")] = ""


class Limits(_Table, frozen=True, kw_only=True):
    """Limits of the values of a page, or of their growth."""

    bytes: (
        Annotated[int, Meta(ge=0, description="Maximum size of a page and its resources in bytes, as far as the markup shows.")] | None
    ) = None
    requests: Annotated[int, Meta(ge=0, description="Maximum number of requests of a page, as far as the markup shows.")] | None = None
    lcp_ms: _Lab = None
    fcp_ms: _Lab = None
    tbt_ms: _Lab = None
    cls: _Lab = None

    @property
    def given(self) -> Mapping[str, float]:
        """Limits that are set, by name."""
        return {name: value for name in Limits.__struct_fields__ if (value := getattr(self, name)) is not None}


class Budget(Limits, frozen=True, kw_only=True):
    """Limits for a group of pages of ``findable audit``."""

    urls: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=50, description="Patterns of the URLs of the group.")]
    growth: Annotated[Limits, Meta(description="Maximum growth of these values since the report in --baseline.")] = Limits()


class Config(_Table, frozen=True, kw_only=True):
    """Configuration of a repository. Options on the command line have precedence."""

    as_: Annotated[str, Meta(description="Origin that the pages are a preview of, e.g. https://www.example.com.")] = msgspec.field(
        default="", name="as"
    )
    audit: AuditConfig = AuditConfig()
    crawl: CrawlConfig = CrawlConfig()
    thresholds: Thresholds = Thresholds()
    off: Annotated[tuple[CheckOff, ...], Meta(max_length=500, description="Checks that are off, each with a reason.")] = ()
    accept: Annotated[tuple[Accepted, ...], Meta(max_length=5000, description="Accepted findings.")] = ()
    budgets: Annotated[tuple[Budget, ...], Meta(max_length=100, description="Limits for groups of pages.")] = ()
    source: Annotated[
        dict[str, str], Meta(max_length=50, description="Source files of the pages: patterns of file paths by pattern of URL paths.")
    ] = {}

    @property
    def acceptances(self) -> tuple[Acceptance, ...]:
        """Acceptances of the file, and one for each check that is turned off."""
        off = (Acceptance(one.check, one.reason) for one in self.off)
        terms = (Acceptance(one.check, one.reason, one.until.isoformat() if one.until else "", one.url, one.key) for one in self.accept)
        return (*off, *terms)

    @property
    def sources(self) -> tuple[SourceRule, ...]:
        """Rules that map the URLs of pages to source files."""
        return tuple(SourceRule(urls, files) for urls, files in self.source.items())


def read_config(path: Path | None) -> Config:
    """Return the configuration in a file, by default that of the current folder; an empty one without a file. Raises SettingError."""
    if path is not None:
        text = read_text(path, "--config")
        return parse_config(text, str(path), _TABLE if path.name == PROJECT_NAME else ())
    own, project = Path(NAME), Path(PROJECT_NAME)
    if own.is_file():
        return parse_config(read_text(own, NAME), NAME)
    if project.is_file():
        text = read_text(project, PROJECT_NAME)
        if "tool.findable" in text:
            return parse_config(text, PROJECT_NAME, _TABLE)
    return Config()


def with_config(options: Options, given: Struct) -> Options:
    """Return the options of the command line; those that are missing are taken from the settings of the same names in the configuration."""
    wanted = {name: getattr(given, name) for name in given.__struct_fields__ if getattr(options, name, UNSET) in (None, ())}
    return replace(options, **{name: value for name, value in wanted.items() if value not in (None, (), "")})


def read_accepted(path: Path | None) -> Sequence[Acceptance]:
    """Return the acceptances in the file of ``--accept``; none without a file. Raises SettingError."""
    accepted = read_acceptances(read_text(path, "--accept"), str(path)) if path else ()
    warn_of_removed(str(path), (one.check for one in accepted))
    return accepted


def parse_config(text: str, name: str, table: tuple[str, ...] = ()) -> Config:
    """Return the configuration in the text of a file. Raises SettingError with the name of the file, line and key."""
    import tomllib

    try:
        document: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(name, f"is not valid TOML: {error}") from error
    for key in table:
        document = document.get(key, {}) if isinstance(document, dict) else {}
    try:
        config = msgspec.convert(document, Config)
    except msgspec.ValidationError as error:
        keys, reason = _path_and_reason(str(error))
        raise _setting_error(text, name, (*table, *keys), reason) from None
    for keys, reason in _problems(config):
        raise _setting_error(text, name, (*table, *keys), reason)
    warn_of_removed(name, (*config.thresholds.checks, *config.thresholds.growth, *(one.check for one in config.acceptances)))
    return config


def _problems(config: Config) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each invalid value as the path of its key (``accept[0]``, ``url``) and the reason."""
    known = all_checks().keys() | REMOVED_CHECKS
    yield from ((("thresholds", "checks", check), _unknown_check(check)) for check in config.thresholds.checks if check not in known)
    yield from ((("thresholds", "growth", check), _unknown_check(check)) for check in config.thresholds.growth if check not in known)
    checks = [(f"off[{number}]", one.check) for number, one in enumerate(config.off)]
    checks += [(f"accept[{number}]", one.check) for number, one in enumerate(config.accept)]
    yield from (((table, "check"), _unknown_check(check)) for table, check in checks if check not in known)
    patterns: list[tuple[tuple[str, ...], str]] = [(("audit", "not-for-search"), one) for one in config.audit.not_for_search]
    patterns += [(("crawl", "include"), one) for one in config.crawl.include]
    patterns += [(("crawl", "exclude"), one) for one in config.crawl.exclude]
    patterns += [((f"accept[{number}]", "url"), one.url) for number, one in enumerate(config.accept)]
    patterns += [((f"budgets[{number}]", "urls"), one) for number, item in enumerate(config.budgets) for one in item.urls]
    yield from ((keys, f"{pattern}: {wrong}") for keys, pattern in patterns if (wrong := problem_of(pattern)))
    for rule in config.sources:
        if wrong := problem_of_rule(rule):
            yield ("source", rule.urls), wrong


def warn_of_removed(name: str, checks: Iterable[str]) -> None:
    """Print a warning on standard error for each check in the file ``name`` that no longer exists."""
    for check in dict.fromkeys(one for one in checks if one in REMOVED_CHECKS):
        sys.stderr.write(f"findable: {clean(name)} names the check {check}, which no longer exists\n")


def _unknown_check(name: str) -> str:
    meant = nearest(name, all_checks())
    return f"there is no check {name}" + (f"; did you mean {meant}?" if meant else "")


_AT = lazy_pattern(r"^(?P<reason>.*?)(?: - at `(?:key` in `)?\$?\.?(?P<path>[^`]*)`)?$", re.DOTALL)
_UNKNOWN = lazy_pattern(r"unknown field `(?P<field>[^`]*)`")
_FIELDS: Mapping[str, type[Struct]] = {
    "": Config,
    "audit": AuditConfig,
    "crawl": CrawlConfig,
    "thresholds": Thresholds,
    "off": CheckOff,
    "accept": Accepted,
    "budgets": Budget,
}


def _path_and_reason(message: str) -> tuple[tuple[str, ...], str]:
    """Return the path of the key and the reason in a message of msgspec."""
    match = _AT.match(message)
    path, reason = (match["path"] or "", match["reason"]) if match else ("", message)
    keys = tuple(part for part in path.replace("[...]", "").split(".") if part)  # msgspec writes [...] for any key of a mapping
    unknown = _UNKNOWN.search(reason)
    if unknown is None:
        return keys, reason[:1].lower() + reason[1:]
    known = _FIELDS.get(keys[0].partition("[")[0] if keys else "", Config).__struct_encode_fields__
    meant = nearest(unknown["field"], known)
    reason = f"is not a setting; did you mean {meant}?" if meant else f"is not a setting; allowed: {', '.join(known)}"
    return (*keys, unknown["field"]), reason


def _setting_error(text: str, name: str, keys: tuple[str, ...], reason: str) -> SettingError:
    line = line_of(text, keys)
    return SettingError(f"{name}, line {line}" if line else name, f"{'.'.join(keys)}: {reason}" if keys else reason)


_HEADER = lazy_pattern(r"^\s*\[\[?\s*(?P<name>[^\]]+?)\s*\]\]?\s*(?:#.*)?$")


def line_of(text: str, keys: tuple[str, ...]) -> int:
    """Return the line number of a key, else that of its table, else 0. ``[0]`` after a name selects its first table."""
    wanted = [*keys]
    table: list[str] = []
    counts: dict[str, int] = {}
    found = 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = [part.strip(" \"'") for part in header["name"].split(".")]
            if line.lstrip().startswith("[["):
                name = ".".join(table)
                table[-1] += f"[{counts.get(name, 0)}]"
                counts[name] = counts.get(name, 0) + 1
            if table == wanted[: len(table)]:
                found = number
            continue
        key = line.partition("=")[0].strip().strip("\"'")
        if "=" in line and [*table, *key.split(".")] == wanted[: len(table) + len(key.split("."))]:
            return number
        if "=" in line and [*table, key] == wanted[: len(table) + 1]:
            return number
    return found


def config_schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration file, for completion in editors."""
    schema = msgspec.json.schema(Config)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Configuration of Findable in a repository ({NAME})",
        **schema,
    }
