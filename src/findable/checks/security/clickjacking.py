"""Other sites may show the page in a frame.

In plain words: Another site could show yours invisibly and make your visitors click on things that they do not see.

Why it matters: A page shown invisibly inside another can be made to take clicks that were meant for something else.

How to fix: Declare which sites may frame the page.

    Content-Security-Policy: frame-ancestors 'self'

Sources: [Content Security Policy Level 3: frame-ancestors](https://www.w3.org/TR/CSP3/#directive-frame-ancestors); [HTML Standard:
X-Frame-Options](https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header); [OWASP: Clickjacking
Defense](https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html).

Not judged: Pages meant to be framed; a meta element, in which frame-ancestors has no effect.
"""

from findable.artifacts.page.security_headers import SecurityHeaders
from findable.capture.response import Response
from findable.checks.engine import Finding, check, header, passed, quoted, warned
from findable.checks.page_fix import Fix, header_fix
from findable.vocabulary import Effort, Importance

FRAME_ANCESTORS = "frame-ancestors"
LIMITS = frozenset({"deny", "sameorigin"})


@check("Is framing limited?", Importance.LOW, Effort.SERVER, costs={})
def clickjacking(security: SecurityHeaders, response: Response) -> Finding:
    policy = security.frame_ancestors
    if policy is not None:
        said = " ".join(policy.directives["frame-ancestors"]) or "nobody"
        if not policy.limits_framing:
            return warned(
                "frame-ancestors allows any site to show the page in a frame: {ancestors}",
                ancestors=said,
                evidence=header("Content-Security-Policy", policy.text),
                fixes=[_fix(security)],
            )
        return passed("Framing is limited to {ancestors}", ancestors=said, evidence=header("Content-Security-Policy", policy.text))
    values = security.x_frame_options
    if any(value in LIMITS for value in values):
        return passed("Framing is limited: {value}", value=", ".join(values), evidence=header("X-Frame-Options", ", ".join(values)))
    if any(values):
        return warned(
            "X-Frame-Options has a value that browsers ignore",
            evidence=header("X-Frame-Options", ", ".join(values)),
            fixes=[_fix(security)],
        )
    line = f"HTTP {response.status}, no frame-ancestors, no X-Frame-Options (header lines: {len(response.headers.lines)})"
    return warned("Any other site may show the page in a frame", evidence=quoted(line, url=response.final_url), fixes=[_fix(security)])


def _fix(security: SecurityHeaders) -> Fix:
    """Return the page's policy with frame-ancestors limited to the page's own site."""
    sent = security.frame_ancestors or next((policy for policy in security.policies if policy.is_enforced and policy.element is None), None)
    parts = [part.strip() for part in (sent.text if sent else "").split(";")]
    others = [part for part in parts if part and part.split()[0].lower() != FRAME_ANCESTORS]
    return header_fix("Content-Security-Policy", "; ".join((*others, f"{FRAME_ANCESTORS} 'self'")))
