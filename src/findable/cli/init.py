"""`findable init`: write the configuration file of a repository."""

from importlib.resources import files
from pathlib import Path

from findable.api.targets import typed_url
from findable.cli.config import NAME, config_schema
from findable.cli.terminal import print_json
from findable.errors import SettingError

TEMPLATE = files(__package__).joinpath("template.toml").read_text("utf-8")


def init(url: str = "http://localhost:3000/", /, *, schema: bool = False) -> int:
    """Write .findable.toml, the configuration of `findable audit` and `findable crawl` in a repository.

    Args:
        url: URL of a page.
        schema: Print the JSON schema of the file instead.
    """
    if schema:
        print_json(config_schema())
        return 0
    typed = typed_url(url)
    path = Path(NAME)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(url=typed.href.replace('"', "%22"), origin=typed.origin))
    except FileExistsError as error:
        raise SettingError(NAME, "already exists and is not overwritten") from error
    print(f"{NAME} was written. Next: findable audit")
    return 0
