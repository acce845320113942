"""The OpenAPI document: checked by the usual linters, and clients generated from it work against a running service."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from findable.web.api.openapi import document_bytes
from tests.external import FOLDER, needs, program
from tests.web.live import Live

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


@pytest.fixture
def document(tmp_path: Path, live: Live) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(document_bytes(f"http://127.0.0.1:{live.port}"))
    return path


def run(folder: Path, *command: str | Path, **environment: str) -> str:
    """Run a program in a folder and return what it says."""
    places = os.pathsep.join([str(FOLDER / "python" / "bin"), os.environ["PATH"]])
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, "PATH": places, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@needs("spectral")
def test_spectral_has_nothing_to_say(document: Path) -> None:
    ruleset = document.with_name("spectral.yaml")
    ruleset.write_text('extends: ["spectral:oas"]\n')
    run(document.parent, program("spectral"), "lint", document, "--ruleset", ruleset, "--fail-severity", "hint")


@needs("redocly")
def test_redocly_has_nothing_to_say(document: Path) -> None:
    said = run(document.parent, program("redocly"), "lint", document, "--format", "stylish", REDOCLY_TELEMETRY="off")
    assert "warning" not in said.replace("Deprecation warning", "")


def python_client(document: Path) -> list[str | Path]:
    run(document.parent, program("openapi-python-client"), "generate", "--path", document, "--output-path", "generated", "--meta", "none")
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
@needs("openapi-python-client", "openapi-generator-cli", "openapi-typescript", "tsc", "node", "java")
@pytest.mark.parametrize("generate", [python_client, generator_python, generator_typescript, typescript_types])
def test_generated_clients_list_create_update_and_delete(live: Live, document: Path, generate: Callable[[Path], list[str | Path]]) -> None:
    command = generate(document)
    run(document.parent, *command, BASE_URL=f"http://127.0.0.1:{live.port}/api/v1", API_KEY=live.client().key)
