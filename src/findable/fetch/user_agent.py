"""Findable's name in requests and robots.txt files."""

from findable import __version__

PRODUCT_TOKEN = "Findable"  # noqa: S105 - the name in robots.txt files
CONTACT = "https://github.com/findable-seo/findable"


def user_agent(contact: str = CONTACT) -> str:
    """Return Findable's user agent: ``Mozilla/5.0 (compatible; Findable/1.2.3; +https://…)``."""
    return f"Mozilla/5.0 (compatible; {PRODUCT_TOKEN}/{__version__}; +{contact})"
