"""Lines of a redirect map: the URL and its expected target."""

from findable.crawl.redirect_map import map_rows


def test_a_target_follows_a_space_a_tab_a_semicolon_or_a_comma() -> None:
    old, new = "https://old.example/a", "https://new.example/b"
    for line in (f"{old} {new}", f"{old}\t{new}", f"{old};{new}", f"{old},{new}", f'"{old}","{new}"', f"  {old}, {new} "):
        assert list(map_rows([line])) == [[old, new]], line


def test_a_comma_within_a_url_separates_nothing() -> None:
    assert list(map_rows(["https://shop.example/a,b", "https://shop.example/1,2 /3,4"])) == [
        ["https://shop.example/a,b"],
        ["https://shop.example/1,2", "/3,4"],
    ]


def test_headings_and_empty_lines_are_left_out_and_paths_belong_to_the_site() -> None:
    lines = ["old,new", "", "/a,/b", "shop.example/c"]
    assert list(map_rows(lines, "https://shop.example")) == [["https://shop.example/a", "https://shop.example/b"], ["shop.example/c"]]
    assert list(map_rows(["localhost"])) == [["localhost"]]
