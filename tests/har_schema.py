"""HTTP Archives, checked with the schemas that the public uses (tests/vendor/har-schema)."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft6Validator, ValidationError  # type: ignore[import-untyped] # it has none
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT6

__all__ = ["ValidationError", "validate_har"]
FOLDER = Path(__file__).parent / "vendor" / "har-schema"


def validate_har(archive: Any) -> None:
    """Raises ValidationError for what is no HAR 1.2."""
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
    resources = ((name, Resource.from_contents(schema, default_specification=DRAFT6)) for name, schema in schemas.items())
    registry: Registry[Any] = Registry().with_resources(resources)
    checker = Draft6Validator.FORMAT_CHECKER
    Draft6Validator(schemas["har.json"], registry=registry, format_checker=checker).validate(archive)
