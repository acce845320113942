"""The full URL of the page is sent to other sites.

In plain words: Other sites learn exactly which of your pages a visitor came from.

Why it matters: URLs may contain names, searches or tokens; with these policies, every linked or loaded site receives them.

How to fix: Remove the policy, or set the default of browsers.

    Referrer-Policy: strict-origin-when-cross-origin

Sources: [Referrer Policy](https://www.w3.org/TR/referrer-policy/), sections 3 and 8; [OWASP: HTTP
Headers](https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html).

Not judged: Referrerpolicy attributes of single elements; no policy is fine, the default is strict-origin-when-cross-origin.
"""

from findable.artifacts.page.security_headers import SecurityHeaders
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, element, header, passed, warned
from findable.checks.page_fix import attribute_fix, header_fix
from findable.vocabulary import Effort, Importance

DEFAULT = "strict-origin-when-cross-origin"
LEAKING = frozenset({"unsafe-url", "no-referrer-when-downgrade"})


@check("Does the referrer policy protect full URLs?", Importance.LOW, Effort.HEAD, costs={})
def referrer_policy(security: SecurityHeaders, response: Response) -> Finding:
    policy = security.referrer_policy
    if not policy:
        return passed("No policy is set; the default of browsers is strict-origin-when-cross-origin")
    shown = _evidence(security, response)
    if policy not in LEAKING:
        return passed("The policy is {policy}", policy=policy, evidence=shown)
    node = security.referrer_policy_element
    fix = header_fix("Referrer-Policy", DEFAULT) if node is None else attribute_fix(node, content=DEFAULT)
    return warned("The policy is {policy}", policy=policy, evidence=shown, fixes=[fix])


def _evidence(security: SecurityHeaders, response: Response) -> Evidence:
    if security.referrer_policy_element is not None:
        return element(security.referrer_policy_element)
    return header("Referrer-Policy", ", ".join(response.headers.all("referrer-policy")))
