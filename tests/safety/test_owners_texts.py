"""What owners write, in whatever we make of a report: files, other formats of the command line, the terminal, the log."""

import json
import logging
import re
import subprocess
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from findable.cli.terminal import clean
from findable.export.ci_subject import document as file_of
from findable.export.ci_subject import page_subject
from findable.export.client_words import ClientWords
from findable.export.junit import JUnit
from findable.export.markdown import to_markdown
from findable.export.report_csv import to_csv
from findable.export.sarif import Sarif
from findable.sandbox import Limits
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.reports import reports
from findable.web.logs import JsonFormatter, LineFormatter
from tests.cli.conftest import Run
from tests.safety.test_hostile_text import ANSI, CONTROLS, EVIL, TURNED, live_cells
from tests.safety.world import SAME
from tests.web.live import Live

MARK = "owners-words-17"
WRITTEN = f"=HYPERLINK(1) {MARK} {EVIL} ]]> `x` @everyone [a](javascript:1)\r\n@SUM(1)\n{ANSI}{TURNED}\x00"[:-1]
ON_ONE_LINE = "".join(mark for mark in f"=1+1 {MARK} {EVIL}" if mark.isprintable())
BRAND = ON_ONE_LINE[:80].strip()
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def made(live: Live) -> Any:
    """A report with words of its owner wherever there is a field for them; its client, and its path."""
    client = live.client()
    report = client.report("https://bad.example/")
    browser = live.signed_in(client.get("/account").json["data"]["email"])
    words = {"summary": WRITTEN, "notes": {"noindex": WRITTEN}, "prepared_by": ON_ONE_LINE[:200], "prepared_for": ON_ONE_LINE[:200]}
    steps = [
        client.put(f"/reports/{report['id']}/accepted/title-present", {"reason": "none"}),
        client.put(f"/reports/{report['id']}/accepted/viewport", {"reason": WRITTEN.replace("\r\n", " ").replace("\n", " ")[:300]}),
        client.put(f"/reports/{report['id']}/client", json.dumps(words), JSON),
        client.put("/projects/bad.example", json.dumps({"brand_name": BRAND, "not_for_search": ["/x/*"]}), JSON),
        browser.post("/account/profile", {"name": ON_ONE_LINE, "language": "", "time_zone": ""}, SAME),
    ]
    assert [step.status for step in steps[1:]] == [200, 200, 200, 303], [step.text for step in steps]
    return client, f"/r/{report['public_id']}"


def test_s31_s36_s46_owners_words_are_text_in_every_format(live: Live, made: Any) -> None:
    client, path = made
    whole = client.guest().get(f"{path}/report.json").json
    assert MARK in whole["client"]["summary"]
    assert MARK in json.dumps(whole["results"])  # the reason
    caller = authenticate_key(live.service, client.key)
    report = reports.get(live.service, caller, client.get("/reports").json["data"][0]["id"]).report
    assert report is not None
    words = ClientWords(whole["client"]["summary"], whole["client"]["notes"], prepared_by=whole["client"]["prepared_by"])
    table = to_csv(report).decode("utf-8-sig")
    assert not live_cells(table)
    assert MARK not in table
    assert MARK not in file_of(Sarif(), [page_subject(report)]).decode()
    ET.fromstring(file_of(JUnit(), [page_subject(report)]))
    for text in (table, to_markdown(report, client=words), client.guest().get(f"{path}/report.md").text):
        assert not CONTROLS.search(text)
    check_badge(client.guest().get(f"{path}/badge.svg").text, f"{report.result} {report.score}")
    document = client.guest().get(f"{path}/report.pdf").body
    told = subprocess.run(["pdfinfo", "-"], input=document, capture_output=True, check=True).stdout.decode()
    assert re.search(r"^JavaScript: +no$", told, re.MULTILINE)
    assert not CONTROLS.search(told)


def check_badge(badge: str, rating: str) -> None:
    """The badge names the brand, and of the owner's words it has nothing else; they are text in it, not markup."""
    assert not CONTROLS.search(badge)
    image = ET.fromstring(badge)
    assert {element.tag.rpartition("}")[2] for element in image.iter()} == {"svg", "title", "rect", "g", "text"}
    assert {name for element in image.iter() for name in element.attrib if name.startswith("on") or "href" in name} == set()
    assert [*filter(str.strip, image.itertext())] == [f"{BRAND}: {rating}", BRAND, rating]
    assert [value for element in image.iter() for value in element.attrib.values() if MARK in value] == [f"{BRAND}: {rating}"]


@pytest.mark.parametrize("name", [f"{MARK}{ANSI}", f"{MARK}{TURNED}", f"{MARK}\ufffe"])
def test_s36_a_brand_has_no_control_characters(made: Any, name: str) -> None:
    client, _path = made

    assert client.put("/projects/bad.example", json.dumps({"brand_name": name}), JSON).status == 422


def test_s36_owners_words_are_text_in_the_terminal(live: Live, findable: Run) -> None:
    email = "named@example.com"
    account_admin.create_account(live.service, email, WRITTEN)
    api_keys.create_key(live.service, email, name=WRITTEN)
    folder = str(live.service.settings.data_dir)
    for command in (("accounts", "list"), ("keys", "list", email)):
        done = findable(*command, FINDABLE_DATA_DIR=folder)
        assert done.returncode == 0, done.stderr
        assert MARK in done.stdout
        assert not CONTROLS.search(done.stdout)
    assert not CONTROLS.search(clean(WRITTEN))


def test_s80_s81_owners_words_stand_in_no_log(made: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    client, path = made
    caplog.set_level(logging.DEBUG)
    guest = client.guest()
    for name in ("", "/report.json", "/report.md", "/report.csv", "/report.pdf"):
        assert guest.get(f"{path}{name}").status == 200
    for limits in (Limits(0.002, 2 * 1024**3, 10**7), Limits(20.0, 2 * 1024**3, 1000), Limits(20.0, 60 * 1024**2, 10**7)):
        monkeypatch.setattr("findable.export.pdf.LIMITS", limits)
        assert guest.get(f"{path}/report.pdf").status == 503
    lines = [formatter.format(record) for record in caplog.records for formatter in (LineFormatter(), JsonFormatter())]
    assert any("could not render the PDF of report" in line for line in lines)
    assert not [line for line in lines if MARK in line]
    assert not [line for line in lines if CONTROLS.search(line.replace("\n", ""))]
