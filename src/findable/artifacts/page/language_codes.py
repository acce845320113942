"""Codes of languages and countries: what is wrong with one in hreflang, or in a lang attribute."""

from enum import StrEnum

from findable.artifacts.tables.language_tags import PREFERRED, REGIONS, UNREGISTERED, is_language
from findable.lazy_pattern import lazy_pattern
from findable.wording import later

X_DEFAULT = "x-default"


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


COUNTRIES = _codes(
    "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd cf cg ch "
    "ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn "
    "gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li "
    "lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om "
    "pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td "
    "tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw"
)
"""ISO 3166-1 alpha-2 codes (2026), and xk (Kosovo), which is user-assigned and in general use."""

_TAG = lazy_pattern(
    r"(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-[A-Za-z0-9]{1,8})*"
)
_REGION = lazy_pattern(r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?-([A-Za-z]{2})(?:-|$)")
_THREE = 3
"""Letters of the longest language codes."""
_CODE = lazy_pattern(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?")


class CodeFault(StrEnum):
    """Fault of an hreflang code: a message template with ``{code}`` and, where used, ``{part}``."""

    NONE = ""
    EMPTY = "the code is empty"
    UNDERSCORE = "“{code}” is written with an underscore"
    NOT_A_CODE = "“{code}” is not a language code"
    BARE_COUNTRY = "“{code}” is a country, not a language"
    NO_LANGUAGE = "“{part}” is not a language of ISO 639-1"
    NO_REGION = "“{part}” is not a country of ISO 3166-1"
    NUMERIC_REGION = "“{part}” is a group of countries, search engines know single countries only"
    THREE_LETTERS = "“{part}” has a code of two letters, which search engines want"


def code_fault(code: str) -> tuple[CodeFault, str]:
    """Return the fault of an hreflang code, and the faulty part in lower case. Case and space around the code do not count.

    Valid are ISO 639-1 with an optional script and an optional ISO 3166-1 country, x-default, and three letters if there is no two-letter
    code.
    """
    code = code.strip().lower()
    if code == X_DEFAULT:
        return CodeFault.NONE, ""
    if not code:
        return CodeFault.EMPTY, ""
    if "_" in code:
        return CodeFault.UNDERSCORE, ""
    match = _CODE.fullmatch(code)
    if match is None:
        return CodeFault.NOT_A_CODE, ""
    language, script, region = match.groups()
    if language in UNREGISTERED or (len(language) == _THREE and len(PREFERRED.get(language, language)) < _THREE):
        return CodeFault.THREE_LETTERS, language
    if not is_language(language):
        bare = language in COUNTRIES and not script and not region
        return (CodeFault.BARE_COUNTRY, "") if bare else (CodeFault.NO_LANGUAGE, language)
    if region and region.isdigit():
        return CodeFault.NUMERIC_REGION, region
    return (CodeFault.NO_REGION, region) if region and region not in COUNTRIES else (CodeFault.NONE, "")


def tag_fault(tag: str) -> tuple[str, str]:
    """Return the fault of a language tag in a lang attribute (BCP 47) as a template with ``{lang}`` and ``{part}``, and the part.

    Languages and countries are looked up in the IANA registry; of other parts only the form is checked.
    """
    if "_" in tag:
        return later("lang “{lang}” is written with an underscore instead of a hyphen"), "_"
    if tag.lower().startswith(("x-", "i-")):
        return "", ""
    if not _TAG.fullmatch(tag):
        return later("lang “{lang}” is no language tag"), ""
    language = tag.partition("-")[0].lower()
    if len(language) > _THREE:  # reserved by RFC 5646, none is registered
        return later("lang “{lang}” is no language tag"), language
    if language in UNREGISTERED:
        return later("lang “{lang}”: the registered code of this language has two letters"), language
    if not is_language(language):
        return later("lang “{lang}”: “{part}” is not a language"), language
    region = _REGION.match(tag)
    if region and region[1].lower() not in COUNTRIES and region[1].lower() not in REGIONS:
        return later("lang “{lang}”: “{part}” is not a country"), region[1]
    return "", ""
