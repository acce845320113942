"""There is no Content-Security-Policy that would stop injected scripts.

In plain words: If somebody smuggles a foreign program into your page, browsers will run it.

Why it matters: It is the second line of defence: if an attacker injects a script into the page, browsers do not run it.

How to fix: Begin with report-only. Read the reports, allow your own sources, and only then enforce the policy.

    Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'self'

Sources: [Content Security Policy Level 3](https://www.w3.org/TR/CSP3/); [OWASP: Content Security
Policy](https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html).

Not judged: Whether every allowed host is trustworthy; search engines ignore the policy.
"""

from findable.artifacts.page.security_headers import Policy, SecurityHeaders
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, element, header, passed, quoted, warned
from findable.vocabulary import Effort, Importance

NAME = "Content-Security-Policy"


@check("Is there a useful Content-Security-Policy?", Importance.LOW, Effort.SERVER, costs={})
def csp(security: SecurityHeaders, response: Response) -> Finding:
    if not security.policies:
        line = f"HTTP {response.status}, no {NAME} (header lines: {len(response.headers.lines)})"
        return warned("No Content-Security-Policy", evidence=quoted(line, url=response.final_url))
    seen = [_evidence(policy) for policy in security.policies]
    useful = [policy for policy in security.policies if policy.is_enforced and policy.limits_scripts]
    if any(policy.element is None for policy in useful):
        return passed("An enforced policy limits scripts", evidence=seen)
    if useful:
        return warned("The policy is only in a meta element", evidence=seen, advice="Send the policy as a header.")
    if not any(policy.is_enforced for policy in security.policies):
        return warned(
            "The policy only reports",
            evidence=seen,
            advice="Once the reports name nothing that you need, send the policy as Content-Security-Policy.",
        )
    return warned(
        "The policy does not stop injected scripts",
        evidence=seen,
        advice="Allow scripts by nonce or hash, not scripts within the page or from any host. Let such a policy only report first.",
    )


def _evidence(policy: Policy) -> Evidence:
    note = _note(policy)
    if policy.element is not None:
        return element(policy.element, note)
    return header(NAME if policy.is_enforced else f"{NAME}-Report-Only", policy.text, note)


def _note(policy: Policy) -> str:
    sources = policy.script_sources
    if sources is None:
        return "has no rule for scripts"
    if policy.limits_scripts:
        return "limits scripts" if policy.is_enforced else "would limit scripts, but only reports"
    return "allows inline scripts or scripts from any host"
