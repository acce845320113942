"""Sentences about a browser visit: dismissed consent layers, awaited elements, and requests that were not sent."""

from collections.abc import Iterator, Mapping

from findable.capture.rendering import ConsentChoice
from findable.reports.facts.browser_facts import BrowserFacts
from findable.wording import Translator, later

_DISMISSED: Mapping[ConsentChoice, str] = {
    ConsentChoice.REFUSED: later("The consent layer of %(service)s was dismissed first: everything that is not necessary was refused."),
    ConsentChoice.ACCEPTED: later(
        "The consent layer of %(service)s was dismissed first: everything was accepted, as it offers nothing else."
    ),
}
_STAYED: Mapping[ConsentChoice, str] = {
    ConsentChoice.REFUSED: later("The consent layer of %(service)s was refused but stayed open."),
    ConsentChoice.ACCEPTED: later("The consent layer of %(service)s, which offers no refusal, was accepted but stayed open."),
}
_LEFT = later("The cookie banner was left open: its service is unknown, or it has no button to refuse or accept.")


_NOTHING_WITHOUT = later("Rendered as for Googlebot: robots.txt allows all files of this page.")


_APPEARED = later("The page was read once an element matched %(selector)s.")
_DID_NOT_APPEAR = later("No element matched %(selector)s in time: the page was read without it.")
_NOT_LOADED = later("Not loaded, so that this visit does not count as a visitor: %(hosts)s.")
_CREDENTIALS = later("The browser sent the credentials of the project to this site.")


def visit_sentences(facts: BrowserFacts, say: Translator) -> Iterator[str]:
    """Yield a sentence for each difference from a visitor who only opens the page."""
    if found := facts.dismissed:
        words = _DISMISSED if found.is_gone else _STAYED
        yield say(words[found.answer], service=found.service)
    elif facts.options.dismiss_consent and facts.cookie_banner:
        yield say(_LEFT)
    if facts.selector_came is not None:
        yield say(_APPEARED if facts.selector_came else _DID_NOT_APPEAR, selector=facts.options.wait_for)
    if facts.hosts_not_loaded:
        yield say(_NOT_LOADED, hosts=", ".join(facts.hosts_not_loaded))
    if facts.sent_credentials:
        yield say(_CREDENTIALS)
    if facts.options.without_blocked:
        count = len(facts.blocked_by_robots)
        yield _blocked_files_sentence(count, say) if count else say(_NOTHING_WITHOUT)


def _blocked_files_sentence(count: int, say: Translator) -> str:
    return say.plural(
        "Rendered as for Googlebot: %(count)s file that robots.txt forbids was not loaded.",
        "Rendered as for Googlebot: %(count)s files that robots.txt forbids were not loaded.",
        count,
    )
