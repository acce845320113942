"""Files for other programs, validated by the tools that the public uses for them."""

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, findable
from tests.crawl_sites import make_shop
from tests.external import needs, program
from tests.sites.plugin import make_site
from tests.sites.server import Site

__all__ = ["findable", "make_site"]

ROOT = Path(__file__).parents[1]
CONFIGURATION = "docs/reference/findable-toml.schema.json"


def checked(name: str, *arguments: str | Path) -> str:
    done = subprocess.run([program(name), *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.full
@needs("check-jsonschema")
def test_files_of_pipelines_and_containers_have_the_public_schemas(tmp_path: Path) -> None:
    checked("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action/action.yml")
    checked("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "packaging/compose.yaml", "packaging/compose.sqlite.yaml")
    head, _, job = (ROOT / "packaging/gitlab/findable.yml").read_text(encoding="utf-8").partition("\n---\n")
    for part in (head, job):
        (tmp_path / "part.yml").write_text(part)
        checked("check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", tmp_path / "part.yml")


@pytest.mark.full
@needs("check-jsonschema")
def test_the_schema_of_the_configuration_is_valid_and_takes_what_init_writes(findable: Run, tmp_path: Path) -> None:
    checked("check-jsonschema", "--check-metaschema", CONFIGURATION)
    assert findable("init", "https://www.example.com/").returncode == 0
    written = tomllib.loads((tmp_path / ".findable.toml").read_text(encoding="utf-8"))
    (tmp_path / "findable.json").write_text(json.dumps(written, default=str))
    checked("check-jsonschema", "--schemafile", CONFIGURATION, tmp_path / "findable.json")


@pytest.mark.full
@needs("check-jsonschema")
def test_sarif_of_pages_and_crawls_has_the_schema_of_oasis(findable: Run, make_site: Callable[..., Site], tmp_path: Path) -> None:
    site = make_site()
    make_shop(site, products=4)
    (tmp_path / "gone.txt").write_text(f"{site.url('/')}\n{site.url('/product/1')}\nhttp://127.0.0.1:9/\n")
    findable("audit", "--list", "gone.txt", "--format", "sarif", "-o", "pages.sarif", "--source", "/*=*.html")
    findable("crawl", site.url("/"), "--rate", "50", "--format", "sarif", "-o", "site.sarif")
    schema = ROOT / "tests/vendor/sarif-schema/sarif-schema-2.1.0.json"
    for name in ("pages.sarif", "site.sarif"):
        written = json.loads((tmp_path / name).read_text(encoding="utf-8"))
        assert written["runs"][0]["results"]
        assert written["runs"][0]["tool"]["driver"]["informationUri"].startswith("https://")
        checked("check-jsonschema", "--schemafile", schema, tmp_path / name)
        written["runs"][0]["results"][0]["level"] = "dreadful"
        (tmp_path / name).write_text(json.dumps(written))
        with pytest.raises(AssertionError, match="dreadful"):
            checked("check-jsonschema", "--schemafile", schema, tmp_path / name)


@pytest.mark.full
@needs("kubernetes-validate")
def test_the_manifests_have_the_schema_of_kubernetes() -> None:
    assert checked("kubernetes-validate", "--strict", "packaging/kubernetes/findable.yaml").count(" passed for resource ") == 4
