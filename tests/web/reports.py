"""Pages whose reports show what a report can look like."""

from collections.abc import Mapping

from tests.checks.harness import page
from tests.web.live import BAD_PAGE, HOSTILE_PAGE, Client, Live

_WORDS = "What stands here is said in plain words, so that there is something to read and to count. "
_LINKS = "".join(f'<li><a href="/page-{number}">Page {number} of a long list</a></li>' for number in range(500))
_ARABIC = (
    '<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8">'
    "<title>أخبار اليوم: مخبز الحي يفتح أبوابه من جديد بعد تجديد شامل للمبنى القديم</title>"
    '<meta name="description" content="خبز طازج كل صباح من السادسة، مع قائمة بأنواع الخبز وأوقات العمل وكيفية الوصول إلينا.">'
    '<link rel="canonical" href="https://arabic.example/"></head>'
    f"<body><h1>مخبز الحي</h1><p>{'نخبز كل صباح من الطحين المحلي والماء والملح فقط. ' * 40}</p>"
    '<img src="/خبز.png"><a href="/ar/contact">اتصل بنا</a></body></html>'
)
_GOOD = page(
    head="<title>Rye sourdough, baked every morning in our own oven</title>"
    '<meta name="description" content="Rye sourdough from flour, water and salt: how we bake it, what it costs and when it comes out of the oven.">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="canonical" href="https://good.example/">',
    body=f'<main><h1>Rye sourdough, every morning</h1><p>{_WORDS * 20}</p><a href="/breads">Our other breads</a></main>',
)
_DECENT = page(
    head='<title>A page that is decent and could be good with little work</title><link rel="canonical" href="https://decent.example/">',
    body='<h1>A page</h1><img src="/a-very-long-path/that-goes-on/and-on/until-it-has-to-break-somewhere/a.png"><form action="http://decent.example/send"><input name="q"></form>'
    f"<p>{_WORDS * 20}</p>",
)
PAGES: Mapping[str, str] = {
    "good.example": _GOOD,
    "decent.example": _DECENT,
    "bad.example": BAD_PAGE,
    "links.example": page(body=f"<h1>Many links</h1><p>{_WORDS * 20}</p><ul>{_LINKS}</ul>"),
    "arabic.example": _ARABIC,
    "hostile.example": HOSTILE_PAGE,
}
HOSTS = (*PAGES, "times-out.example")
"""Good, decent, bad, 500 links, right to left, hostile, not seen."""


def made(live: Live, email: str) -> Mapping[str, str]:
    """Host to path of its report, all of one account."""
    live.analyser.pages.update(PAGES)
    client: Client = live.client(email=email)
    return {host: f"/r/{client.report(f'https://{host}/')['public_id']}" for host in HOSTS}
