"""Cookies lack the flags that protect them.

In plain words: Small files with which your site recognises its visitors are not protected well enough.

Why it matters: Without Secure a cookie may be sent unencrypted, without SameSite, requests from other sites may include it, and without
HttpOnly an injected script can read a session.

How to fix: Set the flags where the cookie is created.

    Set-Cookie: session=…; Path=/; Secure; HttpOnly; SameSite=Lax

Sources: [RFC 6265bis](https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/), sections 4.1.2 and 4.1.3; [OWASP: Session
Management](https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html).

Not judged: Cookies that scripts set; cookies that are being deleted; values, which are never stored. HttpOnly is required only for names
that look like a session.
"""

from findable.artifacts.page.delivery import Transport
from findable.artifacts.page.response_cookies import Cookie, Cookies
from findable.checks.engine import Finding, check, failed, header, inapplicable, passed, warned
from findable.checks.page_fix import Fix, header_fix
from findable.vocabulary import Effort, Importance


@check("Are cookies protected?", Importance.LOW, Effort.SERVER, costs={}, depends_on=("https",))
def cookies(transport: Transport, cookies: Cookies) -> Finding:
    del transport  # Secure is only useful if visitors use https
    kept = [cookie for cookie in cookies.items if not cookie.is_expired]
    if not kept:
        return inapplicable("The page sets no cookies")
    refused = [(cookie, note) for cookie in kept if (note := _rejection(cookie))]
    lacking = [(cookie, flags) for cookie in kept if (flags := _missing_flags(cookie))]
    if refused:
        return failed(
            "{count|cookie|cookies} that browsers refuse",
            evidence=[header("Set-Cookie", cookie.masked_line, note) for cookie, note in refused],
            fixes=map(_fix, kept),
        )
    if lacking:
        return warned(
            "{lacking_count} of {count|cookie|cookies} without a flag",
            lacking_count=len(lacking),
            count=len(kept),
            evidence=[header("Set-Cookie", cookie.masked_line, "without {flags}", flags=flags) for cookie, flags in lacking],
            fixes=map(_fix, kept),
        )
    return passed(
        "{count|cookie|cookies}, each with the flags it needs",
        evidence=[header("Set-Cookie", cookie.masked_line) for cookie in kept],
    )


def _rejection(cookie: Cookie) -> str:
    """Return why browsers reject the cookie (RFC 6265bis, 5.7); empty if they accept it."""
    name = cookie.name.lower()
    if cookie.same_site == "none" and not cookie.secure:
        return "SameSite=None needs Secure"
    if name.startswith("__host-") and (not cookie.secure or cookie.domain or cookie.path != "/"):
        return "__Host- needs Secure, Path=/ and no Domain"
    return "__Secure- needs Secure" if name.startswith("__secure-") and not cookie.secure else ""


def _missing_flags(cookie: Cookie) -> list[str]:
    missing = [] if cookie.secure else ["Secure"]
    if cookie.same_site not in ("strict", "lax", "none"):
        missing.append("SameSite")
    if cookie.looks_like_session and not cookie.http_only:
        missing.append("HttpOnly")
    return missing


def _fix(cookie: Cookie) -> Fix:
    """Return the header line with the missing flags; the value is never stored and shown as an ellipsis."""
    lacking = _missing_flags(cookie)
    flags = [flag if flag != "SameSite" else "SameSite=Lax" for flag in lacking]
    if cookie.same_site == "none" and not cookie.secure and "Secure" not in flags:
        flags.append("Secure")
    return header_fix("Set-Cookie", "; ".join((cookie.masked_line.rstrip("; "), *flags)))
