"""Explanations of technical words for owners of a site."""

import re
from collections.abc import Mapping
from functools import cache

from findable.wording import Translator, later

EXPLANATIONS: Mapping[str, str] = {
    later("alt text|alternative text|alternative description"): later(
        "A short description of an image, for Google and for people who do not see the image."
    ),
    later("browser|browsers"): later("Chrome, Safari, Firefox and other programs in which people open web pages."),
    later("browser page title|SEO title|title tag|title for search engines"): later(
        "The title that Google and the tab of the browser show, often different from the heading on the page."
    ),
    later("canonical link|canonical URL"): later("A note for Google which one is right if a page has several web addresses."),
    later("code"): later("The text behind a page that the browser turns into what you see."),
    later("encrypted|not encrypted|encryption"): later("Encrypted pages cannot be read or changed by others on their way to the visitor."),
    later("favicon|site icon"): later("The small picture beside the name of your site in Google and in the tab of the browser."),
    later("https|HTTPS|“https”"): later("How web addresses of encrypted pages begin."),
    later("http|“http”"): later("How web addresses begin if the page is not encrypted."),
    later("index|indexing|index, follow"): later("Search engines index a page: they store it, so that they can show it."),
    later("metadata"): later("Information about a page that visitors do not see, but Google reads."),
    later("meta description"): later("The short text that Google can show below the title."),
    later("plugin"): later("A program that adds something to a system such as WordPress."),
    later("redirect|redirects|URL redirect|URL redirects|forwarding"): later(
        "Sends people who open an old web address to the new one, without a click."
    ),
    later("robots"): later("The setting that tells search engines which pages they may show."),
    later("search engine|search engines"): later("Google, Bing and others that people use to find pages."),
    later("search engine listing|search appearance|SEO|SEO basics"): later("Settings for how a page looks in Google."),
    later("server"): later("The computer at your provider that sends your pages to visitors."),
    later("spam"): later("Content that Google leaves out because it is made for Google, not for people."),
    later("Yoast SEO"): later("A common plugin for WordPress with settings for how your pages look in Google."),
    later("web address|web addresses"): later("What stands in the address line of the browser, such as www.example.com/contact."),
}
"""Explanations by the forms of a word, separated by ``|``; each language has its own forms."""


@cache
def _pattern(forms: str) -> re.Pattern[str]:
    longest_first = sorted(forms.split("|"), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def explained_words(text: str, say: Translator) -> Mapping[str, str]:
    """Return the technical words of a text, each as first written in it, with their explanations, in the order of the text."""
    found = ((match, say(explanation)) for forms, explanation in EXPLANATIONS.items() if (match := _pattern(say(forms)).search(text)))
    return {match[0]: explanation for match, explanation in sorted(found, key=lambda pair: pair[0].start())}
