"""The server accepts old TLS versions, or supports no current one.

In plain words: The encryption of your site is out of date, so it protects visitors less well or shuts some out.

Why it matters: TLS 1.0 and 1.1 have known weaknesses, and browsers no longer use them.

How to fix: Offer TLS 1.2 and 1.3 only.

    # nginx
    ssl_protocols TLSv1.2 TLSv1.3;

Sources: [RFC 8996](https://www.rfc-editor.org/rfc/rfc8996) (TLS 1.0 and 1.1 must not be used); [RFC 9325, section
3.1.1](https://www.rfc-editor.org/rfc/rfc9325#section-3.1.1).

Not judged: Cipher suites; a server that offers only TLS 1.3 passes, because every current browser and crawler supports it.
"""

from findable.artifacts.site.host import Host
from findable.checks.engine import Finding, check, failed, passed, quoted, unknown, warned
from findable.vocabulary import Effort, Importance

OLD = ("1.0", "1.1")


@check("Are only modern TLS versions offered?", Importance.LOW, Effort.SERVER, failed=10, warned=5, depends_on=("https",))
def tls_version(host: Host) -> Finding:
    tried = {_number(version): accepted for version, accepted in host.tls_versions}
    if not tried:
        return unknown("The TLS versions were not tested")
    negotiated = host.tls.version if host.tls else ""
    accepted = sorted(version for version, yes in tried.items() if yes)
    seen = [quoted(f"TLS {version}: {'accepted' if yes else 'refused'}") for version, yes in sorted(tried.items())]
    if any(version in OLD for version in accepted):
        return failed(
            "Outdated TLS versions are accepted: {versions}",
            versions=[f"TLS {version}" for version in accepted if version in OLD],
            evidence=seen,
        )
    if "1.3" in accepted or _number(negotiated) == "1.3":
        return passed("Offered versions: {versions}", evidence=seen, versions=[f"TLS {version}" for version in accepted] or ["TLS 1.3"])
    if "1.2" in accepted or _number(negotiated) == "1.2":
        return warned("The server offers TLS 1.2 but not TLS 1.3", evidence=seen)
    return unknown("No TLS version could be negotiated", evidence=seen)


def _number(version: str) -> str:
    """Return the number of a TLS version: ``1.2`` for ``TLSv1.2``; ``1.0`` for ``TLSv1``."""
    number = version.upper().removeprefix("TLS").lstrip("V _").replace("_", ".")
    return "1.0" if number == "1" else number
