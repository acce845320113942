"""What becomes of each request of a page before it is sent: most pass, some are withheld."""

from msgspec import Struct

from findable.capture.rendering import Withheld
from findable.formats.robots_txt import RobotsTxt
from findable.urls import origin_part

GOOGLEBOT = ("Googlebot",)


class RequestRules(Struct, frozen=True):
    """Rules for the requests of one visit. They only take away: what may be reached is decided by the guard of the proxy."""

    page_url: str
    robots: RobotsTxt | None = None
    """Rules of the page's host; what they forbid Googlebot is withheld. None: nothing is."""

    @property
    def intercepts(self) -> bool:
        """Whether requests have to stop here."""
        return self.robots is not None

    def withheld(self, url: str, *, is_page: bool) -> Withheld:
        """Return why a request is not sent. The page itself is: a page that Googlebot may not fetch has another finding."""
        if is_page or self.robots is None or origin_part(url) != origin_part(self.page_url):
            return Withheld.NOT
        return Withheld.NOT if self.robots.decide(GOOGLEBOT, url).allowed else Withheld.ROBOTS
