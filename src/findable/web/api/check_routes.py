"""Routes of the catalogue of checks: `/checks`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.checks.engine import Check as Rule
from findable.checks.engine import all_checks
from findable.errors import NotFound
from findable.reports.prose import unwrap_lines
from findable.values import shape_of
from findable.vocabulary import Category, Importance, Profile, Stage
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.validation import value_or
from findable.wording import LANGUAGES, Translator, best_language, wording


class ChecksQuery(Struct, frozen=True):
    """The query of `GET /checks`."""

    language: Literal[tuple(LANGUAGES)] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Language of the texts. Default: the language of Accept-Language."""


class CheckLinks(Struct, frozen=True):
    """URLs of a check."""

    self: str
    html: str


class Check(Struct, frozen=True, kw_only=True):
    """Check with its general texts, which do not depend on a page."""

    id: str
    object: Literal["check"] = "check"
    category: Category
    category_title: str
    status: Annotated[Stage, Meta(description="A preview is shown and not scored; a deprecated check is removed with a later ruleset.")]
    since: Annotated[str, Meta(description="First ruleset with the check.")]
    question: str
    importance: Importance
    effort: Annotated[int, Meta(description="Typical effort of a fix; smaller numbers mean less work.")]
    profile: Annotated[Profile, Meta(description="Profile of the sources that the check needs.")]
    summary: str
    plain: Annotated[str, Meta(description="What visitors or search engines miss if the check fails or warns, in one sentence.")]
    why: str
    how_to_fix: str
    not_judged: str
    source: str
    links: CheckLinks


@operation("GET", "/checks", {200: Items[Check]})
def list_checks(call: Call, *, query: ChecksQuery) -> Reply:
    """List the checks.

    With texts in the language of the parameter, or of Accept-Language.
    """
    say = _translator(call, query)
    return Reply([_check(rule, call, say) for rule in all_checks().values()], headers={"Vary": "Accept-Language"})


@operation("GET", "/checks/{check}", {200: Data[Check]})
def get_check(call: Call, check: str, *, query: ChecksQuery) -> Reply:
    """Read a check."""
    rule = all_checks().get(check)
    if rule is None:
        raise NotFound
    return Reply(_check(rule, call, _translator(call, query)), headers={"Vary": "Accept-Language"})


def _translator(call: Call, query: ChecksQuery) -> Translator:
    return wording(value_or(query.language, "") or best_language(call.headers.get("accept-language", "")))


def _check(rule: Rule, call: Call, say: Translator) -> Check:
    text = rule.documentation
    return shape_of(
        Check,
        rule,
        category_title=say(rule.category.words),
        status=rule.stage,
        question=say.text(rule.question),
        effort=rule.effort.value,
        profile=Profile.for_sources(rule.sources),
        summary=unwrap_lines(say.text(text.summary)),
        plain=unwrap_lines(say.text(text.plain)),
        why=unwrap_lines(say.text(text.why)),
        how_to_fix=unwrap_lines(say.text(text.how)),
        not_judged=unwrap_lines(say.text(text.not_judged)),
        source=unwrap_lines(say.text(text.sources)),
        links=CheckLinks(call.at.check(rule.id), f"{call.at.check_docs}/{rule.id}"),
    )
