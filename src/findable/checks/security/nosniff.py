"""Browsers may guess the type of the response.

In plain words: Browsers guess what kind of file your server sends, which attackers can abuse.

Why it matters: A browser that guesses may treat a file uploaded as text as a script.

How to fix: Send this header with every response.

    X-Content-Type-Options: nosniff

Sources: [Fetch Standard: X-Content-Type-Options](https://fetch.spec.whatwg.org/#x-content-type-options-header); [OWASP: HTTP
Headers](https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html).

Not judged: Files of other sites; images and fonts.
"""

from findable.artifacts.page.security_headers import SecurityHeaders, is_nosniff
from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.capture.response import Response
from findable.checks.engine import Finding, check, passed, url_evidence, warned
from findable.checks.page_fix import header_fix
from findable.vocabulary import Effort, Importance

NAME = "X-Content-Type-Options"


@check("Is type guessing switched off?", Importance.LOW, Effort.SERVER, costs={})
def nosniff(response: Response, security: SecurityHeaders, resources: Resources, assets: Assets) -> Finding:
    urls = resources.own_urls(ResourceKind.STYLESHEET, ResourceKind.SCRIPT)
    loaded = assets.loaded_assets(urls)
    lacking = [] if security.nosniff else [url_evidence(response.final_url, response.status, "no nosniff")]
    lacking += [
        url_evidence(asset.url, asset.response.status, "no nosniff")
        for asset in loaded
        if not is_nosniff(asset.response.headers.first(NAME))
    ]
    count = len(loaded) + 1
    fixes = [header_fix(NAME, "nosniff")]
    if lacking:
        return warned(
            "{lacking_count} of {count|response does|responses do} not send nosniff",
            lacking_count=len(lacking),
            count=count,
            evidence=lacking,
            fixes=fixes,
        )
    return passed("{count|response|responses} with nosniff", count=count)
