"""Strict-Transport-Security is missing, or too short to be effective.

In plain words: On an open network, somebody could send your visitors a forged page.

Why it matters: Without it a browser may request the http URL first, and an attacker on the network can respond in your place.

How to fix: Once https works everywhere, declare it for a year.

    Strict-Transport-Security: max-age=31536000

Sources: [RFC 6797, section 6.1](https://www.rfc-editor.org/rfc/rfc6797#section-6.1) and [RFC 6797, section
8.1](https://www.rfc-editor.org/rfc/rfc6797#section-8.1); [OWASP: HTTP Strict Transport
Security](https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html).

Not judged: The directives includeSubDomains and preload concern other hosts and are only shown; redirects on the way; IP addresses, for
which browsers ignore the header.
"""

from findable.artifacts.page.delivery import Delivery
from findable.artifacts.page.security_headers import Hsts, SecurityHeaders
from findable.checks.engine import Finding, check, failed, header, inapplicable, passed, quoted, warned
from findable.checks.page_fix import Fix, header_fix
from findable.urls import is_ip
from findable.vocabulary import Effort, Importance

LONG_S = 31_536_000
"""Recommended max-age: one year (OWASP, and required for the preload list)."""
DAY_S = 86_400
NAME = "Strict-Transport-Security"


@check("Is HSTS set?", Importance.LOW, Effort.SERVER, costs={}, depends_on=("https",))
def hsts(delivery: Delivery, security: SecurityHeaders) -> Finding:
    if is_ip(delivery.url.host):
        return inapplicable("Browsers ignore the header for IP addresses")
    headers = delivery.response.headers
    hsts = security.hsts
    if hsts is None:
        line = f"HTTP {delivery.response.status}, no {NAME} (header lines: {len(headers.lines)})"
        return failed("Strict-Transport-Security is not sent", evidence=quoted(line, url=delivery.response.final_url), fixes=[_fix(None)])
    seen = header(NAME, hsts.text)
    fixes = [_fix(hsts)]
    if hsts.max_age_s is None:
        return failed("Strict-Transport-Security cannot be read, so browsers ignore it", evidence=seen, fixes=fixes)
    if hsts.max_age_s == 0:
        return failed("Strict-Transport-Security is switched off (max-age=0)", evidence=seen, fixes=fixes)
    if hsts.max_age_s < LONG_S:
        if hsts.max_age_s < DAY_S:
            return warned("HSTS for {max_age_s}, less than a year", max_age_s=hsts.max_age_s, evidence=seen, fixes=fixes)
        return warned(
            "HSTS for {max_age_days|day|days}, less than a year", max_age_days=hsts.max_age_s // DAY_S, evidence=seen, fixes=fixes
        )
    also = [name for name, there in (("includeSubDomains", hsts.include_subdomains), ("preload", hsts.preload)) if there]
    if also:
        return passed("HSTS for {max_age_days|day|days}, with {also}", max_age_days=hsts.max_age_s // DAY_S, also=also, evidence=seen)
    return passed("HSTS for {max_age_days|day|days}", max_age_days=hsts.max_age_s // DAY_S, evidence=seen)


def _fix(hsts: Hsts | None) -> Fix:
    """Return the header with one year and the site's other directives."""
    also = (("includeSubDomains", hsts.include_subdomains), ("preload", hsts.preload)) if hsts else ()
    return header_fix(NAME, "; ".join((f"max-age={LONG_S}", *(name for name, there in also if there))))
