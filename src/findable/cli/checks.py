"""`findable checks`: the catalogue of checks in the terminal."""

from typing import Annotated, Any, Literal

from cyclopts import Parameter

from findable.checks.engine import Check, all_checks
from findable.cli.formats import Language
from findable.cli.report_text import check_lines
from findable.cli.terminal import Terminal, print_json
from findable.errors import SettingError
from findable.reports.prose import unwrap_lines
from findable.values import nearest
from findable.vocabulary import Profile


def checks(
    check_id: str | None = None,
    /,
    *,
    format_: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
    language: Language = "en",
) -> int:
    """List every check, or explain one by its id.

    Args:
        check_id: The check to explain.
        format_: text for people, json for programs.
        language: Language of the text; JSON is English.
    """
    terminal = Terminal.detect(language=language)
    found = all_checks()
    if check_id is not None:
        if check_id not in found:
            alike = nearest(check_id, found)
            hint = f"did you mean {alike}?" if alike else "`findable checks` lists them"
            raise SettingError(check_id, f"is not the id of a check; {hint}")
        if format_ == "json":
            print_json(_row(found[check_id]) | _explanation(found[check_id]))
        else:
            print("\n".join(check_lines(check_id, terminal)))
        return 0
    if format_ == "json":
        print_json([_row(item) for item in found.values()])
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


def _row(item: Check) -> dict[str, Any]:
    return {
        "id": item.id,
        "category": item.category.value,
        "question": item.question,
        "importance": item.importance.value,
        "effort": int(item.effort),
        "profile": Profile.for_sources(item.sources).value,
        "since": item.since,
        "status": item.stage.value,
        "after": list(item.depends_on),
    }


def _explanation(item: Check) -> dict[str, Any]:
    text = item.documentation
    parts = {"summary": text.summary, "why": text.why, "how_to_fix": text.how, "sources": text.sources, "not_judged": text.not_judged}
    return {name: unwrap_lines(part) for name, part in parts.items()}
