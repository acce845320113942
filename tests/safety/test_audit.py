"""What we depend on and what we publish."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.sites.server import Page as ProbeResponse
from tests.sites.server import Request, Site, Wire, answer_bytes
from tools import audit

HASH = f"--hash=sha256:{'0' * 64}"


def test_s95_every_requirement_is_locked_with_its_hash() -> None:
    versions = audit.locked_versions((audit.ROOT / audit.LOCK).read_text(encoding="utf-8"))
    assert set(audit.installed_distributions()) - {audit.OWN_NAME} <= set(versions)


@pytest.mark.parametrize(
    "line",
    [
        f"a>=1 \\\n    {HASH}",
        "a==1",
        "a==1 \\\n    --hash=md5:0",
        f"a @ https://evil.example/a.whl \\\n    {HASH}",
        f"-e . {HASH}",
        "git+https://x",
    ],
)
def test_s95_a_requirement_that_is_not_locked_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"no exact version|no hash"):
        audit.locked_versions(f"sound==1.0 \\\n    {HASH}\n{line}\n")


def test_s95_no_secret_stands_in_the_project() -> None:
    assert list(audit.secrets_in(audit.ROOT)) == []


PLANTED = {
    "private key": "-----BEGIN RSA PRIVATE KEY-----\n" + "A" * 64,
    "key of ours": f"fnd_{'0' * 8}_{'a' * 43}",
    "AWS key": "AKIA" + "A" * 16,
    "GitHub token": "ghp_" + "a" * 36,
    "Slack token": "xoxb-" + "1" * 24,
    "PyPI token": "pypi-AgEIcHlwaS5vcmc" + "a" * 60,
    "Stripe key": "sk_live_" + "a" * 24,
    "Google key": "AIza" + "a" * 35,
    "signed token": f"eyJ{'a' * 20}.eyJ{'a' * 20}.{'a' * 30}",
    "password in an address": "postgresql://findable:" + "x" * 16 + "@db.example/findable",
}


@pytest.mark.parametrize("what", audit.SECRETS)
def test_s95_a_planted_secret_is_found(tmp_path: Path, what: str) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "settings.toml").write_text(f'x = "{PLANTED[what]}"\n')
    subprocess.run(["git", "add", "settings.toml"], cwd=tmp_path, check=True)
    assert list(audit.secrets_in(tmp_path)) == [f"settings.toml: {what}"]


def test_s95_the_bill_of_materials_names_all_that_an_installation_brings() -> None:
    made = audit.bill(audit.installed_distributions())
    names = {component["name"] for component in made["components"]}
    assert {"starlette", "pycurl", "turbohtml", "sqlalchemy", "typst", "psycopg"} <= names
    assert {"pytest", "ruff", "playwright", "mypy"}.isdisjoint(names)
    assert made["metadata"]["component"]["name"] == "findable-seo"
    assert all(component["purl"] == f"pkg:pypi/{component['name']}@{component['version']}" for component in made["components"])
    assert [component["name"] for component in made["components"] if not component.get("licenses")] == []
    assert made == audit.bill(audit.installed_distributions())


@contextmanager
def advisory_service(site: Site, known: dict[str, str]) -> Iterator[str]:
    """Answers like osv.dev."""

    async def answer(request: Request, wire: Wire) -> None:
        asked = json.loads(request.body)["queries"]
        results = [{"vulns": [{"id": known[each["package"]["name"]]}]} if each["package"]["name"] in known else {} for each in asked]
        await wire.send(answer_bytes(ProbeResponse(json.dumps({"results": results}).encode())))

    site.handler("/v1/querybatch", answer)
    yield site.url("/v1/querybatch")


def test_s95_an_advisory_fails_the_audit(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with advisory_service(site, {}) as url:
        assert audit.main(["--advisories", url, "--bill", str(tmp_path / "bill.json")]) == 0
    with advisory_service(site, {"starlette": "GHSA-0000-0000-0000"}) as url:
        assert audit.main(["--advisories", url, "--bill", str(tmp_path / "bill.json")]) == 1
    assert "GHSA-0000-0000-0000" in capsys.readouterr().err


def test_s95_where_nobody_answers_that_is_said(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(["--advisories", site.url("/nothing"), "--bill", str(tmp_path / "bill.json")]) == 0
    assert "advisories were not looked up" in capsys.readouterr().out
