"""Faults of transport, headers, cookies and forms."""

from typing import Any

from tests.mutations.draft import Draft
from tests.mutations.fault import but, fault

WITH_FORM = ("company", "home", "product")
"""Pages with a form that people fill in. The one of the docs searches."""


def _certificate(draft: Draft, **leaf: Any) -> None:
    tls = draft.keywords["tls"]
    draft.keywords["tls"] = tls | {"leaf": tls["leaf"] | leaf}


@fault({"tls-certificate": "failed"})
def an_expired_certificate(draft: Draft) -> None:
    _certificate(draft, not_after="2026-10-30T00:00:00Z")
    draft.keywords["tls"] |= {"verified": False, "verify_error": "certificate has expired"}


@fault({"tls-certificate": "failed"})
def a_certificate_of_another_host(draft: Draft) -> None:
    _certificate(draft, names=["other.example"])
    draft.keywords["tls"] |= {"verified": False, "verify_error": "no alternative certificate subject name matches target host name"}


@fault({"tls-certificate": "warned"})
def a_certificate_that_ends_soon(draft: Draft) -> None:
    _certificate(draft, not_after="2026-11-12T00:00:00Z")


@fault({"tls-version": "failed"})
def an_old_tls_version(draft: Draft) -> None:
    draft.keywords["tls_versions"]["TLSv1"] = True


@fault({"tls-version": "warned"})
def tls_1_2_only(draft: Draft) -> None:
    draft.keywords["tls_versions"]["TLSv1.3"] = False
    draft.keywords["tls"] |= {"version": "TLSv1.2"}


@fault({"hsts": "failed"})
def no_hsts(draft: Draft) -> None:
    draft.without_header("Strict-Transport-Security")


@fault({"hsts": "warned"})
def hsts_for_a_day(draft: Draft) -> None:
    draft.only_header("Strict-Transport-Security", "max-age=86400")


@fault({"https-redirect": "failed"})
def http_without_a_redirect(draft: Draft) -> None:
    draft.keywords["http_variant"] = {"http" + draft.site.url.removeprefix("https"): {"body": draft.html}}


@fault({"https-redirect": "warned"})
def http_with_a_temporary_redirect(draft: Draft) -> None:
    draft.keywords["http_variant"] = {"http" + draft.site.url.removeprefix("https"): {"final_url": draft.site.url, "redirect_status": 302}}


@fault({"csp": "warned"})
def no_content_security_policy(draft: Draft) -> None:
    draft.without_header("Content-Security-Policy")
    draft.only_header("X-Frame-Options", "DENY")


@fault({"clickjacking": "warned"})
def every_site_may_frame_the_page(draft: Draft) -> None:
    draft.without_header("X-Frame-Options")
    draft.only_header("Content-Security-Policy", "script-src 'self'")


@fault({"nosniff": "warned"})
def no_nosniff(draft: Draft) -> None:
    draft.without_header("X-Content-Type-Options")


@fault({"referrer-policy": "warned"})
def a_referrer_policy_that_leaks(draft: Draft) -> None:
    draft.only_header("Referrer-Policy", "unsafe-url")


@fault({"server-signature": "warned"})
def a_server_that_tells_its_version(draft: Draft) -> None:
    draft.only_header("Server", "Apache/2.4.62 (Debian)")


@fault({"cookies": "warned"})
def a_cookie_without_flags(draft: Draft) -> None:
    draft.header("Set-Cookie", "visitor=…; Path=/")


@fault({"cookies": "failed"})
def a_cookie_that_browsers_refuse(draft: Draft) -> None:
    draft.header("Set-Cookie", "visitor=…; Path=/; SameSite=None")


@fault({"mixed-content": "failed"})
def a_script_over_http(draft: Draft) -> None:
    draft.replace("</body>", '<script src="http://stats.example/count.js" async></script>\n</body>')
    draft.keywords["assets"]["http://stats.example/count.js"] = {"body": "1", "headers": [["Content-Type", "text/javascript"]]}


@fault({"mixed-content": "warned"}, opens=["image-dimensions"])
def a_picture_over_http(draft: Draft) -> None:
    draft.small_picture("http://pictures.example/one.webp")


@fault({"insecure-form": "failed"})
def a_form_that_sends_over_http(draft: Draft) -> None:
    draft.in_main('<form action="http://forms.example/send"><button>2026</button></form>')


@fault({"sri": "warned"})
def a_script_of_another_site_without_a_digest(draft: Draft) -> None:
    draft.foreign_script("https://cdn.example/widgets@1.4.2/widgets.min.js")


@fault({"vulnerable-js": "warned", "sri": "warned"})
def an_old_jquery(draft: Draft) -> None:
    draft.foreign_script("https://code.jquery.com/jquery-1.12.4.min.js")


@fault(notes=("other-headers",))
def a_header_that_opened_holes(draft: Draft) -> None:
    draft.header("X-XSS-Protection", "1; mode=block")


@fault({"https": "failed"}, pages=but(*WITH_FORM), closes=["insecure-form", "links-insecure", "mixed-content"])
def a_site_on_http(draft: Draft) -> None:
    draft.leave_https()


@fault({"https": "failed", "insecure-form": "warned"}, pages=WITH_FORM, closes=["links-insecure", "mixed-content"])
def a_form_on_http(draft: Draft) -> None:
    draft.leave_https()
