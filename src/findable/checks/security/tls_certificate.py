"""The certificate is invalid, or expires soon.

In plain words: Visitors see a warning in place of your site, now or soon, because the proof of its identity is invalid or runs out.

Why it matters: Browsers show a warning in place of the page, and search engines prefer the http URL of a site with a bad certificate.

How to fix: Renew the certificate automatically, and send the whole chain.

    certbot renew --deploy-hook "systemctl reload nginx"

Sources: [RFC 5280, section 6](https://www.rfc-editor.org/rfc/rfc5280#section-6); [Google: consolidate duplicate
URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025); [CA/Browser Forum: Baseline
Requirements](https://cabforum.org/working-groups/server/baseline-requirements/) 2.1 (RSA 2,048 bits, no SHA-1).

Not judged: revocation. A chain without its intermediate is a warning, because most browsers fetch it.
"""

from collections.abc import Sequence
from datetime import timedelta

from findable.artifacts.site.host import Host
from findable.capture.response import Certificate, Tls
from findable.checks.engine import Evidence, Finding, check, failed, passed, quoted, unknown, warned
from findable.formats.timestamps import moment
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance, Verdict

SOON = timedelta(days=21)
SOON_SHARE = 3
"""Divisor of a short-lived certificate's lifetime: expiry in its last third is soon, because clients renew then."""
RSA_BITS = 2048
_INCOMPLETE = ("unable to get local issuer", "unable to verify the first", "unable to get issuer")


class Verification(Code, params=("reason", EVIDENCE_TEXT)):
    """Result of a failed verification without a reason from the TLS library."""

    FAILED = "the verification failed"


@check(
    "Is the certificate valid?",
    Importance.HIGH,
    Effort.SERVER,
    failed=850,
    warned=20,
    limits={Verdict.FAILED: 15},
    depends_on=("https",),
)
def tls_certificate(host: Host) -> Finding:
    tls = host.tls
    if tls is None or not (tls.chain or tls.verify_error):
        return unknown("The certificate could not be read")
    leaf = tls.chain[0] if tls.chain else None
    shown = [_evidence(certificate) for certificate in tls.chain]
    if not tls.verified:
        return _unverified_finding(tls, shown)
    if leaf is None:
        return unknown("The certificate could not be read")
    now = moment(host.captured_at)
    left = moment(leaf.not_after) - now
    if left <= timedelta(0):
        return failed("The certificate expired on {day}", day=leaf.not_after[:10], evidence=shown)
    if leaf.public_key_algorithm.upper().startswith("RSA") and 0 < leaf.public_key_bits < RSA_BITS:
        return failed(
            "The certificate's RSA key has only {bits} bits; at least {least_bits} are needed",
            bits=leaf.public_key_bits,
            least_bits=RSA_BITS,
            evidence=shown,
        )
    if "sha1" in leaf.signature_algorithm.lower().replace("-", ""):
        return failed("The certificate is signed with SHA-1", evidence=shown)
    if left < min(SOON, (moment(leaf.not_after) - moment(leaf.not_before)) / SOON_SHARE):
        return warned(
            "The certificate expires in {left_days|day|days}, on {day}", left_days=left.days, day=leaf.not_after[:10], evidence=shown
        )
    return passed("Valid until {day}, {left_days|day|days} left", day=leaf.not_after[:10], left_days=left.days, evidence=shown)


def _unverified_finding(tls: Tls, evidence_of_chain: list[Evidence]) -> Finding:
    evidence = [quoted(tls.verify_error or Verification.FAILED, kind="certificate"), *evidence_of_chain]
    if lacks_intermediate(tls.verify_error, tls.chain):
        return warned("The server sends its certificate without the intermediate one", evidence=evidence)
    return failed("The certificate is not valid: {reason}", reason=tls.verify_error or Verification.FAILED, evidence=evidence)


def lacks_intermediate(verify_error: str, chain: Sequence[Certificate]) -> bool:
    """Return whether only the intermediate certificate is missing, which most browsers fetch."""
    is_incomplete = any(words in verify_error.lower() for words in _INCOMPLETE)
    return is_incomplete and len(chain) == 1 and chain[0].issuer != chain[0].subject


def _evidence(certificate: Certificate) -> Evidence:
    names = ", ".join(certificate.names[:5]) + (" …" if len(certificate.names) > 5 else "")  # noqa: PLR2004 - a few are enough
    text = f"{certificate.subject}; issued by {certificate.issuer}; {certificate.not_before[:10]} to {certificate.not_after[:10]}"
    return quoted(f"{text}; for {names}" if names else text, kind="certificate")
