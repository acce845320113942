"""Write src/findable/artifacts/tables/data/language_tags.json from the IANA registry of language subtags and Unicode CLDR.

Run it by hand; it needs npm, whose packages language-subtag-registry and cldr-core contain both:

    python tools/language_tags.py
"""

import json
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TARGET = Path(__file__).parent.parent / "src/findable/artifacts/tables/data/language_tags.json"
PACKAGES = ("language-subtag-registry", "cldr-core")
SHORTEST, LONGEST = 2, 3


def main() -> None:
    """Write the table."""
    with TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", *PACKAGES], cwd=folder, check=True, capture_output=True)  # noqa: S607 - npm of the developer
        registry, date = _read(folder, PACKAGES[0], "package/data/json/registry.json", "package/data/json/meta.json")
        aliases, package = _read(folder, PACKAGES[1], "package/supplemental/aliases.json", "package/package.json")
    named = [item for item in registry if item["Type"] == "language" and ".." not in item["Subtag"]]
    languages = {item["Subtag"] for item in named}
    preferred = {item["Subtag"]: item["Preferred-Value"] for item in named if "Preferred-Value" in item}
    replaced = aliases["supplemental"]["metadata"]["alias"]["languageAlias"]
    short = _replacements(replaced, {"overlong", "bibliographic"})
    encompassing = _replacements(replaced, {"macrolanguage"})
    table = {
        "registry": date["File-Date"],
        "cldr": package["version"],
        "source": "https://www.iana.org/assignments/language-subtag-registry; Unicode CLDR, supplemental/aliases.json, Unicode License v3",
        "languages": " ".join(sorted(languages)),
        "regions": " ".join(sorted(item["Subtag"].lower() for item in registry if item["Type"] == "region" and ".." not in item["Subtag"])),
        "two_letters": {code: other for code, other in short.items() if code not in languages and len(other) == SHORTEST},
        "preferred": {**preferred, **{code: other for code, other in encompassing.items() if len(code) == LONGEST}},
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in table.items())
    TARGET.write_text(f"{{\n{lines}\n}}\n", encoding="ascii")


def _replacements(aliases: Mapping[str, Mapping[str, str]], reasons: set[str]) -> dict[str, str]:
    found = {code: item["_replacement"].split("-")[0] for code, item in sorted(aliases.items()) if item["_reason"] in reasons}
    return {code: other for code, other in found.items() if SHORTEST <= len(code) <= LONGEST and code != other}


def _read(folder: str, package: str, *names: str) -> list[Any]:
    (path,) = Path(folder).glob(f"{package}-*.tgz")
    with tarfile.open(path) as archive:
        members = [archive.extractfile(name) for name in names]
        return [json.loads(member.read()) for member in members if member is not None]


if __name__ == "__main__":
    main()
