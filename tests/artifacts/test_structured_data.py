"""JSON-LD, Microdata and RDFa as one tree; hostile blocks cost little."""

import time

import pytest

from findable.artifacts.page.structured_data import StructuredData, find_in_source
from findable.artifacts.page.structured_items import Item, Syntax
from findable.artifacts.tables.schema_org import vocabulary
from findable.formats.dates import iso_moment
from findable.formats.json_ld import BlockState, parse_block
from tests.checks.harness import artifacts, page


def read(head: str = "", body: str = "") -> StructuredData:
    found = artifacts(page(body, head=head)).get_or_none(StructuredData)
    assert found is not None
    return found


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ('{"a": 1}', BlockState.VALID),
        ('\ufeff {"a": 1}', BlockState.VALID),
        ('{"a": "x;};"}', BlockState.VALID),
        ('\ufeff <!-- {"a": 1} -->', BlockState.VALID),
        ('<![CDATA[ {"a": 1} ]]>', BlockState.VALID),
        ('{"a": 1};', BlockState.LENIENT),
        ('[{"a": 1}];\n', BlockState.LENIENT),
        ('{"a": "//example.com/*", "b": ",}"}', BlockState.VALID),
        ('{"a": 1,}', BlockState.LENIENT),
        ('{"a": 1} // note', BlockState.LENIENT),
        ('{"a": "x\ty"}', BlockState.LENIENT),
        ('{"a": "it, }", /* x */ "b": [1, 2,],}', BlockState.LENIENT),
        ("", BlockState.EMPTY),
        (" \n<!-- -->", BlockState.EMPTY),
        ("{'a': 1}", BlockState.BROKEN),
        ('{"a": NaN}', BlockState.BROKEN),
        ("[" * 101 + "]" * 101, BlockState.TOO_DEEP),
        ('"' + "x" * 500_001 + '"', BlockState.TOO_LARGE),
    ],
)
def test_states_of_a_block(text: str, state: BlockState) -> None:
    assert parse_block(text).state is state


@pytest.mark.parametrize(
    "text",
    [
        "[" * 400_000,
        '{"a":' * 80_000,
        "/*" * 200_000,
        '{"a": "' + '\\"' * 200_000,
        '"' * 450_000,
        "," * 450_000,
        "{" + ", " * 200_000,
        '{"a": ' + "9" * 450_000 + "}",
        '{"a": 1e400}',
        '{"a": "\\ud800"}',
        "//" * 200_000,
        '{"a": 1,' * 20 + " " * 400_000,
    ],
    ids=range(12),
)
def test_s28_s30_hostile_blocks_cost_little(text: str) -> None:
    start = time.process_time()
    parse_block(text)

    assert time.process_time() - start < 3


def test_ids_are_joined_across_blocks() -> None:
    data = read(
        ld('{"@context": "https://schema.org", "@type": "Article", "author": {"@id": "#ann"}, "publisher": {"@id": "#nobody"}}')
        + ld('{"@context": "https://schema.org", "@type": "Person", "@id": "#ann", "name": "Ann"}')
    )
    article = data.items[0]

    assert data.text(article, "author") == "Ann"
    assert [str(value) for value in data.path(article, "author.name")] == ["Ann"]
    assert data.text(article, "publisher") == "#nobody"


def test_an_id_that_means_itself_ends() -> None:
    data = read(ld('{"@context": "https://schema.org", "@type": "Person", "@id": "#a", "knows": {"@id": "#a"}}'))

    assert len(list(data.all_items())) == 1
    assert data.path(data.items[0], "knows.knows.knows.name") == ()


def test_graphs_in_graphs_lists_and_value_objects() -> None:
    data = read(
        ld(
            '{"@context": {"@vocab": "https://schema.org/"}, "@graph": [{"@graph": [{"@type": "Article", "name": {"@value": "A"}, '
            '"keywords": {"@list": ["x", "y"]}}]}, [{"@type": "schema:Thing"}]]}'
        )
    )

    assert [item.name for item in data.schema_items] == ["Article", "Thing"]
    assert data.text(data.items[0], "name") == "A"
    assert data.values(data.items[0], "keywords") == ("x", "y")


def test_microdata_with_itemref_links_and_nested_items() -> None:
    data = read(
        body='<div itemscope itemtype="https://schema.org/Product" itemref="more"><a itemprop="url" href="/x">x</a></div><p id=more itemprop=name>A</p>'
        '<div itemscope itemtype="https://schema.org/Event"><i itemprop="location" itemscope itemtype="https://schema.org/Place"><b itemprop=name>P</b></i></div>'
    )

    assert [(item.syntax, item.name) for item in data.items] == [(Syntax.MICRODATA, "Product"), (Syntax.MICRODATA, "Event")]
    assert data.text(data.items[0], "name") == "A"
    assert data.text(data.items[1], "location") == "P"
    assert data.items[1].element.line is not None


SCHEMA = '"@context": "https://schema.org"'


@pytest.mark.parametrize(
    ("text", "types", "name"),
    [
        ('{%s, "@type": "Person", "name": "A"}', ["Person"], "A"),
        ('{%s, "type": "Person", "id": "#a", "name": "A"}', ["Person"], "A"),
        ('{"@graph": [{%s, "@type": "Person", "name": "A"}]}', ["Person"], "A"),
        ('{%s, "@graph": [{"@type": "Person", "name": "A"}]}', ["Person"], "A"),
        ('[{%s, "@type": "Person", "name": "A"}, {}]', ["Person"], "A"),
        ('{"@context": {"@vocab": "https://schema.org/", "id": "@id", "type": "@type"}, "type": "Person", "name": "A"}', ["Person"], "A"),
        ('{"@context": {"s": "https://schema.org/"}, "@type": "s:Person", "s:name": "A"}', ["Person"], "A"),
        ('{"@context": {"s": {"@id": "http://schema.org/"}, "P": "s:Person", "n": "s:name"}, "@type": "P", "n": "A"}', ["Person"], "A"),
        ('{"@context": ["https://schema.org", {"art": "@type", "title": "name"}], "art": "Person", "title": "A"}', ["Person"], "A"),
        ('{"@context": {"g": "@graph", "@vocab": "http://schema.org"}, "g": [{"@type": "Person", "name": "A"}]}', ["Person"], "A"),
        ('{"@context": {"v": "@value", "@vocab": "http://schema.org/"}, "@type": "Person", "name": {"v": "A"}}', ["Person"], "A"),
        ('{"@type": "http://schema.org/Person", "http://schema.org/name": "A", "@context": {}}', ["Person"], "A"),
        ('{%s, "@type": "Person", "@included": [], "name": ["A"]}', ["Person"], "A"),
        ('{"@context": ["https://w3id.org/x", "https://schema.org"], "@type": "schema:Person", "schema:name": "A"}', ["Person"], "A"),
    ],
)  # fmt: skip
def test_names_are_read_by_their_context(text: str, types: list[str], name: str) -> None:
    data = read(ld(text.replace("%s", SCHEMA)))
    assert [item.name for item in data.schema_items] == types
    assert data.text(data.items[0], "name") == name
    assert all(block.has_context for block in data.blocks)


@pytest.mark.parametrize(
    "text",
    [
        '{"@context": "https://w3id.org/x", "@type": "Person"}',
        '{"@context": {"s": "https://example.org/"}, "@type": "s:Person"}',
        '{"@context": ["https://schema.org", {"Person": "http://xmlns.com/foaf/0.1/Person"}], "@type": "Person"}',
        '{"@context": "https://notschema.org", "@type": "Person"}',
        '{"@context": {"@vocab": "https://schema.org/"}, "@graph": [{"@context": {"@vocab": "https://example.org/"}, "@type": "Person"}]}',
    ],
)
def test_names_of_other_vocabularies_are_none_of_schema_org(text: str) -> None:
    data = read(ld(text))
    assert data.items
    assert data.schema_items == ()


def test_type_without_a_context_that_says_so_is_a_property() -> None:
    data = read(ld('{"@context": {"@vocab": "https://schema.org/"}, "type": "Person", "name": "A"}'))
    assert data.items == ()
    assert data.blocks[0].items[0].properties["type"] == ("Person",)


def test_an_inner_context_ends_with_its_node() -> None:
    inner = '{"@context": {"t": "@type", "n": "name"}, "t": "Person", "n": "A"}'
    data = read(ld(f'{{{SCHEMA}, "@type": "Article", "author": {inner}, "n": "B"}}'))
    assert data.text(data.items[0], "author") == "A"
    assert data.text(data.items[0], "n") == "B"


def test_terms_that_define_each_other_end() -> None:
    read(ld('{"@context": {"a": "b:x", "b": "a:y", "c": "c"}, "@type": "a", "c": 1}'))


def test_many_contexts_cost_little() -> None:
    terms = ",".join(f'"t{number}": "https://schema.org/x{number}"' for number in range(1_000))
    nodes = ",".join('{"@context": {"a": "b"}, "@type": "Thing"}' for _ in range(10_000))
    start = time.process_time()
    read(ld(f'{{"@context": {{{terms}}}, "@graph": [{nodes}]}}'))
    assert time.process_time() - start < 6


@pytest.mark.parametrize(
    ("markup", "value"),
    [
        ('<span itemprop="name">A</span>', "A"),
        ('<span itemprop="name" content="A">B</span>', "A"),
        ('<span itemprop="name" content="">B</span>', ""),
        ('<meta itemprop="name" content="A">', "A"),
        ('<a itemprop="name" href="/x">B</a>', "/x"),
        ('<a itemprop="name" href="/x" content="A">B</a>', "A"),
        ('<time itemprop="name" datetime="2026-11-01">B</time>', "2026-11-01"),
        ('<time itemprop="name">2026-11-01</time>', "2026-11-01"),
        ('<data itemprop="name" value="7">B</data>', "7"),
        ('<img itemprop="name" src="a.png">', "a.png"),
        ('<p itemprop="name">A<script>1</script> <b>c</b></p>', "A c"),
        ('<p itemprop="x https://schema.org/name">A</p>', "A"),
    ],
)
def test_values_of_microdata(markup: str, value: str) -> None:
    data = read(body=f'<div itemscope itemtype="https://schema.org/Thing">{markup}</div>')
    assert data.items[0].properties["name"] == (value,)
    again = read(body=f'<div itemscope itemtype="https://schema.org/Thing" itemref="r"></div><div id="r">{markup}</div>')
    assert again.items[0].properties["name"] == (value,), "the same through itemref"


def test_nested_items_are_quoted_with_their_own_elements() -> None:
    offer = '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">\n<b itemprop="price" content="x">1,0</b></div>'
    data = read(body=f'<div itemscope itemtype="https://schema.org/Product" itemref="o"></div>\n<div id="o">{offer}</div>')
    (inner,) = data.path(data.items[0], "offers")
    assert isinstance(inner, Item)
    assert inner.element.tag == "div"
    assert find_in_source(inner, "price", "x").element.tag == "b"


def test_rdfa_items_are_quoted_with_their_own_elements() -> None:
    logo = '<img typeof="foaf:Image" src="logo.png">'
    author = '<i property="author" typeof="Person"><b property="name">Ann</b></i>'
    data = read(body=f'{logo}\n<div vocab="https://schema.org/" typeof="NewsArticle"><h1 property="name">T</h1>{author}</div>\n{logo}')
    article = next(item for item in data.items if item.is_a("NewsArticle"))
    assert article.element.tag == "div"
    (person,) = data.path(article, "author")
    assert isinstance(person, Item)
    assert (person.element.tag, data.text(person, "name")) == ("i", "Ann")


def test_many_references_to_many_properties_cost_little() -> None:
    scopes = '<p itemscope itemtype="https://schema.org/Thing" itemref="r"></p>' * 2_000
    start = time.process_time()
    data = read(body=f'{scopes}<div id="r">{"<b itemprop=name>A</b>" * 2_000}</div>')
    assert time.process_time() - start < 6
    assert data.is_cut


def test_an_itemref_loop_ends() -> None:
    body = '<div itemscope itemtype="https://schema.org/Thing" itemref="b"></div><div id="b" itemprop="x" itemscope itemref="b"></div>'

    assert len(read(body=body).items) <= 1


def test_s26_many_items_are_bounded() -> None:
    start = time.process_time()
    data = read(ld('{"@context": "https://schema.org", "@graph": [' + ",".join(['{"@type": "Thing", "a": [{}, {}, {}]}'] * 30_000) + "]}"))

    assert len(list(data.all_items())) <= 3_000
    assert time.process_time() - start < 12


def test_values_that_are_neither_texts_nor_items_do_no_harm() -> None:
    assert read(ld("7")).items == ()
    assert read(ld('["x", null, true]')).items == ()
    data = read(ld('{"@context": 7, "@type": [1, "Article"], "a": [null, true, [1, [2]]], "@id": 5}'))

    assert [item.types for item in data.items] == [("1", "Article")]


def test_names_of_schema_org_are_known_by_their_letters() -> None:
    assert "NewsArticle" in vocabulary().by_lower_case["newsarticle"]
    assert {"Brand", "brand"} == set(vocabulary().by_lower_case["brand"])
    assert "MemberProgramTier" in vocabulary().by_lower_case["memberprogramtier"]  # newer than version 13


def test_no_two_names_of_a_kind_differ_in_case_alone() -> None:
    for names in vocabulary().by_lower_case.values():
        kinds = [name[0].isupper() for name in names]
        assert len(set(kinds)) == len(kinds), names


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-01", "2026-11-01"),
        ("2026-11-01T10:00:00+02:00", "2026-11-01"),
        ("2026-11-01T10:00:00.123Z", "2026-11-01"),
        ("2026-11-01 10:00", "2026-11-01"),
        ("2026-11-01T10:00:00-0500", "2026-11-01"),
        ("2026-13-01", None),
        ("01.11.2026", None),
        ("2026-11", None),
        ("", None),
        ("x" * 10**6, None),
    ],
)
def test_iso_dates(text: str, day: str | None) -> None:
    found = iso_moment(text)

    assert (found.date().isoformat() if found else None) == day


def test_offsets_count() -> None:
    one, other = iso_moment("2026-11-01T00:30:00+02:00"), iso_moment("2026-10-31T22:30:00Z")

    assert one is not None
    assert one == other
