"""Names by which sites tell what kind of page one is: types, classes of themes, folders of URLs, words of recipes."""

from collections.abc import Mapping

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table
from findable.vocabulary import PageKind

Names = Mapping[PageKind, frozenset[str]]


class _Table(Struct, frozen=True):
    """Contents of data/page_kinds.json: lower-case names, but for types."""

    types: Names
    og_types: Names
    generators: Names
    body_names: Names
    folders: Names
    docs_hosts: frozenset[str]
    forum_hosts: frozenset[str]
    forum_indexes: frozenset[str]
    ingredients: frozenset[str]
    preparation: frozenset[str]


TABLE = read_table("page_kinds", _Table)
