"""The report shows whether there is an llms.txt.

In plain words: An optional file for AI tools is missing or faulty; visitors and Google miss nothing.

Why it matters: It hardly matters. Some developer tools read it; Google says that it neither helps nor harms, and no large assistant is
known to rely on it.

How to fix: Nothing needs fixing. If you want one, it is a Markdown file with a heading, a summary and links.

    # Example Widgets
    > Blue widgets, made to measure.
    - [Prices](https://www.example.com/prices.md)

Sources: [llmstxt.org](https://llmstxt.org/) (2024); [Google: AI features](https://developers.google.com/search/docs/appearance/ai-features)
(2026): llms.txt does "neither harm nor help".
"""

from findable.artifacts.responses.llms_txt import LlmsTxt
from findable.checks.engine import Finding, check, info, quoted, url_evidence
from findable.vocabulary import Effort, Importance

MIN_CHARACTERS = 50


@check("Is there an llms.txt?", Importance.INFO, Effort.SERVER)
def llms_txt(llms: LlmsTxt) -> Finding:
    if not llms.exists:
        return info("No llms.txt: fine, it is optional", evidence=url_evidence(llms.url, llms.status))
    shown = [quoted(line, url=llms.url) for line in llms.first_lines]
    if llms.has_heading and llms.has_link and len(llms.text) >= MIN_CHARACTERS:
        return info("llms.txt with heading and links, {count|character|characters}", count=len(llms.text), evidence=shown)
    return info("llms.txt lacks the heading or the links, {count|character|characters}", count=len(llms.text), evidence=shown)
