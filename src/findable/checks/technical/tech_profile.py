"""Technologies of the page.

Why it matters: The CMS, the CDN and other tools show where to make a fix.

How to fix: Nothing needs fixing; this is information.

    <meta name="generator" content="WordPress 6.8">

Sources: signs that the products document or send themselves, as of November 2026.

Not judged: technologies without traces in the page, its headers or its URLs.
"""

from findable.artifacts.page.technologies import Technologies
from findable.checks.engine import Evidence, Finding, check, element, info, quoted
from findable.vocabulary import Effort, Importance


@check("What is the page built with?", Importance.INFO, Effort.CONTENT)
def tech_profile(technologies: Technologies) -> Finding:
    """Lists the detected technologies."""
    if not technologies.items:
        return info("No technology was detected on the page")
    shown: list[Evidence] = [
        element(item.element, "{name}", name=item.name) if item.element else quoted(item.sign, "{name}", name=item.name)
        for item in technologies.items[:10]
    ]
    names = [f"{item.name} {item.version}".strip() for item in technologies.items]
    return info("{names}", names=names, evidence=shown)
