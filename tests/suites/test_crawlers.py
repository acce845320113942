"""User agents of monperrus/crawler-user-agents, against the product tokens that Findable knows."""

import json
import re

import pytest

from findable.artifacts.tables.bots import BOTS
from tests.external import FOLDER, missing
from tests.suites.places import declared

COUNT = 1500
NAME = "crawler-user-agents"


@pytest.mark.full
def test_product_tokens_are_those_of_known_crawlers_or_declared() -> None:
    path = FOLDER / "node_modules" / NAME / f"{NAME}.json"
    crawlers = json.loads((path if path.exists() else missing(f"the package {NAME}")).read_bytes())
    written = [agent for crawler in crawlers for agent in crawler["instances"]]
    patterns = [re.compile(crawler["pattern"]) for crawler in crawlers]
    different = set()
    for bot in BOTS:
        if bot.token_only:
            continue
        agents = [agent for agent in written if re.search(rf"(?<![\w-]){re.escape(bot.token)}(?![\w-])", agent, re.IGNORECASE)]
        is_known = bool(agents) or any(pattern.search(f"{bot.token}/1.0") for pattern in patterns)
        if not is_known:
            different.add(bot.token)
        elif agents and not any(bot.token in agent for agent in agents):
            different.add(f"{bot.token}: spelling")
    assert len(crawlers) == COUNT
    assert different == declared(NAME)
