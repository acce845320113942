"""The page has email addresses in plain text.

In plain words: Spammers can easily collect the email address on this page; visitors and Google miss nothing.

Why it matters: Programs that collect addresses for spam extract them from the page. Search engines ignore this.

How to fix: Use a contact form or obfuscate the address; or accept the finding, as many sites do.

    <a href="/contact">Write to us</a>

Sources: None; hygiene against spam.

Not judged: Addresses in attributes other than mailto links, in scripts and in structured data; addresses that are obfuscated; code and
output of programs (``pre`` too, unless plain text in it is the document itself); addresses meant for everybody (``info@``, ``privacy@``);
example addresses (RFC 2606).
"""

from findable.artifacts.page.emails import Email, Emails
from findable.checks.engine import Evidence, Finding, check, passed, warned
from findable.vocabulary import EditPlace, Effort, Fixer, Importance


@check("Are there email addresses in plain text?", Importance.LOW, Effort.CONTENT, place=EditPlace.TEXT, costs={}, fixer=Fixer.EDITOR)
def plaintext_email(emails: Emails) -> Finding:
    if not emails.items:
        return passed("No email address is in plain text")
    personal = [email for email in emails.items if not email.of_role]
    if not personal:
        return passed("Only role addresses, such as info@, are in plain text", evidence=[_evidence(email) for email in emails.items])
    return warned("{count|email address|email addresses} in plain text", evidence=[_evidence(email) for email in personal])


def _evidence(email: Email) -> Evidence:
    """Return evidence of the place without the email address."""
    text = f"mailto:{email.masked}" if email.in_mailto else email.masked
    node = email.element
    if node is None:
        return Evidence("text", text)
    return Evidence("element", text, node.selector, node.line, node.column)
