"""Pages that scripts build."""

import pytest

from findable.artifacts.content import needs_browser
from findable.reports.analysis import analyse
from tests.checks.harness import artifacts, capture, page
from tests.reports import report_json

SCRIPT = '<script src="/app.js"></script>'
INGREDIENTS = ", ".join(f"{word} flour number{word}" for word in ["rye", "wheat", "spelt", "oat", "barley", "corn", "rice", "millet"])
TEXT = " ".join(f"sentence{chr(97 + number)} about{chr(97 + number)} bread{chr(97 + number)}" for number in range(26))
RECIPE = f'<script type="application/ld+json">{{"@type": "Recipe", "recipeIngredient": ["{INGREDIENTS} and {TEXT[:600]}"]}}</script>'
STEPS = f'<script type="application/ld+json">{{"@type": "HowTo", "step": [{{"@type": "HowToStep", "text": "{TEXT}"}}]}}</script>'
PAID = f'<script type="application/ld+json">{{"@type": "Article", "articleBody": "{TEXT}", "isAccessibleForFree": false}}</script>'
STATE = f'<script id="__NEXT_DATA__" type="application/json">{{"props": {{"body": "{TEXT}"}}}}</script>'


@pytest.mark.parametrize(
    ("case", "body", "expected"),
    [
        ("react", f'<div id="root"></div>{SCRIPT}', True),
        ("next", f'<div id="__next"></div><noscript>You need to enable JavaScript to run this app.</noscript>{SCRIPT}', True),
        ("angular", f"<app-root></app-root>{SCRIPT}", True),
        ("a short page with an island", f'<main><h1>Hello</h1><p>{"word " * 60}</p></main><div id="app"></div>{SCRIPT}', False),
        ("angularjs", f'<div ng-app="shop"><div ng-view></div></div>{SCRIPT}', True),
        ("angularjs by data attributes", f'<div data-ng-app="shop" data-ng-cloak><h1>{{{{ title }}}}</h1></div>{SCRIPT}', True),
        ("vue", f'<main v-cloak><h1>{{{{ title }}}}</h1><p v-if="a">{{{{ text }}}}</p></main>{SCRIPT}', True),
        ("alpine adds to a short page", f'<main><h1>Hello</h1><div x-data="{{}}" @click="a">Menu</div></main>{SCRIPT}', False),
        ("rendered by vue on the server", f'<div id="app" data-v-app data-server-rendered="true"><h1>Hello</h1></div>{SCRIPT}', False),
        ("a recipe that only JSON-LD holds", f"<main><h1>Bread</h1><p>Ingredients - Steps -</p></main>{RECIPE}{SCRIPT}", True),
        ("a recipe that the page shows", f"<main><h1>Bread</h1><p>{INGREDIENTS} {TEXT}</p></main>{RECIPE}{SCRIPT}", False),
        ("a preview of a paid article", f"<main><h1>Bread</h1><p>Subscribe</p></main>{PAID}{SCRIPT}", False),
        ("an article that only the state holds", f"<main><h1>Bread</h1><p>Comments</p></main>{STATE}{SCRIPT}", True),
        ("labels in the state", f"<main><h1>Bread</h1><p>Comments</p></main>{STATE.replace('body', 'i18n')}{SCRIPT}", False),
        ("a hint to enable scripts", f"<p>Hello</p><noscript>{'Enable scripts to see our photographs. ' * 8}</noscript>{SCRIPT}", False),
        ("lazy images", f"<p>Hello</p><noscript>{'<img src=/a.jpg alt=Bread>' * 60}</noscript>{SCRIPT}", False),
        ("a noscript beside the content", f"<p>{'word ' * 60}</p><noscript>{'<p>A post of the forum.</p>' * 60}</noscript>{SCRIPT}", False),
        ("a forum with its posts in a noscript", f"<div></div><noscript>{'<p>A post of the forum.</p>' * 60}</noscript>{SCRIPT}", True),
        ("posts in a noscript, without scripts", f"<div></div><noscript>{'<p>A post of the forum.</p>' * 60}</noscript>", False),
        ("steps that only JSON-LD holds", f"<main><p>Round tablecloth</p></main>{STEPS}{SCRIPT}", True),
        ("steps that the page shows", f"<main><h1>Round tablecloth</h1><p>{TEXT}</p></main>{STEPS}{SCRIPT}", False),
        ("loading beside the content", f"<h1>Hello</h1><p>Welcome to the shop.</p><div>Loading …</div>{SCRIPT}", False),
        ("a word that also means to load", f"<nav><span>Laden</span></nav><p>{'Wort ' * 30}</p>{SCRIPT}", False),
        ("loading below a long text", f"<p>{'word ' * 100}</p><p>Loading...</p>{SCRIPT}", False),
        ("loading without scripts", "<p>LeetCode Handbook</p><p>Loading...</p>", False),
        ("loading", f"<button>Search lists</button><main><p>{'Feedback and settings ' * 20}</p><p>Loading...</p></main>{SCRIPT}", True),
        ("rendered on the server", f'<div id="root"><h1>Hello</h1></div>{SCRIPT}', False),
        ("a short page without script", '<div id="root"></div>', False),
        ("a plain short page", f"<p>Hello</p>{SCRIPT}", False),
    ],
)
def test_shell(case: str, body: str, expected: bool) -> None:
    assert needs_browser(artifacts(page(body=body))) is expected, case


def test_a_shell_is_done_without_a_rating() -> None:
    made = report_json(analyse(capture(page(body=f'<div id="root"></div>{SCRIPT}'))))

    assert (made["status"], made["result"], made["score"]) == ("done", None, None)
    assert made["error"]["code"] == "needs_browser"
