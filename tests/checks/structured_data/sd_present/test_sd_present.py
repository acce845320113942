"""Outcomes of sd-present: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

ARTICLE = '{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget"}'


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


STEPS = "".join(f"<li>{step} 200 g of flour and a pinch of salt in the bowl.</li>" for step in ("Stir", "Knead", "Bake", "Serve"))
RECIPE = f"<main><h1>Rye bread</h1><h2>Ingredients</h2><ul>{STEPS}</ul><h2>Directions</h2><ol>{STEPS}</ol></main>"
OF_ARTICLE = '<meta property="og:type" content="article">'
OF_PRODUCT = '<meta property="og:type" content="product">'
OF_SITE = '{"@context": "https://schema.org", "@type": "WebPage", "name": "Blue"}'
STORY = f'<article><h1>Why we bake</h1><time datetime="2026-05-14">14 May</time><p>{"We bake because bread is good. " * 40}</p></article>'
OUTCOMES = [
    ("an article with its data", ld(OF_SITE, ARTICLE, body=STORY), "passed"),
    ("an article that is about a product", ld('{"@context": "https://schema.org", "@type": "Product", "name": "x"}', body=STORY), "passed"),
    ("a page that only a content system calls an article", ld(OF_SITE).replace("</head>", OF_ARTICLE + "</head>"), "passed"),
    ("an article with the data of its site", ld(OF_SITE, body=STORY), "warned"),
    ("a recipe with its data", ld('{"@context": "https://schema.org", "@type": "Recipe", "name": "Rye bread"}', body=RECIPE), "passed"),
    ("an article about a recipe", ld(ARTICLE, body="<h1>Why we bake</h1><p>Ingredients matter, and so do directions.</p>"), "passed"),
    (
        "a product with its data",
        ld('{"@context": "https://schema.org", "@type": "Product", "name": "Blue widget"}').replace("</head>", OF_PRODUCT + "</head>"),
        "passed",
    ),
    ("a recipe with the data of an article", ld(ARTICLE, body=RECIPE), "warned"),
    (
        "a product with the data of its shop",
        ld('{"@context": "https://schema.org", "@type": "Organization", "name": "Blue"}').replace("</head>", OF_PRODUCT + "</head>"),
        "warned",
    ),
    ("JSON-LD", ld(ARTICLE), "passed"),
    ("http and a slash", ld('{"@context": "http://schema.org/", "@type": "Article"}'), "passed"),
    ("upper-case type with a charset", page(head=f'<script type="APPLICATION/LD+JSON; charset=utf-8">{ARTICLE}</script>'), "passed"),
    ("a graph", ld('{"@context": "https://schema.org", "@graph": [{"@type": "Article"}]}'), "passed"),
    ("Microdata", page('<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Widget</b></div>'), "passed"),
    ("RDFa", page('<div vocab="https://schema.org/" typeof="Product"><b property="name">Widget</b></div>'), "passed"),
    ("only a block that cannot be read", ld("{"), "inapplicable"),
    ("a script shell", page('<div id="root"></div><script src="/app.js"></script>'), "unknown"),
    ("none", page(), "warned"),
    ("Open Graph is none", page(head='<meta property="og:title" content="x">'), "warned"),
    ("in a template", page(f'<template><script type="application/ld+json">{ARTICLE}</script></template>'), "warned"),
    (
        "Microdata that belongs to no item",
        page('<div itemprop="blogPost" itemscope itemtype="https://schema.org/BlogPosting"><b itemprop="name">x</b></div>'),
        "warned",
    ),
    (
        "another vocabulary",
        page('<div itemscope itemtype="http://data-vocabulary.org/Breadcrumb"><b itemprop="title">x</b></div>'),
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-present", html) == expected, case
