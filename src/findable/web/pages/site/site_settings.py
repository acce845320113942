"""Choices of the settings of a crawl."""

from findable.crawl.scope import Extent, Render, RobotsRules
from findable.wording import later

EXTENTS = (
    (Extent.ORIGIN, later("This host only, with its scheme and port")),
    (Extent.HOST, later("http and https, with and without www")),
    (Extent.DOMAIN, later("All hosts of the domain")),
)
RENDERS = (
    (Render.NEVER, later("None")),
    (Render.NEEDED, later("Pages that scripts build")),
    (Render.SAMPLE, later("Three pages of each template, and all of a template that scripts change")),
    (Render.ALL, later("All pages")),
)
ROBOTS = (
    (RobotsRules.FINDABLE, later("obeyed, with the rules for Findable")),
    (RobotsRules.GOOGLEBOT, later("obeyed, with the rules for Googlebot")),
    (RobotsRules.IGNORE, later("ignored")),
)
