"""`findable init`: write the configuration file of a repository."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from findable.api.targets import typed_url
from findable.cli.config import NAME, config_schema
from findable.cli.terminal import print_json
from findable.errors import SettingError

TEMPLATE = """\
# Configuration of findable audit and findable crawl; options of a command have precedence.
# All keys: findable init --schema

# as = "https://www.example.com"  # the pages are a preview of this origin

[audit]
urls = ["{url}"]
# sitemap = "{origin}/sitemap.xml"  # all pages that it lists
retries = 1  # a page that could not be loaded is requested again

[crawl]
url = "{origin}/"
pages = 500

[thresholds]
score = 70  # findable exits with 1 below it

# [thresholds.categories]
# indexability = 90

[thresholds.checks]
noindex = "failed"  # exits with 1 where this check failed, whatever the score

# [[off]]
# check = "llms-txt"
# reason = "We publish none."

# [[accept]]
# check = "title-length"
# reason = "The name of the product is long."
# until = 2027-06-30
# url = "/products/*"

# [[budgets]]
# urls = ["/products/*"]
# bytes = 1_500_000
# requests = 60

# [source]
# "/docs/*" = "content/docs/*"  # findings are shown at the files that pages are made of
"""


def init(
    url: Annotated[str, Parameter(help="URL of a page.")] = "http://localhost:3000/",
    /,
    *,
    schema: Annotated[bool, Parameter(help="Print the JSON schema of the file instead.")] = False,
) -> int:
    """Write .findable.toml, the configuration of `findable audit` and `findable crawl` in a repository."""
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
