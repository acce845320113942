"""The configuration of a repository: what it sets, what flags override, and what its errors name."""

import json
import tomllib
from pathlib import Path

import pytest

from findable.cli.config import Config, config_schema, parse_config, read_accepted
from findable.cli.init import TEMPLATE
from findable.errors import SettingError
from tests.cli.conftest import Run
from tests.cli.test_audit import GOOD, TERSE, bakery
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["bakery", "make_site", "site"]

WRONG = [
    ("zzz = 1", "line 1: zzz: is not a setting; allowed: as, audit"),
    ('[audit]\nurls = ["a"]\nconcurency = 3', "line 3: audit.concurency: is not a setting; did you mean concurrency?"),
    ('[crawl]\npages = "x"', "line 2: crawl.pages: expected"),
    (
        '\n[thresholds.checks]\ntitel-length = "failed"',
        "line 3: thresholds.checks.titel-length: there is no check titel-length; did you mean title-length?",
    ),
    ("[thresholds.categories]\nfoo = 3", "line 1: thresholds.categories: invalid enum value 'foo'"),
    ("[thresholds.categories]\ncontent = 300", "line 1: thresholds.categories: expected `int` <= 100"),
    ("[thresholds]\nscore = 101", "line 2: thresholds.score: expected `int` <= 100"),
    ('[thresholds]\nchecks = { title-length = "bad" }', "line 2: thresholds.checks: invalid enum value 'bad'"),
    ('[[off]]\ncheck = "viewport"', "line 1: off[0]: object missing required field `reason`"),
    ('[[off]]\ncheck = "viewport"\nreason = ""', "line 3: off[0].reason: expected `str` of length >= 1"),
    (
        '[[accept]]\ncheck = "viewport"\nreason = "x"\n[[accept]]\ncheck = "viewport"\nreason = "x"\nurl = "bad"',
        "line 7: accept[1].url: bad: ",
    ),
    ('[[accept]]\ncheck = "viewport"\nreason = "x"\nuntil = "soon"', "line 4: accept[0].until: "),
    ('[[budgets]]\nurls = ["/*"]\nbytes = -1', "line 3: budgets[0].bytes: expected `int` >= 0"),
    ('[source]\n"docs" = "x"', "line 2: source.docs: the URL pattern must begin with /"),
    ('[source]\n"/docs/*" = "../x/*"', "line 2: source./docs/*: the file pattern must be relative"),
    ("a = [", "is not valid TOML: "),
]


def test_errors_name_line_and_key() -> None:
    for text, complaint in WRONG:
        with pytest.raises(SettingError) as raised:
            parse_config(text, "x.toml")
        place = ", " if complaint.startswith("line") else ": "
        assert str(raised.value).startswith(f"x.toml{place}{complaint}"), text


def test_an_error_in_pyproject_names_its_line_there() -> None:
    with pytest.raises(SettingError, match=r"p, line 5: tool\.findable\.audit\.foo: is not a setting"):
        parse_config('[project]\nname = "x"\n\n[tool.findable.audit]\nfoo = 1', "p", ("tool", "findable"))
    assert parse_config('[project]\nname = "x"', "p", ("tool", "findable")) == Config()


def test_what_init_writes_is_valid_also_with_everything_in_it() -> None:
    text = TEMPLATE.format(url="https://www.example.com/", origin="https://www.example.com")
    lines = (line.removeprefix("# ") for line in text.splitlines() if not line.startswith(("# Config", "# All")))
    config = parse_config("\n".join(lines), "x")

    assert parse_config(text, "x").thresholds.score == 70
    assert [one.check for one in config.acceptances] == ["llms-txt", "title-length"]
    assert (config.as_, config.budgets[0].requests, config.sources[0].files) == ("https://www.example.com", 60, "content/docs/*")
    known = config_schema()["$defs"]["Config"]["properties"]
    assert set(tomllib.loads(text)) <= set(known) == set(Config.__struct_encode_fields__)
    assert all("description" in field or "$ref" in field or "type" in field for field in known.values())


def test_checks_that_no_longer_exist_give_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = '[thresholds.checks]\ngeo-meta = "failed"\n[[off]]\ncheck = "text-html-ratio"\nreason = "a"\n'
    accepted = '[[accept]]\ncheck = "meta-keywords"\nreason = "a"\n'
    (tmp_path / "accept.toml").write_text(accepted)
    assert parse_config(text + accepted, "x").thresholds.checks == {"geo-meta": "failed"}
    assert [one.check for one in read_accepted(tmp_path / "accept.toml")] == ["meta-keywords"]
    ids = ("geo-meta", "text-html-ratio", "meta-keywords")
    lines = [f"findable: x names the check {one}, which no longer exists" for one in ids]
    assert capsys.readouterr().err.splitlines() == [*lines, lines[-1].replace("x names", f"{tmp_path}/accept.toml names")]


def test_a_configuration_gives_pages_thresholds_and_acceptances(findable: Run, bakery: Site, tmp_path: Path) -> None:
    (tmp_path / ".findable.toml").write_text(f"""\
as = "https://www.example.com"
[audit]
urls = ["{bakery.url("/bread")}", "{bakery.url("/terse")}"]
[thresholds]
score = 1
[thresholds.categories]
content = 99
[thresholds.checks]
html-lang = "warned"
[[off]]
check = "title-present"
reason = "Titles are made by a script."
[[accept]]
check = "viewport"
reason = "No phones."
until = 2020-01-01
[[budgets]]
urls = ["/bread"]
bytes = 100
""")
    done = findable("audit", "--format", "json", "--output", "all.json")
    reports = json.loads((tmp_path / "all.json").read_text())
    accepted = {row["id"]: row["accepted"] for row in reports[1]["results"] if row["accepted"]}
    lines = done.stderr.splitlines()

    assert done.returncode == 1
    assert [report["judged_as"] for report in reports] == ["https://www.example.com"] * 2
    assert accepted == {"title-present": {"reason": "Titles are made by a script.", "until": "", "by": ""}}
    assert lines[0] == "findable: viewport was accepted until 2020-01-01; its findings count again"
    assert any("/bread: " in line and "bytes, the budget of /bread is 100" in line for line in lines)
    assert any("/terse: score " in line and line.endswith(" of content is below 99") for line in lines)
    assert any(line.endswith("[html-lang]") and "/terse: " in line for line in lines)
    assert not any("is below 1" in line.split() for line in lines)

    flags = findable("audit", bakery.url("/bread"), "--fail-under", "100", "--as", "https://www.example.org")
    assert flags.stdout.splitlines()[0] == "https://www.example.org/bread (preview of https://www.example.org)"
    assert "is below 100" in flags.stderr


def test_a_page_is_requested_again_where_retries_are_set(findable: Run, tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.findable.audit]\nurls = ["http://127.0.0.1:9/"]\nretries = 1\n')
    done = findable("audit", "--format", "junit")

    assert done.returncode == 3
    assert float(done.stdout.partition(' time="')[2].partition('"')[0]) >= 1, "the pause before the second attempt"


def test_init_writes_a_file_once(findable: Run, bakery: Site, tmp_path: Path) -> None:
    first, second = (findable("init", bakery.url("/bread")) for _ in range(2))

    assert (first.returncode, second.returncode) == (0, 2)
    assert "already exists" in second.stderr
    assert findable("audit").stdout.splitlines()[0] == bakery.url("/bread")
    assert json.loads(findable("init", "--schema").stdout) == json.loads(json.dumps(config_schema()))


def test_a_crawl_leaves_accepted_findings_out_and_stops_at_checks(findable: Run, site: Site, tmp_path: Path) -> None:
    site.page("/", GOOD.replace('<a href="/bread">', '<a href="/terse">').replace("https://www.example.com/bread", "/"))
    site.page("/terse", TERSE)
    config = tmp_path / "crawl.toml"
    table = (
        f'[crawl]\nurl = "{site.url("/")}"\nrate = 50\nconnections = 4\n[thresholds]\nscore = 0\nchecks = {{ title-present = "failed" }}\n'
    )
    config.write_text(table)
    stopped = findable("crawl", "--config", str(config), "--confirm-after", "0.05", "--format", "comment")
    config.write_text(f'{table}[[accept]]\ncheck = "title-present"\nreason = "Known."\nurl = "/terse"\n')
    fine = findable("crawl", "--config", str(config), "--confirm-after", "0.05", "--format", "comment")

    assert (stopped.returncode, fine.returncode) == (1, 0), stopped.stderr + fine.stderr
    assert "[title-present]" in stopped.stderr
    assert "title\\-present" not in fine.stdout
    assert "`title-present`" in stopped.stdout
    assert "`title-present`" not in fine.stdout


def test_completion_is_a_script_of_the_shell(findable: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        done = findable("completion", shell)
        assert done.returncode == 0
        assert "only-problems" in done.stdout
    assert findable("completion", "nonsense").returncode == 2
