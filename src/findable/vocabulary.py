"""Shared enumerations of the product. This module imports nothing from the package."""

from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum, StrEnum
from typing import ClassVar, Self


class Code(StrEnum):
    """Value that is stored as a code and shown as text.

    ``class UrlFault(Code, params=("faults",))`` with members like ``LONG_PATH = "long_path", "a long path"``: findings carry the code under
    one of these names, and the text is looked up by name and code (`words_of`). The text may contain values of the finding: ``"returned
    {status}"``. If there is no text, the code is shown.
    """

    words: str
    params: ClassVar[tuple[str, ...]]

    def __new__(cls, code: str, words: str = "") -> Self:
        """Return the code with its text."""
        made = str.__new__(cls, code)
        made._value_, made.words = code, words or code
        return made

    def __init_subclass__(cls, params: tuple[str, ...] = ()) -> None:
        super().__init_subclass__()
        cls.params = params
        name_values(params, {code.value: code.words for code in cls}, cls.__module__)


def require_words(params: Mapping[str, object]) -> None:
    """Raise TypeError if a value is a code under a name that its texts are not registered for: readers would see the code."""
    for name, value in params.items():
        if isinstance(value, Code) and value.params and name not in value.params:
            raise TypeError(f"{type(value).__name__} is shown as one of {', '.join(value.params)}, not as {name}")


EVIDENCE_TEXT = "evidence.text"
"""Parameter name of codes that replace evidence if there is nothing to quote. They stay English, because finding keys depend on them."""

_words: dict[str, dict[str, str]] = {}
_owners: dict[str, str] = {}


def name_values(params: Iterable[str], words: Mapping[str, str], owner: str) -> None:
    """Register the texts of codes under the names of values. Raises ValueError if a code already has a different text."""
    for param in params:
        known = _words.setdefault(param, {})
        for code, text in words.items():
            if known.setdefault(code, text) != text:
                raise ValueError(f"{owner}: {code} of {param} is {known[code]!r} already")
            _owners.setdefault(text, owner)


def words_of(param: str, code: str) -> str | None:
    """Return the English text of a code under the name of a value; None for any other value."""
    return _words.get(param, {}).get(code)


def words_with_owners() -> Mapping[str, str]:
    """Return the texts of all codes with the module that declares them, for the catalogues."""
    return _owners


class Verdict(StrEnum):
    """Outcome of one check for one page."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    INAPPLICABLE = "inapplicable"
    """The question does not arise; excluded from the score."""
    UNKNOWN = "unknown"
    """The check applies but has no result; excluded from the score, and lowers coverage."""
    INFO = "info"
    """Information that is never scored."""


class Importance(StrEnum):
    """Class of a check, by the harm of its worst finding."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


class Fault(StrEnum):
    """Reason for a finding, on which its cost depends. Each check declares the costs of its reasons."""

    ALMOST_NO_CONTENT = "almost_no_content"
    BRAND_TITLE = "brand_title"
    BRIEF_TITLE = "brief_title"
    """The title of a home page has only one or two words, mostly its name."""
    CANONICAL_FIRST_PAGE = "canonical_first_page"
    """A later page of a list declares the first page as canonical."""
    CANONICAL_IN_BODY = "canonical_in_body"
    CANONICAL_MISSING = "canonical_missing"
    CANONICAL_MISSING_VARIANT = "canonical_missing_variant"
    """The page has no canonical URL, and its URL has parameters or a session id."""
    COOKIE_LOOP = "cookie_loop"
    CUT_DESCRIPTION = "cut_description"
    """The description ends at a quotation mark that is not escaped."""
    DUMMY_CONTENT = "dummy_content"
    EMPTY_HEADINGS = "empty_headings"
    EMPTY_FIRST_TITLE = "empty_first_title"
    FAR_TOO_LONG = "far_too_long"
    FEW_MISSING = "few_missing"
    GENERIC_TITLE = "generic_title"
    NEEDED_DATA_MISSING = "needed_data_missing"
    """A recipe or product without its structured data."""
    NO_CRAWLABLE_LINK = "no_crawlable_link"
    OTHER_SITE = "other_site"
    """The preview leads to another site, and no canonical link says which one is right."""
    PLACEHOLDER_TITLE = "placeholder_title"
    REPEATED_TITLE = "repeated_title"
    """The description says nothing that the title does not say."""
    ROBOTS_IN_BODY = "robots_in_body"
    REFRESH = "refresh"
    """The page only redirects, by a refresh of 0 seconds."""
    SEVERAL_CANONICALS = "several_canonicals"
    SEVERAL_DESCRIPTIONS = "several_descriptions"
    SHORT_TEXT = "short_text"
    """A text that readers come for, in few words."""
    STUFFED_TITLE = "stuffed_title"
    TOO_SHORT = "too_short"
    WORSE_CANONICAL = "worse_canonical"
    """The canonical URL is a worse form of the page's URL: http, or another host name of the same site."""
    WRONG_HEADING = "wrong_heading"


class Stage(StrEnum):
    """Stage of a check's life cycle."""

    PREVIEW = "preview"
    """Shown but not scored while its findings are verified on real pages."""
    STABLE = "stable"
    DEPRECATED = "deprecated"
    """Still scored, but to be removed with a later ruleset."""


class Category(Code):
    """Category of checks, which is also the name of their folder."""

    INDEXABILITY = "indexability", "Indexability & crawling"
    CONTENT = "content", "Content"
    LINKS = "links", "Links"
    IMAGES = "images", "Images"
    PERFORMANCE = "performance", "Delivery (no browser)"
    SECURITY = "security", "Security & trust"
    STRUCTURED_DATA = "structured_data", "Structured data"
    SOCIAL = "social", "Social previews"
    INTERNATIONAL = "international", "International"
    ACCESSIBILITY = "accessibility", "Accessibility"
    AI = "ai", "AI & answer engines"
    MOBILE = "mobile", "Mobile"
    TECHNICAL = "technical", "Technical"
    SITE = "site", "Whole site"
    """Checks of a whole site, which need its crawl."""


class PageKind(Code):
    """Kind of page: structured data, length and headings are worth different things on each."""

    ARTICLE = "article", "article"
    PRODUCT = "product", "product"
    RECIPE = "recipe", "recipe"
    LISTING = "listing", "listing"
    """List of other pages: a category, search results, an archive."""
    HOME = "home", "home page"
    FORUM = "forum", "forum thread"
    """Thread of a forum, or a question with its answers."""
    DOCUMENTATION = "documentation", "documentation"
    FORM = "form", "form"
    """Page to fill in: contact, sign-in, checkout."""
    PHOTO = "photo", "photo"
    """Image or gallery with few words."""
    UNKNOWN = "unknown", "not known"


class Rating(Code):
    """Rating of a report. The HTTP API calls it ``result``."""

    GOOD = "good"
    DECENT = "decent"
    BAD = "bad"

    def is_below(self, other: "Rating") -> bool:
        """Return whether this rating is lower than another."""
        ratings = list(Rating)
        return ratings.index(self) > ratings.index(other)


class Privacy(IntEnum):
    """Visibility of a report. The numbers are part of the API."""

    PUBLIC = 0
    """Visible to anyone who has the link."""
    PRIVATE = 1
    """Visible to the owner only."""
    PASSWORD = 2
    """Visible to anyone who has the link and the password."""


STRICTNESS = (Privacy.PUBLIC, Privacy.PASSWORD, Privacy.PRIVATE)
"""Levels of access, the most open first."""


class Status(Code):
    """Progress of a report."""

    QUEUED = "queued"
    RUNNING = "running", "being generated"
    DONE = "done", "not rated"
    FAILED = "failed", "not loaded"


class Source(StrEnum):
    """Origin of the data that artifacts are computed from. Browser and crawl are independent of each other."""

    PAGE = "page"
    """Response of one page, with the responses to the extra requests made for it."""
    SITE = "site"
    """Responses that belong to the host: robots.txt, sitemaps, host variants."""
    BROWSER = "browser"
    """Visit of the page with a browser."""
    CRAWL = "crawl"
    """Crawl of the whole site."""
    LOGS = "logs"
    """Requests of bots in the access logs of the site."""


FETCHED = frozenset({Source.PAGE, Source.SITE})
"""Sources of every report, which needs neither browser nor crawl."""


class ScoreOf(StrEnum):
    """Origin of a project's score: a crawl of the site, or reports of its pages."""

    SITE = "site"
    """Score of the site in the last complete crawl."""
    PAGES = "pages"
    """Mean of the scores of its pages, limited by the start page."""


class Subject(StrEnum):
    """Subject of a check. Checks whose subject is the site run once per site, not once per page."""

    PAGE = "page"
    SITE = "site"


class BrowserUse(Code):
    """Way in which a browser is used for reports."""

    NONE = "none", "Without a browser"
    VIEW = "view", "Load each page in a browser"
    """Each page is loaded once, as visitors see it."""
    LAB = "lab", "Load each page in a browser, and measure how it loads"
    """Each page is also loaded three times on a throttled phone to measure its loading."""


class Profile(StrEnum):
    """Name of the highest source that was used; scores are only comparable within one profile."""

    STATIC = "static"
    RENDERED = "rendered"
    CRAWLED = "crawled"

    @classmethod
    def for_sources(cls, sources: Collection[Source]) -> "Profile":
        """Return the profile of a report that used these sources."""
        if Source.CRAWL in sources:
            return cls.CRAWLED
        return cls.RENDERED if Source.BROWSER in sources else cls.STATIC


class Tracker(Code):
    """Issue tracker in which tickets are created."""

    GITHUB = "github", "GitHub"
    GITLAB = "gitlab", "GitLab"
    JIRA = "jira", "Jira"


class Effort(IntEnum):
    """Effort of a fix, to find the easiest way to the next rating."""

    HEAD = 1
    """One line in the head or template."""
    SERVER = 3
    """Server setting."""
    CONTENT = 8
    """Content or code."""


class Fixer(StrEnum):
    """Person who usually fixes a finding."""

    EDITOR = "editor"
    """Edits texts, images and links of pages."""
    DEVELOPER = "developer"
    """Changes templates and code."""
    SERVER = "server"
    """Changes settings of the server, its hosting or CDN, and files such as robots.txt."""


class EditPlace(StrEnum):
    """Kind of place in a content management system at which a fault is fixed."""

    TITLE = "title"
    DESCRIPTION = "description"
    TEXT = "text"
    HEADING = "heading"
    LINKS = "links"
    IMAGE_TEXT = "image_text"
    """Description of an image for people who do not see it."""
    IMAGE_FILE = "image_file"
    VISIBILITY = "visibility"
    """Setting whether search engines may show a page."""
    CANONICAL = "canonical"
    REDIRECT = "redirect"
    SHARE_IMAGE = "share_image"
    """Image of the preview of a shared link."""
    ICON = "icon"
    LANGUAGE = "language"
    HTTPS = "https"
