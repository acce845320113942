"""What kept us from a page, as `fetch` says it, in the reader's language."""

import re
from functools import cache

from findable.errors import as_sentence
from findable.wording import Wording, later

MET: tuple[str, ...] = (
    later("The server answered with status %(status)s."),
    later("The server answered with status %(status)s, which has no content."),
    later("%(who)s answered with status %(status)s instead of the page."),
    later("The answer is %(kind)s."),
    later("The answer is empty."),
    later("The answer is of no stated type."),
    later("The answer is text without any markup."),
    later("The answer is called %(kind)s, but its bytes are %(what)s."),
    later("The name %(host)s does not exist (NXDOMAIN)."),
    later("The name %(host)s has no address."),
    later("The name servers of %(host)s answered with an error (SERVFAIL)."),
    later("The name servers of %(host)s did not answer in time."),
    later("No name server could be reached to look up %(host)s."),
    later("%(host)s cannot be the name of a host."),
    later("The server did not accept the connection."),
    later("The server ended the connection while it was made secure."),
    later("The server ended the connection without an answer."),
    later("The server ended the connection inside the header."),
    later("The server ended the connection inside the body."),
    later("No connection was made in time."),
    later("The secure connection was not made in time."),
    later("The first byte did not come in time."),
    later("The header did not come to its end in time."),
    later("The body did not come to its end in time."),
    later("The address leads to a host or port that this service does not analyse."),
    later("Redirect %(number)s leads back to %(address)s."),
    later("%(number)s redirects, the last one to %(address)s."),
)
"""What `fetch` says it met, as sentences. Reports keep them filled in; another language finds the values again."""

_ON_THE_WAY = later("Redirect %(number)s to %(address)s: %(met)s")
MOST_CHARS = 4000
"""Of a sentence in which values are looked for: ours hold an address and some words."""
_PLACE = re.compile(r"%\((\w+)\)s")


def in_words(sentence: str, say: Wording) -> str:
    """The sentence in that language; what has no words in it, such as those of a TLS library, stays as it is."""
    if len(sentence) > MOST_CHARS:
        return sentence
    for template in sorted(MET, key=len, reverse=True):
        found = _pattern(template).fullmatch(sentence)
        if found:
            return say(template, **found.groupdict())
    way = _pattern(_ON_THE_WAY).fullmatch(sentence)
    return say(_ON_THE_WAY, **way.groupdict() | {"met": in_words(as_sentence(way["met"]), say)}) if way else sentence


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """What a template was filled with, by name. A value may be anything: the longest template that fits is meant."""
    pieces = _PLACE.split(template)
    words = [re.escape(piece) if number % 2 == 0 else rf"(?P<{piece}>.+)" for number, piece in enumerate(pieces)]
    return re.compile("".join(words))
