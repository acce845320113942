"""`findable checks`: the catalogue in the terminal."""

import json
from typing import Annotated, Literal

from cyclopts import Parameter

from findable.checks.engine import all_checks
from findable.cli.formats import Language
from findable.cli.terminal import Terminal
from findable.cli.text import check_lines
from findable.errors import SettingError


def checks(
    check_id: str | None = None,
    /,
    *,
    format_: Annotated[Literal["text", "json"], Parameter(name="--format", help="text for people, json for programs.")] = "text",
    language: Annotated[Language, Parameter(help="Language of the text; JSON is English.")] = "en",
) -> int:
    """List every check, or explain one by its id."""
    terminal = Terminal.detect(language=language)
    found = all_checks()
    if check_id is not None:
        if check_id not in found:
            raise SettingError(check_id, "there is no such check; `findable checks` lists them")
        print("\n".join(check_lines(check_id, terminal)))
        return 0
    if format_ == "json":
        rows = [
            {
                "id": item.id,
                "category": item.category.value,
                "question": item.question,
                "importance": item.importance.value,
                "effort": int(item.effort),
                "profile": item.profile.value,
                "after": list(item.after),
            }
            for item in found.values()
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    category = ""
    for item in found.values():
        if item.category.value != category:
            if category:
                print()
            category = item.category.value
            print(terminal.paint(category, "bold"))
        print(terminal.cut(f"{item.id:<26} {item.importance.value:<6} {terminal.say.text(item.question)}", "  "))
    print(f"\n{len(found)} checks; `findable checks ID` explains one.")
    return 0
