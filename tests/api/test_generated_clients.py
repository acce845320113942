"""The OpenAPI document: checked by the usual linters, and clients generated from it work against a running service."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from findable.web.api.openapi import document_bytes
from tests.crawl_sites import make_shop
from tests.external import FOLDER, needs, program
from tests.sites.server import Site
from tests.web.live import Live, run_live
from tests.worked_crawls import work_crawl

CLIENTS = Path(__file__).parent / "clients"
COMPILED = (
    "--strict",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--skipLibCheck",
)


STORY_S = 300


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",))


@pytest.fixture
def document(tmp_path: Path, live: Live) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(document_bytes(f"http://127.0.0.1:{live.port}"))
    return path


@pytest.fixture
def whole_document(tmp_path: Path, live: Live) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(document_bytes(f"http://127.0.0.1:{live.port}", is_complete=True))
    return path


def environment(**more: str) -> Mapping[str, str]:
    """Return the environment of a program, with the installed Python programs on its PATH."""
    return {**os.environ, "PATH": os.pathsep.join([str(FOLDER / "python" / "bin"), os.environ["PATH"]]), **more}


def run(folder: Path, *command: str | Path, **more: str) -> str:
    """Run a program in a folder and return what it says."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
        timeout=STORY_S,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@needs("spectral")
def test_spectral_has_nothing_to_say(document: Path) -> None:
    lint_with_spectral(document)


@pytest.mark.full
@needs("spectral", "redocly")
def test_nothing_to_say_about_the_whole_document(whole_document: Path) -> None:
    lint_with_spectral(whole_document)
    lint_with_redocly(whole_document)


@needs("redocly")
def test_redocly_has_nothing_to_say(document: Path) -> None:
    lint_with_redocly(document)


def lint_with_spectral(document: Path) -> None:
    ruleset = document.with_name("spectral.yaml")
    ruleset.write_text('extends: ["spectral:oas"]\n')
    run(document.parent, program("spectral"), "lint", document, "--ruleset", ruleset, "--fail-severity", "hint")


def lint_with_redocly(document: Path) -> None:
    said = run(document.parent, program("redocly"), "lint", document, "--format", "stylish", REDOCLY_TELEMETRY="off")
    assert "warning" not in said.replace("Deprecation warning", "")


def is_inline(schema: Mapping[str, Any]) -> bool:
    """Tell whether generators create a named type for a schema inside another one."""
    return "enum" in schema or "properties" in schema or ("additionalProperties" in schema and schema["additionalProperties"] is not True)


def test_names_made_for_inline_schemas_are_not_those_of_components() -> None:
    """Generators name an inline object or enum of a member after the component and the member: ``Report`` + ``links``."""
    for is_complete in (False, True):
        schemas = json.loads(document_bytes("http://127.0.0.1", is_complete=is_complete))["components"]["schemas"]
        taken = {name.lower() for name in schemas}
        assert len(taken) == len(schemas)
        for name, schema in schemas.items():
            for member, inside in schema.get("properties", {}).items():
                parts = [inside, inside.get("items", {}), *inside.get("anyOf", ()), inside.get("additionalProperties") or {}]
                made = (name + member.replace("_", "")).lower()
                assert made not in taken or not any(map(is_inline, parts)), (name, member)


def test_what_generators_cannot_read_is_only_in_the_whole_document() -> None:
    shown, whole = (json.loads(document_bytes("http://127.0.0.1", is_complete=is_complete)) for is_complete in (False, True))
    assert "webhooks" not in shown
    assert "webhooks" in whole
    assert set(whole["components"]["schemas"]) - set(shown["components"]["schemas"]) >= {"AlertMessage", "CrawlMessage", "ReportMessage"}
    assert set(shown["paths"]) == set(whole["paths"])
    media_types = {
        kind
        for item in shown["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
        for kind in operation.get("requestBody", {}).get("content", ())
    }
    assert media_types == {"application/json"}
    assert not [
        name for name, schema in shown["components"]["schemas"].items() for one in schema.get("properties", {}).values() if "default" in one
    ]
    assert shown["components"]["schemas"]["ReportUpdate"]["properties"]["results"]["description"].endswith("Default: 0.")


def python_client(document: Path) -> list[str | Path]:
    said = run(
        document.parent, program("openapi-python-client"), "generate", "--path", document, "--output-path", "generated", "--meta", "none"
    )
    assert "WARNING" not in said, said
    shutil.copy(CLIENTS / "openapi_python_client.py", document.parent / "story.py")
    return [FOLDER / "python" / "bin" / "python", "story.py"]


def generator_python(document: Path) -> list[str | Path]:
    run(
        document.parent,
        program("openapi-generator-cli"),
        "generate",
        "-i",
        document,
        "-g",
        "python",
        "-o",
        ".",
        "--package-name",
        "generated",
    )
    shutil.copy(CLIENTS / "openapi_generator.py", document.parent / "story.py")
    return [FOLDER / "python" / "bin" / "python", "story.py"]


def generator_typescript(document: Path) -> list[str | Path]:
    run(document.parent, program("openapi-generator-cli"), "generate", "-i", document, "-g", "typescript-fetch", "-o", "generated")
    return compiled(document, "typescript_fetch.ts")


def generator_go(document: Path) -> list[str | Path]:
    folder = document.parent
    one_constant_per_enum = "--additional-properties=enumClassPrefix=true"  # else equal values of two enums have one name
    run(folder, program("openapi-generator-cli"), "generate", "-i", document, "-g", "go", "-o", "generated", one_constant_per_enum)
    story = folder / "generated" / "cmd"
    story.mkdir()
    shutil.copy(CLIENTS / "openapi_generator.go", story / "main.go")
    run(folder / "generated", program("go"), "build", "-o", folder / "story", "./cmd", GOFLAGS="-mod=mod", GOCACHE=str(folder / "cache"))
    return [folder / "story"]


def typescript_types(document: Path) -> list[str | Path]:
    run(document.parent, program("openapi-typescript"), document, "-o", "generated.ts")
    return compiled(document, "openapi_typescript.ts")


def compiled(document: Path, story: str) -> list[str | Path]:
    """Compile a story with the client that it imports."""
    shutil.copy(CLIENTS / story, document.parent / "story.ts")
    (document.parent / "node_modules").symlink_to(FOLDER / "node_modules")
    run(document.parent, program("tsc"), *COMPILED, "--types", "node", "story.ts")
    return [program("node"), "story.js"]


@pytest.mark.full
@needs("openapi-python-client", "openapi-generator-cli", "openapi-typescript", "tsc", "node", "java", "go")
@pytest.mark.parametrize("generate", [python_client, generator_python, generator_typescript, generator_go, typescript_types])
def test_generated_clients_work_with_reports_and_crawls(live: Live, document: Path, generate: Callable[[Path], list[str | Path]]) -> None:
    command = generate(document)
    client, site = live.client(), Site().start()
    try:
        make_shop(site)
        told = {"BASE_URL": f"http://127.0.0.1:{live.port}/api/v1", "API_KEY": client.key, "SITE": site.url("/")}
        with subprocess.Popen(
            [str(part) for part in command],
            cwd=document.parent,
            env=environment(**told),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as story:
            while story.poll() is None and not client.get("/crawls", status="queued").json["data"]:
                time.sleep(0.1)
            if story.poll() is None:
                work_crawl(live.service)
            said, _ = story.communicate(timeout=STORY_S)
        assert story.returncode == 0, said
    finally:
        site.stop()
